//! C#.

use super::grammar::{Finding, Grammar, Rule, Site, constant_or_variable, one_line};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_c_sharp::LANGUAGE.into(),
    &[
        ("namespace_declaration", Rule::Inspect(namespace)),
        ("class_declaration", Rule::Define(Kind::Class)),
        ("record_declaration", Rule::Define(Kind::Class)),
        ("struct_declaration", Rule::Define(Kind::Struct)),
        ("interface_declaration", Rule::Define(Kind::Interface)),
        ("enum_declaration", Rule::Define(Kind::Enum)),
        ("enum_member_declaration", Rule::Define(Kind::EnumMember)),
        ("method_declaration", Rule::Define(Kind::Method)),
        ("constructor_declaration", Rule::Define(Kind::Method)),
        ("destructor_declaration", Rule::Define(Kind::Method)),
        ("local_function_statement", Rule::Define(Kind::Function)),
        ("operator_declaration", Rule::Inspect(operator)),
        ("indexer_declaration", Rule::Inspect(indexer)),
        ("property_declaration", Rule::Define(Kind::Field)),
        ("event_declaration", Rule::Define(Kind::Field)),
        ("delegate_declaration", Rule::Define(Kind::TypeAlias)),
        ("variable_declarator", Rule::Inspect(field)),
        ("field_declaration", Rule::Wrapper),
        ("event_field_declaration", Rule::Wrapper),
        ("variable_declaration", Rule::Wrapper),
        ("using_directive", Rule::Inspect(import)),
        ("comment", Rule::Comment),
        ("string_literal", Rule::Leaf),
        ("parameter_list", Rule::Leaf),
    ],
    &["accessor_list"],
);

const fn namespace(_: &Site<'_, '_>) -> Finding {
    Finding::Scope(None)
}

fn operator(site: &Site<'_, '_>) -> Finding {
    let name = site.field("operator").unwrap_or_default();
    Finding::define(Kind::Method, &format!("operator {name}"))
}

fn indexer(_: &Site<'_, '_>) -> Finding {
    Finding::define(Kind::Method, "this[]")
}

fn field(site: &Site<'_, '_>) -> Finding {
    match site.field("name") {
        Some(name) if site.in_type && !site.in_function => {
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
    let text = site.text_of(site.node).trim_end_matches(';').trim();
    let text = text
        .trim_start_matches("global ")
        .trim_start_matches("using ")
        .trim_start_matches("static ");
    let source = text.rsplit('=').next().unwrap_or(text);
    Finding::import(&one_line(source, 300))
}
