//! What people, schedules and webhooks ask for.

use sea_orm::DatabaseTransaction;

use super::{Indexing, IndexingError};
use crate::{
    domain::{
        IndexRunId, JobId, JobKind, OrganizationId, ProjectId, QueueName, RepositoryId,
        RepositoryState, RunStage, RunState, RunTrigger,
    },
    jobs::{self as owing, Owed},
    store::{
        StoreError,
        entities::{index_run, job, repository},
        index_runs::{self, NewRun},
        jobs, repositories,
    },
};

/// What was asked for in a transaction of the caller. After the commit it must be announced
/// ([`Indexing::announce`]); what is forgotten is found by the next sweep.
#[derive(Debug)]
#[must_use]
pub struct Requested<T> {
    pub value: T,
    pub(super) owed: Vec<Owed>,
    pub(super) changed: Option<IndexRunId>,
}

impl Indexing {
    /// Asks for a repository's branch (or, without one, its tracked branches) to be brought up to
    /// date. Joins a run that is still waiting for the same branch, so that at most one runs and
    /// one waits.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the organization has no such repository.
    pub async fn request_index(
        &self,
        organization: OrganizationId,
        repository: RepositoryId,
        branch: Option<String>,
        trigger: RunTrigger,
    ) -> Result<index_run::Model, IndexingError> {
        let transaction = self.database().begin().await?;
        let requested = self
            .index_within(&transaction, organization, repository, branch, trigger)
            .await?;
        transaction.commit().await?;
        Ok(self.announce(requested).await)
    }

    /// [`Self::request_index`] as a part of the caller's transaction.
    ///
    /// # Errors
    /// Those of [`Self::request_index`].
    pub async fn index_within(
        &self,
        transaction: &DatabaseTransaction,
        organization: OrganizationId,
        repository: RepositoryId,
        branch: Option<String>,
        trigger: RunTrigger,
    ) -> Result<Requested<index_run::Model>, IndexingError> {
        let row = repositories::get_locked(transaction, organization, repository).await?;
        if row.state == RepositoryState::Deleting.as_str() {
            return Err(StoreError::NotFound("repository").into());
        }
        let (run, owed) = self
            .join_or_queue(transaction, &row, branch, trigger)
            .await?;
        let run = index_runs::get(transaction, run).await?;
        Ok(Requested {
            changed: Some(IndexRunId(run.id)),
            value: run,
            owed,
        })
    }

    /// Hands out the jobs that a committed transaction owes, and tells those who watch.
    pub async fn announce<T>(&self, requested: Requested<T>) -> T {
        let Requested {
            value,
            owed,
            changed,
        } = requested;
        self.hand_over(&owed).await;
        if let Some(run) = changed {
            self.changed(run);
        }
        value
    }

    /// The caller's transaction has locked the repository.
    pub(super) async fn join_or_queue(
        &self,
        transaction: &DatabaseTransaction,
        repository: &repository::Model,
        branch: Option<String>,
        trigger: RunTrigger,
    ) -> Result<(IndexRunId, Vec<Owed>), IndexingError> {
        let id = RepositoryId(repository.id);
        if let Some(run) = index_runs::find_pending(transaction, id, branch.as_deref()).await? {
            return Ok((IndexRunId(run.id), Vec::new()));
        }
        let organization = OrganizationId(repository.organization_id);
        let run = index_runs::insert(
            transaction,
            NewRun {
                organization_id: organization,
                project_id: ProjectId(repository.project_id),
                repository_id: id,
                branch_id: None,
                branch,
                trigger,
                stage: RunStage::Sync,
                commit: None,
            },
        )
        .await?;
        // A first clone may take minutes; a push is fetched in a moment.
        let queue = match trigger {
            RunTrigger::Added => QueueName::Bulk,
            _ => QueueName::Push,
        };
        let mut job = self.new_job(JobKind::Sync, queue, organization, id);
        job.index_run_id = Some(run);
        Ok((run, owing::enqueue(transaction, &[job]).await?))
    }

    /// Ends a run now. Workers notice within a second; nothing they write counts any more.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the organization has no such run, [`IndexingError::Conflict`]
    /// with code `run_finished` when it has ended already.
    pub async fn cancel(
        &self,
        organization: OrganizationId,
        run: IndexRunId,
    ) -> Result<(), IndexingError> {
        let transaction = self.database().begin().await?;
        let requested = self.cancel_within(&transaction, organization, run).await?;
        transaction.commit().await?;
        self.announce(requested).await;
        Ok(())
    }

    /// [`Self::cancel`] as a part of the caller's transaction.
    ///
    /// # Errors
    /// Those of [`Self::cancel`].
    pub async fn cancel_within(
        &self,
        transaction: &DatabaseTransaction,
        organization: OrganizationId,
        run: IndexRunId,
    ) -> Result<Requested<index_run::Model>, IndexingError> {
        let row = self.run_of(transaction, organization, run).await?;
        let repository = RepositoryId(row.repository_id);
        repositories::get_locked(transaction, organization, repository).await?;
        index_runs::request_cancel(transaction, run).await?;
        let owed = self
            .end_run(transaction, &row, RunState::Cancelled, None)
            .await?
            .ok_or_else(|| IndexingError::Conflict {
                code: "run_finished",
                detail: format!("the run has ended: {}", row.state),
            })?;
        Ok(Requested {
            value: row,
            owed,
            changed: Some(run),
        })
    }

    /// Asks again for what a run was about.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the organization has no such run.
    pub async fn retry(
        &self,
        organization: OrganizationId,
        run: IndexRunId,
    ) -> Result<index_run::Model, IndexingError> {
        let transaction = self.database().begin().await?;
        let requested = self.retry_within(&transaction, organization, run).await?;
        transaction.commit().await?;
        Ok(self.announce(requested).await)
    }

    /// [`Self::retry`] as a part of the caller's transaction.
    ///
    /// # Errors
    /// Those of [`Self::retry`].
    pub async fn retry_within(
        &self,
        transaction: &DatabaseTransaction,
        organization: OrganizationId,
        run: IndexRunId,
    ) -> Result<Requested<index_run::Model>, IndexingError> {
        let row = self.run_of(transaction, organization, run).await?;
        let repository = RepositoryId(row.repository_id);
        let trigger = RunTrigger::Manual;
        self.index_within(transaction, organization, repository, row.branch, trigger)
            .await
    }

    async fn run_of(
        &self,
        database: &impl sea_orm::ConnectionTrait,
        organization: OrganizationId,
        run: IndexRunId,
    ) -> Result<index_run::Model, IndexingError> {
        let row = index_runs::get(database, run).await?;
        if row.organization_id != organization.0 {
            return Err(StoreError::NotFound("index run").into());
        }
        Ok(row)
    }

    /// Gives a dead letter another chance. What belongs to a failed run starts again as a new run,
    /// since the failed one has been taken back.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such job, [`StoreError::Conflict`] when it is not
    /// dead.
    pub async fn retry_job(&self, job: JobId) -> Result<(), IndexingError> {
        let transaction = self.database().begin().await?;
        let requested = self.retry_job_within(&transaction, job).await?;
        transaction.commit().await?;
        self.announce(requested).await;
        Ok(())
    }

    /// [`Self::retry_job`] as a part of the caller's transaction.
    ///
    /// # Errors
    /// Those of [`Self::retry_job`].
    pub async fn retry_job_within(
        &self,
        transaction: &DatabaseTransaction,
        job: JobId,
    ) -> Result<Requested<job::Model>, IndexingError> {
        let row = jobs::find(transaction, job).await?;
        let is_stage = !matches!(
            JobKind::parse(&row.kind),
            Some(
                JobKind::Purge
                    | JobKind::DeleteRepository
                    | JobKind::DeleteProject
                    | JobKind::DeleteOrganization
            )
        );
        match row.index_run_id {
            Some(run) if is_stage && row.state == "dead" => {
                let organization = OrganizationId(row.organization_id);
                let again = self
                    .retry_within(transaction, organization, IndexRunId(run))
                    .await?;
                Ok(Requested {
                    value: row,
                    owed: again.owed,
                    changed: again.changed,
                })
            }
            _ => {
                jobs::revive(transaction, job).await?;
                let row = jobs::find(transaction, job).await?;
                Ok(Requested {
                    owed: vec![Owed::from_row(&row)],
                    value: row,
                    changed: None,
                })
            }
        }
    }

    /// Asks for a repository and everything derived from it to be removed. It is missing for
    /// everybody from now on.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the organization has no such repository.
    pub async fn request_deletion(
        &self,
        organization: OrganizationId,
        repository: RepositoryId,
    ) -> Result<JobId, IndexingError> {
        let transaction = self.database().begin().await?;
        let requested = self
            .deletion_within(&transaction, organization, repository)
            .await?;
        transaction.commit().await?;
        let job = requested.owed.last().map(|owed| owed.job_id);
        self.announce(requested).await;
        job.ok_or_else(|| StoreError::Corrupt("job").into())
    }

    /// [`Self::request_deletion`] as a part of the caller's transaction; yields the repository as
    /// it was.
    ///
    /// # Errors
    /// Those of [`Self::request_deletion`].
    pub async fn deletion_within(
        &self,
        transaction: &DatabaseTransaction,
        organization: OrganizationId,
        repository: RepositoryId,
    ) -> Result<Requested<repository::Model>, IndexingError> {
        let row = repositories::get_locked(transaction, organization, repository).await?;
        if row.state == RepositoryState::Deleting.as_str() {
            return Err(StoreError::NotFound("repository").into());
        }
        let mut owed = Vec::new();
        for run in index_runs::list_open(transaction, repository).await? {
            owed.extend(
                self.end_run(transaction, &run, RunState::Cancelled, None)
                    .await?
                    .unwrap_or_default(),
            );
        }
        let state = RepositoryState::Deleting;
        repositories::set_state(transaction, repository, state, None).await?;
        let job = self.new_job(
            JobKind::DeleteRepository,
            QueueName::Bulk,
            organization,
            repository,
        );
        owed.extend(owing::enqueue(transaction, &[job]).await?);
        Ok(Requested {
            value: row,
            owed,
            changed: None,
        })
    }
}
