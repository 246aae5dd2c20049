//! Whatever a stranger sends is answered with a typed problem, never with a 500.

use serde_json::{Value, json};

use crate::app::{GitRepository, TestApp, text};

#[tokio::test(flavor = "multi_thread")]
async fn malformed_requests_are_problems() {
    let (_app, admin) = TestApp::start().await;
    let (organization, project) = admin.home().await;
    let search = |query: Value| json!({"query": query, "organization_id": organization});
    let cases: Vec<(&str, Value)> = vec![
        ("/api/v1/search", json!({})),
        ("/api/v1/search", json!([])),
        ("/api/v1/search", json!("text")),
        ("/api/v1/search", search(json!(7))),
        ("/api/v1/search", search(json!(""))),
        ("/api/v1/search", search(json!("x".repeat(1_000_000)))),
        (
            "/api/v1/search",
            json!({"query": "x", "organization_id": "not an id"}),
        ),
        (
            "/api/v1/search",
            json!({"query": "x", "organization_id": organization, "limit": 0}),
        ),
        (
            "/api/v1/search",
            json!({"query": "x", "organization_id": organization, "limit": 10_000_000}),
        ),
        (
            "/api/v1/search",
            json!({"query": "x", "organization_id": organization, "unknown": 1}),
        ),
        (
            "/api/v1/search",
            json!({"query": "x", "organization_id": organization, "path": "["}),
        ),
        (
            "/api/v1/search/exact",
            json!({"pattern": "(", "regex": true, "organization_id": organization}),
        ),
        (
            "/api/v1/search/exact",
            json!({"pattern": "", "organization_id": organization}),
        ),
        (
            "/api/v1/search/exact",
            json!({"pattern": "(x{1000}){1000}", "regex": true, "organization_id": organization}),
        ),
        ("/api/v1/organizations", json!({"name": ""})),
    ];
    for (path, body) in cases {
        let reply = admin.post(path, &body).await;
        let shown = body.to_string().chars().take(120).collect::<String>();
        assert!(
            reply.status.is_client_error(),
            "{path} {shown}: {} {}",
            reply.status,
            reply.text
        );
        assert!(
            reply.body["code"].is_string(),
            "{path} {shown}: {}",
            reply.text
        );
        assert!(reply.body["request_id"].is_string());
    }
    for path in [
        "/api/v1/nothing".to_owned(),
        "/api/v1/repositories/not-an-id".to_owned(),
        format!("/api/v1/projects/{project}/repositories?limit=many"),
        format!("/api/v1/projects/{project}/repositories?cursor=rubbish"),
        "/api/v1/snapshots/99999999999999999999/ledger".to_owned(),
        "/api/v1/jobs?state=unknown".to_owned(),
    ] {
        let reply = admin.get(&path).await;
        assert!(
            reply.status.is_client_error(),
            "{path}: {} {}",
            reply.status,
            reply.text
        );
        assert!(reply.body["code"].is_string(), "{path}: {}", reply.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn meta_characters_are_only_text() {
    let (app, admin) = TestApp::start().await;
    let (organization, project) = admin.home().await;
    let source = GitRepository::create(
        app.folder.path().join("odd"),
        &[
            (
                "it's/a \"b\".py",
                "def awkward_path_name():\n    return '100%_\\'\n",
            ),
            ("plain.py", "def plain_name():\n    return 1\n"),
        ],
    );
    let repository = admin.add(&project, &source.path).await;
    let id = text(&repository["id"]);
    for text in [
        "'; DROP TABLE chunks; --",
        "\" OR 1=1",
        "%",
        "_",
        "\\",
        "a\u{0}b",
        "NOT",
        "AND OR NEAR(",
        "*",
        "(((",
        "-",
        "--",
        "\"",
        "/",
        "//",
        "/(/",
        "path:",
        "lang:'",
        "repo:%",
        "symbol:\"",
        "🦀",
        "\u{202e}x",
    ] {
        let body = json!({"query": text, "organization_id": organization, "path": "it's/*", "languages": [text]});
        let reply = admin.post("/api/v1/search", &body).await;
        assert!(
            reply.status.is_success() || reply.status.is_client_error(),
            "{text}: {}",
            reply.text
        );
        let body = json!({"pattern": text, "organization_id": organization});
        let reply = admin.post("/api/v1/search/exact", &body).await;
        assert!(
            reply.status.is_success() || reply.status.is_client_error(),
            "{text}: {}",
            reply.text
        );
    }
    let body = json!({"pattern": "100%_\\", "organization_id": organization});
    let exact = admin.post("/api/v1/search/exact", &body).await.body;
    assert_eq!(exact["matches"], 1, "{exact}");
    let found = admin.search(&organization, "awkward_path_name").await;
    let path = text(&found["hits"][0]["path"]);
    assert_eq!(path, "it's/a \"b\".py");
    let escaped = path.replace('"', "%22").replace(' ', "%20");
    let file = admin
        .get(&format!("/api/v1/repositories/{id}/file?path={escaped}"))
        .await;
    assert_eq!(file.status, 200, "{}", file.text);
    for outside in [
        "../../../etc/passwd",
        "%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
    ] {
        let reply = admin
            .get(&format!("/api/v1/repositories/{id}/file?path={outside}"))
            .await;
        assert_eq!(reply.status, 404, "{outside}");
        assert!(!reply.text.contains("root:"));
    }
}
