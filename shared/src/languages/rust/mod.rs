//! Rust.

use super::grammar::{Finding, Grammar, Rule, Site, one_line};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_rust::LANGUAGE.into(),
    &[
        ("function_item", Rule::Define(Kind::Function)),
        ("function_signature_item", Rule::Define(Kind::Function)),
        ("struct_item", Rule::Define(Kind::Struct)),
        ("union_item", Rule::Define(Kind::Struct)),
        ("enum_item", Rule::Define(Kind::Enum)),
        ("enum_variant", Rule::Define(Kind::EnumMember)),
        ("field_declaration", Rule::Define(Kind::Field)),
        ("trait_item", Rule::Define(Kind::Trait)),
        ("type_item", Rule::Define(Kind::TypeAlias)),
        ("associated_type", Rule::Define(Kind::TypeAlias)),
        ("const_item", Rule::Inspect(constant)),
        ("static_item", Rule::Inspect(constant)),
        ("macro_definition", Rule::Define(Kind::Macro)),
        ("mod_item", Rule::Inspect(module)),
        ("impl_item", Rule::Inspect(implementation)),
        ("attribute_item", Rule::Leading),
        ("line_comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("use_declaration", Rule::Inspect(import)),
        ("extern_crate_declaration", Rule::Inspect(import)),
        ("token_tree", Rule::Leaf),
        ("parameters", Rule::Leaf),
    ],
    &[],
)
.nesting_comments();

fn constant(site: &Site<'_, '_>) -> Finding {
    match site.field("name") {
        Some(name) if !site.in_function && name != "_" => Finding::define(Kind::Constant, name),
        _ => Finding::Nothing,
    }
}

/// `mod name;` only points at another file.
fn module(site: &Site<'_, '_>) -> Finding {
    match (site.node.child_by_field_name("body"), site.field("name")) {
        (Some(_), Some(name)) => Finding::define(Kind::Module, name),
        _ => Finding::Nothing,
    }
}

/// The type that is implemented, without its parameters.
fn implementation(site: &Site<'_, '_>) -> Finding {
    let name = site.field("type").map(|text| {
        let text = text.trim_start_matches(['&', '(']);
        text.split(['<', ' '])
            .next()
            .unwrap_or(text)
            .rsplit("::")
            .next()
            .unwrap_or(text)
    });
    Finding::Scope(name.filter(|name| !name.is_empty()).map(str::to_owned))
}

fn import(site: &Site<'_, '_>) -> Finding {
    let source = site.field("argument").or_else(|| site.field("name"));
    source.map_or(Finding::Nothing, |source| {
        Finding::Imports(vec![one_line(source, 300)])
    })
}
