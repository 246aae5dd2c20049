//! The door itself: methods, hosts, sizes, headers, the page.

use reqwest::{Method, header::HOST};
use serde_json::json;

use crate::app::TestApp;

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_method_is_told_which_ones_are_right() {
    let (_app, admin) = TestApp::start().await;
    let id = uuid::Uuid::new_v4();
    for (method, path, allow) in [
        (
            Method::DELETE,
            "/api/v1/organizations".to_owned(),
            "GET, POST",
        ),
        (Method::PUT, "/api/v1/auth/login".to_owned(), "POST"),
        (Method::GET, "/api/v1/search".to_owned(), "POST"),
        (
            Method::PATCH,
            format!("/api/v1/repositories/{id}"),
            "GET, DELETE",
        ),
        (Method::POST, "/healthz".to_owned(), "GET, HEAD"),
        (Method::POST, "/".to_owned(), "GET, HEAD"),
        (Method::DELETE, "/search".to_owned(), "GET, HEAD"),
    ] {
        let reply = admin.send(method.clone(), &path, None).await;
        assert_eq!(reply.status, 405, "{method} {path}: {}", reply.text);
        assert_eq!(reply.headers["allow"], allow, "{method} {path}");
        assert_eq!(reply.body["code"], "method_not_allowed");
    }
    for path in [
        "/api",
        "/api/",
        "/api/v1",
        "/api/v1/nothing",
        "/api/v2/search",
    ] {
        let reply = admin.send(Method::POST, path, None).await;
        assert_eq!(reply.status, 404, "{path}: {}", reply.text);
        assert_eq!(reply.body["code"], "not_found", "{path}");
    }
    assert_eq!(admin.send(Method::HEAD, "/healthz", None).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_names_for_this_server_are_refused_except_by_probes() {
    let (app, _) = TestApp::start_with(|settings| {
        settings.server.allowed_hosts = vec!["quarry.internal".to_owned()];
    })
    .await;
    let http = reqwest::Client::new();
    for (path, host, status) in [
        ("/api/v1/auth/me", "evil.example", 421),
        ("/", "evil.example", 421),
        ("/healthz", "evil.example", 200),
        ("/readyz", "evil.example", 200),
        ("/", "quarry.internal", 200),
        ("/", "localhost:1", 200),
    ] {
        let request = http.get(format!("{}{path}", app.url)).header(HOST, host);
        let reply = request.send().await.unwrap();
        assert_eq!(reply.status(), status, "{host} {path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_body_limit_is_the_one_that_was_set() {
    let (app, _) = TestApp::start_with(|settings| settings.server.max_body_bytes = 4096).await;
    let login = |bytes: usize| json!({"email": "x@example.invalid", "password": "p".repeat(bytes)});
    let reply = app
        .anonymous()
        .post("/api/v1/auth/login", &login(8_000))
        .await;
    assert_eq!(
        (reply.status.as_u16(), &reply.body["code"]),
        (413, &json!("body_too_large"))
    );
    let reply = app
        .anonymous()
        .post("/api/v1/auth/login", &login(3_000))
        .await;
    assert_eq!(reply.status, 422, "{}", reply.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_is_guarded_and_the_page_has_a_fresh_nonce() {
    let (app, admin) = TestApp::start().await;
    let mut policies = Vec::new();
    for path in [
        "/",
        "/repositories",
        "/",
        "/api/v1/status",
        "/api/nothing",
        "/healthz",
    ] {
        let reply = admin.get(path).await;
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("cross-origin-opener-policy", "same-origin"),
            ("referrer-policy", "no-referrer"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(reply.headers[name], value, "{path} {name}");
        }
        assert_eq!(reply.headers["x-request-id"].len(), 32, "{path}");
        let policy = reply.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        assert!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        if policy.contains("nonce-") {
            assert!(!reply.text.contains("__QUARRY_CSP_NONCE__"), "{path}");
            policies.push(policy.to_owned());
        }
    }
    assert_eq!(policies.len(), 3);
    policies.sort();
    policies.dedup();
    assert_eq!(policies.len(), 3, "a nonce was used twice");
    // An id from outside is not taken over.
    let request = reqwest::Client::new().get(format!("{}/healthz", app.url));
    let reply = request
        .header("x-request-id", "chosen")
        .send()
        .await
        .unwrap();
    assert_ne!(reply.headers()["x-request-id"], "chosen");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_is_served_and_names_every_operation() {
    let (app, _) = TestApp::start().await;
    let reply = app.anonymous().get("/api/openapi.json").await;
    assert_eq!(reply.text, quarry_api::openapi::json());
    for (path, item) in reply.body["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap_or_default();
            let is_snake = id
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            assert!(!id.is_empty() && is_snake, "{method} {path}: `{id}`");
        }
    }
}
