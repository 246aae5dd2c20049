//! Projects: groups of repositories.
//!
//! `GET|POST /organizations/{organization_id}/projects`, `GET|PATCH /projects/{project_id}`.

use actix_web::{HttpResponse, get, patch, post, web::Data, web::Json};
use chrono::{DateTime, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, Visibility},
    store::{StoreError, projects},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    kinds,
    list::{List, ListQuery},
    organizations::is_name,
    paths::{OrganizationPath, ProjectPath},
};
use crate::{
    access::{Access, CreateProject, ManageProject, ReadProject},
    audit::Audit,
    body::{Body, Params},
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_projects)
        .service(create_project)
        .service(get_project)
        .service(change_project);
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectResponse {
    id: Uuid,
    organization_id: Uuid,
    name: String,
    slug: String,
    #[schema(value_type = kinds::Visibility)]
    visibility: Visibility,
    /// How many repositories it has.
    repositories: u64,
    created_at: DateTime<Utc>,
}

/// A new project.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct CreateProjectRequest {
    /// Shown name; a short name for addresses is made from it.
    #[schema(min_length = 1, max_length = 100)]
    #[garde(length(chars, min = 1, max = 100), custom(is_name))]
    name: String,
    /// Who reads it without being named; the whole organization when absent.
    #[serde(default)]
    #[schema(value_type = Option<kinds::Visibility>)]
    #[garde(skip)]
    visibility: Option<Visibility>,
}

/// What is to change about a project; what is absent stays.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ChangeProjectRequest {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    #[garde(length(chars, min = 1, max = 100), inner(custom(is_name)))]
    name: Option<String>,
    /// Who reads it without being named.
    #[serde(default)]
    #[schema(value_type = Option<kinds::Visibility>)]
    #[garde(skip)]
    visibility: Option<Visibility>,
}

/// Lists the projects of an organization that exist for the caller.
#[utoipa::path(tag = "projects", operation_id = "list_projects",
    params(OrganizationPath, ListQuery),
    responses((status = 200, body = List<ProjectResponse>)))]
#[get("/organizations/{organization_id}/projects")]
pub async fn list_projects(
    state: Data<AppState>,
    access: Access<ReadProject>,
    query: Params<ListQuery>,
) -> Result<Json<List<ProjectResponse>>, ApiError> {
    let page = query.0.page()?;
    let found = projects::list(state.database().reader(), access.scope(), page).await?;
    Ok(Json(List::from_page(found)))
}

/// Creates a project.
#[utoipa::path(tag = "projects", operation_id = "create_project", params(OrganizationPath),
    request_body = CreateProjectRequest, responses((status = 201, body = ProjectResponse)))]
#[post("/organizations/{organization_id}/projects")]
pub async fn create_project(
    state: Data<AppState>,
    access: Access<CreateProject>,
    audit: Audit,
    body: Body<CreateProjectRequest>,
) -> Result<HttpResponse, ApiError> {
    let CreateProjectRequest { name, visibility } = body.0;
    let transaction = state.database().begin().await?;
    let visibility = visibility.unwrap_or(Visibility::Organization);
    let created = projects::create(&transaction, access.scope(), name.trim(), visibility).await?;
    let event = AuditEvent::new("project.create")
        .within(access.organization_id())
        .object("project", created.id)
        .named(&created.name)
        .detail("visibility", visibility.as_str());
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::Created().json(ProjectResponse::from(created)))
}

/// Returns one project.
#[utoipa::path(tag = "projects", operation_id = "get_project", params(ProjectPath),
    responses((status = 200, body = ProjectResponse)))]
#[get("/projects/{project_id}")]
pub async fn get_project(
    state: Data<AppState>,
    access: Access<ReadProject>,
) -> Result<Json<ProjectResponse>, ApiError> {
    let db = state.database().reader();
    let found = projects::find(db, access.scope(), access.project_id()?).await?;
    Ok(Json(found.into()))
}

/// Renames a project or changes its visibility; its short name stays.
#[utoipa::path(tag = "projects", operation_id = "change_project", params(ProjectPath),
    request_body = ChangeProjectRequest, responses((status = 200, body = ProjectResponse)))]
#[patch("/projects/{project_id}")]
pub async fn change_project(
    state: Data<AppState>,
    access: Access<ManageProject>,
    audit: Audit,
    body: Body<ChangeProjectRequest>,
) -> Result<Json<ProjectResponse>, ApiError> {
    let ChangeProjectRequest { name, visibility } = body.0;
    let (name, project) = (name.as_deref().map(str::trim), access.project_id()?);
    let transaction = state.database().begin().await?;
    projects::change(&transaction, access.scope(), project, name, visibility).await?;
    let found = projects::find(&transaction, access.scope().read(), project).await?;
    let event = AuditEvent::new("project.change")
        .within(access.organization_id())
        .object("project", project)
        .named(&found.name)
        .detail("visibility", found.visibility.as_str());
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(found.into()))
}

impl From<projects::Project> for ProjectResponse {
    fn from(project: projects::Project) -> Self {
        Self {
            id: project.id.0,
            organization_id: project.organization_id.0,
            name: project.name,
            slug: project.slug,
            visibility: project.visibility,
            repositories: project.repositories,
            created_at: project.created_at,
        }
    }
}
