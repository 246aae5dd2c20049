//! Search by words and meaning.
//!
//! `POST /search`.

use std::time::Duration;

use actix_web::{
    post,
    web::{Data, Json},
};
use garde::Validate;
use quarry_shared::{
    domain::{ChunkKind, OrganizationId, ProjectId, RepositoryId, SnapshotId, TestFilter},
    retrieval::{Fusion, SearchQuery},
    store::{grants::Object, views::ViewRequest},
};
use serde::Deserialize;
use tokio::{sync::SemaphorePermit, time::timeout};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::search_response::SearchResponse;
use crate::{
    access::{Access, ReadProject},
    authentication::principal::{Caller, Principal},
    body::Body,
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(search);
}

/// A full server lets a search wait this long for its turn.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// Whether tests are wanted.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tests {
    #[default]
    Include,
    Exclude,
    Only,
}

/// How channel scores become one.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FusionChoice {
    #[default]
    Weighted,
    Rrf,
}

/// A search. The text may hold filters: `repo: path: lang: symbol: branch: rev: kind: test:yes|no
/// -negation "exact phrase" /regex/`.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    #[garde(length(bytes, min = 1, max = 32_768))]
    query: String,
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
    #[garde(length(bytes, max = 64))]
    commit: Option<String>,
    #[serde(default)]
    #[garde(length(max = 50), inner(length(bytes, max = 40)))]
    languages: Vec<String>,
    /// A glob over paths.
    #[serde(default)]
    #[garde(length(bytes, max = 1024))]
    path: Option<String>,
    #[serde(default)]
    #[garde(length(max = 20), inner(length(bytes, max = 40)))]
    kinds: Vec<String>,
    #[serde(default)]
    #[garde(skip)]
    #[schema(inline)]
    tests: Tests,
    /// 1 to 50, 10 when absent.
    #[serde(default)]
    #[garde(range(min = 1, max = 50))]
    limit: Option<usize>,
    #[serde(default)]
    #[garde(skip)]
    explain: bool,
    #[serde(default)]
    #[garde(skip)]
    #[schema(inline)]
    fusion: FusionChoice,
}
/// Searches by words, names, paths and meaning.
#[utoipa::path(tag = "search", operation_id = "search", request_body = SearchRequest,
    responses((status = 200, body = SearchResponse)))]
#[post("/search")]
pub async fn search(
    state: Data<AppState>,
    Caller(principal): Caller,
    body: Body<SearchRequest>,
) -> Result<Json<SearchResponse>, ApiError> {
    let (organization, query) = body.0.into_query()?;
    let access = in_organization(&state, principal, organization).await?;
    let _turn = turn(&state).await?;
    let outcome = state
        .services
        .retrieval
        .search(access.scope(), &query)
        .await?;
    Ok(Json(outcome.into()))
}

impl SearchRequest {
    fn into_query(self) -> Result<(Uuid, SearchQuery), ApiError> {
        let Self {
            query,
            organization_id,
            project_ids,
            repository_ids,
            branch,
            snapshot_id,
            commit,
            languages,
            path,
            kinds,
            tests,
            limit,
            explain,
            fusion,
        } = self;
        let kinds = kinds
            .iter()
            .enumerate()
            .map(|(at, kind)| {
                ChunkKind::parse(kind).ok_or_else(|| {
                    ApiError::invalid(format!("/kinds/{at}"), format!("`{kind}` is no chunk kind"))
                })
            })
            .collect::<Result<_, _>>()?;
        let query = SearchQuery {
            text: query,
            view: view(project_ids, repository_ids, branch, snapshot_id, commit),
            languages: languages
                .into_iter()
                .map(|name| name.to_lowercase())
                .collect(),
            path,
            kinds,
            tests: match tests {
                Tests::Include => TestFilter::Include,
                Tests::Exclude => TestFilter::Exclude,
                Tests::Only => TestFilter::Only,
            },
            limit: limit.unwrap_or(0),
            explain,
            fusion: match fusion {
                FusionChoice::Weighted => Fusion::Weighted,
                FusionChoice::Rrf => Fusion::Rrf,
            },
        };
        Ok((organization_id, query))
    }
}

pub(super) fn view(
    project_ids: Vec<Uuid>,
    repository_ids: Vec<Uuid>,
    branch: Option<String>,
    snapshot_id: Option<i64>,
    commit: Option<String>,
) -> ViewRequest {
    ViewRequest {
        project_ids: project_ids.into_iter().map(ProjectId).collect(),
        repository_ids: repository_ids.into_iter().map(RepositoryId).collect(),
        branch,
        snapshot: snapshot_id.map(SnapshotId),
        commit,
    }
}

/// Everything of an organization that the person may read.
pub(super) async fn in_organization(
    state: &AppState,
    principal: Principal,
    organization: Uuid,
) -> Result<Access<ReadProject>, ApiError> {
    let object = Object::Organization(OrganizationId(organization));
    Access::to(state, principal, object).await
}

/// A turn among the searches that run at the same time.
pub(super) async fn turn(state: &AppState) -> Result<SemaphorePermit<'_>, ApiError> {
    let busy = || ApiError::too_many("too many searches run at the moment");
    match timeout(LONGEST_WAIT, state.searches.acquire()).await {
        Ok(Ok(permit)) => Ok(permit),
        _ => Err(busy()),
    }
}
