//! How much a model was used, for status pages and metrics.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;

use crate::ports::{
    Embedder, EmbeddingInput, EmbeddingModel, EmbeddingOutcome, PortError, Reranker,
};

/// Totals since the process started. Reads are not a consistent snapshot of all of them.
#[derive(Debug, Default)]
pub struct ModelUsage {
    calls: AtomicU64,
    failed_calls: AtomicU64,
    texts: AtomicU64,
    failed_texts: AtomicU64,
}

impl ModelUsage {
    /// Calls, whatever came of them.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Calls that brought nothing.
    #[must_use]
    pub fn failed_calls(&self) -> u64 {
        self.failed_calls.load(Ordering::Relaxed)
    }

    /// Documents, queries or pairs in successful calls.
    #[must_use]
    pub fn texts(&self) -> u64 {
        self.texts.load(Ordering::Relaxed)
    }

    /// Documents in successful calls that could not be embedded.
    #[must_use]
    pub fn failed_texts(&self) -> u64 {
        self.failed_texts.load(Ordering::Relaxed)
    }

    fn record<T>(&self, result: &Result<T, PortError>, texts: usize, failed_texts: usize) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        if result.is_err() {
            self.failed_calls.fetch_add(1, Ordering::Relaxed);
            return;
        }
        self.texts.fetch_add(texts as u64, Ordering::Relaxed);
        self.failed_texts
            .fetch_add(failed_texts as u64, Ordering::Relaxed);
    }
}

/// Counts the calls of a port. Clones share the totals.
#[derive(Debug, Clone)]
pub struct Counting<P> {
    inner: P,
    usage: Arc<ModelUsage>,
}

impl<P> Counting<P> {
    /// Wraps an adapter.
    pub fn new(inner: P) -> Self {
        Self {
            inner,
            usage: Arc::default(),
        }
    }

    /// The totals, which outlive this wrapper.
    #[must_use]
    pub fn usage(&self) -> Arc<ModelUsage> {
        Arc::clone(&self.usage)
    }
}

#[async_trait]
impl<P: Embedder> Embedder for Counting<P> {
    fn model(&self) -> &EmbeddingModel {
        self.inner.model()
    }

    async fn embed_documents(
        &self,
        inputs: &[EmbeddingInput],
    ) -> Result<Vec<EmbeddingOutcome>, PortError> {
        let result = self.inner.embed_documents(inputs).await;
        let failed = result
            .iter()
            .flatten()
            .filter(|outcome| outcome.is_err())
            .count();
        self.usage.record(&result, inputs.len(), failed);
        result
    }

    async fn embed_query(&self, text: &str) -> Result<Vec<f32>, PortError> {
        let result = self.inner.embed_query(text).await;
        self.usage.record(&result, 1, 0);
        result
    }
}

#[async_trait]
impl<P: Reranker> Reranker for Counting<P> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn rerank(&self, query: &str, documents: &[String]) -> Result<Vec<f32>, PortError> {
        let result = self.inner.rerank(query, documents).await;
        self.usage.record(&result, documents.len(), 0);
        result
    }
}
