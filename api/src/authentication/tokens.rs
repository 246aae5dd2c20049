//! Access tokens: short-lived JWTs with one pinned algorithm.
//!
//! A token names a person and a sign-in, nothing else; rights and the sign-in's state are read
//! anew for every request.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
    time::Duration,
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::Utc;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use quarry_shared::{domain::UserId, store::sessions::Session};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::AuthenticationSetupError;
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
    encoding: EncodingKey,
    decoding: DecodingKey,
    key_id: String,
    lifetime: Duration,
}

impl AccessTokens {
    /// # Errors
    /// When the key is empty.
    pub fn new(key: &[u8], lifetime: Duration) -> Result<Self, AuthenticationSetupError> {
        let key_id = URL_SAFE_NO_PAD.encode(&Sha256::digest(key)[..8]);
        Ok(Self {
            encoding: EncodingKey::from_secret(key).map_err(AuthenticationSetupError::Key)?,
            decoding: DecodingKey::from_secret(key).map_err(AuthenticationSetupError::Key)?,
            key_id,
            lifetime,
        })
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
        let mut header = Header::new(ALGORITHM);
        header.kid = Some(self.key_id.clone());
        encode(&header, &claims, &self.encoding).map_err(ApiError::internal)
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
        let mut validation = Validation::new(ALGORITHM);
        validation.leeway = 0;
        validation.validate_nbf = true;
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "nbf", "iss", "aud", "sub"]);
        let decoded = decode::<Claims>(token, &self.decoding, &validation)
            .map_err(|_| ApiError::unauthenticated())?;
        let claims = decoded.claims;
        let now = Utc::now().timestamp();
        // The crate accepts a token in the second it expires, and does not look at `iat`.
        let is_current = claims.iat <= now && now < claims.exp;
        let is_short = claims.exp.saturating_sub(claims.iat) <= self.lifetime_seconds();
        let is_ours = decoded.header.kid.as_deref() == Some(&self.key_id);
        if is_current && is_short && is_ours {
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

/// The key in `file`, made at the first start, readable by this user only.
///
/// # Errors
/// When the file can be neither made nor read, or holds no key.
pub fn load_or_create_key(file: &Path) -> Result<Vec<u8>, AuthenticationSetupError> {
    create_key(file).map_err(AuthenticationSetupError::KeyFile)?;
    let text = fs::read_to_string(file).map_err(AuthenticationSetupError::KeyFile)?;
    let key = URL_SAFE_NO_PAD.decode(text.trim()).unwrap_or_default();
    if key.len() < 32 {
        let error = io::Error::new(io::ErrorKind::InvalidData, "the file holds no key");
        return Err(AuthenticationSetupError::KeyFile(error));
    }
    Ok(key)
}

fn create_key(file: &Path) -> io::Result<()> {
    if file.exists() {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    // Written aside and linked into place, so that nobody ever reads half a key and the first of
    // two servers that start together wins.
    let aside = file.with_extension(Uuid::new_v4().simple().to_string());
    let mut handle = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&aside)?;
    handle.write_all(
        URL_SAFE_NO_PAD
            .encode(rand::random::<[u8; 32]>())
            .as_bytes(),
    )?;
    handle.sync_all()?;
    let linked = fs::hard_link(&aside, file);
    fs::remove_file(&aside)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}
