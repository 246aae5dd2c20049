//! Tables in the public model2vec format: `embeddings` (and optionally `weights` and `mapping`) in
//! safetensors, any tokenizer, plain mean of the rows.

use std::io::Read;
use std::path::Path;

use half::{bf16, f16};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokenizers::Tokenizer;

use super::{StaticModelError, normalise};
use crate::adapters::model_key::slug;
use crate::adapters::tokenizer_file::TokenizerFile;

const TABLE_FILE: &str = "model.safetensors";
const TOKENIZER_FILE: &str = "tokenizer.json";
const CONFIG_FILE: &str = "config.json";
/// A float table of a million words and a thousand dimensions fits.
const MAX_TABLE_BYTES: u64 = 4 << 30;
const MAX_TEXT_FILE_BYTES: u64 = 256 << 20;
/// Tokens of a text that count; the format's own default.
const MAX_TOKENS: usize = 512;
/// Text beyond this cannot matter: no vocabulary averages more bytes a token.
const MAX_TEXT_BYTES: usize = MAX_TOKENS * 64;

/// The part of `config.json` that changes vectors.
#[derive(Debug, Deserialize, Default)]
struct ModelConfig {
    #[serde(default)]
    normalize: Option<bool>,
}

/// The loaded table.
#[derive(Debug)]
pub(super) struct Model2VecModel {
    key: String,
    dimension: usize,
    tokenizer: Tokenizer,
    unknown_token: Option<u32>,
    /// Row-major components.
    rows: Vec<f32>,
    /// Factor of each token, when the model weighs them.
    weights: Option<Vec<f32>>,
    /// Row of each token, when tokens share rows.
    mapping: Option<Vec<usize>>,
}

impl Model2VecModel {
    pub(super) fn read(directory: &Path) -> Result<Self, StaticModelError> {
        let table = read_file(&directory.join(TABLE_FILE), MAX_TABLE_BYTES)?;
        let tokenizer_json = read_file(&directory.join(TOKENIZER_FILE), MAX_TEXT_FILE_BYTES)?;
        let config_path = directory.join(CONFIG_FILE);
        let config: ModelConfig = if config_path.exists() {
            let bytes = read_file(&config_path, MAX_TEXT_FILE_BYTES)?;
            serde_json::from_slice(&bytes).map_err(|source| StaticModelError::NotJson {
                file: config_path.display().to_string(),
                source,
            })?
        } else {
            ModelConfig::default()
        };
        // Quarry compares by cosine, so rows of any length end at unit length; the flag is read to
        // refuse rubbish, and stays part of the key should that ever change.
        let mut digest = Sha256::new();
        digest.update(&table);
        digest.update(&tokenizer_json);
        digest.update([u8::from(config.normalize.unwrap_or(true))]);
        let digest: String = digest
            .finalize()
            .iter()
            .take(6)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let name = directory.file_name().unwrap_or_default().to_string_lossy();
        let key = format!("model2vec-{}-{digest}", slug(&name, 60));
        Self::from_bytes(key, &table, &tokenizer_json)
    }

    fn from_bytes(
        key: String,
        table: &[u8],
        tokenizer_json: &[u8],
    ) -> Result<Self, StaticModelError> {
        let tensors =
            SafeTensors::deserialize(table).map_err(|source| StaticModelError::NotSafetensors {
                file: TABLE_FILE.to_owned(),
                source,
            })?;
        let embeddings = tensors
            .tensor("embeddings")
            .map_err(|_| missing("embeddings"))?;
        let &[row_count, dimension] = embeddings.shape() else {
            let fault = format!("has shape {:?}, not rows × columns", embeddings.shape());
            return Err(unusable("embeddings", fault));
        };
        if row_count == 0 || dimension == 0 {
            return Err(unusable("embeddings", "is empty".to_owned()));
        }
        let rows = floats("embeddings", &embeddings)?;
        let weights = match tensors.tensor("weights") {
            Ok(view) => Some(floats("weights", &view)?),
            Err(_) => None,
        };
        let mapping = match tensors.tensor("mapping") {
            Ok(view) => Some(integers("mapping", &view)?),
            Err(_) => None,
        };
        if let Some(row) = mapping.iter().flatten().find(|row| **row >= row_count) {
            return Err(unusable(
                "mapping",
                format!("names row {row} of {row_count}"),
            ));
        }
        let TokenizerFile {
            tokenizer,
            unknown_token,
            ..
        } = TokenizerFile::parse(tokenizer_json).map_err(|fault| {
            StaticModelError::TokenizerUnusable {
                file: TOKENIZER_FILE.to_owned(),
                fault,
            }
        })?;
        let token_limit = [
            mapping.as_ref().map(Vec::len),
            weights.as_ref().map(Vec::len),
            mapping.is_none().then_some(row_count),
        ];
        let token_limit = token_limit.into_iter().flatten().min().unwrap_or(row_count);
        let largest = tokenizer.get_vocab(true).into_values().max().unwrap_or(0);
        if largest as usize >= token_limit {
            return Err(StaticModelError::VocabularyMismatch {
                token: largest.into(),
                rows: token_limit,
            });
        }
        Ok(Self {
            key,
            dimension,
            tokenizer,
            unknown_token,
            rows,
            weights,
            mapping,
        })
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }

    pub(super) fn dimension(&self) -> usize {
        self.dimension
    }

    /// Embeds one text to unit length; all zeros when no token is known. The error says why the
    /// tokenizer refused the text.
    pub(super) fn embed(&self, text: &str) -> Result<Vec<f32>, String> {
        let text = &text[..text.floor_char_boundary(MAX_TEXT_BYTES)];
        let encoding = self
            .tokenizer
            .encode_fast(text, false)
            .map_err(|error| format!("the tokenizer refused the text: {error}"))?;
        let known = encoding
            .get_ids()
            .iter()
            .filter(|id| Some(**id) != self.unknown_token)
            .take(MAX_TOKENS);
        let mut vector = vec![0.0; self.dimension];
        for token in known {
            let token = *token as usize;
            let row = match &self.mapping {
                Some(mapping) => mapping.get(token).copied(),
                None => Some(token),
            };
            let weight = match &self.weights {
                Some(weights) => weights.get(token).copied(),
                None => Some(1.0),
            };
            let (Some(row), Some(weight)) = (row, weight) else {
                continue;
            };
            let start = row * self.dimension;
            let components = self.rows.get(start..start + self.dimension).unwrap_or(&[]);
            for (total, component) in vector.iter_mut().zip(components) {
                *total += weight * component;
            }
        }
        normalise(&mut vector);
        Ok(vector)
    }
}

fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, StaticModelError> {
    let unreadable = |source| StaticModelError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(StaticModelError::TooLarge {
            path: path.to_owned(),
            limit,
        });
    }
    Ok(bytes)
}

fn floats(name: &'static str, view: &TensorView<'_>) -> Result<Vec<f32>, StaticModelError> {
    let data = view.data();
    let values: Vec<f32> = match view.dtype() {
        Dtype::F64 => {
            let read = |bytes: &[u8; 8]| f64::from_le_bytes(*bytes);
            #[allow(clippy::cast_possible_truncation)] // f32 is enough for a direction
            data.as_chunks().0.iter().map(|b| read(b) as f32).collect()
        }
        Dtype::F32 => {
            let read = |bytes: &[u8; 4]| f32::from_le_bytes(*bytes);
            data.as_chunks().0.iter().map(read).collect()
        }
        Dtype::F16 => {
            let read = |bytes: &[u8; 2]| f16::from_le_bytes(*bytes).to_f32();
            data.as_chunks().0.iter().map(read).collect()
        }
        Dtype::BF16 => {
            let read = |bytes: &[u8; 2]| bf16::from_le_bytes(*bytes).to_f32();
            data.as_chunks().0.iter().map(read).collect()
        }
        Dtype::I8 => data.iter().map(|b| f32::from(b.cast_signed())).collect(),
        other => return Err(unusable(name, format!("has type {other:?}, not floats"))),
    };
    if values.iter().any(|value| !value.is_finite()) {
        return Err(unusable(name, "contains infinite values or NaN".to_owned()));
    }
    Ok(values)
}

fn integers(name: &'static str, view: &TensorView<'_>) -> Result<Vec<usize>, StaticModelError> {
    let data = view.data();
    let values: Option<Vec<usize>> = match view.dtype() {
        Dtype::I64 => {
            let read = |bytes: &[u8; 8]| usize::try_from(i64::from_le_bytes(*bytes)).ok();
            data.as_chunks().0.iter().map(read).collect()
        }
        Dtype::I32 => {
            let read = |bytes: &[u8; 4]| usize::try_from(i32::from_le_bytes(*bytes)).ok();
            data.as_chunks().0.iter().map(read).collect()
        }
        other => return Err(unusable(name, format!("has type {other:?}, not integers"))),
    };
    values.ok_or_else(|| unusable(name, "contains negative numbers".to_owned()))
}

fn missing(tensor: &'static str) -> StaticModelError {
    StaticModelError::TensorMissing {
        file: TABLE_FILE.to_owned(),
        tensor,
    }
}

fn unusable(tensor: &'static str, fault: String) -> StaticModelError {
    StaticModelError::TensorUnusable {
        file: TABLE_FILE.to_owned(),
        tensor,
        fault,
    }
}
