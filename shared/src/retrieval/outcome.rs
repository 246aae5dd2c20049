//! What a search answers.

use serde::Serialize;
use uuid::Uuid;

use crate::{
    domain::{ChunkKind, ProjectId, RepositoryId, SnapshotId},
    store::views::SearchedBranch,
};

/// The kind of question, which decides the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// A bare or qualified identifier.
    Name,
    /// A path or file name.
    Path,
    /// A question or a few words.
    Prose,
    /// A report: many words or several lines.
    Report,
}

impl Intent {
    /// Stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Path => "path",
            Self::Prose => "prose",
            Self::Report => "report",
        }
    }
}

/// The server's own judgement of a result list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Ok,
    LowConfidence,
    NoMatch,
}

/// Something the reader should know about how the answer came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    pub code: &'static str,
    pub message: String,
}

/// A way of recalling chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChannelName {
    Lexical,
    Dense,
    Symbol,
    Path,
    Exact,
}

impl ChannelName {
    /// Stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lexical => "lexical",
            Self::Dense => "dense",
            Self::Symbol => "symbol",
            Self::Path => "path",
            Self::Exact => "exact",
        }
    }
}

/// How a channel fared in one search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChannelStatus {
    Ok,
    Failed,
    Disabled,
}

/// One channel's part in a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChannelReport {
    pub name: ChannelName,
    pub status: ChannelStatus,
    /// Chunks it recalled.
    pub candidates: usize,
    pub milliseconds: f64,
}

/// A channel's view of one hit. Absent is absent, never zero.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HitChannel {
    pub name: ChannelName,
    /// Rank among the channel's recalled chunks, from 1; `None` when another channel recalled the
    /// chunk and this one only scored it.
    pub rank: Option<usize>,
    pub score: Option<f32>,
}

/// One step of a score's making.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplanationStep {
    pub name: &'static str,
    /// What was added, or the factor, as `detail` says.
    pub value: f32,
    pub detail: String,
}

/// Where a word of the question occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Highlight {
    /// Line of the file, from 1.
    pub line: u32,
    /// UTF-16 columns within the line, from 0, end excluded.
    pub start: u32,
    pub end: u32,
}

/// The lines of a hit that are worth showing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Snippet {
    pub start_line: u32,
    pub text: String,
    pub highlights: Vec<Highlight>,
}

/// A found chunk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchHit {
    /// Public id, stable across re-indexing of unchanged code.
    pub id: Uuid,
    /// From 1.
    pub rank: usize,
    pub score: f32,
    pub project_id: ProjectId,
    pub repository_id: RepositoryId,
    pub repository_name: String,
    pub branch: String,
    pub commit: String,
    pub snapshot_id: SnapshotId,
    pub path: String,
    pub language: Option<String>,
    pub kind: ChunkKind,
    pub symbol: Option<String>,
    pub start_line: u32,
    pub end_line: u32,
    pub is_test: bool,
    pub snippet: Snippet,
    pub channels: Vec<HitChannel>,
    /// Present when asked for.
    pub explanation: Option<Vec<ExplanationStep>>,
}

/// A value and in how many candidates it occurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FacetCount {
    pub value: String,
    /// A name to show instead of an id.
    pub label: Option<String>,
    pub count: usize,
}

/// Counts over the candidates that were scored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Facets {
    pub languages: Vec<FacetCount>,
    pub repositories: Vec<FacetCount>,
    pub kinds: Vec<FacetCount>,
    /// `yes` and `no`.
    pub tests: Vec<FacetCount>,
}

/// The answer to a [`super::SearchQuery`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchOutcome {
    pub intent: Intent,
    pub verdict: Verdict,
    /// What to try when the verdict is not `ok`.
    pub hint: Option<String>,
    pub hits: Vec<SearchHit>,
    pub warnings: Vec<Warning>,
    pub channels: Vec<ChannelReport>,
    pub facets: Facets,
    pub searched: Vec<SearchedBranch>,
    pub took_milliseconds: f64,
}
