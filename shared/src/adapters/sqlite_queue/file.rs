//! Opening the queue's file.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use apalis_sqlite::{
    SqliteConnectOptions, SqlitePool, SqlitePoolOptions, SqliteStorage, SqlxError,
};

use super::SYSTEM;
use crate::ports::PortError;

/// Two workers, enqueueing, counting.
const MAX_CONNECTIONS: u32 = 8;
/// How long a writer waits for another one.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// What SQLite says of a file that is no database, or a damaged one.
const DAMAGE: [&str; 2] = ["file is not a database", "database disk image is malformed"];

/// Opens or creates the file; a damaged one is renamed to `….damaged`, and a new one begun.
pub(super) async fn open(path: &Path) -> Result<SqlitePool, PortError> {
    let error = match connect(path).await {
        Ok(pool) => return Ok(pool),
        Err(error) => error,
    };
    let message = error.to_string();
    if !DAMAGE.iter().any(|words| message.contains(words)) {
        return Err(PortError::broken(SYSTEM, error));
    }
    tracing::error!(%error, "the file of the job queue is damaged; it is put aside, a new one begun");
    put_aside(path).map_err(|error| PortError::broken(SYSTEM, error))?;
    connect(path)
        .await
        .map_err(|error| PortError::broken(SYSTEM, error))
}

async fn connect(path: &Path) -> Result<SqlitePool, SqlxError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("journal_mode", "WAL")
        .pragma("synchronous", "NORMAL");
    let pool = SqlitePoolOptions::new()
        .max_connections(MAX_CONNECTIONS)
        .connect_with(options)
        .await?;
    // Not `SqliteStorage::setup`, which would switch off synchronous writing.
    match SqliteStorage::migrations().run(&pool).await {
        Ok(()) => Ok(pool),
        Err(error) => {
            pool.close().await;
            Err(error.into())
        }
    }
}

fn put_aside(path: &Path) -> io::Result<()> {
    let beside = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    fs::rename(path, beside(".damaged"))?;
    for suffix in ["-wal", "-shm"] {
        match fs::remove_file(beside(suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
