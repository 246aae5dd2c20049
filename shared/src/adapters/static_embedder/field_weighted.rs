//! Quarry's own model: int8 rows, repeated words damped by a square root, the header weighted.
//!
//! `v = Σ body √n · row + w · Σ header √n · row`, scaled to unit length; `n` is how often the token
//! occurs in that field. Source of the formula and its figures: `MODEL_CARD.md`.

use safetensors::{Dtype, SafeTensors};
use serde::Deserialize;

use super::{StaticModelError, SubwordTokenizer, normalise};

macro_rules! bundled_file {
    ($name:literal) => {
        include_bytes!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/models/quarry-code-static-256-v1/",
            $name
        ))
    };
}

const TABLE_FILE: &str = "model.safetensors";
const TOKENIZER_FILE: &str = "tokenizer.json";
const CONFIG_FILE: &str = "config.json";
static TABLE: &[u8] = bundled_file!("model.safetensors");
static TOKENIZER: &[u8] = bundled_file!("tokenizer.json");
static CONFIG: &[u8] = bundled_file!("config.json");

/// The model's own constants.
#[derive(Debug, Deserialize)]
struct ModelConfig {
    name: String,
    version: String,
    dim: usize,
    max_tokens: usize,
    max_header_tokens: usize,
    header_weight: f32,
}

/// The loaded model.
#[derive(Debug)]
pub(super) struct FieldWeightedModel {
    key: String,
    config: ModelConfig,
    tokenizer: SubwordTokenizer,
    /// Row-major int8 components, one row per token.
    rows: &'static [u8],
    /// One factor per row, which turns its int8 components into real ones.
    row_scales: Vec<f32>,
}

/// Buffers that a batch reuses.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    word: String,
    ids: Vec<u32>,
    weighted_rows: Vec<WeightedRow>,
}

/// A table row with its factor in the sum.
#[derive(Debug, Clone, Copy)]
struct WeightedRow {
    /// Offset of the row's first component.
    start: usize,
    weight: f32,
}

impl FieldWeightedModel {
    /// Reads the files that are part of the binary.
    pub(super) fn bundled() -> Result<Self, StaticModelError> {
        Self::from_bytes(TABLE, TOKENIZER, CONFIG)
    }

    fn from_bytes(
        table: &'static [u8],
        tokenizer: &[u8],
        config: &[u8],
    ) -> Result<Self, StaticModelError> {
        let config: ModelConfig =
            serde_json::from_slice(config).map_err(|source| StaticModelError::NotJson {
                file: CONFIG_FILE.to_owned(),
                source,
            })?;
        let tensors =
            SafeTensors::deserialize(table).map_err(|source| StaticModelError::NotSafetensors {
                file: TABLE_FILE.to_owned(),
                source,
            })?;
        let row_scales: Vec<f32> =
            tensor(&tensors, "row_scale", Dtype::F32, |shape| shape.len() == 1)?
                .as_chunks::<4>()
                .0
                .iter()
                .map(|bytes| f32::from_le_bytes(*bytes))
                .collect();
        let expected = [row_scales.len(), config.dim];
        let rows = tensor(&tensors, "table", Dtype::I8, |shape| shape == expected)?;
        let tokenizer = SubwordTokenizer::from_tokenizer_json(TOKENIZER_FILE, tokenizer)?;
        if tokenizer.largest_id() as usize >= row_scales.len() {
            return Err(StaticModelError::VocabularyMismatch {
                token: tokenizer.largest_id().into(),
                rows: row_scales.len(),
            });
        }
        Ok(Self {
            key: format!("{}-v{}", config.name, config.version),
            config,
            tokenizer,
            rows,
            row_scales,
        })
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }

    pub(super) fn dimension(&self) -> usize {
        self.config.dim
    }

    /// Embeds one text; queries have an empty header. All zeros when no word is known.
    pub(super) fn embed(&self, header: &str, body: &str, scratch: &mut Scratch) -> Vec<f32> {
        scratch.weighted_rows.clear();
        self.add_field(body, self.config.max_tokens, 1.0, scratch);
        let weight = self.config.header_weight;
        self.add_field(header, self.config.max_header_tokens, weight, scratch);
        let mut vector = vec![0.0; self.config.dim];
        add_rows(&mut vector, self.rows, &scratch.weighted_rows);
        normalise(&mut vector);
        vector
    }

    fn add_field(&self, text: &str, limit: usize, weight: f32, scratch: &mut Scratch) {
        let Scratch {
            word,
            ids,
            weighted_rows,
        } = scratch;
        self.tokenizer.tokenize(text, limit, word, ids);
        ids.sort_unstable();
        for repeats in ids.chunk_by(|left, right| left == right) {
            let Some(row) = repeats.first().map(|id| *id as usize) else {
                continue;
            };
            let Some(scale) = self.row_scales.get(row) else {
                continue;
            };
            #[allow(clippy::cast_precision_loss)] // at most 512
            let repeats = repeats.len() as f32;
            weighted_rows.push(WeightedRow {
                start: row * self.config.dim,
                weight: weight * scale * repeats.sqrt(),
            });
        }
    }
}

/// Borrows a tensor's bytes after checking its type and shape.
fn tensor<'data>(
    tensors: &SafeTensors<'data>,
    name: &'static str,
    dtype: Dtype,
    fits: impl Fn(&[usize]) -> bool,
) -> Result<&'data [u8], StaticModelError> {
    let view = tensors
        .tensor(name)
        .map_err(|_| StaticModelError::TensorMissing {
            file: TABLE_FILE.to_owned(),
            tensor: name,
        })?;
    if view.dtype() != dtype || !fits(view.shape()) {
        return Err(StaticModelError::TensorUnusable {
            file: TABLE_FILE.to_owned(),
            tensor: name,
            fault: format!("is {:?} of shape {:?}", view.dtype(), view.shape()),
        });
    }
    Ok(view.data())
}

/// Adds weighted int8 rows to a sum. Rows are added in order on every machine, without fused
/// multiplication, so that the same text has the same vector everywhere.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx2",
    "x86_64+avx2",
    "aarch64+neon"
))]
fn add_rows(sum: &mut [f32], table: &[u8], rows: &[WeightedRow]) {
    for row in rows {
        let Some(components) = table.get(row.start..row.start + sum.len()) else {
            continue;
        };
        for (total, component) in sum.iter_mut().zip(components) {
            *total += row.weight * f32::from(component.cast_signed());
        }
    }
}
