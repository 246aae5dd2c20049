//! Taking back a snapshot that was never published: what it bore is removed, what it let die lives
//! again. Idempotent; the snapshot stays hidden until the last step.

use std::time::Duration;

use super::{IndexingError, stage::Stage};
use crate::{
    domain::{BranchId, ChunkId, IndexRunId, SnapshotId, SnapshotState},
    store::{
        chunks::{self, Boundary},
        entities::snapshot,
        files, jobs, snapshots,
    },
};

/// Time for workers of an ended run to notice.
pub(super) const WAIT_FOR_WORKERS: Duration = Duration::from_millis(500);
/// Files that are removed in one short transaction.
const FILES: u64 = 200;

/// `false` while a worker still holds a job of the snapshot's run: it might write after us.
pub(super) async fn discard(
    stage: &Stage,
    snapshot: &snapshot::Model,
) -> Result<bool, IndexingError> {
    let (id, branch) = (SnapshotId(snapshot.id), BranchId(snapshot.branch_id));
    let indexing = &stage.indexing;
    if let Some(run) = snapshot.index_run_id
        && jobs::any_running(
            indexing.database().writer(),
            IndexRunId(run),
            stage.job_id(),
        )
        .await?
    {
        return Ok(false);
    }
    let transaction = stage.begin_unowned().await?;
    let (building, failed) = (SnapshotState::Building, SnapshotState::Failed);
    snapshots::set_state(&transaction, id, building, failed).await?;
    transaction.commit().await?;

    let reader = indexing.database().reader();
    let dying = chunks::ids_at(reader, branch, Boundary::Died, id).await?;
    indexing
        .set_documents_died(&dying, SnapshotId::NEVER)
        .await?;
    loop {
        let born = files::list_born(reader, branch, id, FILES).await?;
        if born.is_empty() {
            break;
        }
        let keys = chunks::keys_of_files(reader, &born).await?;
        let ids: Vec<ChunkId> = keys.iter().map(|key| ChunkId(key.id)).collect();
        indexing.delete_documents(&ids).await?;
        let transaction = stage.begin_unowned().await?;
        files::delete(&transaction, &born).await?;
        transaction.commit().await?;
    }
    let transaction = stage.begin_unowned().await?;
    files::revive(&transaction, branch, id).await?;
    snapshots::set_state(&transaction, id, failed, SnapshotState::Purged).await?;
    transaction.commit().await?;
    Ok(true)
}
