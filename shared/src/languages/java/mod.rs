//! Java.

use super::grammar::{Finding, Grammar, Rule, Site, constant_or_variable, one_line};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_java::LANGUAGE.into(),
    &[
        ("class_declaration", Rule::Define(Kind::Class)),
        ("record_declaration", Rule::Define(Kind::Class)),
        ("interface_declaration", Rule::Define(Kind::Interface)),
        ("annotation_type_declaration", Rule::Define(Kind::Interface)),
        ("enum_declaration", Rule::Define(Kind::Enum)),
        ("enum_constant", Rule::Define(Kind::EnumMember)),
        ("method_declaration", Rule::Define(Kind::Method)),
        (
            "annotation_type_element_declaration",
            Rule::Define(Kind::Method),
        ),
        ("constructor_declaration", Rule::Define(Kind::Method)),
        (
            "compact_constructor_declaration",
            Rule::Define(Kind::Method),
        ),
        ("variable_declarator", Rule::Inspect(field)),
        ("field_declaration", Rule::Wrapper),
        ("import_declaration", Rule::Inspect(import)),
        ("line_comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("string_literal", Rule::Leaf),
        ("formal_parameters", Rule::Leaf),
    ],
    &[],
);

fn field(site: &Site<'_, '_>) -> Finding {
    match site.field("name") {
        Some(name) if !site.in_function => {
            let kind = if constant_or_variable(name) == Kind::Constant {
                Kind::Constant
            } else {
                Kind::Field
            };
            Finding::define(kind, name)
        }
        _ => Finding::Nothing,
    }
}

fn import(site: &Site<'_, '_>) -> Finding {
    let text = site
        .text_of(site.node)
        .trim_start_matches("import")
        .trim_end_matches(';')
        .trim();
    Finding::import(&one_line(text.trim_start_matches("static "), 300))
}
