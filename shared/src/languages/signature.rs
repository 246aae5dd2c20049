//! The one line by which a definition is recognized.

use std::ops::Range;

use super::{
    grammar::one_line,
    outline::{MAX_SIGNATURE, is_type},
};
use crate::domain::SymbolKind;

/// Longest distance from the start of a definition to its name, in bytes: attributes, modifiers
/// and a result type may stand between.
const MAX_NAME_DISTANCE: usize = 2_000;

/// Offset of the name of a definition that spans `range`; its start if the name is not found.
pub(super) fn name_offset(text: &str, range: &Range<usize>, name: &str) -> usize {
    let end = text.floor_char_boundary(range.end.min(range.start + MAX_NAME_DISTANCE));
    let window = text.get(range.start..end).unwrap_or_default();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = window.as_bytes();
    let whole_word = |at: &usize| {
        let before = at
            .checked_sub(1)
            .is_some_and(|before| is_word(bytes[before]));
        let after = bytes
            .get(at + name.len())
            .is_some_and(|after| is_word(*after));
        !before && !after
    };
    memchr::memmem::find_iter(bytes, name)
        .find(whole_word)
        .map_or(range.start, |at| range.start + at)
}

/// The text from `range.start` up to the body on one line. `range` ends where the body begins if
/// `has_body`, else with the definition.
pub(super) fn signature(
    text: &str,
    range: &Range<usize>,
    has_body: bool,
    kind: SymbolKind,
    name: usize,
) -> String {
    let is_function = matches!(kind, SymbolKind::Function | SymbolKind::Method);
    let whole = text.get(range.clone()).unwrap_or_default();
    let head = if has_body && (is_function || is_type(kind)) {
        whole
    } else if is_function || is_type(kind) {
        balanced_lines(whole)
    } else {
        // A field or constant is known by the line with its name.
        let line_start = text[..name]
            .rfind('\n')
            .map_or(0, |at| at + 1)
            .max(range.start);
        text.get(line_start..range.end)
            .unwrap_or_default()
            .lines()
            .next()
            .unwrap_or_default()
    };
    let line = one_line(head, MAX_SIGNATURE);
    let line = line.trim_end_matches(['{', ':', '=', ';', ',', ' ']);
    line.strip_suffix(" do")
        .unwrap_or(line)
        .trim_end()
        .to_owned()
}

/// Whole lines up to the first one at whose end no parenthesis is open.
fn balanced_lines(text: &str) -> &str {
    let mut depth = 0_i32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'\n' if depth <= 0 => return &text[..at],
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_whole_words() {
        let text = "const fnord = 1; fn fn_a(); fn a();";
        assert_eq!(name_offset(text, &(17..text.len()), "a"), 31);
        assert_eq!(name_offset(text, &(0..text.len()), "missing"), 0);
    }

    #[test]
    fn a_signature_ends_before_the_body() {
        for (text, body, kind, expected) in [
            (
                "fn a(\n    x: u32,\n) -> u32 {",
                Some(26),
                SymbolKind::Function,
                "fn a( x: u32, ) -> u32",
            ),
            (
                "mount = function(self)\n  return 1\nend",
                None,
                SymbolKind::Function,
                "mount = function(self)",
            ),
            (
                "typedef enum {\n  A\n} kind_t;",
                None,
                SymbolKind::Enum,
                "typedef enum",
            ),
            (
                "@Inject\nprivate int x = 1;",
                None,
                SymbolKind::Field,
                "private int x = 1",
            ),
            ("def a do", None, SymbolKind::Function, "def a"),
        ] {
            let range = 0..body.unwrap_or(text.len());
            let name = name_offset(
                text,
                &(0..text.len()),
                if kind == SymbolKind::Field { "x" } else { "a" },
            );
            assert_eq!(
                signature(text, &range, body.is_some(), kind, name),
                expected
            );
        }
    }
}
