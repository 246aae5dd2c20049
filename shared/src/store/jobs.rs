//! What is owed. A job is claimed with a lease; every claim raises its fencing token, and a worker
//! whose token is old may not write.

mod finders;

use std::time::Duration;

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, FromQueryResult};

use super::{
    StoreError,
    entities::job::Model,
    sql::{execute, locking, statement},
};
use crate::domain::{
    IndexRunId, JobId, JobKind, JobState, OrganizationId, Problem, ProjectId, QueueName,
    RepositoryId, UserId,
};

pub use finders::{
    any_running, any_running_in_repository, find, find_deletion, has_queued_purge, list,
    list_of_run,
};

/// A job that is to be written.
#[derive(Debug, Clone)]
pub struct NewJob {
    pub kind: JobKind,
    pub queue: QueueName,
    pub organization_id: OrganizationId,
    pub repository_id: RepositoryId,
    pub index_run_id: Option<IndexRunId>,
    /// Number of the batch, for batch jobs.
    pub batch: Option<i64>,
    /// Of a job that is about a whole project; its `repository_id` is all zeros.
    pub project_id: Option<ProjectId>,
    /// The person who may follow it.
    pub requested_by: Option<UserId>,
    /// How much there is to do, of jobs that wait for others.
    pub steps_total: Option<i64>,
    pub max_attempts: i64,
    pub run_after: DateTime<Utc>,
}

/// Writes jobs; their tickets are the caller's business after the commit.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn insert(
    database: &impl ConnectionTrait,
    jobs: &[NewJob],
) -> Result<Vec<JobId>, StoreError> {
    let now = Utc::now();
    let ids: Vec<JobId> = jobs.iter().map(|_| JobId::generate()).collect();
    let mut values = Vec::with_capacity(jobs.len() * COLUMNS.len());
    for (id, job) in ids.iter().zip(jobs) {
        values.extend([
            id.0.into(),
            job.kind.as_str().into(),
            job.queue.as_str().into(),
            job.organization_id.0.into(),
            job.repository_id.0.into(),
            job.index_run_id.map(|id| id.0).into(),
            job.batch.into(),
            JobState::Queued.as_str().into(),
            0_i64.into(),
            job.max_attempts.into(),
            job.run_after.into(),
            // The caller hands over the ticket right after its commit; the sweeper repeats it when
            // that did not happen.
            Some(now).into(),
            0_i64.into(),
            now.into(),
            job.project_id.map(|id| id.0).into(),
            job.requested_by.map(|id| id.0).into(),
            job.steps_total.into(),
            job.steps_total.map(|_| 0_i64).into(),
        ]);
    }
    super::sql::insert_rows(database, "jobs", COLUMNS, "", values).await?;
    Ok(ids)
}

const COLUMNS: &[&str] = &[
    "id",
    "kind",
    "queue",
    "organization_id",
    "repository_id",
    "index_run_id",
    "batch",
    "state",
    "attempts",
    "max_attempts",
    "run_after",
    "enqueued_at",
    "fencing_token",
    "created_at",
    "project_id",
    "requested_by",
    "steps_total",
    "steps_done",
];

/// Takes the job when it is due, or when its last owner's lease has run out; counts the attempt.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn claim(
    database: &impl ConnectionTrait,
    id: JobId,
    owner: &str,
    lease: Duration,
) -> Result<Option<Model>, StoreError> {
    let now = Utc::now();
    let statement = statement(
        database,
        "UPDATE jobs SET state = 'running', attempts = attempts + 1, \
         fencing_token = fencing_token + 1, lease_owner = $2, lease_expires_at = $3, \
         started_at = COALESCE(started_at, $4) \
         WHERE id = $1 AND ((state = 'queued' AND run_after <= $4) \
         OR (state = 'running' AND lease_expires_at < $4)) RETURNING *",
        [id.0.into(), owner.into(), (now + lease).into(), now.into()],
    );
    let row = database.query_one_raw(statement).await?;
    Ok(row
        .map(|row| Model::from_query_result(&row, ""))
        .transpose()?)
}

/// Extends the lease. `false` when the job has been taken over, cancelled or finished.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn extend_lease(
    database: &impl ConnectionTrait,
    id: JobId,
    fencing_token: i64,
    lease: Duration,
) -> Result<bool, StoreError> {
    let changed = execute(
        database,
        "UPDATE jobs SET lease_expires_at = $3 \
         WHERE id = $1 AND fencing_token = $2 AND state = 'running'",
        [
            id.0.into(),
            fencing_token.into(),
            (Utc::now() + lease).into(),
        ],
    )
    .await?;
    Ok(changed == 1)
}

/// Ends the job as succeeded, inside the transaction that made its effects.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn succeed(
    database: &impl ConnectionTrait,
    id: JobId,
    fencing_token: i64,
) -> Result<bool, StoreError> {
    finish(database, id, fencing_token, JobState::Succeeded, None).await
}

/// Ends the job in a final state. `false` when the token is old.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn finish(
    database: &impl ConnectionTrait,
    id: JobId,
    fencing_token: i64,
    state: JobState,
    problem: Option<&Problem>,
) -> Result<bool, StoreError> {
    let changed = execute(
        database,
        "UPDATE jobs SET state = $3, error_code = $4, error_message = $5, finished_at = $6, \
         lease_owner = NULL, lease_expires_at = NULL \
         WHERE id = $1 AND fencing_token = $2 AND state = 'running'",
        [
            id.0.into(),
            fencing_token.into(),
            state.as_str().into(),
            problem.map(|problem| problem.code.clone()).into(),
            problem.map(|problem| problem.message.clone()).into(),
            Utc::now().into(),
        ],
    )
    .await?;
    Ok(changed == 1)
}

/// Puts the job back, to be run again at `run_after`. With `counts` false the attempt is given
/// back: the job did not fail, it had to wait. `false` when the token is old.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn put_back(
    database: &impl ConnectionTrait,
    id: JobId,
    fencing_token: i64,
    run_after: DateTime<Utc>,
    counts: bool,
    problem: Option<&Problem>,
) -> Result<bool, StoreError> {
    let changed = execute(
        database,
        "UPDATE jobs SET state = 'queued', run_after = $3, attempts = attempts - $4, \
         error_code = $5, error_message = $6, lease_owner = NULL, lease_expires_at = NULL, \
         enqueued_at = $7 \
         WHERE id = $1 AND fencing_token = $2 AND state = 'running'",
        [
            id.0.into(),
            fencing_token.into(),
            run_after.into(),
            i64::from(!counts).into(),
            problem.map(|problem| problem.code.clone()).into(),
            problem.map(|problem| problem.message.clone()).into(),
            Some(Utc::now()).into(),
        ],
    )
    .await?;
    Ok(changed == 1)
}

/// Cancels the run's jobs that no worker holds.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn cancel_queued(
    database: &impl ConnectionTrait,
    run: IndexRunId,
) -> Result<u64, StoreError> {
    execute(
        database,
        "UPDATE jobs SET state = 'cancelled', finished_at = $2 \
         WHERE index_run_id = $1 AND state = 'queued' AND kind <> 'purge'",
        [run.0.into(), Utc::now().into()],
    )
    .await
}

/// Jobs that want a ticket: due and never handed over, or handed over longer ago than `lost_after`;
/// with `all` every queued job. Marks them as handed over now.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn take_unticketed(
    database: &impl ConnectionTrait,
    lost_after: Duration,
    all: bool,
) -> Result<Vec<Model>, StoreError> {
    let now = Utc::now();
    let statement = statement(
        database,
        "UPDATE jobs SET enqueued_at = $1 WHERE state = 'queued' AND ($3 \
         OR (enqueued_at IS NULL AND run_after <= $1) \
         OR (enqueued_at < $2 AND run_after <= $2)) RETURNING *",
        [Some(now).into(), (now - lost_after).into(), all.into()],
    );
    let rows = database.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| Ok(Model::from_query_result(row, "")?))
        .collect()
}

/// Takes jobs back whose lease has run out; with `all` every running job, which is right when this
/// process has just started and is the only one.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn take_back_expired(
    database: &impl ConnectionTrait,
    all: bool,
) -> Result<u64, StoreError> {
    execute(
        database,
        "UPDATE jobs SET state = 'queued', lease_owner = NULL, lease_expires_at = NULL, \
         fencing_token = fencing_token + 1, enqueued_at = NULL \
         WHERE state = 'running' AND ($2 OR lease_expires_at < $1)",
        [Utc::now().into(), all.into()],
    )
    .await
}

/// Makes a dead job queued again with fresh attempts.
///
/// # Errors
/// [`StoreError::NotFound`] when there is no such job, [`StoreError::Conflict`] when it is not dead.
pub async fn revive(database: &impl ConnectionTrait, id: JobId) -> Result<Model, StoreError> {
    let job = find(database, id).await?;
    let changed = execute(
        database,
        "UPDATE jobs SET state = 'queued', attempts = 0, run_after = $2, enqueued_at = $3, \
         finished_at = NULL, error_code = NULL, error_message = NULL \
         WHERE id = $1 AND state = 'dead'",
        [id.0.into(), Utc::now().into(), Some(Utc::now()).into()],
    )
    .await?;
    if changed == 0 {
        return Err(StoreError::Conflict {
            code: "job_not_dead",
            detail: format!("the job is `{}`, only a dead one can be retried", job.state),
        });
    }
    Ok(job)
}

/// Whether the token still holds the job; on PostgreSQL the row stays locked until the transaction
/// ends, so that nobody takes the job over in between.
///
/// # Errors
/// [`StoreError`] of the database.
pub(crate) async fn holds(
    database: &impl ConnectionTrait,
    id: JobId,
    fencing_token: i64,
) -> Result<bool, StoreError> {
    let text = format!(
        "SELECT 1 FROM jobs WHERE id = $1 AND fencing_token = $2 AND state = 'running'{}",
        locking(database, " FOR UPDATE")
    );
    let statement = statement(database, &text, [id.0.into(), fencing_token.into()]);
    Ok(database.query_one_raw(statement).await?.is_some())
}

/// Wakes the sync jobs that wait for their repository; returns them.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn wake_waiting(
    database: &impl ConnectionTrait,
    repository: RepositoryId,
) -> Result<Vec<Model>, StoreError> {
    let now = Utc::now();
    let statement = statement(
        database,
        "UPDATE jobs SET run_after = $2, enqueued_at = $3 WHERE repository_id = $1 \
         AND state = 'queued' AND kind IN ('sync', 'delete_repository') AND attempts = 0 \
         RETURNING *",
        [repository.0.into(), now.into(), Some(now).into()],
    );
    let rows = database.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| Ok(Model::from_query_result(row, "")?))
        .collect()
}

/// Writes down how many steps are left of a job that waits for others. What came in late makes the
/// total grow. An old token changes nothing.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn set_steps_left(
    database: &impl ConnectionTrait,
    id: JobId,
    fencing_token: i64,
    left: i64,
) -> Result<(), StoreError> {
    execute(
        database,
        "UPDATE jobs SET \
         steps_total = CASE WHEN COALESCE(steps_total, 0) < $3 THEN $3 ELSE steps_total END, \
         steps_done = CASE WHEN COALESCE(steps_total, 0) < $3 THEN 0 ELSE steps_total - $3 END \
         WHERE id = $1 AND fencing_token = $2 AND state = 'running'",
        [id.0.into(), fencing_token.into(), left.into()],
    )
    .await?;
    Ok(())
}

/// Says that no ticket is under way for a queued job, so that the next sweep hands one out.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn forget_ticket(database: &impl ConnectionTrait, id: JobId) -> Result<(), StoreError> {
    execute(
        database,
        "UPDATE jobs SET enqueued_at = NULL WHERE id = $1 AND state = 'queued'",
        [id.0.into()],
    )
    .await?;
    Ok(())
}

/// Cancels every job of the repository that no worker holds.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn cancel_queued_of_repository(
    database: &impl ConnectionTrait,
    repository: RepositoryId,
) -> Result<u64, StoreError> {
    execute(
        database,
        "UPDATE jobs SET state = 'cancelled', finished_at = $2 \
         WHERE repository_id = $1 AND state = 'queued'",
        [repository.0.into(), Some(Utc::now()).into()],
    )
    .await
}
