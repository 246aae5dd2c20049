//! The job queue as apalis keeps it in a SQLite file of its own, so that a worker's sign of life
//! never waits behind a batch. One process uses the file.
//!
//! The file holds tickets only: what is owed stands in SQL (`store`), so a damaged file is put aside
//! and a new one begun. Times inside have a resolution of one second.

mod file;

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use apalis_sqlite::{Config, SqlitePool, SqliteStorage, SqliteTask};
use async_trait::async_trait;
use futures::{FutureExt, SinkExt, Stream, StreamExt, stream};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, SqlxSqliteConnector, Statement, Value,
};
use tokio::{
    sync::Notify,
    time::{MissedTickBehavior, interval},
};

use crate::{
    config::QueueSettings,
    domain::QueueName,
    ports::{JobQueue, JobTicket, PortError},
};

/// The name of this system in errors.
const SYSTEM: &str = "job queue";
/// Workers that were silent for so long are forgotten.
const FORGET_WORKERS_AFTER_SECONDS: i64 = 3600;

/// [`JobQueue`] over apalis and SQLite.
#[derive(Debug, Clone)]
pub struct SqliteJobQueue {
    pool: SqlitePool,
    connection: DatabaseConnection,
    settings: QueueSettings,
    push: Arc<Notify>,
    bulk: Arc<Notify>,
}

impl SqliteJobQueue {
    /// Opens or creates the file. A file that is no database, or a damaged one, is put aside.
    pub async fn open(path: &Path, settings: QueueSettings) -> Result<Self, PortError> {
        let pool = file::open(path).await?;
        Ok(Self {
            connection: SqlxSqliteConnector::from_sqlx_sqlite_pool(pool.clone()),
            pool,
            settings,
            push: Arc::default(),
            bulk: Arc::default(),
        })
    }

    /// The apalis backend of a queue, for one worker. Drive it with [`Self::wake_ups`].
    #[must_use]
    pub fn storage(&self, queue: QueueName) -> SqliteStorage<JobTicket> {
        let config = Config::default()
            .queue(queue.as_str())
            // Tickets that wait inside a worker would send no sign of life.
            .batch_size(1)
            .heartbeat_interval(Duration::from_secs(self.settings.heartbeat_seconds))
            .missed_heartbeats(self.settings.missed_heartbeats as usize);
        SqliteStorage::new(&self.pool).with_config(config)
    }

    /// When a worker should look for tickets: at once after [`JobQueue::enqueue`], and regularly.
    pub fn wake_ups(&self, queue: QueueName) -> impl Stream<Item = ()> + Unpin + Send + use<> {
        let period = Duration::from_millis(self.settings.poll_interval_milliseconds);
        let state = (Arc::clone(self.bell(queue)), None);
        let mut wake_ups = stream::unfold(state, move |(bell, ticks)| async move {
            let mut ticks = ticks.unwrap_or_else(|| {
                let mut ticks = interval(period);
                ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
                ticks
            });
            tokio::select! {
                () = bell.notified() => {}
                _ = ticks.tick() => {}
            }
            Some(((), (bell, Some(ticks))))
        })
        .boxed();
        stream::poll_fn(move |context| {
            let next = wake_ups.poll_next_unpin(context);
            if next.is_ready() {
                // The backend asks once per look; asking again is what arms the next wake-up.
                context.waker().wake_by_ref();
            }
            next
        })
    }

    /// Gives back the tickets of workers that no longer run, without waiting for the orphan time.
    /// Only before this process starts its workers.
    pub async fn reclaim(&self) -> Result<u64, PortError> {
        self.execute(
            "UPDATE Jobs SET status = 'Pending', lock_by = NULL, lock_at = NULL, done_at = NULL \
             WHERE status IN ('Queued', 'Running')",
            [],
        )
        .await
    }

    /// Forgets delivered tickets and long dead workers.
    pub async fn sweep(&self) -> Result<u64, PortError> {
        let swept = self
            .execute(
                "DELETE FROM Jobs WHERE status IN ('Done', 'Killed') \
                 OR (status = 'Failed' AND attempts >= max_attempts)",
                [],
            )
            .await?;
        self.execute(
            "DELETE FROM Workers WHERE strftime('%s', 'now') - last_seen > ? \
             AND id NOT IN (SELECT lock_by FROM Jobs WHERE lock_by IS NOT NULL)",
            [FORGET_WORKERS_AFTER_SECONDS.into()],
        )
        .await?;
        Ok(swept)
    }

    fn bell(&self, queue: QueueName) -> &Arc<Notify> {
        match queue {
            QueueName::Push => &self.push,
            QueueName::Bulk => &self.bulk,
        }
    }

    async fn execute(
        &self,
        sql: &str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<u64, PortError> {
        self.connection
            .execute_raw(Statement::from_sql_and_values(
                DbBackend::Sqlite,
                sql,
                values,
            ))
            .await
            .map(|result| result.rows_affected())
            .map_err(unavailable)
    }

    async fn count(
        &self,
        sql: &str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<u64, PortError> {
        let row = self
            .connection
            .query_one_raw(Statement::from_sql_and_values(
                DbBackend::Sqlite,
                sql,
                values,
            ))
            .await
            .map_err(unavailable)?;
        let count: i64 = match row {
            Some(row) => row.try_get_by_index(0).map_err(unavailable)?,
            None => 0,
        };
        Ok(count.unsigned_abs())
    }
}

#[async_trait]
impl JobQueue for SqliteJobQueue {
    async fn enqueue(
        &self,
        queue: QueueName,
        ticket: JobTicket,
        delay: Duration,
    ) -> Result<(), PortError> {
        let content =
            serde_json::to_vec(&ticket).map_err(|error| PortError::broken(SYSTEM, error))?;
        let task = SqliteTask::new(content)
            .into_builder()
            .run_at_timestamp(due(SystemTime::now(), delay))
            .build();
        self.storage(queue)
            .send(task)
            .boxed()
            .await
            .map_err(|error| PortError::Unavailable {
                system: SYSTEM,
                detail: error.to_string(),
                retry_after: None,
            })?;
        self.bell(queue).notify_one();
        Ok(())
    }

    async fn depth(&self, queue: QueueName) -> Result<u64, PortError> {
        self.count(
            "SELECT COUNT(*) FROM Jobs WHERE job_type = ? AND status = 'Pending'",
            [queue.as_str().into()],
        )
        .await
    }

    async fn health(&self) -> Result<(), PortError> {
        self.count("SELECT COUNT(*) FROM Workers", [])
            .await
            .map(drop)
    }
}

/// The first whole second that is not before now plus the delay. Without delay it is the second
/// that has begun, since a ticket without delay must not wait for the next one.
fn due(now: SystemTime, delay: Duration) -> u64 {
    let now = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    if delay.is_zero() {
        return now.as_secs();
    }
    let at = now.saturating_add(delay);
    // SQLite's integers are signed.
    at.as_secs()
        .saturating_add(u64::from(at.subsec_nanos() > 0))
        .min(i64::MAX.unsigned_abs())
}

fn unavailable(error: DbErr) -> PortError {
    PortError::Unavailable {
        system: SYSTEM,
        detail: error.to_string(),
        retry_after: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tickets_are_due_never_early_and_at_once_without_delay() {
        let now = UNIX_EPOCH + Duration::from_millis(10_700);
        for (delay, expected) in [(0, 10), (1, 11), (300, 11), (301, 12), (5_000, 16)] {
            assert_eq!(due(now, Duration::from_millis(delay)), expected, "{delay}");
        }
        assert_eq!(due(now, Duration::MAX), i64::MAX.unsigned_abs());
    }
}
