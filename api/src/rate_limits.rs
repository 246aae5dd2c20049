//! Rate limits by person, organization and address, and the headers that tell about them
//! (`RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers).
//!
//! `boundary` counts the address of whoever shows no good access token, `Principal` counts the
//! person, `Access` the organization. Counts live behind [`RateStore`]: in this process's memory.

use std::{
    collections::HashMap,
    net::IpAddr,
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use actix_web::{
    HttpMessage, HttpRequest,
    dev::ServiceResponse,
    http::{
        Method,
        header::{HeaderName, HeaderValue},
    },
};
use futures::future::BoxFuture;
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
    state::keyed::DefaultKeyedStateStore,
};
use quarry_shared::{
    config::LimitSettings,
    domain::{ErrorKind, OrganizationId, UserId},
};

use crate::problem::ApiError;

/// Subjects of one kind that are remembered before those at rest are forgotten.
const MAX_REMEMBERED: usize = 100_000;

/// Whom a request is counted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    Principal(UserId),
    Organization(OrganizationId),
    Address(IpAddr),
}

impl Subject {
    const fn policy(self) -> &'static str {
        match self {
            Self::Principal(_) => "principal",
            Self::Organization(_) => "organization",
            Self::Address(_) => "address",
        }
    }
}

/// What counting one request has found.
#[derive(Debug, Clone, Copy)]
pub struct Verdict {
    pub policy: &'static str,
    /// Units a minute.
    pub quota: u32,
    pub remaining: u32,
    /// How long to wait, when the request is one too many.
    pub refused: Option<Duration>,
}

/// Where counts are kept.
pub trait RateStore: Send + Sync {
    /// Takes `cost` units of the subject's. Nothing is taken when they do not suffice.
    fn take(&self, subject: Subject, quota: NonZeroU32, cost: NonZeroU32)
    -> BoxFuture<'_, Verdict>;
}

/// The limits of the settings over a store.
pub struct RateLimits {
    settings: LimitSettings,
    store: Box<dyn RateStore>,
    streams: Streams,
}

impl RateLimits {
    /// Counts in the memory of this process.
    #[must_use]
    pub fn new(settings: &LimitSettings) -> Self {
        Self {
            store: Box::new(InMemory::new(settings)),
            settings: settings.clone(),
            streams: Streams::default(),
        }
    }

    /// Counts a request for a subject. `None` without a limit.
    pub async fn take(&self, subject: Subject, cost: u32) -> Option<Verdict> {
        let quota = match subject {
            Subject::Principal(_) => self.settings.principal_units_per_minute,
            Subject::Organization(_) => self.settings.organization_units_per_minute,
            Subject::Address(_) => self.settings.address_units_per_minute,
        };
        let quota = NonZeroU32::new(quota)?;
        // A request that costs more than a minute's worth would never pass.
        let cost = NonZeroU32::new(cost).map_or(NonZeroU32::MIN, |cost| cost.min(quota));
        Some(self.store.take(subject, quota, cost).await)
    }

    /// The same, with a refusal as an error.
    ///
    /// # Errors
    /// `RateLimited` with the time to wait.
    pub async fn check(&self, subject: Subject, cost: u32) -> Result<Option<Verdict>, ApiError> {
        let verdict = self.take(subject, cost).await;
        match verdict.and_then(|verdict| verdict.refused) {
            Some(wait) => Err(refusal(wait)),
            None => Ok(verdict),
        }
    }

    /// A turn of one open stream of a person; it ends when it is dropped.
    ///
    /// # Errors
    /// `RateLimited` when the person has too many open.
    pub fn open_stream(&self, person: UserId) -> Result<StreamTurn, ApiError> {
        let mut open = self.streams.lock();
        let count = open.entry(person).or_default();
        if *count >= self.settings.streams_per_principal {
            return Err(ApiError::too_many("you have too many open streams"));
        }
        *count += 1;
        drop(open);
        Ok(StreamTurn {
            streams: self.streams.clone(),
            person,
        })
    }
}

/// What a request costs.
#[must_use]
pub fn cost_of(method: &Method, path: &str) -> u32 {
    if method != Method::POST {
        return 1;
    }
    match path.strip_prefix("/api/v1/").unwrap_or(path) {
        "search/exact" => 10,
        "search" => 5,
        path if path.ends_with("/repositories/check") => 20,
        path if path.ends_with("/repositories") => 20,
        _ => 1,
    }
}

/// Keeps a verdict for the answer's headers.
pub fn remember(request: &HttpRequest, verdict: Option<Verdict>) {
    if let Some(verdict) = verdict {
        request.extensions_mut().insert(verdict);
    }
}

/// Tells the caller what is left, whatever became of the request.
pub fn announce(response: &mut ServiceResponse) {
    let verdict = response.request().extensions().get::<Verdict>().copied();
    let Some(verdict) = verdict else {
        return;
    };
    let Verdict {
        policy,
        quota,
        remaining,
        refused,
    } = verdict;
    let until_full = u64::from(quota - remaining.min(quota)) * 60 / u64::from(quota.max(1));
    let wait = refused.map_or(until_full, |wait| wait.as_secs()).max(1);
    for (name, value) in [
        ("ratelimit-policy", format!("\"{policy}\";q={quota};w=60")),
        ("ratelimit", format!("\"{policy}\";r={remaining};t={wait}")),
    ] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response
                .headers_mut()
                .insert(HeaderName::from_static(name), value);
        }
    }
}

/// The answer to one request too many.
#[must_use]
pub fn refusal(wait: Duration) -> ApiError {
    ApiError::new(
        ErrorKind::RateLimited,
        "rate_limited",
        "too many requests in a short time",
    )
    .with_retry_after(wait)
}

type Limiter<K> =
    RateLimiter<K, DefaultKeyedStateStore<K>, DefaultClock, StateInformationMiddleware>;

/// Leaky buckets in memory, full at first.
struct InMemory {
    by_kind: [Limiter<Subject>; 3],
    clock: DefaultClock,
}

impl InMemory {
    fn new(settings: &LimitSettings) -> Self {
        let limiter = |units| {
            let quota = Quota::per_minute(NonZeroU32::new(units).unwrap_or(NonZeroU32::MAX));
            RateLimiter::keyed(quota).with_middleware::<StateInformationMiddleware>()
        };
        Self {
            by_kind: [
                limiter(settings.principal_units_per_minute),
                limiter(settings.organization_units_per_minute),
                limiter(settings.address_units_per_minute),
            ],
            clock: DefaultClock::default(),
        }
    }

    fn count(&self, subject: Subject, quota: NonZeroU32, cost: NonZeroU32) -> Verdict {
        let limiter = match subject {
            Subject::Principal(_) => &self.by_kind[0],
            Subject::Organization(_) => &self.by_kind[1],
            Subject::Address(_) => &self.by_kind[2],
        };
        if limiter.len() > MAX_REMEMBERED {
            limiter.retain_recent();
        }
        let (remaining, refused) = match limiter.check_key_n(&subject, cost) {
            Ok(Ok(state)) => (state.remaining_burst_capacity(), None),
            Ok(Err(until)) => (0, Some(until.wait_time_from(self.clock.now()))),
            Err(_) => (0, Some(Duration::from_secs(60))),
        };
        Verdict {
            policy: subject.policy(),
            quota: quota.get(),
            remaining,
            refused,
        }
    }
}

impl RateStore for InMemory {
    fn take(
        &self,
        subject: Subject,
        quota: NonZeroU32,
        cost: NonZeroU32,
    ) -> BoxFuture<'_, Verdict> {
        Box::pin(std::future::ready(self.count(subject, quota, cost)))
    }
}

/// Open streams by person.
#[derive(Clone, Default)]
struct Streams(Arc<Mutex<HashMap<UserId, usize>>>);

impl Streams {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<UserId, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One open stream.
pub struct StreamTurn {
    streams: Streams,
    person: UserId,
}

impl Drop for StreamTurn {
    fn drop(&mut self) {
        let mut open = self.streams.lock();
        if let Some(count) = open.get_mut(&self.person) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                open.remove(&self.person);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn units_run_out_for_one_subject_alone() {
        let limits = RateLimits::new(&LimitSettings {
            principal_units_per_minute: 10,
            streams_per_principal: 1,
            ..LimitSettings::default()
        });
        let (one, other) = (UserId::generate(), UserId::generate());
        let first = limits
            .check(Subject::Principal(one), 9)
            .await
            .unwrap()
            .unwrap();
        assert_eq!((first.quota, first.remaining), (10, 1));
        let refused = limits.take(Subject::Principal(one), 5).await.unwrap();
        assert!(refused.refused.unwrap() > Duration::from_secs(15));
        assert!(
            limits.check(Subject::Principal(one), 1).await.is_ok(),
            "one was left"
        );
        assert!(limits.check(Subject::Principal(one), 1).await.is_err());
        assert!(limits.check(Subject::Principal(other), 1000).await.is_ok());

        let turn = limits.open_stream(one).unwrap();
        assert!(limits.open_stream(one).is_err());
        assert!(limits.open_stream(other).is_ok());
        drop(turn);
        assert!(limits.open_stream(one).is_ok());
    }
}
