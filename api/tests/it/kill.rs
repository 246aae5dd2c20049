//! The real binary, killed in the middle of its work.

use std::{
    net::TcpListener,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::app::{ADMINISTRATOR, Client, DEADLINE, GitRepository, PASSWORD, sign_in, text};

pub struct Server {
    child: Child,
    pub url: String,
}

impl Server {
    pub async fn start(root: &Path) -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let child = Command::new(env!("CARGO_BIN_EXE_quarry-api"))
            .args(["serve", "--bind", &format!("127.0.0.1:{port}")])
            .arg("--data")
            .arg(root.join("data"))
            .arg("--local-root")
            .arg(root)
            .env("QUARRY_ADMIN_PASSWORD", PASSWORD)
            // Small batches, so that the middle is wide.
            .env("QUARRY_INDEXING_BATCH_FILES", "10")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self {
            child,
            url: format!("http://127.0.0.1:{port}"),
        };
        let start = Instant::now();
        while reqwest::get(format!("{}/readyz", server.url))
            .await
            .is_err()
        {
            assert!(start.elapsed() < DEADLINE, "the server does not start");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        server
    }

    /// SIGTERM, and how the process ended.
    pub fn terminate(mut self) -> ExitStatus {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(sent.success());
        self.child.wait().unwrap()
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn sources(root: &Path) -> GitRepository {
    let files: Vec<(String, String)> = (0..400)
        .map(|n| {
            let body: String = (0..20)
                .map(|m| format!("def function_{n}_{m}(value):\n    return value + {m}\n\n"))
                .collect();
            (format!("src/module_{n}.py"), body)
        })
        .collect();
    let mut files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, content)| (name.as_str(), content.as_str()))
        .collect();
    files.push(("README.md", "# Fixture\n\nkept_before_the_kill\n"));
    GitRepository::create(root.join("repository"), &files[400..]);
    let repository = GitRepository {
        path: root.join("repository"),
    };
    repository.commit(&files[..400]);
    repository.git(&["branch", "all"]);
    repository.git(&["reset", "-q", "--hard", "HEAD~1"]);
    repository
}

/// What must be the same whatever happened on the way.
async fn counts(client: &Client, repository: &Value) -> Value {
    let snapshot = &repository["published"]["snapshot_id"];
    let ledger = client
        .get(&format!("/api/v1/snapshots/{snapshot}/ledger?limit=1"))
        .await
        .body;
    ledger["summary"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_finishes_its_run_after_the_next_start() {
    let root = tempfile::tempdir().unwrap();
    let source = sources(root.path());
    let server = Server::start(root.path()).await;
    let client = sign_in(&server.url, ADMINISTRATOR).await;
    let (organization, project) = client.home().await;
    let id = text(&client.add(&project, &source.path).await["id"]);

    source.git(&["reset", "-q", "--hard", "all"]);
    let run = client
        .post(&format!("/api/v1/repositories/{id}/index"), &json!({}))
        .await
        .body;
    let run = format!("/api/v1/index-runs/{}", text(&run["id"]));
    let start = Instant::now();
    loop {
        let row = client.get(&run).await.body;
        if row["files_done"].as_i64().unwrap() > 0 {
            assert_eq!(
                row["state"], "running",
                "the run ended before the kill: {row}"
            );
            break;
        }
        assert!(start.elapsed() < DEADLINE, "the run does not begin: {row}");
    }
    server.kill();

    let server = Server::start(root.path()).await;
    let client = sign_in(&server.url, ADMINISTRATOR).await;
    // The old snapshot answers at once, whatever the run is doing.
    let found = client.search(&organization, "kept_before_the_kill").await;
    assert_eq!(found["hits"][0]["path"], "README.md", "{found}");
    let repository = client.settled(&id).await;
    assert_eq!(
        repository["latest_run"]["state"], "succeeded",
        "{repository}"
    );
    let after_kill = counts(&client, &repository).await;
    server.kill();

    let clean = tempfile::tempdir().unwrap();
    let server = Server::start(clean.path()).await;
    let source = sources(clean.path());
    source.git(&["reset", "-q", "--hard", "all"]);
    let client = sign_in(&server.url, ADMINISTRATOR).await;
    let (_, project) = client.home().await;
    let repository = client.add(&project, &source.path).await;
    assert_eq!(after_kill, counts(&client, &repository).await);
    assert_eq!(after_kill["chunks"], after_kill["points"]);
    assert_eq!(after_kill["chunks"], after_kill["documents"]);
}
