//! Cached vectors: a text is embedded once per organization and model.

use std::collections::HashMap;

use half::f16;
use sea_orm::{ConnectionTrait, DatabaseBackend, FromQueryResult, Value};

use super::{
    StoreError,
    sql::{IDS_PER_STATEMENT, insert_rows, locking, parameters, statement},
};
use crate::domain::OrganizationId;

/// SHA-256 over header, a zero byte and body.
pub type TextHash = [u8; 32];

/// Stored form of a vector: f16, little endian.
#[must_use]
pub fn encode(vector: &[f32]) -> Vec<u8> {
    vector
        .iter()
        .flat_map(|value| f16::from_f32(*value).to_le_bytes())
        .collect()
}

/// A vector from its stored form.
///
/// # Errors
/// [`StoreError::Corrupt`] when half a component is missing.
pub fn decode(bytes: &[u8]) -> Result<Vec<f32>, StoreError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(StoreError::Corrupt("vector"));
    }
    Ok(pairs
        .iter()
        .map(|pair| f16::from_le_bytes(*pair).to_f32())
        .collect())
}

/// Vectors of texts that have been embedded before.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn find(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    model: &str,
    hashes: &[TextHash],
) -> Result<HashMap<TextHash, Vec<u8>>, StoreError> {
    #[derive(FromQueryResult)]
    struct Row {
        text_hash: Vec<u8>,
        vector: Vec<u8>,
    }
    let mut found = HashMap::new();
    for group in hashes.chunks(IDS_PER_STATEMENT) {
        let text = format!(
            "SELECT text_hash, vector FROM embeddings \
             WHERE organization_id = $1 AND model = $2 AND text_hash IN ({})",
            parameters(3, group.len())
        );
        let statement = statement(database, &text, key(organization, model, group));
        for row in Row::find_by_statement(statement).all(database).await? {
            found.insert(to_hash(&row.text_hash)?, row.vector);
        }
    }
    Ok(found)
}

/// Stores the vectors that are not stored yet and returns the ids of all of them.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn ensure(
    transaction: &impl ConnectionTrait,
    organization: OrganizationId,
    model: &str,
    vectors: &[(TextHash, Vec<u8>)],
) -> Result<HashMap<TextHash, i64>, StoreError> {
    let hashes: Vec<TextHash> = vectors.iter().map(|(hash, _)| *hash).collect();
    let mut ids = find_ids(transaction, organization, model, &hashes).await?;
    let values: Vec<Value> = vectors
        .iter()
        .filter(|(hash, _)| !ids.contains_key(hash))
        .flat_map(|(hash, vector)| {
            [
                organization.0.into(),
                model.into(),
                hash.to_vec().into(),
                vector.clone().into(),
            ]
        })
        .collect();
    if values.is_empty() {
        return Ok(ids);
    }
    let columns = ["organization_id", "model", "text_hash", "vector"];
    let keep = "ON CONFLICT (organization_id, model, text_hash) DO NOTHING";
    insert_rows(transaction, "embeddings", &columns, keep, values).await?;
    let missing: Vec<TextHash> = hashes
        .into_iter()
        .filter(|hash| !ids.contains_key(hash))
        .collect();
    ids.extend(find_ids(transaction, organization, model, &missing).await?);
    Ok(ids)
}

/// On PostgreSQL the rows stay until the transaction ends, so that a purge cannot remove what a
/// chunk is about to name.
async fn find_ids(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    model: &str,
    hashes: &[TextHash],
) -> Result<HashMap<TextHash, i64>, StoreError> {
    let mut ids = HashMap::with_capacity(hashes.len());
    for group in hashes.chunks(IDS_PER_STATEMENT) {
        let text = format!(
            "SELECT id, text_hash FROM embeddings \
             WHERE organization_id = $1 AND model = $2 AND text_hash IN ({}){}",
            parameters(3, group.len()),
            locking(database, " FOR KEY SHARE")
        );
        let statement = statement(database, &text, key(organization, model, group));
        for row in database.query_all_raw(statement).await? {
            let hash: Vec<u8> = row.try_get("", "text_hash")?;
            ids.insert(to_hash(&hash)?, row.try_get("", "id")?);
        }
    }
    Ok(ids)
}

fn key(organization: OrganizationId, model: &str, hashes: &[TextHash]) -> Vec<Value> {
    let mut values: Vec<Value> = vec![organization.0.into(), model.into()];
    values.extend(hashes.iter().map(|hash| Value::from(hash.to_vec())));
    values
}

fn to_hash(bytes: &[u8]) -> Result<TextHash, StoreError> {
    bytes
        .try_into()
        .map_err(|_| StoreError::Corrupt("text hash"))
}

/// Vectors by id.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn load(
    database: &impl ConnectionTrait,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<u8>>, StoreError> {
    #[derive(FromQueryResult)]
    struct Row {
        id: i64,
        vector: Vec<u8>,
    }
    let mut vectors = HashMap::with_capacity(ids.len());
    for group in ids.chunks(IDS_PER_STATEMENT) {
        let text = format!(
            "SELECT id, vector FROM embeddings WHERE id IN ({})",
            parameters(1, group.len())
        );
        let values = group.iter().map(|id| Value::from(*id));
        let rows = Row::find_by_statement(statement(database, &text, values))
            .all(database)
            .await?;
        vectors.extend(rows.into_iter().map(|row| (row.id, row.vector)));
    }
    Ok(vectors)
}

/// Removes those of the embeddings that no chunk names and returns how many.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn delete_unreferenced(
    transaction: &impl ConnectionTrait,
    ids: &[i64],
) -> Result<u64, StoreError> {
    let mut deleted = 0;
    for group in ids.chunks(IDS_PER_STATEMENT) {
        let values = || group.iter().map(|id| Value::from(*id));
        if transaction.get_database_backend() != DatabaseBackend::Sqlite {
            // A batch that has just found the vector holds it; wait, then look again.
            let text = format!(
                "SELECT id FROM embeddings WHERE id IN ({}) ORDER BY id FOR UPDATE",
                parameters(1, group.len())
            );
            transaction
                .query_all_raw(statement(transaction, &text, values()))
                .await?;
        }
        let text = format!(
            "DELETE FROM embeddings WHERE id IN ({}) AND NOT EXISTS \
             (SELECT 1 FROM chunks WHERE chunks.embedding_id = embeddings.id)",
            parameters(1, group.len())
        );
        deleted += super::sql::execute(transaction, &text, values()).await?;
    }
    Ok(deleted)
}
