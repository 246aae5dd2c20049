//! Accounts of services: members that cannot sign in and use API tokens alone.
//!
//! `GET|POST /organizations/{organization_id}/service-accounts`,
//! `DELETE …/service-accounts/{user_id}`, `POST …/service-accounts/{user_id}/tokens`. What they may
//! do is decided like for anybody: by visibility, project membership and teams.

use actix_web::{
    HttpResponse, delete, get, post,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use quarry_shared::{
    domain::{AuditEvent, OrganizationId, UserId},
    store::{StoreError, service_accounts, users::User},
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    list::{List, ListQuery},
    organizations::NameRequest,
    paths::{OrganizationPath, ServiceAccountPath},
    tokens::{self, CreateTokenRequest, CreatedTokenResponse},
};
use crate::{
    access::{Access, ManageServiceAccounts},
    audit::Audit,
    body::{Body, Params},
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_service_accounts)
        .service(create_service_account)
        .service(delete_service_account)
        .service(create_service_account_token);
}

/// A service's account.
#[derive(Debug, Serialize, ToSchema)]
pub struct ServiceAccountResponse {
    /// Its id as a member of the organization and of projects.
    id: Uuid,
    name: String,
    created_at: DateTime<Utc>,
}

impl From<User> for ServiceAccountResponse {
    fn from(user: User) -> Self {
        Self {
            id: user.id.0,
            name: user.name,
            created_at: user.created_at,
        }
    }
}

/// Lists the service accounts of an organization.
#[utoipa::path(tag = "tokens", operation_id = "list_service_accounts",
    params(OrganizationPath, ListQuery),
    responses((status = 200, body = List<ServiceAccountResponse>)))]
#[get("/organizations/{organization_id}/service-accounts")]
pub async fn list_service_accounts(
    state: Data<AppState>,
    access: Access<ManageServiceAccounts>,
    query: Params<ListQuery>,
) -> Result<Json<List<ServiceAccountResponse>>, ApiError> {
    let db = state.database().reader();
    let found = service_accounts::list(db, access.scope(), query.0.page()?).await?;
    Ok(Json(List::from_page(found)))
}

/// Creates a service account.
#[utoipa::path(tag = "tokens", operation_id = "create_service_account",
    params(OrganizationPath), request_body = NameRequest,
    responses((status = 201, body = ServiceAccountResponse)))]
#[post("/organizations/{organization_id}/service-accounts")]
pub async fn create_service_account(
    state: Data<AppState>,
    access: Access<ManageServiceAccounts>,
    audit: Audit,
    body: Body<NameRequest>,
) -> Result<HttpResponse, ApiError> {
    access.principal.require_sign_in()?;
    let NameRequest { name } = body.0;
    let transaction = state.database().begin().await?;
    let created = service_accounts::create(&transaction, access.scope(), name.trim()).await?;
    let event = event("service_account.create", access.organization_id(), &created);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::Created().json(ServiceAccountResponse::from(created)))
}

/// Deletes a service account with its tokens.
#[utoipa::path(tag = "tokens", operation_id = "delete_service_account",
    params(ServiceAccountPath), responses((status = 204)))]
#[delete("/organizations/{organization_id}/service-accounts/{user_id}")]
pub async fn delete_service_account(
    state: Data<AppState>,
    access: Access<ManageServiceAccounts>,
    audit: Audit,
    path: Path<ServiceAccountPath>,
) -> Result<HttpResponse, ApiError> {
    access.principal.require_sign_in()?;
    let id = UserId(path.user_id);
    let transaction = state.database().begin().await?;
    let deleted = service_accounts::delete(&transaction, access.scope(), id).await?;
    let event = event("service_account.delete", access.organization_id(), &deleted);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Makes a token for a service account.
#[utoipa::path(tag = "tokens", operation_id = "create_service_account_token",
    params(ServiceAccountPath), request_body = CreateTokenRequest,
    responses((status = 201, body = CreatedTokenResponse)))]
#[post("/organizations/{organization_id}/service-accounts/{user_id}/tokens")]
pub async fn create_service_account_token(
    state: Data<AppState>,
    access: Access<ManageServiceAccounts>,
    audit: Audit,
    path: Path<ServiceAccountPath>,
    body: Body<CreateTokenRequest>,
) -> Result<HttpResponse, ApiError> {
    access.principal.require_sign_in()?;
    let db = state.database().reader();
    let owner = service_accounts::find(db, access.scope(), UserId(path.user_id)).await?;
    tokens::create(&state, access.scope(), &owner, &audit, body.0).await
}

fn event(action: &'static str, organization: OrganizationId, account: &User) -> AuditEvent {
    AuditEvent::new(action)
        .within(organization)
        .object("service_account", account.id)
        .named(&account.name)
}
