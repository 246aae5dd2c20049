//! A server on a free port with a folder of its own, and people who talk to it.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use quarry_api::{authentication::passwords, standalone::Standalone};
use quarry_shared::{
    config::Settings,
    services::Services,
    store::{organizations, projects, users},
};
use reqwest::{Method, StatusCode, header::HeaderMap};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

pub const PASSWORD: &str = "correct horse battery staple";
pub const ADMINISTRATOR: &str = "admin@localhost";
/// Longer than any of these tests should take; a failure then says what was waited for.
pub const DEADLINE: Duration = Duration::from_secs(60);

pub struct TestApp {
    pub folder: TempDir,
    pub url: String,
    pub services: Services,
    shutdown: CancellationToken,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl TestApp {
    /// A running server and its administrator, signed in.
    pub async fn start() -> (Self, Client) {
        Self::start_with(|_| {}).await
    }

    /// The same with settings that differ.
    pub async fn start_with(change: impl FnOnce(&mut Settings)) -> (Self, Client) {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::default();
        settings.data.directory = folder.path().join("data");
        settings.server.bind = "127.0.0.1:0".parse().unwrap();
        settings.admin.password = Some(PASSWORD.to_owned().into());
        settings.git.local_roots = vec![folder.path().to_path_buf()];
        settings.authentication.attempts_per_address = 10_000;
        change(&mut settings);
        let shutdown = CancellationToken::new();
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let stop = shutdown.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async move {
                let server = Standalone::start(settings, stop).await.unwrap();
                let address = server.address().unwrap();
                sender
                    .send((address, server.services().clone()))
                    .ok()
                    .unwrap();
                server.run().await.unwrap();
            });
        });
        let (address, services) = receiver.await.expect("the server starts");
        let app = Self {
            folder,
            url: format!("http://{address}"),
            services,
            shutdown,
            thread: Some(thread),
        };
        let administrator = app.sign_in(ADMINISTRATOR).await;
        (app, administrator)
    }

    pub fn anonymous(&self) -> Client {
        Client::new(&self.url, None)
    }

    pub async fn sign_in(&self, email: &str) -> Client {
        sign_in(&self.url, email).await
    }

    /// Somebody with an organization and a project of their own.
    pub async fn stranger(&self, email: &str) -> Client {
        let db = self.services.database.writer();
        let new = users::NewUser {
            email: email.to_owned(),
            name: "Somebody".to_owned(),
            password_hash: passwords::hash(PASSWORD).unwrap(),
            is_instance_administrator: false,
        };
        let user = users::create(db, new).await.unwrap();
        let organization = organizations::create(db, user.id, email).await.unwrap();
        projects::create_in(db, organization.id, "own")
            .await
            .unwrap();
        self.sign_in(email).await
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.shutdown.cancel();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            if !std::thread::panicking() {
                ended.expect("the server stops cleanly");
            }
        }
    }
}

pub async fn sign_in(url: &str, email: &str) -> Client {
    let body = json!({"email": email, "password": PASSWORD});
    let reply = Client::new(url, None)
        .post("/api/v1/auth/login", &body)
        .await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.body);
    Client::new(url, reply.body["access_token"].as_str())
}

#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
    pub text: String,
}

#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    token: Option<String>,
    cookie: Option<String>,
}

impl Client {
    pub fn new(url: &str, token: Option<&str>) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self {
            http: reqwest::Client::new(),
            url: url.to_owned(),
            token: token.map(str::to_owned),
            cookie: None,
        }
    }

    /// The same with a cookie.
    pub fn with_cookie(self, cookie: &str) -> Self {
        Self {
            cookie: Some(cookie.to_owned()),
            ..self
        }
    }

    /// The access token, when somebody is signed in.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(Method::POST, path, Some(body)).await
    }

    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Reply {
        let mut request = self.http.request(method, format!("{}{path}", self.url));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie);
        }
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body.to_string());
        }
        let reply = request.send().await.expect("the server answers");
        let status = reply.status();
        let headers = reply.headers().clone();
        let text = reply.text().await.unwrap();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        Reply {
            status,
            headers,
            body,
            text,
        }
    }

    /// The first organization and its first project.
    pub async fn home(&self) -> (String, String) {
        let organizations = self.get("/api/v1/organizations").await;
        let organization = text(&organizations.body["items"][0]["id"]);
        let path = format!("/api/v1/organizations/{organization}/projects");
        let project = text(&self.get(&path).await.body["items"][0]["id"]);
        (organization, project)
    }

    /// Adds a local repository and waits until its first run has ended.
    pub async fn add(&self, project: &str, path: &Path) -> Value {
        let body = json!({"source": {"kind": "local", "path": path}});
        let path = format!("/api/v1/projects/{project}/repositories");
        let reply = self.post(&path, &body).await;
        assert_eq!(reply.status, StatusCode::CREATED, "{}", reply.text);
        self.settled(&text(&reply.body["id"])).await
    }

    /// The repository once no run of it is open.
    pub async fn settled(&self, repository: &str) -> Value {
        let path = format!("/api/v1/repositories/{repository}");
        let start = Instant::now();
        loop {
            let reply = self.get(&path).await;
            let run = &reply.body["latest_run"]["state"];
            if ["succeeded", "failed", "cancelled"].contains(&run.as_str().unwrap_or_default()) {
                return reply.body;
            }
            assert!(
                start.elapsed() < DEADLINE,
                "a run does not end: {}",
                reply.text
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub async fn search(&self, organization: &str, query: &str) -> Value {
        let body = json!({"query": query, "organization_id": organization, "limit": 20});
        let reply = self.post("/api/v1/search", &body).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
        reply.body
    }
}

pub fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("not a text: {value}"))
        .to_owned()
}

/// A Git repository made of the given files.
pub struct GitRepository {
    pub path: PathBuf,
}

impl GitRepository {
    pub fn create(path: PathBuf, files: &[(&str, &str)]) -> Self {
        std::fs::create_dir_all(&path).unwrap();
        let repository = Self { path };
        repository.git(&["init", "-q", "-b", "main"]);
        repository.commit(files);
        repository
    }

    pub fn commit(&self, files: &[(&str, &str)]) {
        for (name, content) in files {
            let file = self.path.join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, content).unwrap();
        }
        self.git(&["add", "-A", "-f"]);
        let identity = ["-c", "user.name=T", "-c", "user.email=t@example.invalid"];
        let commit = ["commit", "-q", "--allow-empty", "-m", "step"];
        self.git(&[&identity[..], &commit[..]].concat());
    }

    pub fn git(&self, arguments: &[&str]) {
        let status = Command::new("git")
            .args(arguments)
            .current_dir(&self.path)
            .status()
            .unwrap();
        assert!(status.success(), "git {arguments:?}");
    }
}
