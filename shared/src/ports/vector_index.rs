//! Nearest chunks by vector.

use async_trait::async_trait;

use super::{DocumentKey, EmbeddingModel, PortError};
use crate::domain::{BranchId, ChunkId, IndexFilter, SnapshotId};

/// A chunk's vector with its scope.
#[derive(Debug, Clone)]
pub struct VectorPoint {
    pub key: DocumentKey,
    /// Unit length, `EmbeddingModel::dimension` components.
    pub vector: Vec<f32>,
}

/// A recalled chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VectorHit {
    pub id: ChunkId,
    /// Cosine similarity, within 0.01 of the exact one.
    pub score: f32,
}

/// A vector engine. Every method is idempotent and safe to repeat after a failure.
#[async_trait]
pub trait VectorIndex: Send + Sync {
    /// Name for status pages: `embedded`, `qdrant`.
    fn name(&self) -> &'static str;

    /// Prepares the engine for a model. Called before any other method with that model.
    async fn ensure_model(&self, model: &EmbeddingModel) -> Result<(), PortError>;

    /// Inserts or replaces points. Durable (or rebuildable from SQL) and searchable on return.
    async fn upsert(
        &self,
        model: &EmbeddingModel,
        points: Vec<VectorPoint>,
    ) -> Result<(), PortError>;

    /// Sets when points died; [`SnapshotId::NEVER`] revives them. Unknown ids are ignored.
    async fn set_died(
        &self,
        model: &EmbeddingModel,
        ids: &[ChunkId],
        died: SnapshotId,
    ) -> Result<(), PortError>;

    /// Removes points. Unknown ids are ignored.
    async fn delete(&self, model: &EmbeddingModel, ids: &[ChunkId]) -> Result<(), PortError>;

    /// Removes every point of a branch.
    async fn delete_branch(
        &self,
        model: &EmbeddingModel,
        branch: BranchId,
    ) -> Result<(), PortError>;

    /// Exact number of points that pass the filter.
    async fn count(&self, model: &EmbeddingModel, filter: &IndexFilter) -> Result<u64, PortError>;

    /// The `limit` nearest points that pass the filter, best first, ties in id order. The filter is
    /// applied inside the engine: a point outside it never displaces one inside.
    async fn search(
        &self,
        model: &EmbeddingModel,
        vector: &[f32],
        limit: usize,
        filter: &IndexFilter,
    ) -> Result<Vec<VectorHit>, PortError>;

    /// Whether the engine answers.
    async fn health(&self) -> Result<(), PortError>;
}
