//! Reading what is owed, and whether something is.

use chrono::Utc;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::{
    domain::{IndexRunId, JobId, JobKind, JobState, RepositoryId, UserId},
    store::{
        StoreError,
        entities::job::{self, Model},
        sql::statement,
    },
};

/// Whether a worker holds one of the run's jobs, other than `except`.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn any_running(
    database: &impl ConnectionTrait,
    run: IndexRunId,
    except: JobId,
) -> Result<bool, StoreError> {
    let found = job::Entity::find()
        .filter(job::Column::IndexRunId.eq(run.0))
        .filter(job::Column::State.eq(JobState::Running.as_str()))
        .filter(job::Column::LeaseExpiresAt.gte(Utc::now()))
        .filter(job::Column::Id.ne(except.0))
        .filter(job::Column::Kind.ne(JobKind::Purge.as_str()))
        .select_only()
        .column(job::Column::Id)
        .into_tuple::<sea_orm::prelude::Uuid>()
        .one(database)
        .await?;
    Ok(found.is_some())
}

/// A deletion of a project or organization that the person has asked for; an instance administrator
/// (`None`) finds all of them.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none, or somebody else has asked for it.
pub async fn find_deletion(
    database: &impl ConnectionTrait,
    id: JobId,
    requested_by: Option<UserId>,
) -> Result<Model, StoreError> {
    let kinds = [JobKind::DeleteProject, JobKind::DeleteOrganization];
    let mut query =
        job::Entity::find_by_id(id.0).filter(job::Column::Kind.is_in(kinds.map(JobKind::as_str)));
    if let Some(person) = requested_by {
        query = query.filter(job::Column::RequestedBy.eq(person.0));
    }
    let found = query.one(database).await?;
    found.ok_or(StoreError::NotFound("deletion"))
}

/// One job by id, for workers.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none.
pub async fn find(database: &impl ConnectionTrait, id: JobId) -> Result<Model, StoreError> {
    job::Entity::find_by_id(id.0)
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("job"))
}

/// Jobs of the whole instance, newest first, for its administrator. `before` is the last id of the
/// page before.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list(
    database: &impl ConnectionTrait,
    state: Option<JobState>,
    before: Option<JobId>,
    limit: u64,
) -> Result<Vec<Model>, StoreError> {
    let mut query = job::Entity::find();
    if let Some(state) = state {
        query = query.filter(job::Column::State.eq(state.as_str()));
    }
    if let Some(before) = before {
        query = query.filter(job::Column::Id.lt(before.0));
    }
    Ok(query
        .order_by_desc(job::Column::Id)
        .limit(limit)
        .all(database)
        .await?)
}

/// Jobs of one run, oldest first.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_of_run(
    database: &impl ConnectionTrait,
    run: IndexRunId,
) -> Result<Vec<Model>, StoreError> {
    Ok(job::Entity::find()
        .filter(job::Column::IndexRunId.eq(run.0))
        .order_by_asc(job::Column::Id)
        .all(database)
        .await?)
}

/// Whether a purge of the repository is waiting already.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn has_queued_purge(
    database: &impl ConnectionTrait,
    repository: RepositoryId,
) -> Result<bool, StoreError> {
    let statement = statement(
        database,
        "SELECT 1 FROM jobs WHERE repository_id = $1 AND kind = 'purge' AND state = 'queued' \
         AND index_run_id IS NULL",
        [repository.0.into()],
    );
    Ok(database.query_one_raw(statement).await?.is_some())
}

/// Whether a worker holds any job of the repository, other than `except`.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn any_running_in_repository(
    database: &impl ConnectionTrait,
    repository: RepositoryId,
    except: JobId,
) -> Result<bool, StoreError> {
    let statement = statement(
        database,
        "SELECT 1 FROM jobs WHERE repository_id = $1 AND id <> $2 AND state = 'running' \
         AND lease_expires_at >= $3",
        [repository.0.into(), except.0.into(), Utc::now().into()],
    );
    Ok(database.query_one_raw(statement).await?.is_some())
}
