//! What a caller asks, before it is understood.

use serde::{Deserialize, Serialize};

use crate::{
    domain::{ChunkKind, TestFilter},
    store::views::ViewRequest,
};

/// How channel scores become one score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fusion {
    /// Weighted sum of normalised channel scores.
    #[default]
    Weighted,
    /// Reciprocal rank fusion with k = 60.
    Rrf,
}

/// One search. The text may hold filters of its own (see `syntax`).
#[derive(Debug, Clone, Default)]
pub struct SearchQuery {
    pub text: String,
    /// Projects, repositories, branch, snapshot or commit.
    pub view: ViewRequest,
    /// Language names as in the ledger; empty means any.
    pub languages: Vec<String>,
    /// A glob over repository paths.
    pub path: Option<String>,
    /// Chunk kinds; empty means any.
    pub kinds: Vec<ChunkKind>,
    pub tests: TestFilter,
    /// Hits wanted, 1 to `constants::MAX_HITS`; 0 means the default.
    pub limit: usize,
    /// Whether each hit carries its explanation.
    pub explain: bool,
    pub fusion: Fusion,
}
