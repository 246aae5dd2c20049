//! The SQL exact lane: files whose text may match, their texts, and their chunks. Reads only.
//!
//! A trigram index answers "may", never "does": callers verify each text themselves.

use std::collections::{BTreeSet, HashMap};

use sea_orm::{
    ConnectionTrait, DatabaseBackend, FromQueryResult,
    sea_query::{
        Condition, Expr, ExprTrait, LikeExpr, Order, Query, SelectStatement,
        extension::postgres::PgExpr,
    },
};
use uuid::Uuid;

use super::{StoreError, visible};
use crate::domain::{
    BlobId, BranchId, ChunkId, FileClass, FileId, FileStatus, IndexFilter, LineSpan,
    OrganizationId, TestFilter,
};

/// What a text must contain, whatever its letter case, to be worth reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextNeed {
    /// Nothing is known: every text may match.
    Anything,
    /// At least three characters in a row.
    Text(String),
    All(Vec<TextNeed>),
    Any(Vec<TextNeed>),
}

impl TextNeed {
    /// All of `needs`; those that ask for nothing are dropped.
    pub(crate) fn all(needs: impl IntoIterator<Item = Self>) -> Self {
        let mut needs: Vec<Self> = needs
            .into_iter()
            .filter(|need| *need != Self::Anything)
            .collect();
        match needs.len() {
            0 => Self::Anything,
            1 => needs.swap_remove(0),
            _ => Self::All(needs),
        }
    }
}

/// A visible, indexed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CandidateFile {
    pub id: FileId,
    pub branch_id: BranchId,
    pub path: String,
    pub language: Option<String>,
    pub blob_id: BlobId,
    pub bytes: u64,
}

#[derive(FromQueryResult)]
struct FileRow {
    id: i64,
    branch_id: Uuid,
    path: String,
    language: Option<String>,
    blob_id: i64,
    bytes: i64,
}

/// Visible files that may satisfy `need`, by branch and path, after the one given.
///
/// # Errors
/// [`StoreError`] of the database only.
pub(crate) async fn candidates(
    db: &impl ConnectionTrait,
    filter: &IndexFilter,
    need: &TextNeed,
    after: Option<&CandidateFile>,
    limit: u64,
) -> Result<Vec<CandidateFile>, StoreError> {
    if filter.branches.is_empty() || filter.projects().is_empty() {
        return Ok(Vec::new());
    }
    let mut statement = Query::select()
        .columns(["id", "branch_id", "path", "language", "blob_id", "bytes"].map(|c| ("f", c)))
        .from_as("files", "f")
        .cond_where(narrowed("f", filter))
        .and_where(Expr::col(("f", "status")).eq(FileStatus::Indexed.as_str()))
        .and_where(Expr::col(("f", "blob_id")).is_not_null())
        .order_by(("f", "branch_id"), Order::Asc)
        .order_by(("f", "path"), Order::Asc)
        .limit(limit)
        .to_owned();
    if let Some(blobs) = blobs_that_may(filter.organization_id(), need, db.get_database_backend()) {
        statement.and_where(Expr::col(("f", "blob_id")).in_subquery(blobs));
    }
    if let Some(after) = after {
        let key = [("f", "branch_id"), ("f", "path")].map(Expr::col);
        let last = [Expr::val(after.branch_id.0), Expr::val(after.path.as_str())];
        statement.and_where(Expr::tuple(key).gt(Expr::tuple(last)));
    }
    let mut files = Vec::new();
    for row in db.query_all(&statement).await? {
        let row = FileRow::from_query_result(&row, "")?;
        files.push(CandidateFile {
            id: FileId(row.id),
            branch_id: BranchId(row.branch_id),
            path: row.path,
            language: row.language,
            blob_id: BlobId(row.blob_id),
            bytes: row.bytes.unsigned_abs(),
        });
    }
    Ok(files)
}

/// Texts of the organization's blobs. A blob that is gone is absent.
///
/// # Errors
/// [`StoreError`] of the database only.
pub(crate) async fn texts(
    db: &impl ConnectionTrait,
    organization_id: OrganizationId,
    blobs: impl IntoIterator<Item = BlobId>,
) -> Result<HashMap<BlobId, String>, StoreError> {
    let ids: BTreeSet<i64> = blobs.into_iter().map(|blob| blob.0).collect();
    let statement = Query::select()
        .columns(["id", "text"])
        .from("blobs")
        .and_where(Expr::col("organization_id").eq(organization_id.0))
        .and_where(Expr::col("id").is_in(ids))
        .to_owned();
    let mut texts = HashMap::new();
    for row in db.query_all(&statement).await? {
        let id: i64 = row.try_get("", "id")?;
        texts.insert(BlobId(id), row.try_get("", "text")?);
    }
    Ok(texts)
}

/// A visible chunk and its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkLines {
    pub id: ChunkId,
    pub file_id: FileId,
    pub span: LineSpan,
}

#[derive(FromQueryResult)]
struct ChunkRow {
    id: Uuid,
    file_id: i64,
    start_line: i64,
    end_line: i64,
}

/// The visible chunks of the files, in line order within each file.
///
/// # Errors
/// [`StoreError`] of the database only.
pub(crate) async fn chunks_of(
    db: &impl ConnectionTrait,
    filter: &IndexFilter,
    files: impl IntoIterator<Item = FileId>,
) -> Result<Vec<ChunkLines>, StoreError> {
    let mut statement = Query::select()
        .columns(["id", "file_id", "start_line", "end_line"].map(|c| ("c", c)))
        .from_as("chunks", "c")
        .cond_where(narrowed("c", filter))
        .and_where(Expr::col(("c", "file_id")).is_in(files.into_iter().map(|file| file.0)))
        .order_by(("c", "file_id"), Order::Asc)
        .order_by(("c", "start_line"), Order::Asc)
        .order_by(("c", "id"), Order::Asc)
        .to_owned();
    if !filter.kinds.is_empty() {
        let kinds = filter.kinds.iter().map(|kind| kind.as_str());
        statement.and_where(Expr::col(("c", "kind")).is_in(kinds));
    }
    let mut chunks = Vec::new();
    for row in db.query_all(&statement).await? {
        let row = ChunkRow::from_query_result(&row, "")?;
        chunks.push(ChunkLines {
            id: ChunkId(row.id),
            file_id: FileId(row.file_id),
            span: LineSpan {
                start: line(row.start_line)?,
                end: line(row.end_line)?,
            },
        });
    }
    Ok(chunks)
}

/// A stored line number.
pub(super) fn line(number: i64) -> Result<u32, StoreError> {
    u32::try_from(number).map_err(|_| StoreError::Corrupt("line"))
}

/// Scope, view, languages and tests of `filter`, for a table with the usual columns.
pub(super) fn narrowed(table: &'static str, filter: &IndexFilter) -> Condition {
    let column = |name: &'static str| Expr::col((table, name));
    let mut condition = visible::condition(table, filter);
    if !filter.languages.is_empty() {
        condition = condition.add(column("language").is_in(filter.languages.iter().cloned()));
    }
    match filter.tests {
        TestFilter::Include => condition,
        TestFilter::Exclude => condition.add(column("class").ne(FileClass::Test.as_str())),
        TestFilter::Only => condition.add(column("class").eq(FileClass::Test.as_str())),
    }
}

/// Ids of the blobs that the trigram index cannot rule out; `None` when it can rule out nothing.
fn blobs_that_may(
    organization_id: OrganizationId,
    need: &TextNeed,
    backend: DatabaseBackend,
) -> Option<SelectStatement> {
    if backend == DatabaseBackend::Sqlite {
        let expression = full_text(need)?;
        let matches = Expr::cust_with_values("blob_trigrams MATCH ?", [expression]);
        return Some(
            Query::select()
                .column("rowid")
                .from("blob_trigrams")
                .and_where(matches)
                .to_owned(),
        );
    }
    let condition = like(need)?;
    Some(
        Query::select()
            .column(("b", "id"))
            .from_as("blobs", "b")
            .and_where(Expr::col(("b", "organization_id")).eq(organization_id.0))
            .cond_where(condition)
            .to_owned(),
    )
}

/// More trigrams of one text hardly rule out more files, and each costs a list to intersect.
const TRIGRAMS_PER_TEXT: usize = 24;

/// An FTS5 expression of quoted trigrams, which its parser cannot take for anything else.
fn full_text(need: &TextNeed) -> Option<String> {
    match need {
        TextNeed::Anything => None,
        TextNeed::Text(text) => {
            let characters: Vec<char> = text.chars().collect();
            let trigrams: BTreeSet<String> = characters
                .windows(3)
                .take(TRIGRAMS_PER_TEXT)
                .map(|window| window.iter().collect())
                .collect();
            let quoted = trigrams
                .iter()
                .map(|trigram| format!("\"{}\"", trigram.replace('"', "\"\"")));
            join(quoted.collect(), " AND ")
        }
        TextNeed::All(needs) => join(needs.iter().filter_map(full_text).collect(), " AND "),
        TextNeed::Any(needs) => {
            let parts: Option<Vec<String>> = needs.iter().map(full_text).collect();
            join(parts?, " OR ")
        }
    }
}

fn join(parts: Vec<String>, operator: &str) -> Option<String> {
    if parts.is_empty() {
        return None;
    }
    Some(format!("({})", parts.join(operator)))
}

/// `ILIKE` conditions, which `pg_trgm` answers from its index.
fn like(need: &TextNeed) -> Option<Condition> {
    match need {
        TextNeed::Anything => None,
        TextNeed::Text(text) => {
            let text = escape_like(text);
            // Backslash is the escape character there without being named.
            let pattern = LikeExpr::new(format!("%{text}%"));
            Some(Condition::all().add(Expr::col(("b", "text")).ilike(pattern)))
        }
        TextNeed::All(needs) => {
            let parts: Vec<Condition> = needs.iter().filter_map(like).collect();
            let empty = parts.is_empty();
            let all = parts.into_iter().fold(Condition::all(), Condition::add);
            (!empty).then_some(all)
        }
        TextNeed::Any(needs) => {
            let parts: Option<Vec<Condition>> = needs.iter().map(like).collect();
            let any = parts?.into_iter().fold(Condition::any(), Condition::add);
            Some(any)
        }
    }
}

/// `text` for a `LIKE … ESCAPE '\'` pattern, standing for nothing but itself.
pub(super) fn escape_like(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '%' | '_' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
