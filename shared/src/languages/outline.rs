//! One walk over a syntax tree: definitions, comments and imports, in file order.

use std::{
    cell::RefCell,
    ops::{ControlFlow, Range},
    time::Instant,
};

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree, TreeCursor};

use super::{
    ImportDraft, ParseLimits,
    grammar::{Finding, Found, Grammar, Rule, Site, one_line},
};
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
    /// Offset of the definition without its wrappers.
    pub start_byte: usize,
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
    let mut walk = Walk::new(grammar, text, limits.max_nodes, deadline);
    walk.run(&mut tree.walk())?;
    Ok(walk.outline)
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

/// A definition or scope that encloses the current node.
struct Scope {
    depth: u32,
    definition: usize,
    in_function: bool,
    is_type: bool,
}

/// A wrapper around the current node, whose lines the definition inside takes over.
struct Wrapping {
    depth: u32,
    start_line: usize,
    end_byte: usize,
    end_line: usize,
}

struct Walk<'a> {
    grammar: &'a Grammar,
    text: &'a str,
    nodes_left: usize,
    deadline: Instant,
    scopes: Vec<Scope>,
    wrapping: Option<Wrapping>,
    error_end: usize,
    outline: Outline,
}

impl<'a> Walk<'a> {
    fn new(grammar: &'a Grammar, text: &'a str, max_nodes: usize, deadline: Instant) -> Self {
        Self {
            grammar,
            text,
            nodes_left: max_nodes,
            deadline,
            scopes: Vec::new(),
            wrapping: None,
            error_end: 0,
            outline: Outline::default(),
        }
    }

    /// Visits every node before its children, with the cursor as the only stack.
    fn run(&mut self, cursor: &mut TreeCursor<'_>) -> Result<(), String> {
        let rules = &self.grammar.compiled().rules;
        let mut depth = 0_u32;
        loop {
            self.count_node()?;
            let node = cursor.node();
            while self.scopes.last().is_some_and(|scope| scope.depth >= depth) {
                self.scopes.pop();
            }
            if node.is_error() {
                self.visit_error(&node);
            }
            let rule = rules.get(usize::from(node.kind_id())).copied().flatten();
            let descends = match rule {
                None => true,
                Some(rule) => self.visit(node, rule, depth),
            };
            if descends && cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Ok(());
                }
                depth -= 1;
            }
        }
    }

    fn count_node(&mut self) -> Result<(), String> {
        self.nodes_left = self
            .nodes_left
            .checked_sub(1)
            .ok_or("too many syntax nodes")?;
        // The clock is slow to read.
        if self.nodes_left.is_multiple_of(65_536) && Instant::now() > self.deadline {
            return Err("walking the syntax tree took too long".to_owned());
        }
        Ok(())
    }

    fn visit_error(&mut self, node: &Node<'_>) {
        // Errors inside errors are counted with the outermost.
        if node.start_byte() >= self.error_end {
            self.error_end = node.end_byte();
            self.outline.error_bytes += node.byte_range().len();
        }
    }

    /// Records what the node is; whether its children matter.
    fn visit(&mut self, node: Node<'_>, rule: Rule, depth: u32) -> bool {
        let finding = match rule {
            Rule::Leaf => return false,
            Rule::Comment => Finding::Comment,
            Rule::Leading => Finding::Leading,
            Rule::Wrapper => Finding::Wrapper,
            Rule::Define(kind) => match node.child_by_field_name("name") {
                Some(name) => {
                    Finding::define(kind, self.text.get(name.byte_range()).unwrap_or_default())
                }
                None => Finding::Nothing,
            },
            Rule::Inspect(inspect) => inspect(&self.site(node)),
        };
        match finding {
            Finding::Nothing => true,
            Finding::Comment => {
                self.add_comment(&node);
                self.mark_leading(&node);
                false
            }
            Finding::Leading => {
                self.mark_leading(&node);
                true
            }
            Finding::Wrapper => {
                self.wrap(&node, depth);
                true
            }
            Finding::Imports(sources) => {
                let line = line_number(node.start_position().row);
                let imports = sources
                    .into_iter()
                    .map(|source| ImportDraft { source, line });
                self.outline.imports.extend(imports);
                true
            }
            Finding::Scope(name) => {
                self.enter_scope(&node, name, depth);
                true
            }
            Finding::Define(found) => {
                self.define(node, found, depth);
                true
            }
        }
    }

    fn site<'tree>(&self, node: Node<'tree>) -> Site<'tree, 'a> {
        let scope = self.scopes.last();
        Site {
            node,
            text: self.text,
            in_function: scope.is_some_and(|scope| scope.in_function),
            in_type: scope.is_some_and(|scope| scope.is_type),
        }
    }

    fn add_comment(&mut self, node: &Node<'_>) {
        self.outline.comments.push(node.byte_range());
    }

    /// Remembers the node's lines if it stands alone on them.
    fn mark_leading(&mut self, node: &Node<'_>) {
        let start = node.start_position();
        let before = &self.text[node.start_byte() - start.column..node.start_byte()];
        if !before.trim_ascii().is_empty() {
            return;
        }
        let lines = start.row..end_line(node);
        let next = self.outline.leading_lines.last().map_or(0, |line| line + 1);
        self.outline
            .leading_lines
            .extend(lines.start.max(next)..lines.end);
    }

    fn wrap(&mut self, node: &Node<'_>, depth: u32) {
        let outer = self
            .wrapping
            .take()
            .filter(|outer| outer.depth + 1 == depth);
        let start_line = outer.map_or(node.start_position().row, |outer| outer.start_line);
        self.wrapping = Some(Wrapping {
            depth,
            start_line,
            end_byte: node.end_byte(),
            end_line: end_line(node),
        });
    }

    fn enter_scope(&mut self, node: &Node<'_>, name: Option<String>, depth: u32) {
        let outer = self.scopes.last();
        let transparent = name.is_none();
        let is_type = !transparent || outer.is_some_and(|scope| scope.is_type);
        let in_function = outer.is_some_and(|scope| scope.in_function);
        let name = name.unwrap_or_default();
        let definition = Definition {
            kind: None,
            qualified_name: self.qualify(None, &name),
            name,
            signature: String::new(),
            lines: node.start_position().row..end_line(node),
            start_byte: node.start_byte(),
            end_byte: node.end_byte(),
            parent: outer.map(|scope| scope.definition),
            announces: false,
            transparent,
        };
        self.push_scope(definition, depth, in_function, is_type);
    }

    fn push_scope(&mut self, definition: Definition, depth: u32, in_function: bool, is_type: bool) {
        let index = self.outline.definitions.len();
        self.outline.definitions.push(definition);
        self.scopes.push(Scope {
            depth,
            definition: index,
            in_function,
            is_type,
        });
    }

    /// The qualified name of something inside the current scopes.
    fn qualify(&self, qualifier: Option<&str>, name: &str) -> String {
        let outer = self.scopes.last().map(|scope| {
            self.outline.definitions[scope.definition]
                .qualified_name
                .as_str()
        });
        let parts = [outer, qualifier, Some(name)]
            .into_iter()
            .flatten()
            .filter(|part| !part.is_empty());
        let mut qualified = String::new();
        for part in parts {
            if !qualified.is_empty() {
                qualified.push('.');
            }
            qualified.push_str(part);
        }
        qualified
    }

    fn define(&mut self, node: Node<'_>, found: Found, depth: u32) {
        let lines = self.take_lines(&node, depth);
        let in_type = self.scopes.last().is_some_and(|scope| scope.is_type);
        let is_method =
            found.kind == SymbolKind::Function && (in_type || found.qualifier.is_some());
        let kind = if is_method {
            SymbolKind::Method
        } else {
            found.kind
        };
        let qualified_name = self.qualify(found.qualifier.as_deref(), &found.name);
        if self.join_clause(&qualified_name, &lines, &node, depth) {
            return;
        }
        let outer_function = self.scopes.last().is_some_and(|scope| scope.in_function);
        let parent = self.scopes.last().map(|scope| scope.definition);
        let signature = self.signature(node, kind);
        let definition = |name: &str, qualified_name: String, signature: String| Definition {
            kind: Some(kind),
            name: name.to_owned(),
            qualified_name,
            signature,
            lines: lines.clone(),
            start_byte: node.start_byte(),
            end_byte: node.end_byte(),
            parent,
            announces: found.announces,
            transparent: false,
        };
        let also: Vec<Definition> = found
            .also
            .iter()
            .map(|name| {
                definition(
                    name,
                    self.qualify(found.qualifier.as_deref(), name),
                    signature.clone(),
                )
            })
            .collect();
        let main = definition(&found.name, qualified_name, signature.clone());
        let is_function = matches!(kind, SymbolKind::Function | SymbolKind::Method);
        if is_type(kind) || is_function {
            // A type inside a function has members again.
            let in_function = is_function || outer_function && !is_type(kind);
            self.push_scope(
                main,
                depth,
                in_function,
                is_type(kind) && kind != SymbolKind::Module,
            );
        } else {
            self.outline.definitions.push(main);
        }
        self.outline.definitions.extend(also);
    }

    /// The lines of a definition, those of its wrapper included.
    fn take_lines(&mut self, node: &Node<'_>, depth: u32) -> Range<usize> {
        let own = node.start_position().row..end_line(node);
        let Some(wrapping) = self
            .wrapping
            .take()
            .filter(|wrapping| wrapping.depth + 1 == depth)
        else {
            return own;
        };
        let rest = self
            .text
            .get(node.end_byte()..wrapping.end_byte)
            .unwrap_or_default();
        let end = if rest.trim_end().contains('\n') {
            own.end
        } else {
            wrapping.end_line.max(own.end)
        };
        wrapping.start_line..end
    }

    /// Extends the definition before this one if both are clauses of one function.
    fn join_clause(
        &mut self,
        qualified_name: &str,
        lines: &Range<usize>,
        node: &Node<'_>,
        depth: u32,
    ) -> bool {
        if !self.grammar.joins_clauses {
            return false;
        }
        let parent = self.scopes.last().map(|scope| scope.definition);
        let Some((index, last)) = self
            .outline
            .definitions
            .iter_mut()
            .enumerate()
            .rev()
            .find(|(_, definition)| definition.parent == parent)
        else {
            return false;
        };
        let is_function = matches!(last.kind, Some(SymbolKind::Function | SymbolKind::Method));
        if !is_function
            || last.qualified_name != qualified_name
            || last.end_byte > node.start_byte()
        {
            return false;
        }
        // Other statements between two clauses keep them apart; blank lines and comments do not.
        let between = self
            .text
            .get(last.end_byte..node.start_byte())
            .unwrap_or_default();
        let only_comments = between.lines().all(|line| {
            let line = line.trim();
            line.is_empty() || line.starts_with(['#', '-', '@'])
        });
        if !only_comments {
            return false;
        }
        last.lines.end = lines.end;
        last.end_byte = node.end_byte();
        self.scopes.push(Scope {
            depth,
            definition: index,
            in_function: true,
            is_type: false,
        });
        true
    }

    /// The definition's text up to its body, on one line.
    fn signature(&self, node: Node<'_>, kind: SymbolKind) -> String {
        let start = node.start_byte();
        let body = node.child_by_field_name("body").or_else(|| {
            let mut cursor = node.walk();
            node.children(&mut cursor)
                .find(|child| self.grammar.bodies.contains(&child.kind()))
        });
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let whole = self.text.get(start..end).unwrap_or_default();
        let has_signature =
            is_type(kind) || matches!(kind, SymbolKind::Function | SymbolKind::Method);
        let text = if body.is_some() && has_signature {
            whole
        } else if has_signature {
            // Without a body the signature ends at the first line that does.
            whole.split("\n\n").next().unwrap_or_default()
        } else {
            whole.lines().next().unwrap_or_default()
        };
        let line = one_line(text, MAX_SIGNATURE);
        let trimmed = line.trim_end_matches(['{', ':', '=', ';', ',']);
        trimmed
            .trim_end()
            .trim_end_matches(" do")
            .trim_end()
            .to_owned()
    }
}

/// The line behind the last line of a node.
fn end_line(node: &Node<'_>) -> usize {
    let end = node.end_position();
    // A node that ends with its line break does not reach into the next line.
    if end.column == 0 && end.row > node.start_position().row {
        end.row
    } else {
        end.row + 1
    }
}

/// Line number from 1.
pub(super) fn line_number(row: usize) -> u32 {
    u32::try_from(row + 1).unwrap_or(u32::MAX)
}
