//! A small HTTP server inside the test: every request is recorded and answered by a closure.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Received {
    pub path: String,
    pub authorization: Option<String>,
    pub body: Value,
    pub bytes: usize,
}

/// What the server does with a request.
pub enum Answer {
    Json(Value),
    /// Status, further header lines, body.
    Status(u16, &'static str, String),
    /// Nothing, until the client goes away.
    Hang,
}

type Handler = dyn Fn(&Received) -> Answer + Send + Sync;

pub struct ModelServer {
    pub base_url: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl ModelServer {
    pub fn start(handler: impl Fn(&Received) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&received);
        let handler: Arc<Handler> = Arc::new(handler);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (log, handler) = (Arc::clone(&log), Arc::clone(&handler));
                std::thread::spawn(move || serve(stream, &log, handler.as_ref()));
            }
        });
        Self { base_url, received }
    }

    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

/// One request for one connection; a client that leaves in the middle is fine.
fn serve(stream: TcpStream, log: &Mutex<Vec<Received>>, handler: &Handler) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let (mut length, mut authorization) = (0, None);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(": ") else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().ok()?,
            "authorization" => authorization = Some(value.to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let request = Received {
        path,
        authorization,
        body: serde_json::from_slice(&body).ok()?,
        bytes: length,
    };
    log.lock().ok()?.push(request.clone());
    let (status, headers, body) = match handler(&request) {
        Answer::Json(json) => (200, "Content-Type: application/json\r\n", json.to_string()),
        Answer::Status(status, headers, body) => (status, headers, body),
        Answer::Hang => {
            let _ = reader.read(&mut [0]);
            return None;
        }
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\n{headers}Content-Length: {}\r\n",
        body.len()
    );
    let mut stream = stream;
    write!(stream, "{head}Connection: close\r\n\r\n{body}").ok()
}
