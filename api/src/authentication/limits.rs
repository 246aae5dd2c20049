//! Bounds on guessing: so many sign-in attempts a minute per address and per account.
//!
//! An account is counted whether or not it exists, so the answer tells nothing.

use std::{
    hash::{BuildHasher, RandomState},
    net::IpAddr,
    num::NonZeroU32,
    time::Duration,
};

use actix_web::HttpRequest;
use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};
use quarry_shared::{
    config::{AuthenticationSettings, ServerSettings},
    domain::ErrorKind,
    store::users::normalized_email,
};

use crate::problem::ApiError;

/// Distinct addresses and accounts that are remembered before old ones are forgotten.
const MAX_REMEMBERED: usize = 50_000;

/// Counts sign-in attempts.
pub struct SignInLimits {
    by_address: DefaultKeyedRateLimiter<IpAddr>,
    by_account: DefaultKeyedRateLimiter<u64>,
    hasher: RandomState,
    clock: DefaultClock,
}

impl SignInLimits {
    #[must_use]
    pub fn new(settings: &AuthenticationSettings) -> Self {
        let quota =
            |attempts| Quota::per_minute(NonZeroU32::new(attempts).unwrap_or(NonZeroU32::MIN));
        Self {
            by_address: RateLimiter::keyed(quota(settings.attempts_per_address)),
            by_account: RateLimiter::keyed(quota(settings.attempts_per_account)),
            hasher: RandomState::new(),
            clock: DefaultClock::default(),
        }
    }

    /// Counts one attempt.
    ///
    /// # Errors
    /// `RateLimited` with the time to wait.
    pub fn check(&self, address: IpAddr, email: &str) -> Result<(), ApiError> {
        self.forget_old();
        let account = self.hasher.hash_one(normalized_email(email));
        let now = self.clock.now();
        let by_address = self.by_address.check_key(&address);
        let by_account = self.by_account.check_key(&account);
        let waits = [by_address.err(), by_account.err()];
        let longest = waits
            .into_iter()
            .flatten()
            .map(|refusal| refusal.wait_time_from(now))
            .max();
        longest.map_or(Ok(()), |wait| Err(too_often(wait)))
    }

    /// Counts one attempt that is for no account yet.
    ///
    /// # Errors
    /// `RateLimited` with the time to wait.
    pub fn check_address(&self, address: IpAddr) -> Result<(), ApiError> {
        self.forget_old();
        self.by_address
            .check_key(&address)
            .map_err(|refusal| too_often(refusal.wait_time_from(self.clock.now())))
    }

    fn forget_old(&self) {
        if self.by_address.len() > MAX_REMEMBERED {
            self.by_address.retain_recent();
        }
        if self.by_account.len() > MAX_REMEMBERED {
            self.by_account.retain_recent();
        }
    }
}

fn too_often(wait: Duration) -> ApiError {
    ApiError::new(
        ErrorKind::RateLimited,
        "rate_limited",
        "too many attempts to sign in",
    )
    .with_retry_after(wait)
}

/// Where a request comes from. `X-Forwarded-For` counts only behind a trusted proxy, and there the
/// entry that this proxy has added.
#[must_use]
pub fn client_address(request: &HttpRequest, settings: &ServerSettings) -> IpAddr {
    let peer = request
        .peer_addr()
        .map_or(IpAddr::from([0, 0, 0, 0]), |address| address.ip());
    if !settings.trusted_proxies.contains(&peer) {
        return peer;
    }
    request
        .headers()
        .get("x-forwarded-for")
        .and_then(|value| value.to_str().ok())
        .and_then(|list| list.rsplit(',').next())
        .and_then(|entry| entry.trim().parse().ok())
        .unwrap_or(peer)
}
