//! What went wrong, seen by whoever has to react: one table per door maps these kinds.

use serde::{Deserialize, Serialize};

use super::redact;

/// The class of a failure. HTTP status, MCP error and a job's retry are decided from it alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    InvalidInput,
    Unauthenticated,
    Forbidden,
    NotFound,
    Conflict,
    TooLarge,
    RateLimited,
    Timeout,
    Unavailable,
    Internal,
}

impl ErrorKind {
    /// Whether the same call may succeed later without anybody changing anything.
    #[must_use]
    pub const fn is_transient(self) -> bool {
        matches!(
            self,
            Self::RateLimited | Self::Timeout | Self::Unavailable | Self::Internal
        )
    }
}

/// An error that knows its class and has a stable code.
pub trait Kinded: std::error::Error {
    /// The class of the failure.
    fn kind(&self) -> ErrorKind;

    /// Stable `snake_case` code for clients, for example `host_not_allowed`.
    fn code(&self) -> &'static str;
}

/// A failure as it is stored with a repository, a run or a job and shown to people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Stable `snake_case` code.
    pub code: String,
    /// One sentence without secrets or code.
    pub message: String,
}

impl<E: Kinded + ?Sized> From<&E> for Problem {
    fn from(error: &E) -> Self {
        let message = match error.kind() {
            ErrorKind::Internal => "an internal error occurred; see the server log".to_owned(),
            _ => redact(&error.to_string()).into_owned(),
        };
        Self {
            code: error.code().to_owned(),
            message,
        }
    }
}
