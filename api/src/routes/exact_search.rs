//! Search for exact text or a regular expression.
//!
//! `POST /search/exact`.

use actix_web::{
    post,
    web::{Data, Json},
};
use garde::Validate;
use quarry_shared::retrieval::{self, ExactQuery};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    kinds,
    search::{in_organization, turn, view},
    search_response::SearchedBranch,
};
use crate::{authentication::principal::Caller, body::Body, problem::ApiError, state::AppState};

pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(search_exact);
}

/// A search for exact text or a regular expression.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ExactSearchRequest {
    #[garde(length(bytes, min = 1, max = 4096))]
    pattern: String,
    #[serde(default)]
    #[garde(skip)]
    regex: bool,
    #[serde(default)]
    #[garde(skip)]
    case_sensitive: bool,
    #[serde(default)]
    #[garde(skip)]
    whole_word: bool,
    #[garde(skip)]
    organization_id: Uuid,
    #[serde(default)]
    #[garde(length(max = 100))]
    project_ids: Vec<Uuid>,
    #[serde(default)]
    #[garde(length(max = 100))]
    repository_ids: Vec<Uuid>,
    #[serde(default)]
    #[garde(length(bytes, max = 255))]
    branch: Option<String>,
    #[serde(default)]
    #[garde(skip)]
    snapshot_id: Option<i64>,
    #[serde(default)]
    #[garde(length(max = 50), inner(length(bytes, max = 40)))]
    languages: Vec<String>,
    #[serde(default)]
    #[garde(length(bytes, max = 1024))]
    path: Option<String>,
    /// 1 to 1,000, 200 when absent.
    #[serde(default)]
    #[garde(range(min = 1, max = 1_000))]
    limit: Option<usize>,
}

/// A matching line; `start` and `end` are UTF-16 columns of the whole line, `text_offset` is where
/// `text` begins in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExactMatch {
    line: u32,
    start: u32,
    end: u32,
    text: String,
    text_offset: u32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ExactFile {
    repository_id: Uuid,
    repository_name: String,
    branch: String,
    commit: String,
    snapshot_id: i64,
    path: String,
    language: Option<String>,
    matches: Vec<ExactMatch>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ExactSearchResponse {
    files: Vec<ExactFile>,
    matches: usize,
    files_considered: usize,
    /// Whether more may match than was found.
    stopped_early: bool,
    #[schema(inline, value_type = Option<kinds::StopReason>)]
    stop_reason: Option<retrieval::StopReason>,
    searched: Vec<SearchedBranch>,
    took_ms: f64,
}

/// Searches for exact text or a regular expression, line by line.
#[utoipa::path(tag = "search", operation_id = "search_exact", request_body = ExactSearchRequest,
    responses((status = 200, body = ExactSearchResponse)))]
#[post("/search/exact")]
pub async fn search_exact(
    state: Data<AppState>,
    Caller(principal): Caller,
    body: Body<ExactSearchRequest>,
) -> Result<Json<ExactSearchResponse>, ApiError> {
    let ExactSearchRequest {
        pattern,
        regex,
        case_sensitive,
        whole_word,
        organization_id,
        project_ids,
        repository_ids,
        branch,
        snapshot_id,
        languages,
        path,
        limit,
    } = body.0;
    let access = in_organization(&state, principal, organization_id).await?;
    let query = ExactQuery {
        pattern,
        regex,
        case_sensitive,
        whole_word,
        view: view(project_ids, repository_ids, branch, snapshot_id, None),
        languages: languages
            .into_iter()
            .map(|name| name.to_lowercase())
            .collect(),
        path,
        limit: limit.unwrap_or(0),
    };
    let _turn = turn(&state).await?;
    let outcome = state
        .services
        .retrieval
        .search_exact(access.scope(), &query)
        .await?;
    Ok(Json(outcome.into()))
}
impl From<retrieval::ExactOutcome> for ExactSearchResponse {
    fn from(outcome: retrieval::ExactOutcome) -> Self {
        Self {
            files: outcome.files.into_iter().map(Into::into).collect(),
            matches: outcome.matches,
            files_considered: outcome.files_considered,
            stopped_early: outcome.stop_reason.is_some(),
            stop_reason: outcome.stop_reason,
            searched: outcome.searched.into_iter().map(Into::into).collect(),
            took_ms: outcome.took_milliseconds,
        }
    }
}

impl From<retrieval::ExactFile> for ExactFile {
    fn from(file: retrieval::ExactFile) -> Self {
        Self {
            repository_id: file.repository_id.0,
            repository_name: file.repository_name,
            branch: file.branch,
            commit: file.commit,
            snapshot_id: file.snapshot_id.0,
            path: file.path,
            language: file.language,
            matches: file
                .matches
                .into_iter()
                .map(|found| ExactMatch {
                    line: found.line,
                    start: found.start,
                    end: found.end,
                    text: found.text,
                    text_offset: found.text_offset,
                })
                .collect(),
        }
    }
}
