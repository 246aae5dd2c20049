//! Talking to remotes: one connection lists and fetches; each credential is offered once.

use std::{
    cell::Cell,
    net::SocketAddr,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::{Duration, Instant},
};

use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use git2::{
    AutotagOption, Cred, CredentialType, Direction, ErrorClass, ErrorCode, FetchOptions,
    FetchPrune, Remote, RemoteCallbacks, Repository, cert::Cert,
};
use secrecy::ExposeSecret;
use tokio_util::sync::CancellationToken;

use super::{
    address::{GitScheme, NormalizedUrl},
    failure::{SYSTEM, local_fault, remote_fault, timeout},
    http::HttpRemote,
    mirror::has_commit,
    subtransport::Ticket,
};
use crate::{
    config::GitSettings,
    ports::{GitBranch, GitCredential, PortError, RemoteBranches},
};

/// Where a mirror's depth is noted; 0 is all.
const DEPTH_KEY: &str = "quarry.depth";
/// libgit2's depth that turns a shallow mirror into a full one.
const UNSHALLOW: i32 = i32::MAX;
/// User name where only a token is known; the hosts look at the token alone.
pub(super) const TOKEN_USER: &str = "git";

/// When to stop a transfer: asked from outside, or the time is over.
#[derive(Debug)]
pub(super) struct Interrupt {
    cancelled: CancellationToken,
    deadline: Instant,
}

impl Interrupt {
    pub(super) fn after(limit: Duration) -> Self {
        Self {
            cancelled: CancellationToken::new(),
            deadline: Instant::now() + limit,
        }
    }

    pub(super) fn cancel(&self) {
        self.cancelled.cancel();
    }

    pub(super) fn is_due(&self) -> bool {
        self.cancelled.is_cancelled() || Instant::now() >= self.deadline
    }

    /// Ends when it is time to stop.
    pub(super) async fn due(&self) {
        let deadline = tokio::time::sleep_until(self.deadline.into());
        let _ = self.cancelled.run_until_cancelled(deadline).await;
    }
}

/// One remote as it may be reached.
pub(super) struct Access<'a> {
    pub(super) url: &'a NormalizedUrl,
    /// What is connected to over http and https.
    pub(super) addresses: Vec<SocketAddr>,
    pub(super) credential: Option<&'a GitCredential>,
    pub(super) settings: &'a GitSettings,
    pub(super) interrupt: &'a Arc<Interrupt>,
}

/// How libgit2 is brought to a remote.
enum Route {
    /// Its own connection to an address.
    Direct(String),
    /// Requests of ours.
    Http(Ticket),
}

/// Why a callback ended a transfer.
#[derive(Debug, Clone, Copy)]
enum Stop {
    Interrupted,
    TooLarge,
}

/// The branches of a remote and the branch that its HEAD names.
pub(super) fn listing(mut branches: Vec<GitBranch>, head: Option<String>) -> RemoteBranches {
    branches.sort_by(|left, right| left.name.cmp(&right.name));
    let exists = |name: &String| branches.iter().any(|branch| branch.name == *name);
    let (default, dangling_head) = match head {
        Some(name) if exists(&name) => (Some(name), None),
        other => (None, other),
    };
    RemoteBranches {
        default,
        dangling_head,
        branches,
    }
}

impl Access<'_> {
    /// Lists the branches; `scratch` lends its configuration.
    pub(super) fn list(&self, scratch: &Repository) -> Result<RemoteBranches, PortError> {
        self.at_each_address(|route| {
            let stop = Cell::new(None);
            let mut remote = scratch
                .remote_anonymous(&route.address())
                .map_err(local_fault)?;
            let connection = remote
                .connect_auth(Direction::Fetch, Some(self.callbacks(&stop)), None)
                .map_err(|error| self.fault(&error, &stop, route))?;
            offered(
                connection.list().map_err(local_fault)?,
                connection.default_branch().ok(),
            )
        })
    }

    /// Brings the named branches into a mirror and answers what the remote offers.
    pub(super) fn fetch(
        &self,
        mirror: &Repository,
        depth: Option<u32>,
        names: &[String],
    ) -> Result<RemoteBranches, PortError> {
        self.at_each_address(|route| {
            let stop = Cell::new(None);
            let mut remote = mirror
                .remote_anonymous(&route.address())
                .map_err(local_fault)?;
            let mut connection = remote
                .connect_auth(Direction::Fetch, Some(self.callbacks(&stop)), None)
                .map_err(|error| self.fault(&error, &stop, route))?;
            let remote_branches = offered(
                connection.list().map_err(local_fault)?,
                connection.default_branch().ok(),
            )?;
            remove_stale_references(mirror, &remote_branches).map_err(local_fault)?;
            let wanted: Vec<_> = remote_branches
                .branches
                .iter()
                .filter(|branch| names.contains(&branch.name))
                .collect();
            let depth = depth.map_or(0, |depth| i32::try_from(depth).unwrap_or(UNSHALLOW - 1));
            if !wanted.iter().all(|branch| has_branch(mirror, branch))
                || stored_depth(mirror) != Some(depth)
            {
                let depth_to_ask = match depth {
                    0 if mirror.is_shallow() => UNSHALLOW,
                    depth => depth,
                };
                self.download(connection.remote(), &wanted, depth_to_ask, &stop, route)?;
                mirror
                    .config()
                    .and_then(|mut config| config.set_i32(DEPTH_KEY, depth))
                    .map_err(local_fault)?;
            }
            if let Some(branch) = wanted.iter().find(|branch| !has_branch(mirror, branch)) {
                let commit = &branch.commit;
                return Err(local_fault(format!(
                    "the fetched commit {commit} is missing"
                )));
            }
            Ok(remote_branches)
        })
    }

    fn download(
        &self,
        remote: &mut Remote<'_>,
        wanted: &[&GitBranch],
        depth: i32,
        stop: &Cell<Option<Stop>>,
        route: &Route,
    ) -> Result<(), PortError> {
        if wanted.is_empty() {
            return Ok(());
        }
        let references: Vec<_> = wanted
            .iter()
            .map(|branch| format!("+refs/heads/{0}:refs/heads/{0}", branch.name))
            .collect();
        let mut options = FetchOptions::new();
        options
            .remote_callbacks(self.callbacks(stop))
            .prune(FetchPrune::Off)
            .update_fetchhead(false)
            .download_tags(AutotagOption::None)
            .depth(depth);
        remote
            .fetch(&references, Some(&mut options), None)
            .map_err(|error| match error.class() {
                // A lock or file of the mirror; a broken connection fails again at the next try.
                ErrorClass::Os | ErrorClass::Filesystem => local_fault(error),
                _ => self.fault(&error, stop, route),
            })
    }

    /// Tries the address as given, then with `.git`, which some hosts insist on.
    fn at_each_address<T>(
        &self,
        mut attempt: impl FnMut(&Route) -> Result<T, PortError>,
    ) -> Result<T, PortError> {
        let address = &self.url.fetch_url;
        if self.url.scheme == GitScheme::Ssh {
            return attempt(&Route::Direct(address.clone()));
        }
        let mut over_http = |address: &str| {
            let remote = HttpRemote::new(address, self)?;
            attempt(&Route::Http(Ticket::issue(remote)))
        };
        match over_http(address) {
            Err(PortError::NotFound { .. }) if !address.ends_with(".git") => {
                over_http(&format!("{address}.git"))
            }
            result => result,
        }
    }

    fn callbacks<'a>(&'a self, stop: &'a Cell<Option<Stop>>) -> RemoteCallbacks<'a> {
        let limit = self.settings.max_fetch_bytes();
        let mut callbacks = RemoteCallbacks::new();
        callbacks
            .credentials(self.credentials())
            .certificate_check(|certificate, host| {
                Ok(if self.trusts_host_key(certificate, host) {
                    git2::CertificateCheckStatus::CertificateOk
                } else {
                    git2::CertificateCheckStatus::CertificatePassthrough
                })
            })
            .transfer_progress(move |progress| {
                if progress.received_bytes() as u64 > limit {
                    stop.set(Some(Stop::TooLarge));
                } else if self.interrupt.is_due() {
                    stop.set(Some(Stop::Interrupted));
                }
                stop.get().is_none()
            })
            .sideband_progress(move |_| {
                if self.interrupt.is_due() {
                    stop.set(Some(Stop::Interrupted));
                }
                stop.get().is_none()
            });
        callbacks
    }

    /// Offers what is known, each kind once, so that a refusal ends the matter.
    fn credentials(
        &self,
    ) -> impl FnMut(&str, Option<&str>, CredentialType) -> Result<Cred, git2::Error> {
        let mut offered = CredentialType::empty();
        move |_, user_of_url, accepted| {
            let user = user_of_url
                .or(self.credential.and_then(|known| known.username.as_deref()))
                .unwrap_or(TOKEN_USER);
            let mut may_offer = |kind: CredentialType| {
                let is_new = accepted.contains(kind) && !offered.contains(kind);
                offered.set(kind, offered.contains(kind) || is_new);
                is_new
            };
            if may_offer(CredentialType::USERNAME) {
                return Cred::username(user);
            }
            if let Some(key) = &self.settings.ssh_private_key
                && may_offer(CredentialType::SSH_KEY)
            {
                return Cred::ssh_key(user, None, key, None);
            }
            if let Some(known) = self.credential
                && may_offer(CredentialType::USER_PASS_PLAINTEXT)
            {
                return Cred::userpass_plaintext(user, known.password.expose_secret());
            }
            Err(git2::Error::new(
                ErrorCode::Auth,
                ErrorClass::Callback,
                "no credential was accepted",
            ))
        }
    }

    fn trusts_host_key(&self, certificate: &Cert<'_>, host: &str) -> bool {
        let Some(hash) = certificate.as_hostkey().and_then(|key| key.hash_sha256()) else {
            return false;
        };
        let fingerprint = format!("SHA256:{}", STANDARD_NO_PAD.encode(hash));
        self.settings.ssh_host_keys.iter().any(|entry| {
            let mut words = entry.split_whitespace();
            words
                .next()
                .is_some_and(|name| name.eq_ignore_ascii_case(host))
                && words.next() == Some(&fingerprint)
        })
    }

    fn fault(&self, error: &git2::Error, stop: &Cell<Option<Stop>>, route: &Route) -> PortError {
        match (stop.get(), route) {
            (Some(Stop::TooLarge), _) => PortError::TooLarge { system: SYSTEM },
            (Some(Stop::Interrupted), _) => timeout(self.settings.total_timeout()),
            (None, Route::Http(ticket)) if let Some(failure) = ticket.failure() => failure,
            (None, _) => {
                let idle = u64::from(self.settings.idle_timeout_seconds);
                remote_fault(error, Duration::from_secs(idle))
            }
        }
    }
}

impl Route {
    /// What libgit2 is told.
    fn address(&self) -> String {
        match self {
            Self::Direct(address) => address.clone(),
            Self::Http(ticket) => ticket.address(),
        }
    }
}

/// The branches among the advertised references.
fn offered(
    heads: &[git2::RemoteHead<'_>],
    head: Option<git2::Buf>,
) -> Result<RemoteBranches, PortError> {
    let mut branches = Vec::new();
    for head in heads {
        // The name is checked for UTF-8 by a panic in the binding; a branch with such a name cannot
        // be named by anybody here, and must not cost its neighbours.
        let Ok(name) = catch_unwind(AssertUnwindSafe(|| head.name().to_owned())) else {
            tracing::warn!("a branch whose name is not UTF-8 is left out");
            continue;
        };
        if let Some(name) = name.strip_prefix("refs/heads/") {
            branches.push(GitBranch {
                name: name.to_owned(),
                commit: head.oid().to_string(),
            });
        }
    }
    let head = head
        .as_ref()
        .and_then(|name| std::str::from_utf8(name).ok())
        .and_then(|name| name.strip_prefix("refs/heads/"))
        .map(str::to_owned);
    Ok(listing(branches, head))
}

/// Removes branches that the remote no longer has: `a` would stand in the way of `a/b`.
fn remove_stale_references(
    mirror: &Repository,
    remote: &RemoteBranches,
) -> Result<(), git2::Error> {
    for reference in mirror.references_glob("refs/heads/*")? {
        let mut reference = reference?;
        let is_alive = reference
            .name()
            .ok()
            .and_then(|name| name.strip_prefix("refs/heads/"))
            .is_some_and(|name| remote.branches.iter().any(|branch| branch.name == name));
        if !is_alive {
            reference.delete()?;
        }
    }
    Ok(())
}

fn has_branch(mirror: &Repository, branch: &GitBranch) -> bool {
    let name = format!("refs/heads/{}", branch.name);
    mirror
        .refname_to_id(&name)
        .is_ok_and(|oid| oid.to_string() == branch.commit)
        && has_commit(mirror, &branch.commit)
}

fn stored_depth(mirror: &Repository) -> Option<i32> {
    mirror.config().ok()?.get_i32(DEPTH_KEY).ok()
}
