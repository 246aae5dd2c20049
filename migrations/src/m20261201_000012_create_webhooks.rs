//! What Git hosts sign their events with, and which events came in.
//!
//! A delivery keeps what its event was about (`hint`, bounded JSON), never its payload, so that it
//! can be acted upon again. `delivery_key` is the host's own id of a delivery. `index_run_id` is no
//! foreign key: a delivery may outlive its run.

use sea_orm_migration::prelude::*;

use crate::columns::{
    bytes, drop_tables, index, references, table, text, text_null, time, uuid, uuid_key, uuid_null,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut secrets = table(
            "webhook_secrets",
            [
                uuid("repository_id"),
                uuid("organization_id"),
                bytes("secret"),
                time("set_at"),
            ],
        );
        secrets.primary_key(Index::create().col("repository_id"));
        references(&mut secrets, "repository_id", "repositories");
        manager.create_table(secrets).await?;

        let mut deliveries = table(
            "webhook_deliveries",
            [
                uuid_key(),
                uuid("organization_id"),
                uuid("repository_id"),
                text("provider"),
                text("event"),
                text_null("delivery_key"),
                text("outcome"),
                text_null("reason"),
                text("hint"),
                uuid_null("index_run_id"),
                time("received_at"),
            ],
        );
        references(&mut deliveries, "repository_id", "repositories");
        manager.create_table(deliveries).await?;
        for (name, columns) in [
            (
                "webhook_deliveries_key",
                ["repository_id", "delivery_key", "id"].as_slice(),
            ),
            ("webhook_deliveries_order", &["repository_id", "id"]),
        ] {
            index(manager, "webhook_deliveries", name, columns, false).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["webhook_deliveries", "webhook_secrets"]).await
    }
}
