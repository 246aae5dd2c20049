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

fn names(parsed: &ParsedFile) -> Vec<&str> {
    parsed
        .symbols
        .iter()
        .map(|symbol| symbol.name.as_str())
        .collect()
}

/// The chunk whose `defines` holds the name.
fn defining<'a>(parsed: &'a ParsedFile, name: &str) -> &'a ChunkDraft {
    let found = parsed
        .chunks
        .iter()
        .find(|chunk| chunk.defines.iter().any(|defined| defined == name));
    found.unwrap_or_else(|| panic!("{name} is defined in no chunk"))
}

#[test]
fn pathological_nesting_degrades_and_what_follows_is_found() {
    // On a thread with the stack that a worker may have, since an overflow ends the process.
    let run = || {
        let deep =
            |open: &str, close: &str, times: usize| open.repeat(times) + "1" + &close.repeat(times);
        for (path, text, name) in [
            (
                "deep/paren.c",
                format!(
                    "int deep = {};\nint after_deep_c(void){{return 1;}}\n",
                    deep("(", ")", 200_000)
                ),
                "after_deep_c",
            ),
            (
                "deep/call.js",
                format!(
                    "{};\nfunction afterDeepJs(){{}}\n",
                    deep("f(", ")", 100_000)
                ),
                "afterDeepJs",
            ),
            (
                "deep/nest.rs",
                format!(
                    "{}{}\nfn after_nested_comment() {{}}\n",
                    "/*".repeat(40_000),
                    "*/".repeat(40_000)
                ),
                "after_nested_comment",
            ),
            (
                "deep/braces.c",
                format!(
                    "void f(void){}{}\nint after_braces(void){{return 1;}}\n",
                    "{".repeat(16_384),
                    "}".repeat(16_384)
                ),
                "after_braces",
            ),
        ] {
            let parsed = parse_file(path, &text);
            assert!(parsed.degraded.is_some(), "{path}");
            assert_covers(&text, &parsed);
            let symbol = parsed
                .symbols
                .iter()
                .find(|symbol| symbol.name == name)
                .expect(name);
            assert_eq!(symbol.name_line, 2);
            assert_eq!(defining(&parsed, name).span.end, 2);
        }
        // Below the limit the tree is deep, and the walk must not mind.
        let text = format!(
            "int deep = {};\nint after(void){{return 1;}}\n",
            deep("(", ")", 900)
        );
        let parsed = parse_file("a.c", &text);
        assert_eq!(parsed.degraded, None);
        assert!(names(&parsed).contains(&"after"));
    };
    std::thread::Builder::new()
        .stack_size(2 * 1024 * 1024)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn headers_define_what_their_language_says_and_nothing_else() {
    for (path, text, language, expected) in [
        (
            "inc/min.h",
            "struct Base {};\nstruct Derived : Base { int poke() const; };\n",
            "cpp",
            "Derived",
        ),
        (
            "inc/tmpl.h",
            "template <class T>\nclass RingBuffer {\n public:\n  T pop_oldest();\n};\n",
            "cpp",
            "RingBuffer",
        ),
        (
            "inc/plain.h",
            "#ifndef P_H\n#define P_H\nint plain_c_fn(int restrict_me);\n#endif\n",
            "c",
            "plain_c_fn",
        ),
        (
            "ios/Cell.h",
            "#import <UIKit/UIKit.h>\n@interface CustomCell : NSObject\n- (void)layoutCell;\n@end\n",
            "objective-c",
            "CustomCell",
        ),
    ] {
        let parsed = parse_file(path, text);
        assert_eq!(parsed.language, language, "{path}");
        assert!(
            names(&parsed).contains(&expected),
            "{path}: {:?}",
            names(&parsed)
        );
        let phantom = parsed.symbols.iter().any(|symbol| {
            symbol.name == "Base" && symbol.kind == crate::domain::SymbolKind::Function
        });
        assert!(!phantom, "{path}");
    }
}

#[test]
fn a_header_that_hides_its_language_is_read_by_the_sibling_grammar() {
    let text = "struct Base {};\nstruct Derived\n: Base {\n int poke();\n Derived& next();\n bool ok = true;\n};\n";
    let parsed = parse_file("a.h", text);
    assert_eq!(parsed.language, "cpp");
    assert!(names(&parsed).contains(&"Derived"));
}

#[test]
fn a_giant_line_is_cut_and_its_neighbours_are_found() {
    let text = format!(
        "// hand written\nfunction shortLineTarget(){{return 1}}\nvar d='{}';\n",
        "Zq9+".repeat(60_000)
    );
    let parsed = parse_file("web/mixed.js", &text);
    assert_covers(&text, &parsed);
    let chunk = defining(&parsed, "shortLineTarget");
    assert!(chunk.span.start <= 2 && chunk.span.end >= 2);
    let of_line_3 = parsed
        .chunks
        .iter()
        .filter(|chunk| chunk.span.end == 3)
        .count();
    assert!(of_line_3 > 50, "{of_line_3}");
    // Wide characters are never cut in two.
    let emoji = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}".repeat(9_000);
    assert_covers(&emoji, &parse_file("src/emoji.txt", &emoji));
}

#[test]
fn a_large_class_is_opened_and_a_small_one_is_whole() {
    let method = |name: &str| {
        let body = "        value = self.table.get(key, None)\n".repeat(12);
        format!(
            "    # Explains {name}.\n    @cached\n    def {name}(self, key):\n        \"\"\"Doc of {name}.\"\"\"\n{body}        return value\n\n"
        )
    };
    let text = format!(
        "import os\n\n\nclass Large(Base):\n    \"\"\"The large one.\"\"\"\n\n    limit = 3\n\n{}{}{}    def tiny(self):\n        return 1\n\n    def small(self):\n        return 2\n\n\nclass Small:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n",
        method("first"),
        method("second"),
        method("third"),
    );
    let parsed = parse_file("a.py", &text);
    assert_covers(&text, &parsed);
    let first = defining(&parsed, "first");
    assert_eq!(first.symbol.as_deref(), Some("Large.first"));
    assert_eq!(first.kind, ChunkKind::Function);
    assert_eq!(
        first.signatures.last().map(String::as_str),
        Some("def first(self, key)")
    );
    let second = defining(&parsed, "second");
    assert!(
        text[second.start_byte..]
            .trim_start()
            .starts_with("# Explains second.")
    );
    assert_eq!(second.comments, "Explains second.\nDoc of second.");
    // Crumbs are joined with their neighbours.
    assert_eq!(
        defining(&parsed, "tiny").span,
        defining(&parsed, "small").span
    );
    let small = defining(&parsed, "Small");
    assert_eq!(
        (small.kind, small.symbol.as_deref()),
        (ChunkKind::Type, Some("Small"))
    );
    assert_eq!(small.defines, ["Small", "one", "two"]);
}

#[test]
fn a_long_function_is_cut_between_lines_and_keeps_its_name() {
    let body = "    total += compute(total, 1);\n".repeat(200);
    let text = format!(
        "/// Sums.\nfn long() -> u32 {{\n    let mut total = 0;\n{body}    total\n}}\n\nfn next() {{}}\n"
    );
    let parsed = parse_file("a.rs", &text);
    assert_covers(&text, &parsed);
    let parts: Vec<_> = parsed
        .chunks
        .iter()
        .filter(|chunk| chunk.symbol.as_deref() == Some("long"))
        .collect();
    assert!(parts.len() >= 4);
    assert_eq!(
        parts
            .iter()
            .filter(|part| part.defines.contains(&"long".to_owned()))
            .count(),
        1
    );
    assert!(
        parts
            .iter()
            .all(|part| part.end_byte - part.start_byte <= layout::TARGET_BYTES + 100)
    );
}

#[test]
fn prose_is_cut_at_headings() {
    let paragraph = "Some words about it. ".repeat(40);
    let text = format!(
        "intro\n\n# Guide\n{paragraph}\n\n## Install\n{paragraph}\n```sh\n# no heading\n```\n\n# A\n\n# B\n"
    );
    let parsed = parse_file("README.md", &text);
    assert_covers(&text, &parsed);
    let qualified: Vec<_> = parsed
        .symbols
        .iter()
        .map(|symbol| symbol.qualified_name.as_str())
        .collect();
    assert_eq!(qualified, ["Guide", "Guide > Install", "A", "B"]);
    assert!(
        parsed
            .chunks
            .iter()
            .all(|chunk| chunk.kind == ChunkKind::Section && chunk.defines.is_empty())
    );
    assert!(parsed.chunks.len() >= 2);

    let rst = "Title\n=====\n\ntext\n\nPart\n----\n\ntext\n";
    let titles: Vec<_> = parse_file("a.rst", rst)
        .symbols
        .into_iter()
        .map(|symbol| symbol.qualified_name)
        .collect();
    assert_eq!(titles, ["Title", "Title > Part"]);
}

#[test]
fn broken_files_keep_what_can_be_read() {
    let text = "def good_before():\n    return 1\n\n\nclass Broken(:\n    x = = 2\n\n\ndef good_after():\n    return 2\n";
    let parsed = parse_file("a.py", text);
    assert_covers(text, &parsed);
    assert!(names(&parsed).contains(&"good_before") && names(&parsed).contains(&"good_after"));
    let prose = "This is no program at all, it is a letter. ".repeat(50);
    assert_covers(&prose, &parse_file("letter.go", &prose));
}

#[test]
fn limits_of_nodes_and_time_degrade_the_file() {
    let path = RepositoryPath::from_text("a.rs");
    let text = "fn found() { call(1, 2, 3); }\n".repeat(50);
    let input = ParseInput {
        path: &path,
        text: &text,
        language: detect(&path, &text),
    };
    let few_nodes = ParseLimits {
        max_nodes: 100,
        ..ParseLimits::default()
    };
    let parsed = parse(&input, &few_nodes);
    assert_eq!(parsed.degraded.as_deref(), Some("too many syntax nodes"));
    assert!(names(&parsed).contains(&"found"));
    assert_covers(&text, &parsed);

    let text = "fn found() { call(1, 2, 3); }\n".repeat(20_000);
    let input = ParseInput {
        path: &path,
        text: &text,
        language: detect(&path, &text),
    };
    let no_time = ParseLimits {
        time: std::time::Duration::ZERO,
        ..ParseLimits::default()
    };
    assert_eq!(
        parse(&input, &no_time).degraded.as_deref(),
        Some("parsing took too long")
    );
    // The next file on the same thread is not affected.
    assert_eq!(parse_file("b.rs", "fn next() {}\n").degraded, None);
}

#[test]
fn small_functions_and_empty_files_are_no_special_case() {
    assert_eq!(parse_file("a.py", "").chunks, []);
    for path in ["a.py", "a.md", "a.rst", "a.txt", "a.rs"] {
        for text in ["\n", "\n\n\n", "x", "\n\nx", "x\n\n\n\n", "\r\n\r\n"] {
            assert_covers(text, &parse_file(path, text));
        }
    }
}
