//! Who reaches a project by name, and the teams that share it.
//!
//! `GET /projects/{project_id}/members`, `PUT|DELETE /projects/{project_id}/members/{user_id}`,
//! `GET /projects/{project_id}/teams`, `PUT|DELETE /projects/{project_id}/teams/{team_id}`.

use actix_web::{
    HttpResponse, delete, get, put,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, ProjectRole, TeamId, UserId},
    store::{
        StoreError,
        project_members::{self, ProjectMember, ProjectTeam},
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    kinds,
    list::{List, ListQuery},
    paths::{ProjectMemberPath, ProjectPath, ProjectTeamPath},
};
use crate::{
    access::{Access, ManageProject, ReadProject},
    audit::Audit,
    body::{Body, Params},
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_project_members)
        .service(set_project_member)
        .service(remove_project_member)
        .service(list_project_teams)
        .service(set_project_team)
        .service(remove_project_team);
}

/// Somebody with a role of their own in a project.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectMemberResponse {
    user_id: Uuid,
    name: String,
    email: String,
    #[schema(value_type = kinds::ProjectRole)]
    role: ProjectRole,
    added_at: DateTime<Utc>,
}

/// A team that a project is shared with.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectTeamResponse {
    team_id: Uuid,
    name: String,
    #[schema(value_type = kinds::ProjectRole)]
    role: ProjectRole,
    shared_at: DateTime<Utc>,
}

/// A role in a project.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ProjectRoleRequest {
    #[schema(value_type = kinds::ProjectRole)]
    #[garde(skip)]
    role: ProjectRole,
}

/// Lists those who have a role of their own in the project. Others may reach it by a team, by its
/// visibility, or by their role in the organization.
#[utoipa::path(tag = "projects", operation_id = "list_project_members",
    params(ProjectPath, ListQuery),
    responses((status = 200, body = List<ProjectMemberResponse>)))]
#[get("/projects/{project_id}/members")]
pub async fn list_project_members(
    state: Data<AppState>,
    access: Access<ReadProject>,
    query: Params<ListQuery>,
) -> Result<Json<List<ProjectMemberResponse>>, ApiError> {
    let (db, page) = (state.database().reader(), query.0.page()?);
    let found = project_members::list(db, access.scope(), access.project_id()?, page).await?;
    Ok(Json(List::from_page(found)))
}

/// Gives a member of the organization a role in the project.
#[utoipa::path(tag = "projects", operation_id = "set_project_member", params(ProjectMemberPath),
    request_body = ProjectRoleRequest, responses((status = 204)))]
#[put("/projects/{project_id}/members/{user_id}")]
pub async fn set_project_member(
    state: Data<AppState>,
    access: Access<ManageProject>,
    audit: Audit,
    path: Path<ProjectMemberPath>,
    body: Body<ProjectRoleRequest>,
) -> Result<HttpResponse, ApiError> {
    let ProjectRoleRequest { role } = body.0;
    let (project, member) = (access.project_id()?, UserId(path.user_id));
    let transaction = state.database().begin().await?;
    project_members::set(&transaction, access.scope(), project, member, role).await?;
    let event = event("project.set_member", &access)?.detail("user_id", member.to_string());
    audit
        .record(&transaction, event.detail("role", role.as_str()))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Takes somebody's own role in the project away.
#[utoipa::path(tag = "projects", operation_id = "remove_project_member",
    params(ProjectMemberPath), responses((status = 204)))]
#[delete("/projects/{project_id}/members/{user_id}")]
pub async fn remove_project_member(
    state: Data<AppState>,
    access: Access<ManageProject>,
    audit: Audit,
    path: Path<ProjectMemberPath>,
) -> Result<HttpResponse, ApiError> {
    let (project, member) = (access.project_id()?, UserId(path.user_id));
    let transaction = state.database().begin().await?;
    project_members::remove(&transaction, access.scope(), project, member).await?;
    let event = event("project.remove_member", &access)?.detail("user_id", member.to_string());
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Lists the teams that the project is shared with.
#[utoipa::path(tag = "projects", operation_id = "list_project_teams",
    params(ProjectPath, ListQuery),
    responses((status = 200, body = List<ProjectTeamResponse>)))]
#[get("/projects/{project_id}/teams")]
pub async fn list_project_teams(
    state: Data<AppState>,
    access: Access<ReadProject>,
    query: Params<ListQuery>,
) -> Result<Json<List<ProjectTeamResponse>>, ApiError> {
    let (db, page) = (state.database().reader(), query.0.page()?);
    let found = project_members::list_teams(db, access.scope(), access.project_id()?, page).await?;
    Ok(Json(List::from_page(found)))
}

/// Shares the project with a team of its organization.
#[utoipa::path(tag = "projects", operation_id = "set_project_team", params(ProjectTeamPath),
    request_body = ProjectRoleRequest, responses((status = 204)))]
#[put("/projects/{project_id}/teams/{team_id}")]
pub async fn set_project_team(
    state: Data<AppState>,
    access: Access<ManageProject>,
    audit: Audit,
    path: Path<ProjectTeamPath>,
    body: Body<ProjectRoleRequest>,
) -> Result<HttpResponse, ApiError> {
    let ProjectRoleRequest { role } = body.0;
    let (project, team) = (access.project_id()?, TeamId(path.team_id));
    let transaction = state.database().begin().await?;
    project_members::set_team(&transaction, access.scope(), project, team, role).await?;
    let event = event("project.share", &access)?.detail("team_id", team.to_string());
    audit
        .record(&transaction, event.detail("role", role.as_str()))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Ends a share.
#[utoipa::path(tag = "projects", operation_id = "remove_project_team", params(ProjectTeamPath),
    responses((status = 204)))]
#[delete("/projects/{project_id}/teams/{team_id}")]
pub async fn remove_project_team(
    state: Data<AppState>,
    access: Access<ManageProject>,
    audit: Audit,
    path: Path<ProjectTeamPath>,
) -> Result<HttpResponse, ApiError> {
    let (project, team) = (access.project_id()?, TeamId(path.team_id));
    let transaction = state.database().begin().await?;
    project_members::remove_team(&transaction, access.scope(), project, team).await?;
    let event = event("project.unshare", &access)?.detail("team_id", team.to_string());
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

fn event(action: &'static str, access: &Access<ManageProject>) -> Result<AuditEvent, ApiError> {
    Ok(AuditEvent::new(action)
        .within(access.organization_id())
        .object("project", access.project_id()?))
}

impl From<ProjectMember> for ProjectMemberResponse {
    fn from(member: ProjectMember) -> Self {
        Self {
            user_id: member.user_id.0,
            name: member.name,
            email: member.email,
            role: member.role,
            added_at: member.added_at,
        }
    }
}

impl From<ProjectTeam> for ProjectTeamResponse {
    fn from(team: ProjectTeam) -> Self {
        Self {
            team_id: team.team_id.0,
            name: team.name,
            role: team.role,
            shared_at: team.shared_at,
        }
    }
}
