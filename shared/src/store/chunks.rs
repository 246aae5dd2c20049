//! Chunks: rows that the engines' documents are derived from.

use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, Value};

use super::{
    StoreError,
    branches::BranchScope,
    entities::chunk::{self, Model},
    sql::{IDS_PER_STATEMENT, insert_rows, parameters, statement},
};
use crate::domain::{BranchId, ChunkId, ChunkKind, FileClass, LineSpan, SnapshotId, SymbolKind};

/// A chunk that is to be written.
#[derive(Debug, Clone)]
pub struct NewChunk {
    pub id: ChunkId,
    pub file_id: i64,
    pub blob_id: i64,
    pub public_id: sea_orm::prelude::Uuid,
    pub path: String,
    pub language: Option<String>,
    pub kind: ChunkKind,
    pub class: FileClass,
    pub symbol: Option<String>,
    pub symbol_kind: Option<SymbolKind>,
    pub defines: Vec<String>,
    pub span: LineSpan,
    pub start_byte: i64,
    pub end_byte: i64,
    pub embedding_id: Option<i64>,
    pub terms: Vec<u8>,
}

const COLUMNS: &[&str] = &[
    "id",
    "organization_id",
    "project_id",
    "repository_id",
    "branch_id",
    "file_id",
    "blob_id",
    "public_id",
    "path",
    "language",
    "kind",
    "class",
    "symbol",
    "symbol_kind",
    "defines",
    "start_line",
    "end_line",
    "start_byte",
    "end_byte",
    "embedding_id",
    "terms",
    "born",
    "died",
];

/// Writes chunks that are born with the snapshot.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn insert(
    transaction: &impl ConnectionTrait,
    scope: &BranchScope,
    born: SnapshotId,
    chunks: Vec<NewChunk>,
) -> Result<(), StoreError> {
    let mut values: Vec<Value> = Vec::with_capacity(chunks.len() * COLUMNS.len());
    for chunk in chunks {
        values.push(chunk.id.0.into());
        values.extend(scope.values());
        values.extend([
            chunk.file_id.into(),
            chunk.blob_id.into(),
            chunk.public_id.into(),
            chunk.path.into(),
            chunk.language.into(),
            chunk.kind.as_str().into(),
            chunk.class.as_str().into(),
            chunk.symbol.into(),
            chunk.symbol_kind.map(|kind| kind.as_str()).into(),
            chunk.defines.join("\n").into(),
            i64::from(chunk.span.start).into(),
            i64::from(chunk.span.end).into(),
            chunk.start_byte.into(),
            chunk.end_byte.into(),
            chunk.embedding_id.into(),
            chunk.terms.into(),
            born.0.into(),
            SnapshotId::NEVER.0.into(),
        ]);
    }
    insert_rows(transaction, "chunks", COLUMNS, "", values).await
}

/// Counts of the chunks that a snapshot of a branch shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChunkCounts {
    pub chunks: i64,
    /// Those with a vector.
    pub embedded: i64,
}

/// Counts the chunks that a snapshot of a branch shows.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn count(
    database: &impl ConnectionTrait,
    branch: BranchId,
    snapshot: SnapshotId,
) -> Result<ChunkCounts, StoreError> {
    let statement = statement(
        database,
        "SELECT COUNT(*) AS chunks, COUNT(embedding_id) AS embedded FROM chunks \
         WHERE branch_id = $1 AND died > $2 AND born <= $2",
        [branch.0.into(), snapshot.0.into()],
    );
    let Some(row) = database.query_one_raw(statement).await? else {
        return Ok(ChunkCounts::default());
    };
    Ok(ChunkCounts {
        chunks: row.try_get("", "chunks")?,
        embedded: row.try_get("", "embedded")?,
    })
}

/// Which end of a chunk's life is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    Born,
    Died,
}

impl Boundary {
    const fn column(self) -> &'static str {
        match self {
            Self::Born => "born",
            Self::Died => "died",
        }
    }
}

/// A page of the chunks of a branch that were born or died with the snapshot, in id order.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn page_at(
    database: &impl ConnectionTrait,
    branch: BranchId,
    boundary: Boundary,
    snapshot: SnapshotId,
    after: Option<ChunkId>,
    limit: u64,
) -> Result<Vec<ChunkStatistics>, StoreError> {
    let text = format!(
        "SELECT id, terms, embedding_id FROM chunks WHERE branch_id = $1 AND {} = $2 AND id > $3 \
         ORDER BY id LIMIT $4",
        boundary.column()
    );
    let after = after.map_or_else(sea_orm::prelude::Uuid::nil, |id| id.0);
    let values = [
        branch.0.into(),
        snapshot.0.into(),
        after.into(),
        i64::try_from(limit).unwrap_or(i64::MAX).into(),
    ];
    let statement = statement(database, &text, values);
    Ok(ChunkStatistics::find_by_statement(statement)
        .all(database)
        .await?)
}

/// What statistics need of a chunk.
#[derive(Debug, Clone, FromQueryResult)]
pub struct ChunkStatistics {
    pub id: sea_orm::prelude::Uuid,
    pub terms: Vec<u8>,
    pub embedding_id: Option<i64>,
}

/// Ids of the chunks of a branch that were born or died with the snapshot.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn ids_at(
    database: &impl ConnectionTrait,
    branch: BranchId,
    boundary: Boundary,
    snapshot: SnapshotId,
) -> Result<Vec<ChunkId>, StoreError> {
    let text = format!(
        "SELECT id FROM chunks WHERE branch_id = $1 AND {} = $2",
        boundary.column()
    );
    let statement = statement(database, &text, [branch.0.into(), snapshot.0.into()]);
    database
        .query_all_raw(statement)
        .await?
        .iter()
        .map(|row| Ok(ChunkId(row.try_get("", "id")?)))
        .collect()
}

/// A chunk's id and its embedding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromQueryResult)]
pub struct ChunkKey {
    pub id: sea_orm::prelude::Uuid,
    pub embedding_id: Option<i64>,
}

/// Ids and embeddings of the chunks of files.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn keys_of_files(
    database: &impl ConnectionTrait,
    files: &[i64],
) -> Result<Vec<ChunkKey>, StoreError> {
    let mut keys = Vec::new();
    for group in files.chunks(IDS_PER_STATEMENT) {
        let text = format!(
            "SELECT id, embedding_id FROM chunks WHERE file_id IN ({})",
            parameters(1, group.len())
        );
        let values = group.iter().map(|id| Value::from(*id));
        let statement = statement(database, &text, values);
        keys.extend(ChunkKey::find_by_statement(statement).all(database).await?);
    }
    Ok(keys)
}

/// The chunks of files, whole.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_of_files(
    database: &impl ConnectionTrait,
    files: &[i64],
) -> Result<Vec<Model>, StoreError> {
    let mut chunks = Vec::new();
    for group in files.chunks(IDS_PER_STATEMENT) {
        chunks.extend(
            chunk::Entity::find()
                .filter(chunk::Column::FileId.is_in(group.iter().copied()))
                .all(database)
                .await?,
        );
    }
    Ok(chunks)
}

/// A chunk's vector with what its engine document carries.
#[derive(Debug, Clone, FromQueryResult)]
pub struct StoredVector {
    pub id: sea_orm::prelude::Uuid,
    pub organization_id: sea_orm::prelude::Uuid,
    pub project_id: sea_orm::prelude::Uuid,
    pub repository_id: sea_orm::prelude::Uuid,
    pub branch_id: sea_orm::prelude::Uuid,
    pub language: Option<String>,
    pub kind: String,
    pub class: String,
    pub born: i64,
    pub died: i64,
    pub vector: Vec<u8>,
}

/// A page of all chunks that have a vector of the model, dead ones included, in id order; of one
/// branch when one is given.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn page_of_vectors(
    database: &impl ConnectionTrait,
    model: &str,
    branch: Option<BranchId>,
    after: Option<ChunkId>,
    limit: u64,
) -> Result<Vec<StoredVector>, StoreError> {
    let mut values: Vec<Value> = vec![
        model.into(),
        after
            .map_or_else(sea_orm::prelude::Uuid::nil, |id| id.0)
            .into(),
        i64::try_from(limit).unwrap_or(i64::MAX).into(),
    ];
    let mut condition = "";
    if let Some(branch) = branch {
        condition = "AND chunks.branch_id = $4 ";
        values.push(branch.0.into());
    }
    let text = format!(
        "SELECT chunks.id, chunks.organization_id, chunks.project_id, chunks.repository_id, \
         chunks.branch_id, chunks.language, chunks.kind, chunks.class, chunks.born, chunks.died, \
         embeddings.vector FROM chunks JOIN embeddings ON embeddings.id = chunks.embedding_id \
         WHERE embeddings.model = $1 AND chunks.id > $2 {condition}ORDER BY chunks.id LIMIT $3"
    );
    let statement = statement(database, &text, values);
    Ok(StoredVector::find_by_statement(statement)
        .all(database)
        .await?)
}
