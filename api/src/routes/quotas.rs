//! What an organization may hold and what it holds.
//!
//! `GET|PUT /organizations/{organization_id}/quotas`.

use actix_web::{
    get, put,
    web::{Data, Json, Path},
};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, OrganizationId},
    store::{
        StoreError,
        quotas::{self, Counted, OwnQuotas, Usage},
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use super::paths::OrganizationPath;
use crate::{
    access::{Access, ReadOrganization},
    audit::Audit,
    authentication::principal::Principal,
    body::Body,
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(get_quotas).service(set_quotas);
}

/// A limit and how much of it is used.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuotaUse {
    /// Absent without a limit.
    limit: Option<u64>,
    used: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct QuotasResponse {
    repositories: QuotaUse,
    /// Bytes of indexed text in all published branches.
    stored_bytes: QuotaUse,
    /// Chunks of all published branches.
    chunks: QuotaUse,
    /// Questions a day that may be answered; absent without a limit.
    questions_per_day: Option<u64>,
}

/// An organization's own limits; what is absent is as the settings say.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct QuotasRequest {
    #[garde(range(max = MAX_LIMIT))]
    #[schema(maximum = 9007199254740991u64)]
    repositories: Option<u64>,
    #[garde(range(max = MAX_LIMIT))]
    #[schema(maximum = 9007199254740991u64)]
    stored_bytes: Option<u64>,
    #[garde(range(max = MAX_LIMIT))]
    #[schema(maximum = 9007199254740991u64)]
    chunks: Option<u64>,
    #[garde(range(max = MAX_LIMIT))]
    #[schema(maximum = 9007199254740991u64)]
    questions_per_day: Option<u64>,
}

/// What JSON numbers carry exactly.
const MAX_LIMIT: u64 = (1 << 53) - 1;

/// Returns the limits of an organization and what it holds.
#[utoipa::path(tag = "organizations", operation_id = "get_quotas", params(OrganizationPath),
    responses((status = 200, body = QuotasResponse)))]
#[get("/organizations/{organization_id}/quotas")]
pub async fn get_quotas(
    state: Data<AppState>,
    access: Access<ReadOrganization>,
) -> Result<Json<QuotasResponse>, ApiError> {
    let db = state.database().reader();
    let organization = access.organization_id();
    let own = quotas::load(db, organization).await?;
    let usage = quotas::usage(db, organization).await?;
    Ok(Json(respond(&state, &own, usage)))
}

/// Replaces an organization's own limits. For instance administrators.
#[utoipa::path(tag = "organizations", operation_id = "set_quotas", params(OrganizationPath),
    request_body = QuotasRequest, responses((status = 200, body = QuotasResponse)))]
#[put("/organizations/{organization_id}/quotas")]
pub async fn set_quotas(
    state: Data<AppState>,
    principal: Principal,
    audit: Audit,
    path: Path<OrganizationPath>,
    body: Body<QuotasRequest>,
) -> Result<Json<QuotasResponse>, ApiError> {
    principal.require_instance_administrator()?;
    let QuotasRequest {
        repositories,
        stored_bytes,
        chunks,
        questions_per_day,
    } = body.0;
    let own = OwnQuotas {
        repositories,
        stored_bytes,
        chunks,
        questions_per_day,
    };
    let organization = OrganizationId(path.organization_id);
    let transaction = state.database().begin().await?;
    quotas::save(&transaction, organization, &own).await?;
    let usage = quotas::usage(&transaction, organization).await?;
    let event = AuditEvent::new("organization.set_quotas")
        .within(organization)
        .object("organization", organization);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(respond(&state, &own, usage)))
}

fn respond(state: &AppState, own: &OwnQuotas, usage: Usage) -> QuotasResponse {
    let limit = |counted| own.limit(counted, &state.settings.quotas);
    let of = |counted, used| QuotaUse {
        limit: limit(counted),
        used,
    };
    QuotasResponse {
        repositories: of(Counted::Repositories, usage.repositories),
        stored_bytes: of(Counted::StoredBytes, usage.stored_bytes),
        chunks: of(Counted::Chunks, usage.chunks),
        questions_per_day: limit(Counted::QuestionsPerDay),
    }
}
