//! Finding code: understand → recall → score → fuse → boost → diversify → rerank → assemble.
//!
//! Engines recall candidates and count terms; every score is computed here from Quarry's own rows,
//! so that the ranking does not depend on which engine recalled. Nothing here writes.

mod assemble;
mod boost;
mod candidate;
pub mod constants;
mod context;
mod diversify;
mod error;
mod exact;
mod exact_types;
mod narrow;
mod outcome;
mod path_pattern;
mod query;
mod recall;
mod report;
mod rerank;
mod score;
mod search;
mod symbols;
mod syntax;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod test_world;
mod understand;

use std::sync::Arc;

use moka::sync::Cache;

use crate::{
    config::RetrievalSettings,
    domain::{ChunkId, ReadScope},
    ports::{Embedder, LexicalIndex, Reranker, VectorIndex},
    store::Database,
};
use candidate::ChunkFacts;
use context::SnapshotCache;

pub use error::RetrievalError;
pub use exact_types::{
    ExactFile, ExactOutcome, ExactQuery, LineMatch, StopReason, SymbolHit, SymbolQuery,
};
pub use outcome::{
    ChannelName, ChannelReport, ChannelStatus, ExplanationStep, FacetCount, Facets, Highlight,
    HitChannel, Intent, SearchHit, SearchOutcome, Snippet, Verdict, Warning,
};
pub use query::{Fusion, SearchQuery};

/// What retrieval is made of.
pub struct RetrievalParts {
    pub database: Database,
    pub lexical: Arc<dyn LexicalIndex>,
    pub vector: Arc<dyn VectorIndex>,
    /// Without one there is no dense channel, and every answer says so.
    pub embedder: Option<Arc<dyn Embedder>>,
    pub reranker: Option<Arc<dyn Reranker>>,
    pub settings: RetrievalSettings,
}

/// The search. Cheap to clone.
#[derive(Clone)]
pub struct Retrieval {
    parts: Arc<RetrievalParts>,
    chunks: Cache<ChunkId, Arc<ChunkFacts>>,
    snapshots: SnapshotCache,
}

impl Retrieval {
    #[must_use]
    pub fn new(parts: RetrievalParts) -> Self {
        let chunks = Cache::builder()
            .weigher(|_, facts: &Arc<ChunkFacts>| facts.weight())
            .max_capacity(parts.settings.cache_bytes)
            .build();
        Self {
            parts: Arc::new(parts),
            chunks,
            snapshots: SnapshotCache::new(),
        }
    }

    /// Finds the lines that a literal or regular expression matches.
    ///
    /// # Errors
    /// [`RetrievalError`] for a pattern that cannot be searched, or when the database fails.
    pub async fn search_exact(
        &self,
        scope: &ReadScope,
        query: &ExactQuery,
    ) -> Result<ExactOutcome, RetrievalError> {
        exact::search_exact(&self.parts.database, scope, query).await
    }

    /// Finds definitions by name.
    ///
    /// # Errors
    /// [`RetrievalError`] for an empty name, or when the database fails.
    pub async fn find_symbols(
        &self,
        scope: &ReadScope,
        query: &SymbolQuery,
    ) -> Result<Vec<SymbolHit>, RetrievalError> {
        symbols::find_symbols(&self.parts.database, scope, query).await
    }
}
