//! Teams: groups of members of one organization that projects are shared with.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, JoinType,
    QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::{
    Page, Paged, StoreError,
    entities::{project, team, team_member, team_project, user},
    members, slugs,
    sql::execute,
};
use crate::domain::{OrganizationId, OrganizationScope, ProjectId, ProjectRole, TeamId, UserId};

/// A team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    pub id: TeamId,
    pub organization_id: OrganizationId,
    pub name: String,
    pub slug: String,
    /// How many members it has.
    pub members: u64,
    pub created_at: DateTime<Utc>,
}

/// Somebody in a team.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct TeamMember {
    pub user_id: Uuid,
    pub name: String,
    pub email: String,
    pub added_at: DateTime<Utc>,
}

/// A project that a team shares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamProject {
    pub project_id: ProjectId,
    pub name: String,
    pub role: ProjectRole,
    pub shared_at: DateTime<Utc>,
}

/// The teams of the scope's organization, oldest first.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn list(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    page: Page<TeamId>,
) -> Result<Paged<Team, TeamId>, StoreError> {
    let mut query = of(scope)
        .order_by_asc(team::Column::Id)
        .limit(page.limit + 1);
    if let Some(after) = page.after {
        query = query.filter(team::Column::Id.gt(after.0));
    }
    let rows = Paged::from_rows(query.all(db).await?, page.limit, |row| TeamId(row.id));
    Ok(Paged {
        items: with_counts(db, rows.items).await?,
        next: rows.next,
    })
}

/// One team of the scope's organization.
///
/// # Errors
/// [`StoreError::NotFound`] when it has none with this id.
pub async fn find(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    id: TeamId,
) -> Result<Team, StoreError> {
    let row = of(scope)
        .filter(team::Column::Id.eq(id.0))
        .one(db)
        .await?
        .ok_or(MISSING)?;
    let found = with_counts(db, vec![row]).await?;
    found.into_iter().next().ok_or(MISSING)
}

/// Creates a team without members. Run it in a transaction.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn create(
    transaction: &impl ConnectionTrait,
    scope: &OrganizationScope,
    name: &str,
) -> Result<Team, StoreError> {
    let slug = slugs::slug(name, "team");
    let taken: Vec<String> = of(scope)
        .select_only()
        .column(team::Column::Slug)
        .filter(team::Column::Slug.starts_with(&slug))
        .into_tuple()
        .all(transaction)
        .await?;
    let created = Team {
        id: TeamId::generate(),
        organization_id: scope.organization_id(),
        name: name.to_owned(),
        slug: slugs::free_slug(&slug, &taken),
        members: 0,
        created_at: Utc::now(),
    };
    team::Entity::insert(team::ActiveModel {
        id: Set(created.id.0),
        organization_id: Set(created.organization_id.0),
        name: Set(created.name.clone()),
        slug: Set(created.slug.clone()),
        created_at: Set(created.created_at),
    })
    .exec_without_returning(transaction)
    .await?;
    Ok(created)
}

/// Gives a team another name; its slug stays.
///
/// # Errors
/// [`StoreError::NotFound`] when the organization has no such team.
pub async fn rename(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    id: TeamId,
    name: &str,
) -> Result<(), StoreError> {
    let values = [scope.organization_id().0.into(), id.0.into(), name.into()];
    let sql = "UPDATE teams SET name = $3 WHERE organization_id = $1 AND id = $2";
    found(execute(db, sql, values).await?, MISSING)
}

/// Removes a team; its members lose what it shared with them.
///
/// # Errors
/// [`StoreError::NotFound`] when the organization has no such team.
pub async fn delete(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    id: TeamId,
) -> Result<(), StoreError> {
    let values = [scope.organization_id().0.into(), id.0.into()];
    let sql = "DELETE FROM teams WHERE organization_id = $1 AND id = $2";
    found(execute(db, sql, values).await?, MISSING)
}

/// The members of a team, oldest account first.
///
/// # Errors
/// [`StoreError`] of the database only; a foreign team has no members.
pub async fn list_members(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    id: TeamId,
    page: Page<UserId>,
) -> Result<Paged<TeamMember, UserId>, StoreError> {
    let person = team_member::Entity::belongs_to(user::Entity)
        .from(team_member::Column::UserId)
        .to(user::Column::Id);
    let mut query = team_member::Entity::find()
        .select_only()
        .column(team_member::Column::UserId)
        .column_as(team_member::Column::CreatedAt, "added_at")
        .columns([user::Column::Name, user::Column::Email])
        .join(JoinType::InnerJoin, person.into())
        .filter(team_member::Column::OrganizationId.eq(scope.organization_id().0))
        .filter(team_member::Column::TeamId.eq(id.0))
        .order_by_asc(team_member::Column::UserId)
        .limit(page.limit + 1);
    if let Some(after) = page.after {
        query = query.filter(team_member::Column::UserId.gt(after.0));
    }
    let rows = query.into_model::<TeamMember>().all(db).await?;
    Ok(Paged::from_rows(rows, page.limit, |row| {
        UserId(row.user_id)
    }))
}

/// Puts a member of the organization into the team. Being in it already is fine. Run it in a
/// transaction.
///
/// # Errors
/// [`StoreError::NotFound`] when the organization has no such team or the person is no member.
pub async fn add_member(
    transaction: &impl ConnectionTrait,
    scope: &OrganizationScope,
    id: TeamId,
    user_id: UserId,
) -> Result<Team, StoreError> {
    let team = find(transaction, scope, id).await?;
    members::find(transaction, scope, user_id).await?;
    let values = [
        scope.organization_id().0.into(),
        id.0.into(),
        user_id.0.into(),
        Utc::now().into(),
    ];
    let sql = "INSERT INTO team_members (organization_id, team_id, user_id, created_at) \
               VALUES ($1, $2, $3, $4) ON CONFLICT (team_id, user_id) DO NOTHING";
    execute(transaction, sql, values).await?;
    Ok(team)
}

/// Takes somebody out of the team.
///
/// # Errors
/// [`StoreError::NotFound`] when the person is not in it.
pub async fn remove_member(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    id: TeamId,
    user_id: UserId,
) -> Result<(), StoreError> {
    let values = [
        scope.organization_id().0.into(),
        id.0.into(),
        user_id.0.into(),
    ];
    let sql = "DELETE FROM team_members \
               WHERE organization_id = $1 AND team_id = $2 AND user_id = $3";
    found(
        execute(db, sql, values).await?,
        StoreError::NotFound("member"),
    )
}

/// The projects that a team shares, as far as they exist for the caller; oldest project first.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_projects(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    id: TeamId,
    page: Page<ProjectId>,
) -> Result<Paged<TeamProject, ProjectId>, StoreError> {
    let shared = team_project::Entity::belongs_to(project::Entity)
        .from(team_project::Column::ProjectId)
        .to(project::Column::Id);
    let readable = scope.projects().projects().iter().map(|id| id.0);
    let mut query = team_project::Entity::find()
        .select_only()
        .columns([
            team_project::Column::ProjectId,
            team_project::Column::Role,
            team_project::Column::CreatedAt,
        ])
        .column(project::Column::Name)
        .join(JoinType::InnerJoin, shared.into())
        .filter(team_project::Column::OrganizationId.eq(scope.organization_id().0))
        .filter(team_project::Column::TeamId.eq(id.0))
        .filter(team_project::Column::ProjectId.is_in(readable))
        .order_by_asc(team_project::Column::ProjectId)
        .limit(page.limit + 1);
    if let Some(after) = page.after {
        query = query.filter(team_project::Column::ProjectId.gt(after.0));
    }
    let rows: Vec<(Uuid, String, DateTime<Utc>, String)> = query.into_tuple().all(db).await?;
    let read = |(project_id, role, shared_at, name): (Uuid, String, DateTime<Utc>, String)| {
        Ok(TeamProject {
            project_id: ProjectId(project_id),
            name,
            role: ProjectRole::parse(&role).ok_or(StoreError::Corrupt("role"))?,
            shared_at,
        })
    };
    let items: Vec<TeamProject> = rows
        .into_iter()
        .map(read)
        .collect::<Result<_, StoreError>>()?;
    Ok(Paged::from_rows(items, page.limit, |item| item.project_id))
}

const MISSING: StoreError = StoreError::NotFound("team");

fn found(changed: u64, missing: StoreError) -> Result<(), StoreError> {
    if changed == 0 {
        return Err(missing);
    }
    Ok(())
}

fn of(scope: &OrganizationScope) -> sea_orm::Select<team::Entity> {
    team::Entity::find().filter(team::Column::OrganizationId.eq(scope.organization_id().0))
}

async fn with_counts(
    db: &impl ConnectionTrait,
    rows: Vec<team::Model>,
) -> Result<Vec<Team>, StoreError> {
    let counts: Vec<(Uuid, i64)> = team_member::Entity::find()
        .select_only()
        .column(team_member::Column::TeamId)
        .column_as(team_member::Column::UserId.count(), "members")
        .filter(team_member::Column::TeamId.is_in(rows.iter().map(|row| row.id)))
        .group_by(team_member::Column::TeamId)
        .into_tuple()
        .all(db)
        .await?;
    let counts: HashMap<Uuid, i64> = counts.into_iter().collect();
    let read = |row: team::Model| Team {
        id: TeamId(row.id),
        organization_id: OrganizationId(row.organization_id),
        name: row.name,
        slug: row.slug,
        members: counts.get(&row.id).copied().unwrap_or(0).unsigned_abs(),
        created_at: row.created_at,
    };
    Ok(rows.into_iter().map(read).collect())
}
