//! Git repositories as tree objects: no work tree, no links followed, no filters run.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use secrecy::SecretString;

use super::PortError;
use crate::domain::{RepositoryId, RepositorySource};

/// How to identify at the remote.
#[derive(Debug, Clone)]
pub struct GitCredential {
    pub username: Option<String>,
    pub password: SecretString,
}

/// A repository to reach.
#[derive(Debug, Clone)]
pub struct FetchRequest {
    pub source: RepositorySource,
    pub credential: Option<GitCredential>,
    /// History depth to fetch; `None` fetches all.
    pub depth: Option<u32>,
}

/// A branch at the remote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitBranch {
    /// Short name without `refs/heads/`.
    pub name: String,
    /// Commit id in hex.
    pub commit: String,
}

/// What the remote offers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RemoteBranches {
    /// The branch that HEAD names, when that branch exists.
    pub default: Option<String>,
    /// The branch that HEAD names although it does not exist (an unborn or deleted branch).
    pub dangling_head: Option<String>,
    /// Sorted by name. Empty for an empty repository.
    pub branches: Vec<GitBranch>,
}

/// Kind of a tree entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryMode {
    File,
    Executable,
    Symlink,
    Submodule,
}

/// A leaf of a commit's tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// Path from the root in Git's bytes.
    pub path: Vec<u8>,
    pub mode: EntryMode,
    /// Object id in hex.
    pub oid: String,
    /// Size in bytes from the object's header; 0 for submodules and missing objects.
    pub bytes: u64,
}

/// A blob as read from the mirror.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitBlob {
    Content(Vec<u8>),
    /// Larger than the caller's limit; not read.
    TooLarge,
    /// Not in the object store, or damaged.
    Missing,
}

/// Access to Git. Blocking work runs off the async threads.
#[async_trait]
pub trait GitSource: Send + Sync {
    /// Lists branches without fetching. Codes of refusals: `host_not_allowed`,
    /// `scheme_not_allowed`, `path_not_allowed`, `source_not_found`, and
    /// [`PortError::AuthenticationFailed`].
    async fn list_branches(&self, request: &FetchRequest) -> Result<RemoteBranches, PortError>;

    /// Brings the named branches into the repository's bare mirror and returns them as they are at
    /// the remote now (a missing one is absent). Forced updates are followed; a broken or half
    /// written mirror is made anew. Safe to kill at any moment.
    async fn fetch(
        &self,
        repository: RepositoryId,
        request: &FetchRequest,
        branches: &[String],
    ) -> Result<RemoteBranches, PortError>;

    /// When the commit was made.
    async fn committed_at(
        &self,
        repository: RepositoryId,
        commit: &str,
    ) -> Result<DateTime<Utc>, PortError>;

    /// Every leaf of the commit's tree, in Git's order. Never cut short in silence.
    async fn walk(
        &self,
        repository: RepositoryId,
        commit: &str,
    ) -> Result<Vec<TreeEntry>, PortError>;

    /// Reads blobs, one answer per id in order.
    async fn read_blobs(
        &self,
        repository: RepositoryId,
        oids: &[String],
        max_bytes: u64,
    ) -> Result<Vec<GitBlob>, PortError>;

    /// Removes the mirror. Absent is fine.
    async fn remove(&self, repository: RepositoryId) -> Result<(), PortError>;
}
