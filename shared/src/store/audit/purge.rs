//! Retention: the oldest part of a chain goes, the rest stays verifiable from its anchor.

use chrono::{DateTime, Utc};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::{Chain, append, chains};
use crate::{
    domain::{AuditEvent, AuditOrigin},
    store::{
        Database, StoreError,
        entities::{
            audit_chain,
            audit_event::{Column, Entity},
        },
        sql::{execute, statement},
    },
};

/// Events removed in one transaction, so that other writers of the chain wait for moments only.
const PIECE: i64 = 1000;

/// Removes the events of all chains from before `cutoff`; returns how many.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn purge_all(database: &Database, cutoff: DateTime<Utc>) -> Result<u64, StoreError> {
    let mut removed = 0;
    for chain in chains(database.reader()).await? {
        removed += purge(database, chain, cutoff).await?;
    }
    Ok(removed)
}

/// Removes the events of a chain from before `cutoff`; returns how many. The chain tells of it
/// itself (`audit.purge`). The event that tells of the last purge is never worth a purge by itself.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn purge(
    database: &Database,
    chain: Chain,
    cutoff: DateTime<Utc>,
) -> Result<u64, StoreError> {
    let mut removed = 0;
    while let Some(boundary) = boundary(database, chain, cutoff).await? {
        removed += remove(database, chain, boundary).await?;
    }
    if removed > 0 {
        let transaction = database.begin().await?;
        let mut event = AuditEvent::new("audit.purge").detail("events", removed);
        event.organization_id = match chain {
            Chain::Instance => None,
            Chain::Organization(id) => Some(id),
        };
        append(&transaction, &AuditOrigin::system(), event).await?;
        transaction.commit().await?;
    }
    Ok(removed)
}

/// The last event of the next piece to go.
async fn boundary(
    database: &Database,
    chain: Chain,
    cutoff: DateTime<Utc>,
) -> Result<Option<i64>, StoreError> {
    let db = database.writer();
    let of_chain = || Entity::find().filter(Column::ChainId.eq(chain.id()));
    let first = of_chain().order_by_asc(Column::Sequence).one(db).await?;
    let Some(first) = first.filter(|row| row.recorded_at < cutoff) else {
        return Ok(None);
    };
    // The clock may have been set back: what stands behind a younger event stays with it.
    let kept: Option<i64> = of_chain()
        .select_only()
        .column(Column::Sequence)
        .filter(Column::RecordedAt.gte(cutoff))
        .order_by_asc(Column::Sequence)
        .into_tuple()
        .one(db)
        .await?;
    let last = match kept {
        Some(kept) => kept - 1,
        None => audit_chain::Entity::find_by_id(chain.id())
            .one(db)
            .await?
            .map_or(first.sequence, |row| row.sequence),
    };
    let is_only_a_purge = last == first.sequence && first.action == "audit.purge";
    Ok((!is_only_a_purge).then(|| last.min(first.sequence + PIECE - 1)))
}

/// Moves the anchor onto the event, then removes it and what stands before it.
async fn remove(database: &Database, chain: Chain, last: i64) -> Result<u64, StoreError> {
    use sea_orm::ConnectionTrait;
    let transaction = database.begin().await?;
    let moved = statement(
        &transaction,
        "UPDATE audit_chains SET anchor_sequence = $2, anchor_hash = (SELECT hash \
         FROM audit_events WHERE chain_id = $1 AND sequence = $2) \
         WHERE chain_id = $1 AND anchor_sequence < $2 AND EXISTS (SELECT 1 \
         FROM audit_events WHERE chain_id = $1 AND sequence = $2)",
        [chain.id().into(), last.into()],
    );
    let moved = transaction.execute_raw(moved).await?.rows_affected();
    if moved == 0 {
        let now = audit_chain::Entity::find_by_id(chain.id())
            .one(&transaction)
            .await?;
        // Another server was faster, or the event is gone: nothing stands where an anchor would.
        return match now {
            Some(row) if row.anchor_sequence >= last => Ok(0),
            _ => Err(StoreError::Corrupt("audit chain")),
        };
    }
    let removed = execute(
        &transaction,
        "DELETE FROM audit_events WHERE chain_id = $1 AND sequence <= $2",
        [chain.id().into(), last.into()],
    )
    .await?;
    transaction.commit().await?;
    Ok(removed)
}
