//! Writing an event.

use chrono::{DateTime, SubsecRound, Utc};
use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, IntoActiveModel,
};

use super::{Chain, Row, ZERO_HASH, canonical::hash_of};
use crate::{
    domain::{AuditEvent, AuditOrigin, shortened},
    store::{
        StoreError,
        entities::audit_event::Entity,
        sql::{execute, statement},
    },
};

/// Longest details in bytes; longer ones are left out, and the event says so.
const MAX_DETAILS_BYTES: usize = 4096;

/// Writes an event in the transaction of the change that it tells of; returns its number. Other
/// writers of the same chain wait until the transaction ends, so this comes last in it.
///
/// # Errors
/// [`StoreError`] of the database. The change must then not be committed either.
pub async fn append(
    transaction: &DatabaseTransaction,
    origin: &AuditOrigin,
    event: AuditEvent,
) -> Result<i64, StoreError> {
    let chain = Chain::of(event.organization_id);
    let (sequence, previous_hash) = take(transaction, chain).await?;
    // Databases keep microseconds; what is hashed must be what is read back.
    let now = Utc::now().trunc_subsecs(6);
    let mut row = row(chain, origin, event, now);
    row.sequence = sequence;
    row.previous_hash = previous_hash;
    row.hash = hash_of(&row);
    let hash = row.hash.clone();
    let row = row.into_active_model().reset_all();
    Entity::insert(row)
        .exec_without_returning(transaction)
        .await?;
    execute(
        transaction,
        "UPDATE audit_chains SET hash = $2 WHERE chain_id = $1",
        [chain.id().into(), hash.into()],
    )
    .await?;
    Ok(sequence)
}

/// Takes the chain for this transaction: the number of the next event and the hash before it. One
/// statement, so that the first event of a chain cannot be written twice either.
async fn take(
    transaction: &DatabaseTransaction,
    chain: Chain,
) -> Result<(i64, String), StoreError> {
    let statement = statement(
        transaction,
        "INSERT INTO audit_chains (chain_id, sequence, hash, anchor_sequence, anchor_hash) \
         VALUES ($1, 1, $2, 0, $2) \
         ON CONFLICT (chain_id) DO UPDATE SET sequence = audit_chains.sequence + 1 \
         RETURNING sequence, hash",
        [chain.id().into(), ZERO_HASH.into()],
    );
    let taken = transaction
        .query_one_raw(statement)
        .await?
        .ok_or(StoreError::Corrupt("audit chain"))?;
    Ok((taken.try_get("", "sequence")?, taken.try_get("", "hash")?))
}

fn row(chain: Chain, origin: &AuditOrigin, event: AuditEvent, now: DateTime<Utc>) -> Row {
    let AuditEvent {
        organization_id: _,
        action,
        object_kind,
        object_id,
        object_name,
        outcome,
        details,
    } = event;
    let mut details = serde_json::Value::Object(details).to_string();
    if details.len() > MAX_DETAILS_BYTES {
        details = "{\"left_out\":true}".to_owned();
    }
    Row {
        chain_id: chain.id(),
        sequence: 0,
        recorded_at: now,
        actor_kind: origin.kind.as_str().to_owned(),
        actor_user_id: origin.user_id.map(|id| id.0),
        actor_name: origin.name.as_deref().map(shortened),
        credential_kind: origin.credential.as_str().to_owned(),
        credential_id: origin.credential_id,
        address: origin.address.map(|address| address.to_string()),
        action: action.to_owned(),
        object_kind: object_kind.to_owned(),
        object_id,
        object_name,
        outcome: outcome.as_str().to_owned(),
        request_id: origin.request_id.clone(),
        details,
        previous_hash: String::new(),
        hash: String::new(),
    }
}
