//! Snapshots: commits of a branch, from building to purged.

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect,
};

use super::{
    StoreError,
    entities::{
        branch,
        snapshot::{self, Model},
    },
    sql::{execute, statement},
};
use crate::domain::{BranchId, IndexRunId, ReadScope, SnapshotId, SnapshotState};

/// Starts a snapshot; its id is higher than every id before it.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn insert(
    database: &impl ConnectionTrait,
    branch: &branch::Model,
    run: IndexRunId,
    commit: &str,
    committed_at: Option<DateTime<Utc>>,
    format: &str,
) -> Result<SnapshotId, StoreError> {
    let statement = statement(
        database,
        "INSERT INTO snapshots (organization_id, project_id, repository_id, branch_id, \
         index_run_id, \"commit\", committed_at, state, format, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id",
        [
            branch.organization_id.into(),
            branch.project_id.into(),
            branch.repository_id.into(),
            branch.id.into(),
            run.0.into(),
            commit.into(),
            committed_at.into(),
            SnapshotState::Building.as_str().into(),
            format.into(),
            Utc::now().into(),
        ],
    );
    let row = database
        .query_one_raw(statement)
        .await?
        .ok_or(StoreError::Corrupt("snapshot"))?;
    Ok(SnapshotId(row.try_get("", "id")?))
}

/// One snapshot, for jobs.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none.
pub async fn get(database: &impl ConnectionTrait, id: SnapshotId) -> Result<Model, StoreError> {
    snapshot::Entity::find_by_id(id.0)
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("snapshot"))
}

/// One published snapshot of the scope. Building, failed and purged ones are missing.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none in the scope.
pub async fn find(
    database: &impl ConnectionTrait,
    scope: &ReadScope,
    id: SnapshotId,
) -> Result<Model, StoreError> {
    published(scope)
        .filter(snapshot::Column::Id.eq(id.0))
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("snapshot"))
}

/// Several published snapshots of the scope at once, for lists of repositories and branches.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn find_many(
    database: &impl ConnectionTrait,
    scope: &ReadScope,
    ids: &[SnapshotId],
) -> Result<Vec<Model>, StoreError> {
    Ok(published(scope)
        .filter(snapshot::Column::Id.is_in(ids.iter().map(|id| id.0)))
        .all(database)
        .await?)
}

/// Published snapshots of a branch, newest first; `before` is the last id of the page before.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list(
    database: &impl ConnectionTrait,
    scope: &ReadScope,
    branch: BranchId,
    before: Option<SnapshotId>,
    limit: u64,
) -> Result<Vec<Model>, StoreError> {
    let mut query = published(scope).filter(snapshot::Column::BranchId.eq(branch.0));
    if let Some(before) = before {
        query = query.filter(snapshot::Column::Id.lt(before.0));
    }
    Ok(query
        .order_by_desc(snapshot::Column::Id)
        .limit(limit)
        .all(database)
        .await?)
}

fn published(scope: &ReadScope) -> sea_orm::Select<snapshot::Entity> {
    snapshot::Entity::find()
        .filter(snapshot::Column::OrganizationId.eq(scope.organization_id().0))
        .filter(snapshot::Column::ProjectId.is_in(scope.projects().iter().map(|id| id.0)))
        .filter(snapshot::Column::State.eq(SnapshotState::Published.as_str()))
}

/// Snapshots of a branch in one of the states, newest first, for jobs.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_of_branch(
    database: &impl ConnectionTrait,
    branch: BranchId,
    states: &[SnapshotState],
) -> Result<Vec<Model>, StoreError> {
    Ok(snapshot::Entity::find()
        .filter(snapshot::Column::BranchId.eq(branch.0))
        .filter(snapshot::Column::State.is_in(states.iter().map(|state| state.as_str())))
        .order_by_desc(snapshot::Column::Id)
        .all(database)
        .await?)
}

/// Snapshots in one of the states over all branches, oldest first, for jobs.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_in_state(
    database: &impl ConnectionTrait,
    state: SnapshotState,
) -> Result<Vec<Model>, StoreError> {
    Ok(snapshot::Entity::find()
        .filter(snapshot::Column::State.eq(state.as_str()))
        .order_by_asc(snapshot::Column::Id)
        .all(database)
        .await?)
}

/// Moves a snapshot between states. `false` when it is not in `from`.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn set_state(
    database: &impl ConnectionTrait,
    id: SnapshotId,
    from: SnapshotState,
    to: SnapshotState,
) -> Result<bool, StoreError> {
    let changed = execute(
        database,
        "UPDATE snapshots SET state = $3 WHERE id = $1 AND state = $2",
        [id.0.into(), from.as_str().into(), to.as_str().into()],
    )
    .await?;
    Ok(changed == 1)
}

/// What a snapshot holds, counted before it is published.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SnapshotCounts {
    pub files_seen: i64,
    pub files_indexed: i64,
    pub files_skipped: i64,
    pub chunks: i64,
    /// Points in the vector engine; `None` without an embedder.
    pub points: Option<i64>,
    /// Documents in the lexical engine.
    pub documents: i64,
    pub bytes: i64,
    pub field_lengths: String,
    pub vector_sum: Option<Vec<u8>>,
}

/// Marks a snapshot as published with its counts. `false` when it is not building.
///
/// # Errors
/// [`StoreError`] of the database.
pub(crate) async fn publish(
    database: &impl ConnectionTrait,
    id: SnapshotId,
    counts: SnapshotCounts,
) -> Result<bool, StoreError> {
    let changed = execute(
        database,
        "UPDATE snapshots SET state = 'published', published_at = $2, files_seen = $3, \
         files_indexed = $4, files_skipped = $5, chunks = $6, points = $7, documents = $8, \
         bytes = $9, field_lengths = $10, vector_sum = $11 WHERE id = $1 AND state = 'building'",
        [
            id.0.into(),
            Some(Utc::now()).into(),
            counts.files_seen.into(),
            counts.files_indexed.into(),
            counts.files_skipped.into(),
            counts.chunks.into(),
            counts.points.into(),
            counts.documents.into(),
            counts.bytes.into(),
            Some(counts.field_lengths).into(),
            counts.vector_sum.into(),
        ],
    )
    .await?;
    Ok(changed == 1)
}

/// Snapshots up to `horizon` that are neither published nor purged: building ones and failed ones
/// whose rows are still there.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_unpublished(
    database: &impl ConnectionTrait,
    horizon: SnapshotId,
) -> Result<Vec<SnapshotId>, StoreError> {
    #[derive(FromQueryResult)]
    struct Row {
        id: i64,
    }
    let statement = statement(
        database,
        "SELECT id FROM snapshots WHERE state IN ('building', 'failed') AND id <= $1 ORDER BY id",
        [horizon.0.into()],
    );
    let rows = Row::find_by_statement(statement).all(database).await?;
    Ok(rows.into_iter().map(|row| SnapshotId(row.id)).collect())
}
