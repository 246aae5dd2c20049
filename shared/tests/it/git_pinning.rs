//! What the Git adapter connects to over http, and what it takes from there: listeners that must, or
//! must not, be reached, and servers that do not keep to the protocol.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, channel},
    },
    time::{Duration, Instant},
};

use quarry_shared::{
    adapters::{
        git::Git2Source,
        outbound::{NameLookup, SystemNames},
    },
    config::GitSettings,
    domain::{Kinded, RepositoryId, RepositorySource},
    ports::{FetchRequest, GitCredential, GitSource, PortError},
};
use tempfile::TempDir;

use crate::git_server::{GitServer, TOKEN, USER};

const NAME: &str = "git.example.test";
const COMMIT: &str = "0123456789012345678901234567890123456789";

/// Answers each question with the next addresses, the last ones for ever.
#[derive(Debug)]
struct Names {
    answers: Vec<Vec<SocketAddr>>,
    asked: Mutex<usize>,
}

impl Names {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |text: &&str| SocketAddr::new(text.parse().unwrap(), 0);
        Arc::new(Self {
            answers: answers
                .iter()
                .map(|list| list.iter().map(parse).collect())
                .collect(),
            asked: Mutex::new(0),
        })
    }

    fn asked(&self) -> usize {
        *self.asked.lock().unwrap()
    }
}

impl NameLookup for Names {
    fn addresses(&self, name: &str, _: u16) -> Vec<SocketAddr> {
        assert_eq!(name, NAME);
        let mut asked = self.asked.lock().unwrap();
        *asked += 1;
        self.answers[(*asked - 1).min(self.answers.len() - 1)].clone()
    }
}

fn source(
    names: Arc<dyn NameLookup>,
    change: impl FnOnce(&mut GitSettings),
) -> (Git2Source, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = GitSettings {
        plain_http_hosts: ["127.0.0.1:*", "localhost:*", "git.example.test:*"]
            .map(str::to_owned)
            .to_vec(),
        allowed_hosts: vec!["*".to_owned(), "127.0.0.1:*".to_owned()],
        ..GitSettings::default()
    };
    change(&mut settings);
    let mirrors = folder.path().join("mirrors");
    let source = Git2Source::with_names(settings, mirrors, names).unwrap();
    (source, folder)
}

fn request(url: String) -> FetchRequest {
    FetchRequest {
        source: RepositorySource::Git { url },
        credential: Some(GitCredential {
            username: Some(USER.to_owned()),
            password: TOKEN.to_owned().into(),
        }),
        depth: None,
    }
}

/// A listener that nobody may connect to.
fn trap(address: &str) -> TcpListener {
    let listener = TcpListener::bind(address).unwrap();
    listener.set_nonblocking(true).unwrap();
    listener
}

/// Serves each connection once, with what `respond` does; answers the port and what was asked.
fn serve(
    respond: impl Fn(&str, &mut TcpStream) + Send + 'static,
) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let record = Arc::clone(&seen);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let text = read_request(&mut stream);
            record.lock().unwrap().push(text.clone());
            respond(&text, &mut stream);
        }
    });
    (port, seen)
}

/// Head and body of a request.
fn read_request(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    let mut piece = [0; 4096];
    loop {
        let length = stream.read(&mut piece).unwrap_or(0);
        text.push_str(&String::from_utf8_lossy(&piece[..length]));
        let body_length = text
            .to_ascii_lowercase()
            .split("content-length: ")
            .nth(1)
            .and_then(|rest| rest.split("\r\n").next()?.parse().ok())
            .unwrap_or(0);
        let is_whole = text
            .split_once("\r\n\r\n")
            .is_some_and(|(_, body)| body.len() >= body_length);
        if length == 0 || is_whole {
            return text;
        }
    }
}

fn head(status: &str, headers: &str) -> String {
    format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}\r\n")
}

fn success(kind: &str) -> String {
    head(
        "200 OK",
        &format!("content-type: application/x-git-upload-pack-{kind}\r\n"),
    )
}

fn line(text: &str) -> String {
    format!("{:04x}{text}", text.len() + 4)
}

/// One branch.
fn advertisement() -> String {
    let service = line("# service=git-upload-pack\n");
    let branch = line(&format!(
        "{COMMIT} refs/heads/main\0side-band-64k ofs-delta\n"
    ));
    format!("{}{service}0000{branch}0000", success("advertisement"))
}

async fn fetch(source: &Git2Source, url: String) -> PortError {
    let names = ["main".to_owned()];
    source
        .fetch(RepositoryId::generate(), &request(url), &names)
        .await
        .unwrap_err()
}

#[tokio::test]
async fn a_name_that_changes_leads_to_the_address_that_was_judged() {
    let server = GitServer::start("http://localhost:1");
    let commit = server.repository("p.git").commit_files(&[("a.py", "a")]);
    let trap = trap(&format!("127.0.0.2:{}", server.port));
    let names = Names::new(&[&["127.0.0.1"], &["127.0.0.2"]]);
    let (source, _folder) = source(names.clone(), |_| {});
    let url = format!("http://{NAME}:{}/p", server.port);
    let remote = source
        .fetch(
            RepositoryId::generate(),
            &request(url),
            &["main".to_owned()],
        )
        .await
        .unwrap();
    assert_eq!(remote.branches[0].commit, commit);
    assert_eq!(names.asked(), 1, "with and without `.git`, in all requests");
    assert!(trap.accept().is_err(), "nobody connected");
}

#[tokio::test]
async fn a_public_name_that_becomes_private_is_refused() {
    let trap = trap("127.0.0.1:0");
    let port = trap.local_addr().unwrap().port();
    let names = Names::new(&[&["140.82.121.4"], &["140.82.121.4", "127.0.0.1"]]);
    let (source, _folder) = source(names.clone(), |_| {});
    let url = format!("https://{NAME}:{port}/p.git");
    let checked = RepositorySource::Git { url: url.clone() };
    source.check(&checked).await.unwrap();
    assert_eq!(fetch(&source, url.clone()).await.code(), "host_not_allowed");
    let listed = source.list_branches(&request(url)).await.unwrap_err();
    assert_eq!(listed.code(), "host_not_allowed");
    assert!(trap.accept().is_err(), "nobody connected");
}

#[tokio::test]
async fn redirects_leave_neither_host_nor_port_nor_scheme_and_carry_no_credential() {
    let trap = trap("127.0.0.1:0");
    let other = trap.local_addr().unwrap().port();
    for target in [
        format!("http://127.0.0.1:{other}/p.git"),
        format!("http://localhost:{other}/p.git"),
        format!("https://127.0.0.1:{other}/p.git"),
        format!("//127.0.0.1:{other}/p.git"),
        "http://user:secret@127.0.0.1:SELF/p.git".to_owned(),
        "https://127.0.0.1:SELF/p.git".to_owned(),
        "ssh://127.0.0.1:SELF/p.git".to_owned(),
        "http://127.0.0.1:SELF/other?x=".to_owned(),
    ] {
        let place = target.clone();
        let (port, seen) = serve(move |text, stream| {
            let own = stream.local_addr().unwrap().port().to_string();
            let target = place.replace("SELF", &own);
            let answer = if text.to_ascii_lowercase().contains("authorization: basic ") {
                let location = format!("{target}/info/refs?service=git-upload-pack");
                head("302 Found", &format!("location: {location}\r\n"))
            } else {
                head(
                    "401 Unauthorized",
                    "www-authenticate: Basic realm=\"x\"\r\n",
                )
            };
            stream.write_all(answer.as_bytes()).unwrap();
        });
        let (source, _folder) = source(Arc::new(SystemNames), |_| {});
        let failure = fetch(&source, format!("http://127.0.0.1:{port}/p.git")).await;
        assert_eq!(failure.code(), "redirect_not_followed", "{target}");
        assert_eq!(seen.lock().unwrap().len(), 2, "{target}");
        assert!(trap.accept().is_err(), "nobody connected: {target}");
    }
}

#[tokio::test]
async fn a_redirect_of_what_was_asked_is_refused() {
    let trap = trap("127.0.0.1:0");
    let other = trap.local_addr().unwrap().port();
    let (port, seen) = serve(move |text, stream| {
        let answer = if text.starts_with("POST ") {
            let location = format!("location: http://127.0.0.1:{other}/p.git/git-upload-pack\r\n");
            head("307 Temporary Redirect", &location)
        } else {
            advertisement()
        };
        stream.write_all(answer.as_bytes()).unwrap();
    });
    let (source, _folder) = source(Arc::new(SystemNames), |_| {});
    let failure = fetch(&source, format!("http://127.0.0.1:{port}/p.git")).await;
    assert_eq!(failure.code(), "redirect_not_followed");
    assert!(trap.accept().is_err(), "nobody connected");
    let seen = seen.lock().unwrap();
    assert!(seen[1].contains(&format!("want {COMMIT}")));
    // Nobody asked for the credential.
    assert!(
        seen.iter()
            .all(|text| !text.to_ascii_lowercase().contains("authorization"))
    );
}

#[tokio::test]
async fn an_answer_without_an_end_is_cut() {
    let endless = |stream: &mut TcpStream, piece: String| {
        let piece = piece.repeat(64);
        while stream.write_all(piece.as_bytes()).is_ok() {}
    };
    let endless_references = move |_: &str, stream: &mut TcpStream| {
        let start = advertisement();
        let start = start.strip_suffix("0000").unwrap();
        stream.write_all(start.as_bytes()).unwrap();
        let branch = format!("{COMMIT} refs/heads/{}\n", "x".repeat(900));
        endless(stream, line(&branch));
    };
    let endless_progress = move |text: &str, stream: &mut TcpStream| {
        if !text.starts_with("POST ") {
            return stream.write_all(advertisement().as_bytes()).unwrap();
        }
        let start = format!("{}{}", success("result"), line("NAK\n"));
        stream.write_all(start.as_bytes()).unwrap();
        endless(stream, line(&format!("\u{2}{}", "x".repeat(900))));
    };
    for (port, _) in [serve(endless_references), serve(endless_progress)] {
        let (source, _folder) = source(Arc::new(SystemNames), |settings| {
            settings.max_fetch_mib = 1;
        });
        let failure = fetch(&source, format!("http://127.0.0.1:{port}/p.git")).await;
        assert_eq!(failure.code(), "too_large");
    }
}

#[tokio::test]
async fn answers_that_break_off_are_told_from_silence() {
    let cut_reference = |_: &str, stream: &mut TcpStream| {
        let answer = advertisement().replacen("\r\n\r\n", "\r\ncontent-length: 9999\r\n\r\n", 1);
        let half = answer.strip_suffix("0000").unwrap();
        stream.write_all(half.as_bytes()).unwrap();
    };
    let cut_pack = |text: &str, stream: &mut TcpStream| {
        let mut answer = advertisement();
        if text.starts_with("POST ") {
            answer = format!("{}{}", success("result"), line("NAK\n"));
            answer.push_str("0100\u{1}PACK");
        }
        stream.write_all(answer.as_bytes()).unwrap();
    };
    let (held, _connections) = hold();
    for (port, code) in [
        (serve(cut_reference).0, "unavailable"),
        (serve(cut_pack).0, "unavailable"),
        (held, "timeout"),
    ] {
        let (source, _folder) = source(Arc::new(SystemNames), |settings| {
            settings.idle_timeout_seconds = 1;
        });
        let begun = Instant::now();
        // Half of the references come, and no more.
        let failure = fetch(&source, format!("http://127.0.0.1:{port}/p.git")).await;
        assert_eq!(failure.code(), code);
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
}

/// Begins an answer and says nothing more; tells when the other side has gone.
fn hold() -> (u16, Receiver<()>) {
    let (gone, told) = channel();
    let (port, _) = serve(move |_, stream| {
        let start = advertisement();
        stream
            .write_all(start.strip_suffix("0000").unwrap().as_bytes())
            .unwrap();
        let _ = stream.read(&mut [0; 1]);
        let _ = gone.send(());
    });
    (port, told)
}

#[tokio::test]
async fn a_fetch_that_nobody_waits_for_ends() {
    let (port, told) = hold();
    let (source, _folder) = source(Arc::new(SystemNames), |_| {});
    let url = format!("http://127.0.0.1:{port}/p.git");
    let waited = tokio::time::timeout(Duration::from_millis(300), fetch(&source, url)).await;
    assert!(waited.is_err());
    told.recv_timeout(Duration::from_secs(20)).unwrap();
}

#[tokio::test]
async fn the_certificate_of_the_settings_is_trusted() {
    let server = GitServer::start("http://localhost:1");
    let commit = server.repository("p.git").commit_files(&[("a.py", "a")]);
    let (source, _folder) = source(Arc::new(SystemNames), |settings| {
        settings.certificate_file = Some(server.certificate());
    });
    let url = format!("https://127.0.0.1:{}/p.git", server.tls_port);
    let remote = source.list_branches(&request(url)).await.unwrap();
    assert_eq!(remote.branches[0].commit, commit);
}
