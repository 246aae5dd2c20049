//! Repositories: registration, state, and the lease that one index run holds.

use chrono::Utc;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, SqlErr,
    sea_query::ExprTrait,
};

use super::{
    StoreError,
    entities::repository::{self, Model},
    sql::{execute, insert_rows, locking, statement},
};
use crate::domain::{
    IndexRunId, OrganizationId, Problem, ProjectId, ReadScope, RepositoryId, RepositorySource,
    RepositoryState, SourceKind, WriteScope,
};

/// A repository that is to be registered.
#[derive(Debug, Clone)]
pub struct NewRepository {
    pub project_id: ProjectId,
    pub name: String,
    pub source: RepositorySource,
    /// One spelling per repository (`adapters::git` normalises it).
    pub location_key: String,
    /// Sealed by `store::credentials`.
    pub credential: Option<Vec<u8>>,
    pub depth: Option<u32>,
    /// Empty means the default branch.
    pub tracked_branches: Vec<String>,
}

/// Registers a repository in a project of the scope.
///
/// # Errors
/// [`StoreError::NotFound`] when the project is outside the scope, [`StoreError::Conflict`] with
/// code `repository_exists` when the project has this location already.
pub async fn insert(
    database: &impl ConnectionTrait,
    scope: &WriteScope,
    repository: NewRepository,
) -> Result<RepositoryId, StoreError> {
    if !scope.allows(repository.project_id) {
        return Err(StoreError::NotFound("project"));
    }
    let existing = repository::Entity::find()
        .filter(repository::Column::ProjectId.eq(repository.project_id.0))
        .filter(repository::Column::LocationKey.eq(repository.location_key.as_str()))
        .one(database)
        .await?;
    if let Some(existing) = existing {
        return Err(StoreError::Conflict {
            code: "repository_exists",
            detail: format!(
                "the project has this repository already, as `{}`",
                existing.name
            ),
        });
    }
    let organization = scope.organization_id();
    match insert_row(database, organization, repository).await {
        // Somebody added it between the look and the insertion.
        Err(StoreError::Database(error))
            if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) =>
        {
            Err(StoreError::Conflict {
                code: "repository_exists",
                detail: "the project has this repository already".to_owned(),
            })
        }
        inserted => inserted,
    }
}

async fn insert_row(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    repository: NewRepository,
) -> Result<RepositoryId, StoreError> {
    let id = RepositoryId::generate();
    let (kind, location) = match repository.source {
        RepositorySource::Git { url } => (SourceKind::Git, url),
        RepositorySource::Local { path } => (SourceKind::Local, path),
    };
    let tracked = serde_json::to_string(&repository.tracked_branches)
        .map_err(|_| StoreError::Corrupt("tracked branches"))?;
    let columns = [
        "id",
        "organization_id",
        "project_id",
        "name",
        "source_kind",
        "location",
        "location_key",
        "credential",
        "depth",
        "tracked_branches",
        "state",
        "created_at",
    ];
    let values = vec![
        id.0.into(),
        organization.0.into(),
        repository.project_id.0.into(),
        repository.name.into(),
        kind.as_str().into(),
        location.into(),
        repository.location_key.into(),
        repository.credential.into(),
        repository.depth.map(i64::from).into(),
        tracked.into(),
        RepositoryState::Pending.as_str().into(),
        Utc::now().into(),
    ];
    insert_rows(database, "repositories", &columns, "", values).await?;
    Ok(id)
}

/// Where the repository comes from.
///
/// # Errors
/// [`StoreError::Corrupt`] when the row names an unknown kind.
pub fn source(repository: &Model) -> Result<RepositorySource, StoreError> {
    let location = repository.location.clone();
    match SourceKind::parse(&repository.source_kind) {
        Some(SourceKind::Git) => Ok(RepositorySource::Git { url: location }),
        Some(SourceKind::Local) => Ok(RepositorySource::Local { path: location }),
        None => Err(StoreError::Corrupt("source kind")),
    }
}

/// The tracked branches; empty means the default branch.
///
/// # Errors
/// [`StoreError::Corrupt`] when the row is not a JSON list.
pub fn tracked_branches(repository: &Model) -> Result<Vec<String>, StoreError> {
    serde_json::from_str(&repository.tracked_branches)
        .map_err(|_| StoreError::Corrupt("tracked branches"))
}

/// One repository of the scope. One that is being deleted is missing already.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none in the scope.
pub async fn find(
    database: &impl ConnectionTrait,
    scope: &ReadScope,
    id: RepositoryId,
) -> Result<Model, StoreError> {
    scoped(scope)
        .filter(repository::Column::Id.eq(id.0))
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("repository"))
}

/// Repositories of one project, by name; `after` is the last (name, id) of the page before.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list(
    database: &impl ConnectionTrait,
    scope: &ReadScope,
    project: ProjectId,
    after: Option<(String, RepositoryId)>,
    limit: u64,
) -> Result<Vec<Model>, StoreError> {
    let mut query = scoped(scope).filter(repository::Column::ProjectId.eq(project.0));
    if let Some((name, id)) = after {
        query = query.filter(
            repository::Column::Name
                .gt(name.clone())
                .or(repository::Column::Name
                    .eq(name)
                    .and(repository::Column::Id.gt(id.0))),
        );
    }
    Ok(query
        .order_by_asc(repository::Column::Name)
        .order_by_asc(repository::Column::Id)
        .limit(limit)
        .all(database)
        .await?)
}

/// How many repositories each project of the scope has.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn count_by_project(
    database: &impl ConnectionTrait,
    scope: &ReadScope,
) -> Result<Vec<(ProjectId, i64)>, StoreError> {
    let rows = scoped(scope)
        .select_only()
        .column(repository::Column::ProjectId)
        .column_as(repository::Column::Id.count(), "repositories")
        .group_by(repository::Column::ProjectId)
        .into_tuple::<(sea_orm::prelude::Uuid, i64)>()
        .all(database)
        .await?;
    Ok(rows
        .into_iter()
        .map(|(id, count)| (ProjectId(id), count))
        .collect())
}

fn scoped(scope: &ReadScope) -> sea_orm::Select<repository::Entity> {
    repository::Entity::find()
        .filter(repository::Column::OrganizationId.eq(scope.organization_id().0))
        .filter(repository::Column::ProjectId.is_in(scope.projects().iter().map(|id| id.0)))
        .filter(repository::Column::State.ne(RepositoryState::Deleting.as_str()))
}

/// One repository of an organization, for jobs.
///
/// # Errors
/// [`StoreError::NotFound`] when the organization has none with this id.
pub async fn get(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    id: RepositoryId,
) -> Result<Model, StoreError> {
    repository::Entity::find_by_id(id.0)
        .filter(repository::Column::OrganizationId.eq(organization.0))
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("repository"))
}

/// The same, locked until the transaction ends (PostgreSQL), so that two requests or two runs never
/// decide at once.
///
/// # Errors
/// [`StoreError::NotFound`] when the organization has none with this id.
pub async fn get_locked(
    transaction: &impl ConnectionTrait,
    organization: OrganizationId,
    id: RepositoryId,
) -> Result<Model, StoreError> {
    let text = format!(
        "SELECT 1 FROM repositories WHERE id = $1{}",
        locking(transaction, " FOR UPDATE")
    );
    transaction
        .query_one_raw(statement(transaction, &text, [id.0.into()]))
        .await?;
    get(transaction, organization, id).await
}

/// Gives the repository to a run. The caller has locked the row and made sure that the former owner
/// is final.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn set_owner(
    database: &impl ConnectionTrait,
    id: RepositoryId,
    run: IndexRunId,
) -> Result<(), StoreError> {
    execute(
        database,
        "UPDATE repositories SET lease_owner = $2, lease_token = lease_token + 1 \
         WHERE id = $1 AND (lease_owner IS NULL OR lease_owner <> $2)",
        [id.0.into(), run.to_string().into()],
    )
    .await?;
    Ok(())
}

/// Takes the repository back from a run that ends.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn clear_owner(
    database: &impl ConnectionTrait,
    id: RepositoryId,
    run: IndexRunId,
) -> Result<(), StoreError> {
    execute(
        database,
        "UPDATE repositories SET lease_owner = NULL WHERE id = $1 AND lease_owner = $2",
        [id.0.into(), run.to_string().into()],
    )
    .await?;
    Ok(())
}

/// Whether the run owns the repository.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn is_owner(
    database: &impl ConnectionTrait,
    id: RepositoryId,
    run: IndexRunId,
) -> Result<bool, StoreError> {
    let text = format!(
        "SELECT 1 FROM repositories WHERE id = $1 AND lease_owner = $2{}",
        locking(database, " FOR UPDATE")
    );
    let statement = statement(database, &text, [id.0.into(), run.to_string().into()]);
    Ok(database.query_one_raw(statement).await?.is_some())
}

/// Sets the state and the error that goes with it. A repository that is being deleted stays so.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn set_state(
    database: &impl ConnectionTrait,
    id: RepositoryId,
    state: RepositoryState,
    problem: Option<&Problem>,
) -> Result<(), StoreError> {
    execute(
        database,
        "UPDATE repositories SET state = $2, error_code = $3, error_message = $4 \
         WHERE id = $1 AND state <> 'deleting'",
        [
            id.0.into(),
            state.as_str().into(),
            problem.map(|problem| problem.code.clone()).into(),
            problem.map(|problem| problem.message.clone()).into(),
        ],
    )
    .await?;
    Ok(())
}

/// Records what the remote said about itself.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn set_remote(
    database: &impl ConnectionTrait,
    id: RepositoryId,
    default_branch: Option<&str>,
    warning: Option<&str>,
) -> Result<(), StoreError> {
    execute(
        database,
        "UPDATE repositories SET default_branch = $2, warning = $3 WHERE id = $1",
        [id.0.into(), default_branch.into(), warning.into()],
    )
    .await?;
    Ok(())
}

/// Removes the row; branches, snapshots and runs go with it.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn delete(database: &impl ConnectionTrait, id: RepositoryId) -> Result<(), StoreError> {
    execute(
        database,
        "DELETE FROM repositories WHERE id = $1",
        [id.0.into()],
    )
    .await?;
    Ok(())
}
