//! JavaScript, TypeScript and TSX: one table, since the grammars share their node kinds.

use tree_sitter::Node;

use super::grammar::{Finding, Grammar, Rule, Site, constant_or_variable, unquote};
use crate::domain::SymbolKind as Kind;

const BODIES: &[&str] = &[
    "statement_block",
    "class_body",
    "interface_body",
    "enum_body",
];

const SHARED: [(&str, Rule); 18] = [
    ("function_declaration", Rule::Define(Kind::Function)),
    (
        "generator_function_declaration",
        Rule::Define(Kind::Function),
    ),
    ("class_declaration", Rule::Define(Kind::Class)),
    ("method_definition", Rule::Inspect(method)),
    ("variable_declarator", Rule::Inspect(declarator)),
    ("assignment_expression", Rule::Inspect(assignment)),
    ("pair", Rule::Inspect(pair)),
    ("lexical_declaration", Rule::Wrapper),
    ("variable_declaration", Rule::Wrapper),
    ("expression_statement", Rule::Wrapper),
    ("export_statement", Rule::Inspect(export)),
    ("call_expression", Rule::Inspect(call)),
    ("import_statement", Rule::Inspect(import)),
    ("comment", Rule::Comment),
    ("decorator", Rule::Leading),
    ("string", Rule::Leaf),
    ("regex", Rule::Leaf),
    ("formal_parameters", Rule::Leaf),
];

const TYPED: [(&str, Rule); 13] = [
    ("abstract_class_declaration", Rule::Define(Kind::Class)),
    ("interface_declaration", Rule::Define(Kind::Interface)),
    ("type_alias_declaration", Rule::Define(Kind::TypeAlias)),
    ("enum_declaration", Rule::Define(Kind::Enum)),
    ("enum_assignment", Rule::Define(Kind::EnumMember)),
    ("function_signature", Rule::Define(Kind::Function)),
    ("abstract_method_signature", Rule::Define(Kind::Function)),
    ("method_signature", Rule::Inspect(member)),
    ("property_signature", Rule::Inspect(member_field)),
    ("public_field_definition", Rule::Inspect(field)),
    ("internal_module", Rule::Define(Kind::Module)),
    ("module", Rule::Inspect(ambient_module)),
    ("ambient_declaration", Rule::Wrapper),
];

const SCRIPT: [(&str, Rule); 19] = {
    let mut rules = [("field_definition", Rule::Inspect(field)); 19];
    let mut at = 0;
    while at < SHARED.len() {
        rules[at] = SHARED[at];
        at += 1;
    }
    rules
};

const TYPESCRIPT_RULES: [(&str, Rule); 31] = {
    let mut rules = [("ambient_declaration", Rule::Wrapper); 31];
    let mut at = 0;
    while at < SHARED.len() {
        rules[at] = SHARED[at];
        at += 1;
    }
    while at - SHARED.len() < TYPED.len() {
        rules[at] = TYPED[at - SHARED.len()];
        at += 1;
    }
    rules
};

pub(super) static JAVASCRIPT: Grammar = Grammar::new(
    || tree_sitter_javascript::LANGUAGE.into(),
    &SCRIPT,
    &["statement_block", "class_body"],
);
pub(super) static TYPESCRIPT: Grammar = Grammar::new(
    || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    &TYPESCRIPT_RULES,
    BODIES,
);
pub(super) static TSX: Grammar = Grammar::new(
    || tree_sitter_typescript::LANGUAGE_TSX.into(),
    &TYPESCRIPT_RULES,
    BODIES,
);

/// Kind of what a value defines under the name it is given.
fn kind_of_value(value: Option<Node<'_>>) -> Option<Kind> {
    match value?.kind() {
        "arrow_function" | "function_expression" | "generator_function" => Some(Kind::Function),
        "class" => Some(Kind::Class),
        _ => None,
    }
}

fn method(site: &Site<'_, '_>) -> Finding {
    site.field("name").map_or(Finding::Nothing, |name| {
        Finding::define(Kind::Function, name.trim_matches(['"', '\'']))
    })
}

fn declarator(site: &Site<'_, '_>) -> Finding {
    let Some(name) = site
        .node
        .child_by_field_name("name")
        .filter(|name| name.kind() == "identifier")
    else {
        return Finding::Nothing;
    };
    let name = site.text_of(name);
    let value = site.node.child_by_field_name("value");
    match kind_of_value(value) {
        Some(kind) => Finding::define(kind, name),
        None if site.in_function || value.is_some_and(|value| is_require(site, value)) => {
            Finding::Nothing
        }
        None => Finding::define(constant_or_variable(name), name),
    }
}

fn is_require(site: &Site<'_, '_>, value: Node<'_>) -> bool {
    site.text_of(value).starts_with("require(")
}

/// `exports.name = function`, `Type.prototype.name = () =>`, `response.send = function send`, and
/// `response.set = response.header = function`, which defines both.
fn assignment(site: &Site<'_, '_>) -> Finding {
    let is_chained = |node: Node<'_>| node.kind() == "assignment_expression";
    let Some(left) = site.node.child_by_field_name("left") else {
        return Finding::Nothing;
    };
    let mut also = Vec::new();
    let mut right = site.node.child_by_field_name("right");
    for _ in 0..MAX_CHAINED {
        let Some(chained) = right.filter(|node| is_chained(*node)) else {
            break;
        };
        also.extend(
            chained
                .child_by_field_name("left")
                .map(|left| target(site, left).1.to_owned()),
        );
        right = chained.child_by_field_name("right");
    }
    let Some(kind) = kind_of_value(right) else {
        return Finding::Nothing;
    };
    // The inner ones of a chain were named with the outermost.
    if site.node.parent().is_some_and(is_chained) {
        return Finding::Nothing;
    }
    let own_name = right.and_then(|right| right.child_by_field_name("name"));
    let own_name = own_name.map(|name| site.text_of(name));
    let (object, property) = target(site, left);
    if property.is_empty() || object == "module" && property == "exports" {
        return own_name.map_or(Finding::Nothing, |name| Finding::define(kind, name));
    }
    let object = object.strip_suffix(".prototype").unwrap_or(object);
    let exported = [
        "exports",
        "module.exports",
        "this",
        "self",
        "window",
        "global",
    ];
    let is_owner = !object.is_empty()
        && !exported.contains(&object)
        && object
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'));
    match Finding::qualified(kind, property, is_owner.then(|| object.to_owned())) {
        Finding::Define(mut found) => {
            found.also = also;
            Finding::Define(found)
        }
        other => other,
    }
}

/// Longest chain of assignments that is followed.
const MAX_CHAINED: usize = 8;

/// Object and property that are assigned to; the object is empty for a plain name.
fn target<'text>(site: &Site<'_, 'text>, left: Node<'_>) -> (&'text str, &'text str) {
    if left.kind() == "identifier" {
        return ("", site.text_of(left));
    }
    let text = |name: &str| {
        left.child_by_field_name(name)
            .map(|node| site.text_of(node))
    };
    (
        text("object").unwrap_or_default(),
        text("property").unwrap_or_default(),
    )
}

/// `name: function () {}` in an object.
fn pair(site: &Site<'_, '_>) -> Finding {
    match (
        kind_of_value(site.node.child_by_field_name("value")),
        site.field("key"),
    ) {
        (Some(kind), Some(key)) if !key.starts_with('[') => {
            Finding::define(kind, key.trim_matches(['"', '\'']))
        }
        _ => Finding::Nothing,
    }
}

fn field(site: &Site<'_, '_>) -> Finding {
    let Some(name) = site.field("name").or_else(|| site.field("property")) else {
        return Finding::Nothing;
    };
    let kind = kind_of_value(site.node.child_by_field_name("value")).unwrap_or(Kind::Field);
    Finding::define(kind, name)
}

fn member(site: &Site<'_, '_>) -> Finding {
    match site.field("name") {
        Some(name) if site.in_type => Finding::define(Kind::Method, name),
        _ => Finding::Nothing,
    }
}

fn member_field(site: &Site<'_, '_>) -> Finding {
    match site.field("name") {
        Some(name) if site.in_type => Finding::define(Kind::Field, name),
        _ => Finding::Nothing,
    }
}

fn ambient_module(site: &Site<'_, '_>) -> Finding {
    site.field("name").map_or(Finding::Nothing, |name| {
        Finding::define(Kind::Module, &unquote(name))
    })
}

fn export(site: &Site<'_, '_>) -> Finding {
    match site.field("source") {
        Some(source) => Finding::import(source),
        None => Finding::Wrapper,
    }
}

fn import(site: &Site<'_, '_>) -> Finding {
    site.field("source")
        .map_or(Finding::Nothing, Finding::import)
}

/// `require('x')` and `import('x')`.
fn call(site: &Site<'_, '_>) -> Finding {
    if !matches!(site.field("function"), Some("require" | "import")) {
        return Finding::Nothing;
    }
    let argument = site
        .node
        .child_by_field_name("arguments")
        .and_then(|arguments| arguments.named_child(0));
    match argument {
        Some(argument) if argument.kind() == "string" => Finding::import(site.text_of(argument)),
        _ => Finding::Nothing,
    }
}
