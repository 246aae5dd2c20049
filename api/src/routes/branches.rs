//! Tracked branches of a repository.
//!
//! `GET /repositories/{repository_id}/branches`.

use std::collections::HashMap;

use actix_web::{
    get,
    web::{Data, Json, Path},
};
use quarry_shared::{
    domain::{RepositoryId, SnapshotId},
    store::{branches, snapshots},
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{list::List, paths::RepositoryPath, snapshots::SnapshotSummary};
use crate::{
    access::{Access, ReadProject},
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(list_branches);
}

/// A tracked branch.
#[derive(Debug, Serialize, ToSchema)]
pub struct BranchResponse {
    id: Uuid,
    name: String,
    is_default: bool,
    published: Option<SnapshotSummary>,
}

/// Lists the branches of a repository, the default one first.
#[utoipa::path(tag = "branches", operation_id = "list_branches", params(RepositoryPath),
    responses((status = 200, body = List<BranchResponse>)))]
#[get("/repositories/{repository_id}/branches")]
pub async fn list_branches(
    state: Data<AppState>,
    access: Access<ReadProject>,
    path: Path<RepositoryPath>,
) -> Result<Json<List<BranchResponse>>, ApiError> {
    let db = state.database().reader();
    let rows = branches::list(db, access.scope(), RepositoryId(path.repository_id)).await?;
    let ids: Vec<SnapshotId> = rows
        .iter()
        .filter_map(|row| row.published_snapshot_id)
        .map(SnapshotId)
        .collect();
    let mut published: HashMap<i64, SnapshotSummary> =
        snapshots::find_many(db, access.scope(), &ids)
            .await?
            .into_iter()
            .map(|row| (row.id, row.into()))
            .collect();
    let items = rows
        .into_iter()
        .map(|row| BranchResponse {
            id: row.id,
            name: row.name,
            is_default: row.is_default,
            published: row
                .published_snapshot_id
                .and_then(|id| published.remove(&id)),
        })
        .collect();
    Ok(Json(List::whole(items)))
}
