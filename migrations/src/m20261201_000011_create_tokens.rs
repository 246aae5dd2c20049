//! API tokens, and accounts of services, which have no password and use nothing else.
//!
//! A token belongs to a membership: whoever leaves an organization loses its tokens with the row.
//! Lists are JSON texts; `projects` and `addresses` are absent when the token is not restricted.

use sea_orm_migration::prelude::*;

use crate::columns::{
    drop_tables, index, integer_null, references, table, text, text_null, time, time_null, uuid,
    uuid_key, uuid_null,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut kind = text("kind");
        kind.default("person");
        for column in [kind, uuid_null("service_organization_id")] {
            let statement = Table::alter().table("users").add_column(column).to_owned();
            manager.alter_table(statement).await?;
        }
        let mut tokens = table(
            "api_tokens",
            [
                uuid_key(),
                uuid("organization_id"),
                uuid("user_id"),
                text("name"),
                text("secret_hash"),
                text("scopes"),
                text_null("projects"),
                text_null("addresses"),
                integer_null("daily_spend_limit_cents"),
                uuid("created_by"),
                time("created_at"),
                time("expires_at"),
                time_null("last_used_at"),
                time_null("revoked_at"),
            ],
        );
        references(&mut tokens, "organization_id", "organizations");
        tokens.foreign_key(
            ForeignKey::create()
                .from_col("organization_id")
                .from_col("user_id")
                .to_tbl("memberships")
                .to_col("organization_id")
                .to_col("user_id")
                .on_delete(ForeignKeyAction::Cascade),
        );
        manager.create_table(tokens).await?;
        let columns = ["organization_id", "user_id"];
        index(manager, "api_tokens", "api_tokens_owner", &columns, false).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["api_tokens"]).await?;
        for column in ["service_organization_id", "kind"] {
            let statement = Table::alter().table("users").drop_column(column).to_owned();
            manager.alter_table(statement).await?;
        }
        Ok(())
    }
}
