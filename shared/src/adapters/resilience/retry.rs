//! Another attempt after transient failures.

use std::time::Duration;

use async_trait::async_trait;

use crate::domain::Kinded;
use crate::ports::{
    Embedder, EmbeddingInput, EmbeddingModel, EmbeddingOutcome, PortError, Reranker,
};

/// How often and how patiently to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Attempts in all; 0 counts as 1.
    pub attempts: u32,
    /// Wait before the second attempt; doubles from then on.
    pub first_wait: Duration,
    /// No wait is longer, whatever the system asks for.
    pub max_wait: Duration,
}

impl RetryPolicy {
    /// From the numbers that settings carry.
    #[must_use]
    pub const fn from_milliseconds(attempts: u32, first_wait: u64, max_wait: u64) -> Self {
        Self {
            attempts,
            first_wait: Duration::from_millis(first_wait),
            max_wait: Duration::from_millis(max_wait),
        }
    }

    /// Calls until it succeeds, fails for good, or the attempts are used up; then the last failure.
    ///
    /// # Errors
    /// Those of `call`.
    pub async fn run<T, F>(&self, mut call: impl FnMut() -> F) -> Result<T, PortError>
    where
        F: Future<Output = Result<T, PortError>>,
    {
        let mut attempt = 1;
        loop {
            let error = match call().await {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            let Some(wait) = self.wait_after(attempt, &error, random_fraction()) else {
                return Err(error);
            };
            tracing::warn!(attempt, wait_seconds = wait.as_secs_f64(), %error, "trying again");
            tokio::time::sleep(wait).await;
            attempt += 1;
        }
    }

    /// How long to wait after the given attempt (from 1), or `None` to give up. What the system
    /// asked for counts, up to the cap; otherwise the wait doubles and a random half of it is taken
    /// off, so that many clients do not come back together.
    fn wait_after(&self, attempt: u32, error: &PortError, fraction: f64) -> Option<Duration> {
        if attempt >= self.attempts || !error.kind().is_transient() {
            return None;
        }
        let asked = match error {
            PortError::Unavailable { retry_after, .. }
            | PortError::RateLimited { retry_after, .. } => *retry_after,
            _ => None,
        };
        let factor = 1_u32.checked_shl(attempt - 1).unwrap_or(u32::MAX);
        let doubled = self.first_wait.saturating_mul(factor).min(self.max_wait);
        let own = doubled.mul_f64(1.0 - fraction.clamp(0.0, 1.0) / 2.0);
        Some(asked.map_or(own, |asked| asked.max(own).min(self.max_wait)))
    }
}

/// From 0 to below 1.
fn random_fraction() -> f64 {
    let (random, _) = uuid::Uuid::new_v4().as_u64_pair();
    #[allow(clippy::cast_precision_loss)] // a fraction need not be exact
    let fraction = (random >> 16) as f64 / (1_u64 << 48) as f64;
    // The version bits sit in the lower half that was shifted away.
    fraction
}

/// Repeats whole calls of a port.
#[derive(Debug, Clone)]
pub struct Retrying<P> {
    inner: P,
    policy: RetryPolicy,
}

impl<P> Retrying<P> {
    /// Wraps an adapter.
    pub const fn new(inner: P, policy: RetryPolicy) -> Self {
        Self { inner, policy }
    }
}

#[async_trait]
impl<P: Embedder> Embedder for Retrying<P> {
    fn model(&self) -> &EmbeddingModel {
        self.inner.model()
    }

    async fn embed_documents(
        &self,
        inputs: &[EmbeddingInput],
    ) -> Result<Vec<EmbeddingOutcome>, PortError> {
        self.policy.run(|| self.inner.embed_documents(inputs)).await
    }

    async fn embed_query(&self, text: &str) -> Result<Vec<f32>, PortError> {
        self.policy.run(|| self.inner.embed_query(text)).await
    }
}

#[async_trait]
impl<P: Reranker> Reranker for Retrying<P> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn rerank(&self, query: &str, documents: &[String]) -> Result<Vec<f32>, PortError> {
        self.policy
            .run(|| self.inner.rerank(query, documents))
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: RetryPolicy = RetryPolicy {
        attempts: 4,
        first_wait: Duration::from_millis(100),
        max_wait: Duration::from_secs(2),
    };

    fn limited(retry_after: Option<u64>) -> PortError {
        PortError::RateLimited {
            system: "test",
            retry_after: retry_after.map(Duration::from_millis),
        }
    }

    #[test]
    fn waits_double_and_follow_the_system_up_to_the_cap() {
        let broken = PortError::broken("test", "no JSON");
        let away = PortError::Unavailable {
            system: "test",
            detail: String::new(),
            retry_after: Some(Duration::from_secs(1)),
        };
        for (attempt, error, milliseconds) in [
            (1, &limited(None), Some(100)),
            (2, &limited(None), Some(200)),
            (3, &broken, Some(400)),
            (4, &limited(None), None),
            (1, &limited(Some(700)), Some(700)),
            (1, &limited(Some(1)), Some(100)),
            (1, &limited(Some(3_600_000)), Some(2_000)),
            (1, &away, Some(1_000)),
            (1, &PortError::TooLarge { system: "test" }, None),
            (1, &PortError::AuthenticationFailed { system: "test" }, None),
        ] {
            let wait = POLICY.wait_after(attempt, error, 0.0);
            assert_eq!(
                wait,
                milliseconds.map(Duration::from_millis),
                "{attempt} {error:?}"
            );
        }
        let halved = POLICY.wait_after(1, &limited(None), 1.0);
        assert_eq!(halved, Some(Duration::from_millis(50)));
    }

    #[test]
    fn absurd_settings_do_not_overflow() {
        let policy = RetryPolicy {
            attempts: u32::MAX,
            first_wait: Duration::MAX,
            max_wait: Duration::from_secs(1),
        };
        let wait = policy.wait_after(90, &limited(None), 0.0);
        assert_eq!(wait, Some(Duration::from_secs(1)));
        assert!((0.0..1.0).contains(&random_fraction()));
    }
}
