//! C, and the parts that C++ shares with it.

use tree_sitter::Node;

use super::grammar::{Finding, Grammar, Rule, Site};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_c::LANGUAGE.into(),
    &[
        ("function_definition", Rule::Inspect(function)),
        ("declaration", Rule::Inspect(declaration)),
        ("type_definition", Rule::Inspect(type_definition)),
        ("struct_specifier", Rule::Inspect(structure)),
        ("union_specifier", Rule::Inspect(structure)),
        ("enum_specifier", Rule::Inspect(enumeration)),
        ("enumerator", Rule::Define(Kind::EnumMember)),
        ("field_declaration", Rule::Inspect(field)),
        ("preproc_def", Rule::Inspect(definition)),
        ("preproc_function_def", Rule::Define(Kind::Macro)),
        ("preproc_include", Rule::Inspect(include)),
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

/// A name taken out of a declarator, with the class before `::` if any.
pub(super) struct Declared {
    pub name: String,
    pub qualifier: Option<String>,
    pub is_function: bool,
}

/// Longest chain of declarators around a name: pointers, arrays, parentheses.
const MAX_DECLARATORS: usize = 32;

/// Follows declarators inwards to the name.
pub(super) fn declared(site: &Site<'_, '_>, declarator: Node<'_>) -> Option<Declared> {
    let mut node = declarator;
    let mut qualifiers: Vec<String> = Vec::new();
    let mut is_function = false;
    for _ in 0..MAX_DECLARATORS {
        match node.kind() {
            "identifier" | "field_identifier" | "type_identifier" | "destructor_name"
            | "operator_name" => {
                let name = site
                    .text_of(node)
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ");
                let qualifier = (!qualifiers.is_empty()).then(|| qualifiers.join("."));
                return Some(Declared {
                    name,
                    qualifier,
                    is_function,
                });
            }
            "operator_cast" => {
                let text = site.text_of(node);
                let name = text.split('(').next().unwrap_or(text).trim().to_owned();
                return Some(Declared {
                    name,
                    qualifier: None,
                    is_function: true,
                });
            }
            "qualified_identifier" => {
                if let Some(scope) = node.child_by_field_name("scope") {
                    let scope = site.text_of(scope).split('<').next().unwrap_or_default();
                    qualifiers.push(scope.to_owned());
                }
                node = node.child_by_field_name("name")?;
            }
            "template_function" | "template_method" => node = node.child_by_field_name("name")?,
            kind => {
                is_function = kind == "function_declarator"
                    || is_function && kind != "parenthesized_declarator";
                node = node
                    .child_by_field_name("declarator")
                    .or_else(|| node.named_child(0))?;
            }
        }
    }
    None
}

pub(super) fn function(site: &Site<'_, '_>) -> Finding {
    let Some(found) = site
        .node
        .child_by_field_name("declarator")
        .and_then(|node| declared(site, node))
    else {
        return Finding::Nothing;
    };
    if !found.is_function {
        return Finding::Nothing;
    }
    Finding::qualified(Kind::Function, &found.name, found.qualifier)
}

/// Prototypes and file-level variables.
pub(super) fn declaration(site: &Site<'_, '_>) -> Finding {
    if site.in_function {
        return Finding::Nothing;
    }
    let Some(found) = site
        .node
        .child_by_field_name("declarator")
        .and_then(|node| declared(site, node))
    else {
        // `struct S { … };` is a declaration without a declarator.
        return Finding::Wrapper;
    };
    if !found.is_function {
        let is_constant = site
            .child(&["type_qualifier"])
            .is_some_and(|node| matches!(site.text_of(node), "const" | "constexpr"));
        let kind = if is_constant {
            Kind::Constant
        } else {
            Kind::Variable
        };
        return Finding::qualified(kind, &found.name, found.qualifier);
    }
    match Finding::qualified(Kind::Function, &found.name, found.qualifier) {
        Finding::Define(mut prototype) => {
            // A member's declaration is where people look for it; a prototype is not.
            prototype.announces = !site.in_type;
            Finding::Define(prototype)
        }
        other => other,
    }
}

fn type_definition(site: &Site<'_, '_>) -> Finding {
    let Some(found) = site
        .node
        .child_by_field_name("declarator")
        .and_then(|node| declared(site, node))
    else {
        return Finding::Nothing;
    };
    let has_body = |kind: &str| {
        site.node
            .child_by_field_name("type")
            .is_some_and(|node| node.kind() == kind && node.child_by_field_name("body").is_some())
    };
    let kind = if has_body("struct_specifier") || has_body("union_specifier") {
        Kind::Struct
    } else if has_body("enum_specifier") {
        Kind::Enum
    } else {
        Kind::TypeAlias
    };
    Finding::define(kind, &found.name)
}

/// Only with a body; `struct s *pointer` uses the type.
pub(super) fn structure(site: &Site<'_, '_>) -> Finding {
    with_body(site, Kind::Struct)
}

pub(super) fn enumeration(site: &Site<'_, '_>) -> Finding {
    with_body(site, Kind::Enum)
}

pub(super) fn with_body(site: &Site<'_, '_>, kind: Kind) -> Finding {
    match (site.node.child_by_field_name("body"), site.field("name")) {
        (Some(_), Some(name)) => {
            let plain = name.split('<').next().unwrap_or(name);
            Finding::define(kind, plain.rsplit("::").next().unwrap_or(plain).trim())
        }
        _ => Finding::Nothing,
    }
}

pub(super) fn field(site: &Site<'_, '_>) -> Finding {
    if site.in_function {
        return Finding::Nothing;
    }
    let Some(found) = site
        .node
        .child_by_field_name("declarator")
        .and_then(|node| declared(site, node))
    else {
        return Finding::Nothing;
    };
    let kind = if found.is_function {
        Kind::Method
    } else {
        Kind::Field
    };
    Finding::qualified(kind, &found.name, found.qualifier)
}

/// A macro without a value is a guard or a switch.
pub(super) fn definition(site: &Site<'_, '_>) -> Finding {
    match (site.node.child_by_field_name("value"), site.field("name")) {
        (Some(_), Some(name)) => Finding::define(Kind::Macro, name),
        _ => Finding::Nothing,
    }
}

pub(super) fn include(site: &Site<'_, '_>) -> Finding {
    site.field("path").map_or(Finding::Nothing, Finding::import)
}
