//! How a language is described: its grammar and a table that says what each kind of node means.
//!
//! One walk over the tree with a table indexed by node kind is several times faster than running
//! queries, and a table is as easy to read. What a table cannot say is a small function.

use std::sync::OnceLock;

use tree_sitter::{Language as TreeSitterLanguage, Node};

use crate::domain::SymbolKind;

/// What a kind of node means.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// Defines a symbol whose name is the field `name`.
    Define(SymbolKind),
    /// Wraps a definition: export, decorators, template parameters.
    Wrapper,
    /// Belongs to the definition on the next line: attributes.
    Leading,
    Comment,
    /// Nothing of interest inside.
    Leaf,
    /// Decided by looking at the node.
    Inspect(fn(&Site<'_, '_>) -> Finding),
}

/// A node in its surroundings.
pub(super) struct Site<'tree, 'text> {
    pub node: Node<'tree>,
    pub text: &'text str,
    /// Inside the body of a function.
    pub in_function: bool,
    /// Directly inside a class or another type, an implementation of it included.
    pub in_type: bool,
}

impl<'text> Site<'_, 'text> {
    /// Text of a node.
    pub fn text_of(&self, node: Node<'_>) -> &'text str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Text of a field of this node.
    pub fn field(&self, name: &str) -> Option<&'text str> {
        self.node
            .child_by_field_name(name)
            .map(|node| self.text_of(node))
    }

    /// First child of one of the kinds.
    pub fn child(&self, kinds: &[&str]) -> Option<Node<'_>> {
        first_child(self.node, kinds)
    }
}

/// First named child of one of the kinds.
pub(super) fn first_child<'tree>(node: Node<'tree>, kinds: &[&str]) -> Option<Node<'tree>> {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .find(|child| kinds.contains(&child.kind()))
}

/// What a node turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Finding {
    Nothing,
    Define(Found),
    /// Names what is inside without defining it: `impl`, `extension`. `None` names nothing.
    Scope(Option<String>),
    Wrapper,
    Leading,
    Comment,
    Imports(Vec<String>),
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub kind: SymbolKind,
    pub name: String,
    /// What stands before the name in its own syntax: `Cache` in `func (c *Cache) Get()`.
    pub qualifier: Option<String>,
    /// More names that the same node defines.
    pub also: Vec<String>,
    /// Only announces what another place defines: a prototype.
    pub announces: bool,
}

impl Finding {
    pub fn define(kind: SymbolKind, name: &str) -> Self {
        Self::qualified(kind, name, None)
    }

    pub fn qualified(kind: SymbolKind, name: &str, qualifier: Option<String>) -> Self {
        if name.is_empty() || name.len() > MAX_NAME_BYTES || name.contains('\n') {
            return Self::Nothing;
        }
        Self::Define(Found {
            kind,
            name: name.to_owned(),
            qualifier,
            also: Vec::new(),
            announces: false,
        })
    }

    pub fn import(source: &str) -> Self {
        let source = unquote(source);
        if source.is_empty() {
            Self::Nothing
        } else {
            Self::Imports(vec![source])
        }
    }
}

/// Longer names are syntax errors or data.
const MAX_NAME_BYTES: usize = 200;

/// Text on one line without the quotes around it.
pub(super) fn unquote(text: &str) -> String {
    let trimmed = text
        .trim()
        .trim_matches(|c| matches!(c, '"' | '\'' | '`' | '<' | '>'));
    one_line(trimmed, 300)
}

/// Text with runs of white space as one space, cut after `limit` characters.
pub(super) fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::with_capacity(text.len().min(limit));
    let mut count = 0;
    for word in text.split_whitespace() {
        if count > 0 {
            line.push(' ');
            count += 1;
        }
        for character in word.chars() {
            if count >= limit {
                return line;
            }
            line.push(character);
            count += 1;
        }
    }
    line
}

/// `MAX_SIZE` is a constant wherever the language has no word for it.
pub(super) fn constant_or_variable(name: &str) -> SymbolKind {
    let shouts = name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
    if shouts {
        SymbolKind::Constant
    } else {
        SymbolKind::Variable
    }
}

/// A grammar with its table.
pub(super) struct Grammar {
    language: fn() -> TreeSitterLanguage,
    rules: &'static [(&'static str, Rule)],
    /// Kinds of nodes that are the body of a definition, so that the signature ends there.
    pub bodies: &'static [&'static str],
    /// Several definitions of one name in a row are one function (Elixir, Haskell).
    pub joins_clauses: bool,
    /// How comments nest, for the guard before parsing.
    pub nests_comments: bool,
    compiled: OnceLock<Compiled>,
}

/// A grammar that is ready to use.
pub(super) struct Compiled {
    pub language: TreeSitterLanguage,
    /// The rule of each node kind, by its number.
    pub rules: Vec<Option<Rule>>,
}

impl Grammar {
    pub const fn new(
        language: fn() -> TreeSitterLanguage,
        rules: &'static [(&'static str, Rule)],
        bodies: &'static [&'static str],
    ) -> Self {
        Self {
            language,
            rules,
            bodies,
            joins_clauses: false,
            nests_comments: false,
            compiled: OnceLock::new(),
        }
    }

    pub const fn joining_clauses(mut self) -> Self {
        self.joins_clauses = true;
        self
    }

    pub const fn nesting_comments(mut self) -> Self {
        self.nests_comments = true;
        self
    }

    /// The table by node number, made on first use.
    pub fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| {
            let language = (self.language)();
            let count = language.node_kind_count();
            let rule_of = |id: usize| {
                let id = u16::try_from(id).ok()?;
                let kind = language.node_kind_for_id(id)?;
                let named = language.node_kind_is_named(id);
                self.rules
                    .iter()
                    .find(|(name, _)| named && *name == kind)
                    .map(|(_, rule)| *rule)
            };
            let rules = (0..count).map(rule_of).collect();
            Compiled { language, rules }
        })
    }

    /// Kinds in the table that the grammar does not have: a mistake in the table.
    #[cfg(test)]
    pub fn unknown_kinds(&self) -> Vec<&'static str> {
        let language = &self.compiled().language;
        let known: Vec<&str> = (0..language.node_kind_count())
            .filter_map(|id| language.node_kind_for_id(u16::try_from(id).ok()?))
            .collect();
        let kinds = self
            .rules
            .iter()
            .map(|(kind, _)| *kind)
            .chain(self.bodies.iter().copied());
        kinds.filter(|kind| !known.contains(kind)).collect()
    }
}
