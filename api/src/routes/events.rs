//! Progress of an index run as server-sent events.
//!
//! `GET /index-runs/{index_run_id}/events`: `progress` whenever the run's row has changed, `done` at
//! the end, a comment when nothing happens. Access is checked again while the stream is open.

use std::{convert::Infallible, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header,
    web::{Bytes, Data, Path},
};
use futures::{Stream, stream};
use quarry_shared::{
    domain::IndexRunId,
    store::{entities::index_run, grants::Object, index_runs},
};
use tokio::{
    sync::{OwnedSemaphorePermit, broadcast},
    time::{Instant, timeout},
};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use super::{index_runs::IndexRunResponse, paths::IndexRunPath};
use crate::{
    access::{Access, ReadProject},
    authentication::principal::{Presented, Principal},
    problem::ApiError,
    rate_limits::StreamTurn,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(stream_index_run_events);
}

/// Rows change in other processes too, so hints alone are not enough.
const POLL: Duration = Duration::from_millis(500);
/// Proxies cut streams that stay silent for a minute.
const COMMENT_AFTER: Duration = Duration::from_secs(15);
/// With the poll that may come before it, well under the five seconds that a revocation may take.
const RECHECK_AFTER: Duration = Duration::from_secs(3);

/// One event of the stream, as a reader of server-sent events has it.
// Never built: it stands in the document for the lines that are written by hand.
#[allow(dead_code)]
#[derive(ToSchema)]
pub struct RunEvent {
    /// `progress` or `done`.
    event: String,
    /// An index run as JSON.
    data: String,
}

/// Streams the progress of an index run.
#[utoipa::path(tag = "index runs", operation_id = "stream_index_run_events", params(IndexRunPath),
    responses((status = 200, content_type = "text/event-stream", body = RunEvent)))]
#[get("/index-runs/{index_run_id}/events")]
pub async fn stream_index_run_events(
    state: Data<AppState>,
    access: Access<ReadProject>,
    path: Path<IndexRunPath>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let permit = state
        .event_streams
        .clone()
        .try_acquire_owned()
        .map_err(|_| ApiError::too_many("too many progress streams are open"))?;
    let turn = state.rate_limits.open_stream(access.principal.user.id)?;
    let presented = Presented::by(&request, &state);
    let watcher = Watcher {
        hints: state.services.indexing.events(),
        state,
        access,
        presented,
        run: IndexRunId(path.index_run_id),
        last: None,
        spoke: Instant::now(),
        checked: Instant::now(),
        ended: false,
        _permit: permit,
        _turn: turn,
    };
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header(("x-accel-buffering", "no"))
        .streaming(events(watcher)))
}

struct Watcher {
    state: Data<AppState>,
    access: Access<ReadProject>,
    presented: Presented,
    run: IndexRunId,
    hints: broadcast::Receiver<IndexRunId>,
    last: Option<index_run::Model>,
    spoke: Instant,
    checked: Instant,
    ended: bool,
    _permit: OwnedSemaphorePermit,
    _turn: StreamTurn,
}

fn events(watcher: Watcher) -> impl Stream<Item = Result<Bytes, Infallible>> {
    stream::unfold(watcher, |mut watcher| async move {
        let bytes = watcher.next().await?;
        Some((Ok(bytes), watcher))
    })
}

impl Watcher {
    /// The next piece of the stream; `None` ends it.
    async fn next(&mut self) -> Option<Bytes> {
        while !self.ended {
            if self.checked.elapsed() >= RECHECK_AFTER {
                self.recheck().await?;
            }
            let db = self.state.database().reader();
            let row = index_runs::find(db, self.access.scope(), self.run)
                .await
                .ok()?;
            // Rows, not answers: the estimate of the time left differs at every look.
            let is_news = self.last.as_ref() != Some(&row);
            if is_news {
                self.last = Some(row.clone());
                let response = IndexRunResponse::from(row);
                let data = serde_json::to_string(&response).ok()?;
                self.spoke = Instant::now();
                if !response.is_final() {
                    return Some(Bytes::from(format!("event: progress\ndata: {data}\n\n")));
                }
                self.ended = true;
                return Some(Bytes::from(format!(
                    "event: progress\ndata: {data}\n\nevent: done\ndata: {data}\n\n"
                )));
            }
            if self.spoke.elapsed() >= COMMENT_AFTER {
                self.spoke = Instant::now();
                return Some(Bytes::from_static(b": still here\n\n"));
            }
            self.wait().await?;
        }
        None
    }

    /// Until the run may have changed; `None` when the server stops.
    async fn wait(&mut self) -> Option<()> {
        let shutdown = self.state.shutdown.clone();
        let (hints, run) = (&mut self.hints, self.run);
        let hint = timeout(POLL, async {
            loop {
                match hints.recv().await {
                    Ok(changed) if changed != run => {}
                    Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => break,
                    // Nobody sends any more: the poll goes on alone.
                    Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
                }
            }
        });
        shutdown.run_until_cancelled(hint).await.map(drop)
    }

    /// Sign-out and lost rights end an open stream.
    async fn recheck(&mut self) -> Option<()> {
        let principal = Principal::of(&self.state, &self.presented).await.ok()?;
        let object = Object::IndexRun(self.run);
        self.access = Access::to(&self.state, principal, object).await.ok()?;
        self.checked = Instant::now();
        Some(())
    }
}
