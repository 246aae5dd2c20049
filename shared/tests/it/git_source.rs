//! The Git adapter on local repositories of many shapes.

use std::{fs, os::unix::fs::symlink, path::Path};

use quarry_shared::{
    adapters::git::Git2Source,
    config::GitSettings,
    domain::{Kinded, RepositoryId, RepositorySource},
    ports::{EntryMode, FetchRequest, GitBlob, GitSource, RemoteBranches, TreeEntry},
};
use tempfile::TempDir;

use crate::git_repositories::{Put, Repository, Step, git};

/// A folder with one allow-listed root and a source whose mirrors lie beside it.
struct World {
    folder: TempDir,
    source: Git2Source,
    id: RepositoryId,
}

impl World {
    fn new() -> Self {
        Self::with(|_| {})
    }

    fn with(change: impl FnOnce(&mut GitSettings)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        let mut settings = GitSettings {
            local_roots: vec![root],
            ..GitSettings::default()
        };
        change(&mut settings);
        let source = Git2Source::new(settings, folder.path().join("mirrors")).unwrap();
        Self {
            folder,
            source,
            id: RepositoryId::generate(),
        }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join("root").join(name)
    }

    fn repository(&self, head: &str) -> Repository {
        Repository::create(&self.path("fixture.git"), head)
    }

    async fn fetch(&self, path: &Path, branches: &[&str]) -> RemoteBranches {
        let names: Vec<_> = branches.iter().map(ToString::to_string).collect();
        self.source
            .fetch(self.id, &local(path), &names)
            .await
            .unwrap()
    }

    async fn walk(&self, commit: &str) -> Vec<TreeEntry> {
        self.source.walk(self.id, commit).await.unwrap()
    }

    /// Fetches `main` of a repository and walks it.
    async fn tree(&self, repository: &Repository) -> Vec<TreeEntry> {
        let remote = self.fetch(&repository.path, &["main"]).await;
        self.walk(&remote.branches[0].commit).await
    }

    async fn read(&self, entry: &TreeEntry) -> GitBlob {
        self.source
            .read_blobs(self.id, std::slice::from_ref(&entry.oid), 1 << 20)
            .await
            .unwrap()
            .remove(0)
    }

    async fn refusal(&self, path: &Path) -> &'static str {
        let listed = self.source.list_branches(&local(path)).await.unwrap_err();
        let fetched = self
            .source
            .fetch(self.id, &local(path), &["main".to_owned()])
            .await
            .unwrap_err();
        assert_eq!(listed.code(), fetched.code());
        listed.code()
    }
}

fn local(path: &Path) -> FetchRequest {
    FetchRequest {
        source: RepositorySource::Local {
            path: path.to_str().unwrap().to_owned(),
        },
        credential: None,
        depth: None,
    }
}

fn paths(entries: &[TreeEntry]) -> Vec<String> {
    entries
        .iter()
        .map(|entry| entry.path.escape_ascii().to_string())
        .collect()
}

fn entry<'a>(entries: &'a [TreeEntry], path: &[u8]) -> &'a TreeEntry {
    entries.iter().find(|entry| entry.path == path).unwrap()
}

#[tokio::test]
async fn an_empty_repository_has_no_branches() {
    let world = World::new();
    let repository = world.repository("main");
    let remote = world.fetch(&repository.path, &["main"]).await;
    assert_eq!(remote.branches, []);
    assert_eq!(remote.default, None);
    assert_eq!(remote.dangling_head.as_deref(), Some("main"));

    // The first push arrives.
    let commit = repository.commit_files(&[("a.py", "a = 1\n")]);
    let remote = world.fetch(&repository.path, &["main"]).await;
    assert_eq!(remote.default.as_deref(), Some("main"));
    assert_eq!(paths(&world.walk(&commit).await), ["a.py"]);
}

#[tokio::test]
async fn a_dangling_head_is_told_beside_the_branches() {
    let world = World::new();
    let repository = world.repository("main");
    repository.commit(&[Step {
        branch: "work",
        orphan: false,
        changes: &[(b"a.py", Put::File(b"a"))],
    }]);
    let remote = world
        .source
        .list_branches(&local(&repository.path))
        .await
        .unwrap();
    assert_eq!(remote.default, None);
    assert_eq!(remote.dangling_head.as_deref(), Some("main"));
    assert_eq!(remote.branches[0].name, "work");
}

#[tokio::test]
async fn a_forced_branch_is_followed_and_a_missing_one_is_absent() {
    let world = World::new();
    let repository = world.repository("main");
    repository.commit_files(&[("keep.py", "1"), ("gone.py", "2")]);
    assert_eq!(
        paths(&world.tree(&repository).await),
        ["gone.py", "keep.py"]
    );
    repository.commit(&[Step {
        branch: "main",
        orphan: true,
        changes: &[
            (b"keep.py", Put::File(b"3")),
            (b"fresh.py", Put::File(b"4")),
        ],
    }]);
    assert_eq!(
        paths(&world.tree(&repository).await),
        ["fresh.py", "keep.py"]
    );
    let remote = world.fetch(&repository.path, &["absent"]).await;
    assert_eq!(remote.branches, []);
}

#[tokio::test]
async fn paths_are_git_bytes_and_every_blob_opens() {
    let world = World::new();
    let repository = world.repository("main");
    let odd: [&[u8]; 6] = [
        b"ok/good.py",
        b"src/caf\xe9.py",
        b"src/quo\"te's.py",
        "src/sp ace/\u{30c6}\u{30b9}\u{30c8}.py".as_bytes(),
        b"src/tab\there.py",
        b"src/back\\slash\nline.py",
    ];
    let changes: Vec<_> = odd.iter().map(|path| (*path, Put::File(path))).collect();
    let steps = |changes| {
        [Step {
            branch: "main",
            orphan: false,
            changes,
        }]
    };
    repository.commit(&steps(&changes));
    let entries = world.tree(&repository).await;
    assert_eq!(entries.len(), odd.len());
    for path in odd {
        let found = entry(&entries, path);
        assert_eq!(found.bytes, path.len() as u64);
        assert_eq!(world.read(found).await, GitBlob::Content(path.to_vec()));
    }
    repository.commit(&steps(&[(odd[1], Put::Delete)]));
    let after = world.tree(&repository).await;
    assert_eq!(after.len(), odd.len() - 1);
    assert!(after.iter().all(|entry| entry.path != odd[1]));
}

#[tokio::test]
async fn submodules_links_and_modes_are_told_apart_and_nothing_is_cut_short() {
    let world = World::new();
    let repository = world.repository("main");
    let submodule = "1".repeat(40);
    repository.commit(&[Step {
        branch: "main",
        orphan: false,
        changes: &[
            (b"vend", Put::Submodule(&submodule)),
            (b"zz_after.py", Put::File(b"after")),
            (b"run.sh", Put::Executable(b"#!/bin/sh\n")),
            (b"loop/self", Put::Link(".")),
            (b"loop/a", Put::Link("../loop")),
            (b"steal.txt", Put::Link("/etc/passwd")),
            (b"dirlink", Put::Link("real")),
            (b"real/t.py", Put::File(b"real")),
            (b"empty.py", Put::File(b"")),
        ],
    }]);
    let entries = world.tree(&repository).await;
    assert_eq!(
        paths(&entries),
        [
            "dirlink",
            "empty.py",
            "loop/a",
            "loop/self",
            "real/t.py",
            "run.sh",
            "steal.txt",
            "vend",
            "zz_after.py",
        ]
    );
    let mode = |path: &[u8]| entry(&entries, path).mode;
    assert_eq!(mode(b"vend"), EntryMode::Submodule);
    assert_eq!(entry(&entries, b"vend").oid, submodule);
    assert_eq!(mode(b"run.sh"), EntryMode::Executable);
    assert_eq!(mode(b"dirlink"), EntryMode::Symlink);
    assert_eq!(mode(b"zz_after.py"), EntryMode::File);
    // A link's content is its target's name, never what lies there.
    assert_eq!(
        world.read(entry(&entries, b"steal.txt")).await,
        GitBlob::Content(b"/etc/passwd".to_vec())
    );
}

#[tokio::test]
async fn moved_and_deleted_files_follow_the_commit() {
    let world = World::new();
    let repository = world.repository("main");
    let first = repository.commit_files(&[("active/p.py", "body"), ("active/q.py", "dies")]);
    let before = world.tree(&repository).await;
    repository.commit(&[Step {
        branch: "main",
        orphan: false,
        changes: &[
            (b"active/p.py", Put::Delete),
            (b"active/q.py", Put::Delete),
            (b"accepted/p.py", Put::File(b"body")),
        ],
    }]);
    let after = world.tree(&repository).await;
    assert_eq!(paths(&after), ["accepted/p.py"]);
    assert_eq!(after[0].oid, entry(&before, b"active/p.py").oid);
    // An older commit stays readable.
    assert_eq!(world.walk(&first).await, before);
    let at = world.source.committed_at(world.id, &first).await.unwrap();
    assert_eq!(at.timestamp(), 1_700_000_000);
}

#[tokio::test]
async fn blobs_over_the_limit_and_missing_ones_cost_no_neighbour() {
    let world = World::new();
    let repository = world.repository("main");
    repository.commit_files(&[("big.txt", &"x".repeat(5000)), ("small.txt", "small")]);
    let entries = world.tree(&repository).await;
    let oids = [
        entries[0].oid.clone(),
        "f".repeat(40),
        "no object id".to_owned(),
        entries[1].oid.clone(),
    ];
    let blobs = world
        .source
        .read_blobs(world.id, &oids, 4999)
        .await
        .unwrap();
    assert_eq!(
        blobs,
        [
            GitBlob::TooLarge,
            GitBlob::Missing,
            GitBlob::Missing,
            GitBlob::Content(b"small".to_vec()),
        ]
    );
}

#[tokio::test]
async fn a_work_tree_is_read_by_its_commits() {
    let world = World::new();
    let path = world.path("work");
    fs::create_dir(&path).unwrap();
    git(&path, &["init", "-q", "-b", "main"]);
    fs::write(path.join("a.py"), "committed").unwrap();
    git(&path, &["add", "."]);
    git(
        &path,
        &[
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@example.invalid",
            "commit",
            "-qm",
            "x",
        ],
    );
    fs::write(path.join("a.py"), "edited, not committed").unwrap();
    fs::write(path.join("untracked.py"), "x").unwrap();
    let remote = world.fetch(&path, &["main"]).await;
    let entries = world.walk(&remote.branches[0].commit).await;
    assert_eq!(paths(&entries), ["a.py"]);
    assert_eq!(
        world.read(&entries[0]).await,
        GitBlob::Content(b"committed".to_vec())
    );
}

#[tokio::test]
async fn paths_outside_the_roots_are_refused_however_they_are_written() {
    let world = World::new();
    let outside = Repository::create(&world.folder.path().join("outside.git"), "main");
    outside.commit_files(&[("a.py", "secret")]);
    let inside = world.repository("main");
    inside.commit_files(&[("a.py", "a")]);
    symlink(&outside.path, world.path("link.git")).unwrap();
    fs::create_dir(world.path("gitfile")).unwrap();
    fs::write(
        world.path("gitfile/.git"),
        format!("gitdir: {}\n", outside.path.display()),
    )
    .unwrap();
    let borrower = Repository::create(&world.path("borrower.git"), "main");
    fs::write(
        borrower.path.join("objects/info/alternates"),
        format!("{}\n", outside.path.join("objects").display()),
    )
    .unwrap();
    for path in [
        outside.path.clone(),
        world.path("../outside.git"),
        world.path("link.git"),
        world.path("gitfile"),
        world.path("borrower.git"),
        "root/fixture.git".into(),
        "/".into(),
        "/etc".into(),
        "/no/such/place".into(),
    ] {
        assert_eq!(world.refusal(&path).await, "path_not_allowed", "{path:?}");
    }
    assert_eq!(
        world.refusal(&world.path("absent.git")).await,
        "source_not_found"
    );
    fs::create_dir(world.path("plain")).unwrap();
    assert_eq!(
        world.refusal(&world.path("plain")).await,
        "source_not_found"
    );
}

#[tokio::test]
async fn without_roots_no_path_is_allowed() {
    let world = World::with(|settings| settings.local_roots.clear());
    let repository = world.repository("main");
    assert_eq!(world.refusal(&repository.path).await, "path_not_allowed");
}

#[tokio::test]
async fn sha256_repositories_are_refused_with_their_own_code() {
    let world = World::new();
    let path = world.path("sha256.git");
    fs::create_dir(&path).unwrap();
    git(
        &path,
        &["init", "-q", "--bare", "--object-format=sha256", "."],
    );
    assert_eq!(world.refusal(&path).await, "unsupported_object_format");
}

#[tokio::test]
async fn a_broken_mirror_is_made_anew() {
    let world = World::new();
    let repository = world.repository("main");
    repository.commit_files(&[("a.py", "a")]);
    let expected = world.tree(&repository).await;
    let mirror = world
        .folder
        .path()
        .join(format!("mirrors/{}.git", world.id));
    let breakages: [fn(&Path); 4] = [
        |mirror| fs::remove_file(mirror.join("HEAD")).unwrap(),
        |mirror| fs::write(mirror.join("HEAD"), "").unwrap(),
        |mirror| fs::remove_dir_all(mirror.join("objects")).unwrap(),
        |mirror| fs::remove_dir_all(mirror).unwrap(),
    ];
    for break_it in breakages {
        break_it(&mirror);
        assert_eq!(world.tree(&repository).await, expected);
    }
    let leftovers = fs::read_dir(world.folder.path().join("mirrors/.incoming")).unwrap();
    assert_eq!(leftovers.count(), 0);
}

#[tokio::test]
async fn a_removed_local_repository_and_a_removed_mirror_are_told_clearly() {
    let world = World::new();
    let repository = world.repository("main");
    let commit = repository.commit_files(&[("a.py", "a")]);
    world.tree(&repository).await;
    fs::remove_dir_all(&repository.path).unwrap();
    assert_eq!(world.refusal(&repository.path).await, "source_not_found");
    world.source.remove(world.id).await.unwrap();
    world.source.remove(world.id).await.unwrap();
    let error = world.source.walk(world.id, &commit).await.unwrap_err();
    assert_eq!(error.code(), "mirror_missing");
}

#[tokio::test]
async fn a_tree_that_unfolds_beyond_all_bounds_is_refused() {
    let world = World::with(|settings| settings.max_files = 1000);
    let repository = world.repository("main");
    // Every level names the one below ten times: four objects, ten thousand files.
    let store = git2::Repository::open(&repository.path).unwrap();
    let mut oid = store.blob(b"x").unwrap();
    let mut mode = 0o100_644;
    for _ in 0..4 {
        let mut tree = store.treebuilder(None).unwrap();
        for name in 0..10 {
            tree.insert(name.to_string(), oid, mode).unwrap();
        }
        oid = tree.write().unwrap();
        mode = 0o040_000;
    }
    let who = git2::Signature::now("T", "t@example.invalid").unwrap();
    let tree = store.find_tree(oid).unwrap();
    let commit = store
        .commit(Some("refs/heads/main"), &who, &who, "x", &tree, &[])
        .unwrap();
    world.fetch(&repository.path, &["main"]).await;
    let error = world
        .source
        .walk(world.id, &commit.to_string())
        .await
        .unwrap_err();
    assert_eq!(error.code(), "too_large");
}
