//! Haskell.

use super::grammar::{Finding, Grammar, Rule, Site};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_haskell::LANGUAGE.into(),
    &[
        ("function", Rule::Inspect(function)),
        ("bind", Rule::Inspect(function)),
        ("signature", Rule::Inspect(signature)),
        ("data_type", Rule::Define(Kind::Struct)),
        ("newtype", Rule::Define(Kind::Struct)),
        ("data_constructor", Rule::Inspect(constructor)),
        ("type_synonym", Rule::Define(Kind::TypeAlias)),
        ("type_family", Rule::Define(Kind::TypeAlias)),
        ("class", Rule::Define(Kind::Trait)),
        ("instance", Rule::Inspect(instance)),
        ("import", Rule::Inspect(import)),
        ("comment", Rule::Comment),
        ("haddock", Rule::Comment),
        ("pragma", Rule::Leading),
        ("string", Rule::Leaf),
    ],
    &["match", "data_constructors", "class_declarations"],
)
.joining_clauses()
.nesting_comments();

fn function(site: &Site<'_, '_>) -> Finding {
    let name = site.field("name").or_else(|| {
        site.child(&["infix"]).and_then(|infix| {
            infix
                .child_by_field_name("operator")
                .map(|operator| site.text_of(operator))
        })
    });
    match name {
        // What stands in `where` and `let` is local.
        Some(name) if !site.in_function => {
            Finding::define(Kind::Function, name.trim_matches(['(', ')']))
        }
        _ => Finding::Nothing,
    }
}

/// At the top a signature belongs to the function below; in a class it is the method.
fn signature(site: &Site<'_, '_>) -> Finding {
    match site.field("name") {
        Some(name) if site.in_type && !site.in_function => {
            Finding::define(Kind::Method, name.trim_matches(['(', ')']))
        }
        _ => Finding::Leading,
    }
}

fn constructor(site: &Site<'_, '_>) -> Finding {
    let inner = site.node.child_by_field_name("constructor");
    let name = inner.and_then(|node| node.child_by_field_name("name"));
    name.map_or(Finding::Nothing, |name| {
        Finding::define(Kind::EnumMember, site.text_of(name))
    })
}

fn instance(site: &Site<'_, '_>) -> Finding {
    Finding::Scope(site.field("name").map(str::to_owned))
}

fn import(site: &Site<'_, '_>) -> Finding {
    site.field("module")
        .map_or(Finding::Nothing, Finding::import)
}
