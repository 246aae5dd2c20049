//! Where repositories may come from, and how much of them.

use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

/// Settings of the Git adapter (`[git]`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GitSettings {
    /// Hosts that repositories may be fetched from over https and ssh.
    ///
    /// `*` is every host whose addresses are all public. A named entry (`git.example.com`,
    /// `*.example.com`, `10.0.0.7`, `[::1]`) may also have private addresses. A named entry stands
    /// for the scheme's own port; `host:8443` for that port, `host:*` for every port.
    pub allowed_hosts: Vec<String>,
    /// Hosts that may be fetched from over unencrypted http, written as above.
    pub plain_http_hosts: Vec<String>,
    /// Folders under which Git directories of this machine may be added by path.
    pub local_roots: Vec<PathBuf>,
    /// Private key for ssh remotes. Without it only user name and password are offered.
    pub ssh_private_key: Option<PathBuf>,
    /// Trusted ssh host keys, each `host SHA256:base64` as `ssh-keygen -l` prints them. A host
    /// without an entry is looked up in the `known_hosts` file of the server's user.
    pub ssh_host_keys: Vec<String>,
    /// Certificates (PEM) to trust instead of the system's.
    pub certificate_file: Option<PathBuf>,
    /// Seconds to wait for a connection.
    pub connect_timeout_seconds: u32,
    /// Seconds to wait for the next bytes of a remote.
    pub idle_timeout_seconds: u32,
    /// Seconds that one fetch may take in all.
    pub total_timeout_seconds: u32,
    /// Mebibytes that one fetch may receive.
    pub max_fetch_mib: u64,
    /// Files that one commit may have.
    pub max_files: usize,
}

impl Default for GitSettings {
    fn default() -> Self {
        Self {
            allowed_hosts: vec!["*".to_owned()],
            plain_http_hosts: Vec::new(),
            local_roots: Vec::new(),
            ssh_private_key: None,
            ssh_host_keys: Vec::new(),
            certificate_file: None,
            connect_timeout_seconds: 10,
            idle_timeout_seconds: 60,
            total_timeout_seconds: 3600,
            max_fetch_mib: 16 * 1024,
            max_files: 1_000_000,
        }
    }
}

impl GitSettings {
    /// The limit of one whole fetch.
    #[must_use]
    pub fn total_timeout(&self) -> Duration {
        Duration::from_secs(u64::from(self.total_timeout_seconds))
    }

    /// The limit of received data in bytes.
    #[must_use]
    pub const fn max_fetch_bytes(&self) -> u64 {
        self.max_fetch_mib.saturating_mul(1024 * 1024)
    }
}
