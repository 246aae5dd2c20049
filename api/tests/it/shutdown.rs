//! SIGTERM: what is open ends, the process goes in bounded time, and the folder can be used again.

use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::app::{ADMINISTRATOR, GitRepository, sign_in, text};
use crate::kill::Server;

/// Draining is quick when nothing runs; far below the settings' own limit of 20 seconds.
const QUICK: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread")]
async fn a_terminated_server_leaves_cleanly_and_starts_again() {
    let root = tempfile::tempdir().unwrap();
    let source =
        GitRepository::create(root.path().join("source"), &[("a.py", "def a():\n    1\n")]);
    let server = Server::start(root.path()).await;
    let admin = sign_in(&server.url, ADMINISTRATOR).await;
    let (_, project) = admin.home().await;
    let repository = admin.add(&project, &source.path).await;

    let start = Instant::now();
    assert!(server.terminate().success(), "the exit status is clean");
    assert!(start.elapsed() < QUICK, "it took {:?}", start.elapsed());

    let server = Server::start(root.path()).await;
    let admin = sign_in(&server.url, ADMINISTRATOR).await;
    let path = format!("/api/v1/repositories/{}", text(&repository["id"]));
    assert_eq!(
        admin.get(&path).await.body["published"],
        repository["published"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_process_on_the_same_folder_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let _server = Server::start(root.path()).await;
    let second = Command::new(env!("CARGO_BIN_EXE_quarry-api"))
        .args(["serve", "--bind", "127.0.0.1:0", "--data"])
        .arg(root.path().join("data"))
        .stdout(Stdio::null())
        .output()
        .unwrap();
    assert!(!second.status.success());
    let error = String::from_utf8_lossy(&second.stderr);
    assert!(error.contains("data"), "the reason is named: {error}");
}

#[test]
fn a_wrong_configuration_is_refused_with_every_problem() {
    let root = tempfile::tempdir().unwrap();
    let refused = Command::new(env!("CARGO_BIN_EXE_quarry-api"))
        .args(["serve", "--data"])
        .arg(root.path())
        .env("QUARRY_SERVER_BIND", "nowhere")
        .env("QUARRY_AUTHENTICATION_SIGNING_KEY", "tiny-key-7731")
        .stdout(Stdio::null())
        .output()
        .unwrap();
    assert!(!refused.status.success());
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(error.contains("server.bind"), "{error}");
    assert!(error.contains("authentication.signing_key"), "{error}");
    assert!(
        !error.contains("tiny-key-7731"),
        "a secret is shown: {error}"
    );
}
