//! Trigram index over blob texts: FTS5 on SQLite, `pg_trgm` on PostgreSQL.

use sea_orm_migration::{prelude::*, sea_orm::DatabaseBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let statements: &[&str] = match manager.get_database_backend() {
            DatabaseBackend::Sqlite => &[
                // No text and no positions of its own: a query is the AND of its trigrams, and
                // every candidate is verified against the blob.
                "CREATE VIRTUAL TABLE blob_trigrams USING fts5(text, content='', \
                 contentless_delete=1, detail='none', tokenize='trigram')",
            ],
            _ => &[
                "CREATE EXTENSION IF NOT EXISTS pg_trgm",
                "CREATE INDEX blobs_trigrams ON blobs USING gin (text gin_trgm_ops)",
            ],
        };
        for statement in statements {
            manager
                .get_connection()
                .execute_unprepared(statement)
                .await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let statement = match manager.get_database_backend() {
            DatabaseBackend::Sqlite => "DROP TABLE blob_trigrams",
            _ => "DROP INDEX blobs_trigrams",
        };
        manager
            .get_connection()
            .execute_unprepared(statement)
            .await?;
        Ok(())
    }
}
