//! What a run publishes: clean, incremental, rewritten, renamed, empty, missing.

use std::sync::atomic::Ordering;

use quarry_shared::{
    domain::RunTrigger,
    store::{
        entities::{embedding, file, snapshot},
        ledger::{self, LedgerFilter, TreeItem},
        snapshots,
        views::ViewRequest,
    },
};
use sea_orm::EntityTrait;

use super::{
    git_repositories::{Put, Repository, Step, git},
    indexing_world::{World, function, settings},
    store_database::TestDatabase,
};

/// Commits changes on `main`.
fn change(source: &Repository, changes: &[(&str, Put<'_>)]) -> String {
    let changes: Vec<_> = changes
        .iter()
        .map(|(path, put)| (path.as_bytes(), *put))
        .collect();
    source
        .commit(&[Step {
            branch: "main",
            orphan: false,
            changes: &changes,
        }])
        .remove(0)
}

fn five_files(source: &Repository) -> String {
    let texts: Vec<(String, String)> = ["a", "b", "c", "d", "e"]
        .iter()
        .map(|name| (format!("src/{name}.py"), function(name)))
        .collect();
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    source.commit_files(&files)
}

async fn clean_then_incremental(world: World) {
    let first = five_files(&world.source);
    let run = world.index().await;
    assert_eq!(
        (run.state.as_str(), run.stage.as_str()),
        ("succeeded", "done")
    );
    assert_eq!((run.files_seen, run.files_total, run.files_done), (5, 5, 5));
    assert_eq!((run.batches_total, run.batches_done), (3, 3));
    assert_eq!(run.bytes_total, run.bytes_done);
    let seen = world.seen().await;
    assert_eq!(seen.commit, first);
    let [files, indexed, skipped, chunks, points, documents] = seen.counts;
    assert_eq!((files, indexed, skipped), (5, 5, 0));
    assert!(chunks >= 5);
    assert_eq!((points, documents), (chunks, chunks));
    assert_eq!(world.embedder.take_texts() as i64, chunks);
    assert_eq!(world.repository().await.state, "ready");

    change(
        &world.source,
        &[("src/c.py", Put::File(function("changed").as_bytes()))],
    );
    let run = world.index().await;
    assert_eq!((run.files_seen, run.files_total), (5, 1));
    let embedded = world.embedder.take_texts() as i64;
    assert_eq!(embedded, run.chunks_embedded);
    assert_eq!(embedded, run.chunks_done, "only the changed file's chunks");
    assert_eq!(world.seen().await, world.clean().await);

    let clean = world.clean_sum().await;
    for (kept, summed) in world.vector_sum().await.iter().zip(&clean) {
        assert!((kept - summed).abs() < 1e-6, "{kept} {summed}");
    }

    let old = ViewRequest {
        commit: Some(first),
        ..ViewRequest::default()
    };
    assert_eq!(
        world.seen_at(&old).await,
        seen,
        "the old commit is as it was"
    );
}

#[tokio::test]
async fn a_change_costs_what_it_changes() {
    clean_then_incremental(World::start().await).await;
}

#[tokio::test]
async fn a_change_costs_what_it_changes_on_postgres() {
    let database = TestDatabase::postgres().await;
    clean_then_incremental(World::start_on(database, settings(), &[]).await).await;
}

#[tokio::test]
async fn an_unchanged_commit_is_not_indexed_again() {
    let world = World::start().await;
    five_files(&world.source);
    let first = world.index().await;
    assert_eq!(first.attempts, 1, "nothing had to be tried again");
    world.embedder.take_texts();
    let second = world.index().await;
    assert_eq!(second.state, "succeeded");
    assert_eq!(second.snapshot_id, first.snapshot_id);
    assert_eq!(second.files_total, 0);
    assert_eq!(world.embedder.take_texts(), 0);
    let snapshots = snapshot::Entity::find()
        .all(world.database.database.reader())
        .await
        .unwrap();
    assert_eq!(snapshots.len(), 1);
}

#[tokio::test]
async fn deleted_and_renamed_files_leave_no_ghosts() {
    let world = World::start().await;
    let (p, q) = (function("p"), function("q"));
    world.source.commit_files(&[
        ("proposed/p.py", &p),
        ("q.py", &q),
        ("keep.py", "keep = 1\n"),
    ]);
    world.index().await;
    world.embedder.take_texts();
    change(
        &world.source,
        &[
            ("proposed/p.py", Put::Delete),
            ("q.py", Put::Delete),
            ("accepted/p.py", Put::File(p.as_bytes())),
        ],
    );
    world.index().await;
    let seen = world.seen().await;
    let paths: Vec<_> = seen.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["accepted/p.py", "keep.py"]);
    assert_eq!(seen, world.clean().await);
}

#[tokio::test]
async fn a_rewritten_branch_is_followed() {
    let world = World::start().await;
    let (gone, keep) = (function("vanish"), function("keep_me"));
    world
        .source
        .commit_files(&[("gone.py", &gone), ("keep.py", &keep)]);
    world.index().await;
    let moved = format!("\n\n{keep}");
    world.source.commit(&[Step {
        branch: "main",
        orphan: true,
        changes: &[
            (b"born.py", Put::File(b"def born():\n    pass\n")),
            (b"keep.py", Put::File(moved.as_bytes())),
        ],
    }]);
    world.index().await;
    let seen = world.seen().await;
    assert_eq!(seen, world.clean().await);
    assert!(!seen.files.iter().any(|(path, _)| path == "gone.py"));
}

#[tokio::test]
async fn every_entry_of_the_tree_has_a_ledger_row() {
    let world = World::start().await;
    let odd: &[u8] = b"src/caf\xe9.py";
    let submodule = "a".repeat(40);
    world.source.commit(&[Step {
        branch: "main",
        orphan: false,
        changes: &[
            (odd, Put::File(b"def odd():\n    pass\n")),
            (b"run.sh", Put::Executable(b"echo run\n")),
            (b"steal.txt", Put::Link("/etc/passwd")),
            (b"vend", Put::Submodule(&submodule)),
            (b"zz_after.py", Put::File(b"after = 1\n")),
            (b"empty.py", Put::File(b"")),
            (b"binary.dat", Put::File(b"\0\x01\x02\x03\0\0\0\xff")),
            (b".env", Put::File(b"TOKEN=abc\n")),
            (b"node_modules/x/i.js", Put::File(b"x()\n")),
        ],
    }]);
    world.index().await;
    let seen = world.seen().await;
    let fate = |path: &str| {
        let found = seen.files.iter().find(|(of, _)| of == path);
        found.map(|(_, fate)| fate.clone()).unwrap_or_default()
    };
    for (path, expected) in [
        ("src/caf\\xE9.py", "indexed"),
        ("run.sh", "indexed"),
        ("steal.txt", "symlink"),
        ("vend", "submodule"),
        ("zz_after.py", "indexed"),
        ("empty.py", "empty"),
        ("binary.dat", "binary"),
        (".env", "secret"),
        ("node_modules/x/i.js", "dependency"),
    ] {
        assert_eq!(fate(path), expected, "{path}");
    }
    assert_eq!(seen.counts[..3], [9, 3, 6]);
}

#[tokio::test]
async fn a_link_that_becomes_a_file_with_the_same_bytes_is_indexed() {
    let world = World::start().await;
    change(&world.source, &[("x.py", Put::Link("target = 1"))]);
    world.index().await;
    change(&world.source, &[("x.py", Put::File(b"target = 1"))]);
    world.index().await;
    let files = world.seen().await.files;
    assert!(files.contains(&("x.py".to_owned(), "indexed".to_owned())));
}

#[tokio::test]
async fn an_empty_repository_is_empty_until_its_first_push() {
    let world = World::start().await;
    let run = world.index().await;
    assert_eq!((run.state.as_str(), run.files_seen), ("succeeded", 0));
    let repository = world.repository().await;
    assert_eq!(repository.state, "empty");
    assert!(repository.warning.unwrap().contains("empty"));
    five_files(&world.source);
    world.index().await;
    assert_eq!(world.repository().await.state, "ready");
    assert_eq!(world.repository().await.warning, None);
    assert_eq!(world.seen().await.counts[0], 5);
}

#[tokio::test]
async fn a_head_that_points_nowhere_is_a_warning_and_the_existing_branch_is_used() {
    let world = World::start().await;
    world.source.commit(&[Step {
        branch: "work",
        orphan: false,
        changes: &[(b"w.py", Put::File(b"w = 1\n"))],
    }]);
    let run = world.index().await;
    assert_eq!(run.branch.as_deref(), Some("work"));
    let repository = world.repository().await;
    assert_eq!(repository.state, "ready");
    let warning = repository.warning.unwrap();
    assert!(
        warning.contains("`main`") && warning.contains("`work`"),
        "{warning}"
    );
    assert_eq!(world.seen().await.counts[0], 1);
}

#[tokio::test]
async fn a_missing_branch_is_a_typed_error_at_the_first_attempt() {
    let world = World::start().await;
    five_files(&world.source);
    let run = world.request_branch(Some("no-such")).await;
    world.run_jobs().await;
    let run = world.run(run.id).await;
    assert_eq!(run.state, "failed");
    assert_eq!(run.error_code.as_deref(), Some("branch_not_found"));
    let repository = world.repository().await;
    assert_eq!(repository.state, "failed");
    assert_eq!(repository.error_code.as_deref(), Some("branch_not_found"));
    let jobs = world.jobs().await;
    assert_eq!((jobs[0].state.as_str(), jobs[0].attempts), ("dead", 1));
    // And the next good run clears it.
    world.index().await;
    let repository = world.repository().await;
    assert_eq!(
        (repository.state.as_str(), repository.error_code),
        ("ready", None)
    );
}

#[tokio::test]
async fn tracked_branches_have_runs_and_snapshots_of_their_own() {
    let database = TestDatabase::sqlite().await;
    let world = World::start_on(database, settings(), &["main", "next"]).await;
    five_files(&world.source);
    let tip = world.source.tip("main").unwrap();
    git(&world.source.path, &["update-ref", "refs/heads/next", &tip]);
    world.source.commit(&[Step {
        branch: "next",
        orphan: false,
        changes: &[(b"n.py", Put::File(b"def n():\n    pass\n"))],
    }]);
    world.index().await;
    let runs = world.runs().await;
    let branches: Vec<_> = runs.iter().map(|run| run.branch.as_deref()).collect();
    assert_eq!(branches, [Some("main"), Some("next")]);
    assert!(runs.iter().all(|run| run.state == "succeeded"));
    // The second branch's equal texts were embedded for the first.
    assert!(runs[1].embedding_cache_hits > 0 && runs[1].chunks_embedded < 3);
    assert_eq!(world.seen().await.counts[0], 5);
    let next = ViewRequest {
        branch: Some("next".to_owned()),
        ..ViewRequest::default()
    };
    assert_eq!(world.seen_at(&next).await.counts[0], 6);
}

#[tokio::test]
async fn a_text_that_the_embedder_refuses_costs_only_its_vector_and_is_told() {
    let world = World::start().await;
    let bad = "def bad():\n    return 'cannot be embedded'\n";
    world
        .source
        .commit_files(&[("bad.py", bad), ("good.py", &function("good"))]);
    assert_eq!(world.index().await.state, "succeeded");
    let [.., chunks, points, documents] = world.seen().await.counts;
    assert_eq!((points, documents), (chunks - 1, chunks));
    let files = file::Entity::find()
        .all(world.database.database.reader())
        .await
        .unwrap();
    let bad = files.iter().find(|file| file.path == "bad.py").unwrap();
    assert!(
        bad.detail
            .as_deref()
            .unwrap()
            .contains("1 chunks without a vector")
    );
}

#[tokio::test]
async fn another_model_rebuilds_from_stored_blobs_without_the_remote() {
    let world = World::start().await;
    five_files(&world.source);
    change(&world.source, &[("l", Put::Link("x"))]);
    world.index().await;
    let before = world.seen().await;
    std::fs::remove_dir_all(&world.source.path).unwrap();
    let model = std::sync::Arc::new(super::indexing_fakes::FakeEmbedder::new("fake-2"));
    let other = world.other_process(|parts| parts.embedder = Some(model.clone()));
    other.load_embedded_vectors().await.unwrap();
    assert_eq!(other.rebuild_outdated().await.unwrap(), 1);
    assert_eq!(
        other.rebuild_outdated().await.unwrap(),
        0,
        "one is on its way"
    );
    while let Some((_, ticket)) = world.queue.take(std::time::Duration::from_secs(5)) {
        other.run_job(ticket, "w", Default::default()).await;
    }
    let run = world.runs().await.pop().unwrap();
    assert_eq!(run.state, "succeeded", "{:?}", run.error_message);
    assert_eq!(run.chunks_embedded, before.counts[3]);
    assert_eq!(other.rebuild_outdated().await.unwrap(), 0);
    let snapshot = run.snapshot_id.unwrap();
    let reader = world.database.database.reader();
    let id = quarry_shared::domain::SnapshotId(snapshot);
    let snapshot = snapshots::find(reader, &world.scope, id).await.unwrap();
    assert_eq!(snapshot.files_seen, 6);
    assert_eq!(snapshot.points, Some(before.counts[3]));
    assert_eq!(snapshot.chunks, before.counts[3]);
}

#[tokio::test]
async fn the_ledger_is_summed_up_filtered_and_paged() {
    let world = World::start().await;
    five_files(&world.source);
    change(
        &world.source,
        &[
            ("100%_sure.py", Put::File(b"x = 1\n")),
            ("link", Put::Link("x")),
            ("src/deep/er/f.rs", Put::File(b"fn f() {}\n")),
        ],
    );
    let run = world.index().await;
    let reader = world.database.database.reader();
    let id = quarry_shared::domain::SnapshotId(run.snapshot_id.unwrap());
    let snapshot = snapshots::find(reader, &world.scope, id).await.unwrap();
    let summary = ledger::summary(reader, &snapshot).await.unwrap();
    assert_eq!(summary.by_language[0], ("python".to_owned(), 6));
    assert_eq!(summary.by_reason.len(), 1);
    let list = async |filter: LedgerFilter, after: Option<&str>, limit| {
        let rows = ledger::list(reader, &snapshot, &filter, after, limit).await;
        let paths = rows.unwrap().into_iter().map(|row| row.path);
        paths.collect::<Vec<_>>()
    };
    let first = list(LedgerFilter::default(), None, 3).await;
    let rest = list(LedgerFilter::default(), Some(&first[2]), 50).await;
    assert_eq!((first.len(), rest.len()), (3, 5));
    let prefix = |prefix: &str| LedgerFilter {
        path_prefix: Some(prefix.to_owned()),
        ..LedgerFilter::default()
    };
    assert_eq!(list(prefix("100%_"), None, 9).await, ["100%_sure.py"]);
    assert_eq!(list(prefix("%"), None, 9).await, [""; 0]);
    let folder = ledger::list_folder(reader, &snapshot, "src").await.unwrap();
    assert_eq!(folder.len(), 6);
    assert_eq!(
        folder[0],
        TreeItem::Directory {
            name: "deep".to_owned()
        }
    );
    assert!(ledger::list_folder(reader, &snapshot, "sr").await.is_err());
    let files = ledger::list_folder(reader, &snapshot, "/src/deep/er/")
        .await
        .unwrap();
    assert_eq!(files.len(), 1);
}

#[tokio::test]
async fn old_snapshots_are_purged_after_the_grace_period_and_not_before() {
    let database = TestDatabase::sqlite().await;
    let mut settings = settings();
    settings.retained_snapshots = 2;
    let world = World::start_on(database, settings.clone(), &[]).await;
    let mut commits = Vec::new();
    for round in 0..4 {
        let text = function(&format!("round_{round}"));
        commits.push(change(
            &world.source,
            &[("r.py", Put::File(text.as_bytes()))],
        ));
        world.index().await;
    }
    let reader = world.database.database.reader();
    let count = async || {
        let files = file::Entity::find().all(reader).await.unwrap().len();
        let embeddings = embedding::Entity::find().all(reader).await.unwrap().len();
        (files, embeddings)
    };
    let purge = async |grace_seconds| {
        let other = world.other_process(|parts| parts.settings.grace_seconds = grace_seconds);
        for job in world.jobs().await {
            if job.kind == "purge" && job.state == "queued" {
                super::indexing_jobs::make_due(&world, job.id).await;
                let ticket = quarry_shared::ports::JobTicket {
                    job_id: quarry_shared::domain::JobId(job.id),
                };
                other.run_job(ticket, "purger", Default::default()).await;
            }
        }
    };
    let before = world.seen().await;
    assert_eq!(count().await.0, 4);
    purge(3_600).await;
    assert_eq!(count().await.0, 4, "within the grace period");
    purge(0).await;
    let (files, embeddings) = count().await;
    assert_eq!(files, 2);
    assert!(embeddings < 4, "{embeddings}");
    assert_eq!(world.seen().await, before);
    let old = |commit: &str| ViewRequest {
        commit: Some(commit.to_owned()),
        ..ViewRequest::default()
    };
    assert_eq!(world.seen_at(&old(&commits[2])).await.counts[0], 1);
    let purged = old(&commits[1]);
    let missing = quarry_shared::store::views::current(reader, &world.scope, &purged);
    assert!(missing.await.is_err());
    assert_eq!(world.indexing.reconcile().await.unwrap(), 0);
}

#[tokio::test]
async fn engines_are_filled_again_from_sql() {
    let world = World::start().await;
    five_files(&world.source);
    world.index().await;
    let before = world.seen().await;
    let branch = before_branch(&world).await;
    use quarry_shared::ports::{Embedder, LexicalIndex, VectorIndex};
    world.lexical.delete_branch(branch).await.unwrap();
    let model = world.embedder.model();
    world.vector.delete_branch(model, branch).await.unwrap();
    assert_eq!(
        world.indexing.rebuild_lexical().await.unwrap() as i64,
        before.counts[3]
    );
    let points = world.indexing.load_embedded_vectors().await.unwrap();
    assert_eq!(points as i64, before.counts[3]);
    assert_eq!(world.seen().await, before);

    world.lexical.delete_branch(branch).await.unwrap();
    assert_eq!(world.indexing.reconcile().await.unwrap(), 1);
    assert_eq!(world.indexing.reconcile().await.unwrap(), 0);
    assert_eq!(world.seen().await, before);
    world.embedder.rate_limited.store(0, Ordering::Relaxed);
}

async fn before_branch(world: &World) -> quarry_shared::domain::BranchId {
    let reader = world.database.database.reader();
    let branches = quarry_shared::store::branches::list(reader, &world.scope, world.repository);
    quarry_shared::domain::BranchId(branches.await.unwrap()[0].id)
}

async fn deletion(world: World) {
    five_files(&world.source);
    world.index().await;
    let run = world.request().await;
    let reader = world.database.database.reader();
    let deleted = world
        .indexing
        .request_deletion(world.organization, world.repository)
        .await;
    deleted.unwrap();
    let find = quarry_shared::store::repositories::find(reader, &world.scope, world.repository);
    assert!(find.await.is_err(), "missing from now on");
    let again = world
        .indexing
        .request_index(
            world.organization,
            world.repository,
            None,
            RunTrigger::Manual,
        )
        .await;
    assert!(again.is_err());
    world.run_jobs().await;
    let _ = run;
    let rows = |table: &str| format!("SELECT COUNT(*) AS n FROM {table}");
    use sea_orm::{ConnectionTrait, Statement};
    for table in [
        "repositories",
        "branches",
        "snapshots",
        "index_runs",
        "batches",
        "files",
        "chunks",
        "symbols",
        "imports",
        "blobs",
        "embeddings",
    ] {
        let statement = Statement::from_string(reader.get_database_backend(), rows(table));
        let row = reader.query_one_raw(statement).await.unwrap().unwrap();
        assert_eq!(row.try_get::<i64>("", "n").unwrap(), 0, "{table}");
    }
    let left: Vec<_> = world.jobs().await;
    assert!(left.iter().all(|job| job.finished_at.is_some()), "{left:?}");
}

#[tokio::test]
async fn a_deleted_repository_leaves_nothing() {
    deletion(World::start().await).await;
}

#[tokio::test]
async fn a_deleted_repository_leaves_nothing_on_postgres() {
    let database = TestDatabase::postgres().await;
    deletion(World::start_on(database, settings(), &[]).await).await;
}
