//! Reading a chain through and naming the first place where it does not hold.

use std::{fmt, str::FromStr};

use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect};

use super::{AuditFilter, Chain, Row, canonical::hash_of, read::export};
use crate::store::{
    StoreError,
    entities::{
        audit_chain,
        audit_event::{Column, Entity},
    },
};

/// Events read at once: bounded memory, few round trips.
const PIECE: u64 = 1000;
/// How often a verification starts anew because retention moved the beginning under it.
const RESTARTS: u32 = 3;

/// The end of a chain: worth keeping outside the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainHead {
    pub sequence: i64,
    pub hash: String,
}

impl fmt::Display for ChainHead {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.sequence, self.hash)
    }
}

impl FromStr for ChainHead {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (sequence, hash) = text.split_once(':').ok_or("is not `sequence:hash`")?;
        let sequence = sequence.parse().map_err(|_| "has no sequence number")?;
        let hash = hash.to_owned();
        Ok(Self { sequence, hash })
    }
}

/// What does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// There is no event with this number.
    Missing,
    /// The event is not what its hash says.
    Changed,
    /// The event does not follow on the one before it.
    Disconnected,
    /// There are events beyond the end of the chain.
    Surplus,
    /// The event is whole, but it is not the one that was written down elsewhere.
    Rewritten,
}

impl FaultKind {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Changed => "changed",
            Self::Disconnected => "disconnected",
            Self::Surplus => "surplus",
            Self::Rewritten => "rewritten",
        }
    }
}

/// The first place where a chain does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    pub sequence: i64,
    pub kind: FaultKind,
}

/// What a verification has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Events that hold, up to the fault or the end.
    pub events: u64,
    /// The last event that retention has removed; zero when none.
    pub anchor: i64,
    pub head: ChainHead,
    pub fault: Option<Fault>,
}

/// Checks a chain from its anchor to its end. `known` is an end that was kept elsewhere: the chain
/// must still hold that event (unless retention has removed it).
///
/// # Errors
/// [`StoreError`] of the database; a chain that does not hold is a [`Fault`].
pub async fn verify(
    db: &impl ConnectionTrait,
    chain: Chain,
    known: Option<&ChainHead>,
) -> Result<Verification, StoreError> {
    let mut restarts = 0;
    loop {
        let (ends, last) = ends(db, chain).await?;
        let mut found = walk(db, chain, &ends, known).await?;
        if found.fault.is_none() && last > ends.sequence {
            found.fault = Some(Fault {
                sequence: ends.sequence + 1,
                kind: FaultKind::Surplus,
            });
        }
        let is_moved = |now: &audit_chain::Model| now.anchor_sequence != ends.anchor_sequence;
        let is_suspect = found.fault.is_some() && restarts < RESTARTS;
        if is_suspect && is_moved(&self::ends(db, chain).await?.0) {
            restarts += 1;
            continue;
        }
        return Ok(found);
    }
}

/// The chain's row, and the highest number of an event that was there before the row was read.
async fn ends(
    db: &impl ConnectionTrait,
    chain: Chain,
) -> Result<(audit_chain::Model, i64), StoreError> {
    let last: Option<Option<i64>> = Entity::find()
        .select_only()
        .column_as(Column::Sequence.max(), "last")
        .filter(Column::ChainId.eq(chain.id()))
        .into_tuple()
        .one(db)
        .await?;
    let row = audit_chain::Entity::find_by_id(chain.id()).one(db).await?;
    let empty = || audit_chain::Model {
        chain_id: chain.id(),
        sequence: 0,
        hash: super::ZERO_HASH.to_owned(),
        anchor_sequence: 0,
        anchor_hash: super::ZERO_HASH.to_owned(),
    };
    Ok((row.unwrap_or_else(empty), last.flatten().unwrap_or(0)))
}

async fn walk(
    db: &impl ConnectionTrait,
    chain: Chain,
    ends: &audit_chain::Model,
    known: Option<&ChainHead>,
) -> Result<Verification, StoreError> {
    let mut found = Verification {
        events: 0,
        anchor: ends.anchor_sequence,
        head: ChainHead {
            sequence: ends.sequence,
            hash: ends.hash.clone(),
        },
        fault: None,
    };
    let mut last = ChainHead {
        sequence: ends.anchor_sequence,
        hash: ends.anchor_hash.clone(),
    };
    let everything = AuditFilter::default();
    while last.sequence < ends.sequence {
        let rows = export(db, chain, &everything, last.sequence, PIECE).await?;
        let rows = rows
            .into_iter()
            .take_while(|row| row.sequence <= ends.sequence);
        let before = last.sequence;
        for row in rows {
            if let Some(kind) = fault_of(&row, &last, known) {
                let sequence = match kind {
                    FaultKind::Missing => last.sequence + 1,
                    _ => row.sequence,
                };
                found.fault = Some(Fault { sequence, kind });
                return Ok(found);
            }
            last = ChainHead {
                sequence: row.sequence,
                hash: row.hash,
            };
            found.events += 1;
        }
        if last.sequence == before {
            break;
        }
    }
    let end = |sequence, kind| Some(Fault { sequence, kind });
    if last.sequence < ends.sequence {
        found.fault = end(last.sequence + 1, FaultKind::Missing);
    } else if last.hash != ends.hash {
        found.fault = end(ends.sequence, FaultKind::Disconnected);
    } else if let Some(known) = known.filter(|known| known.sequence > ends.sequence) {
        found.fault = end(known.sequence.min(ends.sequence + 1), FaultKind::Missing);
    }
    Ok(found)
}

fn fault_of(row: &Row, last: &ChainHead, known: Option<&ChainHead>) -> Option<FaultKind> {
    if row.sequence != last.sequence + 1 {
        return Some(FaultKind::Missing);
    }
    if hash_of(row) != row.hash {
        return Some(FaultKind::Changed);
    }
    if row.previous_hash != last.hash {
        return Some(FaultKind::Disconnected);
    }
    let is_other = |known: &ChainHead| known.sequence == row.sequence && known.hash != row.hash;
    known.is_some_and(is_other).then_some(FaultKind::Rewritten)
}
