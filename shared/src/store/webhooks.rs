//! Secrets that Git hosts sign their events with, and the log of what they delivered.
//!
//! Only deliveries whose signature was good are written, so a stranger can neither fill the log nor
//! take a delivery's id before its host does.

use chrono::{Duration, Utc};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::{
    StoreError,
    entities::{
        index_run, repository,
        webhook_delivery::{self, Model},
        webhook_secret,
    },
    sql::{execute, insert_rows},
};
use crate::domain::{
    IndexRunId, OrganizationId, ReadScope, RepositoryId, RepositoryState, RunState,
    WebhookDeliveryId,
};

/// Deliveries that are kept of one repository: the newest of this many ...
const MAX_DELIVERIES: u64 = 1000;
/// ... and none that is older.
const MAX_AGE: Duration = Duration::days(30);

/// Where a host's events go.
#[derive(Debug, Clone)]
pub struct Endpoint {
    pub repository: repository::Model,
    /// Sealed.
    pub secret: Vec<u8>,
}

/// The endpoint of a repository; `None` without a secret and for a repository that does not exist
/// or is being deleted. Does the same work for each.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn find_endpoint(
    database: &impl ConnectionTrait,
    id: RepositoryId,
) -> Result<Option<Endpoint>, StoreError> {
    let repository = repository::Entity::find_by_id(id.0)
        .filter(repository::Column::State.ne(RepositoryState::Deleting.as_str()))
        .one(database)
        .await?;
    let secret = find_secret(database, id).await?;
    Ok(repository.zip(secret).map(|(repository, row)| Endpoint {
        repository,
        secret: row.secret,
    }))
}

/// The secret of a repository that the caller may manage.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn find_secret(
    database: &impl ConnectionTrait,
    id: RepositoryId,
) -> Result<Option<webhook_secret::Model>, StoreError> {
    Ok(webhook_secret::Entity::find_by_id(id.0)
        .one(database)
        .await?)
}

/// Sets or replaces a repository's secret, which comes sealed.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn set_secret(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    id: RepositoryId,
    secret: Vec<u8>,
) -> Result<(), StoreError> {
    let columns = ["repository_id", "organization_id", "secret", "set_at"];
    let values = vec![
        id.0.into(),
        organization.0.into(),
        secret.into(),
        Utc::now().into(),
    ];
    let replace = "ON CONFLICT (repository_id) DO UPDATE SET \
                   secret = excluded.secret, set_at = excluded.set_at";
    insert_rows(database, "webhook_secrets", &columns, replace, values).await
}

/// Removes a repository's secret; its endpoints are off from then on. `false` when there was none.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn remove_secret(
    database: &impl ConnectionTrait,
    id: RepositoryId,
) -> Result<bool, StoreError> {
    let text = "DELETE FROM webhook_secrets WHERE repository_id = $1";
    Ok(execute(database, text, [id.0.into()]).await? > 0)
}

/// A delivery that is to be written.
#[derive(Debug, Clone)]
pub struct NewDelivery {
    pub provider: String,
    pub event: String,
    /// The host's own id of the delivery.
    pub delivery_key: Option<String>,
    pub outcome: &'static str,
    pub reason: Option<&'static str>,
    /// What the event was about, as the door writes it.
    pub hint: String,
    pub run: Option<IndexRunId>,
}

/// Writes a delivery and forgets those of the repository that are too many or too old. The caller
/// has locked the repository.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn insert(
    database: &impl ConnectionTrait,
    organization: OrganizationId,
    repository: RepositoryId,
    delivery: NewDelivery,
) -> Result<Model, StoreError> {
    let id = WebhookDeliveryId::generate();
    let now = Utc::now();
    let columns = [
        "id",
        "organization_id",
        "repository_id",
        "provider",
        "event",
        "delivery_key",
        "outcome",
        "reason",
        "hint",
        "index_run_id",
        "received_at",
    ];
    let values = vec![
        id.0.into(),
        organization.0.into(),
        repository.0.into(),
        delivery.provider.into(),
        delivery.event.into(),
        delivery.delivery_key.into(),
        delivery.outcome.into(),
        delivery.reason.map(str::to_owned).into(),
        delivery.hint.into(),
        delivery.run.map(|run| run.0).into(),
        now.into(),
    ];
    insert_rows(database, "webhook_deliveries", &columns, "", values).await?;
    let text = format!(
        "DELETE FROM webhook_deliveries WHERE repository_id = $1 AND (received_at < $2 OR id IN \
         (SELECT id FROM webhook_deliveries WHERE repository_id = $1 ORDER BY id DESC \
         LIMIT {MAX_DELIVERIES} OFFSET {MAX_DELIVERIES}))"
    );
    execute(
        database,
        &text,
        [repository.0.into(), (now - MAX_AGE).into()],
    )
    .await?;
    webhook_delivery::Entity::find_by_id(id.0)
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("webhook delivery"))
}

/// Whether a delivery of this id has led to work that is done or still goes on. One whose run failed
/// or was cancelled may be delivered again.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn is_repeated(
    database: &impl ConnectionTrait,
    repository: RepositoryId,
    provider: &str,
    delivery_key: &str,
) -> Result<bool, StoreError> {
    let earlier = webhook_delivery::Entity::find()
        .filter(webhook_delivery::Column::RepositoryId.eq(repository.0))
        .filter(webhook_delivery::Column::DeliveryKey.eq(delivery_key))
        .filter(webhook_delivery::Column::Provider.eq(provider))
        .filter(webhook_delivery::Column::Outcome.eq("accepted"))
        .order_by_desc(webhook_delivery::Column::Id)
        .one(database)
        .await?;
    let Some(earlier) = earlier else {
        return Ok(false);
    };
    let Some(run) = earlier.index_run_id else {
        return Ok(true);
    };
    let run = index_run::Entity::find_by_id(run).one(database).await?;
    let has_failed = run.is_some_and(|run| {
        matches!(
            RunState::parse(&run.state),
            Some(RunState::Failed | RunState::Cancelled)
        )
    });
    Ok(!has_failed)
}

/// Deliveries of a repository of the scope, newest first; `before` is the last id of the page before.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn list(
    database: &impl ConnectionTrait,
    scope: &ReadScope,
    repository: RepositoryId,
    before: Option<WebhookDeliveryId>,
    limit: u64,
) -> Result<Vec<Model>, StoreError> {
    let mut query = of_repository(scope, repository);
    if let Some(before) = before {
        query = query.filter(webhook_delivery::Column::Id.lt(before.0));
    }
    Ok(query
        .order_by_desc(webhook_delivery::Column::Id)
        .limit(limit)
        .all(database)
        .await?)
}

/// One delivery of a repository of the scope.
///
/// # Errors
/// [`StoreError::NotFound`] when the repository has no such delivery.
pub async fn find(
    database: &impl ConnectionTrait,
    scope: &ReadScope,
    repository: RepositoryId,
    id: WebhookDeliveryId,
) -> Result<Model, StoreError> {
    of_repository(scope, repository)
        .filter(webhook_delivery::Column::Id.eq(id.0))
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("webhook delivery"))
}

fn of_repository(
    scope: &ReadScope,
    repository: RepositoryId,
) -> sea_orm::Select<webhook_delivery::Entity> {
    webhook_delivery::Entity::find()
        .filter(webhook_delivery::Column::OrganizationId.eq(scope.organization_id().0))
        .filter(webhook_delivery::Column::RepositoryId.eq(repository.0))
}
