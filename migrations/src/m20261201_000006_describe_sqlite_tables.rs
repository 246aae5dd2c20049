//! Tells SQLite's planner how the content tables are going to look.
//!
//! Without statistics it takes an organization for ten rows and reads all of its chunks where a few
//! hundred are asked for by id. Measured statistics would come too late, since open connections do
//! not notice them, and would let plans change from one day to the next. PostgreSQL analyzes by
//! itself.

use sea_orm_migration::{prelude::*, sea_orm::DatabaseBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Table, index, and rows: in all, then for each value of the index's first column, of its first
/// two, and so on. Ten organizations of ten branches, a hundred thousand chunks each.
const SHAPES: &[(&str, &str, &str)] = &[
    ("blobs", "blobs_oid", "100000 10000 1"),
    ("embeddings", "embeddings_text", "1000000 100000 100000 1"),
    ("files", "files_path", "100000 1000 2 1"),
    ("files", "files_died", "100000 1000 500"),
    ("files", "files_born", "100000 1000 100 50"),
    ("files", "files_blob", "100000 2"),
    ("chunks", "sqlite_autoindex_chunks_1", "1000000 1"),
    ("chunks", "chunks_public", "1000000 100000 2"),
    ("chunks", "chunks_file", "1000000 10"),
    ("chunks", "chunks_died", "1000000 10000 5000"),
    ("chunks", "chunks_born", "1000000 10000 1000"),
    ("chunks", "chunks_embedding", "1000000 2"),
    ("symbols", "symbols_name", "1000000 100000 5"),
    ("symbols", "symbols_file", "1000000 10"),
    ("symbols", "symbols_died", "1000000 10000 5000"),
    ("symbols", "symbols_born", "1000000 10000 1000"),
    ("symbol_references", "symbol_references_file", "1000000 50"),
    (
        "symbol_references",
        "symbol_references_died",
        "1000000 10000 5000",
    ),
    ("imports", "imports_file", "1000000 10"),
    ("imports", "imports_died", "1000000 10000 5000"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() != DatabaseBackend::Sqlite {
            return Ok(());
        }
        let connection = manager.get_connection();
        // Makes the table of statistics.
        connection.execute_unprepared("ANALYZE").await?;
        for (table, index, rows) in SHAPES {
            connection
                .execute_unprepared(&format!(
                    "DELETE FROM sqlite_stat1 WHERE tbl = '{table}' AND idx = '{index}'"
                ))
                .await?;
            connection
                .execute_unprepared(&format!(
                    "INSERT INTO sqlite_stat1 (tbl, idx, stat) \
                     VALUES ('{table}', '{index}', '{rows}')"
                ))
                .await?;
        }
        // This connection reads them again; later ones find them when they open.
        connection
            .execute_unprepared("ANALYZE sqlite_schema")
            .await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() == DatabaseBackend::Sqlite {
            let connection = manager.get_connection();
            connection
                .execute_unprepared("DELETE FROM sqlite_stat1")
                .await?;
            connection
                .execute_unprepared("ANALYZE sqlite_schema")
                .await?;
        }
        Ok(())
    }
}
