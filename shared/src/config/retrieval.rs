//! Settings of the search.

use serde::{Deserialize, Serialize};

/// Limits of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RetrievalSettings {
    /// Bytes of chunk data that searches keep in memory.
    pub cache_bytes: u64,
    /// Milliseconds that a reranker may take before it is skipped.
    pub rerank_milliseconds: u64,
}

impl Default for RetrievalSettings {
    fn default() -> Self {
        Self {
            cache_bytes: 64 * 1024 * 1024,
            rerank_milliseconds: 1_500,
        }
    }
}
