//! From texts to padded batches of tokens, sorted by length and bounded by tokens.

use std::path::{Path, PathBuf};

use tokenizers::{EncodeInput, TruncationParams, TruncationStrategy};

use super::OnnxError;
use crate::adapters::tokenizer_file::TokenizerFile;

/// Below this nothing but special tokens would fit.
const MIN_TOKENS: usize = 8;
/// Text beyond this cannot matter: no tokenizer averages more bytes a token.
const BYTES_PER_TOKEN: usize = 64;

/// A model's tokenizer with its limit.
#[derive(Debug)]
pub(super) struct TextTokenizer {
    file: TokenizerFile,
    max_bytes: usize,
}

/// The tokens of one text.
#[derive(Debug, Clone, Default)]
pub(super) struct TextTokens {
    ids: Vec<i64>,
    types: Vec<i64>,
    /// Whether any token is neither special nor unknown.
    pub is_known: bool,
}

/// Rows for one run of the model, padded to the longest.
#[derive(Debug, Clone, Default)]
pub(super) struct Batch {
    /// Places of the rows in the caller's list.
    pub indexes: Vec<usize>,
    /// Tokens of a row.
    pub width: usize,
    pub ids: Vec<i64>,
    pub attention: Vec<i64>,
    pub types: Vec<i64>,
}

/// Bounds of one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct BatchLimits {
    pub rows: usize,
    /// Padding included.
    pub tokens: usize,
}

/// The tokenizer file of a model.
pub(super) fn tokenizer_path(chosen: Option<&Path>, model: &Path) -> PathBuf {
    chosen.map_or_else(|| model.with_file_name("tokenizer.json"), Path::to_owned)
}

impl TextTokenizer {
    pub(super) fn read(path: &Path, bytes: &[u8], max_tokens: usize) -> Result<Self, OnnxError> {
        if max_tokens < MIN_TOKENS {
            return Err(OnnxError::InvalidSetting {
                setting: "max_tokens",
                fault: "must be at least 8",
            });
        }
        let unusable = |fault| OnnxError::TokenizerUnusable {
            path: path.to_owned(),
            fault,
        };
        let mut file = TokenizerFile::parse(bytes).map_err(unusable)?;
        file.tokenizer
            .with_truncation(Some(TruncationParams {
                max_length: max_tokens,
                strategy: TruncationStrategy::LongestFirst,
                ..TruncationParams::default()
            }))
            .map_err(|error| unusable(error.to_string()))?;
        Ok(Self {
            file,
            max_bytes: max_tokens.saturating_mul(BYTES_PER_TOKEN),
        })
    }

    /// The error says why the tokenizer refused.
    pub(super) fn text(&self, text: &str) -> Result<TextTokens, String> {
        self.encode(self.cut(text).into())
    }

    /// Two texts for a cross-encoder.
    pub(super) fn pair(&self, first: &str, second: &str) -> Result<TextTokens, String> {
        self.encode((self.cut(first), self.cut(second)).into())
    }

    fn cut<'text>(&self, text: &'text str) -> &'text str {
        &text[..text.floor_char_boundary(self.max_bytes)]
    }

    fn encode(&self, input: EncodeInput<'_>) -> Result<TextTokens, String> {
        let encoding = self
            .file
            .tokenizer
            .encode_fast(input, true)
            .map_err(|error| format!("the tokenizer refused the text: {error}"))?;
        let special = encoding.get_special_tokens_mask();
        let is_known = encoding
            .get_ids()
            .iter()
            .zip(special)
            .any(|(id, special)| *special == 0 && Some(*id) != self.file.unknown_token);
        Ok(TextTokens {
            ids: encoding.get_ids().iter().map(|id| i64::from(*id)).collect(),
            types: encoding
                .get_type_ids()
                .iter()
                .map(|id| i64::from(*id))
                .collect(),
            is_known,
        })
    }

    /// Cuts texts, given with their places, into batches of texts of like length.
    pub(super) fn batches(
        &self,
        mut texts: Vec<(usize, TextTokens)>,
        limits: BatchLimits,
    ) -> Vec<Batch> {
        texts.sort_by_key(|(index, tokens)| (tokens.ids.len(), *index));
        let mut batches = Vec::new();
        let mut rows: Vec<(usize, TextTokens)> = Vec::new();
        for (index, tokens) in texts {
            let padded = tokens.ids.len() * (rows.len() + 1);
            let full = rows.len() >= limits.rows || padded > limits.tokens;
            if full && !rows.is_empty() {
                batches.push(self.padded(std::mem::take(&mut rows)));
            }
            rows.push((index, tokens));
        }
        if !rows.is_empty() {
            batches.push(self.padded(rows));
        }
        batches
    }

    fn padded(&self, rows: Vec<(usize, TextTokens)>) -> Batch {
        let width = rows.iter().map(|(_, tokens)| tokens.ids.len()).max();
        let mut batch = Batch {
            width: width.unwrap_or_default(),
            ..Batch::default()
        };
        for (index, tokens) in rows {
            let present = tokens.ids.len();
            let absent = batch.width - present;
            batch.indexes.push(index);
            batch.ids.extend(tokens.ids);
            batch.types.extend(tokens.types);
            batch.attention.extend(std::iter::repeat_n(1, present));
            let padding = i64::from(self.file.padding_token);
            batch.ids.extend(std::iter::repeat_n(padding, absent));
            batch.types.extend(std::iter::repeat_n(0, absent));
            batch.attention.extend(std::iter::repeat_n(0, absent));
        }
        batch
    }
}

impl Batch {
    pub(super) fn rows(&self) -> usize {
        self.indexes.len()
    }
}
