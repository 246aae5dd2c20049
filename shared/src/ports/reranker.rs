//! Second opinion on a short list.

use async_trait::async_trait;

use super::PortError;

/// A cross-encoder.
#[async_trait]
pub trait Reranker: Send + Sync {
    /// Name for explanations and status.
    fn name(&self) -> &str;

    /// One relevance score per document, in order, higher is better, on any monotone scale.
    async fn rerank(&self, query: &str, documents: &[String]) -> Result<Vec<f32>, PortError>;
}
