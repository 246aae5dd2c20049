//! Scala.

use super::grammar::{Finding, Grammar, Rule, Site, one_line};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_scala::LANGUAGE.into(),
    &[
        ("class_definition", Rule::Define(Kind::Class)),
        ("object_definition", Rule::Define(Kind::Class)),
        ("trait_definition", Rule::Define(Kind::Trait)),
        ("enum_definition", Rule::Define(Kind::Enum)),
        ("simple_enum_case", Rule::Define(Kind::EnumMember)),
        ("full_enum_case", Rule::Define(Kind::EnumMember)),
        ("function_definition", Rule::Define(Kind::Function)),
        ("function_declaration", Rule::Define(Kind::Function)),
        ("given_definition", Rule::Define(Kind::Class)),
        ("type_definition", Rule::Define(Kind::TypeAlias)),
        ("val_definition", Rule::Inspect(value)),
        ("var_definition", Rule::Inspect(value)),
        ("val_declaration", Rule::Inspect(value)),
        ("package_object", Rule::Define(Kind::Module)),
        ("annotation", Rule::Leading),
        ("import_declaration", Rule::Inspect(import)),
        ("comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("string", Rule::Leaf),
        ("parameters", Rule::Leaf),
    ],
    &["template_body", "enum_body"],
)
.nesting_comments();

fn value(site: &Site<'_, '_>) -> Finding {
    let name = site.field("pattern").or_else(|| site.field("name"));
    match name {
        Some(name)
            if !site.in_function
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') =>
        {
            Finding::define(
                if site.in_type {
                    Kind::Field
                } else {
                    Kind::Variable
                },
                name,
            )
        }
        _ => Finding::Nothing,
    }
}

fn import(site: &Site<'_, '_>) -> Finding {
    let text = site.text_of(site.node).trim_start_matches("import").trim();
    Finding::Imports(vec![one_line(text, 300)])
}
