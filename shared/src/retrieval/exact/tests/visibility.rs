//! Who sees what, and when.

use super::{World, found, literal, search};
use crate::{
    domain::{ProjectId, SnapshotId, SnapshotState},
    retrieval::{
        ExactQuery,
        exact::search_exact,
        test_world::{ALIVE, scope},
    },
    store::views::ViewRequest,
};

#[tokio::test]
async fn other_organizations_and_projects_never_appear() {
    let world = World::start().await;
    let own = world.single().await;
    let other_project = world.project(own.organization).await;
    let other = world
        .repository(own.organization, other_project, "two", 2)
        .await;
    let foreign_organization = world.organization().await;
    let foreign_project = world.project(foreign_organization).await;
    let foreign = world
        .repository(foreign_organization, foreign_project, "three", 3)
        .await;
    for place in [own, other, foreign] {
        world.file(place, "a.rs", "needle of the same words").await;
    }
    for pattern in ["needle", "ne", "n"] {
        let query = literal(pattern);
        let outcome = search(&world, own, &query).await.unwrap();
        let names: Vec<_> = outcome.files.iter().map(|f| &f.repository_name).collect();
        assert_eq!(names, ["one"], "{pattern}");
        assert_eq!(outcome.files_considered, 1, "{pattern}");
        assert_eq!(outcome.searched.len(), 1, "{pattern}");

        let both = scope(own.organization, &[other_project, own.project]);
        let outcome = search_exact(&world.database, &both, &query).await.unwrap();
        let names: Vec<_> = outcome.files.iter().map(|f| &f.repository_name).collect();
        assert_eq!(names, ["one", "two"], "{pattern}");

        // Ids of another organization are as good as none, wherever they are named.
        let asked = ViewRequest {
            project_ids: vec![foreign_project],
            ..ViewRequest::default()
        };
        let query = ExactQuery {
            view: asked,
            ..query
        };
        let outcome = search(&world, own, &query).await.unwrap();
        assert!(outcome.files.is_empty() && outcome.searched.is_empty());
        let borrowed = scope(own.organization, &[foreign_project, ProjectId::generate()]);
        let outcome = search_exact(&world.database, &borrowed, &literal(pattern))
            .await
            .unwrap();
        assert!(outcome.files.is_empty() && outcome.searched.is_empty());
    }
}

#[tokio::test]
async fn a_view_shows_exactly_its_snapshot() {
    let world = World::start().await;
    let organization = world.organization().await;
    let project = world.project(organization).await;
    let place = world.repository(organization, project, "one", 3).await;
    for (id, state) in [
        (1, SnapshotState::Published),
        (2, SnapshotState::Failed),
        (4, SnapshotState::Building),
    ] {
        world.snapshot(place, id, state).await;
    }
    for (path, born, died) in [
        ("always", 1, ALIVE),
        ("replaced", 1, 3),
        ("failed", 2, ALIVE),
        ("kept", 1, 2),
        ("new", 3, ALIVE),
        ("next", 4, ALIVE),
        ("leaves", 1, 4),
    ] {
        let text = format!("needle {path}");
        world.file_between(place, path, &text, (born, died)).await;
    }
    for (snapshot, wanted) in [
        (None, vec!["always", "kept", "leaves", "new"]),
        (Some(1), vec!["always", "kept", "leaves", "replaced"]),
    ] {
        // A long pattern asks the index, a short one reads every file.
        for pattern in ["needle", "n"] {
            let query = ExactQuery {
                view: ViewRequest {
                    snapshot: snapshot.map(SnapshotId),
                    ..ViewRequest::default()
                },
                whole_word: pattern.len() > 1,
                ..literal(pattern)
            };
            let outcome = search(&world, place, &query).await.unwrap();
            let paths: Vec<_> = outcome.files.iter().map(|f| f.path.as_str()).collect();
            assert_eq!(paths, wanted, "{snapshot:?} {pattern}");
            let at = snapshot.unwrap_or(3);
            assert!(outcome.files.iter().all(|f| f.snapshot_id.0 == at));
        }
    }
    for hidden in [2, 4, 99] {
        let query = ExactQuery {
            view: ViewRequest {
                snapshot: Some(SnapshotId(hidden)),
                ..ViewRequest::default()
            },
            ..literal("needle")
        };
        let error = search(&world, place, &query).await.unwrap_err();
        assert_eq!(error.to_string(), "no such snapshot");
    }
}

#[tokio::test]
async fn only_indexed_files_are_read_and_a_lost_text_is_passed_over() {
    let world = World::start().await;
    let place = world.single().await;
    for path in ["a", "b", "c"] {
        world.file(place, path, "needle").await;
    }
    let sql = "UPDATE files SET status = 'skipped' WHERE path = 'a'";
    world.run(sql, []).await;
    let sql = "DELETE FROM blobs WHERE id = (SELECT blob_id FROM files WHERE path = 'b')";
    world.run(sql, []).await;
    for pattern in ["needle", "n"] {
        let outcome = search(&world, place, &literal(pattern)).await.unwrap();
        assert_eq!(found(&outcome).len(), 1, "{outcome:?}");
        assert_eq!(outcome.files[0].path, "c");
    }
}
