//! From a request to a published snapshot: sync → plan → batch → publish, then purge.
//!
//! Each stage is a job (`jobs`) that any worker may run, repeat after a crash, or lose to another
//! worker. Three rules make that safe. Every write is idempotent: ids of chunks are derived from
//! what they hold. Every transaction first asks whether this worker still owns the job ([`stage`]).
//! Nothing is visible before [`publish`] moves the branch in one write; what a failed run left
//! behind is taken back by [`discard`]. SQL is written before the engines, so that whatever an
//! engine holds can be found and removed.

mod batch;
mod content;
mod decisions;
mod delete;
mod delete_places;
mod delete_requests;
mod discard;
mod embed;
mod engines;
mod error;
mod finish;
mod plan;
mod publish;
mod purge;
mod rebuild;
mod requests;
mod stage;
mod statistics;
mod sweep;
mod sync;
mod work;

use std::sync::Arc;

use chrono::Utc;
use tokio::sync::broadcast;

pub use delete_requests::DeletionRequest;
pub use error::IndexingError;
pub use requests::Requested;

use crate::{
    config::{IndexingSettings, QuotaSettings},
    domain::{IndexRunId, JobKind, OrganizationId, QueueName, RepositoryId},
    jobs::{self, NewJob, Owed},
    ports::{Embedder, GitSource, JobQueue, LexicalIndex, VectorIndex},
    store::{Database, keyring::Keyring},
};

/// Changes when stored chunks can no longer be mixed with new ones: chunker, term format, header.
const CHUNK_FORMAT: &str = "2";
/// Hints to people who watch a run; a slow watcher loses some and reads the row instead.
const EVENTS: usize = 256;

/// Everything the pipeline works with.
#[derive(Clone)]
pub struct IndexingParts {
    pub database: Database,
    pub git: Arc<dyn GitSource>,
    pub queue: Arc<dyn JobQueue>,
    pub lexical: Arc<dyn LexicalIndex>,
    pub vector: Arc<dyn VectorIndex>,
    /// `None` indexes without vectors.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Opens the sealed credentials of repositories.
    pub keyring: Keyring,
    pub settings: IndexingSettings,
    /// How much an organization may hold.
    pub quotas: QuotaSettings,
}

/// The indexing pipeline. Cheap to clone.
#[derive(Clone)]
pub struct Indexing {
    inner: Arc<Inner>,
}

struct Inner {
    parts: IndexingParts,
    events: broadcast::Sender<IndexRunId>,
}

impl Indexing {
    #[must_use]
    pub fn new(parts: IndexingParts) -> Self {
        let (events, _) = broadcast::channel(EVENTS);
        Self {
            inner: Arc::new(Inner { parts, events }),
        }
    }

    /// Ids of runs whose row has changed. A best effort: watchers also poll.
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<IndexRunId> {
        self.inner.events.subscribe()
    }

    fn parts(&self) -> &IndexingParts {
        &self.inner.parts
    }

    fn database(&self) -> &Database {
        &self.inner.parts.database
    }

    fn settings(&self) -> &IndexingSettings {
        &self.inner.parts.settings
    }

    /// What the rows of a snapshot are made with.
    #[must_use]
    pub fn format(&self) -> String {
        let model = self
            .parts()
            .embedder
            .as_ref()
            .map_or("none", |embedder| embedder.model().key.as_str());
        format!("{CHUNK_FORMAT}/{model}")
    }

    fn changed(&self, run: IndexRunId) {
        // Nobody may be watching.
        let _ = self.inner.events.send(run);
    }

    async fn hand_over(&self, owed: &[Owed]) {
        jobs::hand_over(self.parts().queue.as_ref(), owed).await;
    }

    /// A job that is due at once and belongs to no run.
    fn new_job(
        &self,
        kind: JobKind,
        queue: QueueName,
        organization: OrganizationId,
        repository: RepositoryId,
    ) -> NewJob {
        NewJob {
            kind,
            queue,
            organization_id: organization,
            repository_id: repository,
            index_run_id: None,
            batch: None,
            project_id: None,
            requested_by: None,
            steps_total: None,
            max_attempts: i64::from(self.settings().max_attempts),
            run_after: Utc::now(),
        }
    }
}
