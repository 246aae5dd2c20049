//! Chunks that hold every phrase.

use super::World;
use crate::{
    domain::{BranchId, ChunkKind, IndexFilter, SnapshotId, TestFilter, View},
    retrieval::{
        RetrievalError,
        exact::{ExactPattern, chunks_matching},
        test_world::Place,
    },
};

fn filter(place: Place) -> IndexFilter {
    let view = View {
        horizon: SnapshotId(1),
        unpublished: Vec::new(),
    };
    IndexFilter::new(&place.scope(), vec![BranchId(place.branch)], view)
}

fn phrase(text: &str) -> ExactPattern {
    ExactPattern {
        text: text.to_owned(),
        regex: false,
    }
}

fn expression(text: &str) -> ExactPattern {
    ExactPattern {
        regex: true,
        ..phrase(text)
    }
}

#[tokio::test]
async fn every_pattern_must_begin_on_the_lines_of_the_chunk() {
    let world = World::start().await;
    let place = world.single().await;
    let text = "fn open the door\nlock\n\nfn close The Door\nunlock\n";
    let file = world.file(place, "src/door.rs", text).await;
    let open = world.chunk(&file, ChunkKind::Function, (1, 2)).await;
    let close = world.chunk(&file, ChunkKind::Function, (4, 5)).await;
    let other = world.file(place, "tests/door.rs", text).await;
    let test = world.chunk(&other, ChunkKind::Window, (1, 5)).await;
    let gone = world.file_between(place, "old.rs", text, (1, 1)).await;
    world.chunk(&gone, ChunkKind::Function, (1, 2)).await;

    let all = filter(place);
    let mut source = all.clone();
    source.tests = TestFilter::Exclude;
    let mut windows = all.clone();
    windows.kinds = vec![ChunkKind::Window];
    let mut nowhere = all.clone();
    nowhere.branches = Vec::new();
    for (filter, patterns, wanted) in [
        (&all, vec![phrase("the door")], vec![open, close, test]),
        (&source, vec![phrase("the door")], vec![open, close]),
        (&windows, vec![phrase("the door")], vec![test]),
        (
            &source,
            vec![phrase("the door"), phrase("unlock")],
            vec![close],
        ),
        (&source, vec![phrase("open"), phrase("close")], vec![]),
        (&source, vec![expression("^lock$")], vec![open]),
        (
            &source,
            vec![expression(r"door\s+lock"), phrase("fn")],
            vec![open],
        ),
        (&source, vec![phrase("k")], vec![open, close]),
        (&source, vec![], vec![]),
        (&nowhere, vec![phrase("the door")], vec![]),
    ] {
        let found = chunks_matching(&world.database, filter, &patterns, 10)
            .await
            .unwrap();
        assert_eq!(found, wanted, "{patterns:?}");
    }
    let few = chunks_matching(&world.database, &all, &[phrase("door")], 2)
        .await
        .unwrap();
    assert_eq!(few, [open, close]);
    let bad = chunks_matching(&world.database, &all, &[phrase("a"), expression("(")], 2).await;
    assert!(matches!(bad, Err(RetrievalError::InvalidPattern(_))));
}
