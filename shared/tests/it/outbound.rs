//! Outbound requests against listeners that must, or must not, be reached.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use http::Request;
use quarry_shared::{adapters::outbound::OutboundClient, config::OutboundSettings, domain::Kinded};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

/// A server that answers by path and remembers what it was sent.
struct Listener {
    port: u16,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Listener {
    /// Paths, and the status line with headers and body that each is answered with.
    async fn start(answers: &[(&str, String)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let answers: HashMap<String, String> = answers
            .iter()
            .map(|(path, answer)| ((*path).to_owned(), answer.clone()))
            .collect();
        let record = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = Vec::new();
                while !request.windows(4).any(|end| end == b"\r\n\r\n") {
                    let mut piece = [0; 4096];
                    match stream.read(&mut piece).await {
                        Ok(0) | Err(_) => break,
                        Ok(length) => request.extend_from_slice(&piece[..length]),
                    }
                }
                let request = String::from_utf8_lossy(&request).into_owned();
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                record.lock().unwrap().push(request);
                let answer = answers.get(&path).cloned().unwrap_or_else(|| ok("hello"));
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        Self { port, seen }
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

fn ok(body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
}

fn redirect(to: &str) -> String {
    format!(
        "HTTP/1.1 302 Found\r\nconnection: close\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n"
    )
}

fn client(plain: &[String], change: impl FnOnce(&mut OutboundSettings)) -> OutboundClient {
    let mut settings = OutboundSettings {
        plain_http_hosts: plain.to_vec(),
        ..OutboundSettings::default()
    };
    change(&mut settings);
    OutboundClient::new(settings).unwrap()
}

async fn get(client: &OutboundClient, url: &str) -> Result<String, &'static str> {
    let request = Request::get(url).body(Vec::new()).unwrap();
    match client.send(request).await {
        Ok(answer) => Ok(String::from_utf8(answer.into_body()).unwrap()),
        Err(error) => {
            assert!(!error.to_string().contains("127.0.0.1"), "{error}");
            Err(error.code())
        }
    }
}

#[tokio::test]
async fn a_private_address_sees_no_connection_in_any_spelling() {
    let inside = Listener::start(&[]).await;
    let port = inside.port;
    let client = client(&["*".to_owned(), "127.0.0.1:1".to_owned()], |_| {});
    for host in [
        "127.0.0.1",
        "127.0.0.1.",
        "localhost",
        "LOCALHOST",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "[::ffff:127.0.0.1]",
        "[::1]",
    ] {
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://{host}:{port}/");
            assert_eq!(get(&client, &url).await, Err("host_not_allowed"), "{url}");
            let refused = client.check(&url).await.unwrap_err();
            assert_eq!(refused.code(), "host_not_allowed", "{url}");
        }
    }
    for (url, code) in [
        ("http://user:hunter2@example.com/", "credentials_in_url"),
        ("ftp://example.com/", "scheme_not_allowed"),
        (
            "http://169.254.169.254/latest/meta-data",
            "host_not_allowed",
        ),
    ] {
        assert_eq!(client.check(url).await.unwrap_err().code(), code, "{url}");
    }
    assert!(inside.seen().is_empty(), "nobody connected");
}

#[tokio::test]
async fn plain_http_needs_a_rule_of_its_own() {
    let client = client(&[], |_| {});
    for url in ["http://example.com/", "http://127.0.0.1/"] {
        let refused = client.check(url).await.unwrap_err();
        assert_eq!(refused.code(), "scheme_not_allowed", "{url}");
    }
}

#[tokio::test]
async fn every_redirect_is_judged_before_it_is_followed() {
    let inside = Listener::start(&[]).await;
    let to_inside = |host: &str| redirect(&format!("http://{host}:{}/", inside.port));
    let outside = Listener::start(&[
        ("/literal", to_inside("127.0.0.1")),
        ("/name", to_inside("localhost")),
        ("/mapped", to_inside("[::ffff:127.0.0.1]")),
        ("/file", redirect("file:///etc/passwd")),
        ("/loop", redirect("/loop")),
        ("/near", redirect("/there")),
    ])
    .await;
    let client = client(
        &["*".to_owned(), format!("127.0.0.1:{}", outside.port)],
        |_| {},
    );
    let url = |path: &str| format!("http://127.0.0.1:{}{path}", outside.port);
    for (path, expected) in [
        ("/literal", Err("host_not_allowed")),
        ("/name", Err("host_not_allowed")),
        ("/mapped", Err("host_not_allowed")),
        ("/file", Err("scheme_not_allowed")),
        ("/loop", Err("redirect_not_followed")),
        ("/near", Ok("hello".to_owned())),
    ] {
        assert_eq!(get(&client, &url(path)).await, expected, "{path}");
    }
    assert!(inside.seen().is_empty(), "nobody connected");
}

#[tokio::test]
async fn credentials_do_not_travel_to_another_origin_and_bodies_are_not_replayed() {
    let other = Listener::start(&[]).await;
    let first =
        Listener::start(&[("/", redirect(&format!("http://127.0.0.1:{}/", other.port)))]).await;
    let client = client(&["127.0.0.1:*".to_owned()], |_| {});
    let url = format!("http://127.0.0.1:{}/", first.port);
    let request = Request::get(&url)
        .header("authorization", "Bearer hunter2")
        .header("cookie", "session=hunter2")
        .header("accept", "application/json")
        .body(Vec::new())
        .unwrap();
    client.send(request).await.unwrap();
    let seen = other.seen().concat();
    assert!(seen.contains("application/json"), "{seen}");
    assert!(!seen.contains("hunter2"), "{seen}");
    assert!(first.seen().concat().contains("hunter2"));

    let request = Request::post(&url).body(b"code=1".to_vec()).unwrap();
    let answer = client.send(request).await.unwrap();
    assert_eq!(answer.status(), 302, "a post ends at its redirect");
    assert_eq!(other.seen().len(), 1);
}

#[tokio::test]
async fn an_answer_is_bounded_in_size_and_time() {
    let large = "x".repeat(5000);
    let server = Listener::start(&[("/large", ok(&large))]).await;
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = client(&["127.0.0.1:*".to_owned()], |settings| {
        settings.max_answer_bytes = 4999;
        settings.total_timeout_seconds = 1;
    });
    let url = format!("http://127.0.0.1:{}/large", server.port);
    assert_eq!(get(&client, &url).await, Err("too_large"));
    let url = format!("http://{}/", silent.local_addr().unwrap());
    assert_eq!(get(&client, &url).await, Err("timeout"));
}
