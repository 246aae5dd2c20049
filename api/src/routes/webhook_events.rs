//! Where Git hosts and pipelines tell of pushes.
//!
//! `POST /webhooks/{provider}/{repository_id}` takes no bearer: the signature over the exact bytes
//! is the proof. A repository that does not exist, one without a secret and a wrong signature all
//! get the same 401 after the same work. `POST /webhooks/ci/{repository_id}` takes an API token.

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse,
    http::StatusCode,
    post,
    web::{BytesMut, Data, Path, Payload},
};
use chrono::{DateTime, Utc};
use futures::StreamExt;
use quarry_shared::{
    domain::{ErrorKind, RepositoryId},
    store::{
        entities::webhook_delivery,
        keyring::SecretPurpose,
        webhooks::{self, Endpoint},
    },
};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{kinds, pipelines};
use crate::{
    authentication::limits::client_address,
    problem::ApiError,
    rate_limits::Subject,
    state::AppState,
    webhooks::{
        Provider,
        hint::Reason,
        payload::Envelope,
        receive::{Delivery, receive},
        signature::Checker,
    },
};

/// What GitHub sends at most.
const MAX_BYTES: usize = 25 * 1024 * 1024;
/// Longer bodies take turns.
const SMALL_BYTES: usize = 1024 * 1024;
/// Hosts give up after ten seconds or so.
const READ_TIMEOUT: Duration = Duration::from_secs(60);
/// Units of the address's rate limit that a wrong signature costs.
const FAILURE_COST: u32 = 20;

pub(super) fn configure(config: &mut ServiceConfig) {
    // The fixed word before the parameter.
    config
        .service(pipelines::request_index)
        .service(receive_webhook);
}

/// An endpoint. Both parts are texts: what is no identifier is as unknown as any other.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct WebhookPath {
    /// `github`, `gitlab`, `gitea` (Forgejo, too) or `bitbucket`.
    provider: String,
    repository_id: String,
}

/// One event of a Git host or pipeline, and what it led to.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookDeliveryResponse {
    id: Uuid,
    #[schema(inline, value_type = kinds::WebhookProvider)]
    provider: String,
    /// As the host calls it.
    event: String,
    /// The host's own id of the delivery.
    delivery_key: Option<String>,
    #[schema(inline, value_type = kinds::WebhookOutcome)]
    outcome: String,
    #[schema(value_type = Option<Reason>)]
    reason: Option<String>,
    index_run_id: Option<Uuid>,
    received_at: DateTime<Utc>,
}

impl From<webhook_delivery::Model> for WebhookDeliveryResponse {
    fn from(row: webhook_delivery::Model) -> Self {
        Self {
            id: row.id,
            provider: row.provider,
            event: row.event,
            delivery_key: row.delivery_key,
            outcome: row.outcome,
            reason: row.reason,
            index_run_id: row.index_run_id,
            received_at: row.received_at,
        }
    }
}

/// What the host is told.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookAnswer {
    #[schema(inline, value_type = kinds::WebhookOutcome)]
    outcome: String,
    #[schema(value_type = Option<Reason>)]
    reason: Option<String>,
}

/// Takes an event of a Git host. Answers 202 when it leads to work and 200 when it does not.
#[utoipa::path(tag = "webhooks", operation_id = "receive_webhook", params(WebhookPath),
    security(()), request_body(content = String, content_type = "application/json",
        description = "The event as the host sends it, also as a form with `payload`; \
                       at most 25 MiB."),
    responses((status = 200, body = WebhookAnswer, description = "Ignored, and why."),
        (status = 202, body = WebhookAnswer, description = "An index run was asked for.")))]
#[post("/{provider}/{repository_id}")]
pub async fn receive_webhook(
    state: Data<AppState>,
    request: HttpRequest,
    path: Path<WebhookPath>,
    body: Payload,
) -> Result<HttpResponse, ApiError> {
    let provider = Provider::parse(&path.provider).ok_or_else(|| ApiError::not_found("address"))?;
    let id = path.repository_id.parse().unwrap_or(Uuid::nil());
    let db = state.database().reader();
    let endpoint = webhooks::find_endpoint(db, RepositoryId(id)).await?;
    let known = endpoint.and_then(|endpoint| open(&state, endpoint));
    // Nobody knows this one, and nobody can have signed with it.
    let unknown: [u8; 50] = rand::random();
    let secret = known.as_ref().map_or(&unknown[..], |(_, secret)| secret);
    let checker = Checker::new(provider, secret, request.headers());
    let (body, is_right) = timeout(READ_TIMEOUT, read(&state, body, checker, known.is_some()))
        .await
        .map_err(|_| ApiError::from_status(StatusCode::REQUEST_TIMEOUT))??;
    let Some((endpoint, _)) = known.filter(|_| is_right) else {
        let address = client_address(&request, &state.settings.server);
        let subject = Subject::Address(address);
        state.rate_limits.check(subject, FAILURE_COST).await?;
        return Err(ApiError::new(
            ErrorKind::Unauthenticated,
            "bad_signature",
            "the signature is not good, or there is no such endpoint",
        ));
    };
    let envelope = Envelope::of(provider, request.headers());
    let delivery = Delivery {
        provider: provider.as_str().to_owned(),
        hint: envelope.hint(provider, &body),
        event: envelope.event,
        key: envelope.delivery_key,
        once: true,
    };
    drop(body);
    let organization = endpoint.repository.organization_id.into();
    let row = receive(&state, organization, RepositoryId(id), delivery).await?;
    let status = match row.outcome.as_str() {
        "accepted" => StatusCode::ACCEPTED,
        _ => StatusCode::OK,
    };
    Ok(HttpResponse::build(status).json(WebhookAnswer {
        outcome: row.outcome,
        reason: row.reason,
    }))
}

/// The endpoint with its secret opened. One whose secret does not open is off.
fn open(state: &AppState, endpoint: Endpoint) -> Option<(Endpoint, Vec<u8>)> {
    let organization = quarry_shared::domain::OrganizationId(endpoint.repository.organization_id);
    let keyring = &state.services.keyring;
    match keyring.open(SecretPurpose::WebhookSecret, organization, &endpoint.secret) {
        Ok(secret) => {
            let secret = secret.expose_secret().to_vec();
            Some((endpoint, secret))
        }
        Err(error) => {
            tracing::error!(%error, repository_id = %endpoint.repository.id,
                "a webhook secret does not open");
            None
        }
    }
}

/// Reads the body and checks its signature on the way. What nobody will look at is not kept.
async fn read(
    state: &AppState,
    mut payload: Payload,
    mut checker: Checker,
    is_kept: bool,
) -> Result<(BytesMut, bool), ApiError> {
    let mut body = BytesMut::new();
    let mut length = 0;
    let mut turn = None;
    while let Some(piece) = payload.next().await {
        let piece = piece.map_err(|_| ApiError::from_status(StatusCode::BAD_REQUEST))?;
        length += piece.len();
        if length > MAX_BYTES {
            return Err(ApiError::from_status(StatusCode::PAYLOAD_TOO_LARGE));
        }
        if is_kept && length > SMALL_BYTES && turn.is_none() {
            let free = state.large_webhooks.clone().acquire_owned().await;
            turn = Some(free.map_err(ApiError::internal)?);
        }
        checker.update(&piece);
        if is_kept {
            body.extend_from_slice(&piece);
        }
    }
    Ok((body, checker.holds()))
}
