//! The work of one process: it takes tickets, and looks for work that was lost.

use std::{sync::Arc, time::Duration};

use futures::future::BoxFuture;
use quarry_shared::{ports::JobTicket, services::Services};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::runner;

/// How often lost tickets and expired leases are looked for.
const SWEEP_PERIOD: Duration = Duration::from_secs(2);

/// Works on jobs until `shutdown`, then drains. Call it once per process, after
/// [`Services::prepare`].
pub async fn run(services: Services, shutdown: CancellationToken) {
    tokio::join!(
        work(services.clone(), shutdown.clone()),
        sweep(services, shutdown)
    );
}

async fn work(services: Services, shutdown: CancellationToken) {
    let indexing = services.indexing.clone();
    // Unique per start, so that a lease of a former process is never taken for one's own.
    let worker: Arc<str> = format!("worker-{}", Uuid::now_v7().simple()).into();
    let handler = move |ticket: JobTicket, cancellation: CancellationToken| {
        let (indexing, worker) = (indexing.clone(), worker.clone());
        Box::pin(async move { indexing.run_job(ticket, &worker, cancellation).await })
            as BoxFuture<'static, ()>
    };
    runner::run_workers(
        services.queue.clone(),
        handler,
        &services.settings.worker,
        shutdown,
    )
    .await;
}

async fn sweep(services: Services, shutdown: CancellationToken) {
    let mut ticks = tokio::time::interval(SWEEP_PERIOD);
    while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
        if let Err(error) = services.indexing.sweep().await {
            tracing::warn!(%error, "looking for lost work failed; it is tried again");
        }
    }
}
