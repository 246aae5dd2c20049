//! Repositories, their branches and snapshots.

use sea_orm_migration::prelude::*;

use crate::columns::{
    boolean, bytes_null, drop_tables, index, integer, integer_null, references, scope, serial,
    table, text, text_null, time, time_null, uuid, uuid_key, uuid_null,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut repositories = table(
            "repositories",
            [
                uuid_key(),
                uuid("organization_id"),
                uuid("project_id"),
                text("name"),
                text("source_kind"),
                // The address that was given, or the path of a local Git directory.
                text("location"),
                // One spelling per repository, so that a second registration is noticed.
                text("location_key"),
                // AES-256-GCM envelope; absent when the source needs no credentials.
                bytes_null("credential"),
                integer_null("depth"),
                // JSON list of the tracked branches; empty means the default branch.
                text("tracked_branches"),
                text_null("default_branch"),
                text("state"),
                text_null("warning"),
                text_null("error_code"),
                text_null("error_message"),
                // Who may change this repository's index now, and the token that fences old owners.
                text_null("lease_owner"),
                time_null("lease_expires_at"),
                integer("lease_token"),
                time("created_at"),
            ],
        );
        references(&mut repositories, "organization_id", "organizations");
        references(&mut repositories, "project_id", "projects");
        manager.create_table(repositories).await?;
        index(
            manager,
            "repositories",
            "repositories_location",
            &["project_id", "location_key"],
            true,
        )
        .await?;

        let mut branches = table(
            "branches",
            [
                uuid_key(),
                uuid("organization_id"),
                uuid("project_id"),
                uuid("repository_id"),
                text("name"),
                boolean("is_default"),
                integer_null("published_snapshot_id"),
                time("created_at"),
            ],
        );
        references(&mut branches, "repository_id", "repositories");
        manager.create_table(branches).await?;
        index(
            manager,
            "branches",
            "branches_name",
            &["repository_id", "name"],
            true,
        )
        .await?;
        index(
            manager,
            "branches",
            "branches_project",
            &["project_id"],
            false,
        )
        .await?;

        let mut columns = vec![serial()];
        columns.extend(scope());
        columns.extend([
            uuid_null("index_run_id"),
            text("commit"),
            time_null("committed_at"),
            text("state"),
            // Chunker version and embedding model; another value asks for a rebuild.
            text("format"),
            integer("files_seen"),
            integer("files_indexed"),
            integer("files_skipped"),
            integer("chunks"),
            integer_null("points"),
            integer("documents"),
            integer("bytes"),
            // JSON: total length of each lexical field over the visible chunks.
            text_null("field_lengths"),
            // f64 sums of the visible chunks' vectors, little endian.
            bytes_null("vector_sum"),
            time("created_at"),
            time_null("published_at"),
        ]);
        let mut snapshots = table("snapshots", columns);
        references(&mut snapshots, "branch_id", "branches");
        manager.create_table(snapshots).await?;
        index(
            manager,
            "snapshots",
            "snapshots_branch",
            &["branch_id", "id"],
            false,
        )
        .await?;
        index(manager, "snapshots", "snapshots_state", &["state"], false).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["snapshots", "branches", "repositories"]).await
    }
}
