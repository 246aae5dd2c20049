//! What matches, and where.

use proptest::prelude::*;

use super::{World, expression, found, literal, search};
use crate::retrieval::{ExactQuery, exact::required::Folding};

#[tokio::test]
async fn bad_questions_are_refused() {
    let world = World::start().await;
    let place = world.single().await;
    let long = "x".repeat(1_001);
    let cases = [
        (literal(""), "empty_query"),
        (expression(""), "empty_query"),
        (expression("a(b"), "invalid_pattern"),
        (expression("x{1000}{1000}"), "invalid_pattern"),
        (literal(&long), "invalid_pattern"),
        (expression(&long), "invalid_pattern"),
        (
            ExactQuery {
                path: Some("src/[".to_owned()),
                ..literal("abc")
            },
            "invalid_path_filter",
        ),
    ];
    for (query, code) in cases {
        let error = search(&world, place, &query).await.unwrap_err();
        assert_eq!(crate::domain::Kinded::code(&error), code, "{query:?}");
        assert!(error.to_string().len() < 200, "{error}");
    }
}

#[tokio::test]
async fn marks_of_query_languages_stand_for_themselves() {
    let world = World::start().await;
    let place = world.single().await;
    let texts = [
        "100%",
        "a_b",
        "it's",
        "say \"hi\" now",
        "x*y",
        "(a)",
        "NOT this",
        "this OR that",
        "a AND b",
        "NEAR(a b, 3)",
        "text:abc",
        "^abc",
        "a-b-c",
        "\\d+",
        "'; DROP TABLE blobs; --",
        "$1 ? ?1",
        "\"\"\"",
        "{a}",
        "[b]+c",
        "a\\_b",
        "%%%",
        "___",
        "tab\there",
        "💥💥💥",
        "ab\u{301}c",
        "\u{feff}bom",
    ];
    for (number, text) in texts.iter().enumerate() {
        world.file(place, &format!("{number:02}.txt"), text).await;
    }
    for (number, text) in texts.iter().enumerate() {
        for query in [literal(text), expression(&regex::escape(text))] {
            let outcome = search(&world, place, &query).await.unwrap();
            let wanted: Vec<String> = texts
                .iter()
                .enumerate()
                .filter(|(_, other)| other.to_lowercase().contains(&text.to_lowercase()))
                .map(|(number, _)| format!("{number:02}.txt"))
                .collect();
            let paths: Vec<_> = outcome.files.iter().map(|file| &file.path).collect();
            assert_eq!(paths, wanted.iter().collect::<Vec<_>>(), "{number} {text}");
        }
    }
}

#[tokio::test]
async fn letter_case_and_whole_words() {
    let world = World::start().await;
    let place = world.single().await;
    world
        .file(
            place,
            "a.rs",
            "getUser\ngetuser\nGETUSERS\nget_user getUser2 getUser",
        )
        .await;
    let all = |case_sensitive, whole_word| ExactQuery {
        case_sensitive,
        whole_word,
        ..literal("getUser")
    };
    for (query, wanted) in [
        (
            all(false, false),
            vec!["1:0-7", "2:0-7", "3:0-7", "4:9-16", "4:18-25"],
        ),
        (all(true, false), vec!["1:0-7", "4:9-16", "4:18-25"]),
        (all(false, true), vec!["1:0-7", "2:0-7", "4:18-25"]),
        (all(true, true), vec!["1:0-7", "4:18-25"]),
    ] {
        let outcome = search(&world, place, &query).await.unwrap();
        let wanted: Vec<String> = wanted.iter().map(|at| format!("a.rs:{at}")).collect();
        assert_eq!(found(&outcome), wanted, "{query:?}");
        assert_eq!(outcome.matches, wanted.len());
    }
}

#[tokio::test]
async fn lines_and_columns_are_those_of_an_editor() {
    let world = World::start().await;
    let place = world.single().await;
    let crlf = "one\r\ntwo  \r\n\r\nthree🦀é two\r\nend";
    world.file(place, "crlf.txt", crlf).await;
    for (query, wanted) in [
        (literal("two"), vec!["2:0-3", "4:9-12"]),
        (literal("e"), vec!["1:2-3", "4:3-4", "4:4-5", "5:0-1"]),
        (expression("é two$"), vec!["4:7-12"]),
        (expression("^$"), vec!["3:0-0"]),
        (
            expression(r"^\w+"),
            vec!["1:0-3", "2:0-3", "4:0-5", "5:0-3"],
        ),
        // A match over several lines belongs to the line on which it begins, and ends with it.
        (literal("one\ntwo"), vec!["1:0-3"]),
        (expression(r"two\s+three"), vec!["2:0-5"]),
        (expression(r"(?s)two.*two"), vec!["2:0-5"]),
        (expression(r"\Aone"), vec!["1:0-3"]),
        (expression(r"end\z"), vec!["5:0-3"]),
        (
            expression(r"\n"),
            vec!["1:3-3", "2:5-5", "3:0-0", "4:12-12"],
        ),
        (
            expression("q*"),
            vec!["1:0-0", "2:0-0", "3:0-0", "4:0-0", "5:0-0"],
        ),
    ] {
        let outcome = search(&world, place, &query).await.unwrap();
        let wanted: Vec<String> = wanted.iter().map(|at| format!("crlf.txt:{at}")).collect();
        assert_eq!(found(&outcome), wanted, "{}", query.pattern);
    }
    let shown = search(&world, place, &literal("three")).await.unwrap();
    assert_eq!(shown.files[0].matches[0].text, "three🦀é two");
}

#[tokio::test]
async fn long_lines_are_cut_around_the_match() {
    let world = World::start().await;
    let place = world.single().await;
    let text = format!("short\n{}needle{}\n", "🦀".repeat(5_000), "é".repeat(5_000));
    world.file(place, "long.js", &text).await;
    world
        .file(place, "tail.js", &format!("{}needle", "x".repeat(900)))
        .await;
    let outcome = search(&world, place, &literal("needle")).await.unwrap();
    let [long, tail] = &outcome.files[..] else {
        panic!("{outcome:?}");
    };
    let shown = &long.matches[0];
    assert_eq!((shown.line, shown.start, shown.end), (2, 10_000, 10_006));
    assert_eq!(shown.text.chars().count(), 400);
    assert_eq!(shown.text_offset, 9_800);
    assert!(shown.text.starts_with("🦀") && shown.text.ends_with("é"));
    let shown = &tail.matches[0];
    assert_eq!((shown.start, shown.text_offset), (900, 506));
    assert_eq!(shown.text.len(), 400);
}

#[tokio::test]
async fn the_index_folds_letters_as_expressions_do() {
    let world = World::start().await;
    if !world.database.is_sqlite() {
        return;
    }
    let mut pairs = Vec::new();
    for letter in ('a'..'\u{10000}').filter(|letter| Folding::Sqlite.keeps(*letter)) {
        let range = regex_syntax::hir::ClassUnicodeRange::new(letter, letter);
        let mut class = regex_syntax::hir::ClassUnicode::new([range]);
        class.case_fold_simple();
        let others = class.iter().map(|range| range.len()).sum::<usize>();
        if others == 1 || letter.is_ascii_uppercase() {
            continue;
        }
        for other in class.iter().flat_map(|range| range.start()..=range.end()) {
            // The gap that `required` tells of.
            if !('\u{1c80}'..='\u{1c88}').contains(&other) {
                pairs.push((letter, other));
            }
        }
    }
    assert!(pairs.contains(&('s', 'ſ')) && pairs.contains(&('k', '\u{212a}')));
    let rows = pairs.iter().enumerate();
    let rows: Vec<_> = rows
        .map(|(row, (_, other))| format!("({row}, '{other}==')"))
        .collect();
    let sql = format!(
        "INSERT INTO blob_trigrams (rowid, text) VALUES {}",
        rows.join(",")
    );
    world.run(&sql, []).await;
    let mut lost = Vec::new();
    for (row, (letter, other)) in pairs.iter().enumerate() {
        let sql = format!(
            "SELECT count(*) AS hits FROM blob_trigrams \
             WHERE blob_trigrams MATCH '\"{letter}==\"' AND rowid = {row}"
        );
        if world.count(&sql).await != 1 {
            lost.push((letter, other));
        }
    }
    assert_eq!(
        lost,
        [],
        "the index does not hold these letters' other cases"
    );
}

#[tokio::test]
async fn languages_and_paths_narrow() {
    let world = World::start().await;
    let place = world.single().await;
    for path in [
        "src/a.rs",
        "src/deep/b.rs",
        "a.py",
        "lib/src/c.py",
        "[x].py",
    ] {
        world.file(place, path, "needle").await;
    }
    let with = |languages: &[&str], path: &str| ExactQuery {
        languages: languages.iter().map(|name| (*name).to_owned()).collect(),
        path: Some(path.to_owned()),
        ..literal("needle")
    };
    for (query, wanted) in [
        (with(&["rs"], ""), vec!["src/a.rs", "src/deep/b.rs"]),
        (with(&["cobol"], ""), vec![]),
        (with(&["rs' OR 1=1 --"], ""), vec![]),
        (with(&[], "src/*"), vec!["src/a.rs"]),
        (with(&[], "src/**"), vec!["src/a.rs", "src/deep/b.rs"]),
        (with(&[], "*.py"), vec!["[x].py", "a.py", "lib/src/c.py"]),
        (
            with(&[], "{src,lib}/**/*.{rs,py}"),
            vec!["lib/src/c.py", "src/a.rs", "src/deep/b.rs"],
        ),
        (with(&["py"], "lib/**"), vec!["lib/src/c.py"]),
        (with(&[], "[[]x].py"), vec!["[x].py"]),
        (with(&[], "SRC/D"), vec!["src/deep/b.rs"]),
        (with(&[], "%"), vec![]),
    ] {
        let outcome = search(&world, place, &query).await.unwrap();
        let paths: Vec<_> = outcome
            .files
            .iter()
            .map(|file| file.path.as_str())
            .collect();
        assert_eq!(paths, wanted, "{query:?}");
        assert_eq!(outcome.stop_reason, None);
    }
}

const ALPHABET: &[char] = &[
    'a', 'b', '"', '\'', '%', '_', '(', '*', ' ', '\n', '\\', 'é', 'k', 'K',
];

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(ALPHABET), 0..12)
        .prop_map(|characters| characters.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// The index may only narrow: what plain reading finds, the search finds.
    #[test]
    fn the_index_loses_nothing(
        texts in proptest::collection::vec(text(), 1..8),
        patterns in proptest::collection::vec(text(), 1..8),
    ) {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let world = World::start().await;
            let place = world.single().await;
            for (number, text) in texts.iter().enumerate() {
                world.file(place, &format!("{number}.txt"), text).await;
            }
            for pattern in patterns.iter().filter(|pattern| !pattern.is_empty()) {
                let outcome = search(&world, place, &literal(pattern)).await.unwrap();
                let paths: Vec<_> = outcome.files.iter().map(|file| file.path.clone()).collect();
                let wanted: Vec<_> = texts
                    .iter()
                    .enumerate()
                    .filter(|(_, text)| text.to_lowercase().contains(&pattern.to_lowercase()))
                    .map(|(number, _)| format!("{number}.txt"))
                    .collect();
                prop_assert_eq!(paths, wanted, "{:?}", pattern);
            }
            Ok(())
        })?;
    }
}
