//! Database migrations of Quarry, the same for PostgreSQL and SQLite.
//!
//! Identifiers are written here a second time on purpose: a migration describes the past and must
//! not change when the entities do.

use sea_orm_migration::prelude::*;

mod columns;
mod m20261130_000001_create_tenancy;
mod m20261130_000002_create_repositories;
mod m20261130_000003_create_content;
mod m20261130_000004_create_index_runs;
mod m20261130_000005_create_exact_lane;
mod m20261201_000006_describe_sqlite_tables;
mod m20261201_000007_create_people;
mod m20261201_000008_create_sign_in;
mod m20261201_000009_create_quotas;
mod m20261201_000010_create_audit;
mod m20261201_000011_create_tokens;
mod m20261201_000012_create_webhooks;

pub use sea_orm_migration::MigratorTrait;

/// All migrations in order.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20261130_000001_create_tenancy::Migration),
            Box::new(m20261130_000002_create_repositories::Migration),
            Box::new(m20261130_000003_create_content::Migration),
            Box::new(m20261130_000004_create_index_runs::Migration),
            Box::new(m20261130_000005_create_exact_lane::Migration),
            Box::new(m20261201_000006_describe_sqlite_tables::Migration),
            Box::new(m20261201_000007_create_people::Migration),
            Box::new(m20261201_000008_create_sign_in::Migration),
            Box::new(m20261201_000009_create_quotas::Migration),
            Box::new(m20261201_000010_create_audit::Migration),
            Box::new(m20261201_000011_create_tokens::Migration),
            Box::new(m20261201_000012_create_webhooks::Migration),
        ]
    }
}
