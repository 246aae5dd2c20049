//! Matches of a pattern in one text, as lines and columns.

use std::time::Instant;

use super::pattern::CompiledPattern;
use crate::retrieval::LineMatch;

/// What was found in a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LineMatches {
    /// In order.
    pub matches: Vec<LineMatch>,
    /// Whether the deadline came first.
    pub timed_out: bool,
}

/// Characters of a long line that are shown.
const SHOWN_CHARACTERS: usize = 400;
/// Of these, at most so many before the match.
const SHOWN_BEFORE: usize = 100;
/// A pattern that stays on its line is searched in blocks of lines of this size, so that the
/// deadline is looked at in between.
const BLOCK_BYTES: usize = 16 * 1024;
/// The deadline is also looked at after so many matches.
const MATCHES_PER_CHECK: usize = 256;

/// At most `room` matches, in order. Matches without a character count once per line, and not at
/// all where the line has another match before.
pub(super) fn find(
    pattern: &CompiledPattern,
    text: &str,
    room: usize,
    deadline: Instant,
) -> LineMatches {
    let mut matches = Vec::new();
    let timed_out = each_match(pattern, text, deadline, |cursor, from, to| {
        matches.push(cursor.show(from, to));
        matches.len() < room
    });
    LineMatches { matches, timed_out }
}

/// The lines on which matches begin, at most `room`, in order; and whether the deadline came first.
pub(super) fn numbers(
    pattern: &CompiledPattern,
    text: &str,
    room: usize,
    deadline: Instant,
) -> (Vec<u32>, bool) {
    let mut numbers = Vec::new();
    let timed_out = each_match(pattern, text, deadline, |cursor, _, _| {
        if numbers.last() != Some(&cursor.line) {
            numbers.push(cursor.line);
        }
        numbers.len() < room
    });
    (numbers, timed_out)
}

/// Calls `visit` for each match until it answers `false`. Returns whether the deadline came first.
fn each_match<'a>(
    pattern: &CompiledPattern,
    text: &'a str,
    deadline: Instant,
    mut visit: impl FnMut(&mut LineCursor<'a>, usize, usize) -> bool,
) -> bool {
    let mut cursor = LineCursor::new(text);
    let mut last_line = 0;
    let mut base = 0;
    while base < text.len() {
        if Instant::now() >= deadline {
            return true;
        }
        let block = block_at(text, base, pattern.crosses_lines);
        for (count, hit) in pattern.regex.find_iter(block).enumerate() {
            if count % MATCHES_PER_CHECK == MATCHES_PER_CHECK - 1 && Instant::now() >= deadline {
                return true;
            }
            // After the last line end there is no further line.
            if hit.start() == block.len() && block.ends_with('\n') {
                continue;
            }
            cursor.seek(base + hit.start());
            if hit.is_empty() && cursor.line == last_line {
                continue;
            }
            last_line = cursor.line;
            if !visit(&mut cursor, base + hit.start(), base + hit.end()) {
                return false;
            }
        }
        base += block.len();
    }
    false
}

fn block_at(text: &str, base: usize, whole: bool) -> &str {
    let rest = &text[base..];
    if whole || rest.len() <= BLOCK_BYTES {
        return rest;
    }
    match memchr::memchr(b'\n', &rest.as_bytes()[BLOCK_BYTES..]) {
        // A line end is one byte, so what follows it is a character boundary.
        Some(at) => &rest[..BLOCK_BYTES + at + 1],
        None => rest,
    }
}

/// Walks forward through a text and counts lines and columns, each byte once.
struct LineCursor<'a> {
    text: &'a str,
    /// From 1.
    line: u32,
    start: usize,
    /// Where the line's own text ends, before its line end.
    end: usize,
    /// Where the next line begins; `None` on the last one.
    next: Option<usize>,
    /// A byte of the line and its column.
    counted: (usize, u32),
}

impl<'a> LineCursor<'a> {
    fn new(text: &'a str) -> Self {
        let mut cursor = Self {
            text,
            line: 0,
            start: 0,
            end: 0,
            next: Some(0),
            counted: (0, 0),
        };
        cursor.step(0);
        cursor
    }

    fn step(&mut self, start: usize) {
        let rest = &self.text.as_bytes()[start..];
        let line_end = memchr::memchr(b'\n', rest);
        let content = &rest[..line_end.unwrap_or(rest.len())];
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        self.line += 1;
        self.start = start;
        self.end = start + content.len();
        self.next = line_end.map(|at| start + at + 1);
        self.counted = (start, 0);
    }

    /// Goes on to the line that holds the byte.
    fn seek(&mut self, at: usize) {
        while let Some(next) = self.next.filter(|next| *next <= at) {
            self.step(next);
        }
    }

    /// The match between two bytes, of which the first lies on this line.
    fn show(&mut self, from: usize, to: usize) -> LineMatch {
        let from = from.min(self.end);
        let to = to.clamp(from, self.end);
        let (counted, column) = self.counted;
        let start = column + columns(&self.text[counted..from]);
        self.counted = (from, start);
        let shown = self.shown(from);
        LineMatch {
            line: self.line,
            start,
            end: start + columns(&self.text[from..to]),
            text_offset: start - columns(&self.text[shown.start..from]),
            text: self.text[shown].to_owned(),
        }
    }

    fn shown(&self, from: usize) -> std::ops::Range<usize> {
        let line = &self.text[self.start..self.end];
        if line.chars().nth(SHOWN_CHARACTERS).is_none() {
            return self.start..self.end;
        }
        let back = |at: usize, most: usize| {
            let before = &self.text[self.start..at];
            let taken = before.chars().rev().take(most).map(char::len_utf8);
            at - taken.sum::<usize>()
        };
        let begin = back(from, SHOWN_BEFORE);
        let (mut end, mut taken) = (begin, 0);
        for character in self.text[begin..self.end].chars().take(SHOWN_CHARACTERS) {
            end += character.len_utf8();
            taken += 1;
        }
        back(begin, SHOWN_CHARACTERS - taken)..end
    }
}

/// Length in UTF-16 code units.
fn columns(text: &str) -> u32 {
    let units = text.chars().map(char::len_utf16).sum::<usize>();
    u32::try_from(units).unwrap_or(u32::MAX)
}
