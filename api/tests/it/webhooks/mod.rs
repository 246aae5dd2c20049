//! Events of Git hosts: who may send them (`signatures`), what they lead to and how often (`events`),
//! and when they are searchable (`searchable`).

mod events;
mod searchable;
mod signatures;

use reqwest::{Method, StatusCode};
use ring::hmac;
use serde_json::{Value, json};

use crate::app::{Client, GitRepository, Reply, TestApp, text};

const SOME: &str = "1111111111111111111111111111111111111111";

/// A repository with a secret.
struct Endpoint {
    app: TestApp,
    admin: Client,
    source: GitRepository,
    id: String,
    secret: String,
}

impl Endpoint {
    async fn start() -> Self {
        let (app, admin) = TestApp::start().await;
        let (_, project) = admin.home().await;
        let files = [("a.py", "def before_the_push():\n    return 1\n")];
        let source = GitRepository::create(app.folder.path().join("pushed"), &files);
        let repository = admin.add(&project, &source.path).await;
        let id = text(&repository["id"]);
        let secret = new_secret(&admin, &id).await;
        Self {
            app,
            admin,
            source,
            id,
            secret,
        }
    }

    async fn send(&self, provider: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        send(&self.app, provider, &self.id, headers, body).await
    }

    /// An event of GitHub, signed.
    async fn github(&self, event: &str, delivery: &str, body: &[u8]) -> Reply {
        let signature = format!("sha256={}", hex(self.secret.as_bytes(), body));
        let headers = [
            ("x-github-event", event),
            ("x-github-delivery", delivery),
            ("x-hub-signature-256", &signature),
        ];
        self.send("github", &headers, body).await
    }

    async fn runs(&self) -> usize {
        let path = format!("/api/v1/repositories/{}/index-runs", self.id);
        self.admin.get(&path).await.body["items"]
            .as_array()
            .unwrap()
            .len()
    }

    async fn deliveries(&self) -> Vec<Value> {
        let path = format!("/api/v1/repositories/{}/webhook-deliveries", self.id);
        let reply = self.admin.get(&path).await;
        reply.body["items"].as_array().unwrap().clone()
    }
}

async fn new_secret(client: &Client, repository: &str) -> String {
    let path = format!("/api/v1/repositories/{repository}/webhook");
    let reply = client.send(Method::PUT, &path, Some(&json!({}))).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    text(&reply.body["secret"])
}

async fn send(
    app: &TestApp,
    provider: &str,
    repository: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Reply {
    let url = format!("{}/webhooks/{provider}/{repository}", app.url);
    let mut request = reqwest::Client::new().post(url).body(body.to_vec());
    if !headers.iter().any(|(name, _)| *name == "content-type") {
        request = request.header("content-type", "application/json");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let reply = request.send().await.expect("the server answers");
    let (status, headers) = (reply.status(), reply.headers().clone());
    let text = reply.text().await.unwrap();
    Reply {
        status,
        headers,
        body: serde_json::from_str(&text).unwrap_or(Value::Null),
        text,
    }
}

fn sign(key: &[u8], body: &[u8]) -> hmac::Tag {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), body)
}

fn hex(key: &[u8], body: &[u8]) -> String {
    let tag = sign(key, body);
    tag.as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A delivery that was taken and ignored, for tests that need one. Leaves the secret set.
pub async fn ping(app: &TestApp, client: &Client, repository: &str) -> Value {
    let secret = new_secret(client, repository).await;
    let headers = [
        ("x-gitlab-event", "Note Hook"),
        ("x-gitlab-token", secret.as_str()),
    ];
    let reply = send(app, "gitlab", repository, &headers, b"{}").await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    let path = format!("/api/v1/repositories/{repository}/webhook-deliveries");
    client.get(&path).await.body["items"][0]["id"].clone()
}

fn told(reply: &Reply) -> (u16, &str, &str) {
    (
        reply.status.as_u16(),
        reply.body["outcome"].as_str().unwrap_or_default(),
        reply.body["reason"].as_str().unwrap_or_default(),
    )
}
