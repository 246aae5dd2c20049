//! Reading a mirror: trees by an explicit stack, blobs by their ids. Names stay Git's bytes.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use git2::{Commit, ErrorCode, ObjectType, Odb, Oid, Repository, Tree};

use super::failure::{SYSTEM, local_fault, not_found, rejected};
use crate::ports::{EntryMode, GitBlob, PortError, TreeEntry};

/// Bytes that all paths of a commit may have together.
const MAX_PATH_BYTES: usize = 512 * 1024 * 1024;

const MODE_TREE: i32 = 0o040_000;
const MODE_EXECUTABLE: i32 = 0o100_755;
const MODE_SYMLINK: i32 = 0o120_000;
const MODE_SUBMODULE: i32 = 0o160_000;
const MODE_KIND: i32 = 0o170_000;

/// A failed read, and whether the mirror lacks what it should have.
pub(super) struct ReadFault {
    pub(super) error: PortError,
    pub(super) is_damage: bool,
}

impl From<PortError> for ReadFault {
    fn from(error: PortError) -> Self {
        Self {
            error,
            is_damage: false,
        }
    }
}

/// When a commit was made by its committer's clock.
pub(super) fn committed_at(mirror: &Repository, commit: &str) -> Result<DateTime<Utc>, PortError> {
    let seconds = find_commit(mirror, commit)?.time().seconds();
    // A clock beyond all calendars is a fact about the commit, not a reason to refuse it.
    Ok(DateTime::from_timestamp(seconds, 0).unwrap_or_default())
}

/// Every leaf of the commit's tree in Git's order.
pub(super) fn walk(
    mirror: &Repository,
    commit: &str,
    max_files: usize,
) -> Result<Vec<TreeEntry>, ReadFault> {
    let root = find_commit(mirror, commit)?.tree().map_err(damaged)?;
    let objects = mirror.odb().map_err(local_fault)?;
    let mut leaves = Vec::new();
    let mut path_bytes = 0;
    let mut stack = vec![Level::new(root, Vec::new())?];
    while let Some(level) = stack.last_mut() {
        let Some(entry) = level.tree.get(level.next) else {
            stack.pop();
            continue;
        };
        let (mode, oid) = (entry.filemode_raw(), entry.id());
        let mut path = level.prefix.clone();
        path.extend_from_slice(entry.name_bytes());
        drop(entry);
        level.next += 1;
        // A tree may name another many times over: a few objects can unfold to billions of files.
        path_bytes += path.len();
        if leaves.len() >= max_files || path_bytes > MAX_PATH_BYTES {
            return Err(PortError::TooLarge { system: SYSTEM }.into());
        }
        if mode & MODE_KIND == MODE_TREE {
            let tree = mirror.find_tree(oid).map_err(damaged)?;
            path.push(b'/');
            stack.push(Level::new(tree, path)?);
        } else {
            leaves.push(leaf(&objects, path, mode, oid));
        }
    }
    Ok(leaves)
}

/// One answer per id in order.
pub(super) fn read_blobs(
    mirror: &Repository,
    oids: &[String],
    max_bytes: u64,
) -> Result<Vec<GitBlob>, PortError> {
    let objects = mirror.odb().map_err(local_fault)?;
    Ok(oids
        .iter()
        .map(|oid| read_blob(&objects, oid, max_bytes).unwrap_or(GitBlob::Missing))
        .collect())
}

fn read_blob(objects: &Odb<'_>, oid: &str, max_bytes: u64) -> Result<GitBlob, git2::Error> {
    let oid = Oid::from_str(oid)?;
    let (bytes, kind) = objects.read_header(oid)?;
    if kind != ObjectType::Blob {
        return Ok(GitBlob::Missing);
    }
    if bytes as u64 > max_bytes {
        return Ok(GitBlob::TooLarge);
    }
    Ok(GitBlob::Content(objects.read(oid)?.data().to_vec()))
}

fn find_commit<'a>(mirror: &'a Repository, commit: &str) -> Result<Commit<'a>, PortError> {
    Oid::from_str(commit)
        .and_then(|oid| mirror.find_commit(oid))
        .map_err(|_| not_found("commit_not_found", "the commit"))
}

fn damaged(error: git2::Error) -> ReadFault {
    ReadFault {
        is_damage: error.code() == ErrorCode::NotFound || error.code() == ErrorCode::GenericError,
        error: local_fault(error),
    }
}

fn leaf(objects: &Odb<'_>, path: Vec<u8>, mode: i32, oid: Oid) -> TreeEntry {
    let kind = match mode & MODE_KIND {
        MODE_SUBMODULE => EntryMode::Submodule,
        MODE_SYMLINK => EntryMode::Symlink,
        _ if mode == MODE_EXECUTABLE => EntryMode::Executable,
        _ => EntryMode::File,
    };
    let bytes = match kind {
        EntryMode::Submodule => 0,
        _ => objects
            .read_header(oid)
            .map_or(0, |(bytes, _)| bytes as u64),
    };
    TreeEntry {
        path,
        mode: kind,
        oid: oid.to_string(),
        bytes,
    }
}

/// A tree that is being walked.
struct Level<'a> {
    tree: Tree<'a>,
    prefix: Vec<u8>,
    next: usize,
}

impl<'a> Level<'a> {
    /// Refuses trees that Git itself calls malformed, since they would give two files one path.
    fn new(tree: Tree<'a>, prefix: Vec<u8>) -> Result<Self, PortError> {
        let is_sound = {
            let mut names = HashSet::with_capacity(tree.len());
            (0..tree.len()).all(|at| {
                tree.get(at).is_none_or(|entry| {
                    let name = entry.name_bytes();
                    !name.is_empty() && !name.contains(&b'/') && names.insert(name.to_vec())
                })
            })
        };
        if !is_sound {
            return Err(rejected(
                "malformed_tree",
                "a folder of the commit has two entries of one name",
            ));
        }
        Ok(Self {
            tree,
            prefix,
            next: 0,
        })
    }
}
