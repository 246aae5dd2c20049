//! Sentence-embedding models.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use sha2::{Digest, Sha256};

use super::sessions::{ModelOutput, Output, Sessions, model_file, unfit};
use super::texts::{Batch, BatchLimits, TextTokenizer, TextTokens, tokenizer_path};
use super::{OnnxError, SYSTEM};
use crate::adapters::model_key::slug;
use crate::config::{OnnxRuntimeSettings, OnnxSettings, PoolingSetting};
use crate::ports::{Embedder, EmbeddingInput, EmbeddingModel, EmbeddingOutcome, PortError};

/// Any sentence-embedding ONNX model with its tokenizer. Header and body are joined by a newline.
///
/// Models that were rounded to int8 dynamically share one rounding per batch, so that a text's
/// vector changes a little (cosine above .99) with its neighbours.
#[derive(Debug, Clone)]
pub struct OnnxEmbedder {
    model: EmbeddingModel,
    encoder: Arc<Encoder>,
}

#[derive(Debug)]
struct Encoder {
    settings: OnnxSettings,
    tokenizer: TextTokenizer,
    sessions: Arc<Sessions>,
    output: String,
}

impl OnnxEmbedder {
    /// Loads library, model and tokenizer, and embeds one word to see that they work together.
    /// Blocks, for large models some seconds.
    ///
    /// # Errors
    /// Names the file or setting and the fault. CUDA that cannot be used is an error unless
    /// `allow_cpu_fallback` is set.
    pub fn load(settings: &OnnxSettings, runtime: &OnnxRuntimeSettings) -> Result<Self, OnnxError> {
        let path = model_file(&settings.model);
        let tokenizer_path = tokenizer_path(settings.tokenizer.as_deref(), &path);
        let model_bytes = read(&path)?;
        let tokenizer_bytes = read(&tokenizer_path)?;
        let tokenizer =
            TextTokenizer::read(&tokenizer_path, &tokenizer_bytes, settings.max_tokens)?;
        let sessions = Sessions::load(&path, runtime)?;
        let output = choose_output(&path, settings, sessions.outputs())?;
        let encoder = Encoder {
            settings: settings.clone(),
            tokenizer,
            sessions: Arc::new(sessions),
            output,
        };
        let dimension = encoder.dimension(&path)?;
        let key = model_key(
            settings,
            &path,
            dimension,
            &[&model_bytes, &tokenizer_bytes],
        );
        Ok(Self {
            model: EmbeddingModel { key, dimension },
            encoder: Arc::new(encoder),
        })
    }

    /// Tokenizes off the async threads: this alone takes a tenth of a millisecond a text.
    async fn tokenize(
        &self,
        texts: Vec<Option<String>>,
    ) -> Result<Vec<Result<TextTokens, String>>, PortError> {
        let encoder = Arc::clone(&self.encoder);
        let tokenize = move || {
            let one = |text: &Option<String>| match text {
                Some(text) => encoder.tokenizer.text(text),
                None => Err("the text is blank".to_owned()),
            };
            texts.iter().map(one).collect()
        };
        tokio::task::spawn_blocking(tokenize)
            .await
            .map_err(|error| PortError::broken(SYSTEM, error))
    }

    async fn embed(&self, texts: Vec<Option<String>>) -> Result<Vec<EmbeddingOutcome>, PortError> {
        let mut outcomes = Vec::with_capacity(texts.len());
        let mut known = Vec::with_capacity(texts.len());
        for (index, tokens) in self.tokenize(texts).await?.into_iter().enumerate() {
            let outcome = match tokens {
                Ok(tokens) if tokens.is_known => {
                    known.push((index, tokens));
                    Err("the model gave no vector".to_owned())
                }
                Ok(_) => Err("the text has no word that the model knows".to_owned()),
                Err(reason) => Err(reason),
            };
            outcomes.push(outcome);
        }
        let limits = BatchLimits {
            rows: self.encoder.settings.batch_size.max(1),
            tokens: self.encoder.settings.max_batch_tokens.max(1),
        };
        let mut runs = Vec::new();
        for batch in self.encoder.tokenizer.batches(known, limits) {
            runs.push(self.encoder.embed_batch(batch));
        }
        let vectors: Vec<Vec<(usize, EmbeddingOutcome)>> = stream::iter(runs)
            .buffer_unordered(self.encoder.sessions.count())
            .try_collect()
            .await?;
        for (index, outcome) in vectors.into_iter().flatten() {
            if let Some(place) = outcomes.get_mut(index) {
                *place = outcome;
            }
        }
        Ok(outcomes)
    }
}

#[async_trait]
impl Embedder for OnnxEmbedder {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed_documents(
        &self,
        inputs: &[EmbeddingInput],
    ) -> Result<Vec<EmbeddingOutcome>, PortError> {
        let prefix = &self.encoder.settings.document_prefix;
        let text = |input: &EmbeddingInput| {
            let text = input.joined();
            let blank = text.trim().is_empty();
            (!blank).then(|| format!("{prefix}{text}"))
        };
        self.embed(inputs.iter().map(text).collect()).await
    }

    async fn embed_query(&self, text: &str) -> Result<Vec<f32>, PortError> {
        let zeros = vec![0.0; self.model.dimension];
        if text.trim().is_empty() || !self.knows(text) {
            return Ok(zeros);
        }
        let text = format!("{}{}", self.encoder.settings.query_prefix, text.trim());
        let outcome = self.embed(vec![Some(text)]).await?.pop();
        outcome
            .unwrap_or(Ok(zeros))
            .map_err(|reason| PortError::broken(SYSTEM, reason))
    }
}

impl OnnxEmbedder {
    /// Whether the text without any prefix has a token of its own.
    fn knows(&self, text: &str) -> bool {
        let tokens = self.encoder.tokenizer.text(text);
        tokens.is_ok_and(|tokens| tokens.is_known)
    }
}

impl Encoder {
    /// Components of a vector, from a trial run.
    fn dimension(&self, path: &Path) -> Result<usize, OnnxError> {
        let tokens = self
            .tokenizer
            .text("a")
            .map_err(|fault| unfit(path, &fault))?;
        let limits = BatchLimits {
            rows: 1,
            tokens: usize::MAX,
        };
        let Some(batch) = self.tokenizer.batches(vec![(0, tokens)], limits).pop() else {
            return Err(unfit(path, "cannot be tried"));
        };
        let output = self.sessions.run_blocking(&batch, &self.output);
        let output = output.map_err(|source| OnnxError::ModelUnusable {
            path: path.to_owned(),
            source: source.into(),
        })?;
        let pooled = pool(self.settings.pooling, &output, &batch);
        let pooled = pooled.map_err(|fault| unfit(path, &fault))?;
        match pooled.first() {
            Some(vector) if !vector.is_empty() => Ok(vector.len()),
            _ => Err(unfit(path, "gives empty vectors")),
        }
    }

    async fn embed_batch(&self, batch: Batch) -> Result<Vec<(usize, EmbeddingOutcome)>, PortError> {
        let output = self
            .sessions
            .run(batch.clone(), self.output.clone())
            .await?;
        let vectors = pool(self.settings.pooling, &output, &batch)
            .map_err(|fault| PortError::broken(SYSTEM, fault))?;
        let outcomes = vectors.into_iter().map(unit_length);
        Ok(batch.indexes.into_iter().zip(outcomes).collect())
    }
}

/// One vector per row of the batch, not yet of unit length; the error says what does not fit.
fn pool(pooling: PoolingSetting, output: &Output, batch: &Batch) -> Result<Vec<Vec<f32>>, String> {
    let misfit = || format!("gives a result of shape {:?}", output.shape);
    let per_token = pooling != PoolingSetting::SentenceEmbedding;
    let dimension = match (per_token, output.shape.as_slice()) {
        (true, &[rows, width, dimension]) if rows == batch.rows() && width == batch.width => {
            dimension
        }
        (false, &[rows, dimension]) if rows == batch.rows() => dimension,
        _ => return Err(misfit()),
    };
    if dimension == 0 {
        return Err(misfit());
    }
    if !per_token {
        return Ok(output.data.chunks(dimension).map(<[f32]>::to_vec).collect());
    }
    let rows = output.data.chunks(dimension * batch.width);
    let masks = batch.attention.chunks(batch.width);
    let vectors = rows.zip(masks).map(|(row, mask)| {
        let tokens = row.chunks(dimension);
        if pooling == PoolingSetting::Cls {
            return tokens.into_iter().next().unwrap_or_default().to_vec();
        }
        let mut sum = vec![0.0; dimension];
        for (token, _) in tokens.zip(mask).filter(|(_, present)| **present == 1) {
            for (total, component) in sum.iter_mut().zip(token) {
                *total += component;
            }
        }
        sum
    });
    Ok(vectors.collect())
}

fn unit_length(mut vector: Vec<f32>) -> EmbeddingOutcome {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if !length.is_finite() || length <= f32::MIN_POSITIVE {
        return Err("the model gave a vector without direction".to_owned());
    }
    vector.iter_mut().for_each(|x| *x /= length);
    Ok(vector)
}

/// The output that was asked for, or the one whose name or shape fits the pooling.
fn choose_output(
    path: &Path,
    settings: &OnnxSettings,
    outputs: &[ModelOutput],
) -> Result<String, OnnxError> {
    let (usual, rank) = match settings.pooling {
        PoolingSetting::Mean | PoolingSetting::Cls => ("last_hidden_state", 3),
        PoolingSetting::SentenceEmbedding => ("sentence_embedding", 2),
    };
    let by_name = |name: &str| outputs.iter().find(|output| output.name == name);
    let chosen = match &settings.output {
        Some(name) => by_name(name),
        None => by_name(usual).or_else(|| outputs.iter().find(|output| output.rank == rank)),
    };
    chosen.map(|output| output.name.clone()).ok_or_else(|| {
        let names: Vec<&str> = outputs.iter().map(|output| output.name.as_str()).collect();
        let wanted = settings.output.as_deref().unwrap_or(usual);
        unfit(path, &format!("has no output `{wanted}` but {names:?}"))
    })
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>, OnnxError> {
    std::fs::read(path).map_err(|source| OnnxError::FileUnreadable {
        path: path.to_owned(),
        source,
    })
}

/// Everything that changes the vectors: files, pooling, limit, prefixes.
fn model_key(settings: &OnnxSettings, path: &Path, dimension: usize, files: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for file in files {
        digest.update(Sha256::digest(file));
    }
    digest.update(format!(
        "{:?} {:?} {} {:?} {:?}",
        settings.pooling,
        settings.output,
        settings.max_tokens,
        settings.document_prefix,
        settings.query_prefix
    ));
    let digest: String = digest
        .finalize()
        .iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    // Files are mostly called `model.onnx`; the directory says more.
    let named = match path.file_stem() {
        Some(stem) if stem != "model" => Some(stem),
        _ => path.parent().and_then(Path::file_name),
    };
    let name = slug(&named.unwrap_or_default().to_string_lossy(), 60);
    format!("onnx-{name}-{dimension}-{digest}")
}
