//! Index runs: attempts to bring a branch to a commit, with their counters.

use chrono::{DateTime, Utc};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use serde::{Deserialize, Serialize};

use super::{
    StoreError,
    entities::index_run::{self, Model},
    sql::{execute, insert_rows},
};
use crate::domain::{
    BranchId, IndexRunId, OrganizationId, Problem, ProjectId, ReadScope, RepositoryId, RunStage,
    RunState, RunTrigger, SnapshotId,
};

/// Seconds that the stages took.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StageSeconds {
    pub sync: f64,
    pub plan: f64,
    /// From the first batch's start to the last one's end.
    pub batch: f64,
    pub publish: f64,
    /// Inside the batches: waiting for the embedder, summed over batches that run in parallel.
    pub embed: f64,
}

impl StageSeconds {
    /// Reads the stored form; an unreadable one is all zeros, since it is only shown.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    fn to_text(self) -> String {
        serde_json::to_string(&self).unwrap_or_else(|_| "{}".to_owned())
    }
}

/// A run that is to be written.
#[derive(Debug, Clone)]
pub struct NewRun {
    pub organization_id: OrganizationId,
    pub project_id: ProjectId,
    pub repository_id: RepositoryId,
    pub branch_id: Option<BranchId>,
    pub branch: Option<String>,
    pub trigger: RunTrigger,
    pub stage: RunStage,
    pub commit: Option<String>,
}

/// Writes a queued run.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn insert(
    database: &impl ConnectionTrait,
    run: NewRun,
) -> Result<IndexRunId, StoreError> {
    let id = IndexRunId::generate();
    let columns = [
        "id",
        "organization_id",
        "project_id",
        "repository_id",
        "branch_id",
        "branch",
        "trigger",
        "state",
        "stage",
        "commit",
        "stage_seconds",
        "created_at",
    ];
    let values = vec![
        id.0.into(),
        run.organization_id.0.into(),
        run.project_id.0.into(),
        run.repository_id.0.into(),
        run.branch_id.map(|id| id.0).into(),
        run.branch.into(),
        run.trigger.as_str().into(),
        RunState::Queued.as_str().into(),
        run.stage.as_str().into(),
        run.commit.into(),
        StageSeconds::default().to_text().into(),
        Utc::now().into(),
    ];
    insert_rows(database, "index_runs", &columns, "", values).await?;
    Ok(id)
}

/// One run, for jobs.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none.
pub async fn get(database: &impl ConnectionTrait, id: IndexRunId) -> Result<Model, StoreError> {
    index_run::Entity::find_by_id(id.0)
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("index run"))
}

/// One run of the scope.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none in the scope.
pub async fn find(
    database: &impl ConnectionTrait,
    scope: &ReadScope,
    id: IndexRunId,
) -> Result<Model, StoreError> {
    scoped(scope)
        .filter(index_run::Column::Id.eq(id.0))
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("index run"))
}

/// Runs of a repository, newest first; `before` is the last id of the page before.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list(
    database: &impl ConnectionTrait,
    scope: &ReadScope,
    repository: RepositoryId,
    before: Option<IndexRunId>,
    limit: u64,
) -> Result<Vec<Model>, StoreError> {
    let mut query = scoped(scope).filter(index_run::Column::RepositoryId.eq(repository.0));
    if let Some(before) = before {
        query = query.filter(index_run::Column::Id.lt(before.0));
    }
    Ok(query
        .order_by_desc(index_run::Column::Id)
        .limit(limit)
        .all(database)
        .await?)
}

/// The newest run of each repository.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn latest(
    database: &impl ConnectionTrait,
    scope: &ReadScope,
    repositories: &[RepositoryId],
) -> Result<Vec<Model>, StoreError> {
    // Few repositories are on a page, and each look-up is one step in the index.
    let mut found = Vec::with_capacity(repositories.len());
    for repository in repositories {
        found.extend(list(database, scope, *repository, None, 1).await?);
    }
    Ok(found)
}

fn scoped(scope: &ReadScope) -> sea_orm::Select<index_run::Entity> {
    index_run::Entity::find()
        .filter(index_run::Column::OrganizationId.eq(scope.organization_id().0))
        .filter(index_run::Column::ProjectId.is_in(scope.projects().iter().map(|id| id.0)))
}

/// The queued run that a request for the same branch joins.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn find_pending(
    database: &impl ConnectionTrait,
    repository: RepositoryId,
    branch: Option<&str>,
) -> Result<Option<Model>, StoreError> {
    let same_branch = match branch {
        Some(branch) => index_run::Column::Branch.eq(branch),
        None => index_run::Column::Branch.is_null(),
    };
    Ok(index_run::Entity::find()
        .filter(index_run::Column::RepositoryId.eq(repository.0))
        .filter(index_run::Column::State.eq(RunState::Queued.as_str()))
        .filter(same_branch)
        .one(database)
        .await?)
}

/// Runs of a repository that are not final.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_open(
    database: &impl ConnectionTrait,
    repository: RepositoryId,
) -> Result<Vec<Model>, StoreError> {
    Ok(index_run::Entity::find()
        .filter(index_run::Column::RepositoryId.eq(repository.0))
        .filter(
            index_run::Column::State.is_in([RunState::Queued.as_str(), RunState::Running.as_str()]),
        )
        .order_by_asc(index_run::Column::Id)
        .all(database)
        .await?)
}

/// Marks the run as running, for a job of it that is at this attempt: a run needed as many attempts
/// as the job that needed most. `false` when it is final already.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn start(
    database: &impl ConnectionTrait,
    id: IndexRunId,
    attempt: i64,
) -> Result<bool, StoreError> {
    let changed = execute(
        database,
        "UPDATE index_runs SET state = 'running', \
         attempts = CASE WHEN attempts < $3 THEN $3 ELSE attempts END, \
         started_at = COALESCE(started_at, $2) WHERE id = $1 AND state IN ('queued', 'running')",
        [id.0.into(), Some(Utc::now()).into(), attempt.into()],
    )
    .await?;
    Ok(changed == 1)
}

/// Records what sync has resolved and moves the run to the plan stage.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn set_target(
    database: &impl ConnectionTrait,
    id: IndexRunId,
    branch_id: BranchId,
    branch: &str,
    commit: &str,
) -> Result<(), StoreError> {
    execute(
        database,
        "UPDATE index_runs SET branch_id = $2, branch = $3, \"commit\" = $4 WHERE id = $1",
        [
            id.0.into(),
            branch_id.0.into(),
            branch.into(),
            commit.into(),
        ],
    )
    .await?;
    Ok(())
}

/// Moves the run to another stage.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn set_stage(
    database: &impl ConnectionTrait,
    id: IndexRunId,
    stage: RunStage,
) -> Result<(), StoreError> {
    execute(
        database,
        "UPDATE index_runs SET stage = $2 WHERE id = $1",
        [id.0.into(), stage.as_str().into()],
    )
    .await?;
    Ok(())
}

/// Names the snapshot that the run builds.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn set_snapshot(
    database: &impl ConnectionTrait,
    id: IndexRunId,
    snapshot: SnapshotId,
) -> Result<(), StoreError> {
    execute(
        database,
        "UPDATE index_runs SET snapshot_id = $2 WHERE id = $1",
        [id.0.into(), snapshot.0.into()],
    )
    .await?;
    Ok(())
}

/// What the plan counted so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlanCounts {
    pub files_seen: i64,
    /// Changed files that batches process.
    pub files_total: i64,
    pub bytes_total: i64,
    pub batches_total: i64,
}

/// Writes the plan's counters and takes back what batches of an earlier attempt had counted.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn set_plan_counts(
    database: &impl ConnectionTrait,
    id: IndexRunId,
    counts: PlanCounts,
) -> Result<(), StoreError> {
    execute(
        database,
        "UPDATE index_runs SET files_seen = $2, files_total = $3, bytes_total = $4, \
         batches_total = $5, files_done = 0, chunks_done = 0, chunks_embedded = 0, \
         embedding_cache_hits = 0, batches_done = 0, bytes_done = 0 WHERE id = $1",
        [
            id.0.into(),
            counts.files_seen.into(),
            counts.files_total.into(),
            counts.bytes_total.into(),
            counts.batches_total.into(),
        ],
    )
    .await?;
    Ok(())
}

/// What one batch did.
#[derive(Debug, Clone, Copy, Default)]
pub struct BatchCounts {
    pub files: i64,
    pub bytes: i64,
    pub chunks: i64,
    pub embedded: i64,
    pub cache_hits: i64,
}

/// Adds a finished batch to the run's counters and returns (batches done, batches in all).
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn add_batch(
    database: &impl ConnectionTrait,
    id: IndexRunId,
    counts: BatchCounts,
) -> Result<(i64, i64), StoreError> {
    let statement = super::sql::statement(
        database,
        "UPDATE index_runs SET files_done = files_done + $2, bytes_done = bytes_done + $3, \
         chunks_done = chunks_done + $4, chunks_embedded = chunks_embedded + $5, \
         embedding_cache_hits = embedding_cache_hits + $6, batches_done = batches_done + 1 \
         WHERE id = $1 RETURNING batches_done, batches_total",
        [
            id.0.into(),
            counts.files.into(),
            counts.bytes.into(),
            counts.chunks.into(),
            counts.embedded.into(),
            counts.cache_hits.into(),
        ],
    );
    let row = database
        .query_one_raw(statement)
        .await?
        .ok_or(StoreError::NotFound("index run"))?;
    Ok((
        row.try_get("", "batches_done")?,
        row.try_get("", "batches_total")?,
    ))
}

/// Changes the stage seconds; the caller's transaction holds the run.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn add_seconds(
    database: &impl ConnectionTrait,
    id: IndexRunId,
    change: impl FnOnce(&mut StageSeconds),
) -> Result<(), StoreError> {
    let run = get(database, id).await?;
    let mut seconds = StageSeconds::parse(&run.stage_seconds);
    change(&mut seconds);
    execute(
        database,
        "UPDATE index_runs SET stage_seconds = $2 WHERE id = $1",
        [id.0.into(), seconds.to_text().into()],
    )
    .await?;
    Ok(())
}

/// Ends the run. `false` when it was final already.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn finish(
    database: &impl ConnectionTrait,
    id: IndexRunId,
    state: RunState,
    problem: Option<&Problem>,
) -> Result<bool, StoreError> {
    let finished_at: Option<DateTime<Utc>> = Some(Utc::now());
    let changed = execute(
        database,
        "UPDATE index_runs SET state = $2, error_code = $3, error_message = $4, \
         finished_at = $5, stage = CASE WHEN $2 = 'succeeded' THEN 'done' ELSE stage END \
         WHERE id = $1 AND state IN ('queued', 'running')",
        [
            id.0.into(),
            state.as_str().into(),
            problem.map(|problem| problem.code.clone()).into(),
            problem.map(|problem| problem.message.clone()).into(),
            finished_at.into(),
        ],
    )
    .await?;
    Ok(changed == 1)
}

/// Records that somebody wants the run to stop.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn request_cancel(
    database: &impl ConnectionTrait,
    id: IndexRunId,
) -> Result<(), StoreError> {
    execute(
        database,
        "UPDATE index_runs SET cancel_requested = $2 WHERE id = $1",
        [id.0.into(), true.into()],
    )
    .await?;
    Ok(())
}
