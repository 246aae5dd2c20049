//! What the store can answer instead of rows.

use sea_orm::DbErr;
use thiserror::Error;

use crate::domain::{ErrorKind, Kinded};

/// A failure of the database, or a row that is not there for this scope.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Missing, or outside the scope: the two cannot be told apart.
    #[error("no such {0}")]
    NotFound(&'static str),
    /// The rules among people do not allow the change, whatever the permission.
    #[error("your role does not allow this")]
    Forbidden,
    /// The change contradicts what is stored.
    #[error("{detail}")]
    Conflict { code: &'static str, detail: String },
    /// A row holds what no writer of this version writes.
    #[error("a stored `{0}` cannot be read")]
    Corrupt(&'static str),
    #[error("the database cannot be reached")]
    Unavailable(#[source] DbErr),
    #[error("the database failed")]
    Database(#[source] DbErr),
}

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        match error {
            DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => Self::Unavailable(error),
            _ => Self::Database(error),
        }
    }
}

impl Kinded for StoreError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound(_) => ErrorKind::NotFound,
            Self::Forbidden => ErrorKind::Forbidden,
            Self::Conflict { .. } => ErrorKind::Conflict,
            Self::Unavailable(_) => ErrorKind::Unavailable,
            Self::Corrupt(_) | Self::Database(_) => ErrorKind::Internal,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "not_found",
            Self::Forbidden => "forbidden",
            Self::Conflict { code, .. } => code,
            Self::Unavailable(_) => "database_unavailable",
            Self::Corrupt(_) | Self::Database(_) => "internal",
        }
    }
}
