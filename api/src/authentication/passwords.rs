//! Checking and hashing passwords: argon2id, off the request threads, a few at a time.

use std::{sync::Arc, time::Duration};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use quarry_shared::domain::ErrorKind;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::spawn_blocking,
    time::timeout,
};

use super::AuthenticationSetupError;
use crate::problem::ApiError;

/// Longest password that is hashed, in bytes.
pub const MAX_PASSWORD_BYTES: usize = 1024;
/// Stands for the hash of an account that has no password. Nothing hashes to it.
pub const NO_PASSWORD: &str = "!";
/// How long a sign-in waits for its turn.
const PATIENCE: Duration = Duration::from_secs(10);

/// Checks passwords in bounded memory, in the same time whether or not the account exists.
#[derive(Debug, Clone)]
pub struct Passwords {
    turns: Arc<Semaphore>,
    /// The hash of a password that nobody has.
    nobody: Arc<str>,
}

impl Passwords {
    /// # Errors
    /// When the hash function itself fails.
    pub fn new(concurrent: usize) -> Result<Self, AuthenticationSetupError> {
        let nobody = hash(&uuid::Uuid::new_v4().to_string())?;
        Ok(Self {
            turns: Arc::new(Semaphore::new(concurrent.max(1))),
            nobody: nobody.into(),
        })
    }

    /// Whether the password has this hash. Without a hash the same work is done and the answer is
    /// no.
    ///
    /// # Errors
    /// `Unavailable` when too many sign-ins wait.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<bool, ApiError> {
        let turn = self.turn().await?;
        // Accounts without a password hold something that is no hash.
        let hash = hash.filter(|hash| PasswordHash::new(hash).is_ok());
        let exists = hash.is_some();
        let hash = hash.unwrap_or_else(|| self.nobody.to_string());
        let matches = spawn_blocking(move || {
            // Held inside, so that a caller who goes away does not free the turn early.
            let _turn = turn;
            matches_hash(&password, &hash)
        })
        .await
        .map_err(ApiError::internal)?;
        Ok(matches && exists)
    }

    /// The hash of a password that was found strong enough (`strength`).
    ///
    /// # Errors
    /// `Unavailable` when too many sign-ins wait.
    pub async fn hash(&self, password: String) -> Result<String, ApiError> {
        let turn = self.turn().await?;
        spawn_blocking(move || {
            let _turn = turn;
            hash(&password)
        })
        .await
        .map_err(ApiError::internal)?
        .map_err(ApiError::internal)
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let busy = || {
            ApiError::new(
                ErrorKind::Unavailable,
                "sign_in_busy",
                "too many people are signing in",
            )
        };
        timeout(PATIENCE, self.turns.clone().acquire_owned())
            .await
            .map_err(|_| busy())?
            .map_err(ApiError::internal)
    }
}

/// A PHC string with a salt of its own.
///
/// # Errors
/// When the hash function itself fails.
pub fn hash(password: &str) -> Result<String, AuthenticationSetupError> {
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|error| AuthenticationSetupError::Hash(error.to_string()))
}

fn matches_hash(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| {
        Argon2::default()
            .verify_password(password.as_bytes(), &hash)
            .is_ok()
    })
}
