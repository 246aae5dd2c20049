//! The indexed code itself: folders and files of any retained commit.
//!
//! `GET /repositories/{repository_id}/tree`, `GET /repositories/{repository_id}/file`.

use actix_web::{
    get,
    web::{Data, Json, Path},
};
use garde::Validate;
use quarry_shared::{
    domain::{
        BlobId, ErrorKind, FileId, ReadScope, RepositoryId, RepositoryPath as FilePath, SnapshotId,
    },
    store::{
        candidates,
        entities::{snapshot, symbol},
        ledger::{self, TreeItem},
        snapshots, symbols,
        views::{self, SearchedBranch, ViewRequest},
    },
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{kinds, paths::RepositoryPath};
use crate::{
    access::{Access, ReadProject},
    body::Params,
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(get_tree).service(get_file);
}

/// Which folder, and at which commit: the default branch as published when nothing else is named.
#[derive(Debug, Default, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct TreeQuery {
    /// Empty for the root.
    #[serde(default)]
    #[garde(length(bytes, max = 8192))]
    path: String,
    #[garde(length(bytes, max = 255))]
    branch: Option<String>,
    #[garde(skip)]
    snapshot_id: Option<i64>,
    #[garde(length(bytes, max = 64))]
    commit: Option<String>,
}

/// An entry of a folder.
#[derive(Debug, Serialize, ToSchema)]
pub struct TreeEntry {
    name: String,
    path: String,
    #[schema(inline, value_type = kinds::EntryKind)]
    kind: &'static str,
    #[schema(inline, value_type = Option<kinds::FileState>)]
    status: Option<String>,
    reason: Option<String>,
    language: Option<String>,
    bytes: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TreeResponse {
    path: String,
    commit: String,
    snapshot_id: i64,
    branch: String,
    entries: Vec<TreeEntry>,
}

/// Lists one level of a folder, skipped files included.
#[utoipa::path(tag = "code", operation_id = "get_tree", params(RepositoryPath, TreeQuery),
    responses((status = 200, body = TreeResponse)))]
#[get("/repositories/{repository_id}/tree")]
pub async fn get_tree(
    state: Data<AppState>,
    access: Access<ReadProject>,
    path: Path<RepositoryPath>,
    query: Params<TreeQuery>,
) -> Result<Json<TreeResponse>, ApiError> {
    let TreeQuery {
        path: folder,
        branch,
        snapshot_id,
        commit,
    } = query.0;
    let folder = folder.trim_matches('/').to_owned();
    let repository = RepositoryId(path.repository_id);
    let at = Place {
        branch,
        snapshot_id,
        commit,
    };
    let (branch, snapshot) = at.find(&state, access.scope(), repository).await?;
    let items = ledger::list_folder(state.database().reader(), &snapshot, &folder).await?;
    let entries = items.into_iter().map(|item| entry(&folder, item)).collect();
    Ok(Json(TreeResponse {
        path: folder,
        commit: branch.commit,
        snapshot_id: branch.snapshot_id.0,
        branch: branch.branch,
        entries,
    }))
}

fn entry(folder: &str, item: TreeItem) -> TreeEntry {
    match item {
        TreeItem::Directory { name } => TreeEntry {
            path: if folder.is_empty() {
                name.clone()
            } else {
                format!("{folder}/{name}")
            },
            name,
            kind: "directory",
            status: None,
            reason: None,
            language: None,
            bytes: None,
        },
        TreeItem::File { name, file } => TreeEntry {
            name,
            path: file.path,
            kind: "file",
            status: Some(file.status),
            reason: file.reason,
            language: file.language,
            bytes: Some(file.bytes),
        },
    }
}

/// Which file, which commit, which lines.
#[derive(Debug, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct FileQuery {
    /// The path as a hit or a tree gave it.
    #[garde(length(bytes, min = 1, max = 8192))]
    path: String,
    #[garde(length(bytes, max = 255))]
    branch: Option<String>,
    #[garde(skip)]
    snapshot_id: Option<i64>,
    #[garde(length(bytes, max = 64))]
    commit: Option<String>,
    /// From 1.
    #[garde(range(min = 1))]
    start_line: Option<usize>,
    /// Included.
    #[garde(range(min = 1))]
    end_line: Option<usize>,
}

/// A definition in a file.
#[derive(Debug, Serialize, ToSchema)]
pub struct OutlineSymbol {
    name: String,
    qualified_name: String,
    kind: String,
    start_line: i64,
    end_line: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FileResponse {
    repository_id: Uuid,
    repository_name: String,
    path: String,
    branch: String,
    commit: String,
    snapshot_id: i64,
    /// Git's object id of the whole file.
    blob_id: String,
    language: Option<String>,
    total_lines: usize,
    start_line: usize,
    end_line: usize,
    /// The lines as they were indexed: decoded, secrets masked.
    text: String,
    symbols: Vec<OutlineSymbol>,
}

/// Returns a file, or some of its lines, with its outline.
#[utoipa::path(tag = "code", operation_id = "get_file", params(RepositoryPath, FileQuery),
    responses((status = 200, body = FileResponse)))]
#[get("/repositories/{repository_id}/file")]
pub async fn get_file(
    state: Data<AppState>,
    access: Access<ReadProject>,
    path: Path<RepositoryPath>,
    query: Params<FileQuery>,
) -> Result<Json<FileResponse>, ApiError> {
    let FileQuery {
        path: wanted,
        branch,
        snapshot_id,
        commit,
        start_line,
        end_line,
    } = query.0;
    let repository = RepositoryId(path.repository_id);
    let at = Place {
        branch,
        snapshot_id,
        commit,
    };
    let (branch, snapshot) = at.find(&state, access.scope(), repository).await?;
    let db = state.database().reader();
    let file = ledger::find_file(db, &snapshot, &FilePath::from_text(wanted)).await?;
    let Some(blob) = file.blob_id.filter(|_| file.status == "indexed") else {
        let reason = file.reason.as_deref().unwrap_or("unknown");
        let detail = format!("the file is not indexed: {reason}");
        return Err(ApiError::new(
            ErrorKind::NotFound,
            "file_not_indexed",
            detail,
        ));
    };
    let texts = candidates::texts(db, access.organization_id(), &[BlobId(blob)]).await?;
    let text = texts
        .into_iter()
        .next()
        .map(|(_, text)| text)
        .ok_or_else(|| ApiError::internal("an indexed file has no text"))?;
    let lines = Lines::cut(&text, start_line, end_line)?;
    let outline = symbols::list_of_file(db, FileId(file.id)).await?;
    Ok(Json(FileResponse {
        repository_id: repository.0,
        repository_name: branch.repository_name,
        path: file.path,
        branch: branch.branch,
        commit: branch.commit,
        snapshot_id: branch.snapshot_id.0,
        blob_id: file.oid,
        language: file.language,
        total_lines: lines.total,
        start_line: lines.start,
        end_line: lines.end,
        text: lines.text,
        symbols: outline.into_iter().map(Into::into).collect(),
    }))
}

impl From<symbol::Model> for OutlineSymbol {
    fn from(row: symbol::Model) -> Self {
        Self {
            name: row.name,
            qualified_name: row.qualified_name,
            kind: row.kind,
            start_line: row.start_line,
            end_line: row.end_line,
        }
    }
}

/// Some lines of a text. Only LF ends a line.
struct Lines {
    total: usize,
    start: usize,
    end: usize,
    text: String,
}

impl Lines {
    fn cut(text: &str, start: Option<usize>, end: Option<usize>) -> Result<Self, ApiError> {
        let total = text.lines().count().max(1);
        let start = start.unwrap_or(1);
        let end = end.unwrap_or(total).min(total);
        if start > total || start > end {
            let detail = format!("the file has {total} lines");
            return Err(ApiError::invalid("start_line", detail));
        }
        let text: String = text
            .split_inclusive('\n')
            .skip(start - 1)
            .take(end + 1 - start)
            .collect();
        Ok(Self {
            total,
            start,
            end,
            text,
        })
    }
}

/// A point in a repository's history.
struct Place {
    branch: Option<String>,
    snapshot_id: Option<i64>,
    commit: Option<String>,
}

impl Place {
    /// The branch and its snapshot, when the scope holds them.
    async fn find(
        self,
        state: &AppState,
        scope: &ReadScope,
        repository: RepositoryId,
    ) -> Result<(SearchedBranch, snapshot::Model), ApiError> {
        let request = ViewRequest {
            repository_ids: vec![repository],
            branch: self.branch,
            snapshot: self.snapshot_id.map(SnapshotId),
            commit: self.commit,
            ..ViewRequest::default()
        };
        let db = state.database().reader();
        let current = views::current(db, scope, &request).await?;
        let branch = current
            .branches
            .into_iter()
            .next()
            .ok_or_else(|| ApiError::not_found("snapshot"))?;
        let snapshot = snapshots::find(db, scope, branch.snapshot_id).await?;
        Ok((branch, snapshot))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::Lines;

    #[test]
    fn lines_are_cut_at_line_feeds_only() {
        let text = "a\r\nb\u{2028}c\nd";
        let lines = Lines::cut(text, Some(2), Some(9)).unwrap();
        assert_eq!((lines.total, lines.start, lines.end), (3, 2, 3));
        assert_eq!(lines.text, "b\u{2028}c\nd");
        assert!(Lines::cut(text, Some(4), None).is_err());
        assert!(Lines::cut(text, Some(3), Some(2)).is_err());
        assert_eq!(Lines::cut("", None, None).unwrap().text, "");
    }
}
