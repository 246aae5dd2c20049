//! Waking workers. SQL knows what is owed (`store::jobs`); a queue only carries tickets, may lose
//! them, and may deliver them twice.

use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::PortError;
use crate::domain::{JobId, QueueName};

/// A reminder that a job row wants to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobTicket {
    pub job_id: JobId,
}

/// A queue of tickets.
#[async_trait]
pub trait JobQueue: Send + Sync {
    /// Hands over a ticket, to be delivered at least once after `delay` unless the queue loses its
    /// memory, in which case the sweeper enqueues again.
    async fn enqueue(
        &self,
        queue: QueueName,
        ticket: JobTicket,
        delay: Duration,
    ) -> Result<(), PortError>;

    /// Tickets that wait in a queue.
    async fn depth(&self, queue: QueueName) -> Result<u64, PortError>;

    /// Whether the queue answers.
    async fn health(&self) -> Result<(), PortError>;
}
