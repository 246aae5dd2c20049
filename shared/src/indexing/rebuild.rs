//! Engines from SQL: at start, after damage, and when a count disagrees.

use std::collections::HashMap;

use uuid::Uuid;

use super::{Indexing, IndexingError, content, content::ChunkContent, stage::snapshot_filter};
use crate::{
    domain::{
        BranchId, ChunkId, ChunkKind, FileClass, OrganizationId, ProjectId, RepositoryId,
        SnapshotId,
    },
    languages,
    ports::{DocumentKey, LexicalDocument, VectorPoint},
    store::{
        StoreError, blobs,
        branches::{self, BranchScope},
        chunks::{self, StoredVector},
        embeddings,
        entities::{chunk, file},
        files,
    },
};

/// Vectors per page: about ten megabytes.
const VECTORS: u64 = 5_000;
/// Files that are taken apart at once.
const FILES: u64 = 200;

impl Indexing {
    /// Fills the vector engine from SQL, for an engine that forgets at exit. Returns the number of
    /// points.
    ///
    /// # Errors
    /// [`IndexingError`] of the database or the engine.
    pub async fn load_embedded_vectors(&self) -> Result<u64, IndexingError> {
        self.load_vectors(None).await
    }

    async fn load_vectors(&self, branch: Option<BranchId>) -> Result<u64, IndexingError> {
        let Some(embedder) = &self.parts().embedder else {
            return Ok(0);
        };
        let model = embedder.model();
        self.parts().vector.ensure_model(model).await?;
        let reader = self.database().reader();
        let (mut after, mut total) = (None, 0);
        loop {
            let page = chunks::page_of_vectors(reader, &model.key, branch, after, VECTORS).await?;
            let Some(last) = page.last() else {
                return Ok(total);
            };
            after = Some(ChunkId(last.id));
            total += page.len() as u64;
            let points = page.into_iter().map(point).collect::<Result<_, _>>()?;
            self.parts().vector.upsert(model, points).await?;
        }
    }

    /// Fills the lexical engine from SQL. Returns the number of documents.
    ///
    /// # Errors
    /// [`IndexingError`] of the database or the engine.
    pub async fn rebuild_lexical(&self) -> Result<u64, IndexingError> {
        let mut total = 0;
        for branch in branches::list_all(self.database().reader()).await? {
            total += self.load_documents(&branch).await?;
        }
        Ok(total)
    }

    async fn load_documents(
        &self,
        branch: &crate::store::entities::branch::Model,
    ) -> Result<u64, IndexingError> {
        let reader = self.database().reader();
        let scope = BranchScope::from(branch);
        let (mut after, mut total) = (0, 0);
        loop {
            let files = files::page_of_branch(reader, scope.branch_id, after, FILES).await?;
            let Some(last) = files.last() else {
                return Ok(total);
            };
            after = last.id;
            let ids: Vec<i64> = files.iter().map(|file| file.id).collect();
            let blobs: Vec<i64> = files.iter().filter_map(|file| file.blob_id).collect();
            let rows = chunks::list_of_files(reader, &ids).await?;
            let texts = blobs::load_texts(reader, scope.organization_id, &blobs).await?;
            let documents =
                tokio::task::spawn_blocking(move || documents(&files, rows, &texts, scope));
            let documents = documents.await??;
            total += documents.len() as u64;
            self.upsert_documents(documents, Vec::new()).await?;
        }
    }

    /// Compares every published branch with both engines and repairs what differs. Returns the
    /// number of branches that needed it.
    ///
    /// # Errors
    /// [`IndexingError`] of the database or an engine.
    pub async fn reconcile(&self) -> Result<u64, IndexingError> {
        let reader = self.database().reader();
        let mut repaired = 0;
        for branch in branches::list_published(reader).await? {
            let id = BranchId(branch.id);
            let Some(published) = branch.published_snapshot_id.map(SnapshotId) else {
                continue;
            };
            let snapshot = crate::store::snapshots::get(reader, published).await?;
            if snapshot.format != self.format() {
                // Its vectors are of another model; a rebuild is on its way.
                continue;
            }
            let rows = chunks::count(reader, id, published).await?;
            let embedded = self.parts().embedder.as_ref().map(|_| rows.embedded);
            let filter = snapshot_filter(
                OrganizationId(branch.organization_id),
                ProjectId(branch.project_id),
                id,
                published,
            );
            if self.count_documents(&filter).await? == (rows.chunks, embedded) {
                continue;
            }
            repaired += 1;
            self.repair_branch(id).await?;
            if self.count_documents(&filter).await? != (rows.chunks, embedded) {
                // Documents that SQL does not know cannot be named one by one.
                self.delete_branch_documents(id).await?;
                self.repair_branch(id).await?;
            }
        }
        Ok(repaired)
    }

    /// Writes every document of a branch again, as SQL has it.
    pub(super) async fn repair_branch(&self, branch: BranchId) -> Result<(), IndexingError> {
        self.load_vectors(Some(branch)).await?;
        let branch = branches::get(self.database().reader(), branch).await?;
        self.load_documents(&branch).await?;
        Ok(())
    }
}

fn point(row: StoredVector) -> Result<VectorPoint, IndexingError> {
    let vector = embeddings::decode(&row.vector)?;
    let key = DocumentKey {
        id: ChunkId(row.id),
        organization_id: OrganizationId(row.organization_id),
        project_id: ProjectId(row.project_id),
        repository_id: RepositoryId(row.repository_id),
        branch_id: BranchId(row.branch_id),
        born: SnapshotId(row.born),
        died: SnapshotId(row.died),
        language: row.language,
        kind: ChunkKind::parse(&row.kind).ok_or(StoreError::Corrupt("chunk kind"))?,
        class: FileClass::parse(&row.class).ok_or(StoreError::Corrupt("file class"))?,
    };
    Ok(VectorPoint { key, vector })
}

/// The documents of stored chunks. Their words are cut from the stored text once more; only chunks
/// that SQL has become documents.
fn documents(
    files: &[file::Model],
    rows: Vec<chunk::Model>,
    texts: &HashMap<i64, String>,
    scope: BranchScope,
) -> Result<Vec<LexicalDocument>, StoreError> {
    let mut rows: HashMap<Uuid, chunk::Model> = rows.into_iter().map(|row| (row.id, row)).collect();
    let mut documents = Vec::with_capacity(rows.len());
    for file in files {
        let text = file.blob_id.and_then(|id| texts.get(&id));
        let Some(text) = text else {
            return Err(StoreError::NotFound("blob"));
        };
        let content = content::process(file, &scope, text, languages::parse);
        for chunk in content.chunks {
            if let Some(row) = rows.remove(&chunk.row.id.0) {
                let key = chunk.key(&scope, SnapshotId(row.born), SnapshotId(row.died));
                documents.push(chunk.document(key));
            }
        }
    }
    // A file that once ran into the time limit is cut differently today.
    for row in rows.into_values() {
        let text = texts.get(&row.blob_id).map(String::as_str);
        let text = text.ok_or(StoreError::NotFound("blob"))?;
        let chunk = ChunkContent::from_row(&row, text)?;
        let key = chunk.key(&scope, SnapshotId(row.born), SnapshotId(row.died));
        documents.push(chunk.document(key));
    }
    Ok(documents)
}
