//! The second line against guessing: failures counted in the database, so that it holds over
//! processes and restarts. The first line is `limits`.

use std::{net::IpAddr, time::Duration};

use actix_web::HttpRequest;
use chrono::Utc;
use quarry_shared::{
    config::AuthenticationSettings,
    domain::ErrorKind,
    store::{
        StoreError,
        sign_in_failures::{self, FailureKey, LockOut},
        users::normalized_email,
    },
};

use super::{limits::client_address, secrets};
use crate::{problem::ApiError, state::AppState};

const FIRST_WAIT_SECONDS: i64 = 30;
const MEMORY_HOURS: i64 = 24;

/// An attempt to prove who one is. It counts as failed until [`Attempt::succeeded`].
#[must_use]
pub struct Attempt {
    account: FailureKey,
    address: FailureKey,
}

impl Attempt {
    /// Counts an attempt against an account (by what was typed, whether or not it exists) and
    /// against the request's address.
    ///
    /// # Errors
    /// `RateLimited` with the time to wait.
    pub async fn begin(
        state: &AppState,
        request: &HttpRequest,
        email: &str,
    ) -> Result<Self, ApiError> {
        let address = client_address(request, &state.settings.server);
        state.sign_in_limits.check(address, email)?;
        let settings = &state.settings.authentication;
        let attempt = Self {
            account: account_key(email),
            address: address_key(address),
        };
        let transaction = state.database().begin().await?;
        let oldest = Utc::now() - chrono::Duration::hours(MEMORY_HOURS);
        sign_in_failures::remove_old(&transaction, oldest).await?;
        let rules = rules(settings, settings.free_failures_per_account);
        let account =
            sign_in_failures::begin_attempt(&transaction, &attempt.account, rules).await?;
        let rules = self::rules(settings, settings.free_failures_per_address);
        let address =
            sign_in_failures::begin_attempt(&transaction, &attempt.address, rules).await?;
        transaction.commit().await.map_err(StoreError::from)?;
        match account.max(address) {
            None => Ok(attempt),
            Some(wait) => Err(locked_out(wait.to_std().unwrap_or_default())),
        }
    }

    /// Forgets the account's failures and takes this one back from the address, whose other
    /// failures may be guesses at other accounts.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn succeeded(self, state: &AppState) -> Result<(), ApiError> {
        let db = state.database().writer();
        sign_in_failures::forget(db, &self.account).await?;
        sign_in_failures::take_back(db, &self.address).await?;
        Ok(())
    }

    /// Takes this attempt back from the address, but not from the account: half of the proof is
    /// still missing.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn half_succeeded(self, state: &AppState) -> Result<(), ApiError> {
        let db = state.database().writer();
        sign_in_failures::take_back(db, &self.address).await?;
        Ok(())
    }
}

/// Lets an account try again at once, after its password was set anew.
///
/// # Errors
/// When the database fails.
pub async fn lift(state: &AppState, email: &str) -> Result<(), ApiError> {
    sign_in_failures::forget(state.database().writer(), &account_key(email)).await?;
    Ok(())
}

/// A hash, since people type other things than addresses into this field.
fn account_key(email: &str) -> FailureKey {
    FailureKey(format!(
        "account:{}",
        secrets::hash(&normalized_email(email))
    ))
}

/// A customer of a network provider has a whole /64 of IPv6 addresses.
fn address_key(address: IpAddr) -> FailureKey {
    FailureKey(match address.to_canonical() {
        IpAddr::V4(address) => format!("address:{address}"),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("address:{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    })
}

fn rules(settings: &AuthenticationSettings, free_failures: u32) -> LockOut {
    let longest = i64::try_from(settings.longest_wait_seconds.min(86_400)).unwrap_or(86_400);
    LockOut {
        free_failures,
        first_wait: chrono::Duration::seconds(FIRST_WAIT_SECONDS.min(longest)),
        longest_wait: chrono::Duration::seconds(longest),
        memory: chrono::Duration::hours(MEMORY_HOURS),
    }
}

fn locked_out(wait: Duration) -> ApiError {
    ApiError::new(
        ErrorKind::RateLimited,
        "rate_limited",
        "too many attempts to sign in",
    )
    .with_retry_after(wait)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{account_key, address_key};

    #[test]
    fn neighbours_of_one_network_and_spellings_of_one_address_count_together() {
        let key = |text: &str| address_key(text.parse().unwrap());
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_eq!(key("::ffff:10.0.0.1"), key("10.0.0.1"));
        assert_ne!(key("10.0.0.1"), key("10.0.0.2"));
        assert_eq!(
            account_key(" Ada@Example.com"),
            account_key("ada@example.com")
        );
        assert!(!account_key("ada@example.com").0.contains("ada"));
    }
}
