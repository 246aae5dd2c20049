//! Git directories of this machine: only under allow-listed roots, wherever their links lead.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use git2::{Repository, RepositoryOpenFlags};

use super::{
    failure::{local_fault, rejected, source_not_found, unsupported_object_format},
    remote::listing,
};
use crate::ports::{GitBranch, PortError, RemoteBranches};

/// How many object stores may lend to one another; Git's own limit.
const MAX_ALTERNATES_DEPTH: usize = 5;

/// A repository of this machine that may be read.
pub(super) struct LocalRepository {
    repository: Repository,
    objects: PathBuf,
}

/// Opens a work tree's or bare repository's Git directory. Codes of refusals: `path_not_allowed`,
/// `source_not_found`, `unsupported_object_format`, `unsupported_repository`.
pub(super) fn open(path: &Path, roots: &[PathBuf]) -> Result<LocalRepository, PortError> {
    let roots: Vec<_> = roots
        .iter()
        .filter_map(|root| fs::canonicalize(root).ok().map(|real| (root, real)))
        .collect();
    let is_allowed = |path: &Path| roots.iter().any(|(_, real)| path.starts_with(real));
    let is_plain = path.is_absolute()
        && !path
            .components()
            .any(|component| component == Component::ParentDir);
    if !is_plain
        || !roots
            .iter()
            .any(|(root, real)| path.starts_with(root) || path.starts_with(real))
    {
        return Err(not_allowed());
    }
    let real = |path: &Path| -> Result<PathBuf, PortError> {
        let real = fs::canonicalize(path).map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => rejected(
                "path_not_readable",
                "the server's user may not read the path",
            ),
            _ => source_not_found(),
        })?;
        if is_allowed(&real) {
            Ok(real)
        } else {
            Err(not_allowed())
        }
    };
    let place = real(path)?;
    let repository = Repository::open_ext(
        &place,
        RepositoryOpenFlags::NO_SEARCH,
        std::iter::empty::<&std::ffi::OsStr>(),
    )
    .map_err(|error| open_fault(&error))?;
    // A `.git` file or link may lead anywhere.
    real(repository.path())?;
    let objects = real(&repository.commondir().join("objects"))?;
    check_alternates(&objects, &is_allowed)?;
    Ok(LocalRepository {
        repository,
        objects,
    })
}

impl LocalRepository {
    /// The canonical folder of its objects.
    pub(super) fn objects(&self) -> &Path {
        &self.objects
    }

    /// Its branches and what HEAD names.
    pub(super) fn list(&self) -> Result<RemoteBranches, PortError> {
        let mut branches = Vec::new();
        let references = self
            .repository
            .references_glob("refs/heads/*")
            .map_err(local_fault)?;
        for reference in references {
            let Ok(reference) = reference else { continue };
            let Ok(name) = reference.name() else { continue };
            let Ok(commit) = reference.peel_to_commit() else {
                tracing::warn!("a branch of a local repository names no commit and is left out");
                continue;
            };
            if let Some(name) = name.strip_prefix("refs/heads/") {
                branches.push(GitBranch {
                    name: name.to_owned(),
                    commit: commit.id().to_string(),
                });
            }
        }
        Ok(listing(branches, self.head_branch()))
    }

    /// The branch that HEAD names; none where HEAD is detached.
    fn head_branch(&self) -> Option<String> {
        let head = self.repository.find_reference("HEAD").ok()?;
        let target = head.symbolic_target().ok()??;
        target.strip_prefix("refs/heads/").map(str::to_owned)
    }
}

fn not_allowed() -> PortError {
    rejected(
        "path_not_allowed",
        "the path is not under a folder that the server may read",
    )
}

fn open_fault(error: &git2::Error) -> PortError {
    let message = error.message();
    if message.contains("object format") || message.contains("objectformat") {
        return unsupported_object_format();
    }
    if message.contains("extension") || message.contains("version") {
        return rejected(
            "unsupported_repository",
            "the repository uses an extension that is not supported",
        );
    }
    source_not_found()
}

/// Refuses object stores that borrow from outside the roots.
fn check_alternates(objects: &Path, is_allowed: &impl Fn(&Path) -> bool) -> Result<(), PortError> {
    let mut stores = vec![(objects.to_owned(), 0)];
    while let Some((store, depth)) = stores.pop() {
        let Ok(list) = fs::read_to_string(store.join("info/alternates")) else {
            continue;
        };
        for line in list
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            // A lender that is gone is Git's own business: its objects are missing.
            let Ok(lender) = fs::canonicalize(store.join(line)) else {
                continue;
            };
            if !is_allowed(&lender) || depth == MAX_ALTERNATES_DEPTH {
                return Err(not_allowed());
            }
            stores.push((lender, depth + 1));
        }
    }
    Ok(())
}
