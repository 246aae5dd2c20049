//! The smart HTTP protocol of Git, reading alone, to addresses that were judged beforehand.
//!
//! A remote is one scheme, host and port. Connections go to the pinned addresses and nowhere else: no
//! name is looked up here, no proxy is asked, and a redirect is followed only within the same scheme,
//! host and port, which the host rules have passed. Answers are read piece by piece.

use std::{
    fs,
    io::Error as IoError,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use http::{HeaderValue, StatusCode, header};
use reqwest::{
    Certificate, Client, RequestBuilder, Response,
    dns::{Addrs, Name, Resolve, Resolving},
    redirect,
};
use secrecy::{ExposeSecret, SecretString};
use tokio::runtime::{Builder, Runtime};
use tokio_util::bytes::{Buf, Bytes};
use url::Url;

use super::{
    failure::{
        SYSTEM, http_fault, local_fault, not_a_git_server, redirect_refused, rejected,
        status_fault, timeout,
    },
    remote::{Access, Interrupt, TOKEN_USER},
};
use crate::{config::GitSettings, ports::PortError};

const ADVERTISEMENT: &str = "application/x-git-upload-pack-advertisement";
const REQUEST: &str = "application/x-git-upload-pack-request";
const RESULT: &str = "application/x-git-upload-pack-result";
const REFERENCES_PATH: &str = "/info/refs";
const SERVICE: &str = "service=git-upload-pack";
/// Some hosts look at the name to tell Git from a browser.
const USER_AGENT: &str = "git/2.0 (quarry)";
const MAX_REDIRECTS: usize = 5;
/// Longest address of a redirect.
const MAX_ADDRESS_BYTES: usize = 4096;
/// References are kept in memory: about two million of them.
const MAX_ADVERTISEMENT_BYTES: u64 = 128 * 1024 * 1024;

/// One remote, for one exchange. All functions block, and none may run on an async thread.
pub(super) struct HttpRemote {
    client: Client,
    /// Runs the connections, on the calling thread.
    runtime: Runtime,
    interrupt: Arc<Interrupt>,
    credential: Option<(String, SecretString)>,
    max_bytes: u64,
    idle_timeout: Duration,
    total_timeout: Duration,
    state: Mutex<State>,
}

struct State {
    /// The repository's address, as the last redirect has it.
    base: String,
    /// Whether the remote has asked for the credential.
    is_authorized: bool,
    received: u64,
    failure: Option<PortError>,
}

/// An answer that is being read.
pub(super) struct Answer {
    response: Response,
    /// What has come and is not read yet.
    piece: Bytes,
    max_bytes: u64,
    received: u64,
}

impl HttpRemote {
    /// Prepares an exchange with `address`, connecting to the addresses of `access` alone.
    pub(super) fn new(address: &str, access: &Access<'_>) -> Result<Self, PortError> {
        let settings = access.settings;
        Ok(Self {
            client: client(access)?,
            runtime: Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(local_fault)?,
            interrupt: Arc::clone(access.interrupt),
            credential: access.credential.map(|known| {
                let user = known.username.as_deref().unwrap_or(TOKEN_USER);
                (user.to_owned(), known.password.clone())
            }),
            max_bytes: settings.max_fetch_bytes(),
            idle_timeout: idle_timeout(settings),
            total_timeout: settings.total_timeout(),
            state: Mutex::new(State {
                base: address.to_owned(),
                is_authorized: false,
                received: 0,
                failure: None,
            }),
        })
    }

    /// Asks for the references.
    pub(super) fn advertisement(&self) -> Result<Answer, PortError> {
        let base = self.state().base.clone();
        let mut url =
            Url::parse(&format!("{base}{REFERENCES_PATH}?{SERVICE}")).map_err(local_fault)?;
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send(|| self.client.get(url.clone()))?;
            if !is_redirect(response.status()) {
                return answer(response, ADVERTISEMENT, MAX_ADVERTISEMENT_BYTES);
            }
            let (next, base) = follow(&url, &response).ok_or_else(redirect_refused)?;
            self.state().base = base;
            url = next;
        }
        Err(redirect_refused())
    }

    /// Asks for objects.
    pub(super) fn upload_pack(&self, request: Vec<u8>) -> Result<Answer, PortError> {
        let url = format!("{}/git-upload-pack", self.state().base);
        let request = Bytes::from(request);
        let response = self.send(|| {
            self.client
                .post(&url)
                .header(header::CONTENT_TYPE, REQUEST)
                .header(header::ACCEPT, RESULT)
                .body(request.clone())
        })?;
        answer(response, RESULT, u64::MAX)
    }

    /// Reads on; 0 at the end. More than the settings allow, in all answers together, is
    /// `TooLarge`.
    pub(super) fn read(&self, answer: &mut Answer, buffer: &mut [u8]) -> Result<usize, PortError> {
        while answer.piece.is_empty() {
            let Some(piece) = self.wait(answer.response.chunk())? else {
                return Ok(0);
            };
            answer.received += piece.len() as u64;
            let mut state = self.state();
            state.received += piece.len() as u64;
            if answer.received > answer.max_bytes || state.received > self.max_bytes {
                return Err(PortError::TooLarge { system: SYSTEM });
            }
            answer.piece = piece;
        }
        let length = answer.piece.len().min(buffer.len());
        answer.piece.copy_to_slice(&mut buffer[..length]);
        Ok(length)
    }

    /// Keeps why the exchange failed, since libgit2 hands on nothing but a text.
    pub(super) fn note(&self, failure: PortError) {
        self.state().failure = Some(failure);
    }

    pub(super) fn take_failure(&self) -> Option<PortError> {
        self.state().failure.take()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request; with the credential once the remote has asked for it.
    fn send(&self, request: impl Fn() -> RequestBuilder) -> Result<Response, PortError> {
        let credential = self.credential.as_ref();
        let authorized = |request: RequestBuilder| match credential {
            Some((user, password)) => request.basic_auth(user, Some(password.expose_secret())),
            None => request,
        };
        if self.state().is_authorized {
            return self.wait(authorized(request()).send());
        }
        let response = self.wait(request().send())?;
        if response.status() != StatusCode::UNAUTHORIZED
            || credential.is_none()
            || !accepts_basic(&response)
        {
            return Ok(response);
        }
        self.state().is_authorized = true;
        self.wait(authorized(request()).send())
    }

    fn wait<T>(
        &self,
        work: impl Future<Output = Result<T, reqwest::Error>>,
    ) -> Result<T, PortError> {
        if self.interrupt.is_due() {
            return Err(timeout(self.total_timeout));
        }
        self.runtime.block_on(async {
            tokio::select! {
                // While data comes nobody needs a timer: the time is looked at above.
                biased;
                result = work => result.map_err(|error| http_fault(&error, self.idle_timeout)),
                () = self.interrupt.due() => Err(timeout(self.total_timeout)),
            }
        })
    }
}

/// The only addresses that a client may connect to, whatever it asks for.
struct Pinned(Vec<SocketAddr>);

impl Resolve for Pinned {
    fn resolve(&self, _: Name) -> Resolving {
        let addresses: Addrs = Box::new(self.0.clone().into_iter());
        Box::pin(std::future::ready(Ok(addresses)))
    }
}

fn client(access: &Access<'_>) -> Result<Client, PortError> {
    let settings = access.settings;
    let mut builder = Client::builder()
        .dns_resolver(Pinned(access.addresses.clone()))
        .redirect(redirect::Policy::none())
        // A proxy would resolve the name again, behind our back.
        .no_proxy()
        .referer(false)
        .http1_only()
        .user_agent(USER_AGENT)
        .connect_timeout(Duration::from_secs(u64::from(
            settings.connect_timeout_seconds,
        )))
        .read_timeout(idle_timeout(settings));
    if let Some(file) = &settings.certificate_file {
        builder = builder.tls_certs_only(certificates(file).map_err(|error| {
            let detail = format!("`git.certificate_file` cannot be read: {error}");
            rejected("invalid_setting", detail)
        })?);
    }
    builder.build().map_err(local_fault)
}

fn certificates(file: &std::path::Path) -> Result<Vec<Certificate>, IoError> {
    Certificate::from_pem_bundle(&fs::read(file)?).map_err(IoError::other)
}

fn idle_timeout(settings: &GitSettings) -> Duration {
    Duration::from_secs(u64::from(settings.idle_timeout_seconds))
}

/// The success that was asked for.
fn answer(response: Response, kind: &str, max_bytes: u64) -> Result<Answer, PortError> {
    if response.status() != StatusCode::OK {
        let retry_after = text(&response, header::RETRY_AFTER)
            .and_then(|text| text.parse().ok())
            .map(Duration::from_secs);
        return Err(status_fault(response.status().as_u16(), retry_after));
    }
    let is_kind = text(&response, header::CONTENT_TYPE)
        .and_then(|text| text.split(';').next())
        .is_some_and(|found| found.trim().eq_ignore_ascii_case(kind));
    if !is_kind {
        return Err(not_a_git_server());
    }
    Ok(Answer {
        response,
        piece: Bytes::new(),
        max_bytes,
        received: 0,
    })
}

/// The next address and the repository's, for a redirect to the same service of the same scheme, host
/// and port.
fn follow(url: &Url, response: &Response) -> Option<(Url, String)> {
    let mut next = url.join(text(response, header::LOCATION)?).ok()?;
    next.set_fragment(None);
    let is_ours = next.query() == Some(SERVICE)
        && next.origin() == url.origin()
        && next.username().is_empty()
        && next.password().is_none()
        && next.as_str().len() <= MAX_ADDRESS_BYTES;
    let (base, _) = next.as_str().split_once('?')?;
    let base = base.strip_suffix(REFERENCES_PATH)?.to_owned();
    is_ours.then_some((next, base))
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

fn accepts_basic(response: &Response) -> bool {
    let words = response.headers().get_all(header::WWW_AUTHENTICATE);
    words
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split([' ', ',']))
        .any(|word| word.eq_ignore_ascii_case("basic"))
}

fn text(response: &Response, name: header::HeaderName) -> Option<&str> {
    response
        .headers()
        .get(name)
        .map(HeaderValue::to_str)?
        .ok()
        .map(str::trim)
}
