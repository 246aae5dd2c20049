//! Removing what no retained snapshot shows, after the grace period.

use std::collections::HashSet;

use chrono::Utc;

use super::{
    IndexingError, discard,
    stage::{Outcome, Stage},
};
use crate::{
    domain::{BranchId, ChunkId, JobKind, QueueName, SnapshotId, SnapshotState},
    jobs as owing,
    store::{
        blobs, branches, chunks, embeddings,
        entities::{branch, snapshot},
        files, index_runs, snapshots,
    },
};

/// Files that are removed in one short transaction.
const FILES: u64 = 200;

pub(super) async fn run(stage: &Stage) -> Result<Outcome, IndexingError> {
    match stage.job.index_run_id {
        Some(_) => discard_failed(stage).await,
        None => purge_repository(stage).await,
    }
}

/// Takes back the snapshot of a run that failed or was cancelled.
async fn discard_failed(stage: &Stage) -> Result<Outcome, IndexingError> {
    let reader = stage.indexing.database().reader();
    let run = index_runs::get(reader, stage.run_id()?).await?;
    if let Some(id) = run.snapshot_id {
        let snapshot = snapshots::get(reader, SnapshotId(id)).await?;
        let is_failed = snapshot.state == SnapshotState::Failed.as_str();
        if is_failed && !discard::discard(stage, &snapshot).await? {
            return Ok(Outcome::Wait(discard::WAIT_FOR_WORKERS));
        }
    }
    finish(stage, false).await
}

async fn purge_repository(stage: &Stage) -> Result<Outcome, IndexingError> {
    let reader = stage.indexing.database().reader();
    let mut is_something_left = false;
    for branch in branches::list_of_repository(reader, stage.repository_id()).await? {
        is_something_left |= purge_branch(stage, &branch).await?;
    }
    finish(stage, is_something_left).await
}

async fn finish(stage: &Stage, again: bool) -> Result<Outcome, IndexingError> {
    let transaction = stage.begin_unowned().await?;
    stage.succeed(&transaction).await?;
    let mut owed = Vec::new();
    if again {
        let indexing = &stage.indexing;
        let (organization, repository) = (stage.organization(), stage.repository_id());
        let mut purge = indexing.new_job(JobKind::Purge, QueueName::Bulk, organization, repository);
        purge.run_after = Utc::now() + indexing.settings().grace();
        owed = owing::enqueue(&transaction, &[purge]).await?;
    }
    transaction.commit().await?;
    Ok(Outcome::Finished(owed))
}

/// Removes old snapshots of a branch. `true` when some are kept only for the grace period.
async fn purge_branch(stage: &Stage, branch: &branch::Model) -> Result<bool, IndexingError> {
    let reader = stage.indexing.database().reader();
    let branch_id = BranchId(branch.id);
    let states = [SnapshotState::Published];
    let published = snapshots::list_of_branch(reader, branch_id, &states).await?;
    let settings = stage.indexing.settings();
    let (retained, in_grace) = retained(&published, settings.retained_snapshots, settings.grace());
    let Some(oldest) = published.get(retained.saturating_sub(1)) else {
        return Ok(false);
    };
    let oldest = SnapshotId(oldest.id);
    // First out of sight, then out of store: nobody may start reading what is being removed.
    for snapshot in published.iter().skip(retained) {
        let transaction = stage.begin_unowned().await?;
        let (from, to) = (SnapshotState::Published, SnapshotState::Purged);
        snapshots::set_state(&transaction, SnapshotId(snapshot.id), from, to).await?;
        transaction.commit().await?;
    }
    loop {
        let dead = files::list_dead(reader, branch_id, oldest, FILES).await?;
        if dead.is_empty() {
            return Ok(in_grace);
        }
        remove(stage, &dead).await?;
    }
}

/// How many of the published snapshots (newest first) stay, and whether some of them only because
/// they were replaced a short time ago.
fn retained(
    published: &[snapshot::Model],
    keep: usize,
    grace: std::time::Duration,
) -> (usize, bool) {
    let keep = keep.max(1);
    let now = Utc::now();
    let mut retained = published.len().min(keep);
    while retained < published.len() {
        // Replaced when the next newer one was published.
        let replaced = published
            .get(retained - 1)
            .and_then(|newer| newer.published_at);
        let is_recent = replaced.is_some_and(|at| at + grace > now);
        if !is_recent {
            break;
        }
        retained += 1;
    }
    (retained, retained > keep)
}

pub(super) async fn remove(stage: &Stage, dead: &[files::DeadFile]) -> Result<(), IndexingError> {
    let reader = stage.indexing.database().reader();
    let ids: Vec<i64> = dead.iter().map(|file| file.id).collect();
    let keys = chunks::keys_of_files(reader, &ids).await?;
    let documents: Vec<ChunkId> = keys.iter().map(|key| ChunkId(key.id)).collect();
    stage.indexing.delete_documents(&documents).await?;
    let blob_ids: HashSet<i64> = dead.iter().filter_map(|file| file.blob_id).collect();
    let embedding_ids: HashSet<i64> = keys.iter().filter_map(|key| key.embedding_id).collect();
    let mut blob_ids: Vec<i64> = blob_ids.into_iter().collect();
    let mut embedding_ids: Vec<i64> = embedding_ids.into_iter().collect();
    blob_ids.sort_unstable();
    embedding_ids.sort_unstable();
    let transaction = stage.begin_unowned().await?;
    files::delete(&transaction, &ids).await?;
    blobs::delete_unreferenced(&transaction, &blob_ids).await?;
    embeddings::delete_unreferenced(&transaction, &embedding_ids).await?;
    transaction.commit().await?;
    Ok(())
}
