//! Jobs of the whole instance, for its administrators: what failed for good, and another try.
//!
//! `GET /jobs`, `POST /jobs/{job_id}/retry`.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, JobId, JobState},
    store::{StoreError, entities::job, jobs},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    index_runs::ProblemSummary,
    kinds,
    list::{List, page},
    paths::JobPath,
    snapshots::read,
};
use crate::{
    audit::Audit, authentication::principal::Principal, body::Params, problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(list_jobs).service(retry_job);
}

/// A unit of queued work.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobResponse {
    id: Uuid,
    kind: String,
    #[schema(inline, value_type = kinds::JobState)]
    state: String,
    repository_id: Option<Uuid>,
    attempts: i64,
    max_attempts: i64,
    error: Option<ProblemSummary>,
    run_after: DateTime<Utc>,
    created_at: DateTime<Utc>,
    finished_at: Option<DateTime<Utc>>,
}

impl From<job::Model> for JobResponse {
    fn from(row: job::Model) -> Self {
        Self {
            id: row.id,
            kind: row.kind,
            state: row.state,
            repository_id: Some(row.repository_id).filter(|id| !id.is_nil()),
            attempts: row.attempts,
            max_attempts: row.max_attempts,
            error: ProblemSummary::from_columns(row.error_code, row.error_message),
            run_after: row.run_after,
            created_at: row.created_at,
            finished_at: row.finished_at,
        }
    }
}

/// Which jobs.
#[derive(Debug, Default, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct JobQuery {
    /// `queued`, `running`, `succeeded`, `dead` or `cancelled`.
    #[garde(length(bytes, max = 20))]
    state: Option<String>,
    /// `next_cursor` of the page before.
    #[garde(length(bytes, max = 200))]
    cursor: Option<String>,
    /// Most items on the page.
    #[garde(range(min = 1, max = 200))]
    limit: Option<u64>,
}

/// Lists jobs, newest first. For instance administrators.
#[utoipa::path(tag = "operations", operation_id = "list_jobs", params(JobQuery),
    responses((status = 200, body = List<JobResponse>)))]
#[get("/jobs")]
pub async fn list_jobs(
    state: Data<AppState>,
    principal: Principal,
    query: Params<JobQuery>,
) -> Result<Json<List<JobResponse>>, ApiError> {
    principal.require_instance_administrator()?;
    let page = page::<JobId>(query.0.cursor.as_deref(), query.0.limit)?;
    let wanted = read(query.0.state.as_deref(), "state", JobState::parse)?;
    let db = state.database().reader();
    let rows = jobs::list(db, wanted, page.after, page.limit + 1).await?;
    Ok(Json(List::from_rows(rows, page.limit, |row| row.id)))
}

/// Gives a dead job another try. For instance administrators.
#[utoipa::path(tag = "operations", operation_id = "retry_job", params(JobPath),
    responses((status = 202, description = "The job is queued again.")))]
#[post("/jobs/{job_id}/retry")]
pub async fn retry_job(
    state: Data<AppState>,
    principal: Principal,
    audit: Audit,
    path: Path<JobPath>,
) -> Result<HttpResponse, ApiError> {
    principal.require_instance_administrator()?;
    let indexing = &state.services.indexing;
    let transaction = state.database().begin().await?;
    let requested = indexing
        .retry_job_within(&transaction, JobId(path.job_id))
        .await?;
    let job = &requested.value;
    let event = AuditEvent::new("job.retry")
        .object("job", job.id)
        .detail("kind", job.kind.as_str())
        .detail("organization_id", job.organization_id.to_string());
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    indexing.announce(requested).await;
    Ok(HttpResponse::Accepted().finish())
}
