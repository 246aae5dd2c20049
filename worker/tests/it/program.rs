//! `quarry-worker` as a process: what it refuses, and that it works off what a server owes.

use std::{
    path::Path,
    process::{Command, Output, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use quarry_migrations::{Migrator, MigratorTrait};
use quarry_shared::{
    config::Settings,
    domain::{OrganizationId, Permission, RepositoryId, RepositorySource, RunTrigger},
    services::{self, DataDirectory, Services},
    store::{
        Database, grants, organizations, projects, repositories,
        repositories::NewRepository,
        users::{self, NewUser},
    },
};

/// How long a test waits for what must happen.
const PATIENCE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(50);

fn settings(root: &Path) -> Settings {
    let mut settings = Settings::default();
    settings.data.directory = root.join("data");
    settings.git.local_roots = vec![root.to_path_buf()];
    settings
}

fn worker(root: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quarry-worker"));
    command
        .arg("--data")
        .arg(root.join("data"))
        .env("QUARRY_GIT_LOCAL_ROOTS", root)
        .stdout(Stdio::null());
    command
}

fn refusal(root: &Path) -> String {
    let Output { status, stderr, .. } = worker(root).output().unwrap();
    assert!(!status.success());
    String::from_utf8_lossy(&stderr).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_is_refused_without_a_schema_and_beside_another_process() {
    let root = tempfile::tempdir().unwrap();
    let text = refusal(root.path());
    assert!(text.contains("quarry-api migrate"), "{text}");

    let _held = DataDirectory::lock(&root.path().join("data")).unwrap();
    let text = refusal(root.path());
    assert!(text.contains("exactly one process"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_alone_finishes_what_a_server_owed() {
    let root = tempfile::tempdir().unwrap();
    let source = root.path().join("source");
    std::fs::create_dir(&source).unwrap();
    std::fs::write(source.join("a.py"), "def a():\n    return 1\n").unwrap();
    for arguments in [
        "init -q -b main",
        "add a.py",
        "-c user.name=T -c user.email=t@example.invalid commit -qm one",
    ] {
        let git = Command::new("git")
            .args(arguments.split(' '))
            .current_dir(&source)
            .status();
        assert!(git.unwrap().success(), "git {arguments}");
    }
    let settings = Arc::new(settings(root.path()));
    let database = services::open_database(&settings).await;
    assert!(database.is_err(), "the directory does not exist yet");
    std::fs::create_dir(root.path().join("data")).unwrap();
    let database = services::open_database(&settings).await.unwrap();
    Migrator::up(database.writer(), None).await.unwrap();
    let opened = Services::open(settings, database.clone()).await.unwrap();
    let (organization, repository) = add(&opened, &source).await;
    drop(opened);

    let mut child = worker(root.path()).spawn().unwrap();
    let start = Instant::now();
    loop {
        let row = repositories::get(database.reader(), organization, repository)
            .await
            .unwrap();
        if row.state == "ready" {
            break;
        }
        assert_ne!(row.state, "failed");
        assert_eq!(child.try_wait().unwrap(), None, "the worker ended");
        assert!(start.elapsed() < PATIENCE, "still {}", row.state);
        tokio::time::sleep(POLL).await;
    }
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert!(child.wait().unwrap().success(), "it ends cleanly");
}

/// Registers the source and asks for an index run that nobody works on yet.
async fn add(services: &Services, source: &Path) -> (OrganizationId, RepositoryId) {
    let db: &Database = &services.database;
    let user = NewUser {
        email: "owner@example.invalid".to_owned(),
        name: "Owner".to_owned(),
        password_hash: String::new(),
        is_instance_administrator: false,
    };
    let user = users::create(db.writer(), user).await.unwrap();
    let organization = organizations::create(db.writer(), user.id, "one")
        .await
        .unwrap();
    let project = projects::create_in(db.writer(), organization.id, "one")
        .await
        .unwrap();
    let scope = grants::load(db.reader(), user.id, organization.id)
        .await
        .unwrap()
        .write_scope(Permission::ManageRepository);
    let path = source.display().to_string();
    let new = NewRepository {
        project_id: project.id,
        name: "source".to_owned(),
        location_key: format!("file:{path}"),
        source: RepositorySource::Local { path },
        credential: None,
        depth: None,
        tracked_branches: Vec::new(),
    };
    let id = repositories::insert(db.writer(), &scope, new)
        .await
        .unwrap();
    services
        .indexing
        .request_index(organization.id, id, None, RunTrigger::Added)
        .await
        .unwrap();
    (organization.id, id)
}
