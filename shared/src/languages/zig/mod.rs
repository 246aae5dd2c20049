//! Zig, where types are values of constants.

use super::grammar::{Finding, Grammar, Rule, Site, unquote};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_zig::LANGUAGE.into(),
    &[
        ("function_declaration", Rule::Define(Kind::Function)),
        ("variable_declaration", Rule::Inspect(variable)),
        ("test_declaration", Rule::Inspect(test)),
        ("container_field", Rule::Inspect(field)),
        ("builtin_function", Rule::Inspect(builtin)),
        ("comment", Rule::Comment),
        ("string", Rule::Leaf),
        ("parameters", Rule::Leaf),
    ],
    &[
        "struct_declaration",
        "enum_declaration",
        "union_declaration",
        "block",
    ],
);

fn variable(site: &Site<'_, '_>) -> Finding {
    let Some(name) = site.child(&["identifier"]) else {
        return Finding::Nothing;
    };
    let name = site.text_of(name);
    let mut cursor = site.node.walk();
    let mut kind = None;
    for child in site.node.named_children(&mut cursor) {
        match child.kind() {
            "struct_declaration" | "opaque_declaration" => kind = Some(Kind::Struct),
            "union_declaration" => kind = Some(Kind::Struct),
            "enum_declaration" | "error_set_declaration" => kind = Some(Kind::Enum),
            "builtin_function" if site.text_of(child).starts_with("@import") => {
                return Finding::Nothing;
            }
            _ => {}
        }
    }
    match kind {
        Some(kind) => Finding::define(kind, name),
        None if site.in_function || name == "_" => Finding::Nothing,
        None => {
            let is_constant = site
                .text_of(site.node)
                .trim_start_matches("pub ")
                .starts_with("const");
            Finding::define(
                if is_constant {
                    Kind::Constant
                } else {
                    Kind::Variable
                },
                name,
            )
        }
    }
}

fn test(site: &Site<'_, '_>) -> Finding {
    let name = site
        .child(&["string", "identifier"])
        .map(|name| unquote(site.text_of(name)));
    name.map_or(Finding::Nothing, |name| {
        Finding::define(Kind::Function, &format!("test {name}"))
    })
}

fn field(site: &Site<'_, '_>) -> Finding {
    match site.field("name") {
        Some(name) if !site.in_function => Finding::define(Kind::Field, name),
        _ => Finding::Nothing,
    }
}

fn builtin(site: &Site<'_, '_>) -> Finding {
    let text = site.text_of(site.node);
    match text
        .strip_prefix("@import(")
        .and_then(|rest| rest.strip_suffix(')'))
    {
        Some(source) => Finding::import(source),
        None => Finding::Nothing,
    }
}
