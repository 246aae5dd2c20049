//! Where a search ends, and what it says about it.

use std::time::{Duration, Instant};

use super::{Limits, World, expression, found, literal, search, search_within};
use crate::retrieval::{ExactOutcome, ExactQuery, StopReason, test_world::Place};

async fn limited(world: &World, place: Place, query: &ExactQuery, limits: &Limits) -> ExactOutcome {
    search_within(&world.database, &place.scope(), query, limits)
        .await
        .unwrap()
}

#[tokio::test]
async fn the_reason_for_an_early_end_is_the_true_one() {
    let world = World::start().await;
    let place = world.single().await;
    for number in 0..10 {
        world
            .file(place, &format!("{number}.rs"), "needle\nneedle needle")
            .await;
    }
    let limit = |limit| ExactQuery {
        limit,
        ..literal("needle")
    };
    let small = Limits {
        page: 3,
        group_files: 2,
        ..Limits::default()
    };
    for (wanted, matches, reason) in [
        (0, 30, None),
        (1, 1, Some(StopReason::ResultLimit)),
        (7, 7, Some(StopReason::ResultLimit)),
        (29, 29, Some(StopReason::ResultLimit)),
        (30, 30, None),
        (usize::MAX, 30, None),
    ] {
        for limits in [&small, &Limits::default()] {
            let outcome = limited(&world, place, &limit(wanted), limits).await;
            assert_eq!(outcome.matches, matches, "{wanted}");
            assert_eq!(found(&outcome).len(), matches, "{wanted}");
            assert_eq!(outcome.stop_reason, reason, "{wanted}");
        }
    }
    for (files, considered, reason) in [
        (4, 4, Some(StopReason::FileLimit)),
        (5, 5, Some(StopReason::FileLimit)),
        (10, 10, None),
    ] {
        let limits = Limits {
            files,
            ..small.clone()
        };
        let outcome = limited(&world, place, &literal("n"), &limits).await;
        assert_eq!(outcome.files_considered, considered);
        assert_eq!(outcome.files.len(), considered);
        assert_eq!(outcome.stop_reason, reason, "{files}");
    }
    let no_time = Limits {
        time: Duration::ZERO,
        ..Limits::default()
    };
    let outcome = limited(&world, place, &literal("needle"), &no_time).await;
    assert_eq!(outcome.stop_reason, Some(StopReason::TimeLimit));
}

#[tokio::test]
async fn the_index_spares_reading_and_groups_stay_small() {
    let world = World::start().await;
    let place = world.single().await;
    for number in 0..20 {
        let text = format!("common text of file {number:02}");
        world.file(place, &format!("{number:02}.rs"), &text).await;
    }
    for (query, considered) in [
        (literal("file 07"), 1),
        (expression("file 0[12].*|file 19"), 11),
        (expression("(?i)FILE 0(3|4)$"), 10),
        (expression("file 1(1|2)|text of file 0\\d"), 20),
        (literal("absent words"), 0),
        (literal("07"), 20),
    ] {
        let outcome = search(&world, place, &query).await.unwrap();
        assert_eq!(outcome.files_considered, considered, "{}", query.pattern);
    }
    let one_by_one = Limits {
        group_bytes: 1,
        ..Limits::default()
    };
    let outcome = limited(&world, place, &literal("common"), &one_by_one).await;
    assert_eq!(outcome.files.len(), 20);
}

#[tokio::test]
async fn hostile_expressions_end_in_time() {
    let world = World::start().await;
    let place = world.single().await;
    world
        .file(place, "a.txt", &format!("{}b", "a".repeat(100_000)))
        .await;
    world.file(place, "b.txt", &"ab\n".repeat(30_000)).await;
    let hostile = [
        r"(a+)+$",
        r"(a|a)*c",
        r"(a*)*(b*)*(a*)*c",
        r"(?s)(.*)*x",
        r"(.*a){20}c",
        r"[ab]*a[ab]{200}c",
        r"(?:a?){500}a{500}c",
        r"\b(?:\w+\s*)+;",
        r".*[^A-Z]|[A-Z]",
    ];
    for pattern in hostile {
        let started = Instant::now();
        let limits = Limits {
            time: Duration::from_millis(200),
            ..Limits::default()
        };
        let outcome = limited(&world, place, &expression(pattern), &limits).await;
        assert!(outcome.matches <= 200);
        let taken = started.elapsed();
        assert!(taken < Duration::from_secs(5), "{pattern} took {taken:?}");
    }
}
