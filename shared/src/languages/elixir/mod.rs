//! Elixir, where every definition is a call.

use tree_sitter::Node;

use super::grammar::{Finding, Grammar, Rule, Site};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_elixir::LANGUAGE.into(),
    &[
        ("call", Rule::Inspect(call)),
        ("unary_operator", Rule::Inspect(attribute)),
        ("comment", Rule::Comment),
        ("string", Rule::Leaf),
    ],
    &["do_block", "keywords"],
)
.joining_clauses();

fn call(site: &Site<'_, '_>) -> Finding {
    let target = site.field("target").unwrap_or_default();
    let Some(arguments) = site.child(&["arguments"]) else {
        return Finding::Nothing;
    };
    let Some(first) = arguments.named_child(0) else {
        return Finding::Nothing;
    };
    match target {
        "defmodule" | "defprotocol" => {
            let kind = if target == "defmodule" {
                Kind::Module
            } else {
                Kind::Interface
            };
            let name = site.text_of(first);
            match name.rsplit_once('.') {
                Some((outer, name)) => Finding::qualified(kind, name, Some(outer.to_owned())),
                None => Finding::define(kind, name),
            }
        }
        "defimpl" => Finding::Scope(Some(site.text_of(first).to_owned())),
        "def" | "defp" | "defdelegate" | "defguard" | "defguardp" => function_name(site, first)
            .map_or(Finding::Nothing, |name| {
                Finding::define(Kind::Function, name)
            }),
        "defmacro" | "defmacrop" => function_name(site, first).map_or(Finding::Nothing, |name| {
            Finding::define(Kind::Function, name)
        }),
        "defexception" | "defstruct" => Finding::Nothing,
        "alias" | "import" | "require" | "use" if !site.in_function && first.kind() == "alias" => {
            Finding::import(site.text_of(first))
        }
        _ => Finding::Nothing,
    }
}

/// The name in `name(arguments)`, `name` or `name(arguments) when guard`.
fn function_name<'a>(site: &Site<'_, 'a>, head: Node<'_>) -> Option<&'a str> {
    let mut node = head;
    // A guard around the head, and nothing deeper.
    if node.kind() == "binary_operator" {
        node = node.child_by_field_name("left")?;
    }
    match node.kind() {
        "call" => node
            .child_by_field_name("target")
            .map(|target| site.text_of(target)),
        "identifier" => Some(site.text_of(node)),
        _ => None,
    }
}

/// `@doc`, `@spec` and the like belong to what follows; documentation is a comment too.
fn attribute(site: &Site<'_, '_>) -> Finding {
    let text = site.text_of(site.node);
    let is_documentation = ["@doc", "@moduledoc", "@typedoc", "@shortdoc"]
        .iter()
        .any(|name| text.starts_with(name));
    if is_documentation {
        return Finding::Comment;
    }
    if text.starts_with('@') {
        Finding::Leading
    } else {
        Finding::Nothing
    }
}
