//! Ruby.

use super::grammar::{Finding, Grammar, Rule, Site};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_ruby::LANGUAGE.into(),
    &[
        ("method", Rule::Define(Kind::Function)),
        ("singleton_method", Rule::Define(Kind::Function)),
        ("class", Rule::Inspect(class)),
        ("module", Rule::Inspect(module)),
        ("singleton_class", Rule::Inspect(singleton)),
        ("assignment", Rule::Inspect(assignment)),
        ("alias", Rule::Inspect(alias)),
        ("call", Rule::Inspect(call)),
        ("comment", Rule::Comment),
        ("string", Rule::Leaf),
        ("heredoc_body", Rule::Leaf),
    ],
    &["body_statement"],
);

/// `class Rack::Builder` defines `Builder`, inside `Rack`.
fn scoped(site: &Site<'_, '_>, kind: Kind) -> Finding {
    let Some(name) = site.field("name") else {
        return Finding::Nothing;
    };
    match name.rsplit_once("::") {
        Some((outer, name)) => {
            let outer = outer.trim_start_matches("::").replace("::", ".");
            Finding::qualified(kind, name, (!outer.is_empty()).then_some(outer))
        }
        None => Finding::define(kind, name),
    }
}

fn class(site: &Site<'_, '_>) -> Finding {
    scoped(site, Kind::Class)
}

fn module(site: &Site<'_, '_>) -> Finding {
    scoped(site, Kind::Module)
}

const fn singleton(_: &Site<'_, '_>) -> Finding {
    Finding::Scope(None)
}

fn assignment(site: &Site<'_, '_>) -> Finding {
    match site.node.child_by_field_name("left") {
        Some(left) if left.kind() == "constant" && !site.in_function => {
            Finding::define(Kind::Constant, site.text_of(left))
        }
        _ => Finding::Nothing,
    }
}

fn alias(site: &Site<'_, '_>) -> Finding {
    site.field("name").map_or(Finding::Nothing, |name| {
        Finding::define(Kind::Method, name.trim_start_matches(':'))
    })
}

/// Calls that define or import something.
fn call(site: &Site<'_, '_>) -> Finding {
    if site.node.child_by_field_name("receiver").is_some() {
        return Finding::Nothing;
    }
    let method = site.field("method").unwrap_or_default();
    let arguments = site.node.child_by_field_name("arguments");
    let Some(first) = arguments.and_then(|arguments| arguments.named_child(0)) else {
        return Finding::Nothing;
    };
    let text = site.text_of(first);
    match method {
        "require" | "require_relative" | "load" | "autoload" if !site.in_function => {
            let source = if method == "autoload" {
                arguments.and_then(|list| list.named_child(1))
            } else {
                Some(first)
            };
            match source {
                Some(source) if source.kind() == "string" => Finding::import(site.text_of(source)),
                _ => Finding::Nothing,
            }
        }
        "define_method" if text.starts_with(':') => Finding::define(Kind::Method, &text[1..]),
        "attr_reader" | "attr_accessor" | "attr_writer" if !site.in_function => attributes(site),
        _ => Finding::Nothing,
    }
}

fn attributes(site: &Site<'_, '_>) -> Finding {
    let Some(arguments) = site.node.child_by_field_name("arguments") else {
        return Finding::Nothing;
    };
    let mut cursor = arguments.walk();
    let mut names = arguments
        .named_children(&mut cursor)
        .filter_map(|node| site.text_of(node).strip_prefix(':'));
    let Some(first) = names.next() else {
        return Finding::Nothing;
    };
    match Finding::define(Kind::Field, first) {
        Finding::Define(mut found) => {
            found.also = names.map(str::to_owned).collect();
            Finding::Define(found)
        }
        other => other,
    }
}
