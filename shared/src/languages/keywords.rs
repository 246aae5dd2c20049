//! Symbols by their keywords, for files that no grammar reads: languages without one, and files
//! that reached a limit. Finds names, knows no scopes.

use std::sync::OnceLock;

use regex::Regex;

use super::{
    SymbolDraft,
    grammar::one_line,
    lines::Lines,
    outline::{MAX_SIGNATURE, line_number},
};
use crate::domain::{LineSpan, SymbolKind};

/// Longer lines are data. A definition is looked for at the start of a line only.
const MAX_LINE_BYTES: usize = 1_000;
/// More symbols than this from one file help nobody.
const MAX_SYMBOLS: usize = 5_000;

/// Patterns with the kind of what they define; the name is the group `n`.
const PATTERNS: &[(&str, SymbolKind)] = &[
    (
        r"^\s*@(?:interface|implementation|protocol)\s+(?<n>\w+)",
        SymbolKind::Class,
    ),
    (r"^\s*[-+]\s*\([^)]*\)\s*(?<n>\w+)", SymbolKind::Method),
    (
        r"^\s*(?:(?:export|default|declare|public|private|protected|internal|abstract|final|sealed|static|data|case|pub(?:\([a-z]+\))?|partial|open|extern|unsafe)\s+)*(?:class|interface|trait|protocol|struct|enum|union|record|object|message|service|contract|library|mixin|extension)\s+(?<n>[A-Za-z_]\w*)",
        SymbolKind::Class,
    ),
    (
        r"^\s*(?:(?:export|default|declare|public|private|protected|internal|abstract|final|static|async|pub(?:\([a-z]+\))?|const|unsafe|inline|override|suspend|open|local|rec|extern)\s+)*(?:def|defp|defn|fn|func|fun|function|sub|proc|rpc|macro|method|subroutine)\s+(?:[A-Za-z_]\w*[.:])?(?<n>[A-Za-z_][\w!?]*)",
        SymbolKind::Function,
    ),
    (
        r"(?i)^\s*create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+)*(?:table|view|function|procedure|trigger|index|type)\s+(?:if\s+not\s+exists\s+)?(?:\w+\.)?(?<n>\w+)",
        SymbolKind::Struct,
    ),
    (
        r"^\s*let\s+(?:rec\s+)?(?<n>[a-z_]\w*)",
        SymbolKind::Function,
    ),
    (
        r"^\((?:defun|defmacro|defn-?|define|defmethod|defmulti|defprotocol|defrecord)\s+\(?(?<n>[^\s()]+)",
        SymbolKind::Function,
    ),
    (r"^\s*#\s*define\s+(?<n>\w+)\s*[^\s]", SymbolKind::Macro),
    (
        r"^(?:[A-Za-z_][\w:<>,]*[\s*&]+)+(?<n>[A-Za-z_]\w*)\s*\([^;={}]*\)\s*(?:const\s*)?(?:\{.*)?$",
        SymbolKind::Function,
    ),
    (
        r"^(?<n>[a-z]\w*)\([^)]*\)\s*(?:when\s.*)?->",
        SymbolKind::Function,
    ),
];

/// What looks like a definition, in file order.
pub(super) fn scan(lines: &Lines<'_>) -> Vec<SymbolDraft> {
    let mut symbols = Vec::new();
    for line in 0..lines.count() {
        let text = lines.line(line);
        if text.len() > MAX_LINE_BYTES || symbols.len() >= MAX_SYMBOLS {
            continue;
        }
        let Some((name, kind)) = definition(text.trim_end()) else {
            continue;
        };
        let number = line_number(line);
        symbols.push(SymbolDraft {
            name: name.to_owned(),
            qualified_name: name.to_owned(),
            kind,
            signature: one_line(text, MAX_SIGNATURE)
                .trim_end_matches(['{', ' '])
                .to_owned(),
            span: LineSpan {
                start: number,
                end: number,
            },
            name_line: number,
        });
    }
    symbols
}

fn definition(line: &str) -> Option<(&str, SymbolKind)> {
    let trimmed = line.trim_start();
    if trimmed.starts_with("//")
        || trimmed.starts_with('*')
        || trimmed.starts_with("return ")
        || trimmed.starts_with("else ")
    {
        return None;
    }
    patterns()
        .iter()
        .find_map(|(pattern, kind)| Some((pattern.captures(line)?.name("n")?.as_str(), *kind)))
}

fn patterns() -> &'static [(Regex, SymbolKind)] {
    static COMPILED: OnceLock<Vec<(Regex, SymbolKind)>> = OnceLock::new();
    COMPILED.get_or_init(|| {
        PATTERNS
            .iter()
            .filter_map(|(pattern, kind)| Some((Regex::new(pattern).ok()?, *kind)))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(patterns().len(), PATTERNS.len());
    }

    #[test]
    fn definitions_are_found_and_calls_are_not() {
        for (line, expected) in [
            ("@interface CustomCell : NSObject", Some("CustomCell")),
            ("- (void)layoutCell;", Some("layoutCell")),
            ("int after_deep_c(void){return 1;}", Some("after_deep_c")),
            ("function afterDeepJs(){}", Some("afterDeepJs")),
            ("fn after_nested_comment() {}", Some("after_nested_comment")),
            ("CREATE TABLE IF NOT EXISTS app.users (", Some("users")),
            ("message SearchRequest {", Some("SearchRequest")),
            ("let rec fold f xs =", Some("fold")),
            ("(defn parse-line [text]", Some("parse-line")),
            ("    return compute(1);", None),
            ("foo(bar);", None),
            ("// class of its own", None),
            ("x = 1", None),
        ] {
            assert_eq!(definition(line).map(|(name, _)| name), expected, "{line}");
        }
    }
}
