//! A secret that is given to the server in every way that goes wrong comes out nowhere: neither in
//! an answer, nor in the log, nor in any file of the data directory, the database among them.

use std::{
    fmt::{self, Write},
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
    path::Path,
    sync::{Mutex, PoisonError},
};

use quarry_shared::domain::redact;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

use crate::app::{ADMINISTRATOR, Client, TestApp, text};

const CANARY: &str = "canary-4c1d7e90b2";
/// Lines of the whole test program: other tests know nothing of the canary.
static LOG: Mutex<String> = Mutex::new(String::new());

/// Writes down every field of every event and span, of every crate and level.
struct Capture;

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = write!(self.0, " {field}={value:?}");
    }
}

fn note(fields: Fields) {
    let mut log = LOG.lock().unwrap_or_else(PoisonError::into_inner);
    log.push_str(&fields.0);
    log.push('\n');
}

impl Subscriber for Capture {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("quarry") || *metadata.level() <= tracing::Level::DEBUG
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut fields = Fields(attributes.metadata().name().to_owned());
        attributes.record(&mut fields);
        note(fields);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        let mut fields = Fields(String::new());
        values.record(&mut fields);
        note(fields);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(event.metadata().target().to_owned());
        event.record(&mut fields);
        note(fields);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// A host that answers everything in the same way.
fn host(answer: String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    port
}

fn answer(status: &str, headers: &str) -> String {
    format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n{headers}\r\n")
}

fn holds(path: &Path, needle: &str) -> bool {
    if path.is_dir() {
        return fs::read_dir(path)
            .unwrap()
            .any(|entry| holds(&entry.unwrap().path(), needle));
    }
    // Sockets and files that end meanwhile hold nothing.
    fs::read(path).is_ok_and(|bytes| {
        bytes
            .windows(needle.len())
            .any(|window| window == needle.as_bytes())
    })
}

async fn refused(who: &Client, method: Method, path: &str, body: Option<&Value>) {
    let reply = who.send(method, path, body).await;
    assert!(!reply.status.is_success(), "{path}: {}", reply.text);
    assert!(!reply.text.contains(CANARY), "{path}: {}", reply.text);
    assert!(!format!("{:?}", reply.headers).contains(CANARY), "{path}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_comes_out_nowhere() {
    let _ = tracing::subscriber::set_global_default(Capture);
    let (app, admin) = TestApp::start_with(|settings| {
        settings.git.plain_http_hosts = vec!["127.0.0.1:*".to_owned()];
    })
    .await;
    let (_, project) = admin.home().await;
    let check = format!("/api/v1/projects/{project}/repositories/check");
    let add = format!("/api/v1/projects/{project}/repositories");
    let denied = host(answer(
        "401 Unauthorized",
        "www-authenticate: Basic realm=\"git\"\r\n",
    ));
    let elsewhere = host(answer("302 Found", "location: http://localhost:1/x\r\n"));
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();

    // In an address, where it does not belong.
    for url in [
        format!("https://robot:{CANARY}@git.example.com/x.git"),
        format!("https://{CANARY}@git.example.com/x.git"),
        format!("https://git.example.com/x.git?token={CANARY}"),
        format!("ssh://robot:{CANARY}@git.example.com/x.git"),
    ] {
        let body = json!({"source": {"kind": "git", "url": url}});
        refused(&admin, Method::POST, &add, Some(&body)).await;
        refused(&admin, Method::POST, &check, Some(&body)).await;
    }
    // Beside an address that fails.
    for port in [denied, elsewhere, closed] {
        let url = format!("http://127.0.0.1:{port}/x.git");
        let source = json!({"kind": "git", "url": url, "username": "robot", "password": CANARY});
        let body = json!({"source": source});
        refused(&admin, Method::POST, &check, Some(&body)).await;
        let added = admin.post(&add, &body).await;
        assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
        assert!(!added.text.contains(CANARY));
        let id = text(&added.body["id"]);
        if port != closed {
            let settled = admin.settled(&id).await;
            assert_eq!(settled["latest_run"]["state"], "failed", "{settled}");
            assert!(!settled.to_string().contains(CANARY));
        }
    }
    let jobs = admin.get("/api/v1/jobs").await;
    assert!(!jobs.text.contains(CANARY), "{}", jobs.text);
    // At sign-in, and in bodies and addresses that cannot be read.
    let login = "/api/v1/auth/login";
    let anonymous = app.anonymous();
    for body in [
        json!({"email": ADMINISTRATOR, "password": CANARY}),
        json!({"email": "nobody@example.invalid", "password": CANARY}),
        json!({"email": {"x": CANARY}, "password": CANARY}),
        json!({"email": "x", "password": [CANARY]}),
        json!(CANARY),
    ] {
        refused(&anonymous, Method::POST, login, Some(&body)).await;
    }
    for body in [
        json!({"source": CANARY}),
        json!({"source": {"kind": "git", "url": "https://a.example/x", "password": CANARY}, "depth": CANARY}),
    ] {
        refused(&admin, Method::POST, &add, Some(&body)).await;
    }
    let stranger = Client::new(&app.url, Some(CANARY));
    refused(&stranger, Method::GET, "/api/v1/organizations", None).await;
    let path = format!("/api/v1/repositories/{CANARY}");
    refused(&admin, Method::GET, &path, None).await;

    let log = LOG.lock().unwrap_or_else(PoisonError::into_inner).clone();
    assert!(log.contains("answered a request"), "the log was captured");
    let line = log.lines().find(|line| line.contains(CANARY));
    assert_eq!(line, None, "in the log");
    let data = app.folder.path().join("data");
    assert!(holds(&data, "http://127.0.0.1"), "the database was read");
    assert!(!holds(&data, CANARY), "in a file");
    assert_eq!(redact(&format!("https://a:{CANARY}@b/")), "https://b/");
}
