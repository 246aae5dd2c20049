//! HTTP to addresses that people set: each hop judged, names pinned, answers bounded.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use futures::StreamExt;
use http::{HeaderMap, Method, Request, Response, StatusCode, header};
use reqwest::{
    Client,
    dns::{Addrs, Name, Resolve, Resolving},
    redirect,
};
use url::{Host, Url};

use super::{HostRules, Reach, Target};
use crate::{config::OutboundSettings, ports::PortError};

const SYSTEM: &str = "the remote address";
const MAX_ADDRESS_BYTES: usize = 2048;

/// Sends requests to addresses that people set. Cheap to clone.
#[derive(Debug, Clone)]
pub struct OutboundClient {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    rules: HostRules,
    settings: OutboundSettings,
    /// Resolves a name to public addresses or not at all.
    public: Client,
    /// For hosts that the operator has named.
    named: Client,
}

impl OutboundClient {
    /// # Errors
    /// `invalid_setting` for a rule that cannot be read; `Broken` when TLS cannot be set up.
    pub fn new(settings: OutboundSettings) -> Result<Self, PortError> {
        let rules = HostRules::new(SYSTEM, &settings.allowed_hosts, &settings.plain_http_hosts)?;
        let build = |reach| {
            let resolver = PinningResolver {
                rules: rules.clone(),
                reach,
            };
            Client::builder()
                .dns_resolver(resolver)
                .redirect(redirect::Policy::none())
                // A proxy would resolve the name again, behind our back.
                .no_proxy()
                .referer(false)
                .connect_timeout(Duration::from_secs(settings.connect_timeout_seconds))
                .timeout(Duration::from_secs(settings.total_timeout_seconds))
                .user_agent("quarry")
                .build()
                .map_err(|error| PortError::broken(SYSTEM, error.without_url()))
        };
        let (public, named) = (build(Reach::Public)?, build(Reach::Named)?);
        Ok(Self {
            shared: Arc::new(Shared {
                rules,
                settings,
                public,
                named,
            }),
        })
    }

    /// Whether the settings let an address be called, judged as [`OutboundClient::send`] would.
    /// Resolves the name, connects to nothing.
    ///
    /// # Errors
    /// `invalid_url`, `credentials_in_url`, `scheme_not_allowed`, `host_not_allowed`; `Unavailable`
    /// when the name has no address.
    pub async fn check(&self, address: &str) -> Result<(), PortError> {
        let url = parse(address)?;
        let reach = self.shared.rules.judge(&target(&url)?)?;
        if let Some(Host::Domain(name)) = url.host() {
            let found = lookup(name).await;
            self.shared.rules.admit(reach, found)?;
        }
        Ok(())
    }

    /// Sends a request and reads the whole answer. `GET` and `HEAD` follow redirects that pass the
    /// same judgement, never from https to http; credentials are not sent on to another origin. A
    /// redirect of another method is the answer. A status is not an error.
    ///
    /// # Errors
    /// As [`OutboundClient::check`]; `redirect_not_followed`, `Timeout`, `TooLarge` and
    /// `Unavailable`. Neither the address nor what the remote said is in any of them.
    pub async fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, PortError> {
        let (parts, body) = request.into_parts();
        let mut url = parse(&parts.uri.to_string())?;
        let mut headers = parts.headers;
        let may_follow = matches!(parts.method, Method::GET | Method::HEAD);
        for _ in 0..=self.shared.settings.max_redirects {
            let answer = self.hop(&parts.method, &url, &headers, &body).await?;
            let location = answer.headers().get(header::LOCATION).cloned();
            let Some(location) = location.filter(|_| may_follow && is_redirect(answer.status()))
            else {
                return self.read(answer).await;
            };
            let next = location
                .to_str()
                .ok()
                .and_then(|text| url.join(text).ok())
                .ok_or_else(redirect_refused)?;
            let next = parse(next.as_str())?;
            if url.scheme() == "https" && next.scheme() != "https" {
                return Err(redirect_refused());
            }
            if url.origin() != next.origin() {
                for name in [header::AUTHORIZATION, header::COOKIE, header::HOST] {
                    headers.remove(name);
                }
            }
            url = next;
        }
        Err(redirect_refused())
    }

    async fn hop(
        &self,
        method: &Method,
        url: &Url,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<reqwest::Response, PortError> {
        let shared = &self.shared;
        let client = match shared.rules.judge(&target(url)?)? {
            Reach::Named => &shared.named,
            Reach::Public => &shared.public,
        };
        client
            .request(method.clone(), url.clone())
            .headers(headers.clone())
            .body(body.to_vec())
            .send()
            .await
            .map_err(|error| self.fault(&error))
    }

    async fn read(&self, answer: reqwest::Response) -> Result<Response<Vec<u8>>, PortError> {
        let limit = self.shared.settings.max_answer_bytes;
        let mut response = Response::new(Vec::new());
        *response.status_mut() = answer.status();
        *response.headers_mut() = answer.headers().clone();
        let mut pieces = answer.bytes_stream();
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(|error| self.fault(&error))?;
            let body = response.body_mut();
            if body.len() + piece.len() > limit {
                return Err(PortError::TooLarge { system: SYSTEM });
            }
            body.extend_from_slice(&piece);
        }
        Ok(response)
    }

    fn fault(&self, error: &reqwest::Error) -> PortError {
        // The resolver's refusal travels inside the error of the connection.
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
        while let Some(inner) = cause {
            if inner.is::<NotAllowed>() {
                return rejected("host_not_allowed", "the host is not allowed");
            }
            cause = inner.source();
        }
        if error.is_timeout() {
            return PortError::Timeout {
                system: SYSTEM,
                after: Duration::from_secs(self.shared.settings.total_timeout_seconds),
            };
        }
        PortError::Unavailable {
            system: SYSTEM,
            detail: "it cannot be reached".to_owned(),
            retry_after: None,
        }
    }
}

/// Resolves and judges in one step: what was judged is what is connected to.
struct PinningResolver {
    rules: HostRules,
    reach: Reach,
}

/// A name with an address that may not be connected to.
#[derive(Debug, thiserror::Error)]
#[error("the host is not allowed")]
struct NotAllowed;

impl Resolve for PinningResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (rules, reach) = (self.rules.clone(), self.reach);
        Box::pin(async move {
            let found = lookup(name.as_str()).await;
            if found.is_empty() {
                return Err("the host name has no address".into());
            }
            let admitted = rules.admit(reach, found).map_err(|_| NotAllowed)?;
            Ok(Box::new(admitted.into_iter()) as Addrs)
        })
    }
}

/// Port 0 stands for the port of the address.
async fn lookup(name: &str) -> Vec<SocketAddr> {
    tokio::net::lookup_host((name, 0))
        .await
        .map(Iterator::collect)
        .unwrap_or_default()
}

fn parse(address: &str) -> Result<Url, PortError> {
    let invalid = || rejected("invalid_url", "the address is not an http address");
    if address.len() > MAX_ADDRESS_BYTES {
        return Err(invalid());
    }
    let url = Url::parse(address).map_err(|_| invalid())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(rejected(
            "scheme_not_allowed",
            "only https addresses are accepted",
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(rejected(
            "credentials_in_url",
            "user name and password are given apart from the address",
        ));
    }
    Ok(url)
}

fn target(url: &Url) -> Result<Target<'_>, PortError> {
    let invalid = || rejected("invalid_url", "the address is not an http address");
    let host = url.host_str().ok_or_else(invalid)?;
    let is_encrypted = url.scheme() == "https";
    Ok(Target {
        host: host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .trim_end_matches('.'),
        port: url.port_or_known_default().ok_or_else(invalid)?,
        default_port: if is_encrypted { 443 } else { 80 },
        is_encrypted,
    })
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

fn redirect_refused() -> PortError {
    rejected("redirect_not_followed", "a redirect was not followed")
}

fn rejected(code: &'static str, detail: &str) -> PortError {
    PortError::Rejected {
        system: SYSTEM,
        code,
        detail: detail.to_owned(),
    }
}
