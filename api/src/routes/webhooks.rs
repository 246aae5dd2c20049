//! A repository's webhook: its addresses, its secret, and what was delivered.
//!
//! `GET|PUT|DELETE /repositories/{repository_id}/webhook`,
//! `GET /repositories/{repository_id}/webhook-deliveries`,
//! `POST /repositories/{repository_id}/webhook-deliveries/{delivery_id}/redeliver`.

use actix_web::{
    HttpResponse, delete, get, post, put,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, RepositoryId, WebhookDeliveryId},
    store::{StoreError, keyring::SecretPurpose, repositories, webhooks},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use super::{
    list::{List, ListQuery},
    paths::{RepositoryPath, WebhookDeliveryPath},
    webhook_events::WebhookDeliveryResponse,
};
use crate::{
    access::{Access, IndexRepository, ManageRepository},
    audit::Audit,
    body::{Body, Params},
    problem::ApiError,
    state::AppState,
    webhooks::{
        receive::{Delivery, receive_within},
        signature::generate_secret,
    },
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(get_webhook)
        .service(set_webhook_secret)
        .service(remove_webhook_secret)
        .service(list_webhook_deliveries)
        .service(redeliver_webhook);
}

/// Addresses to enter at a Git host, or to call from a pipeline.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookUrls {
    github: String,
    gitlab: String,
    gitea: String,
    bitbucket: String,
    ci: String,
}

/// A repository's webhook. The secret itself is never shown again.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookResponse {
    urls: WebhookUrls,
    /// Without a secret the hosts' addresses are off.
    has_secret: bool,
    secret_set_at: Option<DateTime<Utc>>,
}

/// A secret to set.
#[derive(Default, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct SetWebhookSecretRequest {
    /// One that the host has made (GitLab's signing token: `whsec_...`). A new one is made when it
    /// is absent.
    #[serde(default)]
    #[garde(length(bytes, min = 16, max = 255), inner(ascii))]
    secret: Option<String>,
}

/// A secret that was made, shown this once.
#[derive(Serialize, ToSchema)]
pub struct WebhookSecretResponse {
    /// Absent when the secret was given in the request.
    #[schema(required = true)]
    secret: Option<String>,
    urls: WebhookUrls,
}

fn urls(state: &AppState, id: RepositoryId) -> WebhookUrls {
    let origin = state.settings.server.public_origin();
    let url = |provider| format!("{origin}/webhooks/{provider}/{id}");
    WebhookUrls {
        github: url("github"),
        gitlab: url("gitlab"),
        gitea: url("gitea"),
        bitbucket: url("bitbucket"),
        ci: url("ci"),
    }
}

/// Returns the addresses of a repository's webhook, and whether a secret is set.
#[utoipa::path(tag = "webhooks", operation_id = "get_webhook", params(RepositoryPath),
    responses((status = 200, body = WebhookResponse)))]
#[get("/repositories/{repository_id}/webhook")]
pub async fn get_webhook(
    state: Data<AppState>,
    access: Access<ManageRepository>,
    path: Path<RepositoryPath>,
) -> Result<Json<WebhookResponse>, ApiError> {
    let id = RepositoryId(path.repository_id);
    let db = state.database().reader();
    repositories::find(db, access.scope().read(), id).await?;
    let secret = webhooks::find_secret(db, id).await?;
    Ok(Json(WebhookResponse {
        urls: urls(&state, id),
        has_secret: secret.is_some(),
        secret_set_at: secret.map(|secret| secret.set_at),
    }))
}

/// Sets or replaces the secret of a repository's webhook. The one before is good no longer.
#[utoipa::path(tag = "webhooks", operation_id = "set_webhook_secret", params(RepositoryPath),
    request_body = SetWebhookSecretRequest, responses((status = 200, body = WebhookSecretResponse)))]
#[put("/repositories/{repository_id}/webhook")]
pub async fn set_webhook_secret(
    state: Data<AppState>,
    access: Access<ManageRepository>,
    audit: Audit,
    path: Path<RepositoryPath>,
    body: Body<SetWebhookSecretRequest>,
) -> Result<Json<WebhookSecretResponse>, ApiError> {
    let id = RepositoryId(path.repository_id);
    let organization = access.organization_id();
    let made = body.0.secret.is_none().then(generate_secret);
    let secret = made.clone().or(body.0.secret).unwrap_or_default();
    let keyring = &state.services.keyring;
    let sealed = keyring.seal(
        SecretPurpose::WebhookSecret,
        organization,
        secret.as_bytes(),
    )?;
    let transaction = state.database().begin().await?;
    let repository = repositories::find(&transaction, access.scope().read(), id).await?;
    webhooks::set_secret(&transaction, organization, id, sealed).await?;
    let event = AuditEvent::new("webhook.set_secret")
        .within(organization)
        .object("repository", id)
        .named(&repository.name);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(WebhookSecretResponse {
        secret: made,
        urls: urls(&state, id),
    }))
}

/// Removes the secret of a repository's webhook: its hosts' addresses are off from then on.
#[utoipa::path(tag = "webhooks", operation_id = "remove_webhook_secret", params(RepositoryPath),
    responses((status = 204)))]
#[delete("/repositories/{repository_id}/webhook")]
pub async fn remove_webhook_secret(
    state: Data<AppState>,
    access: Access<ManageRepository>,
    audit: Audit,
    path: Path<RepositoryPath>,
) -> Result<HttpResponse, ApiError> {
    let id = RepositoryId(path.repository_id);
    let transaction = state.database().begin().await?;
    let repository = repositories::find(&transaction, access.scope().read(), id).await?;
    if webhooks::remove_secret(&transaction, id).await? {
        let event = AuditEvent::new("webhook.remove_secret")
            .within(access.organization_id())
            .object("repository", id)
            .named(&repository.name);
        audit.record(&transaction, event).await?;
        transaction.commit().await.map_err(StoreError::from)?;
    }
    Ok(HttpResponse::NoContent().finish())
}

/// Lists what was delivered for a repository, newest first: a thousand deliveries or thirty days.
#[utoipa::path(tag = "webhooks", operation_id = "list_webhook_deliveries",
    params(RepositoryPath, ListQuery),
    responses((status = 200, body = List<WebhookDeliveryResponse>)))]
#[get("/repositories/{repository_id}/webhook-deliveries")]
pub async fn list_webhook_deliveries(
    state: Data<AppState>,
    access: Access<ManageRepository>,
    path: Path<RepositoryPath>,
    query: Params<ListQuery>,
) -> Result<Json<List<WebhookDeliveryResponse>>, ApiError> {
    let page = query.0.page::<WebhookDeliveryId>()?;
    let (db, scope) = (state.database().reader(), access.scope().read());
    let id = RepositoryId(path.repository_id);
    let rows = webhooks::list(db, scope, id, page.after, page.limit + 1).await?;
    Ok(Json(List::from_rows(rows, page.limit, |row| row.id)))
}

/// Acts upon a delivery once more, as a new one.
#[utoipa::path(tag = "webhooks", operation_id = "redeliver_webhook", params(WebhookDeliveryPath),
    responses((status = 202, body = WebhookDeliveryResponse)))]
#[post("/repositories/{repository_id}/webhook-deliveries/{delivery_id}/redeliver")]
pub async fn redeliver_webhook(
    state: Data<AppState>,
    access: Access<IndexRepository>,
    audit: Audit,
    path: Path<WebhookDeliveryPath>,
) -> Result<HttpResponse, ApiError> {
    let id = RepositoryId(path.repository_id);
    let organization = access.organization_id();
    let transaction = state.database().begin().await?;
    let delivery = WebhookDeliveryId(path.delivery_id);
    let before = webhooks::find(&transaction, access.scope().read(), id, delivery).await?;
    let again = Delivery {
        provider: before.provider,
        event: before.event,
        key: before.delivery_key,
        hint: serde_json::from_str(&before.hint).map_err(ApiError::internal)?,
        once: false,
    };
    let received = receive_within(&state, &transaction, organization, id, again).await?;
    let event = AuditEvent::new("webhook.redeliver")
        .within(organization)
        .object("repository", id)
        .detail("delivery_id", delivery.to_string());
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    let row = received.announce(&state).await;
    Ok(HttpResponse::Accepted().json(WebhookDeliveryResponse::from(row)))
}
