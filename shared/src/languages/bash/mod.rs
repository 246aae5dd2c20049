//! Bash and its relatives.

use super::grammar::{Finding, Grammar, Rule, Site, constant_or_variable};
use crate::domain::SymbolKind as Kind;

pub(super) static GRAMMAR: Grammar = Grammar::new(
    || tree_sitter_bash::LANGUAGE.into(),
    &[
        ("function_definition", Rule::Define(Kind::Function)),
        ("variable_assignment", Rule::Inspect(assignment)),
        ("command", Rule::Inspect(command)),
        ("comment", Rule::Comment),
        ("string", Rule::Leaf),
        ("heredoc_body", Rule::Leaf),
    ],
    &[],
);

fn assignment(site: &Site<'_, '_>) -> Finding {
    match site.field("name") {
        Some(name) if !site.in_function => Finding::define(constant_or_variable(name), name),
        _ => Finding::Nothing,
    }
}

/// `source file`, `. file` and the `load` of test suites.
fn command(site: &Site<'_, '_>) -> Finding {
    match (site.field("name"), site.field("argument")) {
        (Some("source" | "." | "load"), Some(argument)) => Finding::import(argument),
        _ => Finding::Nothing,
    }
}
