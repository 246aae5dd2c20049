//! What every stage of a job has at hand, and the guard before each of its writes.

use std::{sync::Arc, time::Duration};

use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::{Indexing, IndexingError};
use crate::{
    domain::{
        BranchId, IndexFilter, IndexRunId, JobId, JobKind, OrganizationId, ProjectId, QueueName,
        ReadScope, RepositoryId, SnapshotId, View,
    },
    jobs::{NewJob, Owed},
    ports::Embedder,
    store::{
        StoreError,
        entities::{index_run, job, repository},
        index_runs, jobs, repositories,
        sql::{locking, statement},
    },
};

/// How a stage ended without failing.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Done, job row included; these jobs are owed next.
    Finished(Vec<Owed>),
    /// It is not this job's turn; try again after this time. Not counted as an attempt.
    Wait(Duration),
}

/// A claimed job.
pub(super) struct Stage {
    pub indexing: Indexing,
    pub job: job::Model,
}

impl Stage {
    pub fn job_id(&self) -> JobId {
        JobId(self.job.id)
    }

    pub fn organization(&self) -> OrganizationId {
        OrganizationId(self.job.organization_id)
    }

    pub fn repository_id(&self) -> RepositoryId {
        RepositoryId(self.job.repository_id)
    }

    pub fn queue(&self) -> QueueName {
        QueueName::parse(&self.job.queue).unwrap_or(QueueName::Bulk)
    }

    /// The run of a stage that belongs to one.
    pub fn run_id(&self) -> Result<IndexRunId, IndexingError> {
        self.job
            .index_run_id
            .map(IndexRunId)
            .ok_or(IndexingError::Fenced)
    }

    pub async fn run(&self) -> Result<index_run::Model, IndexingError> {
        Ok(index_runs::get(self.indexing.database().reader(), self.run_id()?).await?)
    }

    pub async fn repository(&self) -> Result<repository::Model, IndexingError> {
        let database = self.indexing.database().reader();
        Ok(repositories::get(database, self.organization(), self.repository_id()).await?)
    }

    /// Makes sure that what the job names still exists and belongs together: its repository, project
    /// and organization, and the run that it is a stage of. A job that is about no single
    /// repository looks at its project or organization itself.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], which no retry mends.
    pub async fn check_place(&self) -> Result<(), IndexingError> {
        if self.job.repository_id.is_nil() {
            return Ok(());
        }
        let database = self.indexing.database().writer();
        let text = "SELECT 1 FROM repositories r \
                    JOIN projects p ON p.id = r.project_id \
                    AND p.organization_id = r.organization_id \
                    JOIN organizations o ON o.id = r.organization_id \
                    LEFT JOIN index_runs i ON i.id = $3 \
                    WHERE r.id = $1 AND r.organization_id = $2 AND ($3 IS NULL \
                    OR i.repository_id = r.id AND i.organization_id = r.organization_id \
                    AND i.project_id = r.project_id)";
        let values = [
            self.job.repository_id.into(),
            self.job.organization_id.into(),
            self.job.index_run_id.into(),
        ];
        let found = database
            .query_one_raw(statement(database, text, values))
            .await?;
        found
            .map(drop)
            .ok_or_else(|| StoreError::NotFound("repository").into())
    }

    pub fn embedder(&self) -> Option<&Arc<dyn Embedder>> {
        self.indexing.parts().embedder.as_ref()
    }

    /// Begins a transaction in which this worker may write: its token still holds the job and the
    /// run is still running. The run's row stays locked, so such transactions of one run follow
    /// each other.
    ///
    /// # Errors
    /// [`IndexingError::Fenced`] when a later worker has the job, or the run was ended.
    pub async fn begin(&self) -> Result<DatabaseTransaction, IndexingError> {
        let transaction = self.begin_unowned().await?;
        self.check_run(&transaction, " FOR UPDATE").await?;
        Ok(transaction)
    }

    /// The same for transactions that do not change the run's row, and may run side by side.
    pub async fn begin_shared(&self) -> Result<DatabaseTransaction, IndexingError> {
        let transaction = self.begin_unowned().await?;
        self.check_run(&transaction, " FOR SHARE").await?;
        Ok(transaction)
    }

    /// The same for transactions that end the run. Locks are taken in the order job, repository,
    /// run everywhere, so that no two transactions wait for each other.
    pub async fn begin_last(&self) -> Result<DatabaseTransaction, IndexingError> {
        let transaction = self.begin_unowned().await?;
        repositories::get_locked(&transaction, self.organization(), self.repository_id()).await?;
        self.check_run(&transaction, " FOR UPDATE").await?;
        Ok(transaction)
    }

    /// The same without a look at the run: for jobs that start one or clean up after it.
    pub async fn begin_unowned(&self) -> Result<DatabaseTransaction, IndexingError> {
        let transaction = self.indexing.database().begin().await?;
        if !jobs::holds(&transaction, self.job_id(), self.job.fencing_token).await? {
            return Err(IndexingError::Fenced);
        }
        Ok(transaction)
    }

    async fn check_run(
        &self,
        transaction: &DatabaseTransaction,
        lock: &'static str,
    ) -> Result<(), IndexingError> {
        let text = format!(
            "SELECT 1 FROM index_runs WHERE id = $1 AND state = 'running'{}",
            locking(transaction, lock)
        );
        let statement = statement(transaction, &text, [self.run_id()?.0.into()]);
        match transaction.query_one_raw(statement).await? {
            Some(_) => Ok(()),
            None => Err(IndexingError::Fenced),
        }
    }

    /// Ends this job as succeeded inside the transaction that made its effects.
    pub async fn succeed(&self, transaction: &DatabaseTransaction) -> Result<(), IndexingError> {
        if jobs::succeed(transaction, self.job_id(), self.job.fencing_token).await? {
            return Ok(());
        }
        Err(IndexingError::Fenced)
    }

    /// A job of the same run that is due at once.
    pub fn follower(&self, kind: JobKind, queue: QueueName, batch: Option<i64>) -> NewJob {
        NewJob {
            index_run_id: self.job.index_run_id.map(IndexRunId),
            batch,
            ..self
                .indexing
                .new_job(kind, queue, self.organization(), self.repository_id())
        }
    }
}

/// What a snapshot of a branch shows, as a filter for the engines. Snapshots of the branch that were
/// never published leave no rows behind before another one starts, so none needs to be hidden.
pub(super) fn snapshot_filter(
    organization: OrganizationId,
    project: ProjectId,
    branch: BranchId,
    snapshot: SnapshotId,
) -> IndexFilter {
    let scope = ReadScope::of_job(organization, project);
    let view = View {
        horizon: snapshot,
        unpublished: Vec::new(),
    };
    IndexFilter::new(&scope, vec![branch], view)
}
