//! Owing work: the row is written in the transaction that makes it owed, the ticket is handed over
//! after the commit. A ticket that gets lost in between is handed over again by the sweeper, so
//! nothing here needs to be atomic with the queue.

use std::time::Duration;

use chrono::Utc;
use sea_orm::ConnectionTrait;

use crate::{
    domain::{JobId, QueueName},
    ports::{JobQueue, JobTicket},
    store::{StoreError, entities::job, jobs},
};

pub use crate::store::jobs::NewJob;

/// A job whose row is written and whose ticket is still to be handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "hand the ticket over after the commit"]
pub struct Owed {
    pub job_id: JobId,
    pub queue: QueueName,
    /// Not to be delivered before this has passed.
    pub delay: Duration,
}

impl Owed {
    /// What a queued row asks for.
    pub fn from_row(job: &job::Model) -> Self {
        Self {
            job_id: JobId(job.id),
            queue: QueueName::parse(&job.queue).unwrap_or(QueueName::Bulk),
            delay: (job.run_after - Utc::now()).to_std().unwrap_or_default(),
        }
    }
}

/// Writes the rows of jobs inside the caller's transaction.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn enqueue(
    transaction: &impl ConnectionTrait,
    new_jobs: &[NewJob],
) -> Result<Vec<Owed>, StoreError> {
    let now = Utc::now();
    let ids = jobs::insert(transaction, new_jobs).await?;
    Ok(ids
        .into_iter()
        .zip(new_jobs)
        .map(|(job_id, job)| Owed {
            job_id,
            queue: job.queue,
            delay: (job.run_after - now).to_std().unwrap_or_default(),
        })
        .collect())
}

/// Hands tickets to the queue. A queue that is down costs time, not work: the sweeper repeats it.
pub async fn hand_over(queue: &dyn JobQueue, owed: &[Owed]) {
    for job in owed {
        let ticket = JobTicket { job_id: job.job_id };
        if let Err(error) = queue.enqueue(job.queue, ticket, job.delay).await {
            tracing::warn!(job_id = %job.job_id, %error, "a ticket was not handed over");
        }
    }
}
