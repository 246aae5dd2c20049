//! The refresh token: a random secret in a cookie that scripts cannot read. Only its hash is kept.

use actix_web::{
    HttpRequest,
    cookie::{Cookie, SameSite, time::Duration as CookieDuration},
};
use chrono::Duration;
use quarry_shared::{
    config::{AuthenticationSettings, ServerSettings},
    store::sessions::SessionLifetimes,
};

use super::secrets;

/// Name of the cookie.
pub const NAME: &str = "quarry_refresh";
const PATH: &str = "/api/v1/auth";

/// A secret that only the browser keeps.
pub struct RefreshToken(String);

impl RefreshToken {
    /// 256 random bits.
    #[must_use]
    pub fn generate() -> Self {
        Self(secrets::generate())
    }

    /// The token that the request brings along.
    #[must_use]
    pub fn of(request: &HttpRequest) -> Option<Self> {
        request
            .cookie(NAME)
            .map(|cookie| Self(cookie.value().to_owned()))
            .filter(|token| (1..=secrets::MAX_SECRET_BYTES).contains(&token.0.len()))
    }

    /// What is stored.
    #[must_use]
    pub fn hash(&self) -> String {
        secrets::hash(&self.0)
    }

    /// The cookie that brings the token to the browser.
    #[must_use]
    pub fn into_cookie(
        self,
        server: &ServerSettings,
        settings: &AuthenticationSettings,
    ) -> Cookie<'static> {
        let days = i64::try_from(settings.refresh_token_days).unwrap_or(i64::MAX / 100_000);
        bare(self.0, server)
            .max_age(CookieDuration::days(days))
            .finish()
    }
}

/// The cookie that removes the token from the browser.
#[must_use]
pub fn removal(server: &ServerSettings) -> Cookie<'static> {
    bare(String::new(), server)
        .max_age(CookieDuration::ZERO)
        .finish()
}

/// How long refresh tokens live.
#[must_use]
pub fn lifetimes(settings: &AuthenticationSettings) -> SessionLifetimes {
    let days = i64::try_from(settings.refresh_token_days.min(3650)).unwrap_or(3650);
    let grace = i64::try_from(settings.refresh_grace_seconds.min(3600)).unwrap_or(3600);
    SessionLifetimes {
        token: Duration::days(days),
        grace: Duration::seconds(grace),
    }
}

fn bare(value: String, server: &ServerSettings) -> actix_web::cookie::CookieBuilder<'static> {
    Cookie::build(NAME, value)
        .path(PATH)
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(server.is_https())
}
