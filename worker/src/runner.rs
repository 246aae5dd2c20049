//! Runs apalis workers, one per queue, until they are told to stop.
//!
//! A worker takes a ticket, and the handler does the job; what the job is and whether it still
//! wants to be run is the handler's business. Tickets may come twice.

use std::{num::NonZero, sync::Arc, thread::available_parallelism, time::Duration};

use apalis::prelude::{BackendExt, BoxDynError, WorkerBuilder, WorkerBuilderExt, WorkerContext};
use futures::{FutureExt, future::BoxFuture};
use quarry_shared::{
    adapters::sqlite_queue::SqliteJobQueue,
    config::WorkerSettings,
    domain::QueueName,
    ports::{JobTicket, PortError},
};
use tokio::time::{Instant, interval, timeout, timeout_at};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

/// How often delivered tickets are forgotten.
const SWEEP_PERIOD: Duration = Duration::from_secs(300);

/// Runs workers for every queue until `shutdown`, then lets running handlers end within the
/// shutdown timeout. The handler's token is cancelled with `shutdown`: end soon, or give up at a
/// safe point. Handlers that do not end in time are dropped at their next await.
///
/// Dropping the future drops the handlers, too. Tickets that a former process held are delivered again first: call this once per process.
pub async fn run_workers<H>(
    queue: Arc<SqliteJobQueue>,
    handler: H,
    settings: &WorkerSettings,
    shutdown: CancellationToken,
) where
    H: Fn(JobTicket, CancellationToken) -> BoxFuture<'static, ()> + Clone + Send + Sync + 'static,
{
    match queue.reclaim().await {
        Ok(0) => {}
        Ok(tickets) => tracing::info!(tickets, "tickets of a former process are delivered again"),
        Err(error) => tracing::warn!(%error, "tickets of a former process wait to be orphaned"),
    }
    let give_up = CancellationToken::new();
    let _give_up_on_drop = give_up.clone().drop_guard();
    let crew = Crew {
        queue,
        handler,
        handlers: TaskTracker::new(),
        shutdown,
        give_up,
        restart_pause: settings.restart_pause(),
        shutdown_timeout: settings.shutdown_timeout(),
    };
    let bulk = match settings.bulk_concurrency {
        0 => available_parallelism().map_or(1, NonZero::get),
        concurrency => concurrency,
    };
    tokio::join!(
        crew.work(QueueName::Push, settings.push_concurrency),
        crew.work(QueueName::Bulk, bulk),
        crew.sweep(),
    );
    crew.handlers.close();
    // Handlers outlive a worker whose queue failed; they have been told to stop as well.
    if timeout(crew.shutdown_timeout, crew.handlers.wait())
        .await
        .is_err()
    {
        tracing::warn!(
            handlers = crew.handlers.len(),
            "running jobs did not end in time"
        );
        crew.give_up.cancel();
        crew.handlers.wait().await;
    }
}

/// Why a worker ended.
enum End {
    Stopped,
    Failed(String),
}

struct Crew<H> {
    queue: Arc<SqliteJobQueue>,
    handler: H,
    /// Every running handler, so that a stop can wait for them.
    handlers: TaskTracker,
    shutdown: CancellationToken,
    /// Drops the handlers.
    give_up: CancellationToken,
    restart_pause: Duration,
    shutdown_timeout: Duration,
}

impl<H> Crew<H>
where
    H: Fn(JobTicket, CancellationToken) -> BoxFuture<'static, ()> + Clone + Send + Sync + 'static,
{
    /// Keeps a worker of one queue running.
    async fn work(&self, name: QueueName, concurrency: usize) {
        while !self.shutdown.is_cancelled() {
            match self.run_once(name, concurrency.max(1)).await {
                End::Stopped => return,
                End::Failed(error) => {
                    tracing::error!(
                        queue = name.as_str(),
                        error,
                        "a worker failed and starts again"
                    );
                }
            }
            tokio::select! {
                () = tokio::time::sleep(self.restart_pause) => {}
                () = self.shutdown.cancelled() => {}
            }
        }
    }

    async fn run_once(&self, name: QueueName, concurrency: usize) -> End {
        // A name that was ever used would make a dead worker look alive.
        let context = WorkerContext::new(&format!("{}-{}", name.as_str(), Uuid::now_v7().simple()));
        let crew = TicketCrew {
            handler: self.handler.clone(),
            handlers: self.handlers.clone(),
            shutdown: self.shutdown.clone(),
            give_up: self.give_up.clone(),
        };
        let worker = WorkerBuilder::new(context.clone())
            .backend(
                self.queue
                    .storage(name)
                    .poll_with_stream(self.queue.wake_ups(name)),
            )
            .concurrency(concurrency)
            .build(move |ticket: JobTicket| {
                let crew = crew.clone();
                async move { crew.handle(ticket).await }
            });
        let mut running = worker.run().boxed();
        tokio::select! {
            result = &mut running => End::Failed(match result {
                Ok(()) => "the queue ended".to_owned(),
                Err(error) => error.to_string(),
            }),
            () = self.shutdown.cancelled() => {
                let deadline = Instant::now() + self.shutdown_timeout;
                // Refused only before the first ticket could be taken.
                if context.stop().is_ok()
                    && let Ok(Err(error)) = timeout_at(deadline, running).await
                {
                    tracing::warn!(queue = name.as_str(), %error, "a worker failed while stopping");
                }
                End::Stopped
            }
        }
    }

    async fn sweep(&self) {
        let mut ticks = interval(SWEEP_PERIOD);
        loop {
            tokio::select! {
                () = self.shutdown.cancelled() => return,
                _ = ticks.tick() => {}
            }
            if let Err(error) = self.queue.sweep().await {
                report_sweep(&error);
            }
        }
    }
}

fn report_sweep(error: &PortError) {
    tracing::warn!(%error, "delivered tickets could not be forgotten");
}

/// What one ticket needs.
#[derive(Clone)]
struct TicketCrew<H> {
    handler: H,
    handlers: TaskTracker,
    shutdown: CancellationToken,
    give_up: CancellationToken,
}

impl<H> TicketCrew<H>
where
    H: Fn(JobTicket, CancellationToken) -> BoxFuture<'static, ()> + Clone + Send + Sync + 'static,
{
    /// Runs the handler as a task of its own: a failing queue does not end it, a panic stays there.
    async fn handle(self, ticket: JobTicket) -> Result<(), BoxDynError> {
        let (handler, shutdown, give_up) = (self.handler, self.shutdown, self.give_up);
        let running = self.handlers.spawn(async move {
            tokio::select! {
                () = give_up.cancelled() => {}
                () = handler(ticket, shutdown.child_token()) => {}
            }
        });
        if let Err(error) = running.await {
            tracing::error!(job_id = %ticket.job_id, %error, "a job's handler panicked");
        }
        Ok(())
    }
}
