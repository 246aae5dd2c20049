//! Kotlin.

use super::grammar::{Finding, Grammar, Rule, Site, constant_or_variable, first_child};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_kotlin_ng::LANGUAGE.into(),
    &[
        ("class_declaration", Rule::Inspect(class)),
        ("object_declaration", Rule::Define(Kind::Class)),
        ("companion_object", Rule::Inspect(companion)),
        ("function_declaration", Rule::Define(Kind::Function)),
        ("secondary_constructor", Rule::Inspect(constructor)),
        ("property_declaration", Rule::Inspect(property)),
        ("enum_entry", Rule::Inspect(entry)),
        ("type_alias", Rule::Inspect(alias)),
        ("import", Rule::Inspect(import)),
        ("line_comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("string_literal", Rule::Leaf),
        ("function_value_parameters", Rule::Leaf),
    ],
    &["class_body", "enum_class_body", "function_body", "block"],
)
.nesting_comments();

fn class(site: &Site<'_, '_>) -> Finding {
    let Some(name) = site.field("name") else {
        return Finding::Nothing;
    };
    let mut kind = Kind::Class;
    let mut cursor = site.node.walk();
    for child in site.node.children(&mut cursor) {
        match child.kind() {
            "interface" => kind = Kind::Interface,
            "enum_class_body" => kind = Kind::Enum,
            _ => {}
        }
    }
    Finding::define(kind, name)
}

fn companion(_: &Site<'_, '_>) -> Finding {
    Finding::Scope(None)
}

fn constructor(_: &Site<'_, '_>) -> Finding {
    Finding::define(Kind::Method, "constructor")
}

fn property(site: &Site<'_, '_>) -> Finding {
    let declaration = site.child(&["variable_declaration"]);
    let Some(name) = declaration.and_then(|node| first_child(node, &["identifier"])) else {
        return Finding::Nothing;
    };
    let name = site.text_of(name);
    match (site.in_function, site.in_type) {
        (true, _) => Finding::Nothing,
        (false, true) if constant_or_variable(name) == Kind::Variable => {
            Finding::define(Kind::Field, name)
        }
        _ => Finding::define(constant_or_variable(name), name),
    }
}

fn entry(site: &Site<'_, '_>) -> Finding {
    site.child(&["identifier"])
        .map_or(Finding::Nothing, |name| {
            Finding::define(Kind::EnumMember, site.text_of(name))
        })
}

fn alias(site: &Site<'_, '_>) -> Finding {
    site.child(&["identifier"])
        .map_or(Finding::Nothing, |name| {
            Finding::define(Kind::TypeAlias, site.text_of(name))
        })
}

fn import(site: &Site<'_, '_>) -> Finding {
    site.child(&["qualified_identifier"])
        .map_or(Finding::Nothing, |name| Finding::import(site.text_of(name)))
}
