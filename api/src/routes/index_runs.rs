//! Index runs: start, watch, cancel, repeat.
//!
//! `POST /repositories/{repository_id}/index`, `GET /repositories/{repository_id}/index-runs`,
//! `GET /index-runs/{index_run_id}`, `POST …/cancel`, `POST …/retry`; the stream is in `events`.

use actix_web::{
    HttpResponse, get,
    http::header,
    post,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, IndexRunId, RepositoryId, RunTrigger},
    store::{
        StoreError,
        entities::index_run,
        index_runs::{self, StageSeconds as StoredSeconds},
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    kinds,
    list::{List, ListQuery},
    paths::{IndexRunPath, RepositoryPath},
};
use crate::{
    access::{Access, IndexRepository, ReadProject},
    audit::Audit,
    body::{Body, Params},
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(create_index_run)
        .service(list_index_runs)
        .service(get_index_run)
        .service(cancel_index_run)
        .service(retry_index_run);
}

/// A failure as it is shown to people.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ProblemSummary {
    code: String,
    message: String,
}

impl ProblemSummary {
    pub(super) fn from_columns(code: Option<String>, message: Option<String>) -> Option<Self> {
        let code = code?;
        Some(Self {
            message: message.unwrap_or_default(),
            code,
        })
    }
}

/// Seconds spent per stage.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StageSeconds {
    sync: f64,
    plan: f64,
    batch: f64,
    publish: f64,
    embed: f64,
}

/// One attempt to bring a branch to a commit.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct IndexRunResponse {
    id: Uuid,
    repository_id: Uuid,
    branch: Option<String>,
    #[schema(inline, value_type = kinds::RunState)]
    state: String,
    #[schema(inline, value_type = kinds::RunStage)]
    stage: String,
    #[schema(inline, value_type = kinds::RunTrigger)]
    trigger: String,
    commit: Option<String>,
    snapshot_id: Option<i64>,
    /// Files in the commit.
    files_seen: i64,
    /// Changed files that this run processes.
    files_total: i64,
    files_done: i64,
    chunks_done: i64,
    chunks_embedded: i64,
    embedding_cache_hits: i64,
    batches_total: i64,
    batches_done: i64,
    bytes_total: i64,
    bytes_done: i64,
    attempts: i64,
    /// Estimated from the bytes done so far.
    eta_seconds: Option<f64>,
    error: Option<ProblemSummary>,
    stage_seconds: StageSeconds,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    finished_at: Option<DateTime<Utc>>,
}

impl IndexRunResponse {
    pub(super) fn is_final(&self) -> bool {
        self.finished_at.is_some()
    }
}

impl From<index_run::Model> for IndexRunResponse {
    fn from(row: index_run::Model) -> Self {
        let seconds = StoredSeconds::parse(&row.stage_seconds);
        Self {
            eta_seconds: eta(&row),
            id: row.id,
            repository_id: row.repository_id,
            branch: row.branch,
            state: row.state,
            stage: row.stage,
            trigger: row.trigger,
            commit: row.commit,
            snapshot_id: row.snapshot_id,
            files_seen: row.files_seen,
            files_total: row.files_total,
            files_done: row.files_done,
            chunks_done: row.chunks_done,
            chunks_embedded: row.chunks_embedded,
            embedding_cache_hits: row.embedding_cache_hits,
            batches_total: row.batches_total,
            batches_done: row.batches_done,
            bytes_total: row.bytes_total,
            bytes_done: row.bytes_done,
            attempts: row.attempts,
            error: ProblemSummary::from_columns(row.error_code, row.error_message),
            stage_seconds: StageSeconds {
                sync: seconds.sync,
                plan: seconds.plan,
                batch: seconds.batch,
                publish: seconds.publish,
                embed: seconds.embed,
            },
            created_at: row.created_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
        }
    }
}

#[allow(clippy::cast_precision_loss)]
fn eta(row: &index_run::Model) -> Option<f64> {
    let is_running = row.finished_at.is_none() && row.stage == "batch";
    if !is_running || row.bytes_done <= 0 || row.bytes_total <= 0 {
        return None;
    }
    let elapsed = (Utc::now() - row.started_at?).as_seconds_f64();
    let left = (row.bytes_total - row.bytes_done).max(0) as f64;
    Some(elapsed * left / row.bytes_done as f64)
}

/// What to index.
#[derive(Debug, Default, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct CreateIndexRunRequest {
    /// A branch instead of the tracked ones.
    #[serde(default)]
    #[garde(length(bytes, min = 1, max = 255))]
    branch: Option<String>,
}

/// Starts an index run, or returns the one that waits already.
#[utoipa::path(tag = "index runs", operation_id = "create_index_run", params(RepositoryPath),
    request_body = CreateIndexRunRequest, responses((status = 202, body = IndexRunResponse)))]
#[post("/repositories/{repository_id}/index")]
pub async fn create_index_run(
    state: Data<AppState>,
    access: Access<IndexRepository>,
    audit: Audit,
    path: Path<RepositoryPath>,
    body: Body<CreateIndexRunRequest>,
) -> Result<HttpResponse, ApiError> {
    let repository = RepositoryId(path.repository_id);
    let CreateIndexRunRequest { branch } = body.0;
    let organization = access.organization_id();
    let trigger = RunTrigger::Manual;
    let indexing = &state.services.indexing;
    let transaction = state.database().begin().await?;
    let requested = indexing
        .index_within(&transaction, organization, repository, branch, trigger)
        .await?;
    let event = event("index_run.create", &access, &requested.value);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(accepted(indexing.announce(requested).await))
}

/// Lists the index runs of a repository, newest first.
#[utoipa::path(tag = "index runs", operation_id = "list_index_runs",
    params(RepositoryPath, ListQuery), responses((status = 200, body = List<IndexRunResponse>)))]
#[get("/repositories/{repository_id}/index-runs")]
pub async fn list_index_runs(
    state: Data<AppState>,
    access: Access<ReadProject>,
    path: Path<RepositoryPath>,
    query: Params<ListQuery>,
) -> Result<Json<List<IndexRunResponse>>, ApiError> {
    let page = query.0.page::<IndexRunId>()?;
    let repository = RepositoryId(path.repository_id);
    let db = state.database().reader();
    let rows = index_runs::list(db, access.scope(), repository, page.after, page.limit + 1).await?;
    Ok(Json(List::from_rows(rows, page.limit, |row| row.id)))
}

/// Returns one index run.
#[utoipa::path(tag = "index runs", operation_id = "get_index_run", params(IndexRunPath),
    responses((status = 200, body = IndexRunResponse)))]
#[get("/index-runs/{index_run_id}")]
pub async fn get_index_run(
    state: Data<AppState>,
    access: Access<ReadProject>,
    path: Path<IndexRunPath>,
) -> Result<Json<IndexRunResponse>, ApiError> {
    let db = state.database().reader();
    let run = index_runs::find(db, access.scope(), IndexRunId(path.index_run_id)).await?;
    Ok(Json(run.into()))
}

/// Asks a run to stop. What it had built is removed and never becomes visible.
#[utoipa::path(tag = "index runs", operation_id = "cancel_index_run", params(IndexRunPath),
    responses((status = 202, description = "The run stops soon.")))]
#[post("/index-runs/{index_run_id}/cancel")]
pub async fn cancel_index_run(
    state: Data<AppState>,
    access: Access<IndexRepository>,
    audit: Audit,
    path: Path<IndexRunPath>,
) -> Result<HttpResponse, ApiError> {
    let run = IndexRunId(path.index_run_id);
    let indexing = &state.services.indexing;
    let transaction = state.database().begin().await?;
    let requested = indexing
        .cancel_within(&transaction, access.organization_id(), run)
        .await?;
    let event = event("index_run.cancel", &access, &requested.value);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    indexing.announce(requested).await;
    Ok(HttpResponse::Accepted().finish())
}

/// Starts a new run for the branch of an ended one.
#[utoipa::path(tag = "index runs", operation_id = "retry_index_run", params(IndexRunPath),
    responses((status = 202, body = IndexRunResponse)))]
#[post("/index-runs/{index_run_id}/retry")]
pub async fn retry_index_run(
    state: Data<AppState>,
    access: Access<IndexRepository>,
    audit: Audit,
    path: Path<IndexRunPath>,
) -> Result<HttpResponse, ApiError> {
    let run = IndexRunId(path.index_run_id);
    let indexing = &state.services.indexing;
    let transaction = state.database().begin().await?;
    let requested = indexing
        .retry_within(&transaction, access.organization_id(), run)
        .await?;
    let event = event("index_run.retry", &access, &requested.value);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(accepted(indexing.announce(requested).await))
}

fn event(
    action: &'static str,
    access: &Access<IndexRepository>,
    run: &index_run::Model,
) -> AuditEvent {
    AuditEvent::new(action)
        .within(access.organization_id())
        .object("index_run", run.id)
        .detail("repository_id", run.repository_id.to_string())
        .detail("branch", run.branch.clone())
}

fn accepted(run: index_run::Model) -> HttpResponse {
    HttpResponse::Accepted()
        .insert_header((header::LOCATION, format!("/api/v1/index-runs/{}", run.id)))
        .json(IndexRunResponse::from(run))
}
