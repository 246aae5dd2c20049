//! Opening the database.

use std::{path::PathBuf, time::Duration};

use sea_orm::{
    ConnectOptions, DatabaseBackend, DatabaseConnection, DatabaseTransaction, SqlxSqliteConnector,
    TransactionTrait,
    sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use secrecy::{ExposeSecret, SecretString};

use super::StoreError;

/// Where the data lives.
#[derive(Debug, Clone)]
pub enum DatabaseSettings {
    /// A file on this machine, opened by one process.
    Sqlite { path: PathBuf },
    /// `postgres://…`, shared by any number of processes.
    Postgres {
        url: SecretString,
        max_connections: u32,
    },
}

/// An open database. SQLite has one connection that writes and several that read, so that a reader
/// never waits for a batch and writers queue in order instead of meeting `SQLITE_BUSY`.
#[derive(Debug, Clone)]
pub struct Database {
    reader: DatabaseConnection,
    writer: DatabaseConnection,
}

impl Database {
    /// Connects. The schema is the caller's business (`quarry-migrations`).
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the file or server cannot be opened.
    pub async fn open(settings: &DatabaseSettings) -> Result<Self, StoreError> {
        match settings {
            DatabaseSettings::Sqlite { path } => {
                let writer = sqlite(path, 1).await?;
                let reader = sqlite(path, READERS).await?;
                Ok(Self { reader, writer })
            }
            DatabaseSettings::Postgres {
                url,
                max_connections,
            } => {
                let mut options = ConnectOptions::new(url.expose_secret().to_owned());
                options
                    .max_connections(*max_connections)
                    .acquire_timeout(ACQUIRE_TIMEOUT)
                    .sqlx_logging(false);
                let connection = sea_orm::Database::connect(options)
                    .await
                    .map_err(StoreError::Unavailable)?;
                Ok(Self {
                    reader: connection.clone(),
                    writer: connection,
                })
            }
        }
    }

    /// For queries.
    #[must_use]
    pub const fn reader(&self) -> &DatabaseConnection {
        &self.reader
    }

    /// For changes and for reads that must see the newest change inside a transaction.
    #[must_use]
    pub const fn writer(&self) -> &DatabaseConnection {
        &self.writer
    }

    /// Begins a transaction on the writing connection. Dropping the returned future is safe, which
    /// it is not for the driver's own `begin`: a `BEGIN` that is abandoned on its way to PostgreSQL
    /// leaves a pooled connection inside a transaction that nobody knows of, and what is written
    /// through it later is never committed. So it always runs to its end, in a task of its own.
    ///
    /// # Errors
    /// [`StoreError`] of the database.
    pub async fn begin(&self) -> Result<DatabaseTransaction, StoreError> {
        let writer = self.writer.clone();
        match tokio::spawn(async move { writer.begin().await }).await {
            Ok(transaction) => Ok(transaction?),
            Err(_) => Err(StoreError::Unavailable(sea_orm::DbErr::Custom(
                "the runtime is shutting down".to_owned(),
            ))),
        }
    }

    #[must_use]
    pub fn is_sqlite(&self) -> bool {
        self.writer.get_database_backend() == DatabaseBackend::Sqlite
    }
}

/// Enough for parallel recall channels of several searches at once.
const READERS: u32 = 8;
/// Negative means KiB: 16 MiB per connection, a bound on memory with all readers busy.
const CACHE_PAGES_KIB: &str = "-16384";
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(30);
/// Another process (a backup, a shell) may hold the file for a moment.
const BUSY_TIMEOUT: Duration = Duration::from_secs(20);

async fn sqlite(
    path: &std::path::Path,
    connections: u32,
) -> Result<DatabaseConnection, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("cache_size", CACHE_PAGES_KIB)
        .pragma("temp_store", "memory");
    let pool = SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_with(options)
        .await
        .map_err(|error| {
            StoreError::Unavailable(sea_orm::DbErr::Conn(sea_orm::RuntimeErr::Internal(
                error.to_string(),
            )))
        })?;
    Ok(SqlxSqliteConnector::from_sqlx_sqlite_pool(pool))
}
