//! Chunks by words. The engine recalls and counts; Quarry's own BM25F scores (`retrieval`).

use async_trait::async_trait;

use super::{DocumentKey, PortError};
use crate::domain::{BranchId, ChunkId, IndexFilter, SnapshotId};

/// A word as Quarry's analyzer cut it (`analysis`), lower-cased.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Token {
    /// The word as written: at most 64 bytes, letters, digits, `_`.
    pub surface: String,
    /// Its light English stem; equals `surface` where stemming changes nothing.
    pub stem: String,
}

/// The tokens of one field in order, repeats included.
pub type AnalyzedField = Vec<Token>;

/// The analyzed fields of a chunk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LexicalFields {
    pub path: AnalyzedField,
    /// Names of the symbols that the chunk defines.
    pub symbols: AnalyzedField,
    pub signatures: AnalyzedField,
    pub comments: AnalyzedField,
    pub body: AnalyzedField,
}

/// A chunk for the lexical engine.
#[derive(Debug, Clone)]
pub struct LexicalDocument {
    pub key: DocumentKey,
    pub fields: LexicalFields,
}

/// One word of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryTerm {
    pub token: Token,
    /// Weight of the term besides its rarity, usually 1.
    pub weight: f32,
}

/// What to recall: chunks that contain any of the terms.
#[derive(Debug, Clone)]
pub struct LexicalQuery {
    pub terms: Vec<QueryTerm>,
    pub limit: usize,
}

/// A recalled chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LexicalHit {
    pub id: ChunkId,
    /// The engine's own score; only its order counts.
    pub score: f32,
}

/// In how many visible chunks a term occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TermFrequency {
    /// Chunks with the surface form in any field.
    pub surface: u64,
    /// Chunks with any word of the same stem in any field.
    pub stem: u64,
}

/// The answer to a [`LexicalQuery`].
#[derive(Debug, Clone, Default)]
pub struct LexicalRecall {
    /// Best first, ties in id order.
    pub hits: Vec<LexicalHit>,
    /// One per query term, in order, counted inside the filter: other tenants never count.
    pub frequencies: Vec<TermFrequency>,
}

/// A lexical engine. Every method is idempotent and safe to repeat after a failure.
#[async_trait]
pub trait LexicalIndex: Send + Sync {
    /// Name for status pages: `tantivy`, `meilisearch`.
    fn name(&self) -> &'static str;

    /// Inserts or replaces documents. Durable and searchable on return.
    async fn upsert(&self, documents: Vec<LexicalDocument>) -> Result<(), PortError>;

    /// Sets when documents died; [`SnapshotId::NEVER`] revives them. Unknown ids are ignored.
    async fn set_died(&self, ids: &[ChunkId], died: SnapshotId) -> Result<(), PortError>;

    /// Removes documents. Unknown ids are ignored.
    async fn delete(&self, ids: &[ChunkId]) -> Result<(), PortError>;

    /// Removes every document of a branch.
    async fn delete_branch(&self, branch: BranchId) -> Result<(), PortError>;

    /// Exact number of documents that pass the filter.
    async fn count(&self, filter: &IndexFilter) -> Result<u64, PortError>;

    /// Recalls the best documents that pass the filter, which is applied inside the engine.
    async fn recall(
        &self,
        query: &LexicalQuery,
        filter: &IndexFilter,
    ) -> Result<LexicalRecall, PortError>;

    /// Whether the engine answers.
    async fn health(&self) -> Result<(), PortError>;
}
