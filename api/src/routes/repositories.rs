//! Repositories: add, look at, remove.
//!
//! `GET|POST /projects/{project_id}/repositories`, `POST /projects/{project_id}/repositories/check`,
//! `GET|DELETE /repositories/{repository_id}`.

use std::collections::HashMap;

use actix_web::{
    HttpResponse, delete, get, post,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use garde::Validate;
use quarry_shared::{
    adapters::git::normalize_url,
    domain::{
        AuditEvent, ErrorKind, ReadScope, RepositoryId, RepositorySource as Source, RunTrigger,
        SnapshotId,
    },
    ports::{FetchRequest, GitCredential, GitSource, RemoteBranches},
    store::{
        StoreError, branches,
        credentials::{self, Credential},
        entities::repository,
        index_runs, quotas,
        repositories::{self, NewRepository},
        snapshots,
    },
};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    index_runs::{IndexRunResponse, ProblemSummary},
    kinds,
    list::{List, ListQuery},
    organizations::is_name,
    paths::{ProjectPath, RepositoryPath},
    snapshots::SnapshotSummary,
};
use crate::{
    access::{Access, ManageRepository, ReadProject},
    audit::Audit,
    body::{Body, Params},
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_repositories)
        .service(create_repository)
        .service(check_source)
        .service(get_repository)
        .service(delete_repository);
}

/// Where a repository comes from.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum RepositorySource {
    /// A remote over https, ssh, or http where that is allowed.
    Git {
        #[garde(length(bytes, min = 1, max = 2048))]
        url: String,
        #[serde(default)]
        #[garde(length(bytes, max = 255))]
        username: Option<String>,
        /// A password or access token. Stored sealed, never shown.
        #[serde(default)]
        #[garde(length(bytes, max = 4096))]
        password: Option<String>,
    },
    /// A Git directory on the server, below an allowed root.
    Local {
        #[garde(length(bytes, min = 1, max = 4096))]
        path: String,
    },
}

impl RepositorySource {
    /// The source as the Git adapter takes it, and the credential beside it.
    fn into_parts(self) -> Result<(Source, Option<Credential>), ApiError> {
        match self {
            Self::Local { path } => Ok((Source::Local { path }, None)),
            Self::Git {
                url,
                username,
                password,
            } => {
                let username = username.filter(|name| !name.is_empty());
                let credential = match password.filter(|password| !password.is_empty()) {
                    Some(password) => Some(Credential {
                        username,
                        password: SecretString::from(password),
                    }),
                    None if username.is_some() => {
                        return Err(ApiError::invalid(
                            "/source/password",
                            "is needed with a user name",
                        ));
                    }
                    None => None,
                };
                Ok((Source::Git { url }, credential))
            }
        }
    }
}

/// A source to look at.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct SourceCheckRequest {
    #[garde(dive)]
    source: RepositorySource,
}

/// A branch at the remote.
#[derive(Debug, Serialize, ToSchema)]
pub struct SourceBranch {
    name: String,
    commit: String,
}

/// What a source offers.
#[derive(Debug, Serialize, ToSchema)]
pub struct SourceCheckResponse {
    default_branch: Option<String>,
    branches: Vec<SourceBranch>,
    warning: Option<String>,
}

/// A new repository.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct CreateRepositoryRequest {
    /// Shown name; made from the source when it is absent.
    #[serde(default)]
    #[garde(length(chars, min = 1, max = 200), inner(custom(is_name)))]
    name: Option<String>,
    #[garde(dive)]
    source: RepositorySource,
    /// Branches to track; the default branch when empty.
    #[serde(default)]
    #[garde(length(max = 100), inner(length(bytes, min = 1, max = 255)))]
    branches: Vec<String>,
    /// Commits of history to fetch; all when absent.
    #[serde(default)]
    #[garde(range(min = 1, max = 1_000_000))]
    depth: Option<u32>,
}

/// Where a repository comes from, without its credentials.
#[derive(Debug, Serialize, ToSchema)]
pub struct RepositorySourceResponse {
    #[schema(inline, value_type = kinds::SourceKind)]
    kind: String,
    url: Option<String>,
    path: Option<String>,
    has_credentials: bool,
}

/// A repository with what is published and what happened last.
#[derive(Debug, Serialize, ToSchema)]
pub struct RepositoryResponse {
    id: Uuid,
    organization_id: Uuid,
    project_id: Uuid,
    name: String,
    source: RepositorySourceResponse,
    default_branch: Option<String>,
    #[schema(inline, value_type = kinds::RepositoryState)]
    state: String,
    warning: Option<String>,
    error: Option<ProblemSummary>,
    published: Option<SnapshotSummary>,
    latest_run: Option<IndexRunResponse>,
    created_at: DateTime<Utc>,
}

/// Lists the repositories of a project by name.
#[utoipa::path(tag = "repositories", operation_id = "list_repositories",
    params(ProjectPath, ListQuery), responses((status = 200, body = List<RepositoryResponse>)))]
#[get("/projects/{project_id}/repositories")]
pub async fn list_repositories(
    state: Data<AppState>,
    access: Access<ReadProject>,
    query: Params<ListQuery>,
) -> Result<Json<List<RepositoryResponse>>, ApiError> {
    let page = query.0.page::<NamePosition>()?;
    let after = page.after.map(|position| (position.name, position.id));
    let db = state.database().reader();
    let project = access.project_id()?;
    let rows = repositories::list(db, access.scope(), project, after, page.limit + 1).await?;
    let position = |row: &repository::Model| NamePosition {
        name: row.name.clone(),
        id: RepositoryId(row.id),
    };
    let rows = quarry_shared::store::Paged::from_rows(rows, page.limit, position);
    let ids: Vec<RepositoryId> = rows.items.iter().map(|row| RepositoryId(row.id)).collect();
    let runs = latest_runs(&state, access.scope(), &ids).await?;
    let items = respond(&state, access.scope(), rows.items, runs).await?;
    Ok(Json(List {
        items,
        next_cursor: rows.next.map(|next| super::list::write_cursor(&next)),
    }))
}

/// Adds a repository and queues its first index run.
#[utoipa::path(tag = "repositories", operation_id = "create_repository", params(ProjectPath),
    request_body = CreateRepositoryRequest, responses((status = 201, body = RepositoryResponse)))]
#[post("/projects/{project_id}/repositories")]
pub async fn create_repository(
    state: Data<AppState>,
    access: Access<ManageRepository>,
    audit: Audit,
    body: Body<CreateRepositoryRequest>,
) -> Result<HttpResponse, ApiError> {
    let CreateRepositoryRequest {
        name,
        source,
        branches,
        depth,
    } = body.0;
    let (source, credential) = source.into_parts()?;
    let organization = access.organization_id();
    let quotas = &state.settings.quotas;
    quotas::admit_repository(state.database().reader(), organization, quotas).await?;
    state.services.git.check(&source).await?;
    let credential = credential
        .map(|credential| credentials::seal(&state.services.keyring, organization, &credential))
        .transpose()?;
    let new = NewRepository {
        project_id: access.project_id()?,
        name: name.map_or_else(|| name_of(&source), |name| name.trim().to_owned()),
        location_key: location_key(&source)?,
        source,
        credential,
        depth,
        tracked_branches: branches,
    };
    let event = AuditEvent::new("repository.create")
        .within(organization)
        .named(&new.name)
        .detail("project_id", new.project_id.to_string());
    let indexing = &state.services.indexing;
    let transaction = state.database().begin().await?;
    let id = repositories::insert(&transaction, access.scope(), new).await?;
    let requested = indexing
        .index_within(&transaction, organization, id, None, RunTrigger::Added)
        .await?;
    let event = event.object("repository", id);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    indexing.announce(requested).await;
    let scope = access.scope().read();
    let runs = latest_runs(&state, scope, &[id]).await?;
    let row = repositories::find(state.database().writer(), scope, id).await?;
    let response = respond(&state, scope, vec![row], runs).await?;
    let location = format!("/api/v1/repositories/{id}");
    Ok(HttpResponse::Created()
        .insert_header((actix_web::http::header::LOCATION, location))
        .json(response.into_iter().next()))
}

/// Reaches for a source without adding it.
#[utoipa::path(tag = "repositories", operation_id = "check_source", params(ProjectPath),
    request_body = SourceCheckRequest, responses((status = 200, body = SourceCheckResponse)))]
#[post("/projects/{project_id}/repositories/check")]
pub async fn check_source(
    state: Data<AppState>,
    _access: Access<ManageRepository>,
    body: Body<SourceCheckRequest>,
) -> Result<Json<SourceCheckResponse>, ApiError> {
    let (source, credential) = body.0.source.into_parts()?;
    let request = FetchRequest {
        source,
        credential: credential.map(|credential| GitCredential {
            username: credential.username,
            password: credential.password,
        }),
        depth: None,
    };
    let found = state.services.git.list_branches(&request).await?;
    let warning = warning(&found);
    Ok(Json(SourceCheckResponse {
        default_branch: found.default,
        branches: found
            .branches
            .into_iter()
            .map(|branch| SourceBranch {
                name: branch.name,
                commit: branch.commit,
            })
            .collect(),
        warning,
    }))
}

fn warning(found: &RemoteBranches) -> Option<String> {
    if found.branches.is_empty() {
        return Some("the repository is empty; it will be indexed after its first push".to_owned());
    }
    match (&found.default, &found.dangling_head) {
        (None, Some(name)) => Some(format!(
            "the default branch `{name}` does not exist; another one will be used"
        )),
        (None, None) => Some("the remote names no default branch; choose one".to_owned()),
        _ => None,
    }
}

/// Returns one repository.
#[utoipa::path(tag = "repositories", operation_id = "get_repository", params(RepositoryPath),
    responses((status = 200, body = RepositoryResponse)))]
#[get("/repositories/{repository_id}")]
pub async fn get_repository(
    state: Data<AppState>,
    access: Access<ReadProject>,
    path: Path<RepositoryPath>,
) -> Result<Json<RepositoryResponse>, ApiError> {
    let db = state.database().reader();
    let id = RepositoryId(path.repository_id);
    // The run before the row: what ended a run has also changed the repository, so a run that is
    // shown as ended never stands beside the state from before its end.
    let runs = latest_runs(&state, access.scope(), &[id]).await?;
    let row = repositories::find(db, access.scope(), id).await?;
    let response = respond(&state, access.scope(), vec![row], runs).await?;
    response
        .into_iter()
        .next()
        .map(Json)
        .ok_or_else(|| ApiError::not_found("repository"))
}

/// Removes a repository with everything that was derived from it.
#[utoipa::path(tag = "repositories", operation_id = "delete_repository", params(RepositoryPath),
    responses((status = 202, description = "It is being removed.")))]
#[delete("/repositories/{repository_id}")]
pub async fn delete_repository(
    state: Data<AppState>,
    access: Access<ManageRepository>,
    audit: Audit,
    path: Path<RepositoryPath>,
) -> Result<HttpResponse, ApiError> {
    let repository = RepositoryId(path.repository_id);
    let organization = access.organization_id();
    let indexing = &state.services.indexing;
    let transaction = state.database().begin().await?;
    let requested = indexing
        .deletion_within(&transaction, organization, repository)
        .await?;
    let event = AuditEvent::new("repository.delete")
        .within(organization)
        .object("repository", repository)
        .named(&requested.value.name);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    indexing.announce(requested).await;
    Ok(HttpResponse::Accepted().finish())
}

/// The latest run of each repository.
async fn latest_runs(
    state: &AppState,
    scope: &ReadScope,
    ids: &[RepositoryId],
) -> Result<HashMap<Uuid, IndexRunResponse>, ApiError> {
    let runs = index_runs::latest(state.database().reader(), scope, ids).await?;
    Ok(runs
        .into_iter()
        .map(|run| (run.repository_id, run.into()))
        .collect())
}

/// Completes rows with what is published and what ran last.
async fn respond(
    state: &AppState,
    scope: &ReadScope,
    rows: Vec<repository::Model>,
    mut runs: HashMap<Uuid, IndexRunResponse>,
) -> Result<Vec<RepositoryResponse>, ApiError> {
    let db = state.database().reader();
    let mut responses = Vec::with_capacity(rows.len());
    for row in rows {
        let tracked = branches::list(db, scope, RepositoryId(row.id)).await?;
        // The default branch speaks for the repository; any other one before it is indexed.
        let published = tracked
            .iter()
            .find_map(|branch| branch.published_snapshot_id);
        let published = match published {
            Some(id) => snapshots::find_many(db, scope, &[SnapshotId(id)])
                .await?
                .pop(),
            None => None,
        };
        let latest_run = runs.remove(&row.id);
        responses.push(RepositoryResponse {
            id: row.id,
            organization_id: row.organization_id,
            project_id: row.project_id,
            name: row.name,
            source: source_response(row.source_kind, row.location, row.credential.is_some()),
            default_branch: row.default_branch,
            state: row.state,
            warning: row.warning,
            error: ProblemSummary::from_columns(row.error_code, row.error_message),
            published: published.map(Into::into),
            latest_run,
            created_at: row.created_at,
        });
    }
    Ok(responses)
}

fn source_response(
    kind: String,
    location: String,
    has_credentials: bool,
) -> RepositorySourceResponse {
    let (url, path) = if kind == "local" {
        (None, Some(location))
    } else {
        (Some(location), None)
    };
    RepositorySourceResponse {
        kind,
        url,
        path,
        has_credentials,
    }
}

/// One spelling per repository of a project.
fn location_key(source: &Source) -> Result<String, ApiError> {
    match source {
        Source::Git { url } => Ok(normalize_url(url)?.key),
        Source::Local { path } => {
            let canonical = std::fs::canonicalize(path).map_err(|_| {
                ApiError::new(
                    ErrorKind::NotFound,
                    "source_not_found",
                    "there is no such directory",
                )
            })?;
            Ok(format!("file:{}", canonical.display()))
        }
    }
}

/// The last part of an address that says something.
fn name_of(source: &Source) -> String {
    let location = match source {
        Source::Git { url } => url,
        Source::Local { path } => path,
    };
    let trimmed = location
        .trim_end_matches('/')
        .trim_end_matches(".git")
        .trim_end_matches('/');
    let name = trimmed.rsplit(['/', ':']).next().unwrap_or_default();
    if name.is_empty() {
        "repository".to_owned()
    } else {
        name.chars().take(200).collect()
    }
}

/// A place in a list that is ordered by name.
struct NamePosition {
    name: String,
    id: RepositoryId,
}

impl std::fmt::Display for NamePosition {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}/{}", self.id, self.name)
    }
}

impl std::str::FromStr for NamePosition {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (id, name) = text.split_once('/').ok_or(())?;
        Ok(Self {
            name: name.to_owned(),
            id: id.parse().map_err(|_| ())?,
        })
    }
}
