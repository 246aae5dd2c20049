//! Cutting text into words and identifiers into parts.

use super::{
    MAX_TOKEN_BYTES,
    fold::{fold, is_unspaced, is_word, push_lower},
};

/// Longer runs are data, not names, and are not even split.
const MAX_RUN_BYTES: usize = 1024;

/// From this length on, a run whose parts are very short is judged to be random data.
const MIN_RANDOM_BYTES: usize = 16;

/// What a character means for splitting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Other,
    Lower,
    Upper,
    Digit,
    Underscore,
    NotAscii,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            b'_' => Class::Underscore,
            0x80.. => Class::NotAscii,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Calls `emit` with every word of the text, lower-cased.
pub(super) fn for_each_surface(text: &str, emit: &mut impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let lower = text.to_ascii_lowercase();
    let mut parts = Vec::new();
    let mut chain = Chain::default();
    let mut at = 0;
    while at < bytes.len() {
        if CLASSES[usize::from(bytes[at])] == Class::Other {
            at += 1;
            continue;
        }
        let start = at;
        let mut ascii = true;
        while at < bytes.len() && CLASSES[usize::from(bytes[at])] != Class::Other {
            ascii &= bytes[at].is_ascii();
            at += 1;
        }
        if !ascii {
            emit_folded(&text[start..at], &mut parts, emit);
            chain.runs = 0;
            continue;
        }
        let run = &bytes[start..at];
        split(
            run.iter()
                .enumerate()
                .map(|(at, byte)| (at, CLASSES[usize::from(*byte)])),
            run.len(),
            &mut parts,
        );
        emit_parts(&lower[start..at], &parts, emit);
        chain.extend(start, at, bytes, &lower, emit);
    }
}

/// Runs joined by single hyphens: `btn-primary`.
#[derive(Default)]
struct Chain {
    start: usize,
    runs: usize,
}

impl Chain {
    /// Takes in the run `start..end` and emits the chain's whole where it ends. The whole is
    /// spelled with underscores, so that `user-name` and `user_name` are one word.
    fn extend(
        &mut self,
        start: usize,
        end: usize,
        bytes: &[u8],
        lower: &str,
        emit: &mut impl FnMut(&str),
    ) {
        // Single letters joined by a minus are arithmetic; a digit in front is a number or an id.
        let is_link = end - start > 1 && bytes[start].is_ascii_alphabetic();
        if self.runs == 0 {
            self.start = start;
        }
        if is_link {
            self.runs += 1;
            let mut next = bytes[end..].iter();
            if next.next() == Some(&b'-') && next.next().is_some_and(u8::is_ascii_alphabetic) {
                return;
            }
            if self.runs > 1 && end - self.start <= MAX_TOKEN_BYTES {
                emit(&lower[self.start..end].replace('-', "_"));
            }
        }
        self.runs = 0;
    }
}

/// Finds the parts of an identifier: between underscores, before a capital that follows a small
/// letter, before the last capital of an acronym, and between letters and digits. `characters`
/// gives each character's position and class.
fn split(
    characters: impl Iterator<Item = (usize, Class)>,
    length: usize,
    parts: &mut Vec<(usize, usize)>,
) {
    parts.clear();
    if length > MAX_RUN_BYTES {
        return;
    }
    let mut start = 0;
    let mut previous = Class::Underscore;
    let mut previous_at = 0;
    let mut before_previous = Class::Underscore;
    for (at, class) in characters {
        let cut = match (previous, class) {
            (Class::Underscore, _) => {
                start = at;
                None
            }
            (_, Class::Underscore) | (Class::Lower, Class::Upper) => Some(at),
            (Class::Upper, Class::Lower) if before_previous == Class::Upper => Some(previous_at),
            (Class::Digit, other) if other != Class::Digit => Some(at),
            (other, Class::Digit) if other != Class::Digit => Some(at),
            _ => None,
        };
        if let Some(cut) = cut {
            parts.push((start, cut));
            start = cut;
        }
        (before_previous, previous, previous_at) = (previous, class, at);
    }
    if previous != Class::Underscore {
        parts.push((start, length));
    }
}

/// Emits the parts of an identifier and, where there are several, the whole.
fn emit_parts(lower: &str, parts: &[(usize, usize)], emit: &mut impl FnMut(&str)) {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
        return;
    };
    let whole = &lower[first.0..last.1];
    // Words have parts of four letters or so, hashes and base64 of two.
    let random = whole.len() >= MIN_RANDOM_BYTES && whole.len() * 2 < parts.len() * 5;
    if !random {
        for (start, end) in parts {
            if end - start <= MAX_TOKEN_BYTES {
                emit(&lower[*start..*end]);
            }
        }
    }
    if parts.len() > 1 && whole.len() <= MAX_TOKEN_BYTES {
        emit(whole);
    }
}

/// The slow path: a run with characters beyond ASCII.
fn emit_folded(run: &str, parts: &mut Vec<(usize, usize)>, emit: &mut impl FnMut(&str)) {
    let folded = fold(run);
    for word in folded.split(|c| !is_word(c)) {
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            let unspaced = is_unspaced(first);
            let end = rest
                .find(|c| is_unspaced(c) != unspaced)
                .unwrap_or(rest.len());
            let (segment, tail) = rest.split_at(end);
            if unspaced {
                emit_unspaced(segment, emit);
            } else {
                emit_spaced(segment, parts, emit);
            }
            rest = tail;
        }
    }
}

fn emit_spaced(segment: &str, parts: &mut Vec<(usize, usize)>, emit: &mut impl FnMut(&str)) {
    let mut lower = String::with_capacity(segment.len());
    let mut characters = Vec::with_capacity(segment.len());
    for c in segment.chars() {
        characters.push((lower.len(), class_of(c)));
        push_lower(c, &mut lower);
    }
    split(characters.into_iter(), lower.len(), parts);
    emit_parts(&lower, parts, emit);
}

fn class_of(c: char) -> Class {
    if c == '_' {
        Class::Underscore
    } else if c.is_uppercase() {
        Class::Upper
    } else if c.is_numeric() {
        Class::Digit
    } else {
        Class::Lower
    }
}

/// Emits every character and every pair of neighbours.
fn emit_unspaced(segment: &str, emit: &mut impl FnMut(&str)) {
    let starts = || segment.char_indices().map(|(at, _)| at);
    let ends = || starts().skip(1).chain([segment.len()]);
    for (start, end) in starts().zip(ends()) {
        emit(&segment[start..end]);
    }
    for (start, end) in starts().zip(ends().skip(1)) {
        emit(&segment[start..end]);
    }
}
