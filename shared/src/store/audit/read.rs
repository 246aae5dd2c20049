//! Reading a chain: pages for people, newest first, and everything in order for an export.

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::LikeExpr,
};
use serde_json::{Value, json};

use super::{Chain, Row, canonical::time_of};
use crate::{
    domain::{AuditOutcome, UserId},
    store::{
        StoreError,
        entities::{
            audit_chain,
            audit_event::{Column, Entity},
        },
    },
};

/// Which events. What is absent does not narrow.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    pub actor: Option<UserId>,
    /// An action, or with a dot at its end everything below it: `repository.`.
    pub action: Option<String>,
    pub object_kind: Option<String>,
    pub object_id: Option<String>,
    pub outcome: Option<AuditOutcome>,
    /// From this moment on.
    pub since: Option<DateTime<Utc>>,
    /// Before this moment.
    pub until: Option<DateTime<Utc>>,
}

/// Events of a chain, newest first; `before` is the last sequence number of the page before.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list(
    db: &impl ConnectionTrait,
    chain: Chain,
    filter: &AuditFilter,
    before: Option<i64>,
    limit: u64,
) -> Result<Vec<Row>, StoreError> {
    let mut query = filtered(chain, filter);
    if let Some(before) = before {
        query = query.filter(Column::Sequence.lt(before));
    }
    Ok(query
        .order_by_desc(Column::Sequence)
        .limit(limit)
        .all(db)
        .await?)
}

/// Events of a chain in order; `after` is the last sequence number of the piece before.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn export(
    db: &impl ConnectionTrait,
    chain: Chain,
    filter: &AuditFilter,
    after: i64,
    limit: u64,
) -> Result<Vec<Row>, StoreError> {
    Ok(filtered(chain, filter)
        .filter(Column::Sequence.gt(after))
        .order_by_asc(Column::Sequence)
        .limit(limit)
        .all(db)
        .await?)
}

/// All chains, the instance's first.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn chains(db: &impl ConnectionTrait) -> Result<Vec<Chain>, StoreError> {
    let ids: Vec<uuid::Uuid> = audit_chain::Entity::find()
        .select_only()
        .column(audit_chain::Column::ChainId)
        .order_by_asc(audit_chain::Column::ChainId)
        .into_tuple()
        .all(db)
        .await?;
    Ok(ids.into_iter().map(Chain::from_id).collect())
}

fn filtered(chain: Chain, filter: &AuditFilter) -> Select<Entity> {
    let AuditFilter {
        actor,
        action,
        object_kind,
        object_id,
        outcome,
        since,
        until,
    } = filter;
    let mut query = Entity::find().filter(Column::ChainId.eq(chain.id()));
    if let Some(actor) = actor {
        query = query.filter(Column::ActorUserId.eq(actor.0));
    }
    if let Some(action) = action {
        query = query.filter(if action.ends_with('.') {
            Column::Action.like(below(action))
        } else {
            Column::Action.eq(action)
        });
    }
    if let Some(kind) = object_kind {
        query = query.filter(Column::ObjectKind.eq(kind));
    }
    if let Some(id) = object_id {
        query = query.filter(Column::ObjectId.eq(id));
    }
    if let Some(outcome) = outcome {
        query = query.filter(Column::Outcome.eq(outcome.as_str()));
    }
    if let Some(since) = since {
        query = query.filter(Column::RecordedAt.gte(*since));
    }
    if let Some(until) = until {
        query = query.filter(Column::RecordedAt.lt(*until));
    }
    query
}

/// Everything that begins with the text, taken literally.
fn below(text: &str) -> LikeExpr {
    let mut pattern = String::with_capacity(text.len() + 1);
    for char in text.chars() {
        if matches!(char, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(char);
    }
    pattern.push('%');
    LikeExpr::new(pattern).escape('\\')
}

impl Row {
    /// Small facts about the event.
    #[must_use]
    pub fn details(&self) -> Value {
        serde_json::from_str(&self.details).unwrap_or(Value::Null)
    }

    /// One line of an export, without its line break. Holds every field that is hashed.
    #[must_use]
    pub fn to_json_line(&self) -> String {
        let organization = match Chain::from_id(self.chain_id) {
            Chain::Instance => None,
            Chain::Organization(id) => Some(id.0),
        };
        json!({
            "organization_id": organization,
            "sequence": self.sequence,
            "time": time_of(self),
            "actor_kind": self.actor_kind,
            "actor_user_id": self.actor_user_id,
            "actor_name": self.actor_name,
            "credential_kind": self.credential_kind,
            "credential_id": self.credential_id,
            "address": self.address,
            "action": self.action,
            "object_kind": self.object_kind,
            "object_id": self.object_id,
            "object_name": self.object_name,
            "outcome": self.outcome,
            "request_id": self.request_id,
            "details": self.details(),
            "previous_hash": self.previous_hash,
            "hash": self.hash,
        })
        .to_string()
    }
}
