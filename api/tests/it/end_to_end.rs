//! From an added repository to hits, files and counts.

use reqwest::StatusCode;
use serde_json::json;

use crate::app::{GitRepository, TestApp, text};

const CACHE: &str = "\
use std::collections::HashMap;

/// Keeps the entries used last.
pub struct EntryCache {
    entries: HashMap<String, u64>,
}

impl EntryCache {
    /// Removes the entry that was used longest ago, to make room for another one in the map.
    pub fn evict_oldest(&mut self) -> Option<String> {
        let oldest = self.entries.iter().min_by_key(|(_, used)| **used)?.0.clone();
        self.entries.remove(&oldest);
        Some(oldest)
    }
}
";

#[tokio::test(flavor = "multi_thread")]
async fn an_added_repository_is_searched_read_and_counted() {
    let (app, admin) = TestApp::start().await;
    let (organization, project) = admin.home().await;
    let source = GitRepository::create(
        app.folder.path().join("shop"),
        &[
            ("src/cache.rs", CACHE),
            (
                "docs/guide.md",
                "# Guide\n\n## Refunds\n\nSeventeen days.\n",
            ),
            (".env", "TOKEN=secret-fixture-value\n"),
            ("logo.png", "\u{0}\u{1}\u{0}\u{1}"),
        ],
    );
    let repository = admin.add(&project, &source.path).await;
    assert_eq!(repository["state"], "ready", "{repository}");
    let published = &repository["published"];
    assert_eq!(
        (&published["files_seen"], &published["files_indexed"]),
        (&json!(4), &json!(2))
    );

    let found = admin
        .search(&organization, "how is the oldest entry evicted")
        .await;
    let hit = &found["hits"][0];
    assert_eq!(hit["path"], "src/cache.rs", "{found}");
    assert_eq!(hit["commit"], published["commit"]);
    assert!(hit["start_line"].as_u64().unwrap() <= 10 && hit["end_line"].as_u64().unwrap() >= 10);
    assert!(text(&hit["snippet"]["text"]).contains("evict_oldest"));

    let named = admin.search(&organization, "evict_oldest").await;
    assert_eq!(
        (&named["intent"], &named["hits"][0]["path"]),
        (&json!("name"), &json!("src/cache.rs"))
    );
    let none = admin
        .search(&organization, "evict_oldest lang:python")
        .await;
    assert_eq!(
        (&none["verdict"], &none["hits"]),
        (&json!("no_match"), &json!([]))
    );
    let quoted = admin.search(&organization, "\"seventeen days\"").await;
    assert_eq!(quoted["hits"][0]["path"], "docs/guide.md", "{quoted}");
    assert_eq!(quoted["hits"].as_array().unwrap().len(), 1, "{quoted}");

    let body = json!({"pattern": "min_by_key\\(\\|.*used\\)", "regex": true, "organization_id": organization});
    let exact = admin.post("/api/v1/search/exact", &body).await.body;
    assert_eq!(exact["files"][0]["matches"][0]["line"], 11, "{exact}");
    assert_eq!(exact["stopped_early"], false);

    let id = text(&repository["id"]);
    let file = admin
        .get(&format!(
            "/api/v1/repositories/{id}/file?path=src/cache.rs&start_line=10&end_line=11"
        ))
        .await
        .body;
    assert!(
        text(&file["text"]).starts_with("    pub fn evict_oldest"),
        "{file}"
    );
    assert!(
        file["symbols"]
            .as_array()
            .unwrap()
            .iter()
            .any(|symbol| symbol["name"] == "EntryCache")
    );
    let skipped = admin
        .get(&format!("/api/v1/repositories/{id}/file?path=.env"))
        .await;
    assert_eq!(skipped.status, StatusCode::NOT_FOUND);
    assert_eq!(skipped.body["code"], "file_not_indexed");
    assert!(!skipped.text.contains("secret-fixture-value"));

    let tree = admin
        .get(&format!("/api/v1/repositories/{id}/tree"))
        .await
        .body;
    let names: Vec<&str> = tree["entries"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|entry| entry["name"].as_str())
        .collect();
    assert_eq!(names, ["docs", "src", ".env", "logo.png"]);

    let symbols = admin
        .get(&format!(
            "/api/v1/symbols?organization_id={organization}&name=entrycache"
        ))
        .await
        .body;
    assert_eq!(
        symbols["items"][0]["qualified_name"], "EntryCache",
        "{symbols}"
    );

    let snapshot = published["snapshot_id"].as_i64().unwrap();
    let ledger = admin
        .get(&format!(
            "/api/v1/snapshots/{snapshot}/ledger?status=skipped"
        ))
        .await
        .body;
    let reasons: Vec<(&str, &str)> = ledger["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (
                row["path"].as_str().unwrap(),
                row["reason"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(reasons, [(".env", "secret"), ("logo.png", "binary")]);
    let summary = &ledger["summary"];
    assert_eq!(summary["chunks"], summary["points"]);
    assert_eq!(summary["chunks"], summary["documents"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_embeds_what_changed_and_old_snapshots_stay_searchable() {
    let (app, admin) = TestApp::start().await;
    let (organization, project) = admin.home().await;
    let many: Vec<(String, String)> = (0..30)
        .map(|n| {
            (
                format!("src/part_{n}.py"),
                format!("def stable_{n}():\n    return {n}\n"),
            )
        })
        .collect();
    let mut files: Vec<(&str, &str)> = many
        .iter()
        .map(|(name, content)| (name.as_str(), content.as_str()))
        .collect();
    files.push((
        "src/moving.py",
        "def before_the_push():\n    return 'old'\n",
    ));
    let source = GitRepository::create(app.folder.path().join("moving"), &files);
    let first = admin.add(&project, &source.path).await;
    let old = first["published"]["snapshot_id"].as_i64().unwrap();

    source.commit(&[("src/moving.py", "def after_the_push():\n    return 'new'\n")]);
    let id = text(&first["id"]);
    let run = admin
        .post(&format!("/api/v1/repositories/{id}/index"), &json!({}))
        .await;
    assert_eq!(run.status, StatusCode::ACCEPTED, "{}", run.text);
    let second = admin.settled(&id).await;
    let run = &second["latest_run"];
    assert_eq!(
        (&run["files_total"], &run["chunks_embedded"]),
        (&json!(1), &json!(1)),
        "{run}"
    );
    assert_eq!(second["published"]["files_indexed"], 31);

    let gone = admin.search(&organization, "\"before_the_push\"").await;
    assert_eq!(gone["hits"], json!([]), "{gone}");
    let fresh = admin.search(&organization, "after_the_push").await;
    assert_eq!(fresh["hits"][0]["path"], "src/moving.py");
    let body =
        json!({"query": "before_the_push", "organization_id": organization, "snapshot_id": old});
    let past = admin.post("/api/v1/search", &body).await.body;
    assert_eq!(past["hits"][0]["path"], "src/moving.py", "{past}");
    assert!(text(&past["hits"][0]["snippet"]["text"]).contains("before_the_push"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_repository_leaves_nothing_to_find() {
    let (app, admin) = TestApp::start().await;
    let (organization, project) = admin.home().await;
    let source = GitRepository::create(
        app.folder.path().join("doomed"),
        &[("a.py", "def soon_to_be_gone():\n    return 1\n")],
    );
    let repository = admin.add(&project, &source.path).await;
    let path = format!("/api/v1/repositories/{}", text(&repository["id"]));
    let deleted = admin.send(reqwest::Method::DELETE, &path, None).await;
    assert_eq!(deleted.status, StatusCode::ACCEPTED, "{}", deleted.text);
    let start = std::time::Instant::now();
    while admin.get(&path).await.status != StatusCode::NOT_FOUND {
        assert!(
            start.elapsed() < crate::app::DEADLINE,
            "the repository is still there"
        );
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let found = admin.search(&organization, "soon_to_be_gone").await;
    assert_eq!(found["hits"], json!([]), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_streams_to_its_end() {
    let (app, admin) = TestApp::start().await;
    let (_, project) = admin.home().await;
    let source = GitRepository::create(app.folder.path().join("watched"), &[("a.py", "x = 1\n")]);
    let repository = admin.add(&project, &source.path).await;
    let run = text(&repository["latest_run"]["id"]);
    let stream = admin.get(&format!("/api/v1/index-runs/{run}/events")).await;
    assert_eq!(stream.status, StatusCode::OK);
    assert!(
        stream.text.starts_with("event: progress\ndata: {"),
        "{}",
        stream.text
    );
    assert!(
        stream.text.contains("event: done\ndata: {"),
        "{}",
        stream.text
    );
    assert_eq!(
        app.anonymous()
            .get(&format!("/api/v1/index-runs/{run}/events"))
            .await
            .status,
        401
    );
}
