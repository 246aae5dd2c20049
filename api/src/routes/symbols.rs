//! Definitions by name.
//!
//! `GET /symbols`.

use actix_web::{
    get,
    web::{Data, Json},
};
use garde::Validate;
use quarry_shared::{
    domain::{ProjectId, RepositoryId, SymbolKind},
    retrieval::{SymbolHit, SymbolQuery},
    store::views::ViewRequest,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    list::List,
    search::{in_organization, turn},
    snapshots::read,
};
use crate::{authentication::principal::Caller, body::Params, problem::ApiError, state::AppState};

pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(list_symbols);
}

/// Which definitions.
#[derive(Debug, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SymbolsQuery {
    #[garde(skip)]
    organization_id: Uuid,
    /// A simple or qualified name; letter case does not matter.
    #[garde(length(bytes, min = 1, max = 500))]
    name: String,
    /// Whether `name` is only the beginning.
    #[serde(default)]
    #[garde(skip)]
    prefix: bool,
    #[garde(skip)]
    project_id: Option<Uuid>,
    #[garde(skip)]
    repository_id: Option<Uuid>,
    /// A symbol kind, for example `function`.
    #[garde(length(bytes, max = 40))]
    kind: Option<String>,
    /// 1 to 200, 50 when absent.
    #[garde(range(min = 1, max = 200))]
    limit: Option<usize>,
}

/// A definition.
#[derive(Debug, Serialize, ToSchema)]
pub struct SymbolResponse {
    name: String,
    qualified_name: String,
    kind: &'static str,
    signature: String,
    repository_id: Uuid,
    repository_name: String,
    branch: String,
    commit: String,
    path: String,
    language: Option<String>,
    start_line: u32,
    end_line: u32,
}

/// Lists definitions by name.
#[utoipa::path(tag = "search", operation_id = "list_symbols", params(SymbolsQuery),
    responses((status = 200, body = List<SymbolResponse>)))]
#[get("/symbols")]
pub async fn list_symbols(
    state: Data<AppState>,
    Caller(principal): Caller,
    query: Params<SymbolsQuery>,
) -> Result<Json<List<SymbolResponse>>, ApiError> {
    let query = query.0;
    let access = in_organization(&state, principal, query.organization_id).await?;
    let wanted = SymbolQuery {
        name: query.name,
        prefix: query.prefix,
        kind: read(query.kind.as_deref(), "kind", SymbolKind::parse)?,
        view: ViewRequest {
            project_ids: query.project_id.into_iter().map(ProjectId).collect(),
            repository_ids: query.repository_id.into_iter().map(RepositoryId).collect(),
            ..ViewRequest::default()
        },
        limit: query.limit.unwrap_or(0),
    };
    let _turn = turn(&state).await?;
    let found = state
        .services
        .retrieval
        .find_symbols(access.scope(), &wanted)
        .await?;
    Ok(Json(List::whole(
        found.into_iter().map(Into::into).collect(),
    )))
}

impl From<SymbolHit> for SymbolResponse {
    fn from(hit: SymbolHit) -> Self {
        Self {
            name: hit.name,
            qualified_name: hit.qualified_name,
            kind: hit.kind.as_str(),
            signature: hit.signature,
            repository_id: hit.repository_id.0,
            repository_name: hit.repository_name,
            branch: hit.branch,
            commit: hit.commit,
            path: hit.path,
            language: hit.language,
            start_line: hit.start_line,
            end_line: hit.end_line,
        }
    }
}
