//! The smallest job queue: tickets in memory, for one run in one process.

use std::time::Duration;

use async_trait::async_trait;
use quarry_shared::{
    domain::QueueName,
    ports::{JobQueue, JobTicket, PortError},
};
use tokio::sync::{
    Mutex,
    mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};

/// Collects tickets; [`TicketQueue::next`] hands them out.
pub struct TicketQueue {
    sender: UnboundedSender<JobTicket>,
    receiver: Mutex<UnboundedReceiver<JobTicket>>,
}

impl TicketQueue {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        let (sender, receiver) = unbounded_channel();
        Self {
            sender,
            receiver: Mutex::new(receiver),
        }
    }

    /// The next ticket, or `None` when none comes within `patience`.
    pub async fn next(&self, patience: Duration) -> Option<JobTicket> {
        let mut receiver = self.receiver.lock().await;
        tokio::time::timeout(patience, receiver.recv())
            .await
            .ok()
            .flatten()
    }
}

impl Default for TicketQueue {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl JobQueue for TicketQueue {
    async fn enqueue(
        &self,
        _queue: QueueName,
        ticket: JobTicket,
        delay: Duration,
    ) -> Result<(), PortError> {
        let sender = self.sender.clone();
        if delay.is_zero() {
            // The receiver lives as long as the queue itself.
            let _ = sender.send(ticket);
        } else {
            tokio::spawn(async move {
                tokio::time::sleep(delay).await;
                let _ = sender.send(ticket);
            });
        }
        Ok(())
    }

    async fn depth(&self, _queue: QueueName) -> Result<u64, PortError> {
        let waiting = self.receiver.lock().await.len();
        Ok(u64::try_from(waiting).unwrap_or(u64::MAX))
    }

    async fn health(&self) -> Result<(), PortError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use quarry_shared::domain::JobId;

    use super::*;

    #[tokio::test]
    async fn tickets_come_in_order_and_delayed_ones_later() {
        let queue = TicketQueue::new();
        let tickets = [1, 2].map(|_| JobTicket {
            job_id: JobId::generate(),
        });
        for (ticket, delay) in tickets.into_iter().zip([20, 0]) {
            let delay = Duration::from_millis(delay);
            queue.enqueue(QueueName::Bulk, ticket, delay).await.unwrap();
        }
        assert_eq!(queue.depth(QueueName::Bulk).await.unwrap(), 1);
        let patience = Duration::from_secs(5);
        assert_eq!(queue.next(patience).await, Some(tickets[1]));
        assert_eq!(queue.next(patience).await, Some(tickets[0]));
        assert_eq!(queue.next(Duration::from_millis(1)).await, None);
    }
}
