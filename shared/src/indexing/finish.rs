//! The end of a run, good or bad, in one transaction of the caller.

use sea_orm::DatabaseTransaction;

use super::{Indexing, IndexingError};
use crate::{
    domain::{
        IndexRunId, JobKind, OrganizationId, Problem, QueueName, RepositoryId, RepositoryState,
        RunState, SnapshotId, SnapshotState,
    },
    jobs::{self as owing, Owed},
    store::{branches, entities::index_run, index_runs, jobs, repositories, snapshots},
};

impl Indexing {
    /// Ends a run as failed or cancelled: its waiting jobs with it; its snapshot, invisible as it
    /// is, goes to a purge job; the repository is free for the next run. `None` when the run had
    /// ended before.
    pub(super) async fn end_run(
        &self,
        transaction: &DatabaseTransaction,
        run: &index_run::Model,
        state: RunState,
        problem: Option<&Problem>,
    ) -> Result<Option<Vec<Owed>>, IndexingError> {
        let id = IndexRunId(run.id);
        if !index_runs::finish(transaction, id, state, problem).await? {
            return Ok(None);
        }
        jobs::cancel_queued(transaction, id).await?;
        let mut owed = Vec::new();
        // Read again: the plan may have begun a snapshot since the caller looked.
        if let Some(snapshot) = index_runs::get(transaction, id).await?.snapshot_id {
            let (from, to) = (SnapshotState::Building, SnapshotState::Failed);
            if snapshots::set_state(transaction, SnapshotId(snapshot), from, to).await? {
                let mut purge = self.new_job(
                    JobKind::Purge,
                    QueueName::Push,
                    OrganizationId(run.organization_id),
                    RepositoryId(run.repository_id),
                );
                purge.index_run_id = Some(id);
                owed = owing::enqueue(transaction, &[purge]).await?;
            }
        }
        if run.state == RunState::Running.as_str() {
            self.settle_repository(transaction, run, state, problem)
                .await?;
        }
        owed.extend(self.release_repository(transaction, run).await?);
        Ok(Some(owed))
    }

    /// What the repository is after a run that did not succeed.
    async fn settle_repository(
        &self,
        transaction: &DatabaseTransaction,
        run: &index_run::Model,
        state: RunState,
        problem: Option<&Problem>,
    ) -> Result<(), IndexingError> {
        let repository = RepositoryId(run.repository_id);
        let published = branches::list_of_repository(transaction, repository)
            .await?
            .iter()
            .any(|branch| branch.published_snapshot_id.is_some());
        let state = match (state, published) {
            (RunState::Failed, _) => RepositoryState::Failed,
            (_, true) => RepositoryState::Ready,
            (_, false) => RepositoryState::Pending,
        };
        Ok(repositories::set_state(transaction, repository, state, problem).await?)
    }

    /// Lets the next run have the repository, and wakes it.
    pub(super) async fn release_repository(
        &self,
        transaction: &DatabaseTransaction,
        run: &index_run::Model,
    ) -> Result<Vec<Owed>, IndexingError> {
        let repository = RepositoryId(run.repository_id);
        repositories::clear_owner(transaction, repository, IndexRunId(run.id)).await?;
        let waiting = jobs::wake_waiting(transaction, repository).await?;
        Ok(waiting.iter().map(Owed::from_row).collect())
    }
}
