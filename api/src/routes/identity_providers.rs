//! Where an organization's people may sign in besides here. For owners.
//!
//! `GET|POST /organizations/{organization_id}/identity-providers`,
//! `GET|PUT|DELETE /organizations/{organization_id}/identity-providers/{identity_provider_id}`.

use actix_web::{
    HttpResponse, delete, get, post, put,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, IdentityProviderId, OrganizationId, OrganizationRole, TeamId},
    store::{
        StoreError,
        identity_providers::{self, GroupMapping, IdentityProvider, ProviderSettings},
        keyring::SecretPurpose,
    },
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    list::List,
    organizations::is_name,
    paths::{IdentityProviderPath, OrganizationPath},
};
use crate::{
    access::{Access, ManageOrganization},
    audit::Audit,
    body::Body,
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_identity_providers)
        .service(create_identity_provider)
        .service(get_identity_provider)
        .service(replace_identity_provider)
        .service(delete_identity_provider);
}

/// The role that a group gives. Owners are made by owners alone.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MappedRole {
    Member,
    Administrator,
}

/// What members of a provider's group become here.
#[derive(Debug, Serialize, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct GroupMappingBody {
    #[garde(length(bytes, min = 1, max = 256))]
    group: String,
    #[garde(skip)]
    #[serde(default)]
    role: Option<MappedRole>,
    /// A team of the organization.
    #[garde(skip)]
    #[serde(default)]
    team_id: Option<Uuid>,
}

/// An identity provider as it shall be.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct IdentityProviderRequest {
    /// Shown on the sign-in page.
    #[garde(length(chars, min = 1, max = 100), custom(is_name))]
    name: String,
    /// Address below which the provider describes itself (`/.well-known/openid-configuration`).
    #[schema(example = "https://login.example.com")]
    #[garde(length(bytes, min = 1, max = 2048), custom(is_issuer))]
    issuer: String,
    #[garde(length(bytes, min = 1, max = 256))]
    client_id: String,
    /// Sealed at rest and never shown again. Absent keeps the one that is set.
    #[schema(value_type = Option<String>, format = Password)]
    #[garde(skip)]
    #[serde(default)]
    client_secret: Option<SecretString>,
    /// Only addresses of these domains come in.
    #[garde(length(min = 1, max = 50), inner(custom(is_domain)))]
    email_domains: Vec<String>,
    /// Claim of the ID token with the names of a person's groups.
    #[garde(inner(length(bytes, min = 1, max = 256)))]
    #[serde(default)]
    group_claim: Option<String>,
    /// Applied at every sign-in. A role or team that is mapped to some group is taken away from
    /// whoever is in none of its groups; owners keep theirs.
    #[garde(length(max = 500), dive)]
    #[serde(default)]
    groups: Vec<GroupMappingBody>,
    /// Takes addresses that the provider does not call verified. Only for providers in which
    /// people cannot set their address themselves.
    #[garde(skip)]
    #[serde(default)]
    trusts_email: bool,
    /// Makes whoever the provider vouches for a member; others must be members already.
    #[garde(skip)]
    adds_members: bool,
}

/// An identity provider, without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct IdentityProviderResponse {
    id: Uuid,
    name: String,
    issuer: String,
    client_id: String,
    has_client_secret: bool,
    email_domains: Vec<String>,
    #[schema(required = true)]
    group_claim: Option<String>,
    groups: Vec<GroupMappingBody>,
    trusts_email: bool,
    adds_members: bool,
    /// To be registered with the provider.
    redirect_url: String,
    created_at: DateTime<Utc>,
}

/// Lists the identity providers of an organization.
#[utoipa::path(tag = "organizations", operation_id = "list_identity_providers",
    params(OrganizationPath), responses((status = 200, body = List<IdentityProviderResponse>)))]
#[get("/organizations/{organization_id}/identity-providers")]
pub async fn list_identity_providers(
    state: Data<AppState>,
    access: Access<ManageOrganization>,
) -> Result<Json<List<IdentityProviderResponse>>, ApiError> {
    let db = state.database().reader();
    let found = identity_providers::list(db, access.organization_id()).await?;
    let items = found.into_iter().map(|provider| response(&state, provider));
    Ok(Json(List::whole(items.collect())))
}

/// Adds an identity provider.
#[utoipa::path(tag = "organizations", operation_id = "create_identity_provider",
    params(OrganizationPath), request_body = IdentityProviderRequest,
    responses((status = 201, body = IdentityProviderResponse)))]
#[post("/organizations/{organization_id}/identity-providers")]
pub async fn create_identity_provider(
    state: Data<AppState>,
    access: Access<ManageOrganization>,
    audit: Audit,
    body: Body<IdentityProviderRequest>,
) -> Result<HttpResponse, ApiError> {
    let organization = access.organization_id();
    let (settings, secret) = parts(&state, organization, body.0)?;
    let id = IdentityProviderId::generate();
    let transaction = state.database().begin().await?;
    identity_providers::create(&transaction, organization, id, &settings, secret).await?;
    let event = event("identity_provider.create", organization, id);
    audit
        .record(&transaction, event.named(&settings.name))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    let db = state.database().writer();
    let created = identity_providers::find(db, organization, id).await?;
    Ok(HttpResponse::Created().json(response(&state, created)))
}

/// Returns one identity provider.
#[utoipa::path(tag = "organizations", operation_id = "get_identity_provider",
    params(IdentityProviderPath), responses((status = 200, body = IdentityProviderResponse)))]
#[get("/organizations/{organization_id}/identity-providers/{identity_provider_id}")]
pub async fn get_identity_provider(
    state: Data<AppState>,
    access: Access<ManageOrganization>,
    path: Path<IdentityProviderPath>,
) -> Result<Json<IdentityProviderResponse>, ApiError> {
    let db = state.database().reader();
    let id = IdentityProviderId(path.identity_provider_id);
    let found = identity_providers::find(db, access.organization_id(), id).await?;
    Ok(Json(response(&state, found)))
}

/// Replaces the settings of an identity provider. Sign-ins that it has vouched for go on.
#[utoipa::path(tag = "organizations", operation_id = "replace_identity_provider",
    params(IdentityProviderPath), request_body = IdentityProviderRequest,
    responses((status = 200, body = IdentityProviderResponse)))]
#[put("/organizations/{organization_id}/identity-providers/{identity_provider_id}")]
pub async fn replace_identity_provider(
    state: Data<AppState>,
    access: Access<ManageOrganization>,
    audit: Audit,
    path: Path<IdentityProviderPath>,
    body: Body<IdentityProviderRequest>,
) -> Result<Json<IdentityProviderResponse>, ApiError> {
    let organization = access.organization_id();
    let id = IdentityProviderId(path.identity_provider_id);
    let (settings, secret) = parts(&state, organization, body.0)?;
    let transaction = state.database().begin().await?;
    let before = identity_providers::find(&transaction, organization, id).await?;
    if secret.is_none() && before.settings.issuer != settings.issuer {
        // The secret must not be sent to whom it was not meant for.
        return Err(ApiError::invalid(
            "/client_secret",
            "is needed for another issuer",
        ));
    }
    identity_providers::replace(&transaction, organization, id, &settings, secret).await?;
    let event = event("identity_provider.change", organization, id);
    audit
        .record(&transaction, event.named(&settings.name))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    let db = state.database().writer();
    let changed = identity_providers::find(db, organization, id).await?;
    Ok(Json(response(&state, changed)))
}

/// Removes an identity provider. Sign-ins that it has vouched for end.
#[utoipa::path(tag = "organizations", operation_id = "delete_identity_provider",
    params(IdentityProviderPath), responses((status = 204)))]
#[delete("/organizations/{organization_id}/identity-providers/{identity_provider_id}")]
pub async fn delete_identity_provider(
    state: Data<AppState>,
    access: Access<ManageOrganization>,
    audit: Audit,
    path: Path<IdentityProviderPath>,
) -> Result<HttpResponse, ApiError> {
    let organization = access.organization_id();
    let id = IdentityProviderId(path.identity_provider_id);
    let transaction = state.database().begin().await?;
    identity_providers::delete(&transaction, organization, id).await?;
    let event = event("identity_provider.delete", organization, id);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

/// The settings, and the secret in its envelope.
fn parts(
    state: &AppState,
    organization: OrganizationId,
    body: IdentityProviderRequest,
) -> Result<(ProviderSettings, Option<Vec<u8>>), ApiError> {
    let IdentityProviderRequest {
        name,
        issuer,
        client_id,
        client_secret,
        email_domains,
        group_claim,
        groups,
        trusts_email,
        adds_members,
    } = body;
    let mut email_domains: Vec<_> = email_domains
        .iter()
        .map(|domain| domain.to_ascii_lowercase())
        .collect();
    email_domains.sort();
    email_domains.dedup();
    let seal = |secret: SecretString| {
        let secret = secret.expose_secret().as_bytes();
        let purpose = SecretPurpose::OidcClientSecret;
        state.services.keyring.seal(purpose, organization, secret)
    };
    let secret = client_secret.map(seal).transpose()?;
    let groups = groups.into_iter().map(|mapping| GroupMapping {
        group: mapping.group,
        role: mapping.role.map(|role| match role {
            MappedRole::Member => OrganizationRole::Member,
            MappedRole::Administrator => OrganizationRole::Administrator,
        }),
        team_id: mapping.team_id.map(TeamId),
    });
    let settings = ProviderSettings {
        name: name.trim().to_owned(),
        issuer,
        client_id,
        email_domains,
        group_claim,
        groups: groups.collect(),
        trusts_email,
        adds_members,
    };
    Ok((settings, secret))
}

fn response(state: &AppState, provider: IdentityProvider) -> IdentityProviderResponse {
    let settings = provider.settings;
    let origin = state.settings.server.public_origin();
    let groups = settings.groups.into_iter().map(|mapping| GroupMappingBody {
        group: mapping.group,
        role: mapping.role.map(|role| match role {
            OrganizationRole::Member => MappedRole::Member,
            _ => MappedRole::Administrator,
        }),
        team_id: mapping.team_id.map(Into::into),
    });
    IdentityProviderResponse {
        id: provider.id.0,
        name: settings.name,
        issuer: settings.issuer,
        client_id: settings.client_id,
        has_client_secret: provider.client_secret.is_some(),
        email_domains: settings.email_domains,
        group_claim: settings.group_claim,
        groups: groups.collect(),
        trusts_email: settings.trusts_email,
        adds_members: settings.adds_members,
        redirect_url: format!("{origin}/api/v1/auth/oidc/callback"),
        created_at: provider.created_at,
    }
}

fn event(action: &'static str, organization: OrganizationId, id: IdentityProviderId) -> AuditEvent {
    AuditEvent::new(action)
        .within(organization)
        .object("identity_provider", id)
}

/// A web address without anything behind its path; whether it may be called is decided when it is.
fn is_issuer(issuer: &str, (): &()) -> garde::Result {
    let is_web = issuer.starts_with("https://") || issuer.starts_with("http://");
    let is_plain = issuer
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'?' | b'#' | b'@' | b'\\'));
    if is_web && is_plain {
        return Ok(());
    }
    Err(garde::Error::new(
        "must be an https address without a query",
    ))
}

fn is_domain(domain: &str, (): &()) -> garde::Result {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let is_domain = domain.len() <= 253
        && domain.bytes().all(is_letter)
        && domain.split('.').all(|label| !label.is_empty());
    if is_domain && !domain.is_empty() {
        return Ok(());
    }
    Err(garde::Error::new("must be a domain such as `example.com`"))
}
