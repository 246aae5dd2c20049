//! From divided lines to chunks: offsets, names, signatures and comments.

use std::ops::Range;

use super::{
    ChunkDraft, SymbolDraft,
    layout::{Part, Piece},
    lines::Lines,
    outline::{Outline, is_type, line_number},
};
use crate::domain::{ChunkKind, LineSpan, SymbolKind};

/// No chunk is larger, so that no text exceeds what an embedder reads. Only a single long line
/// comes near; it is cut between characters.
pub(super) const MAX_BYTES: usize = 4_000;

/// Chunks of a file with an outline.
pub(super) fn chunks(lines: &Lines<'_>, outline: &Outline, pieces: &[Piece]) -> Vec<ChunkDraft> {
    let mut chunks = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let (kind, definition) = match piece.part {
            Part::Outside => (ChunkKind::Statements, None),
            Part::Whole(index) | Part::Inside(index) => {
                let kind = outline.definitions[index].kind;
                let is_function = matches!(kind, Some(SymbolKind::Function | SymbolKind::Method));
                (
                    if is_function {
                        ChunkKind::Function
                    } else {
                        ChunkKind::Type
                    },
                    Some(index),
                )
            }
        };
        let symbol = definition.map(|index| outline.definitions[index].qualified_name.clone());
        let symbol_kind = definition.and_then(|index| outline.definitions[index].kind);
        push_cut(&mut chunks, lines, &piece.lines, kind, symbol, symbol_kind);
    }
    fill_definitions(&mut chunks, outline);
    fill_comments(&mut chunks, lines.text(), outline);
    chunks
}

/// A chunk without symbols.
pub(super) fn plain_chunks(
    lines: &Lines<'_>,
    pieces: &[Range<usize>],
    kind: ChunkKind,
) -> Vec<ChunkDraft> {
    let mut chunks = Vec::with_capacity(pieces.len());
    for piece in pieces {
        push_cut(&mut chunks, lines, piece, kind, None, None);
    }
    chunks
}

/// Adds the lines as one chunk, or as several where they are too long.
pub(super) fn push_cut(
    chunks: &mut Vec<ChunkDraft>,
    lines: &Lines<'_>,
    range: &Range<usize>,
    kind: ChunkKind,
    symbol: Option<String>,
    symbol_kind: Option<SymbolKind>,
) {
    let mut push = |start: usize, end: usize| {
        chunks.push(ChunkDraft {
            kind,
            symbol: symbol.clone(),
            symbol_kind,
            span: LineSpan {
                start: line_number(lines.of(start)),
                end: line_number(lines.of(end.saturating_sub(1).max(start))),
            },
            start_byte: start,
            end_byte: end,
            defines: Vec::new(),
            signatures: Vec::new(),
            comments: String::new(),
        });
    };
    if lines.size(range) <= MAX_BYTES {
        return push(lines.start(range.start), lines.start(range.end));
    }
    for part in lines.split(range, MAX_BYTES) {
        let (mut start, end) = (lines.start(part.start), lines.start(part.end));
        while end - start > MAX_BYTES {
            let mut cut = best_cut(lines.text(), start);
            if lines.text()[cut..end].trim().is_empty() {
                // Leave more than a line break to the last piece.
                cut = lines.text().floor_char_boundary(start + MAX_BYTES / 2);
            }
            push(start, cut);
            start = cut;
        }
        push(start, end);
    }
}

/// Where to cut a long line: behind the last separator near the limit, else at the limit.
fn best_cut(text: &str, start: usize) -> usize {
    let limit = text.floor_char_boundary(start + MAX_BYTES);
    let from = text.floor_char_boundary(limit - MAX_BYTES / 8);
    let window = &text.as_bytes()[from..limit];
    match window
        .iter()
        .rposition(|byte| matches!(byte, b' ' | b',' | b';' | b'\t'))
    {
        Some(at) => from + at + 1,
        None => limit,
    }
}

/// The chunk that holds an offset.
fn chunk_at(chunks: &[ChunkDraft], offset: usize) -> Option<usize> {
    chunks
        .partition_point(|chunk| chunk.start_byte <= offset)
        .checked_sub(1)
}

fn fill_definitions(chunks: &mut [ChunkDraft], outline: &Outline) {
    for (index, definition) in outline.definitions.iter().enumerate() {
        let Some(kind) = definition.kind else {
            continue;
        };
        if matches!(kind, SymbolKind::Field | SymbolKind::Heading) {
            continue;
        }
        let Some(at) = chunk_at(chunks, definition.name_byte) else {
            continue;
        };
        let chunk = &mut chunks[at];
        if kind != SymbolKind::EnumMember && !chunk.signatures.contains(&definition.signature) {
            chunk.signatures.push(definition.signature.clone());
        }
        let is_shell = kind == SymbolKind::Module && only_wraps(outline, index);
        let named = !definition.announces && !is_shell && !is_local(chunk, outline, index);
        if named && !chunk.defines.contains(&definition.name) {
            chunk.defines.push(definition.name.clone());
        }
    }
}

/// Whether a function stands inside another one that begins in the same chunk. Where the outer one
/// is so large that it was opened, what is inside it is worth its own name.
fn is_local(chunk: &ChunkDraft, outline: &Outline, index: usize) -> bool {
    let is_function =
        |kind: Option<SymbolKind>| matches!(kind, Some(SymbolKind::Function | SymbolKind::Method));
    let definition = &outline.definitions[index];
    is_function(definition.kind)
        && definition.parent.is_some_and(|parent| {
            let outer = &outline.definitions[parent];
            is_function(outer.kind) && outer.name_byte >= chunk.start_byte
        })
}

/// Whether a module holds nothing of its own but types and modules: it only lends them its name,
/// as `module Rack` does in every file of that library.
fn only_wraps(outline: &Outline, module: usize) -> bool {
    let mut children = outline
        .definitions
        .iter()
        .filter(|definition| definition.parent == Some(module))
        .peekable();
    children.peek().is_some() && children.all(|child| child.kind.is_some_and(is_type))
}

fn fill_comments(chunks: &mut [ChunkDraft], text: &str, outline: &Outline) {
    for comment in &outline.comments {
        let mut start = comment.start;
        // A comment may reach over several chunks.
        while start < comment.end {
            let Some(at) = chunk_at(chunks, start) else {
                break;
            };
            let chunk = &mut chunks[at];
            let end = comment.end.min(chunk.end_byte);
            if end <= start {
                break;
            }
            push_comment(
                &mut chunk.comments,
                text.get(start..end).unwrap_or_default(),
            );
            start = end;
        }
    }
}

/// Adds the words of a comment without its marks.
fn push_comment(comments: &mut String, text: &str) {
    for line in text.lines().filter(|line| !line.starts_with("#!")) {
        let line = line
            .trim()
            .trim_start_matches(['/', '*', '#', '!', '-', '"', '\'', '{', ';']);
        let line = line
            .trim_end_matches(['/', '*', '-', '"', '\'', '}'])
            .trim();
        let marks = ["| ", "@moduledoc", "@typedoc", "@doc"];
        let line = marks
            .iter()
            .find_map(|mark| line.strip_prefix(mark))
            .unwrap_or(line);
        let line = line.trim_start_matches([' ', '"']);
        if line
            .bytes()
            .any(|byte| byte.is_ascii_alphanumeric() || byte >= 0x80)
        {
            if !comments.is_empty() {
                comments.push('\n');
            }
            comments.push_str(line);
        }
    }
}

/// Symbols of a file with an outline.
pub(super) fn symbols(lines: &Lines<'_>, outline: &Outline) -> Vec<SymbolDraft> {
    let named = outline
        .definitions
        .iter()
        .filter_map(|definition| Some((definition, definition.kind?)));
    let symbols = named.map(|(definition, kind)| SymbolDraft {
        name: definition.name.clone(),
        qualified_name: definition.qualified_name.clone(),
        kind,
        signature: definition.signature.clone(),
        span: LineSpan {
            start: line_number(definition.lines.start),
            end: line_number(definition.lines.end.max(definition.lines.start + 1) - 1),
        },
        name_line: line_number(lines.of(definition.name_byte)),
    });
    symbols.collect()
}
