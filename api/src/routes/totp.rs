//! Codes from an authenticator as a second proof at sign-in, for those who want it.
//!
//! `GET|POST /auth/totp`, `POST /auth/totp/confirm`, `POST /auth/totp/recovery-codes`,
//! `POST /auth/totp/disable`, `POST /auth/login/totp`, `DELETE /users/{user_id}/totp`.

use actix_web::{
    HttpRequest, HttpResponse, delete, get, post,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Duration, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, ErrorKind, UserId},
    store::{
        StoreError,
        authenticators::{self, Authenticator},
        sign_ins::SignInMethod,
        users::{self, User},
    },
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use super::{
    auth::{TokenResponse, password_length, signed_in},
    passwords::{confirm_password, secret_length},
    paths::UserPath,
};
use crate::{
    audit::Audit,
    authentication::{
        lock_out::Attempt,
        one_time_codes::{TotpSecret, recovery_code_hash, recovery_codes},
        principal::Principal,
        secrets, sign_in,
    },
    body::Body,
    hosts,
    problem::ApiError,
    state::AppState,
};

/// How long a sign-in waits for its code.
const CHALLENGE_MINUTES: i64 = 5;
/// Codes that may be tried for one sign-in.
const MOST_ATTEMPTS: i64 = 5;

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(get_totp)
        .service(begin_totp)
        .service(confirm_totp)
        .service(replace_recovery_codes)
        .service(disable_totp)
        .service(login_with_code)
        .service(remove_totp);
}

/// Whether sign-ins need a code.
#[derive(Debug, Serialize, ToSchema)]
pub struct TotpResponse {
    is_enabled: bool,
    #[schema(required = true)]
    enabled_at: Option<DateTime<Utc>>,
    recovery_codes_left: u64,
}

/// The caller's password, once more.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct PasswordRequest {
    #[schema(value_type = String, format = Password)]
    #[garde(custom(password_length))]
    password: SecretString,
}

/// What an authenticator needs to know. It is shown this one time.
#[derive(Serialize, ToSchema)]
pub struct TotpSecretResponse {
    /// To be typed in.
    secret: String,
    /// To be shown as a picture.
    otpauth_url: String,
}

/// A code that the authenticator shows.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct CodeRequest {
    #[garde(length(bytes, min = 1, max = 64))]
    code: String,
}

/// Codes that stand in for a lost authenticator, each once. They are shown this one time.
#[derive(Serialize, ToSchema)]
pub struct RecoveryCodesResponse {
    recovery_codes: Vec<String>,
}

/// The password was right; a code is needed too.
#[derive(Serialize, ToSchema)]
pub struct ChallengeResponse {
    #[schema(example = "totp_required")]
    status: &'static str,
    /// For `POST /auth/login/totp`.
    challenge: String,
    /// Seconds until the challenge ends.
    expires_in: i64,
}

/// The second half of signing in.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct LoginWithCodeRequest {
    #[schema(value_type = String, format = Password)]
    #[garde(custom(secret_length))]
    challenge: SecretString,
    /// Six digits of the authenticator, or a recovery code.
    #[garde(length(bytes, min = 1, max = 64))]
    code: String,
}

/// Says whether the caller's sign-ins need a code.
#[utoipa::path(tag = "auth", operation_id = "get_totp",
    responses((status = 200, body = TotpResponse)))]
#[get("/auth/totp")]
pub async fn get_totp(
    state: Data<AppState>,
    principal: Principal,
) -> Result<Json<TotpResponse>, ApiError> {
    let db = state.database().reader();
    let found = authenticators::find(db, principal.user.id).await?;
    let enabled_at = found.and_then(|found| found.confirmed_at);
    Ok(Json(TotpResponse {
        is_enabled: enabled_at.is_some(),
        enabled_at,
        recovery_codes_left: authenticators::recovery_codes_left(db, principal.user.id).await?,
    }))
}

/// Makes a secret for an authenticator. Nothing changes until a code has confirmed it.
#[utoipa::path(tag = "auth", operation_id = "begin_totp", request_body = PasswordRequest,
    responses((status = 201, body = TotpSecretResponse)))]
#[post("/auth/totp")]
pub async fn begin_totp(
    state: Data<AppState>,
    request: HttpRequest,
    principal: Principal,
    audit: Audit,
    body: Body<PasswordRequest>,
) -> Result<HttpResponse, ApiError> {
    let user = principal.user;
    confirm_password(&state, &request, &audit, &user, &body.0.password).await?;
    let secret = TotpSecret::generate(&user.email)?;
    let sealed = secret.seal(&state.services.keyring, user.id)?;
    let transaction = state.database().begin().await?;
    authenticators::begin(&transaction, user.id, sealed).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::Created().json(TotpSecretResponse {
        secret: secret.base32(),
        otpauth_url: secret.url(),
    }))
}

/// Confirms the authenticator with a code; from now on sign-ins need one.
#[utoipa::path(tag = "auth", operation_id = "confirm_totp", request_body = CodeRequest,
    responses((status = 200, body = RecoveryCodesResponse)))]
#[post("/auth/totp/confirm")]
pub async fn confirm_totp(
    state: Data<AppState>,
    request: HttpRequest,
    principal: Principal,
    audit: Audit,
    body: Body<CodeRequest>,
) -> Result<Json<RecoveryCodesResponse>, ApiError> {
    let user = principal.user;
    let found = authenticators::find(state.database().reader(), user.id).await?;
    let waiting = found
        .filter(|found| found.confirmed_at.is_none())
        .ok_or_else(nothing_to_confirm)?;
    let attempt = Attempt::begin(&state, &request, &user.email).await?;
    if !uses_code(&state, &user, &waiting, &body.0.code).await? {
        return Err(wrong_code());
    }
    attempt.succeeded(&state).await?;
    let codes = recovery_codes();
    let hashes = codes.iter().map(|code| recovery_code_hash(code)).collect();
    let transaction = state.database().begin().await?;
    authenticators::confirm(&transaction, user.id).await?;
    authenticators::replace_recovery_codes(&transaction, user.id, hashes).await?;
    let event = AuditEvent::new("totp.enable").object("user", user.id);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(RecoveryCodesResponse {
        recovery_codes: codes,
    }))
}

/// Makes new recovery codes; the former ones end.
#[utoipa::path(tag = "auth", operation_id = "replace_recovery_codes",
    request_body = PasswordRequest, responses((status = 200, body = RecoveryCodesResponse)))]
#[post("/auth/totp/recovery-codes")]
pub async fn replace_recovery_codes(
    state: Data<AppState>,
    request: HttpRequest,
    principal: Principal,
    audit: Audit,
    body: Body<PasswordRequest>,
) -> Result<Json<RecoveryCodesResponse>, ApiError> {
    let user = principal.user;
    confirm_password(&state, &request, &audit, &user, &body.0.password).await?;
    confirmed(&state, user.id).await?.ok_or_else(not_enabled)?;
    let codes = recovery_codes();
    let hashes = codes.iter().map(|code| recovery_code_hash(code)).collect();
    let transaction = state.database().begin().await?;
    authenticators::replace_recovery_codes(&transaction, user.id, hashes).await?;
    let event = AuditEvent::new("recovery_codes.replace").object("user", user.id);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(RecoveryCodesResponse {
        recovery_codes: codes,
    }))
}

/// Lets the caller sign in without a code again.
#[utoipa::path(tag = "auth", operation_id = "disable_totp", request_body = PasswordRequest,
    responses((status = 204)))]
#[post("/auth/totp/disable")]
pub async fn disable_totp(
    state: Data<AppState>,
    request: HttpRequest,
    principal: Principal,
    audit: Audit,
    body: Body<PasswordRequest>,
) -> Result<HttpResponse, ApiError> {
    let user = principal.user;
    confirm_password(&state, &request, &audit, &user, &body.0.password).await?;
    remove(&state, &audit, user.id).await
}

/// Lets somebody who has lost authenticator and codes sign in without. For instance administrators.
#[utoipa::path(tag = "auth", operation_id = "remove_totp", params(UserPath),
    responses((status = 204)))]
#[delete("/users/{user_id}/totp")]
pub async fn remove_totp(
    state: Data<AppState>,
    principal: Principal,
    audit: Audit,
    path: Path<UserPath>,
) -> Result<HttpResponse, ApiError> {
    principal.require_instance_administrator()?;
    let user = users::find(state.database().reader(), UserId(path.user_id))
        .await?
        .ok_or_else(|| ApiError::not_found("user"))?;
    remove(&state, &audit, user.id).await
}

/// Signs in with the code that belongs to a challenge.
#[utoipa::path(tag = "auth", operation_id = "login_with_code", security(()),
    request_body = LoginWithCodeRequest, responses((status = 200, body = TokenResponse)))]
#[post("/auth/login/totp")]
pub async fn login_with_code(
    state: Data<AppState>,
    request: HttpRequest,
    audit: Audit,
    body: Body<LoginWithCodeRequest>,
) -> Result<HttpResponse, ApiError> {
    let LoginWithCodeRequest { challenge, code } = body.0;
    hosts::check_origin(&request, &state.settings.server)?;
    let hash = secrets::hash(challenge.expose_secret());
    let db = state.database().writer();
    let challenge = authenticators::attempt(db, &hash, MOST_ATTEMPTS)
        .await?
        .ok_or_else(invalid_challenge)?;
    let user = users::find(db, challenge.user_id)
        .await?
        .ok_or_else(invalid_challenge)?;
    let authenticator = confirmed(&state, user.id)
        .await?
        .ok_or_else(invalid_challenge)?;
    let attempt = Attempt::begin(&state, &request, &user.email).await?;
    let is_right = uses_code(&state, &user, &authenticator, &code).await?
        || authenticators::use_recovery_code(db, user.id, &recovery_code_hash(&code)).await?;
    if !is_right {
        let event = AuditEvent::new("session.create").detail("method", "password_and_code");
        audit.record_refused(Some(&user), event).await;
        return Err(wrong_code());
    }
    if !authenticators::finish(db, challenge).await? {
        return Err(invalid_challenge());
    }
    attempt.succeeded(&state).await?;
    let method = SignInMethod::PasswordAndCode;
    let (session, cookie) = sign_in::start(&state, &request, &audit, &user, method).await?;
    signed_in(&state, session, cookie, user)
}

/// The answer to a right password of somebody with an authenticator; `None` without one.
pub(super) async fn challenge(
    state: &AppState,
    user: &User,
) -> Result<Option<HttpResponse>, ApiError> {
    if confirmed(state, user.id).await?.is_none() {
        return Ok(None);
    }
    let challenge = secrets::generate();
    let lifetime = Duration::minutes(CHALLENGE_MINUTES);
    let db = state.database().writer();
    authenticators::challenge(db, user.id, &secrets::hash(&challenge), lifetime).await?;
    Ok(Some(HttpResponse::Accepted().json(ChallengeResponse {
        status: "totp_required",
        challenge,
        expires_in: lifetime.num_seconds(),
    })))
}

async fn confirmed(state: &AppState, user_id: UserId) -> Result<Option<Authenticator>, ApiError> {
    // The newest state: somebody may have confirmed it just now.
    let found = authenticators::find(state.database().writer(), user_id).await?;
    Ok(found.filter(|found| found.confirmed_at.is_some()))
}

/// Whether the code is right and has not been used before. It has been used then.
async fn uses_code(
    state: &AppState,
    user: &User,
    authenticator: &Authenticator,
    code: &str,
) -> Result<bool, ApiError> {
    let secret = TotpSecret::open(&state.services.keyring, user.id, &authenticator.secret)?;
    let code: String = code.split_whitespace().collect();
    match secret.step_of(&code, Utc::now().timestamp()) {
        Some(step) => {
            let db = state.database().writer();
            Ok(authenticators::use_step(db, user.id, step).await?)
        }
        None => Ok(false),
    }
}

async fn remove(
    state: &AppState,
    audit: &Audit,
    user_id: UserId,
) -> Result<HttpResponse, ApiError> {
    let transaction = state.database().begin().await?;
    authenticators::remove(&transaction, user_id).await?;
    let event = AuditEvent::new("totp.disable").object("user", user_id);
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

fn wrong_code() -> ApiError {
    ApiError::new(
        ErrorKind::Forbidden,
        "wrong_code",
        "the code is wrong or was used before",
    )
}

fn invalid_challenge() -> ApiError {
    ApiError::new(
        ErrorKind::Unauthenticated,
        "invalid_challenge",
        "begin again with the password",
    )
}

fn nothing_to_confirm() -> ApiError {
    ApiError::new(
        ErrorKind::Conflict,
        "nothing_to_confirm",
        "there is no authenticator that waits for its first code",
    )
}

fn not_enabled() -> ApiError {
    ApiError::new(
        ErrorKind::Conflict,
        "totp_not_enabled",
        "there is no authenticator",
    )
}
