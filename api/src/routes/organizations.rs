//! Organizations.
//!
//! `GET|POST /organizations`, `GET|PATCH /organizations/{organization_id}`.

use actix_web::{HttpResponse, get, patch, post, web::Data, web::Json};
use chrono::{DateTime, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, OrganizationRole},
    store::{StoreError, organizations},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    kinds,
    list::{List, ListQuery},
    paths::OrganizationPath,
};
use crate::{
    access::{Access, ManageOrganization, ReadOrganization},
    audit::Audit,
    authentication::principal::{Caller, Principal},
    body::{Body, Params},
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_organizations)
        .service(create_organization)
        .service(get_organization)
        .service(change_organization);
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OrganizationResponse {
    id: Uuid,
    name: String,
    slug: String,
    /// The caller's role.
    #[schema(value_type = kinds::OrganizationRole)]
    role: OrganizationRole,
    created_at: DateTime<Utc>,
}

/// A name to give.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct NameRequest {
    /// Shown name; a short name for addresses is made from it.
    #[schema(min_length = 1, max_length = 100)]
    #[garde(length(chars, min = 1, max = 100), custom(is_name))]
    pub name: String,
}

/// A name that can be seen.
pub fn is_name(name: &str, (): &()) -> garde::Result {
    if name.trim().is_empty() {
        return Err(garde::Error::new("must not be blank"));
    }
    if name.chars().any(char::is_control) {
        return Err(garde::Error::new("must not hold control characters"));
    }
    Ok(())
}

/// Lists the organizations that the person belongs to.
#[utoipa::path(tag = "organizations", operation_id = "list_organizations", params(ListQuery),
    responses((status = 200, body = List<OrganizationResponse>)))]
#[get("/organizations")]
pub async fn list_organizations(
    state: Data<AppState>,
    Caller(principal): Caller,
    query: Params<ListQuery>,
) -> Result<Json<List<OrganizationResponse>>, ApiError> {
    let page = query.0.page()?;
    let mut found = organizations::list(state.database().reader(), principal.user.id, page).await?;
    found.items.retain(|found| principal.reaches(found.id));
    Ok(Json(List::from_page(found)))
}

/// Creates an organization, owned by the caller. For instance administrators.
#[utoipa::path(tag = "organizations", operation_id = "create_organization",
    request_body = NameRequest, responses((status = 201, body = OrganizationResponse)))]
#[post("/organizations")]
pub async fn create_organization(
    state: Data<AppState>,
    principal: Principal,
    audit: Audit,
    body: Body<NameRequest>,
) -> Result<HttpResponse, ApiError> {
    principal.require_instance_administrator()?;
    let NameRequest { name } = body.0;
    let transaction = state.database().begin().await?;
    let created = organizations::create(&transaction, principal.user.id, name.trim()).await?;
    let event = || {
        AuditEvent::new("organization.create")
            .object("organization", created.id)
            .named(&created.name)
    };
    // The organization's log begins with it; the instance's tells that there is one more.
    audit
        .record(&transaction, event().within(created.id))
        .await?;
    audit.record(&transaction, event()).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::Created().json(OrganizationResponse::from(created)))
}

/// Returns one organization.
#[utoipa::path(tag = "organizations", operation_id = "get_organization", params(OrganizationPath),
    responses((status = 200, body = OrganizationResponse)))]
#[get("/organizations/{organization_id}")]
pub async fn get_organization(
    state: Data<AppState>,
    access: Access<ReadOrganization>,
) -> Result<Json<OrganizationResponse>, ApiError> {
    let db = state.database().reader();
    let person = access.principal.user.id;
    let found = organizations::find(db, person, access.organization_id()).await?;
    Ok(Json(found.into()))
}

/// Renames an organization; its short name stays.
#[utoipa::path(tag = "organizations", operation_id = "change_organization",
    params(OrganizationPath), request_body = NameRequest,
    responses((status = 200, body = OrganizationResponse)))]
#[patch("/organizations/{organization_id}")]
pub async fn change_organization(
    state: Data<AppState>,
    access: Access<ManageOrganization>,
    audit: Audit,
    body: Body<NameRequest>,
) -> Result<Json<OrganizationResponse>, ApiError> {
    let NameRequest { name } = body.0;
    let (person, organization) = (access.principal.user.id, access.organization_id());
    let transaction = state.database().begin().await?;
    organizations::rename(&transaction, access.scope(), name.trim()).await?;
    let found = organizations::find(&transaction, person, organization).await?;
    let event = AuditEvent::new("organization.change")
        .within(organization)
        .object("organization", organization)
        .named(&found.name);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(found.into()))
}

impl From<organizations::Organization> for OrganizationResponse {
    fn from(organization: organizations::Organization) -> Self {
        Self {
            id: organization.id.0,
            name: organization.name,
            slug: organization.slug,
            role: organization.role,
            created_at: organization.created_at,
        }
    }
}
