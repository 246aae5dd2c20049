//! Who reaches a project by name, and which teams share it.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, FromQueryResult, Value};
use uuid::Uuid;

use super::{
    Page, Paged, StoreError,
    sql::{execute, statement},
};
use crate::domain::{ProjectId, ProjectRole, ReadScope, TeamId, UserId, WriteScope};

/// Somebody with a role of their own in a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectMember {
    pub user_id: UserId,
    pub name: String,
    pub email: String,
    pub role: ProjectRole,
    pub added_at: DateTime<Utc>,
}

/// A team that a project is shared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectTeam {
    pub team_id: TeamId,
    pub name: String,
    pub role: ProjectRole,
    pub shared_at: DateTime<Utc>,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    name: String,
    email: String,
    role: String,
    created_at: DateTime<Utc>,
}

/// The members of a project of the scope, oldest account first. People who reach it by a team, its
/// visibility or their role in the organization are not among them.
///
/// # Errors
/// [`StoreError::NotFound`] when the project is outside the scope.
pub async fn list(
    db: &impl ConnectionTrait,
    scope: &ReadScope,
    project: ProjectId,
    page: Page<UserId>,
) -> Result<Paged<ProjectMember, UserId>, StoreError> {
    let text = "SELECT u.id, u.name, u.email, pm.role, pm.created_at FROM project_members pm \
                JOIN users u ON u.id = pm.user_id \
                WHERE pm.organization_id = $1 AND pm.project_id = $2 AND u.id > $3 \
                ORDER BY u.id LIMIT $4";
    let after = page.after.map_or(Uuid::nil(), |id| id.0);
    let rows = rows(db, text, scope, project, after, page.limit).await?;
    let read = |row: Row| {
        Ok(ProjectMember {
            user_id: UserId(row.id),
            role: role(&row.role)?,
            name: row.name,
            email: row.email,
            added_at: row.created_at,
        })
    };
    let items: Vec<_> = rows
        .into_iter()
        .map(read)
        .collect::<Result<_, StoreError>>()?;
    Ok(Paged::from_rows(items, page.limit, |item| item.user_id))
}

/// The teams that a project of the scope is shared with, oldest first.
///
/// # Errors
/// [`StoreError::NotFound`] when the project is outside the scope.
pub async fn list_teams(
    db: &impl ConnectionTrait,
    scope: &ReadScope,
    project: ProjectId,
    page: Page<TeamId>,
) -> Result<Paged<ProjectTeam, TeamId>, StoreError> {
    let text = "SELECT t.id, t.name, '' AS email, tp.role, tp.created_at FROM team_projects tp \
                JOIN teams t ON t.id = tp.team_id \
                WHERE tp.organization_id = $1 AND tp.project_id = $2 AND t.id > $3 \
                ORDER BY t.id LIMIT $4";
    let after = page.after.map_or(Uuid::nil(), |id| id.0);
    let rows = rows(db, text, scope, project, after, page.limit).await?;
    let read = |row: Row| {
        Ok(ProjectTeam {
            team_id: TeamId(row.id),
            role: role(&row.role)?,
            name: row.name,
            shared_at: row.created_at,
        })
    };
    let items: Vec<_> = rows
        .into_iter()
        .map(read)
        .collect::<Result<_, StoreError>>()?;
    Ok(Paged::from_rows(items, page.limit, |item| item.team_id))
}

/// Gives a member of the organization a role in the project, in place of the one before.
///
/// # Errors
/// [`StoreError::NotFound`] when the project is outside the scope or the person is no member.
pub async fn set(
    db: &impl ConnectionTrait,
    scope: &WriteScope,
    project: ProjectId,
    user: UserId,
    role: ProjectRole,
) -> Result<(), StoreError> {
    let text = "INSERT INTO project_members \
                (organization_id, project_id, user_id, role, created_at) \
                SELECT m.organization_id, $2, m.user_id, $4, $5 FROM memberships m \
                WHERE m.organization_id = $1 AND m.user_id = $3 \
                ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role";
    let values = [user.0.into(), role.as_str().into(), Utc::now().into()];
    change(db, text, scope, project, values, "member").await
}

/// Takes the person's own role in the project away.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none.
pub async fn remove(
    db: &impl ConnectionTrait,
    scope: &WriteScope,
    project: ProjectId,
    user: UserId,
) -> Result<(), StoreError> {
    let text = "DELETE FROM project_members \
                WHERE organization_id = $1 AND project_id = $2 AND user_id = $3";
    change(db, text, scope, project, [user.0.into()], "member").await
}

/// Shares the project with a team of its organization in a role, in place of the one before.
///
/// # Errors
/// [`StoreError::NotFound`] when the project is outside the scope or the organization has no such
/// team.
pub async fn set_team(
    db: &impl ConnectionTrait,
    scope: &WriteScope,
    project: ProjectId,
    team: TeamId,
    role: ProjectRole,
) -> Result<(), StoreError> {
    let text = "INSERT INTO team_projects \
                (organization_id, team_id, project_id, role, created_at) \
                SELECT t.organization_id, t.id, $2, $4, $5 FROM teams t \
                WHERE t.organization_id = $1 AND t.id = $3 \
                ON CONFLICT (team_id, project_id) DO UPDATE SET role = excluded.role";
    let values = [team.0.into(), role.as_str().into(), Utc::now().into()];
    change(db, text, scope, project, values, "team").await
}

/// Ends a share.
///
/// # Errors
/// [`StoreError::NotFound`] when the project is not shared with the team.
pub async fn remove_team(
    db: &impl ConnectionTrait,
    scope: &WriteScope,
    project: ProjectId,
    team: TeamId,
) -> Result<(), StoreError> {
    let text = "DELETE FROM team_projects \
                WHERE organization_id = $1 AND project_id = $2 AND team_id = $3";
    change(db, text, scope, project, [team.0.into()], "team").await
}

async fn rows(
    db: &impl ConnectionTrait,
    text: &str,
    scope: &ReadScope,
    project: ProjectId,
    after: Uuid,
    limit: u64,
) -> Result<Vec<Row>, StoreError> {
    if !scope.allows(project) {
        return Err(StoreError::NotFound("project"));
    }
    let values: [Value; 4] = [
        scope.organization_id().0.into(),
        project.0.into(),
        after.into(),
        i64::try_from(limit + 1).unwrap_or(i64::MAX).into(),
    ];
    let found = db.query_all_raw(statement(db, text, values)).await?;
    found
        .iter()
        .map(|row| Ok(Row::from_query_result(row, "")?))
        .collect()
}

async fn change<const N: usize>(
    db: &impl ConnectionTrait,
    text: &str,
    scope: &WriteScope,
    project: ProjectId,
    values: [Value; N],
    noun: &'static str,
) -> Result<(), StoreError> {
    if !scope.allows(project) {
        return Err(StoreError::NotFound("project"));
    }
    let place = [scope.organization_id().0.into(), project.0.into()];
    match execute(db, text, place.into_iter().chain(values)).await? {
        0 => Err(StoreError::NotFound(noun)),
        _ => Ok(()),
    }
}

fn role(stored: &str) -> Result<ProjectRole, StoreError> {
    ProjectRole::parse(stored).ok_or(StoreError::Corrupt("role"))
}
