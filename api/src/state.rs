//! What handlers work with.

use std::sync::Arc;

use quarry_shared::{config::Settings, services::Services, store::Database};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::{
    audit::Refusals,
    authentication::{
        AuthenticationSetupError, limits::SignInLimits, passwords::Passwords,
        signing_keys::SigningKeys, tokens::AccessTokens,
    },
    rate_limits::RateLimits,
};

/// Exports and verifications of audit logs at the same time.
const AUDIT_READS: usize = 4;
/// Events of more than a mebibyte at the same time: at most 25 MiB each.
const LARGE_WEBHOOKS: usize = 8;

/// Shared by all requests.
pub struct AppState {
    pub settings: Arc<Settings>,
    pub services: Services,
    pub tokens: AccessTokens,
    pub passwords: Passwords,
    pub sign_in_limits: SignInLimits,
    pub rate_limits: RateLimits,
    /// Which refusals are recorded.
    pub refusals: Refusals,
    /// Turns of whole audit logs.
    pub audit_reads: Arc<Semaphore>,
    /// Turns of searches.
    pub searches: Arc<Semaphore>,
    /// Turns of long events of Git hosts, which are held in memory.
    pub large_webhooks: Arc<Semaphore>,
    /// Turns of progress streams.
    pub event_streams: Arc<Semaphore>,
    /// Fires when the server stops; open streams end with it.
    pub shutdown: CancellationToken,
}

impl AppState {
    /// # Errors
    /// When passwords cannot be hashed.
    pub fn new(
        settings: Arc<Settings>,
        services: Services,
        signing_keys: SigningKeys,
        shutdown: CancellationToken,
    ) -> Result<Self, AuthenticationSetupError> {
        let authentication = &settings.authentication;
        let lifetime = authentication.access_token_lifetime();
        Ok(Self {
            tokens: AccessTokens::new(signing_keys, lifetime),
            passwords: Passwords::new(authentication.concurrent_password_checks)?,
            sign_in_limits: SignInLimits::new(authentication),
            audit_reads: Arc::new(Semaphore::new(AUDIT_READS)),
            large_webhooks: Arc::new(Semaphore::new(LARGE_WEBHOOKS)),
            rate_limits: RateLimits::new(&settings.limits),
            refusals: Refusals::default(),
            searches: Arc::new(Semaphore::new(settings.server.max_concurrent_searches)),
            event_streams: Arc::new(Semaphore::new(settings.server.max_event_streams)),
            services,
            settings,
            shutdown,
        })
    }

    /// The database.
    #[must_use]
    pub const fn database(&self) -> &Database {
        &self.services.database
    }
}
