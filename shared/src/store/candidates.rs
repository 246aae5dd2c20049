//! What a search reads about the chunks that were recalled: few statements, each for all of them.

use sea_orm::{
    ConnectionTrait, FromQueryResult,
    sea_query::{Condition, Expr, ExprTrait, JoinType, Order, Query, SelectStatement},
};
use uuid::Uuid;

use super::{StoreError, visible};
use crate::domain::{BlobId, BranchId, ChunkId, IndexFilter, OrganizationId, SnapshotId, View};

/// A chunk with everything that scoring needs. Nothing in it changes while the chunk lives.
#[derive(Debug, Clone, FromQueryResult)]
pub struct CandidateRow {
    pub id: Uuid,
    pub project_id: Uuid,
    pub repository_id: Uuid,
    pub branch_id: Uuid,
    pub file_id: i64,
    pub blob_id: i64,
    pub public_id: Uuid,
    pub path: String,
    pub language: Option<String>,
    pub kind: String,
    pub class: String,
    pub symbol: Option<String>,
    pub symbol_kind: Option<String>,
    pub defines: String,
    pub start_line: i64,
    pub end_line: i64,
    pub start_byte: i64,
    pub end_byte: i64,
    pub terms: Vec<u8>,
    pub vector: Option<Vec<u8>>,
}

/// Chunks by id inside a filter; ids that it does not show are left out.
pub async fn load(
    db: &impl ConnectionTrait,
    filter: &IndexFilter,
    ids: &[ChunkId],
) -> Result<Vec<CandidateRow>, StoreError> {
    let mut rows = Vec::with_capacity(ids.len());
    for part in ids.chunks(MOST_PARAMETERS) {
        rows.extend(all::<CandidateRow>(db, &load_statement(filter, part)).await?);
    }
    Ok(rows)
}

fn load_statement(filter: &IndexFilter, ids: &[ChunkId]) -> SelectStatement {
    let mut statement = Query::select();
    for column in [
        "id",
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
        "terms",
    ] {
        statement.column(("c", column));
    }
    statement
        .column(("e", "vector"))
        .from_as("chunks", "c")
        .join_as(
            JoinType::LeftJoin,
            "embeddings",
            "e",
            Condition::all()
                .add(Expr::col(("e", "id")).equals(("c", "embedding_id")))
                .add(Expr::col(("e", "organization_id")).equals(("c", "organization_id"))),
        )
        .cond_where(
            Condition::all()
                .add(Expr::col(("c", "id")).is_in(ids.iter().map(|id| id.0)))
                .add(Expr::col(("c", "organization_id")).eq(filter.organization_id().0))
                .add(Expr::col(("c", "project_id")).is_in(filter.projects().iter().map(|id| id.0))),
        );
    statement
}

/// Below SQLite's limit on bound values.
const MOST_PARAMETERS: usize = 5_000;

/// Sums over the visible chunks of a published snapshot.
#[derive(Debug, Clone, FromQueryResult)]
pub struct SnapshotStatistics {
    pub id: i64,
    pub chunks: i64,
    pub points: Option<i64>,
    pub field_lengths: Option<String>,
    pub vector_sum: Option<Vec<u8>>,
}

/// Statistics of snapshots that a view has already resolved inside the scope.
pub async fn statistics(
    db: &impl ConnectionTrait,
    organization: OrganizationId,
    snapshots: &[SnapshotId],
) -> Result<Vec<SnapshotStatistics>, StoreError> {
    let mut statement = Query::select();
    statement
        .columns(["id", "chunks", "points", "field_lengths", "vector_sum"])
        .from("snapshots")
        .cond_where(
            Condition::all()
                .add(Expr::col("organization_id").eq(organization.0))
                .add(Expr::col("id").is_in(snapshots.iter().map(|id| id.0))),
        );
    all(db, &statement).await
}

/// A definition that bears a name that was asked for.
#[derive(Debug, Clone, FromQueryResult)]
pub struct DefiningChunk {
    pub chunk_id: Uuid,
    pub name: String,
}

/// Chunks that define one of the names, letter case aside.
pub async fn defining(
    db: &impl ConnectionTrait,
    filter: &IndexFilter,
    name_keys: &[String],
    limit: u64,
) -> Result<Vec<DefiningChunk>, StoreError> {
    let wanted = Condition::all()
        .add(visible::condition("s", filter))
        .add(Expr::col(("s", "name_key")).is_in(name_keys.iter().map(String::as_str)))
        .add(Expr::col(("s", "chunk_id")).is_not_null());
    all(db, &symbols(wanted, limit)).await
}

/// Chunks that define a name beginning with `prefix` (in lower case).
pub async fn defining_prefix(
    db: &impl ConnectionTrait,
    filter: &IndexFilter,
    prefix: &str,
    limit: u64,
) -> Result<Vec<DefiningChunk>, StoreError> {
    let wanted = Condition::all()
        .add(visible::condition("s", filter))
        .add(Expr::col(("s", "name_key")).gte(prefix))
        .add(Expr::col(("s", "name_key")).lt(format!("{prefix}\u{10FFFF}")))
        .add(Expr::col(("s", "chunk_id")).is_not_null());
    all(db, &symbols(wanted, limit)).await
}

fn symbols(wanted: Condition, limit: u64) -> SelectStatement {
    Query::select()
        .column(("s", "chunk_id"))
        .column(("s", "name"))
        .from_as("symbols", "s")
        .cond_where(wanted)
        .order_by(("s", "id"), Order::Asc)
        .limit(limit)
        .to_owned()
}

/// An indexed file of a branch.
#[derive(Debug, Clone, FromQueryResult)]
pub struct IndexedFile {
    pub id: i64,
    pub path: String,
    pub class: String,
}

/// The indexed files that a view shows of one branch.
pub async fn indexed_files(
    db: &impl ConnectionTrait,
    organization: OrganizationId,
    branch: BranchId,
    view: &View,
) -> Result<Vec<IndexedFile>, StoreError> {
    let mut statement = Query::select();
    statement
        .column(("f", "id"))
        .column(("f", "path"))
        .column(("f", "class"))
        .from_as("files", "f")
        .cond_where(
            Condition::all()
                .add(Expr::col(("f", "organization_id")).eq(organization.0))
                .add(Expr::col(("f", "branch_id")).eq(branch.0))
                .add(Expr::col(("f", "status")).eq("indexed"))
                .add(visible::view_condition("f", view)),
        );
    all(db, &statement).await
}

#[derive(Debug, FromQueryResult)]
struct IdRow {
    id: Uuid,
}

/// The chunks of some files, in file and line order.
pub async fn chunks_of_files(
    db: &impl ConnectionTrait,
    filter: &IndexFilter,
    files: &[i64],
    limit: u64,
) -> Result<Vec<ChunkId>, StoreError> {
    let statement = chunks_of_files_statement(filter, files, limit);
    let rows: Vec<IdRow> = all(db, &statement).await?;
    Ok(rows.into_iter().map(|row| ChunkId(row.id)).collect())
}

fn chunks_of_files_statement(filter: &IndexFilter, files: &[i64], limit: u64) -> SelectStatement {
    Query::select()
        .column(("c", "id"))
        .from_as("chunks", "c")
        .cond_where(
            Condition::all()
                .add(visible::condition("c", filter))
                .add(Expr::col(("c", "file_id")).is_in(files.iter().copied())),
        )
        .order_by(("c", "file_id"), Order::Asc)
        .order_by(("c", "start_line"), Order::Asc)
        .limit(limit)
        .to_owned()
}

#[derive(Debug, FromQueryResult)]
struct TextRow {
    id: i64,
    text: String,
}

/// Texts of blobs of one organization.
pub async fn texts(
    db: &impl ConnectionTrait,
    organization: OrganizationId,
    blobs: &[BlobId],
) -> Result<Vec<(BlobId, String)>, StoreError> {
    let rows: Vec<TextRow> = all(db, &texts_statement(organization, blobs)).await?;
    Ok(rows
        .into_iter()
        .map(|row| (BlobId(row.id), row.text))
        .collect())
}

fn texts_statement(organization: OrganizationId, blobs: &[BlobId]) -> SelectStatement {
    Query::select()
        .columns(["id", "text"])
        .from("blobs")
        .cond_where(
            Condition::all()
                .add(Expr::col("organization_id").eq(organization.0))
                .add(Expr::col("id").is_in(blobs.iter().map(|id| id.0))),
        )
        .to_owned()
}

async fn all<T: FromQueryResult>(
    db: &impl ConnectionTrait,
    statement: &SelectStatement,
) -> Result<Vec<T>, StoreError> {
    let rows = db.query_all(statement).await?;
    Ok(rows
        .iter()
        .map(|row| T::from_query_result(row, ""))
        .collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use quarry_migrations::{Migrator, MigratorTrait};
    use sea_orm::{Statement, sea_query::SqliteQueryBuilder};

    use super::*;
    use crate::{
        domain::{ProjectId, ReadScope},
        store::{Database, DatabaseSettings},
    };

    /// A plan that starts from the organization reads all of it for every search.
    #[tokio::test]
    async fn sqlite_finds_rows_by_what_is_asked_for_and_not_by_organization() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("quarry.sqlite");
        let database = Database::open(&DatabaseSettings::Sqlite { path })
            .await
            .unwrap();
        Migrator::up(database.writer(), None).await.unwrap();

        let organization = OrganizationId::generate();
        let scope = ReadScope::of_job(organization, ProjectId::generate());
        let view = View {
            horizon: SnapshotId(9),
            unpublished: Vec::new(),
        };
        let filter = IndexFilter::new(&scope, vec![BranchId::generate()], view);
        let chunks: Vec<ChunkId> = (0..300).map(|_| ChunkId(Uuid::new_v4())).collect();
        let files: Vec<i64> = (0..20).collect();
        let blobs: Vec<BlobId> = (0..10).map(BlobId).collect();
        let named = Condition::all()
            .add(visible::condition("s", &filter))
            .add(Expr::col(("s", "name_key")).is_in(["insert", "cache"]));
        for (statement, index) in [
            (
                load_statement(&filter, &chunks),
                "sqlite_autoindex_chunks_1",
            ),
            (
                chunks_of_files_statement(&filter, &files, 200),
                "chunks_file",
            ),
            (texts_statement(organization, &blobs), "INTEGER PRIMARY KEY"),
            (symbols(named, 100), "symbols_name"),
        ] {
            for connection in [database.reader(), database.writer()] {
                let plan = plan(connection, &statement).await;
                assert!(plan.contains(index), "{plan}");
            }
        }
    }

    async fn plan(db: &impl ConnectionTrait, statement: &SelectStatement) -> String {
        let sql = statement.to_string(SqliteQueryBuilder);
        let explain = format!("EXPLAIN QUERY PLAN {sql}");
        let rows = db
            .query_all_raw(Statement::from_string(db.get_database_backend(), explain))
            .await
            .unwrap();
        let steps: Vec<String> = rows
            .iter()
            .map(|row| row.try_get("", "detail").unwrap())
            .collect();
        steps.join("; ")
    }
}
