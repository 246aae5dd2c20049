//! Batches of changed files.

use chrono::Utc;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use super::{
    StoreError,
    entities::batch::{self, Model},
    sql::{execute, insert_rows},
};
use crate::domain::{BatchId, IndexRunId, SnapshotId};

/// A batch that is to be written.
#[derive(Debug, Clone, Copy, Default)]
pub struct NewBatch {
    /// From 1.
    pub number: i64,
    pub files: i64,
    pub bytes: i64,
}

/// Writes the batches of a run, in place of those of an earlier plan.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn replace(
    database: &impl ConnectionTrait,
    run: IndexRunId,
    snapshot: SnapshotId,
    batches: &[NewBatch],
) -> Result<(), StoreError> {
    execute(
        database,
        "DELETE FROM batches WHERE index_run_id = $1",
        [run.0.into()],
    )
    .await?;
    let columns = [
        "id",
        "index_run_id",
        "snapshot_id",
        "number",
        "files",
        "bytes",
    ];
    let values = batches
        .iter()
        .flat_map(|batch| {
            [
                BatchId::generate().0.into(),
                run.0.into(),
                snapshot.0.into(),
                batch.number.into(),
                batch.files.into(),
                batch.bytes.into(),
            ]
        })
        .collect();
    insert_rows(database, "batches", &columns, "", values).await
}

/// One batch of a run.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none.
pub async fn get(
    database: &impl ConnectionTrait,
    run: IndexRunId,
    number: i64,
) -> Result<Model, StoreError> {
    batch::Entity::find()
        .filter(batch::Column::IndexRunId.eq(run.0))
        .filter(batch::Column::Number.eq(number))
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("batch"))
}

/// Marks a batch as done. `false` when it was done before.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn finish(
    database: &impl ConnectionTrait,
    run: IndexRunId,
    number: i64,
) -> Result<bool, StoreError> {
    let changed = execute(
        database,
        "UPDATE batches SET done_at = $3 \
         WHERE index_run_id = $1 AND number = $2 AND done_at IS NULL",
        [run.0.into(), number.into(), Some(Utc::now()).into()],
    )
    .await?;
    Ok(changed == 1)
}
