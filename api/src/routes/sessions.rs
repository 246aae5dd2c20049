//! A person's own sign-ins.
//!
//! `GET|DELETE /auth/sessions`, `DELETE /auth/sessions/{session_id}`.

use actix_web::{
    HttpResponse, delete, get,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use quarry_shared::{
    domain::AuditEvent,
    store::{
        StoreError,
        sign_ins::{self, SignIn},
    },
};
use sea_orm::ConnectionTrait;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{list::List, paths::SessionPath};
use crate::{
    audit::Audit,
    authentication::{cookies, principal::Principal},
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_sessions)
        .service(end_all_sessions)
        .service(end_session);
}

/// A sign-in that goes on.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionResponse {
    id: Uuid,
    /// Whether it is the one that asks.
    is_current: bool,
    /// `password`, `password_and_code` or `identity_provider`.
    method: String,
    /// The one organization it reaches, when an identity provider has vouched for the person.
    #[schema(required = true)]
    organization_id: Option<Uuid>,
    /// Where it was last renewed from; empty when that is not known.
    address: String,
    /// The program that renewed it last, cut to 200 characters.
    user_agent: String,
    created_at: DateTime<Utc>,
    last_used_at: DateTime<Utc>,
}

/// Lists the caller's sign-ins that go on, newest use first.
#[utoipa::path(tag = "auth", operation_id = "list_sessions",
    responses((status = 200, body = List<SessionResponse>)))]
#[get("/auth/sessions")]
pub async fn list_sessions(
    state: Data<AppState>,
    principal: Principal,
) -> Result<Json<List<SessionResponse>>, ApiError> {
    let found = reached(state.database().reader(), &principal).await?;
    let current = principal.session()?.family_id;
    let items = found.into_iter().map(|row| response(row, current));
    Ok(Json(List::whole(items.collect())))
}

/// Signs the caller out everywhere, here too.
#[utoipa::path(tag = "auth", operation_id = "end_all_sessions", responses((status = 204)))]
#[delete("/auth/sessions")]
pub async fn end_all_sessions(
    state: Data<AppState>,
    principal: Principal,
    audit: Audit,
) -> Result<HttpResponse, ApiError> {
    let transaction = state.database().begin().await?;
    match principal.only_organization {
        None => sign_ins::end_all(&transaction, principal.user.id, None).await?,
        Some(_) => {
            for found in reached(&transaction, &principal).await? {
                sign_ins::end(&transaction, principal.user.id, found.id).await?;
            }
        }
    }
    let event = AuditEvent::new("session.end_all").object("user", principal.user.id);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent()
        .cookie(cookies::removal(&state.settings.server))
        .finish())
}

/// Ends one of the caller's sign-ins.
#[utoipa::path(tag = "auth", operation_id = "end_session", params(SessionPath),
    responses((status = 204)))]
#[delete("/auth/sessions/{session_id}")]
pub async fn end_session(
    state: Data<AppState>,
    principal: Principal,
    audit: Audit,
    path: Path<SessionPath>,
) -> Result<HttpResponse, ApiError> {
    let transaction = state.database().begin().await?;
    let is_reached = reached(&transaction, &principal)
        .await?
        .iter()
        .any(|found| found.id == path.session_id);
    if !is_reached {
        return Err(ApiError::not_found("session"));
    }
    sign_ins::end(&transaction, principal.user.id, path.session_id).await?;
    let event = AuditEvent::new("session.end").object("session", path.session_id);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

/// The sign-ins that this one sees and ends: whoever an organization's provider has vouched for
/// reaches no sign-in of elsewhere.
async fn reached(
    db: &impl ConnectionTrait,
    principal: &Principal,
) -> Result<Vec<SignIn>, ApiError> {
    Ok(sign_ins::list(db, principal.user.id, principal.only_organization).await?)
}

fn response(row: SignIn, current: Uuid) -> SessionResponse {
    SessionResponse {
        id: row.id,
        is_current: row.id == current,
        method: row.method,
        organization_id: row.organization_id.map(Into::into),
        address: row.address,
        user_agent: row.user_agent,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
    }
}
