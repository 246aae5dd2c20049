//! Weighted words of a chunk as one text: what is indexed and what is stored are the same bytes.
//!
//! A line is a marked word, then a tab and its weight where that is more than 1. A word that is
//! its own stem is written once under [`PLAIN`]; any other is written as a surface form under
//! [`SURFACE`] and counted for its stem under [`STEM`]. So the chunks with a surface form `w` are
//! those under `PLAIN w` or `SURFACE w`, and the chunks with a stem `s` those under `PLAIN s` or
//! `STEM s`; most words of code are their own stems and cost one entry instead of two.

use tantivy::tokenizer::{Token as IndexedToken, TokenStream, Tokenizer};

use crate::ports::{LexicalFields, Token};

/// Name under which the tokenizer is registered.
pub(super) const TOKENIZER: &str = "quarry_terms";

pub(super) const PLAIN: u8 = b'=';
pub(super) const SURFACE: u8 = b's';
pub(super) const STEM: u8 = b't';

/// A word of the path or a defined symbol says more about a chunk than one of its body. Recall only
/// has to be good enough not to lose candidates: ranking weighs fields anew.
const PATH_WEIGHT: u32 = 4;
const SYMBOL_WEIGHT: u32 = 3;
const OTHER_WEIGHT: u32 = 1;

/// Weights beyond this hardly change a saturated score and would only cost indexing time.
const MAX_WEIGHT: u32 = 16;

/// Longest word in bytes, as the port promises; longer ones are left out.
const MAX_WORD_BYTES: usize = 64;

/// The marked word under which documents are filed.
pub(super) fn marked(mark: u8, word: &str) -> String {
    let mut term = String::with_capacity(word.len() + 1);
    term.push(char::from(mark));
    term.push_str(word);
    term
}

/// Encodes the words of a chunk; also gives their weighted number.
pub(super) fn encode(fields: &LexicalFields) -> (String, u64) {
    let weighted = [
        (&fields.path, PATH_WEIGHT),
        (&fields.symbols, SYMBOL_WEIGHT),
        (&fields.signatures, OTHER_WEIGHT),
        (&fields.comments, OTHER_WEIGHT),
        (&fields.body, OTHER_WEIGHT),
    ];
    let mut length = 0;
    let mut words: Vec<(&str, u8, u32)> = Vec::new();
    for (tokens, weight) in weighted {
        for token in tokens.iter().filter(|token| is_storable(token)) {
            length += u64::from(weight);
            if token.surface == token.stem {
                words.push((&token.surface, PLAIN, weight));
            } else {
                words.push((&token.surface, SURFACE, weight));
                words.push((&token.stem, STEM, weight));
            }
        }
    }
    words.sort_unstable();
    let mut text = String::with_capacity(words.len() * 8);
    for group in words.chunk_by(|left, right| (left.0, left.1) == (right.0, right.1)) {
        let weight = group
            .iter()
            .fold(0_u32, |sum, (_, _, weight)| sum.saturating_add(*weight));
        let (word, mark, _) = group[0];
        text.push(char::from(mark));
        text.push_str(word);
        if weight > 1 {
            text.push('\t');
            text.push(char::from(b'@' + weight.min(MAX_WEIGHT) as u8));
        }
        text.push('\n');
    }
    (text, length)
}

/// Whether the word survives the encoding. The analyzer makes no other ones.
fn is_storable(token: &Token) -> bool {
    let fits = |word: &str| {
        !word.is_empty() && word.len() <= MAX_WORD_BYTES && !word.contains(['\n', '\t'])
    };
    fits(&token.surface) && fits(&token.stem)
}

/// Reads the encoding and gives each marked word as often as its weight says.
#[derive(Debug, Clone, Default)]
pub(super) struct TermTokenizer;

impl Tokenizer for TermTokenizer {
    type TokenStream<'a> = TermStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermStream<'a> {
        TermStream {
            lines: text.split('\n'),
            repeats: 0,
            token: IndexedToken::default(),
        }
    }
}

pub(super) struct TermStream<'a> {
    lines: std::str::Split<'a, char>,
    repeats: u8,
    token: IndexedToken,
}

impl TokenStream for TermStream<'_> {
    fn advance(&mut self) -> bool {
        // Positions are not indexed, but must not overflow either.
        self.token.position = self.token.position.wrapping_add(1);
        if self.repeats > 0 {
            self.repeats -= 1;
            return true;
        }
        let Some(line) = self.lines.find(|line| !line.is_empty()) else {
            return false;
        };
        let (word, weight) = match line.split_once('\t') {
            Some((word, weight)) => (word, weight.as_bytes().first().copied()),
            None => (line, None),
        };
        self.repeats = weight.map_or(0, |weight| weight.saturating_sub(b'@' + 1));
        self.token.text.clear();
        self.token.text.push_str(word);
        true
    }

    fn token(&self) -> &IndexedToken {
        &self.token
    }

    fn token_mut(&mut self) -> &mut IndexedToken {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(surface: &str, stem: &str) -> Token {
        Token {
            surface: surface.to_owned(),
            stem: stem.to_owned(),
        }
    }

    #[test]
    fn words_come_back_as_often_as_they_weigh() {
        let fields = LexicalFields {
            path: vec![token("cache", "cach")],
            symbols: vec![token("put", "put")],
            body: vec![
                token("put", "put"),
                token("caches", "cach"),
                token("evil\nline", "evil"),
                token("evil\ttab", "evil"),
                token("", ""),
            ],
            ..LexicalFields::default()
        };
        let (text, length) = encode(&fields);
        assert_eq!(length, 4 + 3 + 1 + 1);
        let mut tokenizer = TermTokenizer;
        let mut stream = tokenizer.token_stream(&text);
        let mut found = Vec::new();
        while let Some(token) = stream.next() {
            found.push(token.text.clone());
        }
        let times = |word: &str| found.iter().filter(|found| *found == word).count();
        assert_eq!(times("=put"), 4);
        assert_eq!(times("scache"), 4);
        assert_eq!(times("scaches"), 1);
        assert_eq!(times("tcach"), 5);
        assert_eq!(found.len(), 14);
    }

    #[test]
    fn weights_are_bounded() {
        let fields = LexicalFields {
            body: vec![token("word", "word"); 100_000],
            ..LexicalFields::default()
        };
        let (text, length) = encode(&fields);
        assert_eq!(length, 100_000);
        let mut tokenizer = TermTokenizer;
        let mut stream = tokenizer.token_stream(&text);
        let mut times = 0;
        while stream.advance() {
            times += 1;
        }
        assert_eq!(times, MAX_WEIGHT);
    }
}
