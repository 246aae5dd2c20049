//! Databases for tests: a SQLite file, or a database in a private PostgreSQL cluster that this
//! process starts once.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use quarry_migrations::{Migrator, MigratorTrait};
use quarry_shared::store::{Database, DatabaseSettings};
use sea_orm::ConnectionTrait;
use tempfile::TempDir;

/// A migrated database of its own.
pub struct TestDatabase {
    pub database: Database,
    _folder: Option<TempDir>,
}

impl TestDatabase {
    pub async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("quarry.db");
        let settings = DatabaseSettings::Sqlite { path };
        Self::open(settings, Some(folder)).await
    }

    pub async fn postgres() -> Self {
        Self::open(new_postgres().await, None).await
    }

    async fn open(settings: DatabaseSettings, folder: Option<TempDir>) -> Self {
        let database = Database::open(&settings).await.unwrap();
        Migrator::up(database.writer(), None).await.unwrap();
        Self {
            database,
            _folder: folder,
        }
    }
}

/// An empty PostgreSQL database.
pub async fn new_postgres() -> DatabaseSettings {
    let cluster = Cluster::get();
    let name = format!("test_{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let admin = Database::open(&cluster.settings("postgres")).await.unwrap();
    let create = format!("CREATE DATABASE {name}");
    admin.writer().execute_unprepared(&create).await.unwrap();
    cluster.settings(&name)
}

static NEXT: AtomicU32 = AtomicU32::new(1);
static CLUSTER: OnceLock<Cluster> = OnceLock::new();

/// A PostgreSQL server on a socket in a temporary folder; it ends itself with this process.
struct Cluster {
    folder: PathBuf,
}

impl Cluster {
    fn get() -> &'static Self {
        CLUSTER.get_or_init(Self::start)
    }

    fn start() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("quarry-postgres-")
            .tempdir()
            .unwrap()
            .keep();
        // The server refuses to run as root, and keeps its files to itself.
        run(Command::new("chown").arg("postgres").arg(&folder));
        let binaries = binaries();
        let data = folder.join("data");
        let initialise = format!(
            "{}/initdb -D {} -A trust -U postgres -E UTF8 --no-sync >/dev/null",
            binaries.display(),
            data.display()
        );
        run(&mut as_postgres(&initialise));
        let options = format!(
            "-c listen_addresses='' -c unix_socket_directories={} -c fsync=off -c max_connections=200",
            folder.display()
        );
        let start = format!(
            "{}/pg_ctl -D {} -w -l {}/log -o \"{options}\" start >/dev/null",
            binaries.display(),
            data.display(),
            folder.display()
        );
        run(&mut as_postgres(&start));
        watch_over(&folder, &binaries);
        Self { folder }
    }

    fn settings(&self, database: &str) -> DatabaseSettings {
        let socket = self.folder.display().to_string().replace('/', "%2F");
        DatabaseSettings::Postgres {
            url: format!("postgres://postgres@{socket}/{database}").into(),
            max_connections: 8,
        }
    }
}

/// Statics are not dropped: a shell waits for this process to end and stops the server.
fn watch_over(folder: &Path, binaries: &Path) {
    let script = format!(
        "while kill -0 {} 2>/dev/null; do sleep 1; done; \
         su postgres -s /bin/sh -c '{}/pg_ctl -D {}/data -m immediate stop'; rm -rf {}",
        std::process::id(),
        binaries.display(),
        folder.display(),
        folder.display()
    );
    run(Command::new("setsid")
        .args(["-f", "sh", "-c", &script])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null()));
}

fn binaries() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").expect("PostgreSQL is installed");
    let mut found: Vec<PathBuf> = versions.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found.pop().unwrap().join("bin")
}

fn as_postgres(command: &str) -> Command {
    let mut su = Command::new("su");
    su.args(["postgres", "-s", "/bin/sh", "-c", command]);
    su
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
}

#[tokio::test]
async fn migrations_run_up_down_and_up_again_on_both_databases() {
    for database in [TestDatabase::sqlite().await, TestDatabase::postgres().await] {
        let writer = database.database.writer();
        Migrator::down(writer, None).await.unwrap();
        let left = writer
            .execute_unprepared("SELECT 1 FROM repositories")
            .await;
        assert!(left.is_err(), "tables are gone after the way down");
        Migrator::up(writer, None).await.unwrap();
        writer
            .execute_unprepared("SELECT 1 FROM repositories")
            .await
            .unwrap();
    }
}
