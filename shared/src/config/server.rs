//! The HTTP server, its files, its database, sign-in and log.

use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    time::Duration,
};

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};
use url::Url;

use super::layers::Layers;

/// Settings of the HTTP server (`[server]`).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServerSettings {
    /// Address and port to listen on.
    pub bind: SocketAddr,
    /// Address under which people open Quarry. Cookies are `Secure` when it is https. Empty means
    /// `http://` and the bind address.
    pub public_url: Option<Url>,
    /// Host names besides that of the public URL under which requests are answered. IP addresses
    /// and `localhost` are always answered; other names are refused, which stops DNS rebinding.
    pub allowed_hosts: Vec<String>,
    /// Addresses of reverse proxies whose `X-Forwarded-For` is believed for rate limits.
    pub trusted_proxies: Vec<IpAddr>,
    /// Threads that answer requests; 0 means one per processor.
    pub threads: usize,
    /// Largest request body in bytes.
    pub max_body_bytes: usize,
    /// Searches that run at the same time; more wait, and are refused after two seconds.
    pub max_concurrent_searches: usize,
    /// Open progress streams; more are refused.
    pub max_event_streams: usize,
    /// Seconds that running requests and jobs get to finish at shutdown.
    pub shutdown_seconds: u64,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            bind: SocketAddr::from(([127, 0, 0, 1], 8080)),
            public_url: None,
            allowed_hosts: Vec::new(),
            trusted_proxies: Vec::new(),
            threads: 0,
            max_body_bytes: 256 * 1024,
            max_concurrent_searches: 32,
            max_event_streams: 256,
            shutdown_seconds: 20,
        }
    }
}

impl ServerSettings {
    /// The public address without a trailing slash.
    #[must_use]
    pub fn public_origin(&self) -> String {
        self.public_url.as_ref().map_or_else(
            || format!("http://{}", self.bind),
            |url| url.origin().ascii_serialization(),
        )
    }

    /// Whether browsers reach the server over https.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.public_url
            .as_ref()
            .is_some_and(|url| url.scheme() == "https")
    }

    pub(super) fn check(&self, layers: &mut Layers) {
        if let Some(url) = &self.public_url {
            if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
                layers.problem("server.public_url", "must be an http or https address");
            }
            if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
                layers.problem("server.public_url", "must not have a path");
            }
        }
        if self.max_body_bytes < 4096 {
            layers.problem("server.max_body_bytes", "must be at least 4096");
        }
        for (name, value) in [
            (
                "server.max_concurrent_searches",
                self.max_concurrent_searches,
            ),
            ("server.max_event_streams", self.max_event_streams),
        ] {
            if value == 0 {
                layers.problem(name, "must be at least 1");
            }
        }
    }
}

/// Settings of the server's files (`[data]`).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DataSettings {
    /// Folder of the database, the indexes, the Git mirrors and the generated keys.
    pub directory: PathBuf,
}

impl Default for DataSettings {
    fn default() -> Self {
        Self {
            directory: PathBuf::from("var/quarry"),
        }
    }
}

/// Settings of the SQL database (`[database]`).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DatabaseConfiguration {
    /// `postgres://…`; empty means SQLite in the data directory.
    #[serde(serialize_with = "hidden")]
    pub url: Option<SecretString>,
    /// Connections to PostgreSQL.
    pub max_connections: u32,
}

impl Default for DatabaseConfiguration {
    fn default() -> Self {
        Self {
            url: None,
            max_connections: 16,
        }
    }
}

/// The first administrator (`[admin]`); read only while no account exists.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AdminSettings {
    /// E-mail address to sign in with.
    pub email: String,
    /// Password; a weak one is refused at the first start. Empty means that one is generated and printed once.
    #[serde(serialize_with = "hidden")]
    pub password: Option<SecretString>,
}

impl Default for AdminSettings {
    fn default() -> Self {
        Self {
            email: "admin@localhost".to_owned(),
            password: None,
        }
    }
}

/// Settings of sign-in (`[authentication]`).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuthenticationSettings {
    /// Key that signs access tokens, at least 32 characters. Empty means that one is generated in
    /// the data directory. Several servers of one installation need the same key.
    #[serde(serialize_with = "hidden")]
    pub signing_key: Option<SecretString>,
    /// The former signing key after a change of `signing_key`: it signs nothing, but what it has signed
    /// is good until it expires. A key in the data directory is changed with
    /// `quarry-api rotate-signing-key`, which needs no restart.
    #[serde(serialize_with = "hidden")]
    pub previous_signing_key: Option<SecretString>,
    /// Seconds that an access token is valid.
    pub access_token_seconds: u64,
    /// Days without use after which a sign-in ends.
    pub refresh_token_days: u64,
    /// Seconds in which a refresh token may be used twice, for browser tabs that wake together.
    /// A later second use is taken for theft and ends the sign-in.
    pub refresh_grace_seconds: u64,
    /// Sign-in attempts a minute for one account.
    pub attempts_per_account: u32,
    /// Sign-in attempts a minute from one address.
    pub attempts_per_address: u32,
    /// Failed attempts that an account may have before waits begin. The first wait is 30 seconds, and
    /// each further failure doubles it. Counted in the database, for all servers together.
    pub free_failures_per_account: u32,
    /// The same for all attempts from one address.
    pub free_failures_per_address: u32,
    /// Longest wait after failed attempts, in seconds.
    pub longest_wait_seconds: u64,
    /// Hours that a link for setting a new password is good.
    pub password_reset_hours: u64,
    /// Passwords that are checked at the same time; each takes 19 MiB of memory.
    pub concurrent_password_checks: usize,
}

impl Default for AuthenticationSettings {
    fn default() -> Self {
        Self {
            signing_key: None,
            previous_signing_key: None,
            access_token_seconds: 600,
            refresh_token_days: 30,
            refresh_grace_seconds: 10,
            attempts_per_account: 10,
            attempts_per_address: 30,
            free_failures_per_account: 5,
            free_failures_per_address: 50,
            longest_wait_seconds: 900,
            password_reset_hours: 24,
            concurrent_password_checks: 2,
        }
    }
}

impl AuthenticationSettings {
    /// Validity of an access token.
    #[must_use]
    pub const fn access_token_lifetime(&self) -> Duration {
        Duration::from_secs(self.access_token_seconds)
    }

    pub(super) fn check(&self, layers: &mut Layers) {
        let short = |key: &SecretString| key.expose_secret().len() < 32;
        for (name, key) in [
            ("authentication.signing_key", &self.signing_key),
            (
                "authentication.previous_signing_key",
                &self.previous_signing_key,
            ),
        ] {
            if key.as_ref().is_some_and(short) {
                layers.problem(name, "must have at least 32 characters");
            }
        }
        for (name, is_zero) in [
            ("access_token_seconds", self.access_token_seconds == 0),
            ("refresh_token_days", self.refresh_token_days == 0),
            ("attempts_per_account", self.attempts_per_account == 0),
            ("attempts_per_address", self.attempts_per_address == 0),
            ("longest_wait_seconds", self.longest_wait_seconds == 0),
            ("password_reset_hours", self.password_reset_hours == 0),
            (
                "concurrent_password_checks",
                self.concurrent_password_checks == 0,
            ),
        ] {
            if is_zero {
                layers.problem(&format!("authentication.{name}"), "must be at least 1");
            }
        }
    }
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    Text,
    Json,
}

/// Settings of the log on standard error (`[log]`).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogSettings {
    /// Which messages are written, for example `info` or `info,quarry_shared=debug`.
    pub filter: String,
    /// `text` or `json`.
    pub format: LogFormat,
}

impl Default for LogSettings {
    fn default() -> Self {
        Self {
            filter: "info".to_owned(),
            format: LogFormat::Text,
        }
    }
}

/// Secrets are never written anywhere, not even their defaults.
pub(super) fn hidden<S: Serializer>(
    _: &Option<SecretString>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_none()
}
