//! From a push to a hit.

use std::time::Instant;

use serde_json::json;

use super::{Endpoint, SOME, told};
use crate::app::{Client, DEADLINE};

#[tokio::test(flavor = "multi_thread")]
async fn a_push_is_searchable_after_its_event() {
    let endpoint = Endpoint::start().await;
    let (organization, _) = endpoint.admin.home().await;
    let files = [("a.py", "def after_the_push():\n    return 2\n")];
    endpoint.source.commit(&files);
    // The event names a commit that never was: which one it is, the remote says.
    let body = json!({"ref": "refs/heads/main", "after": SOME, "forced": true}).to_string();
    let reply = endpoint.github("push", "real", body.as_bytes()).await;
    assert_eq!(reply.status, 202, "{}", reply.text);
    let start = Instant::now();
    loop {
        let found = endpoint.admin.search(&organization, "after_the_push").await;
        let first = &found["hits"][0]["snippet"]["text"];
        if first
            .as_str()
            .is_some_and(|text| text.contains("after_the_push"))
        {
            break;
        }
        assert!(start.elapsed() < DEADLINE, "{found}");
        tokio::task::yield_now().await;
    }
    let repository = endpoint.admin.settled(&endpoint.id).await;
    assert_eq!(repository["latest_run"]["trigger"], "webhook");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pipeline_waits_until_its_commit_is_searchable() {
    let endpoint = Endpoint::start().await;
    let (organization, _) = endpoint.admin.home().await;
    let token = async |scope: &str| {
        let body = json!({"name": scope, "scopes": [scope]});
        let path = format!("/api/v1/organizations/{organization}/tokens");
        let made = endpoint.admin.post(&path, &body).await;
        Client::new(&endpoint.app.url, made.body["token"].as_str())
    };
    let (pipeline, reader) = (token("index").await, token("search").await);
    let path = format!("/webhooks/ci/{}", endpoint.id);
    endpoint
        .source
        .commit(&[("a.py", "def from_the_pipeline():\n    return 3\n")]);
    let head = std::fs::read_to_string(endpoint.source.path.join(".git/refs/heads/main")).unwrap();
    let head = head.trim();
    let body = json!({"ref": "refs/heads/main", "commit": head, "wait_seconds": 60});
    assert_eq!(
        endpoint.app.anonymous().post(&path, &body).await.status,
        401
    );
    assert_eq!(reader.post(&path, &body).await.status, 403);
    let reply = pipeline.post(&path, &body).await;
    assert_eq!(
        told(&reply),
        (200, "accepted", "requested"),
        "{}",
        reply.text
    );
    assert_eq!(reply.body["is_searchable"], true);
    assert_eq!(reply.body["searchable_commit"], head);
    let found = endpoint
        .admin
        .search(&organization, "from_the_pipeline")
        .await;
    assert_eq!(found["hits"][0]["commit"], head, "{found}");

    let runs = endpoint.runs().await;
    let reply = pipeline.post(&path, &body).await;
    assert_eq!(
        told(&reply),
        (200, "ignored", "already_searchable"),
        "{}",
        reply.text
    );
    assert_eq!(endpoint.runs().await, runs);
    let reply = pipeline.post(&path, &json!({"branch": "main"})).await;
    assert_eq!(
        told(&reply),
        (202, "accepted", "requested"),
        "{}",
        reply.text
    );
    assert_eq!(reply.body["is_searchable"], false);
    let missing = json!({"branch": "missing", "wait_seconds": 60});
    let reply = pipeline.post(&path, &missing).await;
    assert_eq!(
        (reply.status.as_u16(), &reply.body["code"]),
        (409, &json!("index_run_failed"))
    );
    let reply = pipeline.post(&path, &json!({"ref": "refs/tags/v1"})).await;
    assert_eq!(told(&reply), (200, "ignored", "tag"), "{}", reply.text);
    for wrong in [
        json!({"ref": "refs/heads/"}),
        json!({"ref": "a", "branch": "a"}),
        json!({"commit": "not-a-commit"}),
        json!({"wait_seconds": 601}),
    ] {
        assert_eq!(pipeline.post(&path, &wrong).await.status, 422, "{wrong}");
    }
    let own = endpoint.app.stranger("ci@example.invalid").await;
    assert_eq!(own.post(&path, &json!({})).await.status, 404);
}
