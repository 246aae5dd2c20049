//! What SQL keeps of a chunk's words, so that any recalled chunk can be scored without an engine.
//!
//! Format, version 1: a version byte, the five field lengths and the number of entries as LEB128
//! varints, then the entries by ascending surface hash. An entry is the surface hash (4 bytes,
//! little endian), a flag byte, the stem hash (4 bytes, absent where it equals the surface hash),
//! and one frequency byte per set field flag (absent where all of them are 1).

use std::collections::BTreeMap;

use thiserror::Error;

use super::term_hash;
use crate::ports::{AnalyzedField, LexicalFields};

const VERSION: u8 = 1;
const FIELD_FLAGS: u8 = 0b0001_1111;
/// The stem hash equals the surface hash and is left out.
const SAME_STEM: u8 = 0b0010_0000;
/// Every frequency is 1 and left out.
const ALL_ONCE: u8 = 0b0100_0000;

/// The fields of a chunk in the order in which lengths and frequencies are stored everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    Path,
    Symbols,
    Signatures,
    Comments,
    Body,
}

impl Field {
    /// Every field, in order.
    pub const ALL: [Self; 5] = [
        Self::Path,
        Self::Symbols,
        Self::Signatures,
        Self::Comments,
        Self::Body,
    ];

    /// Position in stored arrays.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The tokens of one field.
#[must_use]
pub const fn field_tokens(fields: &LexicalFields, field: Field) -> &AnalyzedField {
    match field {
        Field::Path => &fields.path,
        Field::Symbols => &fields.symbols,
        Field::Signatures => &fields.signatures,
        Field::Comments => &fields.comments,
        Field::Body => &fields.body,
    }
}

/// One word of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermEntry {
    /// [`term_hash`] of the surface form.
    pub surface: u32,
    /// [`term_hash`] of the stem.
    pub stem: u32,
    /// Occurrences per [`Field`], at most 255.
    pub frequencies: [u8; 5],
}

/// Stored bytes are not a term vector of this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("stored terms are damaged or of another version")]
pub struct TermVectorError;

/// The words of a chunk with their frequencies per field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TermVector {
    /// Words per [`Field`], repeats included.
    pub lengths: [u32; 5],
    /// By ascending surface hash, which is unique.
    pub entries: Vec<TermEntry>,
}

impl TermVector {
    /// Counts the words of a chunk.
    #[must_use]
    pub fn build(fields: &LexicalFields) -> Self {
        let mut lengths = [0; 5];
        let mut occurrences = Vec::new();
        for field in Field::ALL {
            let tokens = field_tokens(fields, field);
            lengths[field.index()] = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
            occurrences.extend(tokens.iter().map(|token| {
                let surface = term_hash(&token.surface);
                let stem = if token.stem == token.surface {
                    surface
                } else {
                    term_hash(&token.stem)
                };
                (surface, stem, field)
            }));
        }
        occurrences.sort_unstable();
        let mut entries: Vec<TermEntry> = Vec::new();
        for (surface, stem, field) in occurrences {
            if entries.last().is_none_or(|entry| entry.surface != surface) {
                entries.push(TermEntry {
                    surface,
                    stem,
                    frequencies: [0; 5],
                });
            }
            if let Some(entry) = entries.last_mut() {
                let frequency = &mut entry.frequencies[field.index()];
                *frequency = frequency.saturating_add(1);
            }
        }
        Self { lengths, entries }
    }

    /// The stored form, about seven bytes a word.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(16 + self.entries.len() * 8);
        bytes.push(VERSION);
        for length in self.lengths {
            push_varint(&mut bytes, length);
        }
        push_varint(
            &mut bytes,
            u32::try_from(self.entries.len()).unwrap_or(u32::MAX),
        );
        for entry in &self.entries {
            push_entry(&mut bytes, entry);
        }
        bytes
    }

    /// Reads the stored form. Any bytes are safe to pass.
    pub fn decode(bytes: &[u8]) -> Result<Self, TermVectorError> {
        let reader = TermVectorRef::parse(bytes)?;
        Ok(Self {
            lengths: reader.lengths(),
            entries: reader.entries().collect(),
        })
    }

    /// Frequencies summed over all words of each stem.
    #[must_use]
    pub fn by_stem(&self) -> BTreeMap<u32, [u32; 5]> {
        let mut stems: BTreeMap<u32, [u32; 5]> = BTreeMap::new();
        for entry in &self.entries {
            let sums = stems.entry(entry.stem).or_default();
            for (sum, frequency) in sums.iter_mut().zip(entry.frequencies) {
                *sum += u32::from(frequency);
            }
        }
        stems
    }
}

/// A stored term vector, read in place.
#[derive(Debug, Clone, Copy)]
pub struct TermVectorRef<'a> {
    lengths: [u32; 5],
    count: usize,
    entries: &'a [u8],
}

impl<'a> TermVectorRef<'a> {
    /// Checks the whole of the stored form, so that reading it cannot fail afterwards.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, TermVectorError> {
        let mut rest = bytes;
        if take(&mut rest) != Some(VERSION) {
            return Err(TermVectorError);
        }
        let mut lengths = [0; 5];
        for length in &mut lengths {
            *length = take_varint(&mut rest).ok_or(TermVectorError)?;
        }
        let count = take_varint(&mut rest).ok_or(TermVectorError)? as usize;
        let parsed = Self {
            lengths,
            count,
            entries: rest,
        };
        let mut entries = parsed.entries();
        if entries.by_ref().count() != count || !entries.rest.is_empty() {
            return Err(TermVectorError);
        }
        Ok(parsed)
    }

    /// Words per [`Field`], repeats included.
    #[must_use]
    pub const fn lengths(&self) -> [u32; 5] {
        self.lengths
    }

    /// Number of distinct words.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The words by ascending surface hash.
    #[must_use]
    pub const fn entries(&self) -> TermEntries<'a> {
        TermEntries {
            rest: self.entries,
            left: self.count,
        }
    }
}

/// Iterator over the words of a [`TermVectorRef`].
#[derive(Debug, Clone)]
pub struct TermEntries<'a> {
    rest: &'a [u8],
    left: usize,
}

impl Iterator for TermEntries<'_> {
    type Item = TermEntry;

    fn next(&mut self) -> Option<TermEntry> {
        self.left = self.left.checked_sub(1)?;
        let surface = take_u32(&mut self.rest)?;
        let flags = take(&mut self.rest)?;
        let stem = if flags & SAME_STEM == 0 {
            take_u32(&mut self.rest)?
        } else {
            surface
        };
        let mut frequencies = [0; 5];
        for (position, frequency) in frequencies.iter_mut().enumerate() {
            if flags & (1 << position) != 0 {
                *frequency = if flags & ALL_ONCE == 0 {
                    take(&mut self.rest)?
                } else {
                    1
                };
            }
        }
        Some(TermEntry {
            surface,
            stem,
            frequencies,
        })
    }
}

fn push_entry(bytes: &mut Vec<u8>, entry: &TermEntry) {
    let present = entry
        .frequencies
        .iter()
        .enumerate()
        .filter(|(_, n)| **n > 0);
    let mut flags = present.clone().fold(0, |flags, (at, _)| flags | (1 << at));
    debug_assert_eq!(flags & !FIELD_FLAGS, 0);
    if entry.stem == entry.surface {
        flags |= SAME_STEM;
    }
    if present.clone().all(|(_, n)| *n == 1) {
        flags |= ALL_ONCE;
    }
    bytes.extend(entry.surface.to_le_bytes());
    bytes.push(flags);
    if flags & SAME_STEM == 0 {
        bytes.extend(entry.stem.to_le_bytes());
    }
    if flags & ALL_ONCE == 0 {
        bytes.extend(present.map(|(_, n)| *n));
    }
}

fn push_varint(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push((value & 0x7F) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}

fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    let (first, rest) = bytes.split_first_chunk::<4>()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*first))
}

fn take_varint(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0_u64;
    for shift in [0, 7, 14, 21, 28] {
        let byte = take(bytes)?;
        value |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return u32::try_from(value).ok();
        }
    }
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::analyze;

    fn sample(body: &str) -> LexicalFields {
        LexicalFields {
            path: analyze("src/cache.rs"),
            symbols: analyze("insertEntry"),
            signatures: analyze("fn insertEntry(key: Key)"),
            comments: analyze("Inserts an entry."),
            body: analyze(body),
        }
    }

    #[test]
    fn words_are_counted_per_field_and_per_stem() {
        let vector = TermVector::build(&sample("insert inserts insert cache"));
        let of = |word: &str| {
            let hash = term_hash(word);
            vector
                .entries
                .iter()
                .find(|entry| entry.surface == hash)
                .unwrap()
                .frequencies
        };
        assert_eq!(of("insert"), [0, 1, 1, 0, 2]);
        assert_eq!(of("inserts"), [0, 0, 0, 1, 1]);
        assert_eq!(of("cache"), [1, 0, 0, 0, 1]);
        assert_eq!(vector.by_stem()[&term_hash("insert")], [0, 1, 1, 1, 3]);
        assert_eq!(vector.lengths[Field::Path.index()], 3);
        assert_eq!(vector.lengths[Field::Body.index()], 4);
    }

    #[test]
    fn frequencies_saturate() {
        let vector = TermVector::build(&sample(&"word ".repeat(1000)));
        let hash = term_hash("word");
        let entry = vector
            .entries
            .iter()
            .find(|entry| entry.surface == hash)
            .unwrap();
        assert_eq!(entry.frequencies[Field::Body.index()], 255);
        assert_eq!(vector.lengths[Field::Body.index()], 1000);
    }

    #[test]
    fn every_cut_of_a_stored_form_is_refused() {
        let bytes = TermVector::build(&sample("let cached = insert(cache, 1);")).encode();
        assert!(TermVector::decode(&bytes).is_ok());
        for length in 0..bytes.len() {
            assert_eq!(TermVector::decode(&bytes[..length]), Err(TermVectorError));
        }
        let longer = [bytes.clone(), vec![0]].concat();
        assert_eq!(TermVector::decode(&longer), Err(TermVectorError));
        assert_eq!(
            TermVector::decode(&[1, 0, 0, 0, 0, 0, 255, 255, 255, 255, 15]),
            Err(TermVectorError)
        );
    }

    proptest! {
        #[test]
        fn stored_forms_round_trip(body in "\\PC{0,300}") {
            let vector = TermVector::build(&sample(&body));
            prop_assert_eq!(TermVector::decode(&vector.encode()), Ok(vector));
        }

        #[test]
        fn rubbish_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200), version in any::<bool>()) {
            let mut bytes = bytes;
            if version && !bytes.is_empty() {
                bytes[0] = VERSION;
            }
            if let Ok(vector) = TermVector::decode(&bytes) {
                prop_assert_eq!(TermVectorRef::parse(&bytes).unwrap().count(), vector.entries.len());
            }
        }
    }
}
