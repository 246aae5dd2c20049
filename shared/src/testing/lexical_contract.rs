//! What every [`LexicalIndex`] must do.

use std::{sync::Arc, time::Duration};

use super::{Tenant, narrowing_cases, read_scope, view_cases};
use crate::{
    analysis::{analyze, analyze_path, analyze_query},
    domain::{ChunkId, IndexFilter, SnapshotId},
    ports::{
        DocumentKey, LexicalDocument, LexicalFields, LexicalIndex, LexicalQuery, LexicalRecall,
        TermFrequency,
    },
};

/// Makes one test of every function of this suite. `$make` is an expression, evaluated in each
/// test, that gives `(index, guard)`: an `impl LexicalIndex` and whatever must outlive it.
#[macro_export]
macro_rules! lexical_contract_tests {
    ($make:expr) => {
        $crate::lexical_contract_tests!(@ $make;
            any_term_recalls_and_more_terms_are_better
            every_field_is_searched
            frequencies_count_surfaces_and_stems
            foreign_documents_never_appear_or_count
            an_empty_scope_finds_nothing
            views_decide_what_shows
            narrowing_selects_exactly
            upserts_replace
            death_and_revival
            deletes_remove_and_unknown_ids_are_ignored
            deleting_a_branch_leaves_its_neighbours
            equal_scores_come_in_id_order
            limits_of_any_size
            odd_queries_are_answered
            odd_documents_are_kept
            counts_are_what_recall_reaches
            concurrent_batches_all_arrive
            writers_and_readers_do_not_disturb_each_other
        );
    };
    (@ $make:expr; $($name:ident)*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let (index, _guard) = $make;
            let index = ::std::sync::Arc::new(index);
            $crate::testing::lexical_contract::$name(index).await;
        }
    )*};
}

/// The index under test.
pub type Index = Arc<dyn LexicalIndex>;

/// A document whose body is the text.
#[must_use]
pub fn document(key: DocumentKey, body: &str) -> LexicalDocument {
    LexicalDocument {
        key,
        fields: LexicalFields {
            body: analyze(body),
            ..LexicalFields::default()
        },
    }
}

/// Writes one document per body and returns their ids.
pub async fn write(index: &Index, tenant: &Tenant, bodies: &[&str]) -> Vec<ChunkId> {
    let documents: Vec<LexicalDocument> = bodies
        .iter()
        .map(|body| document(tenant.key(), body))
        .collect();
    let ids = documents.iter().map(|document| document.key.id).collect();
    index.upsert(documents).await.unwrap();
    ids
}

/// Recalls by the words of a question.
pub async fn recall(
    index: &Index,
    question: &str,
    limit: usize,
    filter: &IndexFilter,
) -> LexicalRecall {
    let query = LexicalQuery {
        terms: analyze_query(question),
        limit,
    };
    index.recall(&query, filter).await.unwrap()
}

async fn found(index: &Index, question: &str, filter: &IndexFilter) -> Vec<ChunkId> {
    recall(index, question, 1_000, filter)
        .await
        .hits
        .into_iter()
        .map(|hit| hit.id)
        .collect()
}

pub async fn any_term_recalls_and_more_terms_are_better(index: Index) {
    let tenant = Tenant::new();
    let ids = write(
        &index,
        &tenant,
        &[
            "the cache",
            "evict entries from the cache when full",
            "something else",
        ],
    )
    .await;
    let filter = tenant.filter();
    assert_eq!(
        found(&index, "evict cache", &filter).await,
        [ids[1], ids[0]]
    );
    let hits = recall(&index, "evict cache", 10, &filter).await.hits;
    assert!(hits[0].score > hits[1].score && hits[1].score > 0.0);
    assert_eq!(found(&index, "else", &filter).await, [ids[2]]);
    // Another form of the word is found by its stem.
    assert_eq!(found(&index, "evicting", &filter).await, [ids[1]]);
    assert!(found(&index, "absent", &filter).await.is_empty());
}

pub async fn every_field_is_searched(index: Index) {
    let tenant = Tenant::new();
    let key = tenant.key();
    let id = key.id;
    index
        .upsert(vec![LexicalDocument {
            key,
            fields: LexicalFields {
                path: analyze_path("src/storage/pageCache.rs"),
                symbols: analyze("evictOldest"),
                signatures: analyze("fn evictOldest(limit: Budget)"),
                comments: analyze("Überweisung 订单退款处理"),
                body: analyze("HTTPServer2::new()"),
            },
        }])
        .await
        .unwrap();
    for question in [
        "storage",
        "page cache",
        "pageCache",
        "evict",
        "evictoldest",
        "budget",
        "uberweisung",
        "U\u{308}BERWEISUNG",
        "退款",
        "httpserver2",
        "server",
    ] {
        assert_eq!(
            found(&index, question, &tenant.filter()).await,
            [id],
            "{question}"
        );
    }
}

pub async fn frequencies_count_surfaces_and_stems(index: Index) {
    let tenant = Tenant::new();
    write(
        &index,
        &tenant,
        &[
            "connect connect",
            "connected",
            "connecting connects",
            "connect connected",
            "plain",
        ],
    )
    .await;
    let recall = recall(
        &index,
        "connect connected plain absent",
        1,
        &tenant.filter(),
    )
    .await;
    let expected =
        [(2, 4), (2, 4), (1, 1), (0, 0)].map(|(surface, stem)| TermFrequency { surface, stem });
    assert_eq!(recall.frequencies, expected);
    assert_eq!(recall.hits.len(), 1);
}

pub async fn foreign_documents_never_appear_or_count(index: Index) {
    let tenant = Tenant::new();
    let own = write(&index, &tenant, &["needle in plenty of hay", "hay"]).await;
    let alone = recall(&index, "needle hay", 50, &tenant.filter()).await;
    for foreign in [
        Tenant::new(),
        tenant.other_project(),
        tenant.other_branch(),
        Tenant {
            organization_id: Tenant::new().organization_id,
            ..tenant
        },
        Tenant {
            project_id: Tenant::new().project_id,
            ..tenant
        },
    ] {
        write(&index, &foreign, &["needle needle hay"; 100]).await;
    }
    for limit in [1, 2, 50] {
        let beside = recall(&index, "needle hay", limit, &tenant.filter()).await;
        let ids: Vec<ChunkId> = beside.hits.iter().map(|hit| hit.id).collect();
        assert_eq!(ids, own[..limit.min(2)]);
        assert_eq!(beside.frequencies, alone.frequencies);
    }
    assert_eq!(index.count(&tenant.filter()).await.unwrap(), 2);
}

pub async fn an_empty_scope_finds_nothing(index: Index) {
    let tenant = Tenant::new();
    write(&index, &tenant, &["word"]).await;
    let no_branches = IndexFilter::new(&tenant.scope(), Vec::new(), tenant.filter().view);
    let no_projects = IndexFilter::new(
        &read_scope(tenant.organization_id, &[]),
        vec![tenant.branch_id],
        tenant.filter().view,
    );
    for filter in [no_branches, no_projects] {
        let recall = recall(&index, "word", 10, &filter).await;
        assert!(recall.hits.is_empty());
        assert_eq!(recall.frequencies, [TermFrequency::default()]);
        assert_eq!(index.count(&filter).await.unwrap(), 0);
    }
}

pub async fn views_decide_what_shows(index: Index) {
    let mut cases = Vec::new();
    let mut documents = Vec::new();
    for (born, died, view, visible) in view_cases() {
        let tenant = Tenant::new();
        let key = DocumentKey {
            born: SnapshotId(born),
            died: SnapshotId(died),
            ..tenant.key()
        };
        documents.push(document(key, "word"));
        let filter = IndexFilter::new(&tenant.scope(), vec![tenant.branch_id], view);
        cases.push((filter, visible));
    }
    index.upsert(documents).await.unwrap();
    for (filter, visible) in cases {
        let recall = recall(&index, "word", 10, &filter).await;
        assert_eq!(recall.hits.len(), usize::from(visible), "{filter:?}");
        assert_eq!(recall.frequencies[0].surface, u64::from(visible));
        assert_eq!(index.count(&filter).await.unwrap(), u64::from(visible));
    }
}

pub async fn narrowing_selects_exactly(index: Index) {
    let tenant = Tenant::new();
    let (keys, cases) = narrowing_cases(&tenant);
    let documents = keys
        .iter()
        .map(|key| document(key.clone(), "word"))
        .collect();
    index.upsert(documents).await.unwrap();
    for (filter, rows) in cases {
        let mut expected: Vec<ChunkId> = rows.iter().map(|row| keys[*row].id).collect();
        expected.sort_unstable();
        assert_eq!(found(&index, "word", &filter).await, expected, "{filter:?}");
        assert_eq!(index.count(&filter).await.unwrap(), rows.len() as u64);
    }
}

pub async fn upserts_replace(index: Index) {
    let tenant = Tenant::new();
    let key = tenant.key();
    for body in ["old words", "old words", "fresh words"] {
        index
            .upsert(vec![document(key.clone(), body)])
            .await
            .unwrap();
    }
    assert!(found(&index, "old", &tenant.filter()).await.is_empty());
    assert_eq!(found(&index, "fresh", &tenant.filter()).await, [key.id]);
    assert_eq!(index.count(&tenant.filter()).await.unwrap(), 1);
    // Twice in one call: the last one counts.
    index
        .upsert(vec![
            document(key.clone(), "first"),
            document(key.clone(), "second"),
        ])
        .await
        .unwrap();
    assert!(found(&index, "first", &tenant.filter()).await.is_empty());
    assert_eq!(found(&index, "second", &tenant.filter()).await, [key.id]);
    assert_eq!(index.count(&tenant.filter()).await.unwrap(), 1);
    index.upsert(Vec::new()).await.unwrap();
}

pub async fn death_and_revival(index: Index) {
    let tenant = Tenant::new();
    let mut ids = write(&index, &tenant, &["caches word", "caches word"]).await;
    let before = recall(&index, "cached word", 10, &tenant.filter()).await;
    let unknown = tenant.key().id;
    index
        .set_died(&[ids[0], unknown], SnapshotId(5))
        .await
        .unwrap();
    let during = recall(&index, "cached word", 10, &tenant.filter()).await;
    assert_eq!(during.hits.len(), 1);
    assert_eq!(during.hits[0].id, ids[1]);
    assert_eq!(during.frequencies[0].stem, 1);
    assert_eq!(index.count(&tenant.filter()).await.unwrap(), 1);
    let mut earlier = tenant.filter();
    earlier.view.horizon = SnapshotId(4);
    ids.sort_unstable();
    assert_eq!(found(&index, "word", &earlier).await, ids);
    for _ in 0..2 {
        index.set_died(&ids, SnapshotId::NEVER).await.unwrap();
    }
    let after = recall(&index, "cached word", 10, &tenant.filter()).await;
    let order = |recall: &LexicalRecall| recall.hits.iter().map(|hit| hit.id).collect::<Vec<_>>();
    assert_eq!(order(&after), order(&before));
    assert_eq!(after.frequencies, before.frequencies);
    assert_eq!(index.count(&tenant.filter()).await.unwrap(), 2);
}

pub async fn deletes_remove_and_unknown_ids_are_ignored(index: Index) {
    let tenant = Tenant::new();
    let ids = write(&index, &tenant, &["word one", "word two"]).await;
    for _ in 0..2 {
        index.delete(&[ids[0], tenant.key().id]).await.unwrap();
    }
    let recall = recall(&index, "word one", 10, &tenant.filter()).await;
    assert_eq!(recall.hits.len(), 1);
    assert_eq!(recall.hits[0].id, ids[1]);
    assert_eq!(recall.frequencies[0].surface, 1);
    assert_eq!(recall.frequencies[1].surface, 0);
    assert_eq!(index.count(&tenant.filter()).await.unwrap(), 1);
    // A deleted document stays gone whatever is said about it.
    index.set_died(&[ids[0]], SnapshotId::NEVER).await.unwrap();
    assert_eq!(index.count(&tenant.filter()).await.unwrap(), 1);
    index.delete(&[]).await.unwrap();
}

pub async fn deleting_a_branch_leaves_its_neighbours(index: Index) {
    let tenant = Tenant::new();
    let neighbour = tenant.other_branch();
    write(&index, &tenant, &["word"; 20]).await;
    write(&index, &neighbour, &["word"; 20]).await;
    write(&index, &tenant, &["word"; 5]).await;
    for _ in 0..2 {
        index.delete_branch(tenant.branch_id).await.unwrap();
    }
    assert_eq!(index.count(&tenant.filter()).await.unwrap(), 0);
    assert!(found(&index, "word", &tenant.filter()).await.is_empty());
    assert_eq!(found(&index, "word", &neighbour.filter()).await.len(), 20);
}

pub async fn equal_scores_come_in_id_order(index: Index) {
    let tenant = Tenant::new();
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.extend(write(&index, &tenant, &["same words"; 40]).await);
    }
    ids.sort_unstable();
    for limit in [1, 7, 119, 120] {
        let hits = recall(&index, "words", limit, &tenant.filter()).await.hits;
        let order: Vec<ChunkId> = hits.iter().map(|hit| hit.id).collect();
        assert_eq!(order, ids[..limit]);
    }
}

pub async fn limits_of_any_size(index: Index) {
    let tenant = Tenant::new();
    write(&index, &tenant, &["word"; 3]).await;
    for (limit, expected) in [(0, 0), (3, 3), (1_000_000, 3), (usize::MAX, 3)] {
        let recall = recall(&index, "word", limit, &tenant.filter()).await;
        assert_eq!(recall.hits.len(), expected);
        assert_eq!(recall.frequencies[0].surface, 3);
    }
}

pub async fn odd_queries_are_answered(index: Index) {
    let tenant = Tenant::new();
    let id = write(&index, &tenant, &["word \"quoted\" OR body:x AND *"]).await;
    let nothing = recall(&index, "", 10, &tenant.filter()).await;
    assert!(nothing.hits.is_empty() && nothing.frequencies.is_empty());
    for question in [
        "\"quoted",
        "word AND NOT (",
        "body:x*",
        "word\0word",
        "word~2^1e9",
    ] {
        assert_eq!(
            found(&index, question, &tenant.filter()).await,
            id,
            "{question}"
        );
    }
    let long: String = (0..3_000).map(|n| format!("absent{n} ")).collect();
    let many = recall(&index, &(long + "word"), 10, &tenant.filter()).await;
    assert_eq!(many.hits.len(), 1);
    // Weights that make no sense neither panic nor hide the other terms.
    let mut terms = analyze_query("word quoted");
    terms[0].weight = f32::NAN;
    let query = LexicalQuery { terms, limit: 10 };
    let recall = index.recall(&query, &tenant.filter()).await.unwrap();
    assert_eq!(recall.hits.len(), 1);
    assert_eq!(recall.frequencies[0].surface, 1);
}

pub async fn odd_documents_are_kept(index: Index) {
    let tenant = Tenant::new();
    let empty = document(tenant.key(), "");
    let large = document(tenant.key(), &"lorem ipsum ".repeat(20_000));
    let id = large.key.id;
    index.upsert(vec![empty, large]).await.unwrap();
    assert_eq!(index.count(&tenant.filter()).await.unwrap(), 2);
    assert_eq!(found(&index, "ipsum", &tenant.filter()).await, [id]);
}

pub async fn counts_are_what_recall_reaches(index: Index) {
    let tenant = Tenant::new();
    let ids = write(&index, &tenant, &["word"; 90]).await;
    index.set_died(&ids[10..40], SnapshotId(7)).await.unwrap();
    index.delete(&ids[30..60]).await.unwrap();
    let mut expected: Vec<ChunkId> = ids[..10].iter().chain(&ids[60..]).copied().collect();
    expected.sort_unstable();
    assert_eq!(found(&index, "word", &tenant.filter()).await, expected);
    assert_eq!(
        index.count(&tenant.filter()).await.unwrap(),
        expected.len() as u64
    );
}

pub async fn concurrent_batches_all_arrive(index: Index) {
    let tenant = Tenant::new();
    let batches = (0..12).map(|_| {
        let (index, tenant) = (Arc::clone(&index), tenant);
        tokio::spawn(async move {
            let ids = write(&index, &tenant, &["word"; 10]).await;
            // Searchable on return, whoever committed.
            let reached = found(&index, "word", &tenant.filter()).await;
            assert!(ids.iter().all(|id| reached.contains(id)));
        })
    });
    for batch in batches.collect::<Vec<_>>() {
        batch.await.unwrap();
    }
    assert_eq!(index.count(&tenant.filter()).await.unwrap(), 120);
}

pub async fn writers_and_readers_do_not_disturb_each_other(index: Index) {
    let tenant = Tenant::new();
    let resident = write(&index, &tenant, &["word"]).await;
    let writer = {
        let (index, visitor) = (Arc::clone(&index), tenant.other_branch());
        tokio::spawn(async move {
            for _ in 0..5 {
                let ids = write(&index, &visitor, &["word"; 10]).await;
                index.set_died(&ids[..5], SnapshotId(5)).await.unwrap();
                assert_eq!(index.count(&visitor.filter()).await.unwrap(), 5);
                index.delete(&ids).await.unwrap();
            }
        })
    };
    let reading = async {
        while !writer.is_finished() {
            let recall = recall(&index, "word", 10, &tenant.filter()).await;
            assert_eq!(recall.hits.len(), 1);
            assert_eq!(recall.hits[0].id, resident[0]);
            assert_eq!(recall.frequencies[0].surface, 1);
        }
    };
    tokio::time::timeout(Duration::from_secs(60), reading)
        .await
        .unwrap();
    writer.await.unwrap();
    index.health().await.unwrap();
}
