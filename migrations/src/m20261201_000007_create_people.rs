//! Teams, members of projects, invitations, visibility; and what deleting projects and
//! organizations needs.
//!
//! Whoever leaves an organization leaves its projects and teams with the same row: their keys refer
//! to the membership. The organization is part of every key, so no row can join two of them.

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
        let mut visibility = text("visibility");
        // What every project was until now.
        visibility.default("organization");
        add(manager, "projects", [visibility, time_null("deleting_at")]).await?;
        add(manager, "organizations", [time_null("deleting_at")]).await?;
        let columns = ["organization_id", "id"];
        index(manager, "projects", "projects_organization", &columns, true).await?;
        create_teams(manager).await?;
        create_shares(manager).await?;
        create_invitations(manager).await?;
        // Of jobs that are about more than one repository, whose `repository_id` is then all zeros.
        let columns = [
            uuid_null("project_id"),
            uuid_null("requested_by"),
            integer_null("steps_total"),
            integer_null("steps_done"),
        ];
        add(manager, "jobs", columns).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let columns = ["project_id", "requested_by", "steps_total", "steps_done"];
        remove(manager, "jobs", columns).await?;
        drop_tables(
            manager,
            &[
                "invitations",
                "team_projects",
                "project_members",
                "team_members",
                "teams",
            ],
        )
        .await?;
        let statement = Index::drop()
            .name("projects_organization")
            .table("projects")
            .to_owned();
        manager.drop_index(statement).await?;
        remove(manager, "organizations", ["deleting_at"]).await?;
        remove(manager, "projects", ["deleting_at", "visibility"]).await
    }
}

async fn create_teams(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut teams = table(
        "teams",
        [
            uuid_key(),
            uuid("organization_id"),
            text("name"),
            text("slug"),
            time("created_at"),
        ],
    );
    references(&mut teams, "organization_id", "organizations");
    manager.create_table(teams).await?;
    let columns = ["organization_id", "id"];
    index(manager, "teams", "teams_organization", &columns, true).await?;
    let columns = ["organization_id", "slug"];
    index(manager, "teams", "teams_slug", &columns, true).await?;

    let mut members = table(
        "team_members",
        [
            uuid("organization_id"),
            uuid("team_id"),
            uuid("user_id"),
            time("created_at"),
        ],
    );
    members.primary_key(Index::create().col("team_id").col("user_id"));
    belongs(&mut members, "team_id", "teams", "id");
    belongs(&mut members, "user_id", "memberships", "user_id");
    manager.create_table(members).await?;
    let columns = ["organization_id", "user_id"];
    index(
        manager,
        "team_members",
        "team_members_user",
        &columns,
        false,
    )
    .await
}

/// Who reaches a project by name or by team, and as what.
async fn create_shares(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut members = table(
        "project_members",
        [
            uuid("organization_id"),
            uuid("project_id"),
            uuid("user_id"),
            text("role"),
            time("created_at"),
        ],
    );
    members.primary_key(Index::create().col("project_id").col("user_id"));
    belongs(&mut members, "project_id", "projects", "id");
    belongs(&mut members, "user_id", "memberships", "user_id");
    manager.create_table(members).await?;
    let (name, columns) = ("project_members_user", ["organization_id", "user_id"]);
    index(manager, "project_members", name, &columns, false).await?;

    let mut teams = table(
        "team_projects",
        [
            uuid("organization_id"),
            uuid("team_id"),
            uuid("project_id"),
            text("role"),
            time("created_at"),
        ],
    );
    teams.primary_key(Index::create().col("team_id").col("project_id"));
    belongs(&mut teams, "team_id", "teams", "id");
    belongs(&mut teams, "project_id", "projects", "id");
    manager.create_table(teams).await?;
    let (name, columns) = ("team_projects_project", ["project_id"]);
    index(manager, "team_projects", name, &columns, false).await
}

async fn create_invitations(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut invitations = table(
        "invitations",
        [
            uuid_key(),
            uuid("organization_id"),
            text("role"),
            // The token itself is shown once and kept by nobody.
            text("token_hash"),
            // For whom it is, as the inviter notes it.
            text_null("note"),
            uuid("created_by"),
            time("created_at"),
            time("expires_at"),
            time_null("accepted_at"),
            uuid_null("accepted_by"),
            time_null("revoked_at"),
        ],
    );
    references(&mut invitations, "organization_id", "organizations");
    manager.create_table(invitations).await?;
    let columns = ["token_hash"];
    index(manager, "invitations", "invitations_token", &columns, true).await?;
    let (name, columns) = ("invitations_organization", ["organization_id", "id"]);
    index(manager, "invitations", name, &columns, false).await
}

/// A reference that carries the organization, so that both ends lie in the same one.
fn belongs(
    statement: &mut TableCreateStatement,
    column: &'static str,
    parent: &'static str,
    parent_column: &'static str,
) {
    statement.foreign_key(
        ForeignKey::create()
            .from_col("organization_id")
            .from_col(column)
            .to_tbl(parent)
            .to_col("organization_id")
            .to_col(parent_column)
            .on_delete(ForeignKeyAction::Cascade),
    );
}

/// One statement per column: SQLite alters one thing at a time.
async fn add<const N: usize>(
    manager: &SchemaManager<'_>,
    table: &'static str,
    columns: [ColumnDef; N],
) -> Result<(), DbErr> {
    for column in columns {
        let statement = Table::alter().table(table).add_column(column).to_owned();
        manager.alter_table(statement).await?;
    }
    Ok(())
}

async fn remove<const N: usize>(
    manager: &SchemaManager<'_>,
    table: &'static str,
    columns: [&'static str; N],
) -> Result<(), DbErr> {
    for column in columns {
        let statement = Table::alter().table(table).drop_column(column).to_owned();
        manager.alter_table(statement).await?;
    }
    Ok(())
}
