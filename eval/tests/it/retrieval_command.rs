use quarry_eval::{
    retrieval::{self, Evaluation},
    tables,
};

use crate::tiny_world::TinyWorld;

async fn run(world: &TinyWorld, extra: &[&str]) -> Evaluation {
    retrieval::run(&world.arguments(extra), &mut |_| {})
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_easy_repository_scores_perfectly_in_every_condition() {
    let world = TinyWorld::new();
    let evaluation = run(&world, &[]).await;
    assert!(evaluation.skipped.is_empty(), "{:?}", evaluation.skipped);
    let conditions: Vec<_> = evaluation
        .summaries
        .iter()
        .map(|summary| (summary.condition, summary.means.scores.ndcg))
        .collect();
    assert_eq!(conditions, [("root", 1.0), ("whole", 1.0), ("issues", 1.0)]);
    assert_eq!(evaluation.summaries[2].means.accuracy, [1.0; 4]);

    let [root, whole, issue] = &evaluation.corpora[..] else {
        panic!("{} corpora", evaluation.corpora.len());
    };
    // The root folder has two files, the whole repository has the guide, too.
    assert_eq!([root.index.files_seen, whole.index.files_seen], [2, 3]);
    for corpus in &evaluation.corpora {
        let index = &corpus.index;
        assert_eq!(index.files_indexed + index.files_skipped, index.files_seen);
        assert!(index.chunks > 0);
        assert_eq!(index.documents, index.chunks);
        assert_eq!(index.points, Some(index.chunks));
    }
    // The report is about the same commit and so finds the index there.
    assert!(!whole.index_was_cached && issue.index_was_cached);

    let text = tables::render(&evaluation);
    assert!(
        text.contains("whole    1 corpora   2 questions  nDCG@10 1.0000"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_index_answers_like_a_fresh_one() {
    let world = TinyWorld::new();
    let arguments = ["--condition", "whole"];
    let first = run(&world, &arguments).await;
    let second = run(&world, &arguments).await;
    let third = run(&world, &["--condition", "whole", "--fresh"]).await;
    let cached = [&first, &second, &third].map(|evaluation| evaluation.corpora[0].index_was_cached);
    assert_eq!(cached, [false, true, false]);
    let hits = [&first, &second, &third].map(|evaluation| {
        let questions = &evaluation.corpora[0].questions;
        questions
            .iter()
            .map(|question| question.hits.clone())
            .collect::<Vec<_>>()
    });
    assert_eq!(hits[0], hits[1]);
    assert_eq!(hits[0], hits[2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_embedder_words_and_names_find_it_still() {
    let world = TinyWorld::new();
    let evaluation = run(&world, &["--embedder", "none", "--condition", "root"]).await;
    assert_eq!(evaluation.corpora[0].index.points, None);
    assert_eq!(evaluation.summaries[0].means.scores.ndcg, 1.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_repository_is_told_and_the_others_are_measured() {
    let world = TinyWorld::new();
    world.add_missing_repository();
    let evaluation = run(&world, &["--condition", "root"]).await;
    assert_eq!(evaluation.corpora.len(), 1);
    assert_eq!(evaluation.skipped.len(), 1);
    let reason = &evaluation.skipped[0].reason;
    assert!(reason.contains("somebody+absent/repo"), "{reason}");
    assert!(tables::render(&evaluation).contains("SKIPPED root tiny"));
}

#[tokio::test]
async fn a_name_that_nothing_has_is_an_error() {
    let world = TinyWorld::new();
    let arguments = world.arguments(&["--only", "unknown"]);
    assert!(retrieval::run(&arguments, &mut |_| {}).await.is_err());
}
