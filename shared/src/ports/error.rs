//! What an outside system can answer instead of a result.

use std::time::Duration;

use thiserror::Error;

use crate::domain::{ErrorKind, Kinded};

/// A failure of an outside system. Messages name the system and the fault, never credentials, code
/// or question text.
#[derive(Debug, Error)]
pub enum PortError {
    /// The system cannot be reached, or answered that it is not ready. Worth another attempt.
    #[error("{system} is unavailable: {detail}")]
    Unavailable {
        system: &'static str,
        detail: String,
        /// When the system said to come back.
        retry_after: Option<Duration>,
    },
    /// The system asked to slow down.
    #[error("{system} limits the rate of requests")]
    RateLimited {
        system: &'static str,
        retry_after: Option<Duration>,
    },
    /// No answer in time.
    #[error("{system} did not answer within {} s", .after.as_secs())]
    Timeout {
        system: &'static str,
        after: Duration,
    },
    /// The system refused this very request; the same request will be refused again.
    #[error("{system} refused the request: {detail}")]
    Rejected {
        system: &'static str,
        code: &'static str,
        detail: String,
    },
    /// The request is too large; a smaller one may pass.
    #[error("{system} refused the size of the request")]
    TooLarge { system: &'static str },
    /// Credentials are missing or wrong.
    #[error("{system} refused the credentials")]
    AuthenticationFailed { system: &'static str },
    /// The thing asked for does not exist there.
    #[error("{system} does not have {what}")]
    NotFound {
        system: &'static str,
        code: &'static str,
        what: String,
    },
    /// An answer that cannot be understood, or a local fault.
    #[error("{system} failed")]
    Broken {
        system: &'static str,
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl PortError {
    /// Wraps a local or protocol fault.
    pub fn broken(
        system: &'static str,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Broken {
            system,
            source: source.into(),
        }
    }
}

impl Kinded for PortError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Unavailable { .. } => ErrorKind::Unavailable,
            Self::RateLimited { .. } => ErrorKind::RateLimited,
            Self::Timeout { .. } => ErrorKind::Timeout,
            Self::Rejected { .. } | Self::AuthenticationFailed { .. } => ErrorKind::InvalidInput,
            Self::TooLarge { .. } => ErrorKind::TooLarge,
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::Broken { .. } => ErrorKind::Internal,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Unavailable { .. } => "unavailable",
            Self::RateLimited { .. } => "rate_limited",
            Self::Timeout { .. } => "timeout",
            Self::Rejected { code, .. } | Self::NotFound { code, .. } => code,
            Self::TooLarge { .. } => "too_large",
            Self::AuthenticationFailed { .. } => "authentication_failed",
            Self::Broken { .. } => "internal",
        }
    }
}
