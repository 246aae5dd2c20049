//! Signing in at an organization's identity provider.
//!
//! `GET /auth/methods`, `GET /auth/oidc/{identity_provider_id}/start`, `GET /auth/oidc/callback`.
//!
//! The last two are opened by browsers and answer with redirects. A failure goes back to the sign-in
//! page with a code; the refresh cookie alone brings a success.

use actix_web::{
    HttpRequest, HttpResponse,
    cookie::{Cookie, SameSite, time::Duration as CookieDuration},
    get,
    http::header,
    web::{Data, Json, Path},
};
use chrono::Duration;
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, ErrorKind, IdentityProviderId},
    store::{
        StoreError, federation,
        identity_providers::{self, IdentityProvider},
        sign_ins::SignInMethod,
        users::{self, NewUser, User},
    },
};
use sea_orm::DatabaseTransaction;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::paths::IdentityProviderStartPath;
use crate::{
    audit::Audit,
    authentication::{
        limits::client_address,
        oidc::{BrowserSecret, Provider, Vouched, domain_of, refused},
        passwords::NO_PASSWORD,
        secrets::{self, MAX_SECRET_BYTES},
        sign_in,
    },
    body::Params,
    problem::ApiError,
    state::AppState,
};

const COOKIE: &str = "quarry_oidc";
const COOKIE_PATH: &str = "/api/v1/auth/oidc";
/// How long somebody may take at the provider.
const MINUTES: i64 = 10;
const MAX_REDIRECT_BYTES: usize = 2000;

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_methods)
        .service(finish_oidc)
        .service(start_oidc);
}

#[derive(Debug, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct MethodsQuery {
    /// Only the part behind `@` counts.
    #[garde(length(bytes, min = 1, max = 320))]
    email: String,
}

/// How people with addresses of a domain may sign in, whether or not they have an account.
#[derive(Debug, Serialize, ToSchema)]
pub struct MethodsResponse {
    password: bool,
    identity_providers: Vec<SignInOfferResponse>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SignInOfferResponse {
    id: Uuid,
    name: String,
    organization_name: String,
    /// To be opened by the browser; takes `redirect`.
    start_url: String,
}

#[derive(Debug, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct StartQuery {
    /// Page of the dashboard to go to afterwards, `/` at first.
    #[garde(length(bytes, max = MAX_REDIRECT_BYTES))]
    redirect: Option<String>,
}

/// What a provider adds to the address; others may add more.
#[derive(Debug, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
pub struct CallbackQuery {
    #[garde(length(bytes, max = 4096))]
    code: Option<String>,
    #[garde(length(bytes, max = MAX_SECRET_BYTES))]
    state: Option<String>,
    /// The issuer, when the provider says so (RFC 9207).
    #[garde(length(bytes, max = 2048))]
    iss: Option<String>,
}

/// Says how to sign in with an address. Tells domains apart, never accounts.
#[utoipa::path(tag = "auth", operation_id = "list_sign_in_methods", security(()),
    params(MethodsQuery), responses((status = 200, body = MethodsResponse)))]
#[get("/auth/methods")]
pub async fn list_methods(
    state: Data<AppState>,
    query: Params<MethodsQuery>,
) -> Result<Json<MethodsResponse>, ApiError> {
    let domain = domain_of(query.0.email.trim()).unwrap_or_default();
    let offers = identity_providers::for_domain(state.database().reader(), domain).await?;
    let offers = offers.into_iter().map(|offer| SignInOfferResponse {
        id: offer.id.0,
        start_url: format!("/api/v1/auth/oidc/{}/start", offer.id),
        name: offer.name,
        organization_name: offer.organization_name,
    });
    Ok(Json(MethodsResponse {
        password: true,
        identity_providers: offers.collect(),
    }))
}

/// Sends the browser to an identity provider.
#[utoipa::path(tag = "auth", operation_id = "start_oidc", security(()),
    params(IdentityProviderStartPath, StartQuery),
    responses((status = 303, description = "To the provider.")))]
#[get("/auth/oidc/{identity_provider_id}/start")]
pub async fn start_oidc(
    state: Data<AppState>,
    request: HttpRequest,
    path: Path<IdentityProviderStartPath>,
    query: Params<StartQuery>,
) -> Result<HttpResponse, ApiError> {
    let redirect = query.0.redirect.unwrap_or_else(|| "/".to_owned());
    if !is_safe_redirect(&redirect) {
        return Err(ApiError::invalid(
            "redirect",
            "must be a path of the dashboard",
        ));
    }
    let address = client_address(&request, &state.settings.server);
    state.sign_in_limits.check_address(address)?;
    let id = IdentityProviderId(path.identity_provider_id);
    let found = identity_providers::find_for_sign_in(state.database().reader(), id).await?;
    let provider = discover(&state, &found).await?;

    let (token, browser) = (secrets::generate(), BrowserSecret::generate());
    let url = provider.authorization_url(&token, &browser)?;
    let db = state.database().writer();
    let lifetime = Duration::minutes(MINUTES);
    let hash = secrets::hash(&token);
    federation::begin(db, &hash, id, &browser.hash(), &redirect, lifetime).await?;
    let cookie =
        cookie(&state, browser.expose().to_owned()).max_age(CookieDuration::minutes(MINUTES));
    Ok(see_other(&url).cookie(cookie.finish()).finish())
}

/// Takes the browser back from the identity provider and signs the person in.
#[utoipa::path(tag = "auth", operation_id = "finish_oidc", security(()), params(CallbackQuery),
    responses((status = 303, description = "To the dashboard, or to its sign-in page with `problem`.")))]
#[get("/auth/oidc/callback")]
pub async fn finish_oidc(
    state: Data<AppState>,
    request: HttpRequest,
    audit: Audit,
    query: Params<CallbackQuery>,
) -> Result<HttpResponse, ApiError> {
    let removal = cookie(&state, String::new())
        .max_age(CookieDuration::ZERO)
        .finish();
    let mut response = match finish(&state, &request, &audit, query.0).await {
        Ok((refresh_cookie, redirect)) => {
            let mut response = see_other(&redirect);
            response.cookie(refresh_cookie);
            response
        }
        Err(error) if error.kind() == ErrorKind::Internal => return Err(error),
        Err(error) => {
            let event = AuditEvent::new("session.create")
                .detail("method", "identity_provider")
                .detail("code", error.code());
            audit.record_refused(None, event).await;
            see_other(&format!("/login?problem={}", error.code()))
        }
    };
    Ok(response.cookie(removal).finish())
}

async fn finish(
    state: &AppState,
    request: &HttpRequest,
    audit: &Audit,
    query: CallbackQuery,
) -> Result<(Cookie<'static>, String), ApiError> {
    let address = client_address(request, &state.settings.server);
    state.sign_in_limits.check_address(address)?;
    let token = query.state.ok_or_else(not_under_way)?;
    let browser = request
        .cookie(COOKIE)
        .filter(|cookie| (1..=MAX_SECRET_BYTES).contains(&cookie.value().len()))
        .map(|cookie| BrowserSecret::from_cookie(cookie.value().to_owned()))
        .ok_or_else(not_under_way)?;
    let transaction = state.database().begin().await?;
    let begun = federation::take(&transaction, &secrets::hash(&token)).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    let begun = begun
        .filter(|begun| begun.browser_hash == browser.hash())
        .ok_or_else(not_under_way)?;
    let db = state.database().reader();
    let found = identity_providers::find_for_sign_in(db, begun.provider_id).await?;
    let is_own_issuer = query.iss.is_none_or(|iss| iss == found.settings.issuer);
    let code = query.code.filter(|_| is_own_issuer).ok_or_else(declined)?;
    let provider = discover(state, &found).await?;
    let vouched = provider.vouched(code, &token, &browser).await?;

    let transaction = state.database().begin().await?;
    let user = admit(&transaction, &found, vouched).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    let method = SignInMethod::Provider(found.id, found.organization_id);
    let (_, cookie) = sign_in::start(state, request, audit, &user, method).await?;
    Ok((cookie, begun.redirect))
}

/// The account of whom the provider has vouched for, made when there is none, with the membership,
/// role and teams that the provider gives. Linking an account by its address is safe because the
/// sign-in reaches the provider's organization alone.
async fn admit(
    transaction: &DatabaseTransaction,
    provider: &IdentityProvider,
    vouched: Vouched,
) -> Result<User, ApiError> {
    let linked = federation::find_user(transaction, &vouched.issuer, &vouched.subject).await?;
    let user = match linked {
        Some(id) => users::find(transaction, id)
            .await?
            .ok_or_else(unavailable)?,
        None => match users::find_for_sign_in(transaction, &vouched.email).await? {
            Some((user, _)) => user,
            None if provider.settings.adds_members => create(transaction, &vouched).await?,
            None => return Err(not_a_member()),
        },
    };
    federation::link(transaction, &vouched.issuer, &vouched.subject, user.id).await?;
    if !federation::join(transaction, provider, user.id).await? {
        return Err(not_a_member());
    }
    federation::apply_groups(transaction, provider, user.id, &vouched.groups).await?;
    Ok(user)
}

async fn create(transaction: &DatabaseTransaction, vouched: &Vouched) -> Result<User, ApiError> {
    let new = NewUser {
        email: vouched.email.clone(),
        name: vouched.name.clone(),
        password_hash: NO_PASSWORD.to_owned(),
        is_instance_administrator: false,
    };
    match users::create(transaction, new).await {
        // The address belongs to an account that cannot be used.
        Err(StoreError::Conflict { .. }) => Err(unavailable()),
        other => Ok(other?),
    }
}

async fn discover<'a>(
    state: &'a AppState,
    provider: &'a IdentityProvider,
) -> Result<Provider<'a>, ApiError> {
    let services = &state.services;
    let origin = state.settings.server.public_origin();
    Provider::discover(provider, &services.keyring, &services.outbound, &origin).await
}

/// A path of the dashboard on this very server, whatever a browser makes of it.
fn is_safe_redirect(path: &str) -> bool {
    let is_path = path.starts_with('/') && !path.starts_with("//");
    let is_plain = path
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    is_path && is_plain && !path.starts_with("/api")
}

fn see_other(location: &str) -> actix_web::HttpResponseBuilder {
    let mut response = HttpResponse::SeeOther();
    response.insert_header((header::LOCATION, location));
    response
}

/// `Lax`: the provider's page brings the browser back.
fn cookie(state: &AppState, value: String) -> actix_web::cookie::CookieBuilder<'static> {
    Cookie::build(COOKIE, value)
        .path(COOKIE_PATH)
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(state.settings.server.is_https())
}

fn not_under_way() -> ApiError {
    refused(
        "sign_in_not_under_way",
        "this sign-in was not begun here, or is over; begin again",
    )
}

fn declined() -> ApiError {
    refused(
        "sign_in_declined",
        "the identity provider did not sign you in",
    )
}

fn unavailable() -> ApiError {
    refused("account_unavailable", "the account cannot be used")
}

fn not_a_member() -> ApiError {
    refused("not_a_member", "you do not belong to this organization")
}

#[cfg(test)]
mod tests {
    use super::is_safe_redirect;

    #[test]
    fn only_paths_of_the_dashboard_are_gone_to() {
        for safe in ["/", "/search?q=a&page=2", "/o/default#top", "/a//b"] {
            assert!(is_safe_redirect(safe), "{safe}");
        }
        for unsafe_one in [
            "",
            "search",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "/\t/evil.example",
            "/\r\nset-cookie: a=b",
            " /",
            "/api/v1/auth/logout",
            "/é",
        ] {
            assert!(!is_safe_redirect(unsafe_one), "{unsafe_one:?}");
        }
    }
}
