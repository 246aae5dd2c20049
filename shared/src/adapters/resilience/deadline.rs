//! A time limit on every call of a port.

use std::time::Duration;

use async_trait::async_trait;

use crate::ports::{
    Embedder, EmbeddingInput, EmbeddingModel, EmbeddingOutcome, PortError, Reranker,
};

/// Ends calls that take too long with [`PortError::Timeout`]; the inner call is dropped.
#[derive(Debug, Clone)]
pub struct Deadline<P> {
    inner: P,
    system: &'static str,
    limit: Duration,
}

impl<P> Deadline<P> {
    /// Wraps an adapter; `system` names it in the error.
    pub const fn new(inner: P, system: &'static str, limit: Duration) -> Self {
        Self {
            inner,
            system,
            limit,
        }
    }

    async fn within<T>(
        &self,
        call: impl Future<Output = Result<T, PortError>>,
    ) -> Result<T, PortError> {
        match tokio::time::timeout(self.limit, call).await {
            Ok(result) => result,
            Err(_) => Err(PortError::Timeout {
                system: self.system,
                after: self.limit,
            }),
        }
    }
}

#[async_trait]
impl<P: Embedder> Embedder for Deadline<P> {
    fn model(&self) -> &EmbeddingModel {
        self.inner.model()
    }

    async fn embed_documents(
        &self,
        inputs: &[EmbeddingInput],
    ) -> Result<Vec<EmbeddingOutcome>, PortError> {
        self.within(self.inner.embed_documents(inputs)).await
    }

    async fn embed_query(&self, text: &str) -> Result<Vec<f32>, PortError> {
        self.within(self.inner.embed_query(text)).await
    }
}

#[async_trait]
impl<P: Reranker> Reranker for Deadline<P> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn rerank(&self, query: &str, documents: &[String]) -> Result<Vec<f32>, PortError> {
        self.within(self.inner.rerank(query, documents)).await
    }
}
