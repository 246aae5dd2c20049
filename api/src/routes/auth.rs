//! Signing in, staying signed in, signing out.
//!
//! `POST /auth/login`, `POST /auth/refresh`, `POST /auth/logout`, `GET /auth/me`.

use actix_web::{HttpRequest, HttpResponse, cookie::Cookie, get, post, web::Data, web::Json};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, ErrorKind},
    store::{
        Page, organizations,
        sessions::{self, Rotation, Session},
        sign_ins::SignInMethod,
        users::{self, User},
    },
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    organizations::OrganizationResponse,
    totp::{self, ChallengeResponse},
};
use crate::{
    audit::Audit,
    authentication::{
        cookies::{self, RefreshToken},
        lock_out::Attempt,
        passwords::MAX_PASSWORD_BYTES,
        principal::{Caller, Principal},
        sign_in,
    },
    body::Body,
    hosts,
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(login)
        .service(refresh)
        .service(logout)
        .service(get_me);
}

#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    #[garde(length(bytes, min = 1, max = 320))]
    email: String,
    #[schema(value_type = String, format = Password)]
    #[garde(custom(password_length))]
    password: SecretString,
}

pub(super) fn password_length(password: &SecretString, (): &()) -> garde::Result {
    if password.expose_secret().len() > MAX_PASSWORD_BYTES {
        return Err(garde::Error::new("is longer than any password"));
    }
    Ok(())
}

/// Proof of being signed in.
#[derive(Serialize, ToSchema)]
pub struct TokenResponse {
    /// For `Authorization: Bearer`.
    access_token: String,
    #[schema(example = "Bearer")]
    token_type: &'static str,
    /// Seconds until the access token ends.
    expires_in: u64,
    user: UserResponse,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UserResponse {
    id: Uuid,
    email: String,
    name: String,
    is_instance_administrator: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct MeResponse {
    user: UserResponse,
    organizations: Vec<OrganizationResponse>,
}

/// Signs in. The answer to a wrong password and to an unknown address is the same.
#[utoipa::path(tag = "auth", operation_id = "login", security(()),
    request_body = LoginRequest, responses((status = 200, body = TokenResponse),
        (status = 202, description = "The password is right; a code is needed too.",
            body = ChallengeResponse)))]
#[post("/auth/login")]
pub async fn login(
    state: Data<AppState>,
    request: HttpRequest,
    audit: Audit,
    body: Body<LoginRequest>,
) -> Result<HttpResponse, ApiError> {
    let LoginRequest { email, password } = body.0;
    hosts::check_origin(&request, &state.settings.server)?;
    let attempt = Attempt::begin(&state, &request, &email).await?;
    let user = sign_in::check_password(&state, &audit, &email, &password).await?;
    if let Some(challenge) = totp::challenge(&state, &user).await? {
        attempt.half_succeeded(&state).await?;
        return Ok(challenge);
    }
    attempt.succeeded(&state).await?;
    let method = SignInMethod::Password;
    let (session, cookie) = sign_in::start(&state, &request, &audit, &user, method).await?;
    signed_in(&state, session, cookie, user)
}

/// Exchanges the refresh cookie for a new one and a new access token.
#[utoipa::path(tag = "auth", operation_id = "refresh", security(("refresh_cookie" = [])),
    responses((status = 200, body = TokenResponse)))]
#[post("/auth/refresh")]
pub async fn refresh(
    state: Data<AppState>,
    request: HttpRequest,
    audit: Audit,
) -> Result<HttpResponse, ApiError> {
    hosts::check_origin(&request, &state.settings.server)?;
    let old = RefreshToken::of(&request).ok_or_else(invalid_refresh_token)?;
    let new = RefreshToken::generate();
    let lifetimes = cookies::lifetimes(&state.settings.authentication);
    let transaction = state.database().begin().await?;
    let origin = sign_in::origin_of(&request, &state);
    let rotation =
        sessions::rotate(&transaction, &old.hash(), &new.hash(), lifetimes, &origin).await?;
    transaction.commit().await.map_err(database)?;
    let session = match rotation {
        Rotation::Rotated(session) => session,
        Rotation::Refused => return Err(invalid_refresh_token()),
        Rotation::Reused(session) => {
            let user_id = session.user_id.0;
            tracing::warn!(%user_id, "a refresh token was used twice; its sign-in has ended");
            let event = AuditEvent::new("session.reuse")
                .object("session", session.family_id)
                .detail("user_id", user_id.to_string());
            audit.record_refused(None, event).await;
            return Err(invalid_refresh_token());
        }
    };
    let principal = Principal::of_session(&state, session)
        .await
        .map_err(|error| match error.kind() {
            ErrorKind::Unauthenticated => invalid_refresh_token(),
            _ => error,
        })?;
    let settings = &state.settings;
    let cookie = new.into_cookie(&settings.server, &settings.authentication);
    signed_in(&state, session, cookie, principal.user)
}

/// Ends the sign-in. Its access tokens end with it.
#[utoipa::path(tag = "auth", operation_id = "logout", security(("refresh_cookie" = [])),
    responses((status = 204)))]
#[post("/auth/logout")]
pub async fn logout(
    state: Data<AppState>,
    request: HttpRequest,
    audit: Audit,
) -> Result<HttpResponse, ApiError> {
    hosts::check_origin(&request, &state.settings.server)?;
    if let Some(token) = RefreshToken::of(&request) {
        let transaction = state.database().begin().await?;
        if let Some(session) = sessions::end(&transaction, &token.hash()).await? {
            let user = users::find(&transaction, session.user_id).await?;
            let event = AuditEvent::new("session.end").object("session", session.family_id);
            audit
                .record_as(user.as_ref(), Some(session), &transaction, event)
                .await?;
        }
        transaction.commit().await.map_err(database)?;
    }
    Ok(HttpResponse::NoContent()
        .cookie(cookies::removal(&state.settings.server))
        .finish())
}

/// Says who is signed in and where they belong.
#[utoipa::path(tag = "auth", operation_id = "get_me",
    responses((status = 200, body = MeResponse)))]
#[get("/auth/me")]
pub async fn get_me(
    state: Data<AppState>,
    Caller(principal): Caller,
) -> Result<Json<MeResponse>, ApiError> {
    let page = Page {
        after: None,
        limit: 1000,
    };
    let found = organizations::list(state.database().reader(), principal.user.id, page).await?;
    let mut organizations = found.items;
    organizations.retain(|found| principal.reaches(found.id));
    let organizations = organizations.into_iter();
    Ok(Json(MeResponse {
        user: principal.user.into(),
        organizations: organizations.map(Into::into).collect(),
    }))
}

/// The answer to whoever has just proved who they are.
pub(super) fn signed_in(
    state: &AppState,
    session: Session,
    cookie: Cookie<'static>,
    user: User,
) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().cookie(cookie).json(TokenResponse {
        access_token: state.tokens.issue(session)?,
        token_type: "Bearer",
        expires_in: state.tokens.lifetime().as_secs(),
        user: user.into(),
    }))
}

fn invalid_refresh_token() -> ApiError {
    ApiError::new(
        ErrorKind::Unauthenticated,
        "invalid_refresh_token",
        "sign in again",
    )
}

fn database(error: sea_orm::DbErr) -> ApiError {
    quarry_shared::store::StoreError::from(error).into()
}

impl From<User> for UserResponse {
    fn from(user: User) -> Self {
        Self {
            id: user.id.0,
            email: user.email,
            name: user.name,
            is_instance_administrator: user.is_instance_administrator,
        }
    }
}
