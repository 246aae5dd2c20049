//! Turning text into vectors.

use async_trait::async_trait;

use super::PortError;

/// Identity of an embedding space. Vectors of different models are never compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EmbeddingModel {
    /// Stable key of at most 100 characters `[a-z0-9_-]`, including everything that changes the
    /// vectors (model, version, dimension, header handling).
    pub key: String,
    /// Components of every vector.
    pub dimension: usize,
}

/// One text to embed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddingInput {
    /// Path and enclosing symbols: `src/cache.rs > Cache.insert`.
    pub header: String,
    /// The chunk's own text. Longer texts are cut at the model's limit.
    pub body: String,
}

impl EmbeddingInput {
    /// Header and body as one text, for models that know no fields.
    #[must_use]
    pub fn joined(&self) -> String {
        match (self.header.is_empty(), self.body.is_empty()) {
            (true, _) => self.body.clone(),
            (false, true) => self.header.clone(),
            (false, false) => format!("{}\n{}", self.header, self.body),
        }
    }
}

/// The fate of one input: a unit-length vector, or why this input alone cannot be embedded.
pub type EmbeddingOutcome = Result<Vec<f32>, String>;

/// An embedding model.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// The space the vectors live in.
    fn model(&self) -> &EmbeddingModel;

    /// Embeds documents. The answer has one outcome per input, in order; one bad input never costs
    /// its neighbours. Blank bodies with blank headers are an outcome error, not a request. An
    /// `Err` means that nothing was embedded and the call may be repeated.
    async fn embed_documents(
        &self,
        inputs: &[EmbeddingInput],
    ) -> Result<Vec<EmbeddingOutcome>, PortError>;

    /// Embeds a search query to a unit-length vector of the same space; all zeros when the text has
    /// no known token.
    async fn embed_query(&self, text: &str) -> Result<Vec<f32>, PortError>;
}
