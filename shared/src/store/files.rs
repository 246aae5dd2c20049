//! Files of branches as jobs see them: comparing, writing, dying. What people see of the same rows
//! is in `ledger`.

use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, Value};

use super::{
    StoreError,
    branches::BranchScope,
    entities::file::{self, Model},
    sql::{IDS_PER_STATEMENT, execute, execute_for_ids, insert_rows, parameters, statement},
};
use crate::domain::{BranchId, FileClass, FileStatus, RepositoryPath, SkipReason, SnapshotId};

/// A live file, as far as a comparison needs it.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct LiveFile {
    pub id: i64,
    pub path: String,
    pub oid: String,
    pub reason: Option<String>,
}

/// The live files of a branch that has no half-built snapshot.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_live(
    database: &impl ConnectionTrait,
    branch: BranchId,
) -> Result<Vec<LiveFile>, StoreError> {
    let statement = statement(
        database,
        "SELECT id, path, oid, reason FROM files WHERE branch_id = $1 AND died = $2",
        [branch.0.into(), SnapshotId::NEVER.0.into()],
    );
    Ok(LiveFile::find_by_statement(statement).all(database).await?)
}

/// A ledger row that is to be written.
#[derive(Debug, Clone)]
pub struct NewFile {
    pub path: RepositoryPath,
    pub oid: String,
    pub bytes: i64,
    pub fate: NewFileFate,
}

/// What becomes of a planned file.
#[derive(Debug, Clone)]
pub enum NewFileFate {
    /// A batch will process it.
    Pending {
        blob_id: i64,
        lines: i64,
        class: FileClass,
        batch: i64,
    },
    Skipped {
        reason: SkipReason,
        detail: Option<String>,
    },
}

const COLUMNS: &[&str] = &[
    "organization_id",
    "project_id",
    "repository_id",
    "branch_id",
    "path",
    "oid",
    "blob_id",
    "status",
    "reason",
    "detail",
    "class",
    "bytes",
    "lines",
    "chunks",
    "batch",
    "born",
    "died",
];

/// Writes ledger rows that are born with the snapshot.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn insert(
    database: &impl ConnectionTrait,
    scope: &BranchScope,
    born: SnapshotId,
    files: &[NewFile],
) -> Result<(), StoreError> {
    let mut values: Vec<Value> = Vec::with_capacity(files.len() * COLUMNS.len());
    for file in files {
        values.extend(scope.values());
        values.push(file.path.as_str().into());
        values.push(file.oid.as_str().into());
        let (blob_id, status, reason, detail, class, lines, batch) = match &file.fate {
            NewFileFate::Pending {
                blob_id,
                lines,
                class,
                batch,
            } => (
                Some(*blob_id),
                FileStatus::Pending,
                None,
                None,
                *class,
                Some(*lines),
                Some(*batch),
            ),
            NewFileFate::Skipped { reason, detail } => (
                None,
                FileStatus::Skipped,
                Some(reason.as_str()),
                detail.clone(),
                FileClass::Source,
                None,
                None,
            ),
        };
        values.extend([
            blob_id.into(),
            status.as_str().into(),
            reason.into(),
            detail.into(),
            class.as_str().into(),
            file.bytes.into(),
            lines.into(),
            0_i64.into(),
            batch.into(),
            born.0.into(),
            SnapshotId::NEVER.0.into(),
        ]);
    }
    insert_rows(database, "files", COLUMNS, "", values).await
}

/// Lets files die with the snapshot, and with them everything that came from them.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn set_died(
    database: &impl ConnectionTrait,
    ids: &[i64],
    died: SnapshotId,
) -> Result<(), StoreError> {
    let fixed = [Value::from(died.0)];
    let own = "UPDATE files SET died = $1 WHERE id IN ({ids})";
    let values = || ids.iter().map(|id| Value::from(*id));
    execute_for_ids(database, own, &fixed, values()).await?;
    for table in DERIVED_TABLES {
        let text = format!("UPDATE {table} SET died = $1 WHERE file_id IN ({{ids}})");
        execute_for_ids(database, &text, &fixed, values()).await?;
    }
    Ok(())
}

/// Rows that came from files.
pub(crate) const DERIVED_TABLES: [&str; 4] = ["chunks", "symbols", "symbol_references", "imports"];

/// The files of one batch.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_of_batch(
    database: &impl ConnectionTrait,
    branch: BranchId,
    born: SnapshotId,
    batch: i64,
) -> Result<Vec<Model>, StoreError> {
    Ok(file::Entity::find()
        .filter(file::Column::BranchId.eq(branch.0))
        .filter(file::Column::Born.eq(born.0))
        .filter(file::Column::Batch.eq(batch))
        .all(database)
        .await?)
}

/// How the processing of a file ended.
#[derive(Debug, Clone)]
pub struct ProcessedFile {
    pub id: i64,
    pub status: FileStatus,
    pub reason: Option<SkipReason>,
    pub detail: Option<String>,
    pub language: Option<String>,
    pub chunks: i64,
}

/// Records how the processing of files ended.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn set_processed(
    database: &impl ConnectionTrait,
    files: &[ProcessedFile],
) -> Result<(), StoreError> {
    const WIDTH: usize = 6;
    const ROWS: usize = 100;
    for group in files.chunks(ROWS) {
        let rows = (0..group.len())
            .map(|row| format!("({})", parameters(row * WIDTH + 1, WIDTH)))
            .collect::<Vec<_>>()
            .join(",");
        let text = format!(
            "WITH ended (id, status, reason, detail, language, chunks) AS (VALUES {rows}) \
             UPDATE files SET status = ended.status, reason = ended.reason, \
             detail = ended.detail, language = ended.language, chunks = ended.chunks \
             FROM ended WHERE files.id = ended.id"
        );
        let values = group.iter().flat_map(|file| {
            [
                Value::from(file.id),
                file.status.as_str().into(),
                file.reason.map(|reason| reason.as_str()).into(),
                file.detail.clone().into(),
                file.language.clone().into(),
                file.chunks.into(),
            ]
        });
        execute(database, &text, values).await?;
    }
    Ok(())
}

/// Counts of the files that a snapshot of a branch shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileCounts {
    pub indexed: i64,
    pub skipped: i64,
    /// Must be 0 before publishing.
    pub pending: i64,
    /// Bytes of the indexed files.
    pub bytes: i64,
}

/// Counts the files that a snapshot of a branch shows.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn count(
    database: &impl ConnectionTrait,
    branch: BranchId,
    snapshot: SnapshotId,
) -> Result<FileCounts, StoreError> {
    #[derive(FromQueryResult)]
    struct Row {
        status: String,
        files: i64,
        bytes: i64,
    }
    let statement = statement(
        database,
        "SELECT status, COUNT(*) AS files, CAST(SUM(bytes) AS bigint) AS bytes FROM files \
         WHERE branch_id = $1 AND died > $2 AND born <= $2 GROUP BY status",
        [branch.0.into(), snapshot.0.into()],
    );
    let mut counts = FileCounts::default();
    for row in Row::find_by_statement(statement).all(database).await? {
        match FileStatus::parse(&row.status) {
            Some(FileStatus::Indexed) => {
                counts.indexed = row.files;
                counts.bytes = row.bytes;
            }
            Some(FileStatus::Skipped) => counts.skipped = row.files,
            Some(FileStatus::Pending) => counts.pending = row.files,
            None => return Err(StoreError::Corrupt("file status")),
        }
    }
    Ok(counts)
}

/// A file that no retained snapshot shows.
#[derive(Debug, Clone, FromQueryResult)]
pub struct DeadFile {
    pub id: i64,
    pub blob_id: Option<i64>,
}

/// Files of a branch that died with `until` or before, at most `limit`.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_dead(
    database: &impl ConnectionTrait,
    branch: BranchId,
    until: SnapshotId,
    limit: u64,
) -> Result<Vec<DeadFile>, StoreError> {
    let statement = statement(
        database,
        "SELECT id, blob_id FROM files WHERE branch_id = $1 AND died <= $2 LIMIT $3",
        [
            branch.0.into(),
            until.0.into(),
            i64::try_from(limit).unwrap_or(i64::MAX).into(),
        ],
    );
    Ok(DeadFile::find_by_statement(statement).all(database).await?)
}

/// Removes files and everything that came from them.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn delete(transaction: &impl ConnectionTrait, ids: &[i64]) -> Result<u64, StoreError> {
    delete_derived(transaction, ids).await?;
    let text = "DELETE FROM files WHERE id IN ({ids})";
    let values = ids.iter().map(|id| Value::from(*id));
    execute_for_ids(transaction, text, &[], values).await
}

/// A page of a branch's files, dead ones included, in id order: for rebuilding engines.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn page_of_branch(
    database: &impl ConnectionTrait,
    branch: BranchId,
    after: i64,
    limit: u64,
) -> Result<Vec<Model>, StoreError> {
    use sea_orm::{QueryOrder, QuerySelect};
    Ok(file::Entity::find()
        .filter(file::Column::BranchId.eq(branch.0))
        .filter(file::Column::Id.gt(after))
        .filter(file::Column::Status.eq(FileStatus::Indexed.as_str()))
        .order_by_asc(file::Column::Id)
        .limit(limit)
        .all(database)
        .await?)
}

/// Files by id.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn get_many(
    database: &impl ConnectionTrait,
    ids: &[i64],
) -> Result<Vec<Model>, StoreError> {
    let mut files = Vec::with_capacity(ids.len());
    for group in ids.chunks(IDS_PER_STATEMENT) {
        files.extend(
            file::Entity::find()
                .filter(file::Column::Id.is_in(group.iter().copied()))
                .all(database)
                .await?,
        );
    }
    Ok(files)
}

/// The live files of a branch with all their columns, for a rebuild.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_live_whole(
    database: &impl ConnectionTrait,
    branch: BranchId,
) -> Result<Vec<Model>, StoreError> {
    Ok(file::Entity::find()
        .filter(file::Column::BranchId.eq(branch.0))
        .filter(file::Column::Died.eq(SnapshotId::NEVER.0))
        .all(database)
        .await?)
}

/// Ids of files that were born with the snapshot, at most `limit`.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_born(
    database: &impl ConnectionTrait,
    branch: BranchId,
    born: SnapshotId,
    limit: u64,
) -> Result<Vec<i64>, StoreError> {
    let statement = statement(
        database,
        "SELECT id FROM files WHERE branch_id = $1 AND born = $2 LIMIT $3",
        [
            branch.0.into(),
            born.0.into(),
            i64::try_from(limit).unwrap_or(i64::MAX).into(),
        ],
    );
    database
        .query_all_raw(statement)
        .await?
        .iter()
        .map(|row| Ok(row.try_get("", "id")?))
        .collect()
}

/// Lets everything live again that died with the snapshot.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn revive(
    transaction: &impl ConnectionTrait,
    branch: BranchId,
    snapshot: SnapshotId,
) -> Result<(), StoreError> {
    for table in DERIVED_TABLES.iter().chain(&["files"]) {
        let text = format!("UPDATE {table} SET died = $3 WHERE branch_id = $1 AND died = $2");
        let values = [
            branch.0.into(),
            snapshot.0.into(),
            SnapshotId::NEVER.0.into(),
        ];
        execute(transaction, &text, values).await?;
    }
    Ok(())
}

/// Removes what an earlier attempt derived from files.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn delete_derived(
    transaction: &impl ConnectionTrait,
    files: &[i64],
) -> Result<(), StoreError> {
    for table in DERIVED_TABLES {
        let text = format!("DELETE FROM {table} WHERE file_id IN ({{ids}})");
        let values = files.iter().map(|id| Value::from(*id));
        execute_for_ids(transaction, &text, &[], values).await?;
    }
    Ok(())
}
