//! Bare mirrors on disk: made beside their place and moved there whole; a broken one is made anew.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use git2::{Oid, Repository, RepositoryInitOptions, RepositoryOpenFlags};
use uuid::Uuid;

use super::failure::{local_fault, not_found};
use crate::{domain::RepositoryId, ports::PortError};

/// Where mirrors are made before they take their place, and go before they are removed.
const INCOMING: &str = ".incoming";
/// A mirror with this file was seen to lack objects.
const DAMAGED: &str = "quarry-damaged";
/// Leftovers of killed processes are removed when this old; no fetch lasts so long.
const LEFTOVER_AGE: Duration = Duration::from_secs(24 * 3600);

/// The folder of all mirrors.
#[derive(Debug, Clone)]
pub(super) struct Mirrors {
    root: PathBuf,
}

impl Mirrors {
    /// Creates the folder where it is missing, and removes what killed processes left there.
    pub(super) fn open(root: PathBuf) -> io::Result<Self> {
        let mirrors = Self { root };
        let incoming = mirrors.root.join(INCOMING);
        fs::create_dir_all(&incoming)?;
        for entry in fs::read_dir(&incoming)?.flatten() {
            let age = entry
                .metadata()
                .and_then(|metadata| metadata.modified())
                .ok()
                .and_then(|at| SystemTime::now().duration_since(at).ok());
            if age.is_some_and(|age| age > LEFTOVER_AGE) {
                remove_directory(&entry.path())?;
            }
        }
        Ok(mirrors)
    }

    fn path(&self, repository: RepositoryId) -> PathBuf {
        self.root.join(format!("{repository}.git"))
    }

    fn incoming(&self) -> PathBuf {
        self.root
            .join(INCOMING)
            .join(Uuid::now_v7().simple().to_string())
    }

    /// Opens a mirror for reading.
    pub(super) fn read(&self, repository: RepositoryId) -> Result<Repository, PortError> {
        open_bare(&self.path(repository))
            .map_err(|_| not_found("mirror_missing", "a mirror of the repository"))
    }

    /// Opens a mirror for fetching, unless it is absent, broken or known to lack objects.
    pub(super) fn open_sound(&self, repository: RepositoryId) -> Option<Repository> {
        let path = self.path(repository);
        if path.join(DAMAGED).exists() {
            return None;
        }
        let mirror = open_bare(&path).ok()?;
        let is_sound = mirror.find_reference("HEAD").is_ok() && mirror.odb().is_ok();
        is_sound.then_some(mirror)
    }

    /// Notes that objects are missing, so that the next fetch makes the mirror anew.
    pub(super) fn mark_damaged(&self, repository: RepositoryId) {
        if let Err(error) = fs::write(self.path(repository).join(DAMAGED), b"") {
            tracing::warn!(%error, %repository, "a damaged mirror could not be marked");
        }
    }

    /// A new empty mirror that nobody sees yet.
    pub(super) fn scratch(&self) -> Result<Scratch, PortError> {
        let path = self.incoming();
        // Owned from before the first byte, so that a failure leaves nothing behind.
        let mut scratch = Scratch {
            path,
            repository: None,
        };
        let mut options = RepositoryInitOptions::new();
        options
            .bare(true)
            .mkpath(true)
            .external_template(false)
            .no_reinit(true);
        let repository = Repository::init_opts(&scratch.path, &options).map_err(local_fault)?;
        repository
            .config()
            // Redirects to another host would lead past the host rules.
            .and_then(|mut config| config.set_bool("http.followRedirects", false))
            .map_err(local_fault)?;
        scratch.repository = Some(repository);
        Ok(scratch)
    }

    /// Moves a finished mirror to its place; what was there is removed.
    pub(super) fn publish(
        &self,
        repository: RepositoryId,
        mut scratch: Scratch,
    ) -> Result<(), PortError> {
        scratch.repository = None;
        self.remove(repository)?;
        fs::rename(&scratch.path, self.path(repository)).map_err(local_fault)
    }

    /// Removes a mirror. Absent is fine.
    pub(super) fn remove(&self, repository: RepositoryId) -> Result<(), PortError> {
        let trash = self.incoming();
        match fs::rename(self.path(repository), &trash) {
            Ok(()) => remove_directory(&trash).map_err(local_fault),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(local_fault(error)),
        }
    }
}

/// A mirror in the making; dropping it removes it.
pub(super) struct Scratch {
    path: PathBuf,
    repository: Option<Repository>,
}

impl Scratch {
    pub(super) fn repository(&self) -> Result<&Repository, PortError> {
        self.repository
            .as_ref()
            .ok_or_else(|| local_fault("the mirror is closed"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.repository = None;
        if let Err(error) = remove_directory(&self.path) {
            tracing::warn!(%error, "an unfinished mirror could not be removed");
        }
    }
}

/// Whether a commit and its root tree are there.
pub(super) fn has_commit(repository: &Repository, commit: &str) -> bool {
    Oid::from_str(commit)
        .and_then(|oid| repository.find_commit(oid))
        .and_then(|commit| commit.tree())
        .is_ok()
}

/// Lets a mirror read the objects of a local repository in place.
pub(super) fn borrow_objects(mirror: &Repository, objects: &Path) -> Result<(), PortError> {
    use std::os::unix::ffi::OsStrExt;

    let mut line = objects.as_os_str().as_bytes().to_vec();
    line.push(b'\n');
    let list = mirror.path().join("objects/info/alternates");
    if fs::read(&list).is_ok_and(|current| current == line) {
        return Ok(());
    }
    let write = || {
        fs::create_dir_all(mirror.path().join("objects/info"))?;
        let draft = list.with_extension("new");
        fs::write(&draft, &line)?;
        fs::rename(&draft, &list)
    };
    write().map_err(local_fault)
}

fn open_bare(path: &Path) -> Result<Repository, git2::Error> {
    let flags =
        RepositoryOpenFlags::NO_SEARCH | RepositoryOpenFlags::NO_DOTGIT | RepositoryOpenFlags::BARE;
    Repository::open_ext(path, flags, std::iter::empty::<&std::ffi::OsStr>())
}

fn remove_directory(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
