//! Setting passwords: one's own, and by a link from an administrator.
//!
//! `POST /auth/password`, `POST /users/{user_id}/password-resets`, `POST /auth/password-resets/redeem`.
//!
//! A link holds its secret behind `#`, which browsers send to no server; the dashboard sends it in a
//! body.

use actix_web::{
    HttpRequest, HttpResponse, post,
    web::{Data, Path},
};
use chrono::{DateTime, Duration, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, ErrorKind, UserId},
    store::{
        StoreError, password_resets, sign_ins,
        users::{self, User},
    },
};
use sea_orm::ConnectionTrait;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{auth::password_length, paths::UserPath};
use crate::{
    audit::Audit,
    authentication::{
        lock_out::{self, Attempt},
        principal::Principal,
        secrets::{self, MAX_SECRET_BYTES},
        sign_in, strength,
    },
    body::Body,
    hosts,
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(change_password)
        .service(create_password_reset)
        .service(redeem_password_reset);
}

/// A new password for oneself.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ChangePasswordRequest {
    #[schema(value_type = String, format = Password)]
    #[garde(custom(password_length))]
    current_password: SecretString,
    #[schema(value_type = String, format = Password)]
    #[garde(custom(password_length))]
    new_password: SecretString,
}

/// A new password by a link.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct RedeemPasswordResetRequest {
    /// What stands behind `#` in the link.
    #[schema(value_type = String, format = Password)]
    #[garde(custom(secret_length))]
    token: SecretString,
    #[schema(value_type = String, format = Password)]
    #[garde(custom(password_length))]
    new_password: SecretString,
}

/// A link that sets a password once. It is shown this one time.
#[derive(Serialize, ToSchema)]
pub struct PasswordResetResponse {
    user_id: Uuid,
    /// To be given to the person, on a way that others do not read.
    url: String,
    expires_at: DateTime<Utc>,
}

pub(super) fn secret_length(secret: &SecretString, (): &()) -> garde::Result {
    if (1..=MAX_SECRET_BYTES).contains(&secret.expose_secret().len()) {
        return Ok(());
    }
    Err(garde::Error::new("has a length that no such secret has"))
}

/// Changes the caller's password. Their other sign-ins end.
#[utoipa::path(tag = "auth", operation_id = "change_password",
    request_body = ChangePasswordRequest, responses((status = 204)))]
#[post("/auth/password")]
pub async fn change_password(
    state: Data<AppState>,
    request: HttpRequest,
    principal: Principal,
    audit: Audit,
    body: Body<ChangePasswordRequest>,
) -> Result<HttpResponse, ApiError> {
    let ChangePasswordRequest {
        current_password,
        new_password,
    } = body.0;
    let session = principal.session()?;
    let user = principal.user;
    confirm_password(&state, &request, &audit, &user, &current_password).await?;
    let hash = hash_strong(&state, &user, &new_password).await?;
    let transaction = state.database().begin().await?;
    set_password(&transaction, user.id, &hash, Some(session.family_id)).await?;
    let event = AuditEvent::new("password.change").object("user", user.id);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

/// Makes a link by which a person sets a new password; their former links end. For instance
/// administrators.
#[utoipa::path(tag = "auth", operation_id = "create_password_reset", params(UserPath),
    responses((status = 201, body = PasswordResetResponse)))]
#[post("/users/{user_id}/password-resets")]
pub async fn create_password_reset(
    state: Data<AppState>,
    principal: Principal,
    audit: Audit,
    path: Path<UserPath>,
) -> Result<HttpResponse, ApiError> {
    principal.require_instance_administrator()?;
    let user = users::find(state.database().reader(), UserId(path.user_id))
        .await?
        .ok_or_else(|| ApiError::not_found("user"))?;
    let token = secrets::generate();
    let hash = secrets::hash(&token);
    let hours = state.settings.authentication.password_reset_hours.min(8760);
    let lifetime = Duration::hours(i64::try_from(hours).unwrap_or(1));
    let transaction = state.database().begin().await?;
    let expires_at =
        password_resets::create(&transaction, user.id, principal.user.id, &hash, lifetime).await?;
    let event = AuditEvent::new("password_reset.create")
        .object("user", user.id)
        .named(&user.email);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    let origin = state.settings.server.public_origin();
    Ok(HttpResponse::Created().json(PasswordResetResponse {
        user_id: user.id.0,
        url: format!("{origin}/reset-password#{token}"),
        expires_at,
    }))
}

/// Sets a password by a link, once. All sign-ins of the person end.
#[utoipa::path(tag = "auth", operation_id = "redeem_password_reset", security(()),
    request_body = RedeemPasswordResetRequest, responses((status = 204)))]
#[post("/auth/password-resets/redeem")]
pub async fn redeem_password_reset(
    state: Data<AppState>,
    request: HttpRequest,
    audit: Audit,
    body: Body<RedeemPasswordResetRequest>,
) -> Result<HttpResponse, ApiError> {
    let RedeemPasswordResetRequest {
        token,
        new_password,
    } = body.0;
    hosts::check_origin(&request, &state.settings.server)?;
    let token_hash = secrets::hash(token.expose_secret());
    let attempt = Attempt::begin(&state, &request, &token_hash).await?;
    let db = state.database().reader();
    let reset = password_resets::find_open(db, &token_hash)
        .await?
        .ok_or_else(invalid_link)?;
    let user = users::find(db, reset.user_id)
        .await?
        .ok_or_else(invalid_link)?;
    attempt.succeeded(&state).await?;
    // A password that is too weak leaves the link as it is.
    let hash = hash_strong(&state, &user, &new_password).await?;
    let transaction = state.database().begin().await?;
    if !password_resets::claim(&transaction, reset).await? {
        return Err(invalid_link());
    }
    set_password(&transaction, user.id, &hash, None).await?;
    let event = AuditEvent::new("password_reset.redeem").object("user", user.id);
    audit.record_as(&user, None, &transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    lock_out::lift(&state, &user.email).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Lets somebody who is signed in prove once more that they know the password. Guesses count like
/// those of a sign-in: a stolen session must not become a stolen password.
pub(super) async fn confirm_password(
    state: &AppState,
    request: &HttpRequest,
    audit: &Audit,
    user: &User,
    password: &SecretString,
) -> Result<(), ApiError> {
    let attempt = Attempt::begin(state, request, &user.email).await?;
    sign_in::check_password(state, audit, &user.email, password)
        .await
        .map_err(|error| match error.kind() {
            ErrorKind::Unauthenticated => wrong_password(),
            _ => error,
        })?;
    attempt.succeeded(state).await
}

async fn hash_strong(
    state: &AppState,
    user: &User,
    password: &SecretString,
) -> Result<String, ApiError> {
    strength::check(password.expose_secret(), &user.email, &user.name)
        .map_err(|weak| weak.at("/new_password"))?;
    state
        .passwords
        .hash(password.expose_secret().to_owned())
        .await
}

/// Replaces the password; what the old one has opened is closed.
async fn set_password(
    db: &impl ConnectionTrait,
    user_id: UserId,
    hash: &str,
    except: Option<Uuid>,
) -> Result<(), ApiError> {
    users::set_password_hash(db, user_id, hash).await?;
    password_resets::end_all(db, user_id).await?;
    sign_ins::end_all(db, user_id, except).await?;
    Ok(())
}

/// Not 401: the caller is signed in, and a client must not take this for a lost sign-in.
fn wrong_password() -> ApiError {
    ApiError::new(
        ErrorKind::Forbidden,
        "wrong_password",
        "the current password is wrong",
    )
}

fn invalid_link() -> ApiError {
    ApiError::new(
        ErrorKind::InvalidInput,
        "invalid_password_reset",
        "this link is not good, or no longer; ask for a new one",
    )
}
