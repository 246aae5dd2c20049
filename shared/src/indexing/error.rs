//! Why a stage or a request did not succeed.

use thiserror::Error;

use crate::{
    domain::{ErrorKind, Kinded},
    ports::PortError,
    store::StoreError,
};

/// A failure of the indexing room.
#[derive(Debug, Error)]
pub enum IndexingError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Port(#[from] PortError),
    /// The remote has no such branch.
    #[error("the repository has no branch `{0}`")]
    BranchNotFound(String),
    /// An engine does not hold what SQL says, even after its documents were written again.
    #[error("the {engine} index shows {found} chunks, the database {expected}")]
    CountsDisagree {
        engine: &'static str,
        expected: i64,
        found: i64,
    },
    /// Rows are still there when nothing should be.
    #[error("{found} rows of `{table}` are left over")]
    LeftOver { table: &'static str, found: i64 },
    /// Files of the snapshot were never processed.
    #[error("{0} files of the snapshot were not processed")]
    FilesPending(i64),
    /// The request contradicts the state of what it is about.
    #[error("{detail}")]
    Conflict { code: &'static str, detail: String },
    /// The lease is somebody else's now, or the run is over: nothing more may be written.
    #[error("the job is no longer this worker's")]
    Fenced,
    /// The stage panicked; the log has the place.
    #[error("the stage panicked")]
    Panicked,
    /// Every attempt ended with the worker falling silent.
    #[error("the worker died in each of {0} attempts")]
    WorkerLost(i64),
}

impl From<sea_orm::DbErr> for IndexingError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

impl From<tokio::task::JoinError> for IndexingError {
    fn from(_: tokio::task::JoinError) -> Self {
        Self::Panicked
    }
}

impl Kinded for IndexingError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Store(error) => error.kind(),
            Self::Port(error) => error.kind(),
            Self::BranchNotFound(_) => ErrorKind::NotFound,
            // The engine may have been restarting; its documents are written again each time.
            Self::CountsDisagree { .. } | Self::LeftOver { .. } => ErrorKind::Unavailable,
            Self::FilesPending(_) | Self::Panicked => ErrorKind::Internal,
            Self::Conflict { .. } | Self::Fenced | Self::WorkerLost(_) => ErrorKind::Conflict,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Store(error) => error.code(),
            Self::Port(error) => error.code(),
            Self::BranchNotFound(_) => "branch_not_found",
            Self::CountsDisagree { .. } => "counts_disagree",
            Self::LeftOver { .. } => "left_over",
            Self::FilesPending(_) => "files_pending",
            Self::Conflict { code, .. } => code,
            Self::Fenced => "lease_lost",
            Self::Panicked => "internal",
            Self::WorkerLost(_) => "worker_lost",
        }
    }
}
