//! Acting upon a delivery, once, and writing it down.

use quarry_shared::{
    domain::{IndexRunId, OrganizationId, RepositoryId, RepositoryState, RunTrigger},
    indexing::Requested,
    store::{
        StoreError, branches,
        entities::{index_run, repository, webhook_delivery},
        repositories,
        webhooks::{self, NewDelivery},
    },
};
use sea_orm::DatabaseTransaction;

use super::hint::{Decision, Hint, Known, Reason, decide};
use crate::{problem::ApiError, state::AppState};

/// A delivery of somebody who has proven to know the secret.
#[derive(Debug, Clone)]
pub struct Delivery {
    pub provider: String,
    pub event: String,
    /// The host's id, when it gives one.
    pub key: Option<String>,
    pub hint: Hint,
    /// Whether one that has led to work before is to be ignored.
    pub once: bool,
}

/// What a delivery has led to, in a transaction of the caller.
#[must_use]
pub struct Received {
    pub row: webhook_delivery::Model,
    requested: Vec<Requested<index_run::Model>>,
}

impl Received {
    /// Hands out the work, once the transaction is committed.
    pub async fn announce(self, state: &AppState) -> webhook_delivery::Model {
        for requested in self.requested {
            drop(state.services.indexing.announce(requested).await);
        }
        self.row
    }
}

/// Acts upon a delivery in a transaction of its own.
///
/// # Errors
/// Those of [`receive_within`].
pub async fn receive(
    state: &AppState,
    organization: OrganizationId,
    repository: RepositoryId,
    delivery: Delivery,
) -> Result<webhook_delivery::Model, ApiError> {
    let transaction = state.database().begin().await?;
    let received = receive_within(state, &transaction, organization, repository, delivery).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(received.announce(state).await)
}

/// Asks for what a delivery is about and writes it down.
///
/// # Errors
/// `NotFound` for a repository that is being deleted; those of the database.
pub async fn receive_within(
    state: &AppState,
    transaction: &DatabaseTransaction,
    organization: OrganizationId,
    id: RepositoryId,
    delivery: Delivery,
) -> Result<Received, ApiError> {
    // Locked, so that of the same delivery at the same moment one is the first.
    let repository = repositories::get_locked(transaction, organization, id).await?;
    if repository.state == RepositoryState::Deleting.as_str() {
        return Err(ApiError::not_found("repository"));
    }
    let decision = match &delivery.key {
        Some(key)
            if delivery.once
                && webhooks::is_repeated(transaction, id, &delivery.provider, key).await? =>
        {
            Decision {
                branches: Vec::new(),
                reason: Reason::DuplicateDelivery,
            }
        }
        _ => decide(&delivery.hint, &known(transaction, &repository).await?),
    };
    let mut requested = Vec::with_capacity(decision.branches.len());
    for branch in decision.branches {
        let indexing = &state.services.indexing;
        let trigger = RunTrigger::Webhook;
        requested.push(
            indexing
                .index_within(transaction, organization, id, branch, trigger)
                .await?,
        );
    }
    let new = NewDelivery {
        provider: delivery.provider,
        event: delivery.event,
        delivery_key: delivery.key,
        outcome: match requested.is_empty() {
            true => "ignored",
            false => "accepted",
        },
        reason: Some(decision.reason.as_str()),
        hint: serde_json::to_string(&delivery.hint).map_err(ApiError::internal)?,
        run: requested.first().map(|first| IndexRunId(first.value.id)),
    };
    let row = webhooks::insert(transaction, organization, id, new).await?;
    Ok(Received { row, requested })
}

async fn known(
    transaction: &DatabaseTransaction,
    repository: &repository::Model,
) -> Result<Known, ApiError> {
    let rows = branches::list_of_repository(transaction, RepositoryId(repository.id)).await?;
    Ok(Known {
        default_branch: repository.default_branch.clone(),
        tracked: repositories::tracked_branches(repository)?,
        indexed: rows
            .into_iter()
            .filter(|branch| branch.published_snapshot_id.is_some())
            .map(|branch| branch.name)
            .collect(),
    })
}
