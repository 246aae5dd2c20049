//! PHP.

use super::grammar::{Finding, Grammar, Rule, Site, one_line};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_php::LANGUAGE_PHP.into(),
    &[
        ("class_declaration", Rule::Define(Kind::Class)),
        ("interface_declaration", Rule::Define(Kind::Interface)),
        ("trait_declaration", Rule::Define(Kind::Trait)),
        ("enum_declaration", Rule::Define(Kind::Enum)),
        ("enum_case", Rule::Define(Kind::EnumMember)),
        ("function_definition", Rule::Define(Kind::Function)),
        ("method_declaration", Rule::Define(Kind::Method)),
        ("const_element", Rule::Inspect(constant)),
        ("property_element", Rule::Inspect(property)),
        ("namespace_use_clause", Rule::Inspect(import)),
        ("include_expression", Rule::Inspect(include)),
        ("include_once_expression", Rule::Inspect(include)),
        ("require_expression", Rule::Inspect(include)),
        ("require_once_expression", Rule::Inspect(include)),
        ("comment", Rule::Comment),
        ("string", Rule::Leaf),
        ("formal_parameters", Rule::Leaf),
    ],
    &[],
);

fn constant(site: &Site<'_, '_>) -> Finding {
    site.child(&["name"]).map_or(Finding::Nothing, |name| {
        Finding::define(Kind::Constant, site.text_of(name))
    })
}

fn property(site: &Site<'_, '_>) -> Finding {
    site.field("name").map_or(Finding::Nothing, |name| {
        Finding::define(Kind::Field, name.trim_start_matches('$'))
    })
}

fn import(site: &Site<'_, '_>) -> Finding {
    let text = site.text_of(site.node);
    Finding::import(&one_line(text.split(" as ").next().unwrap_or(text), 300))
}

fn include(site: &Site<'_, '_>) -> Finding {
    match site.node.named_child(0) {
        Some(argument) => Finding::import(site.text_of(argument)),
        None => Finding::Nothing,
    }
}
