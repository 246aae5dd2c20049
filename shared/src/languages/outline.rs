//! What a file defines: definitions, comments and imports, in file order. `walk` finds them.

use std::{
    cell::RefCell,
    ops::{ControlFlow, Range},
    time::Instant,
};

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::{ImportDraft, ParseLimits, grammar::Grammar, walk::Walk};
use crate::domain::SymbolKind;

/// Longest signature, in characters.
pub(super) const MAX_SIGNATURE: usize = 300;

/// What a file defines.
#[derive(Default)]
pub(super) struct Outline {
    pub definitions: Vec<Definition>,
    /// Byte ranges, in file order.
    pub comments: Vec<Range<usize>>,
    pub imports: Vec<ImportDraft>,
    /// Lines that hold nothing but comments or attributes, ascending.
    pub leading_lines: Vec<usize>,
    /// Bytes inside syntax errors.
    pub error_bytes: usize,
}

/// A definition, or a scope such as `impl` that only names what is inside it.
#[derive(Debug)]
pub(super) struct Definition {
    /// `None` for a scope.
    pub kind: Option<SymbolKind>,
    pub name: String,
    pub qualified_name: String,
    pub signature: String,
    /// Lines from 0, wrappers included, end exclusive.
    pub lines: Range<usize>,
    /// Offset of its name.
    pub name_byte: usize,
    pub end_byte: usize,
    pub parent: Option<usize>,
    /// Only announces what another place defines.
    pub announces: bool,
    /// A scope without a name, which chunks look through.
    pub transparent: bool,
}

impl Definition {
    /// Whether it can be a chunk of its own.
    pub fn is_chunkable(&self) -> bool {
        match self.kind {
            None => !self.transparent,
            Some(kind) => {
                is_type(kind) || matches!(kind, SymbolKind::Function | SymbolKind::Method)
            }
        }
    }
}

pub(super) const fn is_type(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Class
            | SymbolKind::Struct
            | SymbolKind::Interface
            | SymbolKind::Trait
            | SymbolKind::Enum
            | SymbolKind::Module
    )
}

thread_local! {
    /// Parsers are costly to make and cannot be shared; each thread keeps one.
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Parses and walks. An error says which limit was reached.
pub(super) fn outline(
    grammar: &Grammar,
    text: &str,
    limits: &ParseLimits,
) -> Result<Outline, String> {
    let deadline = Instant::now() + limits.time;
    let tree = parse(grammar, text, deadline)?;
    Walk::new(grammar, text, limits.max_nodes, deadline).run(&mut tree.walk())
}

fn parse(grammar: &Grammar, text: &str, deadline: Instant) -> Result<Tree, String> {
    let mut parser = PARSER
        .with(|slot| slot.borrow_mut().take())
        .unwrap_or_default();
    if parser.set_language(&grammar.compiled().language).is_err() {
        return Err("the grammar does not fit the parser".to_owned());
    }
    let bytes = text.as_bytes();
    let mut read = |offset: usize, _| bytes.get(offset..).unwrap_or_default();
    let mut progress = |_: &ParseState| {
        if Instant::now() > deadline {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    // A cancelled parser would go on with the old text.
    parser.reset();
    PARSER.with(|slot| slot.borrow_mut().replace(parser));
    tree.ok_or_else(|| "parsing took too long".to_owned())
}

/// Line number from 1.
pub(super) fn line_number(row: usize) -> u32 {
    u32::try_from(row + 1).unwrap_or(u32::MAX)
}
