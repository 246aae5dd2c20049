//! Who somebody is: passwords, access tokens, refresh cookies, the first administrator.
//!
//! What somebody may do is decided in `access`.

pub mod api_tokens;
pub mod cookies;
pub mod first_start;
pub mod limits;
pub mod lock_out;
pub mod oidc;
pub mod one_time_codes;
pub mod passwords;
pub mod principal;
pub mod secrets;
pub mod sign_in;
pub mod signing_keys;
pub mod strength;
pub mod tokens;

use std::io;

use thiserror::Error;

/// Sign-in cannot be prepared.
#[derive(Debug, Error)]
pub enum AuthenticationSetupError {
    #[error("the key file cannot be used")]
    KeyFile(#[source] io::Error),
    #[error("the signing key cannot be used")]
    Key(#[source] jsonwebtoken::errors::Error),
    #[error("a password cannot be hashed: {0}")]
    Hash(String),
    #[error("`admin.password` cannot be used")]
    Weak(#[from] strength::WeakPassword),
    #[error("the first account cannot be stored")]
    Store(#[from] quarry_shared::store::StoreError),
}
