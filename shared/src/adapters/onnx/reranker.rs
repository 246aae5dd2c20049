//! Cross-encoders.

use std::sync::Arc;

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};

use super::embedder::read;
use super::sessions::{Output, Sessions, model_file, unfit};
use super::texts::{Batch, BatchLimits, TextTokenizer, tokenizer_path};
use super::{OnnxError, SYSTEM};
use crate::config::{ActivationSetting, OnnxRerankerSettings, OnnxRuntimeSettings};
use crate::ports::{PortError, Reranker};

/// Any ONNX cross-encoder with its tokenizer: one logit per pair, or two of which the second means
/// relevant.
#[derive(Debug, Clone)]
pub struct OnnxReranker {
    name: String,
    settings: OnnxRerankerSettings,
    tokenizer: Arc<TextTokenizer>,
    sessions: Arc<Sessions>,
    output: String,
}

impl OnnxReranker {
    /// Loads library, model and tokenizer. Blocks, for large models some seconds.
    ///
    /// # Errors
    /// Names the file or setting and the fault.
    pub fn load(
        settings: &OnnxRerankerSettings,
        runtime: &OnnxRuntimeSettings,
    ) -> Result<Self, OnnxError> {
        let path = model_file(&settings.model);
        let tokenizer_path = tokenizer_path(settings.tokenizer.as_deref(), &path);
        let bytes = read(&tokenizer_path)?;
        let tokenizer = TextTokenizer::read(&tokenizer_path, &bytes, settings.max_tokens)?;
        let sessions = Sessions::load(&path, runtime)?;
        let outputs = sessions.outputs();
        let output = outputs
            .iter()
            .find(|output| output.name == "logits")
            .or_else(|| outputs.iter().find(|output| output.rank <= 2))
            .map(|output| output.name.clone())
            .ok_or_else(|| unfit(&path, "has no output of one score per pair"))?;
        let named = path.parent().and_then(|directory| directory.file_name());
        Ok(Self {
            name: named.unwrap_or_default().to_string_lossy().into_owned(),
            settings: settings.clone(),
            tokenizer: Arc::new(tokenizer),
            sessions: Arc::new(sessions),
            output,
        })
    }

    async fn batches(&self, query: &str, documents: &[String]) -> Result<Vec<Batch>, PortError> {
        let (query, documents) = (query.to_owned(), documents.to_vec());
        let tokenizer = Arc::clone(&self.tokenizer);
        let limits = BatchLimits {
            rows: self.settings.batch_size.max(1),
            tokens: self.settings.max_batch_tokens.max(1),
        };
        let tokenize = move || {
            let mut pairs = Vec::with_capacity(documents.len());
            for (index, document) in documents.iter().enumerate() {
                pairs.push((index, tokenizer.pair(&query, document)?));
            }
            Ok(tokenizer.batches(pairs, limits))
        };
        tokio::task::spawn_blocking(tokenize)
            .await
            .map_err(|error| PortError::broken(SYSTEM, error))?
            .map_err(|reason: String| PortError::broken(SYSTEM, reason))
    }

    async fn score(&self, batch: Batch) -> Result<Vec<(usize, f32)>, PortError> {
        let output = self
            .sessions
            .run(batch.clone(), self.output.clone())
            .await?;
        let scores = scores(&output, batch.rows(), self.settings.activation)
            .map_err(|fault| PortError::broken(SYSTEM, fault))?;
        Ok(batch.indexes.into_iter().zip(scores).collect())
    }
}

#[async_trait]
impl Reranker for OnnxReranker {
    fn name(&self) -> &str {
        &self.name
    }

    async fn rerank(&self, query: &str, documents: &[String]) -> Result<Vec<f32>, PortError> {
        let mut runs = Vec::new();
        for batch in self.batches(query, documents).await? {
            runs.push(self.score(batch));
        }
        let answered: Vec<Vec<(usize, f32)>> = stream::iter(runs)
            .buffer_unordered(self.sessions.count())
            .try_collect()
            .await?;
        let mut scores = vec![0.0; documents.len()];
        for (index, score) in answered.into_iter().flatten() {
            if let Some(place) = scores.get_mut(index) {
                *place = score;
            }
        }
        Ok(scores)
    }
}

/// One score per row; the error says what does not fit.
fn scores(output: &Output, rows: usize, activation: ActivationSetting) -> Result<Vec<f32>, String> {
    let logits: Vec<f32> = match output.shape.as_slice() {
        &[count] | &[count, 1] if count == rows => output.data.clone(),
        // The margin of the second class is the logit of its softmax probability.
        &[count, 2] if count == rows => {
            let (pairs, _) = output.data.as_chunks::<2>();
            pairs
                .iter()
                .map(|[other, relevant]| relevant - other)
                .collect()
        }
        shape => return Err(format!("the scores of {rows} pairs have shape {shape:?}")),
    };
    if logits.iter().any(|logit| !logit.is_finite()) {
        return Err("the scores are not finite".to_owned());
    }
    Ok(match activation {
        ActivationSetting::None => logits,
        ActivationSetting::Sigmoid => {
            let sigmoid = |logit: f32| 1.0 / (1.0 + (-logit).exp());
            logits.into_iter().map(sigmoid).collect()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(shape: &[usize], data: &[f32]) -> Output {
        Output {
            shape: shape.to_vec(),
            data: data.to_vec(),
        }
    }

    #[test]
    fn logits_of_every_shape_become_one_score_a_pair() {
        let none = ActivationSetting::None;
        assert_eq!(
            scores(&output(&[2], &[1.0, -2.0]), 2, none),
            Ok(vec![1.0, -2.0])
        );
        assert_eq!(
            scores(&output(&[2, 1], &[1.0, -2.0]), 2, none),
            Ok(vec![1.0, -2.0])
        );
        let two = output(&[2, 2], &[0.5, 1.0, 3.0, 1.0]);
        assert_eq!(scores(&two, 2, none), Ok(vec![0.5, -2.0]));
        let sigmoid = scores(&output(&[2], &[0.0, -1e4]), 2, ActivationSetting::Sigmoid);
        assert_eq!(sigmoid, Ok(vec![0.5, 0.0]));
        for wrong in [
            output(&[3], &[1.0; 3]),
            output(&[2, 3], &[1.0; 6]),
            output(&[], &[1.0]),
            output(&[2], &[1.0, f32::NAN]),
        ] {
            assert!(scores(&wrong, 2, none).is_err(), "{wrong:?}");
        }
    }
}
