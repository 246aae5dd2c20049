//! Finding again what got lost: tickets, dead workers' jobs, outdated formats.

use super::{Indexing, IndexingError};
use crate::{
    domain::{
        BranchId, JobKind, OrganizationId, ProjectId, QueueName, RepositoryId, RepositoryState,
        RunStage, RunTrigger, SnapshotId,
    },
    jobs::{self as owing, Owed},
    store::{
        branches,
        index_runs::{self, NewRun},
        jobs, repositories, snapshots,
    },
};

impl Indexing {
    /// Takes back the jobs of workers that have fallen silent and hands out tickets that seem lost.
    /// Cheap; called every few seconds. Returns the number of tickets.
    ///
    /// # Errors
    /// [`IndexingError::Store`].
    pub async fn sweep(&self) -> Result<u64, IndexingError> {
        self.sweep_with(false).await
    }

    /// The same right after the start of the only process: every running job was its dead
    /// predecessor's, and no ticket needs to be waited for.
    ///
    /// # Errors
    /// [`IndexingError::Store`].
    pub async fn recover(&self) -> Result<u64, IndexingError> {
        self.sweep_with(true).await
    }

    async fn sweep_with(&self, all: bool) -> Result<u64, IndexingError> {
        let writer = self.database().writer();
        jobs::take_back_expired(writer, all).await?;
        let lost_after = self.settings().lost_ticket();
        let rows = jobs::take_unticketed(writer, lost_after, all).await?;
        let owed: Vec<Owed> = rows.iter().map(Owed::from_row).collect();
        self.hand_over(&owed).await;
        Ok(owed.len() as u64)
    }

    /// Starts a rebuild of every branch whose published snapshot was made with another chunker or
    /// embedding model: from the stored blobs, beside the old snapshot, without asking the remote.
    /// Returns how many were started.
    ///
    /// # Errors
    /// [`IndexingError::Store`].
    pub async fn rebuild_outdated(&self) -> Result<u64, IndexingError> {
        let format = self.format();
        let mut started = 0;
        for branch in branches::list_published(self.database().reader()).await? {
            let Some(published) = branch.published_snapshot_id else {
                continue;
            };
            let published = snapshots::get(self.database().reader(), SnapshotId(published)).await?;
            if published.format == format {
                continue;
            }
            started += u64::from(self.request_rebuild(&branch, &published.commit).await?);
        }
        Ok(started)
    }

    async fn request_rebuild(
        &self,
        branch: &crate::store::entities::branch::Model,
        commit: &str,
    ) -> Result<bool, IndexingError> {
        let organization = OrganizationId(branch.organization_id);
        let repository = RepositoryId(branch.repository_id);
        let transaction = self.database().begin().await?;
        let row = repositories::get_locked(&transaction, organization, repository).await?;
        let open = index_runs::list_open(&transaction, repository).await?;
        let is_covered = open.iter().any(|run| run.branch_id == Some(branch.id));
        if row.state == RepositoryState::Deleting.as_str() || is_covered {
            return Ok(false);
        }
        let run = index_runs::insert(
            &transaction,
            NewRun {
                organization_id: organization,
                project_id: ProjectId(branch.project_id),
                repository_id: repository,
                branch_id: Some(BranchId(branch.id)),
                branch: Some(branch.name.clone()),
                trigger: RunTrigger::Schedule,
                stage: RunStage::Plan,
                commit: Some(commit.to_owned()),
            },
        )
        .await?;
        let mut job = self.new_job(JobKind::Plan, QueueName::Bulk, organization, repository);
        job.index_run_id = Some(run);
        let owed = owing::enqueue(&transaction, &[job]).await?;
        transaction.commit().await?;
        self.hand_over(&owed).await;
        Ok(true)
    }
}
