//! API tokens: one's own, and those of an organization's members for its administrators.
//!
//! `GET|POST /organizations/{organization_id}/tokens`,
//! `DELETE /organizations/{organization_id}/tokens/{token_id}`, and for administrators
//! `GET /organizations/{organization_id}/member-tokens`,
//! `DELETE /organizations/{organization_id}/member-tokens/{token_id}`.
//!
//! Making and ending tokens takes a sign-in: a token never makes another one.

use std::collections::BTreeSet;

use actix_web::{
    HttpResponse, delete, get, post,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Duration, Utc};
use garde::Validate;
use ipnet::IpNet;
use quarry_shared::{
    domain::{ApiTokenId, AuditEvent, OrganizationScope, ProjectId, TokenScope, UserId},
    store::{
        StoreError,
        api_tokens::{self, ApiToken, NewApiToken},
        users::User,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    kinds,
    list::{List, ListQuery, MAX_CURSOR_BYTES, page},
    organizations::is_name,
    paths::{OrganizationPath, TokenPath},
};
use crate::{
    access::{Access, ManageMembers, ReadOrganization},
    audit::Audit,
    authentication::api_tokens as texts,
    body::{Body, Params},
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_tokens)
        .service(create_token)
        .service(revoke_token)
        .service(list_member_tokens)
        .service(revoke_member_token);
}

/// A token to make.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct CreateTokenRequest {
    /// What it is for.
    #[schema(min_length = 1, max_length = 100)]
    #[garde(length(chars, min = 1, max = 100), custom(is_name))]
    name: String,
    /// What it may be used for, never more than its owner may.
    #[schema(value_type = Vec<kinds::TokenScope>, min_items = 1, max_items = 4)]
    #[garde(length(min = 1, max = 4))]
    scopes: BTreeSet<TokenScope>,
    /// The projects it is good for; all that its owner reaches when absent.
    #[serde(default)]
    #[garde(inner(length(min = 1, max = 200)))]
    project_ids: Option<BTreeSet<Uuid>>,
    /// Networks from which it may be used, for example `10.0.0.0/8`; all when absent.
    #[serde(default)]
    #[garde(inner(length(min = 1, max = 50), inner(length(bytes, max = 60))))]
    addresses: Option<Vec<String>>,
    /// What answers may cost a day, in cents. Kept for answers, which are not offered yet.
    #[serde(default)]
    #[schema(minimum = 0)]
    #[garde(range(min = 0, max = 100_000_000))]
    daily_spend_limit_cents: Option<i64>,
    /// Days until it ends; 90 when absent, or the installation's limit when that is less.
    #[serde(default)]
    #[schema(minimum = 1)]
    #[garde(range(min = 1, max = 3650))]
    expires_in_days: Option<u32>,
}

/// A token without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApiTokenResponse {
    id: Uuid,
    organization_id: Uuid,
    /// Whose it is.
    user_id: Uuid,
    name: String,
    #[schema(value_type = Vec<kinds::TokenScope>)]
    scopes: BTreeSet<TokenScope>,
    project_ids: Option<BTreeSet<Uuid>>,
    addresses: Option<Vec<String>>,
    daily_spend_limit_cents: Option<i64>,
    created_by: Uuid,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    /// To the minute.
    last_used_at: Option<DateTime<Utc>>,
    revoked_at: Option<DateTime<Utc>>,
}

/// A new token. Its text is shown this one time.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CreatedToken)]
pub struct CreatedTokenResponse {
    #[serde(flatten)]
    details: ApiTokenResponse,
    /// For `Authorization: Bearer`. Matches `\bqry_[0-9A-Za-z]{71}\b`.
    token: String,
}

impl From<ApiToken> for ApiTokenResponse {
    fn from(token: ApiToken) -> Self {
        let ids = |ids: BTreeSet<ProjectId>| ids.into_iter().map(|id| id.0).collect();
        Self {
            id: token.id.0,
            organization_id: token.organization_id.0,
            user_id: token.user_id.0,
            name: token.name,
            scopes: token.scopes,
            project_ids: token.projects.map(ids),
            addresses: token.addresses,
            daily_spend_limit_cents: token.daily_spend_limit_cents,
            created_by: token.created_by.0,
            created_at: token.created_at,
            expires_at: token.expires_at,
            last_used_at: token.last_used_at,
            revoked_at: token.revoked_at,
        }
    }
}

/// Whose tokens.
#[derive(Debug, Default, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct MemberTokenQuery {
    /// Those of this member or service account alone.
    #[garde(skip)]
    user_id: Option<Uuid>,
    /// `next_cursor` of the page before.
    #[garde(length(bytes, max = MAX_CURSOR_BYTES))]
    cursor: Option<String>,
    /// Most items on the page.
    #[param(minimum = 1, maximum = 200)]
    #[garde(range(min = 1, max = 200))]
    limit: Option<u64>,
}

/// Lists the caller's tokens of an organization.
#[utoipa::path(tag = "tokens", operation_id = "list_tokens", params(OrganizationPath, ListQuery),
    responses((status = 200, body = List<ApiTokenResponse>)))]
#[get("/organizations/{organization_id}/tokens")]
pub async fn list_tokens(
    state: Data<AppState>,
    access: Access<ReadOrganization>,
    query: Params<ListQuery>,
) -> Result<Json<List<ApiTokenResponse>>, ApiError> {
    access.principal.require_sign_in()?;
    let (db, me) = (state.database().reader(), access.principal.user.id);
    let found = api_tokens::list(db, access.scope(), Some(me), query.0.page()?).await?;
    Ok(Json(List::from_page(found)))
}

/// Makes a token for the caller.
#[utoipa::path(tag = "tokens", operation_id = "create_token", params(OrganizationPath),
    request_body = CreateTokenRequest, responses((status = 201, body = CreatedTokenResponse)))]
#[post("/organizations/{organization_id}/tokens")]
pub async fn create_token(
    state: Data<AppState>,
    access: Access<ReadOrganization>,
    audit: Audit,
    body: Body<CreateTokenRequest>,
) -> Result<HttpResponse, ApiError> {
    access.principal.require_sign_in()?;
    let owner = &access.principal.user;
    create(&state, access.scope(), owner, &audit, body.0).await
}

/// Ends one of the caller's tokens.
#[utoipa::path(tag = "tokens", operation_id = "revoke_token", params(TokenPath),
    responses((status = 204)))]
#[delete("/organizations/{organization_id}/tokens/{token_id}")]
pub async fn revoke_token(
    state: Data<AppState>,
    access: Access<ReadOrganization>,
    audit: Audit,
    path: Path<TokenPath>,
) -> Result<HttpResponse, ApiError> {
    access.principal.require_sign_in()?;
    let me = access.principal.user.id;
    revoke(&state, access.scope(), Some(me), path.token_id, &audit).await
}

/// Lists the tokens of an organization's members and service accounts.
#[utoipa::path(tag = "tokens", operation_id = "list_member_tokens",
    params(OrganizationPath, MemberTokenQuery),
    responses((status = 200, body = List<ApiTokenResponse>)))]
#[get("/organizations/{organization_id}/member-tokens")]
pub async fn list_member_tokens(
    state: Data<AppState>,
    access: Access<ManageMembers>,
    query: Params<MemberTokenQuery>,
) -> Result<Json<List<ApiTokenResponse>>, ApiError> {
    let member = query.0.user_id.map(UserId);
    let page = page::<ApiTokenId>(query.0.cursor.as_deref(), query.0.limit)?;
    let db = state.database().reader();
    let found = api_tokens::list(db, access.scope(), member, page).await?;
    Ok(Json(List::from_page(found)))
}

/// Ends a token of a member or service account.
#[utoipa::path(tag = "tokens", operation_id = "revoke_member_token", params(TokenPath),
    responses((status = 204)))]
#[delete("/organizations/{organization_id}/member-tokens/{token_id}")]
pub async fn revoke_member_token(
    state: Data<AppState>,
    access: Access<ManageMembers>,
    audit: Audit,
    path: Path<TokenPath>,
) -> Result<HttpResponse, ApiError> {
    access.principal.require_sign_in()?;
    revoke(&state, access.scope(), None, path.token_id, &audit).await
}

/// Makes a token for somebody, with the event of it.
pub(super) async fn create(
    state: &AppState,
    scope: &OrganizationScope,
    owner: &User,
    audit: &Audit,
    request: CreateTokenRequest,
) -> Result<HttpResponse, ApiError> {
    let CreateTokenRequest {
        name,
        scopes,
        project_ids,
        addresses,
        daily_spend_limit_cents,
        expires_in_days,
    } = request;
    let limits = &state.settings.tokens;
    let days = expires_in_days.unwrap_or_else(|| limits.max_days.min(DEFAULT_DAYS));
    if days > limits.max_days {
        let detail = format!("must be at most {} here", limits.max_days);
        return Err(ApiError::invalid("/expires_in_days", detail));
    }
    let projects: Option<BTreeSet<ProjectId>> =
        project_ids.map(|ids| ids.into_iter().map(ProjectId).collect());
    let is_foreign = |id: &ProjectId| !scope.projects().allows(*id);
    if projects
        .as_ref()
        .is_some_and(|ids| ids.iter().any(is_foreign))
    {
        return Err(ApiError::not_found("project"));
    }
    let (secret, secret_hash) = texts::generate_secret();
    let new = NewApiToken {
        user_id: owner.id,
        name: name.trim().to_owned(),
        secret_hash,
        scopes,
        projects,
        addresses: addresses.map(networks).transpose()?,
        daily_spend_limit_cents,
        expires_at: Utc::now() + Duration::days(i64::from(days)),
    };
    let transaction = state.database().begin().await?;
    let token = api_tokens::create(&transaction, scope, new, limits.max_per_member).await?;
    let scopes: Vec<&str> = token.scopes.iter().map(|scope| scope.as_str()).collect();
    let event = event("token.create", &token)
        .detail("scopes", scopes)
        .detail("expires_at", token.expires_at.to_rfc3339());
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::Created().json(CreatedTokenResponse {
        token: texts::write(token.id, &secret),
        details: token.into(),
    }))
}

const DEFAULT_DAYS: u32 = 90;

/// One spelling per network; a single address is a network of one.
fn networks(texts: Vec<String>) -> Result<Vec<String>, ApiError> {
    let read = |(at, text): (usize, String)| {
        let address = || text.parse::<std::net::IpAddr>().ok().map(IpNet::from);
        let network = text.parse::<IpNet>().ok().or_else(address);
        let network = network.ok_or_else(|| {
            ApiError::invalid(
                format!("/addresses/{at}"),
                "is no network such as 10.0.0.0/8",
            )
        })?;
        Ok(network.trunc().to_string())
    };
    texts.into_iter().enumerate().map(read).collect()
}

async fn revoke(
    state: &AppState,
    scope: &OrganizationScope,
    member: Option<UserId>,
    id: Uuid,
    audit: &Audit,
) -> Result<HttpResponse, ApiError> {
    let transaction = state.database().begin().await?;
    let token = api_tokens::revoke(&transaction, scope, member, ApiTokenId(id)).await?;
    audit
        .record(&transaction, event("token.revoke", &token))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

fn event(action: &'static str, token: &ApiToken) -> AuditEvent {
    AuditEvent::new(action)
        .within(token.organization_id)
        .object("token", token.id)
        .named(&token.name)
        .detail("user_id", token.user_id.to_string())
}
