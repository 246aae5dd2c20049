//! Python.

use super::grammar::{Finding, Grammar, Rule, Site, constant_or_variable};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_python::LANGUAGE.into(),
    &[
        ("function_definition", Rule::Define(Kind::Function)),
        ("class_definition", Rule::Define(Kind::Class)),
        ("decorated_definition", Rule::Wrapper),
        ("assignment", Rule::Inspect(assignment)),
        ("type_alias_statement", Rule::Inspect(type_alias)),
        ("expression_statement", Rule::Inspect(documentation)),
        ("comment", Rule::Comment),
        ("import_statement", Rule::Inspect(import)),
        ("import_from_statement", Rule::Inspect(import_from)),
        ("string", Rule::Leaf),
        ("parameters", Rule::Leaf),
    ],
    &[],
);

fn assignment(site: &Site<'_, '_>) -> Finding {
    let Some(left) = site
        .node
        .child_by_field_name("left")
        .filter(|left| left.kind() == "identifier")
    else {
        return Finding::Nothing;
    };
    let name = site.text_of(left);
    if site.in_function || name.starts_with("__") {
        Finding::Nothing
    } else if site.in_type {
        Finding::define(Kind::Field, name)
    } else {
        Finding::define(constant_or_variable(name), name)
    }
}

fn type_alias(site: &Site<'_, '_>) -> Finding {
    site.field("left").map_or(Finding::Nothing, |name| {
        Finding::define(Kind::TypeAlias, name)
    })
}

/// A string that stands alone as a statement is documentation.
fn documentation(site: &Site<'_, '_>) -> Finding {
    match site.node.named_child(0) {
        Some(child) if child.kind() == "string" && site.node.named_child_count() == 1 => {
            Finding::Comment
        }
        _ => Finding::Nothing,
    }
}

fn import(site: &Site<'_, '_>) -> Finding {
    let mut cursor = site.node.walk();
    let names = site
        .node
        .children_by_field_name("name", &mut cursor)
        .map(|name| {
            let module = name.child_by_field_name("name").unwrap_or(name);
            site.text_of(module).to_owned()
        });
    Finding::Imports(names.collect())
}

/// `from . import a` imports the modules `.a`, not `.`.
fn import_from(site: &Site<'_, '_>) -> Finding {
    let Some(module) = site.field("module_name") else {
        return Finding::Nothing;
    };
    if !module.bytes().all(|byte| byte == b'.') {
        return Finding::Imports(vec![module.to_owned()]);
    }
    let mut cursor = site.node.walk();
    let names = site
        .node
        .children_by_field_name("name", &mut cursor)
        .map(|name| {
            let name = name.child_by_field_name("name").unwrap_or(name);
            format!("{module}{}", site.text_of(name))
        });
    Finding::Imports(names.collect())
}
