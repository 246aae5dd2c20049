//! What goes into the parser and what comes out.

use std::time::Duration;

use super::Language;
use crate::domain::{ChunkKind, LineSpan, RepositoryPath, SymbolKind};

/// A decoded file to parse.
#[derive(Debug, Clone, Copy)]
pub struct ParseInput<'a> {
    pub path: &'a RepositoryPath,
    /// Text as `policy::decide_by_content` returned it.
    pub text: &'a str,
    pub language: Language,
}

/// Limits for one file. Reaching one degrades the file to line windows, it never fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseLimits {
    /// Longest time inside a grammar.
    pub time: Duration,
    /// Most nodes of a syntax tree that are visited.
    pub max_nodes: usize,
    /// Deepest nesting of brackets or comments that a grammar is given.
    pub max_nesting: usize,
}

impl Default for ParseLimits {
    fn default() -> Self {
        Self {
            // A 1 MiB file takes a fifth of a second, more on a busy machine, where a good file must
            // not degrade; pathological input takes for ever.
            time: Duration::from_secs(10),
            // A 1 MiB file has about half a million nodes.
            max_nodes: 2_000_000,
            // People stay under 50, generated tables under 200; scanners in C crash near 40,000.
            max_nesting: 1_000,
        }
    }
}

/// A parsed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedFile {
    /// Language name as in the ledger. May differ from the input's where content says so.
    pub language: &'static str,
    /// In file order. Together they cover every line; only pieces of one long line share a line.
    pub chunks: Vec<ChunkDraft>,
    /// In file order.
    pub symbols: Vec<SymbolDraft>,
    pub imports: Vec<ImportDraft>,
    /// Why the file was cut into line windows although its language has a grammar.
    pub degraded: Option<String>,
}

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkDraft {
    pub kind: ChunkKind,
    /// Qualified name of the symbol that fills most of the chunk, or encloses it: `Cache.insert`.
    pub symbol: Option<String>,
    pub symbol_kind: Option<SymbolKind>,
    pub span: LineSpan,
    /// UTF-8 offset of the first byte. At the start of a line, except inside a long line.
    pub start_byte: usize,
    /// UTF-8 offset behind the last byte, line break included.
    pub end_byte: usize,
    /// Simple names of the symbols that are defined here; no fields, locals or headings.
    pub defines: Vec<String>,
    /// Signatures of the symbols that are defined here.
    pub signatures: Vec<String>,
    /// Text of comments and documentation strings, without the comment marks.
    pub comments: String,
}

/// A named thing of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolDraft {
    pub name: String,
    /// With the enclosing symbols: `Cache.insert`; `Guide > Install` for headings.
    pub qualified_name: String,
    pub kind: SymbolKind,
    /// One line of at most 300 characters.
    pub signature: String,
    pub span: LineSpan,
    /// The line on which the name stands.
    pub name_line: u32,
}

/// A dependency as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportDraft {
    /// Module, path or namespace, without quotes.
    pub source: String,
    pub line: u32,
}
