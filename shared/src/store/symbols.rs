//! Definitions and imports, as batches write them. Searching them is in `symbol_search`.

use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, Value};

use super::{
    StoreError,
    branches::BranchScope,
    entities::symbol::{self, Model},
    sql::insert_rows,
};
use crate::domain::{ChunkId, FileClass, FileId, LineSpan, SnapshotId, SymbolKind};

/// A definition that is to be written.
#[derive(Debug, Clone)]
pub struct NewSymbol {
    pub file_id: i64,
    pub chunk_id: Option<ChunkId>,
    pub path: String,
    pub language: Option<String>,
    pub class: FileClass,
    pub name: String,
    pub qualified_name: String,
    pub kind: SymbolKind,
    pub signature: String,
    pub span: LineSpan,
}

/// An import that is to be written.
#[derive(Debug, Clone)]
pub struct NewImport {
    pub file_id: i64,
    pub source: String,
    pub line: u32,
}

const SYMBOL_COLUMNS: &[&str] = &[
    "organization_id",
    "project_id",
    "repository_id",
    "branch_id",
    "file_id",
    "chunk_id",
    "path",
    "language",
    "class",
    "name",
    "name_key",
    "qualified_name",
    "kind",
    "signature",
    "start_line",
    "end_line",
    "born",
    "died",
];

const IMPORT_COLUMNS: &[&str] = &[
    "organization_id",
    "project_id",
    "repository_id",
    "branch_id",
    "file_id",
    "source",
    "line",
    "born",
    "died",
];

/// Writes definitions that are born with the snapshot.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn insert(
    transaction: &impl ConnectionTrait,
    scope: &BranchScope,
    born: SnapshotId,
    symbols: Vec<NewSymbol>,
) -> Result<(), StoreError> {
    let mut values: Vec<Value> = Vec::with_capacity(symbols.len() * SYMBOL_COLUMNS.len());
    for symbol in symbols {
        values.extend(scope.values());
        values.extend([
            symbol.file_id.into(),
            symbol.chunk_id.map(|id| id.0).into(),
            symbol.path.into(),
            symbol.language.into(),
            symbol.class.as_str().into(),
            Value::from(symbol.name.as_str()),
            symbol.name.to_lowercase().into(),
            symbol.qualified_name.into(),
            symbol.kind.as_str().into(),
            symbol.signature.into(),
            i64::from(symbol.span.start).into(),
            i64::from(symbol.span.end).into(),
            born.0.into(),
            SnapshotId::NEVER.0.into(),
        ]);
    }
    insert_rows(transaction, "symbols", SYMBOL_COLUMNS, "", values).await
}

/// Writes imports that are born with the snapshot.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn insert_imports(
    transaction: &impl ConnectionTrait,
    scope: &BranchScope,
    born: SnapshotId,
    imports: Vec<NewImport>,
) -> Result<(), StoreError> {
    let mut values: Vec<Value> = Vec::with_capacity(imports.len() * IMPORT_COLUMNS.len());
    for import in imports {
        values.extend(scope.values());
        values.extend([
            import.file_id.into(),
            import.source.into(),
            i64::from(import.line).into(),
            born.0.into(),
            SnapshotId::NEVER.0.into(),
        ]);
    }
    insert_rows(transaction, "imports", IMPORT_COLUMNS, "", values).await
}

/// The outline of a file that the caller has found within its scope, in line order.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_of_file(
    database: &impl ConnectionTrait,
    file: FileId,
) -> Result<Vec<Model>, StoreError> {
    Ok(symbol::Entity::find()
        .filter(symbol::Column::FileId.eq(file.0))
        .order_by_asc(symbol::Column::StartLine)
        .order_by_asc(symbol::Column::Id)
        .all(database)
        .await?)
}
