//! Static embedding models: one row per sub-word, no attention, no native library.
//!
//! `field_weighted` is Quarry's own model (bundled with the crate, see `shared/models`), `tokenizer`
//! its tokenizer, `model2vec` reads directories in the public model2vec format. Neither touches the
//! network.

mod error;
mod field_weighted;
mod model2vec;
mod tokenizer;

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;

pub use error::StaticModelError;
pub use tokenizer::SubwordTokenizer;

use crate::ports::{Embedder, EmbeddingInput, EmbeddingModel, EmbeddingOutcome, PortError};
use field_weighted::FieldWeightedModel;
use model2vec::Model2VecModel;

const SYSTEM: &str = "static embedder";

/// An embedder that sums table rows. Cheap to clone; clones share the table.
#[derive(Debug, Clone)]
pub struct StaticEmbedder {
    model: EmbeddingModel,
    table: Table,
}

#[derive(Debug, Clone)]
enum Table {
    FieldWeighted(Arc<FieldWeightedModel>),
    Model2Vec(Arc<Model2VecModel>),
}

impl StaticEmbedder {
    /// The default model, `quarry-code-static-256`, whose files are part of the binary.
    ///
    /// # Errors
    /// Only if the crate was built from damaged model files.
    pub fn bundled() -> Result<Self, StaticModelError> {
        let table = FieldWeightedModel::bundled()?;
        Ok(Self {
            model: EmbeddingModel {
                key: table.key().to_owned(),
                dimension: table.dimension(),
            },
            table: Table::FieldWeighted(Arc::new(table)),
        })
    }

    /// Reads a model2vec directory: `model.safetensors`, `tokenizer.json`, optionally `config.json`.
    /// The space's key is the directory's name with a digest of the files, so that another table
    /// under the same name is another space. Blocks while reading.
    ///
    /// # Errors
    /// Names the file and the fault when a file is absent, damaged, or does not fit the others.
    pub fn from_model2vec_directory(path: &Path) -> Result<Self, StaticModelError> {
        let table = Model2VecModel::read(path)?;
        Ok(Self {
            model: EmbeddingModel {
                key: table.key().to_owned(),
                dimension: table.dimension(),
            },
            table: Table::Model2Vec(Arc::new(table)),
        })
    }

    /// Embeds a batch on the calling thread: one outcome per input, in order.
    #[must_use]
    pub fn embed_batch(&self, inputs: &[EmbeddingInput]) -> Vec<EmbeddingOutcome> {
        match &self.table {
            Table::FieldWeighted(model) => {
                let mut scratch = field_weighted::Scratch::default();
                let mut embed = |input: &EmbeddingInput| {
                    let vector = model.embed(&input.header, &input.body, &mut scratch);
                    document_outcome(input, vector)
                };
                inputs.iter().map(&mut embed).collect()
            }
            Table::Model2Vec(model) => inputs
                .iter()
                .map(|input| {
                    let text = input.joined();
                    model
                        .embed(&text)
                        .and_then(|vector| document_outcome(input, vector))
                })
                .collect(),
        }
    }
}

#[async_trait]
impl Embedder for StaticEmbedder {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed_documents(
        &self,
        inputs: &[EmbeddingInput],
    ) -> Result<Vec<EmbeddingOutcome>, PortError> {
        let embedder = self.clone();
        let inputs = inputs.to_vec();
        tokio::task::spawn_blocking(move || embedder.embed_batch(&inputs))
            .await
            .map_err(|source| PortError::broken(SYSTEM, source))
    }

    async fn embed_query(&self, text: &str) -> Result<Vec<f32>, PortError> {
        match &self.table {
            Table::FieldWeighted(model) => {
                let mut scratch = field_weighted::Scratch::default();
                Ok(model.embed("", text, &mut scratch))
            }
            Table::Model2Vec(model) => model
                .embed(text)
                .map_err(|detail| PortError::broken(SYSTEM, detail)),
        }
    }
}

fn document_outcome(input: &EmbeddingInput, vector: Vec<f32>) -> EmbeddingOutcome {
    if vector.iter().any(|component| *component != 0.0) {
        return Ok(vector);
    }
    let blank = input.header.trim().is_empty() && input.body.trim().is_empty();
    Err(if blank {
        "the text is blank".to_owned()
    } else {
        "the text has no word that the model knows".to_owned()
    })
}

/// Scales to unit length; a zero vector stays as it is.
fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}
