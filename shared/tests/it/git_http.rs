//! The Git adapter against a real host over HTTP with basic authentication.

use std::{
    fs,
    net::TcpListener,
    time::{Duration, Instant},
};

use quarry_shared::{
    adapters::git::{Git2Source, normalize_url},
    config::GitSettings,
    domain::{ErrorKind, Kinded, RepositoryId, RepositorySource},
    ports::{FetchRequest, GitBlob, GitCredential, GitSource, PortError, RemoteBranches},
};
use tempfile::TempDir;

use crate::{
    git_repositories::{Put, Step, git},
    git_server::{GitServer, TOKEN, USER, free_port},
};

/// A host, and a source that may use it.
struct World {
    server: GitServer,
    folder: TempDir,
    source: Git2Source,
    id: RepositoryId,
}

impl World {
    fn new() -> Self {
        Self::with("http://localhost:1", |_| {})
    }

    fn with(redirect_to: &str, change: impl FnOnce(&mut GitSettings)) -> Self {
        let server = GitServer::start(redirect_to);
        let folder = tempfile::tempdir().unwrap();
        let mut settings = GitSettings {
            plain_http_hosts: vec!["127.0.0.1:*".to_owned(), "localhost:*".to_owned()],
            allowed_hosts: vec!["127.0.0.1:*".to_owned()],
            ..GitSettings::default()
        };
        change(&mut settings);
        let source = Git2Source::new(settings, folder.path().join("mirrors")).unwrap();
        Self {
            server,
            folder,
            source,
            id: RepositoryId::generate(),
        }
    }

    /// A request with the right token for a path on the host.
    fn request(&self, path: &str) -> FetchRequest {
        request(&self.server.url(path), Some(TOKEN))
    }

    async fn fetch(&self, request: &FetchRequest, names: &[&str]) -> RemoteBranches {
        self.try_fetch(request, names).await.unwrap()
    }

    async fn try_fetch(
        &self,
        request: &FetchRequest,
        names: &[&str],
    ) -> Result<RemoteBranches, PortError> {
        let names: Vec<_> = names.iter().map(ToString::to_string).collect();
        self.source.fetch(self.id, request, &names).await
    }

    /// Paths and contents of a commit.
    async fn files(&self, commit: &str) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for entry in self.source.walk(self.id, commit).await.unwrap() {
            let blobs = self.source.read_blobs(self.id, &[entry.oid], 1 << 20).await;
            let GitBlob::Content(content) = blobs.unwrap().remove(0) else {
                panic!("a blob is missing");
            };
            let path = String::from_utf8(entry.path).unwrap();
            files.push((path, String::from_utf8(content).unwrap()));
        }
        files
    }

    /// The same failure of listing and fetching, without secrets.
    async fn failure(&self, request: &FetchRequest) -> PortError {
        let listed = self.source.list_branches(request).await.unwrap_err();
        let fetched = self.try_fetch(request, &["main"]).await.unwrap_err();
        assert_eq!(listed.code(), fetched.code(), "{listed:?} {fetched:?}");
        for secret in [TOKEN, "wrong-password"] {
            assert!(!format!("{fetched} {fetched:?}").contains(secret));
        }
        let incoming = fs::read_dir(self.folder.path().join("mirrors/.incoming")).unwrap();
        assert_eq!(incoming.count(), 0, "a failed fetch leaves nothing behind");
        fetched
    }
}

fn request(url: &str, token: Option<&str>) -> FetchRequest {
    FetchRequest {
        source: RepositorySource::Git {
            url: url.to_owned(),
        },
        credential: token.map(|token| GitCredential {
            username: Some(USER.to_owned()),
            password: token.to_owned().into(),
        }),
        depth: None,
    }
}

fn named(name: &str, content: &str) -> (String, String) {
    (name.to_owned(), content.to_owned())
}

#[tokio::test]
async fn every_spelling_of_a_subgroup_project_is_fetched_with_its_token() {
    let mut world = World::new();
    let repository = world.server.repository("group/sub/deep/proj.git");
    let commit = repository.commit_files(&[("a.py", "deep")]);
    let namesake = world.server.repository("group/other/proj.git");
    let other = namesake.commit_files(&[("a.py", "other")]);
    let mut keys = Vec::new();
    for path in [
        "group/sub/deep/proj.git",
        "group/sub/deep/proj.git/",
        "group/sub/deep/proj",
        "group/sub/deep/proj/",
    ] {
        world.id = RepositoryId::generate();
        let remote = world.fetch(&world.request(path), &["main"]).await;
        assert_eq!(remote.default.as_deref(), Some("main"), "{path}");
        assert_eq!(remote.branches[0].commit, commit);
        assert_eq!(world.files(&commit).await, [named("a.py", "deep")]);
        keys.push(normalize_url(&world.server.url(path)).unwrap().key);
    }
    keys.dedup();
    assert_eq!(keys.len(), 1);
    world.id = RepositoryId::generate();
    world
        .fetch(&world.request("group/other/proj.git"), &["main"])
        .await;
    assert_eq!(world.files(&other).await, [named("a.py", "other")]);
}

#[tokio::test]
async fn refused_credentials_are_final_after_one_try() {
    let world = World::new();
    world.server.repository("p.git").commit_files(&[("a", "a")]);
    let url = world.server.url("p.git");
    for token in [None, Some("wrong-password")] {
        let before = world.server.requests();
        let failure = world.failure(&request(&url, token)).await;
        assert_eq!(failure.code(), "authentication_failed");
        assert!(!failure.kind().is_transient());
        // Listing and fetching: one request without and one with the credential each.
        assert!(world.server.requests() - before <= 4);
    }
}

#[tokio::test]
async fn failures_of_the_host_are_told_apart() {
    let world = World::new();
    world.server.repository("p.git");
    let closed = format!("http://127.0.0.1:{}/p.git", free_port());
    let untrusted = format!("https://127.0.0.1:{}/p.git", world.server.tls_port);
    for (url, code, kind) in [
        (
            world.server.url("absent.git"),
            "source_not_found",
            ErrorKind::NotFound,
        ),
        (
            world.server.url("absent"),
            "source_not_found",
            ErrorKind::NotFound,
        ),
        (
            world.server.url("broken/p.git"),
            "unavailable",
            ErrorKind::Unavailable,
        ),
        (
            world.server.url("page/p.git"),
            "not_a_git_server",
            ErrorKind::InvalidInput,
        ),
        (closed, "unavailable", ErrorKind::Unavailable),
        (
            untrusted,
            "certificate_not_trusted",
            ErrorKind::InvalidInput,
        ),
    ] {
        let failure = world.failure(&request(&url, Some(TOKEN))).await;
        assert_eq!((failure.code(), failure.kind()), (code, kind), "{url}");
    }
}

#[tokio::test]
async fn a_host_that_is_not_allowed_sees_no_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let world = World::with("http://localhost:1", |settings| {
        settings.allowed_hosts = vec!["*".to_owned()];
        settings.plain_http_hosts = vec!["*".to_owned(), "127.0.0.1:1".to_owned()];
    });
    for url in [
        format!("http://127.0.0.1:{port}/p.git"),
        format!("http://localhost:{port}/p.git"),
        format!("http://2130706433:{port}/p.git"),
        format!("http://0x7f.1:{port}/p.git"),
        format!("http://[::ffff:127.0.0.1]:{port}/p.git"),
        format!("https://127.0.0.1:{port}/p.git"),
        format!("https://127.0.0.1.:{port}/p.git"),
        format!("ssh://git@127.0.0.1:{port}/p.git"),
    ] {
        let failure = world.failure(&request(&url, Some(TOKEN))).await;
        assert_eq!(failure.code(), "host_not_allowed", "{url}");
        let source = RepositorySource::Git { url };
        let failure = world.source.check(&source).await.unwrap_err();
        assert_eq!(failure.code(), "host_not_allowed");
    }
    assert!(listener.accept().is_err(), "nobody connected");
}

#[tokio::test]
async fn a_redirect_to_another_host_is_not_followed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let world = World::with(&format!("http://localhost:{port}"), |_| {});
    let failure = world.failure(&world.request("redirect/p.git")).await;
    assert_eq!(failure.code(), "redirect_not_followed");
    assert!(listener.accept().is_err(), "nobody connected");
    // A renamed project on the same host is found.
    let repository = world.server.repository("p.git");
    let commit = repository.commit_files(&[("a.py", "a")]);
    let remote = world
        .fetch(&world.request("renamed/p.git"), &["main"])
        .await;
    assert_eq!(remote.branches[0].commit, commit);
}

#[tokio::test]
async fn pushes_forced_pushes_and_removed_branches_are_followed() {
    let world = World::new();
    let repository = world.server.repository("p.git");
    let request = world.request("p.git");
    let remote = world.fetch(&request, &["main"]).await;
    assert_eq!(remote, RemoteBranches::default(), "an empty repository");

    let first = repository.commit_files(&[("keep.py", "1"), ("gone.py", "2")]);
    world.fetch(&request, &["main"]).await;
    assert_eq!(world.files(&first).await.len(), 2);
    let steps = [
        Step {
            branch: "main",
            orphan: true,
            changes: &[(b"keep.py", Put::File(b"3"))],
        },
        Step {
            branch: "topic",
            orphan: false,
            changes: &[(b"t.py", Put::File(b"t"))],
        },
    ];
    let commits = repository.commit(&steps);
    let remote = world.fetch(&request, &["main", "topic"]).await;
    assert_eq!(remote.branches.len(), 2);
    assert_eq!(world.files(&commits[0]).await, [named("keep.py", "3")]);
    assert_eq!(world.files(&commits[1]).await, [named("t.py", "t")]);

    // `topic` gives way to `topic/part`.
    git(&repository.path, &["branch", "-qD", "topic"]);
    git(&repository.path, &["branch", "topic/part", &commits[1]]);
    let remote = world.fetch(&request, &["topic", "topic/part"]).await;
    let names: Vec<_> = remote.branches.iter().map(|branch| &branch.name).collect();
    assert_eq!(names, ["topic/part"]);
}

#[tokio::test]
async fn a_shallow_mirror_follows_forced_pushes_and_deepens() {
    let world = World::new();
    let repository = world.server.repository("p.git");
    let mut commits: Vec<_> = (0..4)
        .map(|step| repository.commit_files(&[("a.py", &step.to_string())]))
        .collect();
    let shallow = FetchRequest {
        depth: Some(1),
        ..world.request("p.git")
    };
    let has = async |commit: &str| world.source.committed_at(world.id, commit).await.is_ok();
    world.fetch(&shallow, &["main"]).await;
    assert!(has(&commits[3]).await);
    assert!(!has(&commits[2]).await, "the depth is honoured");

    commits.push(repository.commit_files(&[("a.py", "4")]));
    world.fetch(&shallow, &["main"]).await;
    assert_eq!(world.files(&commits[4]).await, [named("a.py", "4")]);

    git(
        &repository.path,
        &["update-ref", "refs/heads/main", &commits[0]],
    );
    let forced = repository.commit_files(&[("b.py", "forced")]);
    world.fetch(&shallow, &["main"]).await;
    assert_eq!(
        world.files(&forced).await,
        [named("a.py", "0"), named("b.py", "forced")]
    );

    world.fetch(&world.request("p.git"), &["main"]).await;
    assert!(has(&commits[0]).await, "the whole history has come");
}

#[tokio::test]
async fn what_a_killed_fetch_leaves_behind_does_not_stop_the_next() {
    let world = World::new();
    let repository = world.server.repository("p.git");
    repository.commit_files(&[("a.py", "1")]);
    let request = world.request("p.git");
    world.fetch(&request, &["main"]).await;
    let mirror = world
        .folder
        .path()
        .join(format!("mirrors/{}.git", world.id));
    let breakages: [&dyn Fn(); 4] = [
        &|| fs::write(mirror.join("refs/heads/main.lock"), "").unwrap(),
        &|| fs::write(mirror.join("config.lock"), "").unwrap(),
        &|| fs::remove_file(mirror.join("HEAD")).unwrap(),
        &|| {
            let packs = fs::read_dir(mirror.join("objects/pack")).unwrap();
            for file in packs {
                fs::write(file.unwrap().path(), "half").unwrap();
            }
        },
    ];
    for (step, break_it) in breakages.iter().enumerate() {
        break_it();
        let commit = repository.commit_files(&[("a.py", &format!("after {step}"))]);
        world.fetch(&request, &["main"]).await;
        let expected = [named("a.py", &format!("after {step}"))];
        assert_eq!(world.files(&commit).await, expected);
    }
}

#[tokio::test]
async fn a_blob_that_is_lost_is_fetched_again() {
    let world = World::new();
    let repository = world.server.repository("p.git");
    let commit = repository.commit_files(&[("a.py", "a")]);
    let request = world.request("p.git");
    world.fetch(&request, &["main"]).await;
    let entry = world
        .source
        .walk(world.id, &commit)
        .await
        .unwrap()
        .remove(0);
    let oids = [entry.oid];
    let mirror = world
        .folder
        .path()
        .join(format!("mirrors/{}.git", world.id));
    fs::remove_dir_all(mirror.join("objects")).unwrap();
    fs::create_dir(mirror.join("objects")).unwrap();
    let blobs = world.source.read_blobs(world.id, &oids, 100).await.unwrap();
    assert_eq!(blobs, [GitBlob::Missing]);
    world.fetch(&request, &["main"]).await;
    assert_eq!(world.files(&commit).await, [named("a.py", "a")]);
}

#[tokio::test]
async fn a_branch_with_an_odd_name_costs_no_other() {
    use std::os::unix::ffi::OsStrExt;

    let world = World::new();
    let repository = world.server.repository("p.git");
    let commit = repository.commit_files(&[("a.py", "a")]);
    let odd = std::ffi::OsStr::from_bytes(b"refs/heads/caf\xe9");
    fs::write(repository.path.join(odd), format!("{commit}\n")).unwrap();
    git(&repository.path, &["branch", "\u{30c6}/feature#1", &commit]);
    let names = ["main", "\u{30c6}/feature#1"];
    let remote = world.fetch(&world.request("p.git"), &names).await;
    let found: Vec<_> = remote.branches.iter().map(|branch| &branch.name).collect();
    assert_eq!(found, names);
}

#[tokio::test]
async fn a_dangling_head_has_no_default_branch() {
    let world = World::new();
    let repository = world.server.repository("p.git");
    repository.commit(&[Step {
        branch: "work",
        orphan: false,
        changes: &[(b"a.py", Put::File(b"a"))],
    }]);
    let request = world.request("p.git");
    let remote = world.source.list_branches(&request).await.unwrap();
    assert_eq!(remote.default, None);
    assert_eq!(remote.branches[0].name, "work");
}

#[tokio::test]
async fn sha256_repositories_are_refused_with_their_own_code() {
    let world = World::new();
    let repository = world.server.repository("p.git");
    fs::remove_dir_all(&repository.path).unwrap();
    fs::create_dir(&repository.path).unwrap();
    git(
        &repository.path,
        &[
            "init",
            "-q",
            "--bare",
            "-b",
            "main",
            "--object-format=sha256",
            ".",
        ],
    );
    repository.commit_files(&[("a.py", "a")]);
    let failure = world.failure(&world.request("p.git")).await;
    assert_eq!(failure.code(), "unsupported_object_format");
}

#[tokio::test]
async fn more_data_than_allowed_is_not_received() {
    let world = World::with("http://localhost:1", |settings| settings.max_fetch_mib = 0);
    let repository = world.server.repository("p.git");
    repository.commit_files(&[("a.py", "a")]);
    let error = world
        .try_fetch(&world.request("p.git"), &["main"])
        .await
        .unwrap_err();
    assert_eq!(error.code(), "too_large");
}

#[tokio::test]
async fn a_host_that_never_answers_ends_in_a_timeout() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let world = World::with("http://localhost:1", |settings| {
        settings.total_timeout_seconds = 1;
    });
    let begun = Instant::now();
    let silent = request(&format!("http://127.0.0.1:{port}/p.git"), None);
    let error = world.try_fetch(&silent, &["main"]).await.unwrap_err();
    assert_eq!(error.code(), "timeout");
    assert!(begun.elapsed() < Duration::from_secs(20));
}
