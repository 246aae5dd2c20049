//! Invitations by link.
//!
//! `GET|POST /organizations/{organization_id}/invitations`,
//! `DELETE /organizations/{organization_id}/invitations/{invitation_id}`,
//! `POST /invitations/lookup`, `POST /invitations/accept`.
//!
//! The secret is shown once, in the part of a link behind `#` that browsers keep to themselves, and
//! comes back in a body, so that no log and no proxy sees it.

use actix_web::{
    HttpRequest, HttpResponse, delete, get, post,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Duration, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, InvitationId, OrganizationId, OrganizationRole},
    store::{
        StoreError,
        entities::invitation,
        invitations::{self, NewInvitation, Offer},
        sessions::Session,
        users::{self, NewUser, User},
    },
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    kinds,
    list::{List, ListQuery},
    organizations::is_name,
    passwords::secret_length,
    paths::{InvitationPath, OrganizationPath},
    users::NewAccount,
};
use crate::{
    access::{Access, ManageMembers},
    audit::Audit,
    authentication::{
        limits::client_address,
        principal::{Principal, bearer},
        secrets,
    },
    body::{Body, Params},
    problem::ApiError,
    state::AppState,
};

const DEFAULT_HOURS: i64 = 7 * 24;

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_invitations)
        .service(create_invitation)
        .service(revoke_invitation)
        .service(look_up_invitation)
        .service(accept_invitation);
}

/// An offer to join an organization.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvitationResponse {
    id: Uuid,
    #[schema(value_type = kinds::OrganizationRole)]
    role: String,
    note: Option<String>,
    #[schema(inline)]
    state: InvitationState,
    created_by: Uuid,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    accepted_by: Option<Uuid>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum InvitationState {
    Open,
    Accepted,
    Revoked,
    Expired,
}

/// A new invitation. The link is shown this one time.
#[derive(Serialize, ToSchema)]
pub struct CreatedInvitationResponse {
    invitation: InvitationResponse,
    /// To be given to the person, on a way that others do not read.
    url: String,
}

/// An invitation to make.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct CreateInvitationRequest {
    #[schema(value_type = kinds::OrganizationRole)]
    #[garde(skip)]
    role: OrganizationRole,
    /// For whom it is. Shown to administrators only.
    #[serde(default)]
    #[garde(length(chars, min = 1, max = 200), inner(custom(is_name)))]
    note: Option<String>,
    /// Hours until it ends; a week when absent.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2160)]
    #[garde(range(min = 1, max = 2160))]
    expires_in_hours: Option<i64>,
}

/// What stands behind `#` in the link.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct LookUpInvitationRequest {
    #[schema(value_type = String, format = Password)]
    #[garde(custom(secret_length))]
    token: SecretString,
}

/// What an invitation offers.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfferResponse {
    organization_id: Uuid,
    organization: String,
    #[schema(value_type = kinds::OrganizationRole)]
    role: OrganizationRole,
    expires_at: DateTime<Utc>,
}

/// Joining: with the account that is signed in, or with a new one.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct AcceptInvitationRequest {
    /// What stands behind `#` in the link.
    #[schema(value_type = String, format = Password)]
    #[garde(custom(secret_length))]
    token: SecretString,
    /// For somebody without an account.
    #[serde(default)]
    #[garde(dive)]
    account: Option<NewAccount>,
}

/// Lists the invitations of an organization, used and ended ones too, newest first.
#[utoipa::path(tag = "members", operation_id = "list_invitations",
    params(OrganizationPath, ListQuery),
    responses((status = 200, body = List<InvitationResponse>)))]
#[get("/organizations/{organization_id}/invitations")]
pub async fn list_invitations(
    state: Data<AppState>,
    access: Access<ManageMembers>,
    query: Params<ListQuery>,
) -> Result<Json<List<InvitationResponse>>, ApiError> {
    let page = query.0.page()?;
    let found = invitations::list(state.database().reader(), access.scope(), page).await?;
    Ok(Json(List::from_page(found)))
}

/// Makes an invitation. Its link works once, in its time, and while its maker may still give the
/// role.
#[utoipa::path(tag = "members", operation_id = "create_invitation", params(OrganizationPath),
    request_body = CreateInvitationRequest,
    responses((status = 201, body = CreatedInvitationResponse)))]
#[post("/organizations/{organization_id}/invitations")]
pub async fn create_invitation(
    state: Data<AppState>,
    access: Access<ManageMembers>,
    audit: Audit,
    body: Body<CreateInvitationRequest>,
) -> Result<HttpResponse, ApiError> {
    let CreateInvitationRequest {
        role,
        note,
        expires_in_hours,
    } = body.0;
    let token = secrets::generate();
    let new = NewInvitation {
        role,
        token_hash: secrets::hash(&token),
        note: note.map(|note| note.trim().to_owned()),
        expires_at: Utc::now() + Duration::hours(expires_in_hours.unwrap_or(DEFAULT_HOURS)),
    };
    let transaction = state.database().begin().await?;
    let created = invitations::create(&transaction, access.scope(), new).await?;
    let event = event(
        "invitation.create",
        access.organization_id(),
        InvitationId(created.id),
    );
    audit
        .record(&transaction, event.detail("role", role.as_str()))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    let origin = state.settings.server.public_origin();
    Ok(HttpResponse::Created().json(CreatedInvitationResponse {
        invitation: created.into(),
        url: format!("{origin}/join#{token}"),
    }))
}

/// Ends an invitation that nobody has taken.
#[utoipa::path(tag = "members", operation_id = "revoke_invitation", params(InvitationPath),
    responses((status = 204)))]
#[delete("/organizations/{organization_id}/invitations/{invitation_id}")]
pub async fn revoke_invitation(
    state: Data<AppState>,
    access: Access<ManageMembers>,
    audit: Audit,
    path: Path<InvitationPath>,
) -> Result<HttpResponse, ApiError> {
    let id = InvitationId(path.invitation_id);
    let transaction = state.database().begin().await?;
    invitations::revoke(&transaction, access.scope(), id).await?;
    let event = event("invitation.revoke", access.organization_id(), id);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Says what an invitation offers. Unknown, used, revoked and expired ones answer alike.
#[utoipa::path(tag = "members", operation_id = "look_up_invitation", security(()),
    request_body = LookUpInvitationRequest, responses((status = 200, body = OfferResponse)))]
#[post("/invitations/lookup")]
pub async fn look_up_invitation(
    state: Data<AppState>,
    request: HttpRequest,
    body: Body<LookUpInvitationRequest>,
) -> Result<Json<OfferResponse>, ApiError> {
    let hash = counted_hash(&state, &request, &body.0.token)?;
    let offer = invitations::find(state.database().reader(), &hash).await?;
    Ok(Json(offer.into()))
}

/// Joins the organization: with the account that is signed in, or with a new account whose name and
/// password are set here. A person who has an account signs in first.
#[utoipa::path(tag = "members", operation_id = "accept_invitation",
    security((), ("access_token" = [])),
    request_body = AcceptInvitationRequest, responses((status = 200, body = OfferResponse)))]
#[post("/invitations/accept")]
pub async fn accept_invitation(
    state: Data<AppState>,
    request: HttpRequest,
    audit: Audit,
    body: Body<AcceptInvitationRequest>,
) -> Result<Json<OfferResponse>, ApiError> {
    let AcceptInvitationRequest { token, account } = body.0;
    let hash = counted_hash(&state, &request, &token)?;
    let joining = match (bearer(&request), account) {
        (Some(_), Some(_)) => {
            return Err(ApiError::invalid(
                "/account",
                "must be absent when signed in",
            ));
        }
        (None, None) => return Err(ApiError::unauthenticated()),
        (Some(_), None) => {
            let principal = Principal::from_header(&state, &request).await?;
            let session = principal.session()?;
            Joining::Known(Box::new(principal.user), session)
        }
        (None, Some(account)) => {
            // Nobody without an invitation makes the server hash.
            invitations::find(state.database().reader(), &hash).await?;
            Joining::New(account.prepare(&state, "/account/password").await?)
        }
    };
    let transaction = state.database().begin().await?;
    let (user, session) = match joining {
        Joining::Known(user, session) => (*user, Some(session)),
        Joining::New(new) => (users::create(&transaction, new).await?, None),
    };
    let offer = invitations::accept(&transaction, &hash, user.id).await?;
    let event = event(
        "invitation.accept",
        offer.organization_id,
        offer.invitation_id,
    );
    audit
        .record_as(
            &user,
            session,
            &transaction,
            event.detail("role", offer.role.as_str()),
        )
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(offer.into()))
}

/// Who joins.
enum Joining {
    Known(Box<User>, Session),
    New(NewUser),
}

fn event(
    action: &'static str,
    organization: OrganizationId,
    invitation: InvitationId,
) -> AuditEvent {
    AuditEvent::new(action)
        .within(organization)
        .object("invitation", invitation)
}

/// Guessing is counted like guessing passwords.
fn counted_hash(
    state: &AppState,
    request: &HttpRequest,
    token: &SecretString,
) -> Result<String, ApiError> {
    let hash = secrets::hash(token.expose_secret());
    let address = client_address(request, &state.settings.server);
    state.sign_in_limits.check(address, &hash)?;
    Ok(hash)
}

impl From<invitation::Model> for InvitationResponse {
    fn from(row: invitation::Model) -> Self {
        let state = if row.accepted_at.is_some() {
            InvitationState::Accepted
        } else if row.revoked_at.is_some() {
            InvitationState::Revoked
        } else if row.expires_at <= Utc::now() {
            InvitationState::Expired
        } else {
            InvitationState::Open
        };
        Self {
            id: row.id,
            role: row.role,
            note: row.note,
            state,
            created_by: row.created_by,
            created_at: row.created_at,
            expires_at: row.expires_at,
            accepted_by: row.accepted_by,
        }
    }
}

impl From<Offer> for OfferResponse {
    fn from(offer: Offer) -> Self {
        Self {
            organization_id: offer.organization_id.0,
            organization: offer.organization,
            role: offer.role,
            expires_at: offer.expires_at,
        }
    }
}
