//! Chunks of prose: one section, or several small ones under the same heading.

use std::ops::Range;

use super::{
    ParsedFile, SymbolDraft,
    assemble::push_cut,
    headings::Heading,
    layout::{JOIN_BELOW_BYTES, TARGET_BYTES},
    lines::Lines,
    outline::line_number,
};
use crate::domain::{ChunkKind, LineSpan, SymbolKind};

/// Cuts a text at its headings.
pub(super) fn sections(
    language: &'static str,
    lines: &Lines<'_>,
    headings: &[Heading],
) -> ParsedFile {
    let symbols = symbols(lines, headings);
    let mut chunks = Vec::new();
    for (range, heading) in ranges(lines, headings) {
        let symbol = heading.map(|at| symbols[at].qualified_name.clone());
        let kind = heading.map(|_| SymbolKind::Heading);
        for part in attach_blank(lines, lines.split(&range, TARGET_BYTES)) {
            push_cut(
                &mut chunks,
                lines,
                &part,
                ChunkKind::Section,
                symbol.clone(),
                kind,
            );
        }
    }
    ParsedFile {
        language,
        chunks,
        symbols,
        imports: Vec::new(),
        degraded: None,
    }
}

/// Lines of each section with its heading; small neighbours are one section.
fn ranges(lines: &Lines<'_>, headings: &[Heading]) -> Vec<(Range<usize>, Option<usize>)> {
    let starts = headings
        .iter()
        .map(|heading| heading.line)
        .chain([lines.count()]);
    let mut ranges: Vec<(Range<usize>, Option<usize>)> = Vec::new();
    let mut start = 0;
    for (at, end) in starts.enumerate() {
        if end <= start {
            continue;
        }
        let heading = at.checked_sub(1);
        let range = start..end;
        start = end;
        if let Some((last, first)) = ranges.last_mut() {
            let sizes = (lines.size(last), lines.size(&range));
            let small = sizes.0 < JOIN_BELOW_BYTES || sizes.1 < JOIN_BELOW_BYTES;
            if small && sizes.0 + sizes.1 <= TARGET_BYTES {
                last.end = range.end;
                *first = first.or(heading);
                continue;
            }
        }
        ranges.push((range, heading));
    }
    ranges
}

fn symbols(lines: &Lines<'_>, headings: &[Heading]) -> Vec<SymbolDraft> {
    let mut open: Vec<&Heading> = Vec::new();
    let mut symbols = Vec::with_capacity(headings.len());
    for (at, heading) in headings.iter().enumerate() {
        while open
            .last()
            .is_some_and(|outer| outer.level >= heading.level)
        {
            open.pop();
        }
        open.push(heading);
        let titles: Vec<&str> = open.iter().map(|heading| heading.title.as_str()).collect();
        // A section reaches to the next heading of its level or above.
        let end = headings[at + 1..]
            .iter()
            .find(|next| next.level <= heading.level)
            .map_or(lines.count(), |next| next.line);
        let start = line_number(heading.line);
        symbols.push(SymbolDraft {
            name: heading.title.clone(),
            qualified_name: titles.join(" > "),
            kind: SymbolKind::Heading,
            signature: heading.title.clone(),
            span: LineSpan {
                start,
                end: line_number(end.max(heading.line + 1) - 1),
            },
            name_line: start,
        });
    }
    symbols
}

/// Gives pieces that hold nothing but blank lines to the piece before, or at the start to the next.
pub(super) fn attach_blank(lines: &Lines<'_>, pieces: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut kept: Vec<Range<usize>> = Vec::with_capacity(pieces.len());
    let mut waiting: Option<usize> = None;
    for piece in pieces {
        let is_blank = piece.clone().all(|line| lines.is_blank(line));
        let start = waiting.take().unwrap_or(piece.start);
        match kept.last_mut() {
            Some(last) if is_blank => last.end = piece.end,
            None if is_blank => waiting = Some(start),
            _ => kept.push(start..piece.end),
        }
    }
    if let Some(start) = waiting {
        kept.push(start..lines.count());
    }
    kept
}
