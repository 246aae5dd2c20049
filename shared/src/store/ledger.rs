//! What people see of a snapshot's files: the ledger, one folder level, one file.

use std::collections::BTreeMap;

use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseBackend, EntityTrait, FromQueryResult, QueryFilter, Value,
};

use super::{
    StoreError,
    entities::{
        file::{self, Model},
        snapshot,
    },
    sql::statement,
};
use crate::domain::{FileStatus, RepositoryPath, SkipReason};

/// Counts of a snapshot's ledger.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LedgerSummary {
    pub files_seen: i64,
    pub files_indexed: i64,
    pub files_skipped: i64,
    /// Skipped files by reason, most first.
    pub by_reason: Vec<(SkipReason, i64)>,
    /// Indexed files by language name, most first.
    pub by_language: Vec<(String, i64)>,
    pub chunks: i64,
    /// `None` when the snapshot was made without an embedder.
    pub points: Option<i64>,
    pub documents: i64,
}

/// The conditions under which a row of `files` belongs to a snapshot; a published snapshot shows no
/// rows of failed ones, since those are removed before it begins.
const SHOWN: &str = "branch_id = $1 AND born <= $2 AND died > $2";

fn shown(snapshot: &snapshot::Model) -> Vec<Value> {
    vec![snapshot.branch_id.into(), snapshot.id.into()]
}

/// Sums up the ledger of a snapshot that the caller has found within its scope.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn summary(
    database: &impl ConnectionTrait,
    snapshot: &snapshot::Model,
) -> Result<LedgerSummary, StoreError> {
    #[derive(FromQueryResult)]
    struct Row {
        status: String,
        reason: Option<String>,
        language: Option<String>,
        files: i64,
    }
    let text = format!(
        "SELECT status, reason, language, COUNT(*) AS files FROM files WHERE {SHOWN} \
         GROUP BY status, reason, language"
    );
    let statement = statement(database, &text, shown(snapshot));
    let mut summary = LedgerSummary {
        chunks: snapshot.chunks,
        points: snapshot.points,
        documents: snapshot.documents,
        ..LedgerSummary::default()
    };
    let mut reasons: BTreeMap<SkipReason, i64> = BTreeMap::new();
    let mut languages: BTreeMap<String, i64> = BTreeMap::new();
    for row in Row::find_by_statement(statement).all(database).await? {
        summary.files_seen += row.files;
        if row.status == FileStatus::Indexed.as_str() {
            summary.files_indexed += row.files;
            *languages
                .entry(row.language.unwrap_or_default())
                .or_default() += row.files;
        } else {
            summary.files_skipped += row.files;
            let reason = row.reason.as_deref().and_then(SkipReason::parse);
            let reason = reason.ok_or(StoreError::Corrupt("skip reason"))?;
            *reasons.entry(reason).or_default() += row.files;
        }
    }
    summary.by_reason = reasons.into_iter().collect();
    summary.by_reason.sort_by_key(|(_, files)| -files);
    summary.by_language = languages.into_iter().collect();
    summary.by_language.sort_by_key(|(_, files)| -files);
    Ok(summary)
}

/// Which rows of a ledger are wanted.
#[derive(Debug, Clone, Default)]
pub struct LedgerFilter {
    pub status: Option<FileStatus>,
    pub reason: Option<SkipReason>,
    pub path_prefix: Option<String>,
}

/// A page of the ledger of a snapshot that the caller has found within its scope, by path; `after`
/// is the last path of the page before.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list(
    database: &impl ConnectionTrait,
    snapshot: &snapshot::Model,
    filter: &LedgerFilter,
    after: Option<&str>,
    limit: u64,
) -> Result<Vec<Model>, StoreError> {
    let mut text = format!("SELECT * FROM files WHERE {SHOWN}");
    let mut values = shown(snapshot);
    let mut condition = |sql: &str, value: Value| {
        values.push(value);
        text.push_str(&format!(
            " AND {}",
            sql.replace('?', &format!("${}", values.len()))
        ));
    };
    if let Some(status) = filter.status {
        condition("status = ?", status.as_str().into());
    }
    if let Some(reason) = filter.reason {
        condition("reason = ?", reason.as_str().into());
    }
    if let Some(prefix) = filter
        .path_prefix
        .as_deref()
        .filter(|prefix| !prefix.is_empty())
    {
        condition("substr(path, 1, length(?)) = ?", prefix.into());
    }
    if let Some(after) = after {
        condition("path > ?", after.into());
    }
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    text.push_str(&format!(" ORDER BY path LIMIT {limit}"));
    let statement = statement(database, &text, values);
    Ok(Model::find_by_statement(statement).all(database).await?)
}

/// The row of one path at a snapshot that the caller has found within its scope.
///
/// # Errors
/// [`StoreError::NotFound`] when the commit has no such file.
pub async fn find_file(
    database: &impl ConnectionTrait,
    snapshot: &snapshot::Model,
    path: &RepositoryPath,
) -> Result<Model, StoreError> {
    file::Entity::find()
        .filter(file::Column::BranchId.eq(snapshot.branch_id))
        .filter(file::Column::Path.eq(path.as_str()))
        .filter(file::Column::Born.lte(snapshot.id))
        .filter(file::Column::Died.gt(snapshot.id))
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("file"))
}

/// An entry of one folder level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeItem {
    Directory { name: String },
    File { name: String, file: TreeFile },
}

/// What a folder listing shows of a file.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct TreeFile {
    pub path: String,
    pub status: String,
    pub reason: Option<String>,
    pub language: Option<String>,
    pub bytes: i64,
}

/// One level of a folder (empty: the root) at a snapshot that the caller has found within its scope:
/// folders first, both by name.
///
/// # Errors
/// [`StoreError::NotFound`] when the commit has no such folder.
pub async fn list_folder(
    database: &impl ConnectionTrait,
    snapshot: &snapshot::Model,
    folder: &str,
) -> Result<Vec<TreeItem>, StoreError> {
    let folder = folder.trim_matches('/');
    let prefix = match folder {
        "" => String::new(),
        folder => format!("{folder}/"),
    };
    let mut text = format!("SELECT path, status, reason, language, bytes FROM files WHERE {SHOWN}");
    let mut values = shown(snapshot);
    if !prefix.is_empty() {
        values.push(prefix.as_str().into());
        text.push_str(" AND substr(path, 1, length($3)) = $3");
        if database.get_database_backend() == DatabaseBackend::Sqlite {
            // Bytewise order there, so the index narrows it; `0` follows `/`.
            values.push(format!("{folder}0").into());
            text.push_str(" AND path >= $3 AND path < $4");
        }
    }
    let statement = statement(database, &text, values);
    let rows = TreeFile::find_by_statement(statement).all(database).await?;
    if rows.is_empty() && !prefix.is_empty() {
        return Err(StoreError::NotFound("folder"));
    }
    Ok(one_level(rows, prefix.len()))
}

fn one_level(rows: Vec<TreeFile>, prefix: usize) -> Vec<TreeItem> {
    let mut folders: BTreeMap<String, ()> = BTreeMap::new();
    let mut files: BTreeMap<String, TreeFile> = BTreeMap::new();
    for row in rows {
        let rest = row.path.get(prefix..).unwrap_or_default();
        match rest.split_once('/') {
            Some((folder, _)) => {
                folders.insert(folder.to_owned(), ());
            }
            None => {
                files.insert(rest.to_owned(), row);
            }
        }
    }
    let folders = folders.into_keys().map(|name| TreeItem::Directory { name });
    let files = files
        .into_iter()
        .map(|(name, file)| TreeItem::File { name, file });
    folders.chain(files).collect()
}
