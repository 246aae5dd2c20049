//! The audit log, for administrators of an organization and of the instance.
//!
//! `GET /organizations/{organization_id}/audit-events`, `…/audit-events/export`,
//! `…/audit-events/verification`, and the same below `/audit-events` for what concerns the whole
//! instance.

use std::time::{Duration, Instant};

use actix_web::{
    HttpResponse, get,
    http::header,
    web::{Bytes, Data, Json},
};
use chrono::{DateTime, Utc};
use futures::{Stream, stream};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, AuditOutcome},
    store::{
        audit::{self, AuditFilter, Chain, ChainHead, Verification},
        grants::Object,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    kinds,
    list::{List, MAX_CURSOR_BYTES, page},
    paths::OrganizationPath,
    snapshots::read,
};
use crate::{
    access::{Access, ReadAudit},
    audit::Audit,
    authentication::principal::{Presented, Principal},
    body::Params,
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_audit_events)
        .service(export_audit_events)
        .service(verify_audit_events)
        .service(list_instance_audit_events)
        .service(export_instance_audit_events)
        .service(verify_instance_audit_events);
}

/// Events read at once for an export.
const PIECE: u64 = 500;
const RECHECK_AFTER: Duration = Duration::from_secs(3);

/// Something that somebody did.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditEventResponse {
    /// Its number in the log; newer ones are higher, without gaps.
    sequence: i64,
    time: DateTime<Utc>,
    #[schema(inline, value_type = kinds::ActorKind)]
    actor_kind: String,
    actor_user_id: Option<Uuid>,
    /// How the actor was called at that time.
    actor_name: Option<String>,
    #[schema(inline, value_type = kinds::CredentialKind)]
    credential_kind: String,
    /// The sign-in or API token.
    credential_id: Option<Uuid>,
    /// Where the request came from.
    address: Option<String>,
    #[schema(example = "repository.create")]
    action: String,
    object_kind: String,
    object_id: Option<String>,
    /// How the object was called at that time.
    object_name: Option<String>,
    #[schema(inline, value_type = kinds::AuditOutcome)]
    outcome: String,
    request_id: Option<String>,
    /// Small facts, by name.
    #[schema(value_type = Object)]
    details: Value,
    hash: String,
}

impl From<audit::Row> for AuditEventResponse {
    fn from(row: audit::Row) -> Self {
        Self {
            details: row.details(),
            sequence: row.sequence,
            time: row.recorded_at,
            actor_kind: row.actor_kind,
            actor_user_id: row.actor_user_id,
            actor_name: row.actor_name,
            credential_kind: row.credential_kind,
            credential_id: row.credential_id,
            address: row.address,
            action: row.action,
            object_kind: row.object_kind,
            object_id: row.object_id,
            object_name: row.object_name,
            outcome: row.outcome,
            request_id: row.request_id,
            hash: row.hash,
        }
    }
}

/// Which events. What is absent does not narrow.
#[derive(Debug, Default, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct AuditQuery {
    /// Who did it.
    #[garde(skip)]
    actor_user_id: Option<Uuid>,
    /// An action, or with a dot at its end everything below it: `repository.`.
    #[garde(length(bytes, max = 100))]
    action: Option<String>,
    #[garde(length(bytes, max = 100))]
    object_kind: Option<String>,
    #[garde(length(bytes, max = 300))]
    object_id: Option<String>,
    /// `succeeded`, `denied` or `failed`.
    #[garde(length(bytes, max = 20))]
    outcome: Option<String>,
    /// From this moment on.
    #[garde(skip)]
    since: Option<DateTime<Utc>>,
    /// Before this moment.
    #[garde(skip)]
    until: Option<DateTime<Utc>>,
    /// `next_cursor` of the page before; not for exports.
    #[garde(length(bytes, max = MAX_CURSOR_BYTES))]
    cursor: Option<String>,
    /// Most items on the page; not for exports.
    #[param(minimum = 1, maximum = 200)]
    #[garde(range(min = 1, max = 200))]
    limit: Option<u64>,
}

impl AuditQuery {
    fn filter(&self) -> Result<AuditFilter, ApiError> {
        let text = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        Ok(AuditFilter {
            actor: self.actor_user_id.map(Into::into),
            action: text(&self.action),
            object_kind: text(&self.object_kind),
            object_id: text(&self.object_id),
            outcome: read(self.outcome.as_deref(), "outcome", AuditOutcome::parse)?,
            since: self.since,
            until: self.until,
        })
    }
}

/// An end of the log that was kept elsewhere.
#[derive(Debug, Default, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct VerificationQuery {
    /// `head` of an earlier verification. The log must still hold it.
    #[garde(length(bytes, max = 100))]
    known_head: Option<String>,
}

/// Whether a log is whole.
#[derive(Debug, Serialize, ToSchema)]
pub struct VerificationResponse {
    is_whole: bool,
    /// Events that hold, up to the fault or the end.
    events: u64,
    /// The last event that retention has removed; 0 when none.
    anchor: i64,
    /// The end of the log, to be kept elsewhere and handed to a later verification.
    #[schema(example = "12:5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9")]
    head: String,
    /// The first place that does not hold.
    fault: Option<AuditFault>,
}

/// A place where a log does not hold.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditFault {
    sequence: i64,
    #[schema(inline, value_type = kinds::AuditFaultKind)]
    kind: &'static str,
}

impl From<Verification> for VerificationResponse {
    fn from(found: Verification) -> Self {
        Self {
            is_whole: found.fault.is_none(),
            events: found.events,
            anchor: found.anchor,
            head: found.head.to_string(),
            fault: found.fault.map(|fault| AuditFault {
                sequence: fault.sequence,
                kind: fault.kind.as_str(),
            }),
        }
    }
}

/// Lists what happened in an organization, newest first.
#[utoipa::path(tag = "audit", operation_id = "list_audit_events",
    params(OrganizationPath, AuditQuery),
    responses((status = 200, body = List<AuditEventResponse>)))]
#[get("/organizations/{organization_id}/audit-events")]
pub async fn list_audit_events(
    state: Data<AppState>,
    access: Access<ReadAudit>,
    query: Params<AuditQuery>,
) -> Result<Json<List<AuditEventResponse>>, ApiError> {
    list(
        &state,
        Chain::Organization(access.organization_id()),
        &query.0,
    )
    .await
}

/// Everything that happened in an organization, as JSON lines, oldest first. Each line holds all that
/// its hash covers.
#[utoipa::path(tag = "audit", operation_id = "export_audit_events",
    params(OrganizationPath, AuditQuery),
    responses((status = 200, content_type = "application/x-ndjson", body = String)))]
#[get("/organizations/{organization_id}/audit-events/export")]
pub async fn export_audit_events(
    state: Data<AppState>,
    access: Access<ReadAudit>,
    audit: Audit,
    query: Params<AuditQuery>,
) -> Result<HttpResponse, ApiError> {
    let organization = access.organization_id();
    let event = AuditEvent::new("audit.export").within(organization);
    export(&state, &audit, event, &query.0).await
}

/// Reads the log of an organization through and says whether it is whole.
#[utoipa::path(tag = "audit", operation_id = "verify_audit_events",
    params(OrganizationPath, VerificationQuery),
    responses((status = 200, body = VerificationResponse)))]
#[get("/organizations/{organization_id}/audit-events/verification")]
pub async fn verify_audit_events(
    state: Data<AppState>,
    access: Access<ReadAudit>,
    query: Params<VerificationQuery>,
) -> Result<Json<VerificationResponse>, ApiError> {
    verify(
        &state,
        Chain::Organization(access.organization_id()),
        &query.0,
    )
    .await
}

/// Lists what happened to the whole instance: sign-ins, organizations, jobs. For instance
/// administrators.
#[utoipa::path(tag = "audit", operation_id = "list_instance_audit_events", params(AuditQuery),
    responses((status = 200, body = List<AuditEventResponse>)))]
#[get("/audit-events")]
pub async fn list_instance_audit_events(
    state: Data<AppState>,
    principal: Principal,
    query: Params<AuditQuery>,
) -> Result<Json<List<AuditEventResponse>>, ApiError> {
    principal.require_instance_administrator()?;
    list(&state, Chain::Instance, &query.0).await
}

/// Everything that happened to the whole instance, as JSON lines. For instance administrators.
#[utoipa::path(tag = "audit", operation_id = "export_instance_audit_events", params(AuditQuery),
    responses((status = 200, content_type = "application/x-ndjson", body = String)))]
#[get("/audit-events/export")]
pub async fn export_instance_audit_events(
    state: Data<AppState>,
    principal: Principal,
    audit: Audit,
    query: Params<AuditQuery>,
) -> Result<HttpResponse, ApiError> {
    principal.require_instance_administrator()?;
    export(&state, &audit, AuditEvent::new("audit.export"), &query.0).await
}

/// Reads the log of the instance through. For instance administrators.
#[utoipa::path(tag = "audit", operation_id = "verify_instance_audit_events",
    params(VerificationQuery), responses((status = 200, body = VerificationResponse)))]
#[get("/audit-events/verification")]
pub async fn verify_instance_audit_events(
    state: Data<AppState>,
    principal: Principal,
    query: Params<VerificationQuery>,
) -> Result<Json<VerificationResponse>, ApiError> {
    principal.require_instance_administrator()?;
    verify(&state, Chain::Instance, &query.0).await
}

async fn list(
    state: &AppState,
    chain: Chain,
    query: &AuditQuery,
) -> Result<Json<List<AuditEventResponse>>, ApiError> {
    let page = page::<i64>(query.cursor.as_deref(), query.limit)?;
    let filter = query.filter()?;
    let db = state.database().reader();
    let rows = audit::list(db, chain, &filter, page.after, page.limit + 1).await?;
    Ok(Json(List::from_rows(rows, page.limit, |row| row.sequence)))
}

async fn verify(
    state: &AppState,
    chain: Chain,
    query: &VerificationQuery,
) -> Result<Json<VerificationResponse>, ApiError> {
    let known = query.known_head.as_deref().map(str::parse::<ChainHead>);
    let known = known
        .transpose()
        .map_err(|detail| ApiError::invalid("known_head", detail))?;
    let _turn = turn(state)?;
    let found = audit::verify(state.database().reader(), chain, known.as_ref()).await?;
    Ok(Json(found.into()))
}

async fn export(
    state: &Data<AppState>,
    audit: &Audit,
    event: AuditEvent,
    query: &AuditQuery,
) -> Result<HttpResponse, ApiError> {
    let filter = query.filter()?;
    let turn = turn(state)?;
    let chain = Chain::of(event.organization_id);
    audit.record_alone(event).await?;
    let lines = Lines {
        state: state.clone(),
        chain,
        filter,
        after: 0,
        presented: audit.presented(state),
        checked: Instant::now(),
        _turn: turn,
    };
    Ok(HttpResponse::Ok()
        .content_type("application/x-ndjson")
        .insert_header((
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"audit-events.jsonl\"",
        ))
        .streaming(lines.stream()))
}

/// Reading a whole log takes a while: a few at a time.
fn turn(state: &AppState) -> Result<OwnedSemaphorePermit, ApiError> {
    state
        .audit_reads
        .clone()
        .try_acquire_owned()
        .map_err(|_| ApiError::too_many("others are reading whole audit logs at the moment"))
}

struct Lines {
    state: Data<AppState>,
    chain: Chain,
    filter: AuditFilter,
    after: i64,
    presented: Presented,
    checked: Instant,
    _turn: OwnedSemaphorePermit,
}

impl Lines {
    /// Whoever may not read the log any more gets no more of it.
    async fn recheck(&mut self) -> Result<(), ApiError> {
        let principal = Principal::of(&self.state, &self.presented).await?;
        match self.chain {
            Chain::Instance => {
                principal.require_sign_in()?;
                principal.require_instance_administrator()?;
            }
            Chain::Organization(id) => {
                let object = Object::Organization(id);
                Access::<ReadAudit>::to(&self.state, principal, object).await?;
            }
        }
        self.checked = Instant::now();
        Ok(())
    }

    /// A failure ends the stream in the middle, which clients see as a broken transfer.
    fn stream(self) -> impl Stream<Item = Result<Bytes, ExportBroken>> {
        stream::unfold(Some(self), |lines| async {
            let mut lines = lines?;
            if lines.checked.elapsed() >= RECHECK_AFTER
                && let Err(error) = lines.recheck().await
            {
                tracing::info!(%error, "an export of the audit log is no longer allowed");
                return Some((Err(ExportBroken), None));
            }
            let db = lines.state.database().reader();
            let rows = audit::export(db, lines.chain, &lines.filter, lines.after, PIECE).await;
            match rows {
                Ok(rows) => {
                    lines.after = rows.last()?.sequence;
                    let mut text = String::new();
                    for row in rows {
                        text.push_str(&row.to_json_line());
                        text.push('\n');
                    }
                    Some((Ok(Bytes::from(text)), Some(lines)))
                }
                Err(error) => {
                    tracing::error!(%error, "an export of the audit log broke off");
                    Some((Err(ExportBroken), None))
                }
            }
        })
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the export broke off")]
struct ExportBroken;
