//! Deletions of projects and organizations, which take a while.
//!
//! `DELETE /projects/{project_id}`, `DELETE /organizations/{organization_id}`,
//! `GET /deletions/{deletion_id}`.

use actix_web::{
    HttpResponse, delete, get,
    http::header,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, JobId},
    indexing::DeletionRequest,
    store::{StoreError, entities::job, jobs, organizations, projects},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    index_runs::ProblemSummary,
    kinds,
    paths::{DeletionPath, OrganizationPath, ProjectPath},
};
use crate::{
    access::{Access, ManageOrganization, ManageProject},
    audit::Audit,
    authentication::principal::Principal,
    body::Params,
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(delete_project)
        .service(delete_organization)
        .service(get_deletion);
}

/// How far a deletion is.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeletionResponse {
    id: Uuid,
    /// `delete_project` or `delete_organization`.
    kind: String,
    organization_id: Uuid,
    project_id: Option<Uuid>,
    #[schema(inline, value_type = kinds::JobState)]
    state: String,
    /// Repositories of a project, or projects of an organization.
    steps_total: i64,
    steps_done: i64,
    error: Option<ProblemSummary>,
    created_at: DateTime<Utc>,
    finished_at: Option<DateTime<Utc>>,
}

/// What may go along with a project.
#[derive(Debug, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DeleteProjectQuery {
    /// Delete its repositories, too. Without it a project that has any is refused.
    #[serde(default)]
    #[garde(skip)]
    with_repositories: bool,
}

/// What may go along with an organization.
#[derive(Debug, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DeleteOrganizationQuery {
    /// Delete its repositories and end the memberships of others, too. Without it an organization
    /// that has any of these is refused.
    #[serde(default)]
    #[garde(skip)]
    with_contents: bool,
}

/// Deletes a project with everything in it. It is missing for everybody at once; the deletion says
/// how far its data is removed.
#[utoipa::path(tag = "projects", operation_id = "delete_project",
    params(ProjectPath, DeleteProjectQuery),
    responses((status = 202, body = DeletionResponse)))]
#[delete("/projects/{project_id}")]
pub async fn delete_project(
    state: Data<AppState>,
    access: Access<ManageProject>,
    audit: Audit,
    query: Params<DeleteProjectQuery>,
) -> Result<HttpResponse, ApiError> {
    let (organization, project) = (access.organization_id(), access.project_id()?);
    let request = DeletionRequest {
        requested_by: access.principal.user.id,
        with_contents: query.0.with_repositories,
    };
    let indexing = &state.services.indexing;
    let transaction = state.database().begin().await?;
    let found = projects::find(&transaction, access.scope().read(), project).await?;
    let requested = indexing
        .project_deletion_within(&transaction, organization, project, request)
        .await?;
    let event = AuditEvent::new("project.delete")
        .within(organization)
        .object("project", project)
        .named(&found.name)
        .detail("repositories", found.repositories);
    audit.record(&transaction, event).await?;
    let deletion = jobs::find(&transaction, requested.value).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    indexing.announce(requested).await;
    Ok(accepted(deletion))
}

/// Deletes an organization with everything in it. It is missing for everybody at once; the deletion
/// says how far its data is removed.
#[utoipa::path(tag = "organizations", operation_id = "delete_organization",
    params(OrganizationPath, DeleteOrganizationQuery),
    responses((status = 202, body = DeletionResponse)))]
#[delete("/organizations/{organization_id}")]
pub async fn delete_organization(
    state: Data<AppState>,
    access: Access<ManageOrganization>,
    audit: Audit,
    query: Params<DeleteOrganizationQuery>,
) -> Result<HttpResponse, ApiError> {
    let (organization, person) = (access.organization_id(), access.principal.user.id);
    let request = DeletionRequest {
        requested_by: person,
        with_contents: query.0.with_contents,
    };
    let indexing = &state.services.indexing;
    let transaction = state.database().begin().await?;
    let found = organizations::find(&transaction, person, organization).await?;
    let requested = indexing
        .organization_deletion_within(&transaction, organization, request)
        .await?;
    let event = AuditEvent::new("organization.delete")
        .within(organization)
        .object("organization", organization)
        .named(&found.name);
    audit.record(&transaction, event).await?;
    let deletion = jobs::find(&transaction, requested.value).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    indexing.announce(requested).await;
    Ok(accepted(deletion))
}

/// Says how far a deletion is. For the person who asked for it, and for instance administrators.
#[utoipa::path(tag = "operations", operation_id = "get_deletion", params(DeletionPath),
    responses((status = 200, body = DeletionResponse)))]
#[get("/deletions/{deletion_id}")]
pub async fn get_deletion(
    state: Data<AppState>,
    principal: Principal,
    path: Path<DeletionPath>,
) -> Result<Json<DeletionResponse>, ApiError> {
    let sees_all = principal.require_instance_administrator().is_ok();
    let person = (!sees_all).then_some(principal.user.id);
    let db = state.database().reader();
    let found = jobs::find_deletion(db, JobId(path.deletion_id), person).await?;
    Ok(Json(found.into()))
}

fn accepted(deletion: job::Model) -> HttpResponse {
    let location = format!("/api/v1/deletions/{}", deletion.id);
    HttpResponse::Accepted()
        .insert_header((header::LOCATION, location))
        .json(DeletionResponse::from(deletion))
}

impl From<job::Model> for DeletionResponse {
    fn from(row: job::Model) -> Self {
        Self {
            id: row.id,
            kind: row.kind,
            organization_id: row.organization_id,
            project_id: row.project_id,
            state: row.state,
            steps_total: row.steps_total.unwrap_or_default(),
            steps_done: row.steps_done.unwrap_or_default(),
            error: ProblemSummary::from_columns(row.error_code, row.error_message),
            created_at: row.created_at,
            finished_at: row.finished_at,
        }
    }
}
