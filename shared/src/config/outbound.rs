//! Requests to addresses that people set: identity providers, and whatever else is not the operator's.

use serde::{Deserialize, Serialize};

/// Settings of outbound requests (`[outbound]`). Repositories have rules of their own in `[git]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutboundSettings {
    /// Hosts that may be called over https, written as `git.allowed_hosts`: `*` is every host
    /// whose addresses are all public, a named entry may also have private addresses.
    pub allowed_hosts: Vec<String>,
    /// Hosts that may be called over unencrypted http, written as above.
    pub plain_http_hosts: Vec<String>,
    /// Redirects that are followed; each is judged like the first address.
    pub max_redirects: u32,
    /// Seconds to wait for a connection.
    pub connect_timeout_seconds: u64,
    /// Seconds that one request may take in all.
    pub total_timeout_seconds: u64,
    /// Largest answer in bytes.
    pub max_answer_bytes: usize,
}

impl Default for OutboundSettings {
    fn default() -> Self {
        Self {
            allowed_hosts: vec!["*".to_owned()],
            plain_http_hosts: Vec::new(),
            max_redirects: 3,
            connect_timeout_seconds: 5,
            total_timeout_seconds: 15,
            max_answer_bytes: 1024 * 1024,
        }
    }
}
