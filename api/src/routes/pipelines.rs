//! A pipeline tells of a push, and may wait until it can be searched.

use std::time::{Duration, Instant};

use actix_web::{
    HttpRequest, HttpResponse,
    http::StatusCode,
    post,
    web::{Data, Path},
};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, ErrorKind, IndexRunId, RepositoryId, RunState, SnapshotId},
    store::{
        StoreError, branches, entities::index_run, grants::Object, index_runs, repositories,
        snapshots,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{kinds, paths::RepositoryPath};
use crate::{
    access::{Access, IndexRepository},
    audit::Audit,
    authentication::principal::{Presented, Principal},
    body::Body,
    problem::ApiError,
    state::AppState,
    webhooks::{
        hint::{Hint, Reason},
        receive::{Delivery, receive_within},
    },
};

/// Rows change in other processes too, so hints alone would not be enough.
const POLL: Duration = Duration::from_millis(200);
/// Whoever waits must still be allowed to.
const RECHECK_AFTER: Duration = Duration::from_secs(3);

/// What a pipeline has pushed.
#[derive(Debug, Default, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct PipelineRequest {
    /// A branch; the tracked ones when neither this nor `ref` is given.
    #[serde(default)]
    #[garde(length(bytes, min = 1, max = 255))]
    branch: Option<String>,
    /// The same as pipelines know it: `refs/heads/main`, or `main`.
    #[serde(default, rename = "ref")]
    #[garde(length(bytes, min = 1, max = 266))]
    git_ref: Option<String>,
    /// The commit that was pushed. Nothing is done when it is searchable already.
    #[serde(default)]
    #[garde(length(bytes, min = 7, max = 64), inner(custom(is_commit)))]
    commit: Option<String>,
    /// How long to wait until the commit, or a newer one, can be searched.
    #[serde(default)]
    #[garde(range(max = 600))]
    wait_seconds: u64,
}

/// What became of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct PipelineResponse {
    #[schema(inline, value_type = kinds::WebhookOutcome)]
    outcome: String,
    reason: Reason,
    index_run_id: Option<Uuid>,
    /// Whether the commit, or a newer one of the branch, can be searched now.
    is_searchable: bool,
    branch: Option<String>,
    /// The commit that can be searched.
    searchable_commit: Option<String>,
}

fn is_commit(text: &str, (): &()) -> garde::Result {
    let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex
        .then_some(())
        .ok_or_else(|| garde::Error::new("is not a commit"))
}

/// Asks for a branch to be brought up to date, with an API token of scope `index`. Answers 200 once
/// the commit or a newer one is searchable, 202 when it is not yet, and 409 when the run failed.
#[utoipa::path(tag = "webhooks", operation_id = "request_index", params(RepositoryPath),
    request_body = PipelineRequest, responses((status = 200, body = PipelineResponse),
        (status = 202, body = PipelineResponse)))]
#[post("/ci/{repository_id}")]
pub async fn request_index(
    state: Data<AppState>,
    access: Access<IndexRepository>,
    audit: Audit,
    request: HttpRequest,
    path: Path<RepositoryPath>,
    body: Body<PipelineRequest>,
) -> Result<HttpResponse, ApiError> {
    let wait = Duration::from_secs(body.0.wait_seconds);
    let commit = body.0.commit.as_deref().map(str::to_ascii_lowercase);
    let id = RepositoryId(path.repository_id);
    let branch = match branch_of(body.0)? {
        Asked::Branch(branch) => branch,
        Asked::Tag => return Ok(ignored(Reason::Tag, None)),
    };
    if let Some(commit) = &commit
        && let Some(found) = searchable(&state, &access, id, branch.as_deref(), commit).await?
    {
        return Ok(ignored(Reason::AlreadySearchable, Some(found)));
    }
    let presented = Presented::by(&request, &state);
    let _turns = match wait.is_zero() {
        true => None,
        false => Some((
            state
                .event_streams
                .clone()
                .try_acquire_owned()
                .map_err(|_| ApiError::too_many("too many pipelines wait"))?,
            state.rate_limits.open_stream(access.principal.user.id)?,
        )),
    };
    let run = ask(&state, &access, &audit, id, branch).await?;
    let run = wait_for(&state, access, &presented, run, wait).await?;
    answer(run)
}

enum Asked {
    Branch(Option<String>),
    Tag,
}

fn branch_of(request: PipelineRequest) -> Result<Asked, ApiError> {
    let name = match (request.branch, request.git_ref) {
        (Some(_), Some(_)) => {
            return Err(ApiError::invalid(
                "/ref",
                "and `branch` are the same: give one",
            ));
        }
        (Some(branch), None) => return Ok(Asked::Branch(Some(branch))),
        (None, None) => return Ok(Asked::Branch(None)),
        (None, Some(name)) => name,
    };
    if name.starts_with("refs/tags/") {
        return Ok(Asked::Tag);
    }
    match name.strip_prefix("refs/heads/") {
        Some(branch) if !branch.is_empty() => Ok(Asked::Branch(Some(branch.to_owned()))),
        None if !name.starts_with("refs/") => Ok(Asked::Branch(Some(name))),
        _ => Err(ApiError::invalid("/ref", "is not a branch")),
    }
}

/// Branch and commit that can be searched.
type Found = (String, String);

fn ignored(reason: Reason, found: Option<Found>) -> HttpResponse {
    let is_searchable = found.is_some();
    let (branch, searchable_commit) = found.unzip();
    HttpResponse::Ok().json(PipelineResponse {
        outcome: "ignored".to_owned(),
        reason,
        index_run_id: None,
        is_searchable,
        branch,
        searchable_commit,
    })
}

/// The branch's published commit, when it is the one that was asked for.
async fn searchable(
    state: &AppState,
    access: &Access<IndexRepository>,
    id: RepositoryId,
    branch: Option<&str>,
    commit: &str,
) -> Result<Option<Found>, ApiError> {
    let (db, scope) = (state.database().reader(), access.scope().read());
    let rows = branches::list(db, scope, id).await?;
    let row = rows.into_iter().find(|row| match branch {
        Some(branch) => row.name == branch,
        None => row.is_default,
    });
    let Some(row) = row else { return Ok(None) };
    let Some(snapshot) = row.published_snapshot_id else {
        return Ok(None);
    };
    let found = snapshots::find_many(db, scope, &[SnapshotId(snapshot)]).await?;
    let found = found.into_iter().next().map(|snapshot| snapshot.commit);
    Ok(found
        .filter(|found| found.starts_with(commit))
        .map(|found| (row.name, found)))
}

/// Asks for the run and writes the delivery down.
async fn ask(
    state: &AppState,
    access: &Access<IndexRepository>,
    audit: &Audit,
    id: RepositoryId,
    branch: Option<String>,
) -> Result<IndexRunId, ApiError> {
    let organization = access.organization_id();
    let event = AuditEvent::new("index_run.create")
        .within(organization)
        .detail("repository_id", id.to_string())
        .detail("branch", branch.clone());
    let delivery = Delivery {
        provider: "ci".to_owned(),
        event: "request".to_owned(),
        key: None,
        hint: Hint::Branch { branch },
        once: false,
    };
    let transaction = state.database().begin().await?;
    repositories::find(&transaction, access.scope().read(), id).await?;
    let received = receive_within(state, &transaction, organization, id, delivery).await?;
    let run = received.row.index_run_id;
    let run = run.ok_or_else(|| ApiError::internal("a request without a run"))?;
    audit
        .record(&transaction, event.object("index_run", run))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    received.announce(state).await;
    Ok(IndexRunId(run))
}

/// The run once it has ended, or as it is when the time is over or the server stops. The run was
/// waiting when it was asked for, so it reads the remote later than the push came.
async fn wait_for(
    state: &AppState,
    mut access: Access<IndexRepository>,
    presented: &Presented,
    run: IndexRunId,
    wait: Duration,
) -> Result<index_run::Model, ApiError> {
    let (started, mut checked) = (Instant::now(), Instant::now());
    loop {
        let db = state.database().writer();
        let row = index_runs::find(db, access.scope().read(), run).await?;
        if row.finished_at.is_some() || started.elapsed() >= wait {
            return Ok(row);
        }
        let pause = POLL.min(wait.saturating_sub(started.elapsed()));
        let slept = state
            .shutdown
            .run_until_cancelled(tokio::time::sleep(pause));
        if slept.await.is_none() {
            return Ok(row);
        }
        if checked.elapsed() >= RECHECK_AFTER {
            let principal = Principal::of(state, presented).await?;
            access = Access::to(state, principal, Object::IndexRun(run)).await?;
            checked = Instant::now();
        }
    }
}

fn answer(run: index_run::Model) -> Result<HttpResponse, ApiError> {
    let state = RunState::parse(&run.state);
    if matches!(state, Some(RunState::Failed | RunState::Cancelled)) {
        let reason = run.error_message.unwrap_or_else(|| run.state.clone());
        let detail = format!("index run {} did not succeed: {reason}", run.id);
        return Err(ApiError::new(
            ErrorKind::Conflict,
            "index_run_failed",
            detail,
        ));
    }
    let is_searchable = state == Some(RunState::Succeeded);
    let status = match is_searchable {
        true => StatusCode::OK,
        false => StatusCode::ACCEPTED,
    };
    Ok(HttpResponse::build(status).json(PipelineResponse {
        outcome: "accepted".to_owned(),
        reason: Reason::Requested,
        index_run_id: Some(run.id),
        is_searchable,
        searchable_commit: run.commit.filter(|_| is_searchable),
        branch: run.branch,
    }))
}
