//! A Git source that shows only one folder of every commit, under full paths.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use quarry_shared::{
    domain::RepositoryId,
    ports::{FetchRequest, GitBlob, GitSource, PortError, RemoteBranches, TreeEntry},
};

/// Limits another source's trees to a folder.
pub struct FolderSource {
    inner: Arc<dyn GitSource>,
    /// With a slash at its end.
    prefix: Vec<u8>,
}

impl FolderSource {
    /// `folder` is a path from the repository's root, with or without slashes around it.
    #[must_use]
    pub fn new(inner: Arc<dyn GitSource>, folder: &str) -> Self {
        let prefix = format!("{}/", folder.trim_matches('/')).into_bytes();
        Self { inner, prefix }
    }
}

#[async_trait]
impl GitSource for FolderSource {
    async fn list_branches(&self, request: &FetchRequest) -> Result<RemoteBranches, PortError> {
        self.inner.list_branches(request).await
    }

    async fn fetch(
        &self,
        repository: RepositoryId,
        request: &FetchRequest,
        branches: &[String],
    ) -> Result<RemoteBranches, PortError> {
        self.inner.fetch(repository, request, branches).await
    }

    async fn committed_at(
        &self,
        repository: RepositoryId,
        commit: &str,
    ) -> Result<DateTime<Utc>, PortError> {
        self.inner.committed_at(repository, commit).await
    }

    async fn walk(
        &self,
        repository: RepositoryId,
        commit: &str,
    ) -> Result<Vec<TreeEntry>, PortError> {
        let mut entries = self.inner.walk(repository, commit).await?;
        entries.retain(|entry| entry.path.starts_with(&self.prefix));
        Ok(entries)
    }

    async fn read_blobs(
        &self,
        repository: RepositoryId,
        oids: &[String],
        max_bytes: u64,
    ) -> Result<Vec<GitBlob>, PortError> {
        self.inner.read_blobs(repository, oids, max_bytes).await
    }

    async fn remove(&self, repository: RepositoryId) -> Result<(), PortError> {
        self.inner.remove(repository).await
    }
}
