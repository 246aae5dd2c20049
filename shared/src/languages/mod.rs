//! Languages: which one a file is in, and what is in the file: chunks, symbols, imports.
//!
//! `registry` lists the languages; each with a grammar has a folder with a table of its node kinds.
//! [`parse`] is pure and never fails: a file that reaches a limit, or that its grammar cannot read,
//! is cut into line windows and says so. Read `outline` for the walk over the syntax tree, `layout`
//! for how lines become chunks. Nothing here recurses over a tree.

mod assemble;
mod bash;
mod c;
mod cpp;
mod csharp;
mod detect;
mod elixir;
mod go;
mod grammar;
mod haskell;
mod headings;
mod java;
mod javascript;
mod keywords;
mod kotlin;
mod layout;
mod lines;
mod lua;
mod nesting;
mod outline;
mod parsed;
mod php;
mod prose;
mod python;
mod registry;
mod ruby;
mod rust;
mod scala;
mod signature;
#[cfg(test)]
mod snapshots;
mod swift;
#[cfg(test)]
mod tests;
mod walk;
mod zig;

pub use detect::detect;
pub use parsed::{ChunkDraft, ImportDraft, ParseInput, ParseLimits, ParsedFile, SymbolDraft};
pub use registry::Language;

use grammar::Grammar;
use lines::Lines;
use outline::Outline;
use registry::Reader;

use crate::domain::ChunkKind;

/// Cuts a file into chunks and names what it defines and imports.
///
/// The chunks cover every line of the text in order; an empty text has none. Deterministic, except
/// that the time limit depends on the machine.
#[must_use]
pub fn parse(input: &ParseInput<'_>, limits: &ParseLimits) -> ParsedFile {
    let lines = Lines::new(input.text);
    let language = input.language;
    match language.reader() {
        Reader::Syntax(grammar) => syntax(input, grammar, &lines, limits),
        Reader::Markdown => prose::sections(language.name(), &lines, &headings::markdown(&lines)),
        Reader::Headings => prose::sections(language.name(), &lines, &headings::marked(&lines)),
        Reader::Keywords => windows(language.name(), &lines, true, None),
        Reader::Windows => windows(language.name(), &lines, false, None),
    }
}

fn syntax(
    input: &ParseInput<'_>,
    grammar: &'static Grammar,
    lines: &Lines<'_>,
    limits: &ParseLimits,
) -> ParsedFile {
    let name = input.language.name();
    if nesting::is_too_deep(input.text, limits.max_nesting, grammar.nests_comments) {
        return windows(
            name,
            lines,
            true,
            Some(format!("nested deeper than {} levels", limits.max_nesting)),
        );
    }
    let outline = match outline::outline(grammar, input.text, limits) {
        Ok(outline) => outline,
        Err(limit) => return windows(name, lines, true, Some(limit)),
    };
    let (name, outline) = better_sibling(input, name, outline, limits);
    if is_unreadable(&outline, lines) {
        return windows(
            name,
            lines,
            true,
            Some("most of the file does not follow its grammar".to_owned()),
        );
    }
    let pieces = layout::divide(lines, &outline);
    ParsedFile {
        language: name,
        chunks: assemble::chunks(lines, &outline, &pieces),
        symbols: assemble::symbols(lines, &outline),
        imports: outline.imports,
        degraded: None,
    }
}

/// Share of a file in syntax errors from which its sibling grammar is tried: a fiftieth.
const SUSPICIOUS: usize = 50;

/// Tries the other grammar of a family when the first one stumbles, and keeps what reads better.
fn better_sibling(
    input: &ParseInput<'_>,
    name: &'static str,
    outline: Outline,
    limits: &ParseLimits,
) -> (&'static str, Outline) {
    let sibling = match name {
        "c" if input.path.extension() == Some("h") => "cpp",
        "typescript" => "tsx",
        _ => return (name, outline),
    };
    // One colon is all that inheritance looks like to the grammar of C.
    let is_doubtful = if name == "c" {
        outline.error_bytes > 0
    } else {
        outline.error_bytes * SUSPICIOUS > input.text.len()
    };
    if !is_doubtful {
        return (name, outline);
    }
    let Some(Reader::Syntax(grammar)) = Language::named(sibling).map(Language::reader) else {
        return (name, outline);
    };
    match outline::outline(grammar, input.text, limits) {
        Ok(other) if other.error_bytes * 2 < outline.error_bytes => (sibling, other),
        _ => (name, outline),
    }
}

/// Whether the grammar cannot read the file: syntax errors cover most of it, and it found less than
/// half of what the keywords find. Grammars recover well: one macro may put all of a file under an
/// error in which every function is still whole.
fn is_unreadable(outline: &Outline, lines: &Lines<'_>) -> bool {
    if outline.error_bytes * 2 <= lines.text().len() {
        return false;
    }
    let found = outline
        .definitions
        .iter()
        .filter(|definition| definition.is_chunkable())
        .count();
    found == 0 || found * 2 < keywords::scan(lines).len()
}

/// A file in line windows.
fn windows(
    language: &'static str,
    lines: &Lines<'_>,
    is_code: bool,
    degraded: Option<String>,
) -> ParsedFile {
    let pieces = lines.split(&(0..lines.count()), layout::TARGET_BYTES);
    let pieces = prose::attach_blank(lines, pieces);
    let mut chunks = assemble::plain_chunks(lines, &pieces, ChunkKind::Window);
    let symbols = if is_code {
        keywords::scan(lines)
    } else {
        Vec::new()
    };
    for symbol in &symbols {
        let holder = chunks
            .iter_mut()
            .rev()
            .find(|chunk| chunk.span.start <= symbol.name_line);
        if let Some(chunk) = holder.filter(|chunk| !chunk.defines.contains(&symbol.name)) {
            chunk.defines.push(symbol.name.clone());
            chunk.signatures.push(symbol.signature.clone());
        }
    }
    ParsedFile {
        language,
        chunks,
        symbols,
        imports: Vec::new(),
        degraded,
    }
}
