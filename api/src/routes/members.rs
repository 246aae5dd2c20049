//! Who belongs to an organization, and as what.
//!
//! `GET /organizations/{organization_id}/members`,
//! `PATCH|DELETE /organizations/{organization_id}/members/{user_id}`,
//! `POST /organizations/{organization_id}/leave`.

use actix_web::{
    HttpResponse, delete, get, patch, post,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, OrganizationId, OrganizationRole, UserId},
    store::{
        StoreError,
        members::{self, Member},
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    kinds,
    list::{List, ListQuery},
    paths::{MemberPath, OrganizationPath},
};
use crate::{
    access::{Access, LeaveOrganization, ManageMembers, ReadOrganization},
    audit::Audit,
    body::{Body, Params},
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_members)
        .service(change_member)
        .service(remove_member)
        .service(leave_organization);
}

/// Somebody who belongs to an organization.
#[derive(Debug, Serialize, ToSchema)]
pub struct MemberResponse {
    user_id: Uuid,
    name: String,
    email: String,
    #[schema(value_type = kinds::OrganizationRole)]
    role: OrganizationRole,
    /// Whether the account can be used.
    is_active: bool,
    joined_at: DateTime<Utc>,
}

/// Another role for a member.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ChangeMemberRequest {
    #[schema(value_type = kinds::OrganizationRole)]
    #[garde(skip)]
    role: OrganizationRole,
}

/// Lists the members of an organization.
#[utoipa::path(tag = "members", operation_id = "list_members",
    params(OrganizationPath, ListQuery), responses((status = 200, body = List<MemberResponse>)))]
#[get("/organizations/{organization_id}/members")]
pub async fn list_members(
    state: Data<AppState>,
    access: Access<ReadOrganization>,
    query: Params<ListQuery>,
) -> Result<Json<List<MemberResponse>>, ApiError> {
    let page = query.0.page()?;
    let found = members::list(state.database().reader(), access.scope(), page).await?;
    Ok(Json(List::from_page(found)))
}

/// Gives a member another role. Only owners make and unmake owners, and one of them stays.
#[utoipa::path(tag = "members", operation_id = "change_member", params(MemberPath),
    request_body = ChangeMemberRequest, responses((status = 200, body = MemberResponse)))]
#[patch("/organizations/{organization_id}/members/{user_id}")]
pub async fn change_member(
    state: Data<AppState>,
    access: Access<ManageMembers>,
    audit: Audit,
    path: Path<MemberPath>,
    body: Body<ChangeMemberRequest>,
) -> Result<Json<MemberResponse>, ApiError> {
    let ChangeMemberRequest { role } = body.0;
    let member = UserId(path.user_id);
    let transaction = state.database().begin().await?;
    let changed = members::set_role(&transaction, access.scope(), member, role).await?;
    let event = event("member.change", access.organization_id(), &changed);
    audit
        .record(&transaction, event.detail("role", role.as_str()))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(changed.into()))
}

/// Removes a member, with the person's roles in the organization's projects and teams.
#[utoipa::path(tag = "members", operation_id = "remove_member", params(MemberPath),
    responses((status = 204)))]
#[delete("/organizations/{organization_id}/members/{user_id}")]
pub async fn remove_member(
    state: Data<AppState>,
    access: Access<ManageMembers>,
    audit: Audit,
    path: Path<MemberPath>,
) -> Result<HttpResponse, ApiError> {
    let transaction = state.database().begin().await?;
    let removed = members::remove(&transaction, access.scope(), UserId(path.user_id)).await?;
    let event = event("member.remove", access.organization_id(), &removed);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Leaves an organization. The last owner cannot.
#[utoipa::path(tag = "members", operation_id = "leave_organization", params(OrganizationPath),
    responses((status = 204)))]
#[post("/organizations/{organization_id}/leave")]
pub async fn leave_organization(
    state: Data<AppState>,
    access: Access<LeaveOrganization>,
    audit: Audit,
) -> Result<HttpResponse, ApiError> {
    let caller = access.principal.user.id;
    let transaction = state.database().begin().await?;
    let left = members::remove(&transaction, access.scope(), caller).await?;
    let event = event("member.leave", access.organization_id(), &left);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

fn event(action: &'static str, organization: OrganizationId, member: &Member) -> AuditEvent {
    AuditEvent::new(action)
        .within(organization)
        .object("user", member.user_id)
        .named(&member.email)
}

impl From<Member> for MemberResponse {
    fn from(member: Member) -> Self {
        Self {
            user_id: member.user_id.0,
            name: member.name,
            email: member.email,
            role: member.role,
            is_active: member.is_active,
            joined_at: member.joined_at,
        }
    }
}
