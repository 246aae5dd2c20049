//! Snapshots of a branch and their ledgers.
//!
//! `GET /branches/{branch_id}/snapshots`, `GET /snapshots/{snapshot_id}/ledger`.

use actix_web::{
    get,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{BranchId, FileStatus, SkipReason, SnapshotId},
    store::{
        entities::{file, snapshot},
        ledger::{self, LedgerFilter},
        snapshots,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use super::{
    kinds,
    list::{List, ListQuery, MAX_CURSOR_BYTES, page},
    paths::{BranchPath, SnapshotPath},
};
use crate::{
    access::{Access, ReadProject},
    body::Params,
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(list_snapshots).service(get_ledger);
}

/// A commit as it was published.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SnapshotSummary {
    snapshot_id: i64,
    commit: String,
    committed_at: Option<DateTime<Utc>>,
    published_at: Option<DateTime<Utc>>,
    files_seen: i64,
    files_indexed: i64,
    files_skipped: i64,
    chunks: i64,
    bytes: i64,
}

impl From<snapshot::Model> for SnapshotSummary {
    fn from(row: snapshot::Model) -> Self {
        Self {
            snapshot_id: row.id,
            commit: row.commit,
            committed_at: row.committed_at,
            published_at: row.published_at,
            files_seen: row.files_seen,
            files_indexed: row.files_indexed,
            files_skipped: row.files_skipped,
            chunks: row.chunks,
            bytes: row.bytes,
        }
    }
}

/// Lists the published snapshots of a branch that are still retained, newest first.
#[utoipa::path(tag = "snapshots", operation_id = "list_snapshots", params(BranchPath, ListQuery),
    responses((status = 200, body = List<SnapshotSummary>)))]
#[get("/branches/{branch_id}/snapshots")]
pub async fn list_snapshots(
    state: Data<AppState>,
    access: Access<ReadProject>,
    path: Path<BranchPath>,
    query: Params<ListQuery>,
) -> Result<Json<List<SnapshotSummary>>, ApiError> {
    let page = query.0.page::<i64>()?;
    let branch = BranchId(path.branch_id);
    let before = page.after.map(SnapshotId);
    let db = state.database().reader();
    let rows = snapshots::list(db, access.scope(), branch, before, page.limit + 1).await?;
    Ok(Json(List::from_rows(rows, page.limit, |row| row.id)))
}

/// Which rows of a ledger.
#[derive(Debug, Default, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct LedgerQuery {
    /// `indexed` or `skipped`.
    #[garde(length(bytes, max = 20))]
    status: Option<String>,
    /// A reason as in the summary.
    #[garde(length(bytes, max = 40))]
    reason: Option<String>,
    /// Beginning of the path.
    #[garde(length(bytes, max = 4096))]
    path_prefix: Option<String>,
    /// `next_cursor` of the page before.
    #[garde(length(bytes, max = MAX_CURSOR_BYTES))]
    cursor: Option<String>,
    /// Most rows on the page.
    #[garde(range(min = 1, max = 200))]
    limit: Option<u64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerReasonCount {
    reason: String,
    count: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerLanguageCount {
    language: String,
    count: i64,
}

/// Files seen = files indexed + files skipped; chunks = documents, and = points with an embedder.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerSummary {
    files_seen: i64,
    files_indexed: i64,
    files_skipped: i64,
    by_reason: Vec<LedgerReasonCount>,
    by_language: Vec<LedgerLanguageCount>,
    chunks: i64,
    points: Option<i64>,
    documents: i64,
}

/// One file of the commit.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerRow {
    path: String,
    #[schema(inline, value_type = kinds::FileState)]
    status: String,
    reason: Option<String>,
    detail: Option<String>,
    language: Option<String>,
    bytes: i64,
    lines: Option<i64>,
    chunks: i64,
}

impl From<file::Model> for LedgerRow {
    fn from(row: file::Model) -> Self {
        Self {
            path: row.path,
            status: row.status,
            reason: row.reason,
            detail: row.detail,
            language: row.language,
            bytes: row.bytes,
            lines: row.lines,
            chunks: row.chunks,
        }
    }
}

/// What became of every file of a commit.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerResponse {
    summary: LedgerSummary,
    items: Vec<LedgerRow>,
    next_cursor: Option<String>,
}

/// Returns the ledger of a snapshot, a page of rows at a time.
#[utoipa::path(tag = "snapshots", operation_id = "get_ledger", params(SnapshotPath, LedgerQuery),
    responses((status = 200, body = LedgerResponse)))]
#[get("/snapshots/{snapshot_id}/ledger")]
pub async fn get_ledger(
    state: Data<AppState>,
    access: Access<ReadProject>,
    path: Path<SnapshotPath>,
    query: Params<LedgerQuery>,
) -> Result<Json<LedgerResponse>, ApiError> {
    let query = query.0;
    let page = page::<String>(query.cursor.as_deref(), query.limit)?;
    let filter = LedgerFilter {
        status: read(query.status.as_deref(), "status", FileStatus::parse)?,
        reason: read(query.reason.as_deref(), "reason", SkipReason::parse)?,
        path_prefix: query.path_prefix.filter(|prefix| !prefix.is_empty()),
    };
    let db = state.database().reader();
    let snapshot = snapshots::find(db, access.scope(), SnapshotId(path.snapshot_id)).await?;
    let summary = ledger::summary(db, &snapshot).await?;
    let after = page.after.as_deref();
    let rows = ledger::list(db, &snapshot, &filter, after, page.limit + 1).await?;
    let rows = List::<LedgerRow>::from_rows(rows, page.limit, |row| row.path.clone());
    let reason = |(reason, count): (SkipReason, i64)| LedgerReasonCount {
        reason: reason.as_str().to_owned(),
        count,
    };
    Ok(Json(LedgerResponse {
        summary: LedgerSummary {
            files_seen: summary.files_seen,
            files_indexed: summary.files_indexed,
            files_skipped: summary.files_skipped,
            by_reason: summary.by_reason.into_iter().map(reason).collect(),
            by_language: summary
                .by_language
                .into_iter()
                .map(|(language, count)| LedgerLanguageCount { language, count })
                .collect(),
            chunks: summary.chunks,
            points: summary.points,
            documents: summary.documents,
        },
        items: rows.items,
        next_cursor: rows.next_cursor,
    }))
}

/// A word of a closed set from a query string.
pub(super) fn read<T>(
    text: Option<&str>,
    pointer: &'static str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, ApiError> {
    match text {
        None | Some("") => Ok(None),
        Some(text) => parse(text)
            .map(Some)
            .ok_or_else(|| ApiError::invalid(pointer, "is not one of the known words")),
    }
}
