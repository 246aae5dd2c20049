//! Swift.

use super::grammar::{Finding, Grammar, Rule, Site, first_child};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_swift::LANGUAGE.into(),
    &[
        ("class_declaration", Rule::Inspect(class)),
        ("protocol_declaration", Rule::Define(Kind::Interface)),
        ("function_declaration", Rule::Define(Kind::Function)),
        (
            "protocol_function_declaration",
            Rule::Define(Kind::Function),
        ),
        ("init_declaration", Rule::Inspect(initializer)),
        ("deinit_declaration", Rule::Inspect(deinitializer)),
        ("subscript_declaration", Rule::Inspect(subscript)),
        ("property_declaration", Rule::Inspect(property)),
        ("protocol_property_declaration", Rule::Inspect(property)),
        ("typealias_declaration", Rule::Define(Kind::TypeAlias)),
        ("associatedtype_declaration", Rule::Define(Kind::TypeAlias)),
        ("enum_entry", Rule::Inspect(entry)),
        ("macro_declaration", Rule::Inspect(macro_name)),
        ("import_declaration", Rule::Inspect(import)),
        ("attribute", Rule::Leading),
        ("comment", Rule::Comment),
        ("multiline_comment", Rule::Comment),
        ("line_string_literal", Rule::Leaf),
    ],
    &[
        "class_body",
        "enum_class_body",
        "protocol_body",
        "function_body",
        "computed_property",
    ],
)
.nesting_comments();

fn class(site: &Site<'_, '_>) -> Finding {
    let Some(name) = site.field("name") else {
        return Finding::Nothing;
    };
    let kind = match site.field("declaration_kind") {
        Some("struct") => Kind::Struct,
        Some("enum") => Kind::Enum,
        Some("extension") => {
            let plain = name.split('<').next().unwrap_or(name);
            return Finding::Scope(Some(plain.to_owned()));
        }
        _ => Kind::Class,
    };
    Finding::define(kind, name)
}

fn initializer(_: &Site<'_, '_>) -> Finding {
    Finding::define(Kind::Method, "init")
}

fn deinitializer(_: &Site<'_, '_>) -> Finding {
    Finding::define(Kind::Method, "deinit")
}

fn subscript(_: &Site<'_, '_>) -> Finding {
    Finding::define(Kind::Method, "subscript")
}

fn property(site: &Site<'_, '_>) -> Finding {
    let pattern = site.node.child_by_field_name("name");
    let name = pattern.and_then(|pattern| {
        pattern
            .child_by_field_name("bound_identifier")
            .or_else(|| first_child(pattern, &["simple_identifier"]))
    });
    match name {
        Some(name) if !site.in_function => Finding::define(
            if site.in_type {
                Kind::Field
            } else {
                Kind::Variable
            },
            site.text_of(name),
        ),
        _ => Finding::Nothing,
    }
}

fn entry(site: &Site<'_, '_>) -> Finding {
    let mut cursor = site.node.walk();
    let mut names = site
        .node
        .children_by_field_name("name", &mut cursor)
        .map(|name| site.text_of(name));
    let Some(first) = names.next() else {
        return Finding::Nothing;
    };
    match Finding::define(Kind::EnumMember, first) {
        Finding::Define(mut found) => {
            found.also = names.map(str::to_owned).collect();
            Finding::Define(found)
        }
        other => other,
    }
}

fn macro_name(site: &Site<'_, '_>) -> Finding {
    site.child(&["simple_identifier"])
        .map_or(Finding::Nothing, |name| {
            Finding::define(Kind::Macro, site.text_of(name))
        })
}

fn import(site: &Site<'_, '_>) -> Finding {
    site.child(&["identifier"])
        .map_or(Finding::Nothing, |name| Finding::import(site.text_of(name)))
}
