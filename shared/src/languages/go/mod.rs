//! Go.

use tree_sitter::Node;

use super::grammar::{Finding, Grammar, Rule, Site};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_go::LANGUAGE.into(),
    &[
        ("function_declaration", Rule::Define(Kind::Function)),
        ("method_declaration", Rule::Inspect(method)),
        ("type_declaration", Rule::Wrapper),
        ("type_spec", Rule::Inspect(type_spec)),
        ("type_alias", Rule::Define(Kind::TypeAlias)),
        ("method_elem", Rule::Define(Kind::Method)),
        ("field_declaration", Rule::Inspect(field)),
        ("const_spec", Rule::Inspect(constant)),
        ("var_spec", Rule::Inspect(variable)),
        ("import_spec", Rule::Inspect(import)),
        ("comment", Rule::Comment),
        ("interpreted_string_literal", Rule::Leaf),
        ("raw_string_literal", Rule::Leaf),
        ("parameter_list", Rule::Leaf),
    ],
    &[],
);

fn names(site: &Site<'_, '_>) -> Vec<String> {
    let mut cursor = site.node.walk();
    let names = site.node.children_by_field_name("name", &mut cursor);
    names
        .filter(Node::is_named)
        .map(|name| site.text_of(name).to_owned())
        .filter(|name| name != "_")
        .collect()
}

fn all(kind: Kind, names: Vec<String>) -> Finding {
    let mut names = names.into_iter();
    let Some(first) = names.next() else {
        return Finding::Nothing;
    };
    match Finding::define(kind, &first) {
        Finding::Define(mut found) => {
            found.also = names.collect();
            Finding::Define(found)
        }
        other => other,
    }
}

/// The receiver's type qualifies the name: `(engine *Engine[T])` is `Engine`.
fn method(site: &Site<'_, '_>) -> Finding {
    let Some(name) = site.field("name") else {
        return Finding::Nothing;
    };
    let receiver = site.field("receiver").and_then(|receiver| {
        let receiver = receiver.trim_matches(['(', ')', ' ']);
        let last = receiver.split('[').next()?.split_whitespace().next_back()?;
        Some(last.trim_start_matches('*').to_owned())
    });
    Finding::qualified(Kind::Method, name, receiver)
}

fn type_spec(site: &Site<'_, '_>) -> Finding {
    let Some(name) = site.field("name") else {
        return Finding::Nothing;
    };
    let kind = match site
        .node
        .child_by_field_name("type")
        .map(|node| node.kind())
    {
        Some("struct_type") => Kind::Struct,
        Some("interface_type") => Kind::Interface,
        _ => Kind::TypeAlias,
    };
    Finding::define(kind, name)
}

fn field(site: &Site<'_, '_>) -> Finding {
    if site.in_function {
        Finding::Nothing
    } else {
        all(Kind::Field, names(site))
    }
}

fn constant(site: &Site<'_, '_>) -> Finding {
    if site.in_function {
        Finding::Nothing
    } else {
        all(Kind::Constant, names(site))
    }
}

fn variable(site: &Site<'_, '_>) -> Finding {
    if site.in_function {
        Finding::Nothing
    } else {
        all(Kind::Variable, names(site))
    }
}

fn import(site: &Site<'_, '_>) -> Finding {
    site.field("path").map_or(Finding::Nothing, Finding::import)
}
