//! Last stage of a run: count SQL against both engines, then move the branch in one write.

use std::time::Instant;

use chrono::{DateTime, Utc};

use super::{
    IndexingError,
    stage::{Outcome, Stage, snapshot_filter},
    statistics,
};
use crate::{
    domain::{
        BranchId, JobKind, OrganizationId, ProjectId, QueueName, RepositoryId, RepositoryState,
        RunState, SnapshotId,
    },
    jobs::{self as owing, Owed},
    store::{
        branches,
        chunks::{self, Boundary},
        entities::{branch, index_run, snapshot},
        files, index_runs, jobs,
        quotas::{self, Holding},
        repositories,
        snapshots::{self, SnapshotCounts},
    },
};

pub(super) async fn run(stage: &Stage) -> Result<Outcome, IndexingError> {
    let started = Instant::now();
    let reader = stage.indexing.database().reader();
    let run = stage.run().await?;
    let (Some(branch), Some(snapshot)) = (run.branch_id, run.snapshot_id) else {
        return Err(IndexingError::Fenced);
    };
    let (branch_id, snapshot) = (BranchId(branch), SnapshotId(snapshot));
    let branch = branches::get(reader, branch_id).await?;
    let dead = chunks::ids_at(reader, branch_id, Boundary::Died, snapshot).await?;
    stage.indexing.set_documents_died(&dead, snapshot).await?;
    let counted = count(stage, &branch, snapshot).await?;
    let before = match branch.published_snapshot_id {
        Some(id) => Some(snapshots::get(reader, SnapshotId(id)).await?),
        None => None,
    };
    admit(stage, before.as_ref(), &counted).await?;
    let statistics = statistics::compute(stage, branch_id, snapshot, before.as_ref()).await?;
    let counts = SnapshotCounts {
        field_lengths: statistics.field_lengths(),
        vector_sum: statistics.vector_sum_bytes(),
        ..counted
    };
    publish(stage, &run, branch_id, snapshot, counts, started).await
}

/// Refuses a snapshot with which the organization would hold more than it may; the published one
/// stays.
async fn admit(
    stage: &Stage,
    before: Option<&snapshot::Model>,
    counted: &SnapshotCounts,
) -> Result<(), IndexingError> {
    let holding = |bytes: i64, chunks: i64| Holding {
        bytes: u64::try_from(bytes).unwrap_or(0),
        chunks: u64::try_from(chunks).unwrap_or(0),
    };
    let before = before.map_or_else(Holding::default, |row| holding(row.bytes, row.chunks));
    let after = holding(counted.bytes, counted.chunks);
    let parts = stage.indexing.parts();
    let reader = parts.database.reader();
    let organization = stage.organization();
    Ok(quotas::admit_snapshot(reader, organization, &parts.quotas, before, after).await?)
}

/// Counts what the snapshot shows in SQL and both engines. An engine that disagrees gets its
/// documents once more; one that still disagrees fails the attempt.
async fn count(
    stage: &Stage,
    branch: &branch::Model,
    snapshot: SnapshotId,
) -> Result<SnapshotCounts, IndexingError> {
    let reader = stage.indexing.database().reader();
    let branch_id = BranchId(branch.id);
    let files = files::count(reader, branch_id, snapshot).await?;
    if files.pending > 0 {
        return Err(IndexingError::FilesPending(files.pending));
    }
    let rows = chunks::count(reader, branch_id, snapshot).await?;
    let filter = snapshot_filter(
        OrganizationId(branch.organization_id),
        ProjectId(branch.project_id),
        branch_id,
        snapshot,
    );
    let expected = (rows.chunks, stage.embedder().map(|_| rows.embedded));
    let mut found = stage.indexing.count_documents(&filter).await?;
    if found != expected {
        tracing::warn!(
            snapshot = snapshot.0,
            ?expected,
            ?found,
            "engines disagree with SQL"
        );
        stage.indexing.repair_branch(branch_id).await?;
        found = stage.indexing.count_documents(&filter).await?;
    }
    if found.0 != expected.0 {
        return Err(disagreement("lexical", expected.0, found.0));
    }
    if found.1 != expected.1 {
        let (expected, found) = (expected.1.unwrap_or_default(), found.1.unwrap_or_default());
        return Err(disagreement("vector", expected, found));
    }
    Ok(SnapshotCounts {
        files_seen: files.indexed + files.skipped,
        files_indexed: files.indexed,
        files_skipped: files.skipped,
        chunks: rows.chunks,
        points: found.1,
        documents: found.0,
        bytes: files.bytes,
        ..SnapshotCounts::default()
    })
}

const fn disagreement(engine: &'static str, expected: i64, found: i64) -> IndexingError {
    IndexingError::CountsDisagree {
        engine,
        expected,
        found,
    }
}

async fn publish(
    stage: &Stage,
    run: &index_run::Model,
    branch: BranchId,
    snapshot: SnapshotId,
    counts: SnapshotCounts,
    started: Instant,
) -> Result<Outcome, IndexingError> {
    let id = stage.run_id()?;
    let repository = RepositoryId(run.repository_id);
    let batch_seconds = batch_seconds(stage).await?;
    let transaction = stage.begin_last().await?;
    if !repositories::is_owner(&transaction, repository, id).await? {
        return Err(IndexingError::Fenced);
    }
    let is_new = snapshots::publish(&transaction, snapshot, counts).await?;
    if !is_new || !branches::publish(&transaction, branch, snapshot).await? {
        return Err(IndexingError::Fenced);
    }
    index_runs::add_seconds(&transaction, id, |stages| {
        stages.batch = batch_seconds;
        stages.publish += started.elapsed().as_secs_f64();
    })
    .await?;
    index_runs::finish(&transaction, id, RunState::Succeeded, None).await?;
    repositories::set_state(&transaction, repository, RepositoryState::Ready, None).await?;
    let mut owed = purge_later(stage, &transaction).await?;
    stage.succeed(&transaction).await?;
    owed.extend(stage.indexing.release_repository(&transaction, run).await?);
    transaction.commit().await?;
    stage.indexing.changed(id);
    Ok(Outcome::Finished(owed))
}

/// From the end of the plan to the end of the last batch.
async fn batch_seconds(stage: &Stage) -> Result<f64, IndexingError> {
    let reader = stage.indexing.database().reader();
    let jobs = jobs::list_of_run(reader, stage.run_id()?).await?;
    let end_of = |kind: JobKind| -> Option<DateTime<Utc>> {
        let ended = jobs.iter().filter(|job| job.kind == kind.as_str());
        ended.filter_map(|job| job.finished_at).max()
    };
    Ok(match (end_of(JobKind::Plan), end_of(JobKind::Batch)) {
        (Some(from), Some(to)) => (to - from).as_seconds_f64().max(0.0),
        _ => 0.0,
    })
}

/// What this snapshot replaced becomes removable after the grace period.
async fn purge_later(
    stage: &Stage,
    transaction: &sea_orm::DatabaseTransaction,
) -> Result<Vec<Owed>, IndexingError> {
    let repository = stage.repository_id();
    if jobs::has_queued_purge(transaction, repository).await? {
        return Ok(Vec::new());
    }
    let indexing = &stage.indexing;
    let mut purge = indexing.new_job(
        JobKind::Purge,
        QueueName::Bulk,
        stage.organization(),
        repository,
    );
    purge.run_after = Utc::now() + indexing.settings().grace();
    Ok(owing::enqueue(transaction, &[purge]).await?)
}
