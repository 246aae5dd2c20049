//! Why a search has no answer.

use thiserror::Error;

use crate::{
    domain::{ErrorKind, Kinded},
    ports::PortError,
    store::StoreError,
};

/// A failed search.
#[derive(Debug, Error)]
pub enum RetrievalError {
    #[error("the query is empty")]
    EmptyQuery,
    #[error("the query has {bytes} bytes; at most {limit} are accepted")]
    QueryTooLong { bytes: usize, limit: usize },
    #[error("the pattern is not accepted: {0}")]
    InvalidPattern(String),
    #[error("the path filter is not a valid glob: {0}")]
    InvalidGlob(String),
    /// An engine or model did not answer; alone it only degrades a search.
    #[error("a search channel failed")]
    ChannelFailed(#[source] PortError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Kinded for RetrievalError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::EmptyQuery | Self::InvalidPattern(_) | Self::InvalidGlob(_) => {
                ErrorKind::InvalidInput
            }
            Self::QueryTooLong { .. } => ErrorKind::TooLarge,
            Self::ChannelFailed(source) => source.kind(),
            Self::Store(source) => source.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::EmptyQuery => "empty_query",
            Self::QueryTooLong { .. } => "query_too_long",
            Self::InvalidPattern(_) => "invalid_pattern",
            Self::InvalidGlob(_) => "invalid_path_filter",
            Self::ChannelFailed(_) => "search_unavailable",
            Self::Store(source) => source.code(),
        }
    }
}
