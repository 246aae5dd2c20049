//! Content-addressed text of an organization, with its trigram rows on SQLite.

use std::collections::{HashMap, HashSet};

use sea_orm::{ConnectionTrait, DatabaseBackend, FromQueryResult, Value};

use super::{
    StoreError,
    sql::{IDS_PER_STATEMENT, execute_for_ids, insert_rows, locking, parameters, statement},
};
use crate::domain::{BlobId, OrganizationId};

/// A stored blob without its text.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct BlobSummary {
    pub id: i64,
    pub oid: String,
    pub lines: i64,
}

/// A text to store.
#[derive(Debug, Clone)]
pub struct NewBlob {
    pub oid: String,
    pub text: String,
    pub lines: i64,
}

/// Which of the object ids are stored. On PostgreSQL the rows stay until the transaction ends, so
/// that a purge cannot remove what a ledger row is about to name.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn find_existing(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    oids: &[String],
) -> Result<HashMap<String, BlobSummary>, StoreError> {
    let mut found = HashMap::with_capacity(oids.len());
    for group in oids.chunks(IDS_PER_STATEMENT) {
        let text = format!(
            "SELECT id, oid, lines FROM blobs WHERE organization_id = $1 AND oid IN ({}){}",
            parameters(2, group.len()),
            locking(database, " FOR KEY SHARE")
        );
        let values = std::iter::once(Value::from(organization.0))
            .chain(group.iter().map(|oid| Value::from(oid.as_str())));
        let statement = statement(database, &text, values);
        for blob in BlobSummary::find_by_statement(statement)
            .all(database)
            .await?
        {
            found.insert(blob.oid.clone(), blob);
        }
    }
    Ok(found)
}

/// Stores what is new, with its trigrams, and returns all the given blobs' summaries by object id.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn ensure(
    transaction: &impl ConnectionTrait,
    organization: OrganizationId,
    blobs: Vec<NewBlob>,
) -> Result<HashMap<String, BlobSummary>, StoreError> {
    let oids: Vec<String> = blobs.iter().map(|blob| blob.oid.clone()).collect();
    let existing = find_existing(transaction, organization, &oids).await?;
    let mut new = HashSet::new();
    let mut values = Vec::new();
    let mut texts: HashMap<String, String> = HashMap::new();
    let sqlite = transaction.get_database_backend() == DatabaseBackend::Sqlite;
    for blob in blobs {
        if existing.contains_key(&blob.oid) || !new.insert(blob.oid.clone()) {
            continue;
        }
        if sqlite {
            texts.insert(blob.oid.clone(), blob.text.clone());
        }
        values.extend([
            organization.0.into(),
            Value::from(blob.oid),
            i64::try_from(blob.text.len()).unwrap_or(i64::MAX).into(),
            blob.lines.into(),
            blob.text.into(),
        ]);
    }
    if new.is_empty() {
        return Ok(existing);
    }
    let columns = ["organization_id", "oid", "bytes", "lines", "text"];
    // Another repository of the organization may store the same blob at this moment.
    let keep = "ON CONFLICT (organization_id, oid) DO NOTHING";
    insert_rows(transaction, "blobs", &columns, keep, values).await?;
    let found = find_existing(transaction, organization, &oids).await?;
    if sqlite {
        let values = found
            .values()
            .filter_map(|blob| Some((blob.id, texts.remove(&blob.oid)?)))
            .flat_map(|(id, text)| [Value::from(id), Value::from(text)])
            .collect();
        insert_rows(transaction, "blob_trigrams", &["rowid", "text"], "", values).await?;
    }
    Ok(found)
}

/// Texts by blob id.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn load_texts(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    ids: &[i64],
) -> Result<HashMap<i64, String>, StoreError> {
    #[derive(FromQueryResult)]
    struct Row {
        id: i64,
        text: String,
    }
    let mut texts = HashMap::with_capacity(ids.len());
    for group in ids.chunks(IDS_PER_STATEMENT) {
        let text = format!(
            "SELECT id, text FROM blobs WHERE organization_id = $1 AND id IN ({})",
            parameters(2, group.len())
        );
        let values = std::iter::once(Value::from(organization.0))
            .chain(group.iter().map(|id| Value::from(*id)));
        let rows = Row::find_by_statement(statement(database, &text, values))
            .all(database)
            .await?;
        texts.extend(rows.into_iter().map(|row| (row.id, row.text)));
    }
    Ok(texts)
}

/// One text.
///
/// # Errors
/// [`StoreError::NotFound`] when the organization has no such blob.
pub async fn load_text(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    id: BlobId,
) -> Result<String, StoreError> {
    load_texts(database, organization, &[id.0])
        .await?
        .remove(&id.0)
        .ok_or(StoreError::NotFound("blob"))
}

/// Removes those of the blobs that no file names, with their trigrams, and returns how many.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn delete_unreferenced(
    transaction: &impl ConnectionTrait,
    ids: &[i64],
) -> Result<u64, StoreError> {
    let mut gone = Vec::new();
    for group in ids.chunks(IDS_PER_STATEMENT) {
        if transaction.get_database_backend() != DatabaseBackend::Sqlite {
            // A plan that has just found the blob holds it; wait, then look again.
            let text = format!(
                "SELECT id FROM blobs WHERE id IN ({}) ORDER BY id FOR UPDATE",
                parameters(1, group.len())
            );
            let values = group.iter().map(|id| Value::from(*id));
            transaction
                .query_all_raw(statement(transaction, &text, values))
                .await?;
        }
        let text = format!(
            "DELETE FROM blobs WHERE id IN ({}) AND NOT EXISTS \
             (SELECT 1 FROM files WHERE files.blob_id = blobs.id) RETURNING id",
            parameters(1, group.len())
        );
        let values = group.iter().map(|id| Value::from(*id));
        for row in transaction
            .query_all_raw(statement(transaction, &text, values))
            .await?
        {
            gone.push(row.try_get::<i64>("", "id")?);
        }
    }
    if transaction.get_database_backend() == DatabaseBackend::Sqlite {
        let text = "DELETE FROM blob_trigrams WHERE rowid IN ({ids})";
        execute_for_ids(transaction, text, &[], gone.iter().map(|id| (*id).into())).await?;
    }
    Ok(gone.len() as u64)
}
