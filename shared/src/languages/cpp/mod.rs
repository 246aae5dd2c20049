//! C++. Declarators and prototypes are those of C.

use super::{
    c,
    grammar::{Finding, Grammar, Rule, Site},
};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_cpp::LANGUAGE.into(),
    &[
        ("function_definition", Rule::Inspect(c::function)),
        ("declaration", Rule::Inspect(c::declaration)),
        ("type_definition", Rule::Inspect(type_definition)),
        ("alias_declaration", Rule::Define(Kind::TypeAlias)),
        ("concept_definition", Rule::Define(Kind::Trait)),
        ("class_specifier", Rule::Inspect(class)),
        ("struct_specifier", Rule::Inspect(c::structure)),
        ("union_specifier", Rule::Inspect(c::structure)),
        ("enum_specifier", Rule::Inspect(c::enumeration)),
        ("enumerator", Rule::Define(Kind::EnumMember)),
        ("field_declaration", Rule::Inspect(c::field)),
        ("namespace_definition", Rule::Inspect(namespace)),
        ("template_declaration", Rule::Wrapper),
        ("preproc_def", Rule::Inspect(c::definition)),
        ("preproc_function_def", Rule::Define(Kind::Macro)),
        ("preproc_include", Rule::Inspect(c::include)),
        ("comment", Rule::Comment),
        ("initializer_list", Rule::Leaf),
        ("string_literal", Rule::Leaf),
        ("parameter_list", Rule::Leaf),
    ],
    &[
        "field_declaration_list",
        "enumerator_list",
        "compound_statement",
        "preproc_arg",
    ],
);

fn class(site: &Site<'_, '_>) -> Finding {
    c::with_body(site, Kind::Class)
}

fn type_definition(site: &Site<'_, '_>) -> Finding {
    match site
        .node
        .child_by_field_name("declarator")
        .and_then(|node| c::declared(site, node))
    {
        Some(found) => Finding::define(Kind::TypeAlias, &found.name),
        None => Finding::Nothing,
    }
}

/// Namespaces span files; they neither define nor name anything.
const fn namespace(_: &Site<'_, '_>) -> Finding {
    Finding::Scope(None)
}
