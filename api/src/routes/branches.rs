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
    store::{Page, Paged, branches, entities::branch, snapshots},
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    list::{List, ListQuery, write_cursor},
    paths::RepositoryPath,
    snapshots::SnapshotSummary,
};
use crate::{
    access::{Access, ReadProject},
    body::Params,
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
#[utoipa::path(tag = "branches", operation_id = "list_branches",
    params(RepositoryPath, ListQuery), responses((status = 200, body = List<BranchResponse>)))]
#[get("/repositories/{repository_id}/branches")]
pub async fn list_branches(
    state: Data<AppState>,
    access: Access<ReadProject>,
    path: Path<RepositoryPath>,
    query: Params<ListQuery>,
) -> Result<Json<List<BranchResponse>>, ApiError> {
    let db = state.database().reader();
    let rows = branches::list(db, access.scope(), RepositoryId(path.repository_id)).await?;
    let page = query.0.page::<Uuid>()?;
    let rows = page_of(rows, page)?;
    let next_cursor = rows.next.map(|id| write_cursor(&id));
    let rows = rows.items;
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
    Ok(Json(List { items, next_cursor }))
}

/// A page of all tracked branches, which are few; their order is no column's.
fn page_of(
    rows: Vec<branch::Model>,
    page: Page<Uuid>,
) -> Result<Paged<branch::Model, Uuid>, ApiError> {
    let skipped = match page.after {
        None => 0,
        Some(id) => rows
            .iter()
            .position(|row| row.id == id)
            .map(|at| at + 1)
            .ok_or_else(|| ApiError::invalid("cursor", "is not a cursor of this list"))?,
    };
    let rows = rows.into_iter().skip(skipped).collect();
    Ok(Paged::from_rows(rows, page.limit, |row: &branch::Model| {
        row.id
    }))
}
