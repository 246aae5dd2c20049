//! Projects and organizations on their way out: marked first, so that they are missing for
//! everybody, and removed when nothing of theirs is left.

use chrono::Utc;
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use super::{
    StoreError,
    sql::{execute, locking, statement},
};
use crate::domain::{OrganizationId, ProjectId, RepositoryId};

/// What would go along with an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    pub projects: i64,
    pub repositories: i64,
    pub other_members: i64,
}

/// Marks a project as being removed. Its row stays locked until the transaction ends.
///
/// # Errors
/// [`StoreError::NotFound`] when the organization has no such project, or it is marked already.
pub async fn mark_project(
    transaction: &impl ConnectionTrait,
    organization: OrganizationId,
    project: ProjectId,
) -> Result<(), StoreError> {
    let sql = "UPDATE projects SET deleting_at = $3 \
               WHERE organization_id = $1 AND id = $2 AND deleting_at IS NULL";
    let values = [
        organization.0.into(),
        project.0.into(),
        Some(Utc::now()).into(),
    ];
    match execute(transaction, sql, values).await? {
        0 => Err(StoreError::NotFound("project")),
        _ => Ok(()),
    }
}

/// The same for an organization.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none with this id, or it is marked already.
pub async fn mark_organization(
    transaction: &impl ConnectionTrait,
    organization: OrganizationId,
) -> Result<(), StoreError> {
    let sql = "UPDATE organizations SET deleting_at = $2 WHERE id = $1 AND deleting_at IS NULL";
    let values = [organization.0.into(), Some(Utc::now()).into()];
    match execute(transaction, sql, values).await? {
        0 => Err(StoreError::NotFound("organization")),
        _ => Ok(()),
    }
}

/// Makes sure that the organization has this project and that it is marked. With `lock` the row
/// stays locked until the transaction ends, so that nothing can be added to it.
///
/// # Errors
/// [`StoreError::NotFound`] when not.
pub async fn find_marked_project(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    project: ProjectId,
    lock: bool,
) -> Result<(), StoreError> {
    let text = format!(
        "SELECT 1 FROM projects WHERE organization_id = $1 AND id = $2 \
         AND deleting_at IS NOT NULL{}",
        lock_clause(database, lock)
    );
    let values = [organization.0.into(), project.0.into()];
    let found = database
        .query_one_raw(statement(database, &text, values))
        .await?;
    found.map(drop).ok_or(StoreError::NotFound("project"))
}

/// The same for an organization.
///
/// # Errors
/// [`StoreError::NotFound`] when not.
pub async fn find_marked_organization(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    lock: bool,
) -> Result<(), StoreError> {
    let text = format!(
        "SELECT 1 FROM organizations WHERE id = $1 AND deleting_at IS NOT NULL{}",
        lock_clause(database, lock)
    );
    let found = database
        .query_one_raw(statement(database, &text, [organization.0.into()]))
        .await?;
    found.map(drop).ok_or(StoreError::NotFound("organization"))
}

/// The project's repositories that are not being removed yet, in a stable order.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn kept_repositories(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    project: ProjectId,
) -> Result<Vec<RepositoryId>, StoreError> {
    let text = "SELECT id FROM repositories WHERE organization_id = $1 AND project_id = $2 \
                AND state <> 'deleting' ORDER BY id";
    let values = [organization.0.into(), project.0.into()];
    let found = ids(database, text, values).await?;
    Ok(found.into_iter().map(RepositoryId).collect())
}

/// The organization's projects that are not being removed yet, in a stable order.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn kept_projects(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
) -> Result<Vec<ProjectId>, StoreError> {
    let text = "SELECT id FROM projects WHERE organization_id = $1 AND deleting_at IS NULL \
                ORDER BY id";
    let found = ids(database, text, [organization.0.into()]).await?;
    Ok(found.into_iter().map(ProjectId).collect())
}

/// What would go along with the organization if this person deleted it.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn contents(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    person: Uuid,
) -> Result<Contents, StoreError> {
    let text = "SELECT \
                (SELECT COUNT(*) FROM projects WHERE organization_id = $1 \
                 AND deleting_at IS NULL) AS projects, \
                (SELECT COUNT(*) FROM repositories WHERE organization_id = $1 \
                 AND state <> 'deleting') AS repositories, \
                (SELECT COUNT(*) FROM memberships WHERE organization_id = $1 \
                 AND user_id <> $2) AS other_members";
    let values = [organization.0.into(), person.into()];
    let row = database
        .query_one_raw(statement(database, text, values))
        .await?
        .ok_or(StoreError::Corrupt("count"))?;
    Ok(Contents {
        projects: row.try_get("", "projects")?,
        repositories: row.try_get("", "repositories")?,
        other_members: row.try_get("", "other_members")?,
    })
}

/// Rows of an organization, or of one of its projects, in one table.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn count(
    database: &impl ConnectionTrait,
    table: &'static str,
    organization: OrganizationId,
    project: Option<ProjectId>,
) -> Result<i64, StoreError> {
    let mut text = format!("SELECT COUNT(*) AS n FROM {table} WHERE organization_id = $1");
    let mut values = vec![organization.0.into()];
    if let Some(project) = project {
        text.push_str(" AND project_id = $2");
        values.push(project.0.into());
    }
    let row = database
        .query_one_raw(statement(database, &text, values))
        .await?
        .ok_or(StoreError::Corrupt("count"))?;
    Ok(row.try_get("", "n")?)
}

/// Some ids of the organization's rows in a table of numbered rows.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn some_ids(
    database: &impl ConnectionTrait,
    table: &'static str,
    organization: OrganizationId,
    limit: i64,
) -> Result<Vec<i64>, StoreError> {
    let text = format!("SELECT id FROM {table} WHERE organization_id = $1 LIMIT $2");
    let values = [organization.0.into(), limit.into()];
    let rows = database
        .query_all_raw(statement(database, &text, values))
        .await?;
    rows.iter().map(|row| Ok(row.try_get("", "id")?)).collect()
}

/// Removes the row of a marked project; its members and shares go with it.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn delete_project(
    transaction: &impl ConnectionTrait,
    project: ProjectId,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM projects WHERE id = $1 AND deleting_at IS NOT NULL";
    execute(transaction, sql, [project.0.into()]).await?;
    Ok(())
}

/// Removes the row of a marked organization; its memberships, teams, tokens, service
/// accounts and invitations go with it.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn delete_organization(
    transaction: &impl ConnectionTrait,
    organization: OrganizationId,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM users WHERE service_organization_id = $1 AND kind = 'service'";
    execute(transaction, sql, [organization.0.into()]).await?;
    let sql = "DELETE FROM organizations WHERE id = $1 AND deleting_at IS NOT NULL";
    execute(transaction, sql, [organization.0.into()]).await?;
    Ok(())
}

async fn ids<const N: usize>(
    database: &impl ConnectionTrait,
    text: &str,
    values: [sea_orm::Value; N],
) -> Result<Vec<Uuid>, StoreError> {
    let rows = database
        .query_all_raw(statement(database, text, values))
        .await?;
    rows.iter().map(|row| Ok(row.try_get("", "id")?)).collect()
}

fn lock_clause(database: &impl ConnectionTrait, lock: bool) -> &'static str {
    if lock {
        locking(database, " FOR UPDATE")
    } else {
        ""
    }
}
