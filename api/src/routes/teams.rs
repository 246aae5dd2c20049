//! Teams: groups of members that projects are shared with.
//!
//! `GET|POST /organizations/{organization_id}/teams`, `GET|PATCH|DELETE /teams/{team_id}`,
//! `GET /teams/{team_id}/members`, `PUT|DELETE /teams/{team_id}/members/{user_id}`,
//! `GET /teams/{team_id}/projects`. What a team shares is given in `project_members`.

use actix_web::{
    HttpResponse, delete, get, patch, post, put,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use quarry_shared::{
    domain::{AuditEvent, ProjectRole, TeamId, UserId},
    store::{
        StoreError,
        teams::{self, Team, TeamMember, TeamProject},
    },
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    kinds,
    list::{List, ListQuery},
    organizations::NameRequest,
    paths::{OrganizationPath, TeamMemberPath, TeamPath},
};
use crate::{
    access::{Access, ManageTeams, ReadOrganization},
    audit::Audit,
    body::{Body, Params},
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_teams)
        .service(create_team)
        .service(get_team)
        .service(change_team)
        .service(delete_team)
        .service(list_team_members)
        .service(add_team_member)
        .service(remove_team_member)
        .service(list_team_projects);
}

/// A group of members.
#[derive(Debug, Serialize, ToSchema)]
pub struct TeamResponse {
    id: Uuid,
    organization_id: Uuid,
    name: String,
    slug: String,
    /// How many members it has.
    members: u64,
    created_at: DateTime<Utc>,
}

/// Somebody in a team.
#[derive(Debug, Serialize, ToSchema)]
pub struct TeamMemberResponse {
    user_id: Uuid,
    name: String,
    email: String,
    added_at: DateTime<Utc>,
}

/// A project that a team shares.
#[derive(Debug, Serialize, ToSchema)]
pub struct TeamProjectResponse {
    project_id: Uuid,
    name: String,
    #[schema(value_type = kinds::ProjectRole)]
    role: ProjectRole,
    shared_at: DateTime<Utc>,
}

/// Lists the teams of an organization.
#[utoipa::path(tag = "teams", operation_id = "list_teams", params(OrganizationPath, ListQuery),
    responses((status = 200, body = List<TeamResponse>)))]
#[get("/organizations/{organization_id}/teams")]
pub async fn list_teams(
    state: Data<AppState>,
    access: Access<ReadOrganization>,
    query: Params<ListQuery>,
) -> Result<Json<List<TeamResponse>>, ApiError> {
    let page = query.0.page()?;
    let found = teams::list(state.database().reader(), access.scope(), page).await?;
    Ok(Json(List::from_page(found)))
}

/// Creates a team without members.
#[utoipa::path(tag = "teams", operation_id = "create_team", params(OrganizationPath),
    request_body = NameRequest, responses((status = 201, body = TeamResponse)))]
#[post("/organizations/{organization_id}/teams")]
pub async fn create_team(
    state: Data<AppState>,
    access: Access<ManageTeams>,
    audit: Audit,
    body: Body<NameRequest>,
) -> Result<HttpResponse, ApiError> {
    let NameRequest { name } = body.0;
    let transaction = state.database().begin().await?;
    let created = teams::create(&transaction, access.scope(), name.trim()).await?;
    audit
        .record(&transaction, event("team.create", &created))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::Created().json(TeamResponse::from(created)))
}

/// Returns one team.
#[utoipa::path(tag = "teams", operation_id = "get_team", params(TeamPath),
    responses((status = 200, body = TeamResponse)))]
#[get("/teams/{team_id}")]
pub async fn get_team(
    state: Data<AppState>,
    access: Access<ReadOrganization>,
    path: Path<TeamPath>,
) -> Result<Json<TeamResponse>, ApiError> {
    let db = state.database().reader();
    let found = teams::find(db, access.scope(), TeamId(path.team_id)).await?;
    Ok(Json(found.into()))
}

/// Renames a team.
#[utoipa::path(tag = "teams", operation_id = "change_team", params(TeamPath),
    request_body = NameRequest, responses((status = 200, body = TeamResponse)))]
#[patch("/teams/{team_id}")]
pub async fn change_team(
    state: Data<AppState>,
    access: Access<ManageTeams>,
    audit: Audit,
    path: Path<TeamPath>,
    body: Body<NameRequest>,
) -> Result<Json<TeamResponse>, ApiError> {
    let NameRequest { name } = body.0;
    let team = TeamId(path.team_id);
    let transaction = state.database().begin().await?;
    teams::rename(&transaction, access.scope(), team, name.trim()).await?;
    let changed = teams::find(&transaction, access.scope(), team).await?;
    audit
        .record(&transaction, event("team.change", &changed))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(changed.into()))
}

/// Deletes a team; its members lose what it shared with them.
#[utoipa::path(tag = "teams", operation_id = "delete_team", params(TeamPath),
    responses((status = 204)))]
#[delete("/teams/{team_id}")]
pub async fn delete_team(
    state: Data<AppState>,
    access: Access<ManageTeams>,
    audit: Audit,
    path: Path<TeamPath>,
) -> Result<HttpResponse, ApiError> {
    let team = TeamId(path.team_id);
    let transaction = state.database().begin().await?;
    let deleted = teams::find(&transaction, access.scope(), team).await?;
    teams::delete(&transaction, access.scope(), team).await?;
    audit
        .record(&transaction, event("team.delete", &deleted))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Lists the members of a team.
#[utoipa::path(tag = "teams", operation_id = "list_team_members", params(TeamPath, ListQuery),
    responses((status = 200, body = List<TeamMemberResponse>)))]
#[get("/teams/{team_id}/members")]
pub async fn list_team_members(
    state: Data<AppState>,
    access: Access<ReadOrganization>,
    path: Path<TeamPath>,
    query: Params<ListQuery>,
) -> Result<Json<List<TeamMemberResponse>>, ApiError> {
    let (db, page) = (state.database().reader(), query.0.page()?);
    let found = teams::list_members(db, access.scope(), TeamId(path.team_id), page).await?;
    Ok(Json(List::from_page(found)))
}

/// Puts a member of the organization into a team.
#[utoipa::path(tag = "teams", operation_id = "add_team_member", params(TeamMemberPath),
    responses((status = 204)))]
#[put("/teams/{team_id}/members/{user_id}")]
pub async fn add_team_member(
    state: Data<AppState>,
    access: Access<ManageTeams>,
    audit: Audit,
    path: Path<TeamMemberPath>,
) -> Result<HttpResponse, ApiError> {
    let (team, member) = (TeamId(path.team_id), UserId(path.user_id));
    let transaction = state.database().begin().await?;
    let found = teams::add_member(&transaction, access.scope(), team, member).await?;
    let event = event("team.add_member", &found).detail("user_id", member.to_string());
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Takes somebody out of a team.
#[utoipa::path(tag = "teams", operation_id = "remove_team_member", params(TeamMemberPath),
    responses((status = 204)))]
#[delete("/teams/{team_id}/members/{user_id}")]
pub async fn remove_team_member(
    state: Data<AppState>,
    access: Access<ManageTeams>,
    audit: Audit,
    path: Path<TeamMemberPath>,
) -> Result<HttpResponse, ApiError> {
    let (team, member) = (TeamId(path.team_id), UserId(path.user_id));
    let transaction = state.database().begin().await?;
    let found = teams::find(&transaction, access.scope(), team).await?;
    teams::remove_member(&transaction, access.scope(), team, member).await?;
    let event = event("team.remove_member", &found).detail("user_id", member.to_string());
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Lists the projects that a team shares, as far as they exist for the caller.
#[utoipa::path(tag = "teams", operation_id = "list_team_projects", params(TeamPath, ListQuery),
    responses((status = 200, body = List<TeamProjectResponse>)))]
#[get("/teams/{team_id}/projects")]
pub async fn list_team_projects(
    state: Data<AppState>,
    access: Access<ReadOrganization>,
    path: Path<TeamPath>,
    query: Params<ListQuery>,
) -> Result<Json<List<TeamProjectResponse>>, ApiError> {
    let (db, page) = (state.database().reader(), query.0.page()?);
    let found = teams::list_projects(db, access.scope(), TeamId(path.team_id), page).await?;
    Ok(Json(List::from_page(found)))
}

fn event(action: &'static str, team: &Team) -> AuditEvent {
    AuditEvent::new(action)
        .within(team.organization_id)
        .object("team", team.id)
        .named(&team.name)
}

impl From<Team> for TeamResponse {
    fn from(team: Team) -> Self {
        Self {
            id: team.id.0,
            organization_id: team.organization_id.0,
            name: team.name,
            slug: team.slug,
            members: team.members,
            created_at: team.created_at,
        }
    }
}

impl From<TeamMember> for TeamMemberResponse {
    fn from(member: TeamMember) -> Self {
        Self {
            user_id: member.user_id,
            name: member.name,
            email: member.email,
            added_at: member.added_at,
        }
    }
}

impl From<TeamProject> for TeamProjectResponse {
    fn from(project: TeamProject) -> Self {
        Self {
            project_id: project.project_id.0,
            name: project.name,
            role: project.role,
            shared_at: project.shared_at,
        }
    }
}
