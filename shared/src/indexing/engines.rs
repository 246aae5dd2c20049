//! Both engines at once.

use super::{Indexing, IndexingError};
use crate::{
    domain::{BranchId, ChunkId, IndexFilter, SnapshotId},
    ports::{EmbeddingModel, LexicalDocument, VectorPoint},
};

/// Ids per call: a request of a remote engine stays small.
const IDS_PER_CALL: usize = 5_000;

impl Indexing {
    fn model(&self) -> Option<&EmbeddingModel> {
        self.parts()
            .embedder
            .as_ref()
            .map(|embedder| embedder.model())
    }

    pub(super) async fn upsert_documents(
        &self,
        documents: Vec<LexicalDocument>,
        points: Vec<VectorPoint>,
    ) -> Result<(), IndexingError> {
        let parts = self.parts();
        let lexical = async {
            if documents.is_empty() {
                return Ok(());
            }
            parts.lexical.upsert(documents).await
        };
        let vector = async {
            match self.model() {
                Some(model) if !points.is_empty() => parts.vector.upsert(model, points).await,
                _ => Ok(()),
            }
        };
        tokio::try_join!(lexical, vector)?;
        Ok(())
    }

    pub(super) async fn set_documents_died(
        &self,
        ids: &[ChunkId],
        died: SnapshotId,
    ) -> Result<(), IndexingError> {
        for group in ids.chunks(IDS_PER_CALL) {
            self.parts().lexical.set_died(group, died).await?;
            if let Some(model) = self.model() {
                self.parts().vector.set_died(model, group, died).await?;
            }
        }
        Ok(())
    }

    pub(super) async fn delete_documents(&self, ids: &[ChunkId]) -> Result<(), IndexingError> {
        for group in ids.chunks(IDS_PER_CALL) {
            self.parts().lexical.delete(group).await?;
            if let Some(model) = self.model() {
                self.parts().vector.delete(model, group).await?;
            }
        }
        Ok(())
    }

    pub(super) async fn delete_branch_documents(
        &self,
        branch: BranchId,
    ) -> Result<(), IndexingError> {
        self.parts().lexical.delete_branch(branch).await?;
        if let Some(model) = self.model() {
            self.parts().vector.delete_branch(model, branch).await?;
        }
        Ok(())
    }

    /// (documents, points) that pass the filter; no points without an embedder.
    pub(super) async fn count_documents(
        &self,
        filter: &IndexFilter,
    ) -> Result<(i64, Option<i64>), IndexingError> {
        let documents = self.parts().lexical.count(filter).await?;
        let points = match self.model() {
            Some(model) => Some(signed(self.parts().vector.count(model, filter).await?)),
            None => None,
        };
        Ok((signed(documents), points))
    }
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
