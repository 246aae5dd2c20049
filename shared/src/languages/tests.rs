//! Invariants of the whole room.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;

use super::*;
use crate::domain::RepositoryPath;

fn parse_file(path: &str, text: &str) -> ParsedFile {
    let path = RepositoryPath::from_text(path);
    let language = detect(&path, text);
    parse(
        &ParseInput {
            path: &path,
            text,
            language,
        },
        &ParseLimits::default(),
    )
}

fn assert_covers(text: &str, parsed: &ParsedFile) {
    let mut next = 0;
    for chunk in &parsed.chunks {
        assert_eq!(chunk.start_byte, next, "a gap or an overlap");
        assert!(
            chunk.end_byte > chunk.start_byte
                && chunk.end_byte - chunk.start_byte <= assemble::MAX_BYTES
        );
        let body = &text[chunk.start_byte..chunk.end_byte];
        assert!(
            !body.trim().is_empty() || text.trim().is_empty() || body.len() > 1_000,
            "a blank chunk"
        );
        let line = |end: usize| {
            text.as_bytes()[..end]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count() as u32
                + 1
        };
        let first = line(chunk.start_byte);
        let last = line(chunk.end_byte - 1);
        assert_eq!((chunk.span.start, chunk.span.end), (first, last));
        next = chunk.end_byte;
    }
    assert_eq!(next, text.len(), "the end is missing");
}

#[test]
fn every_table_names_kinds_that_its_grammar_has() {
    for language in Language::all() {
        if let Reader::Syntax(grammar) = language.reader() {
            assert_eq!(
                grammar.unknown_kinds(),
                Vec::<&str>::new(),
                "{}",
                language.name()
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn chunks_cover_any_text(
        extension in prop::sample::select(vec!["rs", "py", "js", "ts", "go", "java", "c", "cpp", "rb", "ex", "hs", "md", "rst", "yaml", "lua", "kt"]),
        parts in prop::collection::vec(prop::sample::select(vec![
            "class A {\n", "}\n", "\n", "def f(x):\n    return 1\n", "fn g() { let a = 1; }\n", "# heading\n",
            "func (a *B) C() {\n", "  x = 1;\n", "/* comment\n", "*/", "\"\"\"\n", "end\n", "function h() {}\n",
            "é", "\r\n", "title\n=====\n", "  \n", "export const a = () => {\n", "template <class T>\n", "long ",
            "@decorator\n", "// note\n", "#[test]\n", "a very long run of words that goes on and on and on, ",
        ]), 0..120),
    ) {
        let text = parts.concat();
        let parsed = parse_file(&format!("a/b.{extension}"), &text);
        assert_covers(&text, &parsed);
    }
}
