//! Measures fetching, walking and reading of one local repository: `git_measure PATH [BRANCH]`.
#![allow(clippy::unwrap_used)]

use std::time::Instant;

use quarry_shared::{
    adapters::git::Git2Source,
    config::GitSettings,
    domain::{RepositoryId, RepositorySource},
    ports::{FetchRequest, GitBlob, GitSource},
};

#[tokio::main]
async fn main() {
    let path = std::env::args().nth(1).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let settings = GitSettings {
        local_roots: vec!["/".into()],
        ..GitSettings::default()
    };
    let source = Git2Source::new(settings, folder.path().join("mirrors")).unwrap();
    let id = RepositoryId::generate();
    let request = FetchRequest {
        source: RepositorySource::Local { path },
        credential: None,
        depth: None,
    };
    let start = Instant::now();
    let remote = source.list_branches(&request).await.unwrap();
    let name = std::env::args().nth(2).or(remote.default).unwrap();
    println!(
        "list {:?}: {} branches",
        start.elapsed(),
        remote.branches.len()
    );
    let start = Instant::now();
    let fetched = source.fetch(id, &request, &[name]).await.unwrap();
    println!("fetch {:?}", start.elapsed());
    let start = Instant::now();
    let entries = source.walk(id, &fetched.branches[0].commit).await.unwrap();
    println!("walk {:?}: {} files", start.elapsed(), entries.len());
    let start = Instant::now();
    let (mut bytes, mut other) = (0, 0);
    for batch in entries.chunks(64) {
        let oids: Vec<_> = batch.iter().map(|entry| entry.oid.clone()).collect();
        for blob in source.read_blobs(id, &oids, 10 << 20).await.unwrap() {
            match blob {
                GitBlob::Content(content) => bytes += content.len(),
                _ => other += 1,
            }
        }
    }
    println!(
        "read {:?}: {bytes} bytes, {other} not read",
        start.elapsed()
    );
}
