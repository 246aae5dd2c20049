//! How work is cut, repeated and kept.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Settings of the indexing pipeline (`[indexing]`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IndexingSettings {
    /// Text bytes that one batch holds at most (a larger file is a batch of its own).
    pub batch_bytes: u64,
    /// Files that one batch holds at most.
    pub batch_files: usize,
    /// Bytes that the plan reads from the mirror and writes at once.
    pub read_bytes: u64,
    /// Chunks that are handed to the embedder at once.
    pub embed_chunks: usize,
    /// Changed files up to which a run counts as a push; larger runs go to the bulk queue.
    pub push_files: usize,
    /// Attempts of a job before it is a dead letter.
    pub max_attempts: u32,
    /// Milliseconds before the second attempt; each further wait is twice as long.
    pub backoff_milliseconds: u64,
    /// Longest wait between two attempts, in seconds. Also caps what a provider asks for.
    pub backoff_cap_seconds: u64,
    /// Seconds after which the job of a worker that has fallen silent is given to another.
    pub lease_seconds: u64,
    /// Milliseconds between two looks at whether a running job was cancelled or taken over.
    pub watch_milliseconds: u64,
    /// Seconds after which the ticket of a queued job counts as lost and is handed out again.
    pub lost_ticket_seconds: u64,
    /// Published snapshots that are kept per branch, the newest included.
    pub retained_snapshots: usize,
    /// Seconds for which a replaced snapshot is kept in any case, for readers that still use it.
    pub grace_seconds: u64,
}

impl Default for IndexingSettings {
    fn default() -> Self {
        Self {
            // About a thousand chunks: large enough for one efficient write, small enough that a
            // killed worker repeats less than a second of work.
            batch_bytes: 1024 * 1024,
            batch_files: 200,
            read_bytes: 4 * 1024 * 1024,
            embed_chunks: 512,
            push_files: 300,
            // With the two values below a provider may be away for a quarter of an hour.
            max_attempts: 10,
            backoff_milliseconds: 1_000,
            backoff_cap_seconds: 300,
            lease_seconds: 30,
            watch_milliseconds: 1_000,
            lost_ticket_seconds: 60,
            retained_snapshots: 5,
            grace_seconds: 3_600,
        }
    }
}

impl IndexingSettings {
    /// How long a claim holds without a sign of life.
    #[must_use]
    pub const fn lease(&self) -> Duration {
        Duration::from_secs(self.lease_seconds)
    }

    /// Time between two looks at a running job's row.
    #[must_use]
    pub const fn watch(&self) -> Duration {
        Duration::from_millis(self.watch_milliseconds)
    }

    /// When a ticket counts as lost.
    #[must_use]
    pub const fn lost_ticket(&self) -> Duration {
        Duration::from_secs(self.lost_ticket_seconds)
    }

    /// How long replaced snapshots stay in any case.
    #[must_use]
    pub const fn grace(&self) -> Duration {
        Duration::from_secs(self.grace_seconds)
    }
}
