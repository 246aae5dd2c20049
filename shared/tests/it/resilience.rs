//! Decorators keep the contract of what they wrap and do what they promise.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use quarry_shared::adapters::resilience::{Counting, Deadline, RetryPolicy, Retrying};
use quarry_shared::adapters::static_embedder::StaticEmbedder;
use quarry_shared::ports::{Embedder, PortError, Reranker};

use super::embedder_contract::{assert_embedder_contract, documents, input};

const POLICY: RetryPolicy = RetryPolicy {
    attempts: 3,
    first_wait: Duration::from_millis(1),
    max_wait: Duration::from_millis(2),
};

#[tokio::test]
async fn decorated_embedders_keep_the_contract() {
    let limit = Duration::from_secs(60);
    let bundled = StaticEmbedder::bundled().unwrap();
    let embedder = Counting::new(Retrying::new(
        Deadline::new(bundled, "static", limit),
        POLICY,
    ));
    assert_embedder_contract(&embedder, Some(&input("", "!!!"))).await;
    let before = embedder.usage().texts();
    let mut batch = documents();
    batch.push(input("", " "));
    embedder.embed_documents(&batch).await.unwrap();
    assert_eq!(embedder.usage().texts(), before + 6);
    assert!(embedder.usage().failed_texts() >= 1);
    assert_eq!(embedder.usage().failed_calls(), 0);
}

/// Fails a number of times, then answers; or never answers.
struct Flaky {
    failures: AtomicU32,
    hangs: bool,
}

#[async_trait]
impl Reranker for Flaky {
    fn name(&self) -> &str {
        "flaky"
    }

    async fn rerank(&self, _: &str, documents: &[String]) -> Result<Vec<f32>, PortError> {
        if self.hangs {
            std::future::pending::<()>().await;
        }
        let left = self
            .failures
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
        match left {
            Ok(_) => Err(PortError::RateLimited {
                system: "flaky",
                retry_after: None,
            }),
            Err(_) => Ok(vec![1.0; documents.len()]),
        }
    }
}

#[tokio::test]
async fn transient_failures_are_tried_again_as_often_as_allowed() {
    for (failures, succeeds) in [(0, true), (2, true), (3, false)] {
        let flaky = Flaky {
            failures: AtomicU32::new(failures),
            hangs: false,
        };
        let reranker = Counting::new(Retrying::new(flaky, POLICY));
        let result = reranker.rerank("query", &["a".to_owned()]).await;
        assert_eq!(result.is_ok(), succeeds, "{failures}");
        assert_eq!(reranker.usage().failed_calls(), u64::from(!succeeds));
    }
}

#[tokio::test]
async fn a_call_without_an_answer_ends_at_the_deadline() {
    let flaky = Flaky {
        failures: AtomicU32::new(0),
        hangs: true,
    };
    let reranker = Deadline::new(flaky, "the reranker", Duration::from_millis(5));
    let error = reranker
        .rerank("query", &["a".to_owned()])
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            PortError::Timeout {
                system: "the reranker",
                ..
            }
        ),
        "{error:?}"
    );
}
