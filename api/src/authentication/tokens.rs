//! Access tokens: short-lived JWTs with one pinned algorithm.
//!
//! A token names a person and a sign-in, nothing else; rights and the sign-in's state are read
//! anew for every request.

use std::time::Duration;

use chrono::Utc;
use jsonwebtoken::{Algorithm, Header, Validation, decode, decode_header, encode};
use quarry_shared::{domain::UserId, store::sessions::Session};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::signing_keys::{NOTICE_SECONDS, SigningKey, SigningKeys};
use crate::problem::ApiError;

const ALGORITHM: Algorithm = Algorithm::HS256;
const ISSUER: &str = "quarry";
const AUDIENCE: &str = "quarry-api";
/// Longest token that is looked at.
const MAX_TOKEN_BYTES: usize = 4096;

/// What a token says.
#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    /// The person.
    sub: Uuid,
    /// The sign-in (family of refresh tokens).
    sid: Uuid,
    iat: i64,
    nbf: i64,
    exp: i64,
}

/// Signs and checks access tokens.
pub struct AccessTokens {
    keys: SigningKeys,
    lifetime: Duration,
}

impl AccessTokens {
    #[must_use]
    pub const fn new(keys: SigningKeys, lifetime: Duration) -> Self {
        Self { keys, lifetime }
    }

    /// How long a new token is good.
    #[must_use]
    pub const fn lifetime(&self) -> Duration {
        self.lifetime
    }

    /// A token for a sign-in, good from now on.
    ///
    /// # Errors
    /// `Internal` when signing fails.
    pub fn issue(&self, session: Session) -> Result<String, ApiError> {
        let now = Utc::now().timestamp();
        let claims = Claims {
            iss: ISSUER.to_owned(),
            aud: AUDIENCE.to_owned(),
            sub: session.user_id.0,
            sid: session.family_id,
            iat: now,
            nbf: now,
            exp: now.saturating_add(self.lifetime_seconds()),
        };
        let keys = self.keys.keys();
        let key = keys
            .first()
            .ok_or_else(|| ApiError::internal("there is no key to sign with"))?;
        let mut header = Header::new(ALGORITHM);
        header.kid = Some(key.id.clone());
        encode(&header, &claims, &key.encoding).map_err(ApiError::internal)
    }

    /// The sign-in that a token names, when the token is good at this very second. Does not say
    /// what is wrong with a bad one.
    ///
    /// # Errors
    /// `Unauthenticated`.
    pub fn check(&self, token: &str) -> Result<Session, ApiError> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(ApiError::unauthenticated());
        }
        let key_id = decode_header(token)
            .ok()
            .and_then(|header| header.kid)
            .ok_or_else(ApiError::unauthenticated)?;
        let named = |key: &&SigningKey| key.id == key_id;
        let mut keys = self.keys.keys();
        if !keys.iter().any(|key| named(&key)) {
            keys = self.keys.newest_keys();
        }
        let key = keys
            .iter()
            .find(named)
            .ok_or_else(ApiError::unauthenticated)?;
        let mut validation = Validation::new(ALGORITHM);
        validation.leeway = 0;
        validation.validate_nbf = true;
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "nbf", "iss", "aud", "sub"]);
        let decoded = decode::<Claims>(token, &key.decoding, &validation)
            .map_err(|_| ApiError::unauthenticated())?;
        let claims = decoded.claims;
        let now = Utc::now().timestamp();
        // The crate accepts a token in the second it expires, and does not look at `iat`.
        let is_current = claims.iat <= now && now < claims.exp;
        let is_short = claims.exp.saturating_sub(claims.iat) <= self.lifetime_seconds();
        // A retired key that was stolen signs nothing new.
        let is_timely = key
            .retired_at
            .is_none_or(|at| claims.iat <= at.saturating_add(NOTICE_SECONDS));
        if is_current && is_short && is_timely {
            return Ok(Session {
                user_id: UserId(claims.sub),
                family_id: claims.sid,
            });
        }
        Err(ApiError::unauthenticated())
    }

    fn lifetime_seconds(&self) -> i64 {
        i64::try_from(self.lifetime.as_secs()).unwrap_or(i64::MAX)
    }
}
