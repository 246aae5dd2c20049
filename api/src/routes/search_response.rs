//! What a search answers: hits with their reasons, and what was searched.

use chrono::{DateTime, Utc};
use quarry_shared::{retrieval, store::views};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::kinds;

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
