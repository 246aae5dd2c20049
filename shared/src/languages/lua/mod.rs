//! Lua.

use tree_sitter::Node;

use super::grammar::{Finding, Grammar, Rule, Site, constant_or_variable, first_child};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_lua::LANGUAGE.into(),
    &[
        ("function_declaration", Rule::Inspect(function)),
        ("variable_declaration", Rule::Wrapper),
        ("assignment_statement", Rule::Inspect(assignment)),
        ("field", Rule::Inspect(field)),
        ("function_call", Rule::Inspect(call)),
        ("comment", Rule::Comment),
        ("string", Rule::Leaf),
        ("parameters", Rule::Leaf),
    ],
    &[],
);

/// `M.name`, `M:name` and `name` with what stands before the last separator.
fn named(kind: Kind, text: &str) -> Finding {
    match text.rsplit_once(['.', ':']) {
        Some((table, name)) => Finding::qualified(kind, name, Some(table.replace(':', "."))),
        None => Finding::define(kind, text),
    }
}

fn function(site: &Site<'_, '_>) -> Finding {
    site.field("name")
        .map_or(Finding::Nothing, |name| named(Kind::Function, name))
}

fn is_function(node: Option<Node<'_>>) -> bool {
    node.is_some_and(|node| node.kind() == "function_definition")
}

fn assignment(site: &Site<'_, '_>) -> Finding {
    let target = site
        .child(&["variable_list"])
        .and_then(|list| list.named_child(0));
    let value = site
        .child(&["expression_list"])
        .and_then(|list| list.named_child(0));
    let Some(target) = target else {
        return Finding::Nothing;
    };
    let name = site.text_of(target);
    if is_function(value) {
        return named(Kind::Function, name);
    }
    let imports = value.is_some_and(|value| site.text_of(value).starts_with("require"));
    if site.in_function || target.kind() != "identifier" || imports {
        return Finding::Nothing;
    }
    Finding::define(constant_or_variable(name), name)
}

fn field(site: &Site<'_, '_>) -> Finding {
    match site.field("name") {
        Some(name) if is_function(site.node.child_by_field_name("value")) => {
            Finding::define(Kind::Function, name)
        }
        _ => Finding::Nothing,
    }
}

fn call(site: &Site<'_, '_>) -> Finding {
    if site.field("name") != Some("require") {
        return Finding::Nothing;
    }
    let arguments = site.node.child_by_field_name("arguments");
    let argument = arguments.and_then(|arguments| first_child(arguments, &["string"]));
    argument.map_or(Finding::Nothing, |argument| {
        Finding::import(site.text_of(argument))
    })
}
