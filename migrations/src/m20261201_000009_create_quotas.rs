//! What organizations may hold, where it differs from the settings.

use sea_orm_migration::prelude::*;

use crate::columns::{drop_tables, integer_null, references, table, time, uuid};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut quotas = table(
            "organization_quotas",
            [
                uuid("organization_id").primary_key().to_owned(),
                // Empty means what the settings say.
                integer_null("repositories"),
                integer_null("stored_bytes"),
                integer_null("chunks"),
                integer_null("questions_per_day"),
                time("updated_at"),
            ],
        );
        references(&mut quotas, "organization_id", "organizations");
        manager.create_table(quotas).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["organization_quotas"]).await
    }
}
