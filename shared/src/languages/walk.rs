//! One walk over a syntax tree with the table of its language.
//!
//! Nodes are visited before their children; the cursor is the only stack, so depth costs nothing.

use std::{ops::Range, time::Instant};

use tree_sitter::{Node, TreeCursor};

use super::{
    ImportDraft,
    grammar::{Finding, Found, Grammar, Rule, Site},
    outline::{Definition, Outline, is_type, line_number},
    signature::{name_offset, signature},
};
use crate::domain::SymbolKind;

/// How far down the last token of a node is looked for.
const MAX_TRAILING_DEPTH: usize = 200;

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
    start_byte: usize,
    end_byte: usize,
    end_line: usize,
}

pub(super) struct Walk<'a> {
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
    pub fn new(grammar: &'a Grammar, text: &'a str, max_nodes: usize, deadline: Instant) -> Self {
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
    pub fn run(mut self, cursor: &mut TreeCursor<'_>) -> Result<Outline, String> {
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
                    return Ok(self.outline);
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
        let lines = start.row..self.end_line(node);
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
        let (start_line, start_byte) = outer
            .map_or((node.start_position().row, node.start_byte()), |outer| {
                (outer.start_line, outer.start_byte)
            });
        self.wrapping = Some(Wrapping {
            depth,
            start_line,
            start_byte,
            end_byte: node.end_byte(),
            end_line: self.end_line(node),
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
            lines: node.start_position().row..self.end_line(node),
            name_byte: node.start_byte(),
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
        let (lines, head) = self.take_lines(&node, depth);
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
        let body = self.body_start(node);
        let range = node.start_byte()..node.end_byte();
        let name_byte = name_offset(self.text, &range, &found.name);
        let signature = signature(
            self.text,
            &(head..body.unwrap_or(range.end)),
            body.is_some(),
            kind,
            name_byte,
        );
        let definition = |name: &str, qualified_name: String, signature: String| Definition {
            kind: Some(kind),
            name: name.to_owned(),
            qualified_name,
            signature,
            lines: lines.clone(),
            name_byte,
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

    /// The lines of a definition, those of its wrapper included, and where its signature begins: at
    /// a wrapper such as `export` if that is on the same line.
    fn take_lines(&mut self, node: &Node<'_>, depth: u32) -> (Range<usize>, usize) {
        let own = node.start_position().row..self.end_line(node);
        let wrapping = self.wrapping.take();
        let Some(wrapping) = wrapping.filter(|wrapping| wrapping.depth + 1 == depth) else {
            return (own, node.start_byte());
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
        let head = if wrapping.start_line == own.start {
            wrapping.start_byte
        } else {
            node.start_byte()
        };
        (wrapping.start_line..end, head)
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

    /// The line behind the last line of a node. Grammars with significant indentation end a node
    /// where the next token begins; what counts is its last token that is no comment.
    fn end_line(&self, node: &Node<'_>) -> usize {
        let end = node.end_position();
        let before = self
            .text
            .get(node.end_byte() - end.column..node.end_byte())
            .unwrap_or_default();
        if !before.trim_ascii().is_empty() || end.row == node.start_position().row {
            return end.row + 1;
        }
        let rules = &self.grammar.compiled().rules;
        let mut last = *node;
        for _ in 0..MAX_TRAILING_DEPTH {
            let mut at = last.child_count();
            let mut next = None;
            while at > 0 && next.is_none() {
                at -= 1;
                next = last.child(at).filter(|child| {
                    let rule = rules.get(usize::from(child.kind_id()));
                    !child.byte_range().is_empty() && !matches!(rule, Some(Some(Rule::Comment)))
                });
            }
            let Some(child) = next else {
                break;
            };
            last = child;
        }
        let text = self.text.get(last.byte_range()).unwrap_or_default();
        let lines = text
            .trim_end()
            .bytes()
            .filter(|byte| *byte == b'\n')
            .count();
        last.start_position().row + lines + 1
    }

    /// Where the body of a definition begins, or a comment before it.
    fn body_start(&self, node: Node<'_>) -> Option<usize> {
        let field = node.child_by_field_name("body");
        let rules = &self.grammar.compiled().rules;
        let mut cursor = node.walk();
        let ends = |child: &Node<'_>| {
            Some(*child) == field
                || self.grammar.bodies.contains(&child.kind())
                || matches!(
                    rules.get(usize::from(child.kind_id())),
                    Some(Some(Rule::Comment))
                ) && child.start_byte() > node.start_byte()
        };
        let found = node.children(&mut cursor).find(ends);
        found.or(field).map(|child| child.start_byte())
    }
}
