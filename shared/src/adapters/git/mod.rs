//! Git through libgit2: bare mirrors, tree objects, no work tree, no hooks, no filters.
//!
//! `address` and `hosts` decide what may be connected to, `local` what may be read on this
//! machine, `remote` speaks, `mirror` keeps, `read` walks.
//!
//! Over http and https libgit2 never opens a connection: `subtransport` lends it `http`, which
//! connects to exactly the addresses that were judged and judges every redirect. Known gap: over ssh
//! libgit2 resolves the host name itself, after the check here. A name that changes its address in
//! between leads to a connection whose host key must fit the name before anything is said.

mod address;
mod failure;
mod hosts;
mod http;
mod libgit2;
mod local;
mod mirror;
mod read;
mod remote;
mod subtransport;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use self::{
    failure::{SYSTEM, local_fault},
    hosts::HostPolicy,
    mirror::Mirrors,
    remote::{Access, Interrupt},
};
pub use address::{GitScheme, NormalizedUrl, normalize_url};

use crate::{
    adapters::outbound::{NameLookup, SystemNames},
    config::GitSettings,
    domain::{RepositoryId, RepositorySource},
    ports::{FetchRequest, GitBlob, GitSource, PortError, RemoteBranches, TreeEntry},
};

/// How long a transfer may need to notice that its time is over.
const GRACE: Duration = Duration::from_secs(5);

/// [`GitSource`] over libgit2. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Git2Source {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    settings: GitSettings,
    policy: HostPolicy,
    mirrors: Mirrors,
}

impl Git2Source {
    /// Keeps mirrors in `mirrors`, which is created. The timeouts for ssh of the first source hold for
    /// the whole process. Fails with `invalid_setting` on an unreadable rule.
    pub fn new(settings: GitSettings, mirrors: PathBuf) -> Result<Self, PortError> {
        Self::with_names(settings, mirrors, Arc::new(SystemNames))
    }

    /// As [`Git2Source::new`], with another place to look host names up. Over ssh they are judged by
    /// it, but connected to by the system's.
    pub fn with_names(
        settings: GitSettings,
        mirrors: PathBuf,
        names: Arc<dyn NameLookup>,
    ) -> Result<Self, PortError> {
        libgit2::initialize(&settings)?;
        Ok(Self {
            shared: Arc::new(Shared {
                policy: HostPolicy::new(&settings, names)?,
                mirrors: Mirrors::open(mirrors).map_err(local_fault)?,
                settings,
            }),
        })
    }

    /// Whether a source may be reached by the settings, without connecting to it. Names are
    /// resolved. Codes of refusals as in [`GitSource::list_branches`], and those of
    /// [`normalize_url`].
    pub async fn check(&self, source: &RepositorySource) -> Result<(), PortError> {
        let source = source.clone();
        self.blocking(move |shared, _| match source {
            RepositorySource::Git { url } => shared.policy.check(&normalize_url(&url)?),
            RepositorySource::Local { path } => {
                local::open(Path::new(&path), &shared.settings.local_roots).map(drop)
            }
        })
        .await
    }

    /// Runs work off the async threads. Dropping the future asks the work to stop.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Shared, &Arc<Interrupt>) -> Result<T, PortError> + Send + 'static,
    ) -> Result<T, PortError> {
        let limit = self.shared.settings.total_timeout();
        let shared = Arc::clone(&self.shared);
        let interrupt = Arc::new(Interrupt::after(limit));
        let _stop = StopOnDrop(Arc::clone(&interrupt));
        let task = tokio::task::spawn_blocking(move || work(&shared, &interrupt));
        match tokio::time::timeout(limit + GRACE, task).await {
            Ok(Ok(result)) => result,
            Ok(Err(panicked)) => Err(local_fault(panicked)),
            Err(_) => Err(PortError::Timeout {
                system: SYSTEM,
                after: limit,
            }),
        }
    }
}

struct StopOnDrop(Arc<Interrupt>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[async_trait]
impl GitSource for Git2Source {
    async fn list_branches(&self, request: &FetchRequest) -> Result<RemoteBranches, PortError> {
        let request = request.clone();
        self.blocking(move |shared, interrupt| match &request.source {
            RepositorySource::Git { url } => {
                let url = normalize_url(url)?;
                let access = shared.access(&url, &request, interrupt)?;
                let scratch = shared.mirrors.scratch()?;
                access.list(scratch.repository()?)
            }
            RepositorySource::Local { path } => {
                local::open(Path::new(path), &shared.settings.local_roots)?.list()
            }
        })
        .await
    }

    async fn fetch(
        &self,
        repository: RepositoryId,
        request: &FetchRequest,
        branches: &[String],
    ) -> Result<RemoteBranches, PortError> {
        let (request, names) = (request.clone(), branches.to_vec());
        self.blocking(move |shared, interrupt| {
            let mut remote = match &request.source {
                RepositorySource::Git { url } => {
                    shared.fetch_remote(repository, url, &request, &names, interrupt)
                }
                RepositorySource::Local { path } => {
                    shared.fetch_local(repository, Path::new(path), &names)
                }
            }?;
            remote
                .branches
                .retain(|branch| names.contains(&branch.name));
            Ok(remote)
        })
        .await
    }

    async fn committed_at(
        &self,
        repository: RepositoryId,
        commit: &str,
    ) -> Result<DateTime<Utc>, PortError> {
        let commit = commit.to_owned();
        self.blocking(move |shared, _| {
            read::committed_at(&shared.mirrors.read(repository)?, &commit)
        })
        .await
    }

    async fn walk(
        &self,
        repository: RepositoryId,
        commit: &str,
    ) -> Result<Vec<TreeEntry>, PortError> {
        let commit = commit.to_owned();
        self.blocking(move |shared, _| {
            let mirror = shared.mirrors.read(repository)?;
            read::walk(&mirror, &commit, shared.settings.max_files).map_err(|fault| {
                if fault.is_damage {
                    shared.mirrors.mark_damaged(repository);
                }
                fault.error
            })
        })
        .await
    }

    async fn read_blobs(
        &self,
        repository: RepositoryId,
        oids: &[String],
        max_bytes: u64,
    ) -> Result<Vec<GitBlob>, PortError> {
        let oids = oids.to_vec();
        self.blocking(move |shared, _| {
            let blobs = read::read_blobs(&shared.mirrors.read(repository)?, &oids, max_bytes)?;
            if blobs.contains(&GitBlob::Missing) {
                shared.mirrors.mark_damaged(repository);
            }
            Ok(blobs)
        })
        .await
    }

    async fn remove(&self, repository: RepositoryId) -> Result<(), PortError> {
        self.blocking(move |shared, _| shared.mirrors.remove(repository))
            .await
    }
}

impl Shared {
    /// Judges and resolves the host.
    fn access<'a>(
        &'a self,
        url: &'a NormalizedUrl,
        request: &'a FetchRequest,
        interrupt: &'a Arc<Interrupt>,
    ) -> Result<Access<'a>, PortError> {
        Ok(Access {
            url,
            addresses: self.policy.pin(url)?,
            credential: request.credential.as_ref(),
            settings: &self.settings,
            interrupt,
        })
    }

    fn fetch_remote(
        &self,
        repository: RepositoryId,
        url: &str,
        request: &FetchRequest,
        names: &[String],
        interrupt: &Arc<Interrupt>,
    ) -> Result<RemoteBranches, PortError> {
        let url = normalize_url(url)?;
        let access = self.access(&url, request, interrupt)?;
        if let Some(mirror) = self.mirrors.open_sound(repository) {
            match access.fetch(&mirror, request.depth, names) {
                Err(PortError::Broken { source, .. }) => {
                    tracing::warn!(%repository, error = %source, "a broken mirror is made anew");
                }
                result => return result,
            }
        }
        let scratch = self.mirrors.scratch()?;
        let remote = access.fetch(scratch.repository()?, request.depth, names)?;
        self.mirrors.publish(repository, scratch)?;
        Ok(remote)
    }

    /// Reads the local repository's objects in place: nothing is copied.
    fn fetch_local(
        &self,
        repository: RepositoryId,
        path: &Path,
        names: &[String],
    ) -> Result<RemoteBranches, PortError> {
        let source = local::open(path, &self.settings.local_roots)?;
        let remote = source.list()?;
        let is_whole = |mirror: &git2::Repository| {
            remote
                .branches
                .iter()
                .filter(|branch| names.contains(&branch.name))
                .all(|branch| mirror::has_commit(mirror, &branch.commit))
        };
        if let Some(mirror) = self.mirrors.open_sound(repository) {
            mirror::borrow_objects(&mirror, source.objects())?;
            drop(mirror);
            if self
                .mirrors
                .open_sound(repository)
                .as_ref()
                .is_some_and(is_whole)
            {
                return Ok(remote);
            }
        }
        let scratch = self.mirrors.scratch()?;
        mirror::borrow_objects(scratch.repository()?, source.objects())?;
        self.mirrors.publish(repository, scratch)?;
        if !is_whole(&self.mirrors.read(repository)?) {
            return Err(local_fault(
                "the local repository lacks objects of a branch",
            ));
        }
        Ok(remote)
    }
}
