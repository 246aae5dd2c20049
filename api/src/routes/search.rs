//! Search by words and meaning, and search for exact text.
//!
//! `POST /search`, `POST /search/exact`.

use std::time::Duration;

use actix_web::{
    post,
    web::{Data, Json},
};
use chrono::{DateTime, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{ChunkKind, OrganizationId, ProjectId, RepositoryId, SnapshotId, TestFilter},
    retrieval::{self, ExactQuery, Fusion, SearchQuery},
    store::{grants::Object, views, views::ViewRequest},
};
use serde::{Deserialize, Serialize};
use tokio::{sync::SemaphorePermit, time::timeout};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::kinds;
use crate::{
    access::{Access, ReadProject},
    authentication::principal::Principal,
    body::Body,
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(search).service(search_exact);
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

/// Something the reader should know.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchWarning {
    code: String,
    message: String,
}

impl SearchWarning {
    pub(super) fn new(code: &str, message: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            message: message.into(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SearchChannel {
    #[schema(inline, value_type = kinds::Channel)]
    name: &'static str,
    #[schema(inline, value_type = kinds::ChannelState)]
    status: retrieval::ChannelStatus,
    candidates: usize,
    milliseconds: f64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FacetCount {
    value: String,
    label: Option<String>,
    count: usize,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SearchFacets {
    languages: Vec<FacetCount>,
    repositories: Vec<FacetCount>,
    kinds: Vec<FacetCount>,
    tests: Vec<FacetCount>,
}

/// UTF-16 columns within a line of the file, from 0, end excluded.
#[derive(Debug, Serialize, ToSchema)]
pub struct SnippetHighlight {
    line: u32,
    start: u32,
    end: u32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SearchSnippet {
    start_line: u32,
    text: String,
    highlights: Vec<SnippetHighlight>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct HitChannel {
    #[schema(inline, value_type = kinds::Channel)]
    name: &'static str,
    rank: Option<usize>,
    score: Option<f32>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ExplanationStep {
    name: String,
    value: f32,
    detail: String,
}

/// A found chunk.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchHit {
    id: Uuid,
    rank: usize,
    score: f32,
    repository_id: Uuid,
    repository_name: String,
    project_id: Uuid,
    branch: String,
    commit: String,
    snapshot_id: i64,
    path: String,
    language: Option<String>,
    kind: &'static str,
    symbol: Option<String>,
    start_line: u32,
    end_line: u32,
    is_test: bool,
    snippet: SearchSnippet,
    channels: Vec<HitChannel>,
    explanation: Option<Vec<ExplanationStep>>,
}

/// A branch that was searched, and how much of it is indexed.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchedBranch {
    repository_id: Uuid,
    repository_name: String,
    branch: String,
    commit: String,
    snapshot_id: i64,
    indexed_at: Option<DateTime<Utc>>,
    files_indexed: u64,
    files_skipped: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SearchResponse {
    #[schema(inline, value_type = kinds::Intent)]
    intent: &'static str,
    #[schema(inline, value_type = kinds::Verdict)]
    verdict: retrieval::Verdict,
    hint: Option<String>,
    hits: Vec<SearchHit>,
    warnings: Vec<SearchWarning>,
    channels: Vec<SearchChannel>,
    facets: SearchFacets,
    searched: Vec<SearchedBranch>,
    took_ms: f64,
}

/// Searches by words, names, paths and meaning.
#[utoipa::path(tag = "search", operation_id = "search", request_body = SearchRequest,
    responses((status = 200, body = SearchResponse)))]
#[post("/search")]
pub async fn search(
    state: Data<AppState>,
    principal: Principal,
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

fn view(
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
    principal: Principal,
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

impl From<views::SearchedBranch> for SearchedBranch {
    fn from(branch: views::SearchedBranch) -> Self {
        Self {
            repository_id: branch.repository_id.0,
            repository_name: branch.repository_name,
            branch: branch.branch,
            commit: branch.commit,
            snapshot_id: branch.snapshot_id.0,
            indexed_at: branch.published_at,
            files_indexed: branch.files_indexed,
            files_skipped: branch.files_skipped,
        }
    }
}

impl From<retrieval::SearchHit> for SearchHit {
    fn from(hit: retrieval::SearchHit) -> Self {
        Self {
            id: hit.id,
            rank: hit.rank,
            score: hit.score,
            repository_id: hit.repository_id.0,
            repository_name: hit.repository_name,
            project_id: hit.project_id.0,
            branch: hit.branch,
            commit: hit.commit,
            snapshot_id: hit.snapshot_id.0,
            path: hit.path,
            language: hit.language,
            kind: hit.kind.as_str(),
            symbol: hit.symbol,
            start_line: hit.start_line,
            end_line: hit.end_line,
            is_test: hit.is_test,
            snippet: SearchSnippet {
                start_line: hit.snippet.start_line,
                text: hit.snippet.text,
                highlights: hit
                    .snippet
                    .highlights
                    .into_iter()
                    .map(|mark| SnippetHighlight {
                        line: mark.line,
                        start: mark.start,
                        end: mark.end,
                    })
                    .collect(),
            },
            channels: hit
                .channels
                .into_iter()
                .map(|channel| HitChannel {
                    name: channel.name.as_str(),
                    rank: channel.rank,
                    score: channel.score,
                })
                .collect(),
            explanation: hit.explanation.map(|steps| {
                steps
                    .into_iter()
                    .map(|step| ExplanationStep {
                        name: step.name.to_owned(),
                        value: step.value,
                        detail: step.detail,
                    })
                    .collect()
            }),
        }
    }
}

impl From<retrieval::SearchOutcome> for SearchResponse {
    fn from(outcome: retrieval::SearchOutcome) -> Self {
        let facet = |facets: Vec<retrieval::FacetCount>| {
            facets
                .into_iter()
                .map(|facet| FacetCount {
                    value: facet.value,
                    label: facet.label,
                    count: facet.count,
                })
                .collect()
        };
        Self {
            intent: outcome.intent.as_str(),
            verdict: outcome.verdict,
            hint: outcome.hint,
            hits: outcome.hits.into_iter().map(Into::into).collect(),
            warnings: outcome
                .warnings
                .into_iter()
                .map(|warning| SearchWarning::new(warning.code, warning.message))
                .collect(),
            channels: outcome
                .channels
                .into_iter()
                .map(|channel| SearchChannel {
                    name: channel.name.as_str(),
                    status: channel.status,
                    candidates: channel.candidates,
                    milliseconds: channel.milliseconds,
                })
                .collect(),
            facets: SearchFacets {
                languages: facet(outcome.facets.languages),
                repositories: facet(outcome.facets.repositories),
                kinds: facet(outcome.facets.kinds),
                tests: facet(outcome.facets.tests),
            },
            searched: outcome.searched.into_iter().map(Into::into).collect(),
            took_ms: outcome.took_milliseconds,
        }
    }
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
