//! The tokenizer of `quarry-code-static-256`, equal to its `tokenizer.json` and far faster than the
//! generic one: cut at case, digit and punctuation boundaries, lower-case, then WordPiece.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use serde::Deserialize;

use super::StaticModelError;

/// Ids 0 and 1 are `[PAD]` and `[UNK]`; their rows are zero, so they are never reported.
const LAST_SPECIAL_TOKEN: u32 = 1;

/// Cuts text into token ids.
pub struct SubwordTokenizer {
    /// Pieces that start a word.
    starts: PieceTable,
    /// Pieces that continue a word, without their prefix.
    continuations: PieceTable,
    /// Longer words are unknown. In characters.
    max_word_characters: usize,
    characters: CharacterClasses,
}

impl SubwordTokenizer {
    /// Reads the vocabulary of a WordPiece `tokenizer.json`; normaliser and pre-tokenizer are those
    /// that this type implements.
    ///
    /// # Errors
    /// When the bytes are not such a file.
    pub fn from_tokenizer_json(file: &str, bytes: &[u8]) -> Result<Self, StaticModelError> {
        let parsed: TokenizerFile =
            serde_json::from_slice(bytes).map_err(|source| StaticModelError::NotJson {
                file: file.to_owned(),
                source,
            })?;
        let model = parsed.model;
        if model.kind != "WordPiece" {
            return Err(StaticModelError::TokenizerUnusable {
                file: file.to_owned(),
                fault: format!("the model is `{}`, not WordPiece", model.kind),
            });
        }
        let characters =
            CharacterClasses::new().map_err(|fault| StaticModelError::TokenizerUnusable {
                file: file.to_owned(),
                fault,
            })?;
        let mut starts = PieceTable::default();
        let mut continuations = PieceTable::default();
        for (piece, id) in model.vocab {
            if id <= LAST_SPECIAL_TOKEN {
                continue;
            }
            match piece.strip_prefix(&model.continuing_subword_prefix) {
                Some(rest) => continuations.insert(rest, id),
                None => starts.insert(&piece, id),
            }
        }
        Ok(Self {
            starts,
            continuations,
            max_word_characters: model.max_input_chars_per_word,
            characters,
        })
    }

    /// The largest token id.
    #[must_use]
    pub fn largest_id(&self) -> u32 {
        self.starts.largest_id.max(self.continuations.largest_id)
    }

    /// Replaces `ids` with the known tokens of `text` in order, at most `limit`. Words that the
    /// vocabulary cannot spell are left out.
    pub fn tokenize(&self, text: &str, limit: usize, word: &mut String, ids: &mut Vec<u32>) {
        ids.clear();
        word.clear();
        let bytes = text.as_bytes();
        let mut previous = Shape::Other;
        for (position, character) in text.char_indices() {
            let shape = Shape::of(character);
            let next = bytes.get(position + 1).copied().unwrap_or_default();
            if starts_word(previous, shape, next) {
                self.end_word(word, ids);
            }
            previous = shape;
            if character.is_ascii() {
                if shape == Shape::Other {
                    self.end_word(word, ids);
                } else {
                    word.push(character.to_ascii_lowercase());
                }
            } else {
                for lowered in character.to_lowercase() {
                    if self.characters.belongs_to_word(lowered) {
                        word.push(lowered);
                    } else {
                        self.end_word(word, ids);
                    }
                }
            }
            if ids.len() >= limit {
                break;
            }
        }
        self.end_word(word, ids);
        ids.truncate(limit);
    }

    /// Pushes the ids of a finished word, longest match first, and empties it.
    fn end_word(&self, word: &mut String, ids: &mut Vec<u32>) {
        if word.is_empty() {
            return;
        }
        if let Some(id) = self.starts.get(word) {
            ids.push(id);
        } else if word.chars().count() <= self.max_word_characters {
            let before = ids.len();
            if !self.spell(word, ids) {
                ids.truncate(before);
            }
        }
        word.clear();
    }

    /// Spells a word in pieces; false when some part of it has no piece.
    fn spell(&self, word: &str, ids: &mut Vec<u32>) -> bool {
        let Some((id, mut rest)) = self.starts.longest_prefix(word) else {
            return false;
        };
        ids.push(id);
        while !rest.is_empty() {
            let Some((id, after)) = self.continuations.longest_prefix(rest) else {
                return false;
            };
            ids.push(id);
            rest = after;
        }
        true
    }
}

impl std::fmt::Debug for SubwordTokenizer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SubwordTokenizer")
            .field("largest_id", &self.largest_id())
            .finish_non_exhaustive()
    }
}

/// What matters of a character for finding boundaries inside identifiers; only ASCII counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Lower,
    Upper,
    Digit,
    Other,
}

impl Shape {
    fn of(character: char) -> Self {
        match character {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            _ => Self::Other,
        }
    }
}

/// `camelCase`, `HTTPServer`, `utf8`, `2fa`: whether a word starts between two neighbours.
fn starts_word(previous: Shape, current: Shape, next: u8) -> bool {
    match (previous, current) {
        (Shape::Lower | Shape::Digit, Shape::Upper)
        | (Shape::Lower | Shape::Upper, Shape::Digit)
        | (Shape::Digit, Shape::Lower) => true,
        (Shape::Upper, Shape::Upper) => next.is_ascii_lowercase(),
        _ => false,
    }
}

/// Letters and numbers beyond ASCII as Unicode classes them. `char::is_alphanumeric` would also
/// take combining vowel signs, which the specification treats as separators.
struct CharacterClasses {
    /// Sorted, inclusive, disjoint.
    ranges: Vec<(char, char)>,
}

impl CharacterClasses {
    fn new() -> Result<Self, String> {
        let parsed = regex_syntax::parse(r"[\p{L}\p{N}]").map_err(|error| error.to_string())?;
        match parsed.kind() {
            regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class)) => {
                let ranges = class.iter().map(|range| (range.start(), range.end()));
                Ok(Self {
                    ranges: ranges.collect(),
                })
            }
            _ => Err("letters and numbers are not a character class".to_owned()),
        }
    }

    fn belongs_to_word(&self, character: char) -> bool {
        let after = self
            .ranges
            .partition_point(|(start, _)| *start <= character);
        after > 0
            && self
                .ranges
                .get(after - 1)
                .is_some_and(|(_, end)| character <= *end)
    }
}

/// Pieces by text.
#[derive(Default)]
struct PieceTable {
    ids: HashMap<Box<[u8]>, u32, BuildHasherDefault<PieceHasher>>,
    /// Bytes of the longest piece: no longer prefix needs to be tried.
    longest: usize,
    largest_id: u32,
}

impl PieceTable {
    fn insert(&mut self, piece: &str, id: u32) {
        self.longest = self.longest.max(piece.len());
        self.largest_id = self.largest_id.max(id);
        self.ids.insert(piece.as_bytes().into(), id);
    }

    fn get(&self, piece: &str) -> Option<u32> {
        self.ids.get(piece.as_bytes()).copied()
    }

    /// The longest piece that starts `text`, and what follows it.
    fn longest_prefix<'text>(&self, text: &'text str) -> Option<(u32, &'text str)> {
        let longest = self.longest.min(text.len());
        (1..=longest).rev().find_map(|end| {
            let (prefix, rest) = text.split_at_checked(end)?;
            Some((self.get(prefix)?, rest))
        })
    }
}

/// A multiplicative hasher for short keys. The tables are filled from the model's own vocabulary, so
/// text from repositories cannot make their buckets long.
#[derive(Default)]
struct PieceHasher {
    state: u64,
}

impl PieceHasher {
    /// The fractional part of the golden ratio: odd, with evenly spread bits.
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

    fn mix(&mut self, value: u64) {
        let product = u128::from(self.state ^ value) * u128::from(Self::MULTIPLIER);
        #[allow(clippy::cast_possible_truncation)] // both halves are used
        let folded = (product as u64) ^ ((product >> 64) as u64);
        self.state = folded;
    }
}

impl Hasher for PieceHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, tail) = bytes.as_chunks::<8>();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        // A leading one keeps tails of different lengths apart.
        let tail = tail
            .iter()
            .fold(1, |value, byte| (value << 8) | u64::from(*byte));
        self.mix(tail);
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }

    fn finish(&self) -> u64 {
        self.state
    }
}

#[derive(Deserialize)]
struct TokenizerFile {
    model: WordPiece,
}

#[derive(Deserialize)]
struct WordPiece {
    #[serde(rename = "type")]
    kind: String,
    continuing_subword_prefix: String,
    max_input_chars_per_word: usize,
    vocab: HashMap<String, u32>,
}
