//! The code analyzer: how text becomes words, the same for every lexical engine, for a chunk's own
//! term vector and for questions.
//!
//! Read `words` for how identifiers are cut, `fold` for Unicode, `stem` for word classes, `query`
//! for questions and `term_vector` for what SQL keeps of a chunk. No I/O and no engine lives here.

mod fold;
mod hash;
mod query;
mod stem;
mod term_vector;
mod words;

pub use hash::term_hash;
pub use query::{analyze_query, is_stopword};
pub use term_vector::{
    Field, TermEntries, TermEntry, TermVector, TermVectorError, TermVectorRef, field_tokens,
};

use crate::ports::Token;

/// Longest word in bytes; longer ones are dropped, since nobody types them and random data makes
/// them by the million.
pub const MAX_TOKEN_BYTES: usize = 64;

/// Cuts text into words: the parts of every identifier and, where there are several, the whole
/// identifier too, lower-cased, accents folded, in order of appearance.
///
/// `HTTPServer2` gives `http`, `server`, `2`, `httpserver2`.
#[must_use]
pub fn analyze(text: &str) -> Vec<Token> {
    // About one word in six bytes of code.
    let mut tokens = Vec::with_capacity(text.len() / 6);
    for_each_token(text, |surface, stem| {
        tokens.push(Token {
            surface: surface.to_owned(),
            stem: stem.to_owned(),
        });
    });
    tokens
}

/// The words of a path: its folders, the file's stem and its extension.
#[must_use]
pub fn analyze_path(path: &str) -> Vec<Token> {
    analyze(path)
}

/// Calls `visit(surface, stem)` for every word of [`analyze`] without allocating per word.
pub fn for_each_token(text: &str, mut visit: impl FnMut(&str, &str)) {
    stem::with_stems(|stems| {
        words::for_each_surface(text, &mut |surface| visit(surface, stems.stem(surface)));
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn surfaces(text: &str) -> String {
        analyze(text)
            .into_iter()
            .map(|token| token.surface)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn identifiers_give_their_parts_and_the_whole() {
        for (text, expected) in [
            ("getUserById", "get user by id getuserbyid"),
            ("get_user_by_id", "get user by id get_user_by_id"),
            ("HTTPServer2", "http server 2 httpserver2"),
            ("XMLHttpRequest", "xml http request xmlhttprequest"),
            ("parseJSON", "parse json parsejson"),
            ("btn-primary", "btn primary btn_primary"),
            ("utf8", "utf 8 utf8"),
            ("x86_64", "x 86 64 x86_64"),
            ("__init__", "init"),
            ("MAX_SIZE", "max size max_size"),
            ("plain", "plain"),
            ("A", "a"),
            ("i-j + 3", "i j 3"),
            ("a.b::c(d)", "a b c d"),
            ("", ""),
            ("___ -- !", ""),
        ] {
            assert_eq!(surfaces(text), expected, "{text}");
        }
    }

    #[test]
    fn other_scripts_stay_findable() {
        for (text, expected) in [
            ("Überweisung", "uberweisung"),
            ("U\u{308}BERWEISUNG", "uberweisung"),
            ("Straße", "strasse"),
            ("退款", "退 款 退款"),
            ("订单退款", "订 单 退 款 订单 单退 退款"),
            ("ログイン", "ロ グ イ ン ログ グイ イン"),
            ("ﾛｸﾞ", "ロ グ ログ"),
            ("обработатьЗаказ", "обработать заказ обработатьзаказ"),
            ("“quoted”", "quoted"),
            ("getTest退", "get test gettest 退"),
        ] {
            assert_eq!(surfaces(text), expected, "{text}");
        }
        let body = analyze("// 订单退款处理 ログイン処理");
        for word in ["退款", "ログ", "処理"] {
            assert!(body.iter().any(|token| token.surface == word), "{word}");
        }
    }

    #[test]
    fn random_data_does_not_flood_the_index() {
        let base64 = "aGVsbG8gd29ybGQgdGhpcyBpcyBhIGxvbmcgYmFzZTY0IHN0cmluZyB3aXRoIG1hbnkgYnl0ZXM";
        assert_eq!(surfaces(base64), "");
        let hash = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
        assert_eq!(surfaces(hash), hash);
        assert_eq!(surfaces(&"ab1Cd".repeat(300_000)), "");
        let long_name =
            "test_that_a_very_long_name_of_a_test_keeps_its_words_although_it_is_over_the_limit";
        assert!(surfaces(long_name).contains("keeps its words although"));
        assert!(!surfaces(long_name).contains('_'));
    }

    #[test]
    fn words_of_one_family_share_a_stem() {
        let stems = |text: &str| {
            let mut stems: Vec<String> = analyze(text).into_iter().map(|t| t.stem).collect();
            stems.dedup();
            stems
        };
        assert_eq!(stems("connect connects connected connecting").len(), 1);
        assert_eq!(stems("parses bus ids"), ["pars", "bus", "ids"]);
        assert_eq!(stems("get_users"), ["get", "user", "get_users"]);
    }

    #[test]
    fn the_visitor_may_analyze_in_turn() {
        let mut inner = 0;
        for_each_token("one two", |surface, _| inner += analyze(surface).len());
        assert_eq!(inner, 2);
    }

    #[test]
    fn a_path_gives_folders_stem_and_extension() {
        let words: Vec<String> = analyze_path("src/http-server/userCache.rs")
            .into_iter()
            .map(|token| token.surface)
            .collect();
        for word in [
            "src",
            "http",
            "server",
            "http_server",
            "user",
            "cache",
            "usercache",
            "rs",
        ] {
            assert!(words.iter().any(|found| found == word), "{word}");
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_clean_words(text in "\\PC{0,200}") {
            for token in analyze(&text) {
                prop_assert!(!token.surface.is_empty() && !token.stem.is_empty());
                prop_assert!(token.surface.len() <= MAX_TOKEN_BYTES);
                prop_assert!(!token.surface.contains(|c: char| c.is_whitespace() || c == ':'));
            }
        }

        #[test]
        fn a_word_is_found_by_itself(text in "([a-zA-Z0-9_ .-]|[а-яА-Я]|[äöüÄÖÜß]|[一-丂]|[ア-オ]|\\PC){0,40}") {
            for token in analyze(&text) {
                prop_assert!(analyze(&token.surface).contains(&token), "{:?}", token);
            }
        }

        #[test]
        fn case_styles_share_their_parts(words in proptest::collection::vec("[a-z]{2,8}", 2..5)) {
            let snake = words.join("_");
            let kebab = words.join("-");
            let camel: String = words.iter().enumerate().map(|(at, word)| {
                if at == 0 { return word.clone(); }
                let (head, tail) = word.split_at(1);
                head.to_uppercase() + tail
            }).collect();
            for text in [snake, kebab, camel] {
                let parts: Vec<String> = analyze(&text).into_iter().map(|t| t.surface).collect();
                prop_assert_eq!(&parts[..words.len()], &words[..], "{}", text);
                prop_assert_eq!(parts.len(), words.len() + 1);
            }
        }
    }
}
