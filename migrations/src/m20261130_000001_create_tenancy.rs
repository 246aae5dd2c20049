//! Organizations, people, projects and sign-in sessions.

use sea_orm_migration::prelude::*;

use crate::columns::{
    boolean, drop_tables, index, references, table, text, time, time_null, uuid, uuid_key,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(table(
                "organizations",
                [uuid_key(), text("name"), text("slug"), time("created_at")],
            ))
            .await?;
        index(
            manager,
            "organizations",
            "organizations_slug",
            &["slug"],
            true,
        )
        .await?;

        manager
            .create_table(table(
                "users",
                [
                    uuid_key(),
                    text("email"),
                    text("name"),
                    text("password_hash"),
                    boolean("is_instance_administrator"),
                    time("created_at"),
                    time_null("deactivated_at"),
                ],
            ))
            .await?;
        index(manager, "users", "users_email", &["email"], true).await?;

        let mut memberships = table(
            "memberships",
            [
                uuid("organization_id"),
                uuid("user_id"),
                text("role"),
                time("created_at"),
            ],
        );
        memberships.primary_key(Index::create().col("organization_id").col("user_id"));
        references(&mut memberships, "organization_id", "organizations");
        references(&mut memberships, "user_id", "users");
        manager.create_table(memberships).await?;
        index(
            manager,
            "memberships",
            "memberships_user",
            &["user_id"],
            false,
        )
        .await?;

        let mut projects = table(
            "projects",
            [
                uuid_key(),
                uuid("organization_id"),
                text("name"),
                text("slug"),
                time("created_at"),
            ],
        );
        references(&mut projects, "organization_id", "organizations");
        manager.create_table(projects).await?;
        index(
            manager,
            "projects",
            "projects_slug",
            &["organization_id", "slug"],
            true,
        )
        .await?;

        let mut sessions = table(
            "sessions",
            [
                uuid_key(),
                uuid("user_id"),
                uuid("family_id"),
                text("refresh_hash"),
                time("created_at"),
                time("expires_at"),
                time_null("used_at"),
                time_null("revoked_at"),
            ],
        );
        references(&mut sessions, "user_id", "users");
        manager.create_table(sessions).await?;
        index(
            manager,
            "sessions",
            "sessions_refresh_hash",
            &["refresh_hash"],
            true,
        )
        .await?;
        index(
            manager,
            "sessions",
            "sessions_family",
            &["family_id"],
            false,
        )
        .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(
            manager,
            &[
                "sessions",
                "projects",
                "memberships",
                "users",
                "organizations",
            ],
        )
        .await
    }
}
