//! What every way of signing in ends with: a sign-in that is stored, its tokens, and the answer.

use actix_web::{HttpRequest, cookie::Cookie, http::header};
use quarry_shared::{
    domain::{AuditEvent, ErrorKind},
    store::{
        StoreError,
        sessions::{self, Session},
        sign_ins::{Origin, SignInMethod},
        users::{self, User},
    },
};
use secrecy::{ExposeSecret, SecretString};

use super::{
    cookies::{self, RefreshToken},
    limits::client_address,
};
use crate::{audit::Audit, problem::ApiError, state::AppState};

/// Where a request comes from, as it is shown to the person later.
#[must_use]
pub fn origin_of(request: &HttpRequest, state: &AppState) -> Origin {
    let user_agent = request
        .headers()
        .get(header::USER_AGENT)
        .and_then(|value| value.to_str().ok());
    Origin {
        address: client_address(request, &state.settings.server).to_string(),
        user_agent: user_agent.unwrap_or_default().to_owned(),
    }
}

/// Stores a new sign-in. Returns it with the cookie that keeps it going.
///
/// # Errors
/// When the database fails.
pub async fn start(
    state: &AppState,
    request: &HttpRequest,
    audit: &Audit,
    user: &User,
    method: SignInMethod,
) -> Result<(Session, Cookie<'static>), ApiError> {
    let settings = &state.settings;
    let token = RefreshToken::generate();
    let lifetimes = cookies::lifetimes(&settings.authentication);
    let origin = origin_of(request, state);
    let transaction = state.database().begin().await?;
    sessions::remove_expired(&transaction).await?;
    let hash = token.hash();
    let session = sessions::start(&transaction, user.id, &hash, lifetimes, method, &origin).await?;
    let mut event = AuditEvent::new("session.create")
        .object("session", session.family_id)
        .detail("method", method.as_str());
    if let SignInMethod::Provider(provider, organization) = method {
        event = event
            .within(organization)
            .detail("identity_provider_id", provider.to_string());
    }
    audit
        .record_as(user, Some(session), &transaction, event)
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    let cookie = token.into_cookie(&settings.server, &settings.authentication);
    Ok((session, cookie))
}

/// The person whose address and password these are. Takes the same time when there is none. A refusal
/// is recorded without what was typed: it may be a password in the wrong field.
///
/// # Errors
/// `Unauthenticated` without saying what is wrong; `Unavailable` when too many sign-ins wait.
pub async fn check_password(
    state: &AppState,
    audit: &Audit,
    email: &str,
    password: &SecretString,
) -> Result<User, ApiError> {
    let found = users::find_for_sign_in(state.database().reader(), email).await?;
    let (user, hash) = found.unzip();
    let password = password.expose_secret().to_owned();
    let is_right = state.passwords.verify(password, hash).await?;
    if let Some(user) = user.as_ref().filter(|_| is_right) {
        return Ok(user.clone());
    }
    let event = AuditEvent::new("session.create").detail("method", "password");
    audit.record_refused(user.as_ref(), event).await;
    Err(ApiError::new(
        ErrorKind::Unauthenticated,
        "invalid_credentials",
        "the e-mail address or the password is wrong",
    ))
}
