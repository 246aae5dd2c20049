//! A queue in memory, and engines and an embedder that fail on demand.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use quarry_shared::{
    adapters::tantivy::TantivyLexicalIndex,
    domain::{BranchId, ChunkId, IndexFilter, QueueName, SnapshotId},
    ports::{
        Embedder, EmbeddingInput, EmbeddingModel, EmbeddingOutcome, JobQueue, JobTicket,
        LexicalDocument, LexicalIndex, LexicalQuery, LexicalRecall, PortError,
    },
};
use tokio::sync::Notify;

/// Tickets in memory, taken in the order in which they are due.
#[derive(Default)]
pub struct MemoryQueue {
    tickets: Mutex<Vec<(Instant, QueueName, JobTicket)>>,
    /// Tickets are swallowed, as by a queue that lost its memory.
    pub forgets: AtomicBool,
}

impl MemoryQueue {
    /// The next ticket that is due within `horizon`, with the time until then.
    pub fn take(&self, horizon: Duration) -> Option<(Duration, JobTicket)> {
        let mut tickets = self.tickets.lock().unwrap();
        let at = (0..tickets.len()).min_by_key(|at| tickets[*at].0)?;
        let wait = tickets[at].0.saturating_duration_since(Instant::now());
        (wait <= horizon).then(|| (wait, tickets.remove(at).2))
    }

    pub fn clear(&self) {
        self.tickets.lock().unwrap().clear();
    }

    pub fn queues(&self) -> Vec<QueueName> {
        let tickets = self.tickets.lock().unwrap();
        tickets.iter().map(|(_, queue, _)| *queue).collect()
    }
}

#[async_trait]
impl JobQueue for MemoryQueue {
    async fn enqueue(
        &self,
        queue: QueueName,
        ticket: JobTicket,
        delay: Duration,
    ) -> Result<(), PortError> {
        if !self.forgets.load(Ordering::Relaxed) {
            let due = Instant::now() + delay;
            self.tickets.lock().unwrap().push((due, queue, ticket));
        }
        Ok(())
    }

    async fn depth(&self, queue: QueueName) -> Result<u64, PortError> {
        let tickets = self.tickets.lock().unwrap();
        Ok(tickets.iter().filter(|(_, of, _)| *of == queue).count() as u64)
    }

    async fn health(&self) -> Result<(), PortError> {
        Ok(())
    }
}

/// A deterministic embedder that counts what it is asked.
pub struct FakeEmbedder {
    model: EmbeddingModel,
    pub texts: AtomicUsize,
    /// Calls that are refused with "slow down" from now on; negative means for ever.
    pub rate_limited: AtomicI64,
    /// Bodies with this text alone are refused.
    pub poison: &'static str,
    /// When set, a call waits here after announcing itself.
    pub gate: Mutex<Option<Arc<Gate>>>,
}

/// Lets a test stop a call in the middle.
#[derive(Default)]
pub struct Gate {
    pub reached: Notify,
    pub open: Notify,
}

impl FakeEmbedder {
    pub fn new(key: &str) -> Self {
        Self {
            model: EmbeddingModel {
                key: key.to_owned(),
                dimension: 8,
            },
            texts: AtomicUsize::new(0),
            rate_limited: AtomicI64::new(0),
            poison: "cannot be embedded",
            gate: Mutex::default(),
        }
    }

    pub fn take_texts(&self) -> usize {
        self.texts.swap(0, Ordering::Relaxed)
    }

    fn vector(input: &EmbeddingInput) -> Vec<f32> {
        let mut vector = [1.0_f32; 8];
        for (at, byte) in input.header.bytes().chain(input.body.bytes()).enumerate() {
            vector[at % 8] += f32::from(byte) / 64.0;
        }
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        vector.iter().map(|value| value / length).collect()
    }
}

#[async_trait]
impl Embedder for FakeEmbedder {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed_documents(
        &self,
        inputs: &[EmbeddingInput],
    ) -> Result<Vec<EmbeddingOutcome>, PortError> {
        let gate = self.gate.lock().unwrap().clone();
        if let Some(gate) = gate {
            gate.reached.notify_one();
            gate.open.notified().await;
        }
        let left = self.rate_limited.load(Ordering::Relaxed);
        if left != 0 {
            self.rate_limited.fetch_sub(1, Ordering::Relaxed);
            return Err(PortError::RateLimited {
                system: "embedder",
                retry_after: None,
            });
        }
        self.texts.fetch_add(inputs.len(), Ordering::Relaxed);
        Ok(inputs
            .iter()
            .map(|input| {
                if input.body.contains(self.poison) {
                    return Err("refused by its content".to_owned());
                }
                Ok(Self::vector(input))
            })
            .collect())
    }

    async fn embed_query(&self, text: &str) -> Result<Vec<f32>, PortError> {
        Ok(Self::vector(&EmbeddingInput {
            header: String::new(),
            body: text.to_owned(),
        }))
    }
}

/// Tantivy, until it has taken as many documents as it is allowed to.
pub struct LimitedLexicalIndex {
    inner: TantivyLexicalIndex,
    /// Documents that are still taken.
    pub room: AtomicI64,
    /// Documents that are taken and lost.
    pub loses: AtomicI64,
}

impl LimitedLexicalIndex {
    pub fn new() -> Self {
        Self {
            inner: TantivyLexicalIndex::in_memory().unwrap(),
            room: AtomicI64::new(i64::MAX),
            loses: AtomicI64::new(0),
        }
    }
}

#[async_trait]
impl LexicalIndex for LimitedLexicalIndex {
    fn name(&self) -> &'static str {
        "limited"
    }

    async fn upsert(&self, mut documents: Vec<LexicalDocument>) -> Result<(), PortError> {
        let many = i64::try_from(documents.len()).unwrap();
        if self.room.fetch_sub(many, Ordering::Relaxed) < many {
            return Err(PortError::Unavailable {
                system: "limited",
                detail: "the disk is full".to_owned(),
                retry_after: None,
            });
        }
        let lost = self.loses.swap(0, Ordering::Relaxed);
        documents.truncate(documents.len() - usize::try_from(lost).unwrap());
        self.inner.upsert(documents).await
    }

    async fn set_died(&self, ids: &[ChunkId], died: SnapshotId) -> Result<(), PortError> {
        self.inner.set_died(ids, died).await
    }

    async fn delete(&self, ids: &[ChunkId]) -> Result<(), PortError> {
        self.inner.delete(ids).await
    }

    async fn delete_branch(&self, branch: BranchId) -> Result<(), PortError> {
        self.inner.delete_branch(branch).await
    }

    async fn count(&self, filter: &IndexFilter) -> Result<u64, PortError> {
        self.inner.count(filter).await
    }

    async fn recall(
        &self,
        query: &LexicalQuery,
        filter: &IndexFilter,
    ) -> Result<LexicalRecall, PortError> {
        self.inner.recall(query, filter).await
    }

    async fn health(&self) -> Result<(), PortError> {
        self.inner.health().await
    }
}
