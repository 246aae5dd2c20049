//! How tickets travel to workers, and how many jobs run at once.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::layers::Layers;

/// Settings of the job queue in a SQLite file (`[queue]`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QueueSettings {
    /// Milliseconds between two looks for delayed tickets. A ticket without delay wakes a worker of
    /// this process at once.
    pub poll_interval_milliseconds: u64,
    /// Seconds between two signs of life of a worker.
    pub heartbeat_seconds: u64,
    /// Missed signs of life after which a worker's tickets go to another one. Together they must
    /// last longer than `worker.shutdown_timeout_seconds`, since a worker that is stopping is
    /// silent.
    pub missed_heartbeats: u32,
}

impl Default for QueueSettings {
    fn default() -> Self {
        Self {
            poll_interval_milliseconds: 100,
            heartbeat_seconds: 5,
            missed_heartbeats: 12,
        }
    }
}

impl QueueSettings {
    /// Silence after which a worker counts as dead.
    #[must_use]
    pub fn orphan_time(&self) -> Duration {
        Duration::from_secs(self.heartbeat_seconds) * self.missed_heartbeats
    }
}

/// Settings of the workers (`[worker]`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorkerSettings {
    /// Jobs for pushes that run at once.
    pub push_concurrency: usize,
    /// Jobs for imports that run at once. 0: one per processor.
    pub bulk_concurrency: usize,
    /// Seconds that running jobs have to end when the server stops.
    pub shutdown_timeout_seconds: u64,
    /// Milliseconds before a worker starts again after its queue failed.
    pub restart_pause_milliseconds: u64,
}

impl Default for WorkerSettings {
    fn default() -> Self {
        Self {
            push_concurrency: 2,
            bulk_concurrency: 0,
            shutdown_timeout_seconds: 30,
            restart_pause_milliseconds: 1_000,
        }
    }
}

impl WorkerSettings {
    /// How long a stop may take.
    #[must_use]
    pub const fn shutdown_timeout(&self) -> Duration {
        Duration::from_secs(self.shutdown_timeout_seconds)
    }

    /// How long a failed worker rests.
    #[must_use]
    pub const fn restart_pause(&self) -> Duration {
        Duration::from_millis(self.restart_pause_milliseconds)
    }

    pub(super) fn check(&self, queue: &QueueSettings, layers: &mut Layers) {
        if self.push_concurrency == 0 {
            layers.problem("worker.push_concurrency", "must be at least 1");
        }
        if queue.poll_interval_milliseconds == 0 {
            layers.problem("queue.poll_interval_milliseconds", "must be at least 1");
        }
        if queue.orphan_time() <= self.shutdown_timeout() {
            layers.problem(
                "queue.missed_heartbeats",
                "times queue.heartbeat_seconds must be more than worker.shutdown_timeout_seconds",
            );
        }
    }
}
