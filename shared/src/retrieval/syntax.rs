//! The search box's own language: `repo: path: lang: symbol: branch: rev: kind: test:yes|no`,
//! `-negation`, `"exact phrase"`, `/regular expression/`. Anything else is text, `std::vector` and
//! `https://…` included.

use crate::domain::TestFilter;

/// A question taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ParsedQuery {
    /// What is left to search for, phrases included.
    pub text: String,
    pub repositories: Vec<String>,
    pub paths: Vec<String>,
    pub languages: Vec<String>,
    pub symbols: Vec<String>,
    pub branch: Option<String>,
    pub revision: Option<String>,
    pub kinds: Vec<String>,
    pub tests: Option<TestFilter>,
    pub negated: Vec<String>,
    pub phrases: Vec<String>,
    pub regexes: Vec<String>,
}

/// Takes a question apart. Never fails: what is not understood stays text.
pub(crate) fn parse(source: &str) -> ParsedQuery {
    let source: String = source
        .chars()
        .map(|c| if c.is_control() && c != '\n' { ' ' } else { c })
        .collect();
    // Filters are typed on one line; a report is taken as it is.
    if source.trim().contains('\n') {
        return ParsedQuery {
            text: source,
            ..ParsedQuery::default()
        };
    }
    let mut parsed = ParsedQuery::default();
    let mut words: Vec<String> = Vec::new();
    let mut rest = source.trim_start();
    while !rest.is_empty() {
        rest = take_piece(rest, &mut parsed, &mut words).trim_start();
    }
    parsed.text = words.join(" ");
    parsed
}

fn take_piece<'a>(rest: &'a str, parsed: &mut ParsedQuery, words: &mut Vec<String>) -> &'a str {
    if let Some((phrase, after)) = quoted(rest, '"') {
        parsed.phrases.push(phrase.to_owned());
        words.push(phrase.to_owned());
        return after;
    }
    if let Some((pattern, after)) = regex(rest) {
        parsed.regexes.push(pattern.to_owned());
        return after;
    }
    if let Some((name, value, after)) = filter(rest)
        && apply(parsed, name, &value)
    {
        return after;
    }
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    match word.strip_prefix('-') {
        Some(negated) if negated.chars().next().is_some_and(char::is_alphanumeric) => {
            parsed.negated.push(negated.to_owned());
        }
        _ => words.push(word.to_owned()),
    }
    after
}

fn quoted(rest: &str, mark: char) -> Option<(&str, &str)> {
    let inner = rest.strip_prefix(mark)?;
    let end = inner.find(mark)?;
    let (phrase, after) = (&inner[..end], &inner[end + mark.len_utf8()..]);
    (!phrase.trim().is_empty()).then_some((phrase, after))
}

/// `/…/` as a word of its own; a path such as `/usr/lib` is text.
fn regex(rest: &str) -> Option<(&str, &str)> {
    let inner = rest.strip_prefix('/')?;
    let mut escaped = false;
    for (at, character) in inner.char_indices() {
        match character {
            '\\' if !escaped => escaped = true,
            '/' if !escaped => {
                let after = &inner[at + 1..];
                let ends = after.is_empty() || after.starts_with(char::is_whitespace);
                return (ends && at > 0).then_some((&inner[..at], after));
            }
            _ => escaped = false,
        }
    }
    None
}

fn filter(rest: &str) -> Option<(&str, String, &str)> {
    let colon = rest.find(':')?;
    let name = &rest[..colon];
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    let value = &rest[colon + 1..];
    if value.starts_with(':') || value.starts_with("//") {
        return None;
    }
    if let Some((phrase, after)) = quoted(value, '"') {
        return Some((name, phrase.to_owned(), after));
    }
    let end = value.find(char::is_whitespace).unwrap_or(value.len());
    (end > 0).then(|| (name, value[..end].to_owned(), &value[end..]))
}

/// Whether `name` is a filter and `value` one of its values.
fn apply(parsed: &mut ParsedQuery, name: &str, value: &str) -> bool {
    let value = value.to_owned();
    match name {
        "repo" | "repository" => parsed.repositories.push(value),
        "path" | "file" => parsed.paths.push(value),
        "lang" | "language" => parsed.languages.push(value.to_lowercase()),
        "symbol" | "sym" => parsed.symbols.push(value),
        "branch" => parsed.branch = Some(value),
        "rev" | "commit" => parsed.revision = Some(value),
        "kind" => parsed.kinds.push(value.to_lowercase()),
        "test" | "tests" => match value.as_str() {
            "yes" | "only" => parsed.tests = Some(TestFilter::Only),
            "no" => parsed.tests = Some(TestFilter::Exclude),
            _ => return false,
        },
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn filters_are_taken_out_and_the_rest_stays() {
        let parsed = parse(
            r#"evict lang:Rust path:src/** -draft "least recently" /ev[a-z]+t/ test:no repo:api"#,
        );
        assert_eq!(parsed.text, "evict least recently");
        assert_eq!(parsed.languages, ["rust"]);
        assert_eq!(parsed.paths, ["src/**"]);
        assert_eq!(parsed.negated, ["draft"]);
        assert_eq!(parsed.phrases, ["least recently"]);
        assert_eq!(parsed.regexes, ["ev[a-z]+t"]);
        assert_eq!(parsed.tests, Some(TestFilter::Exclude));
        assert_eq!(parsed.repositories, ["api"]);
    }

    #[test]
    fn code_that_looks_like_syntax_is_text() {
        for text in [
            "std::vector push_back",
            "a::b/c.d-e.py",
            "https://example.org/x",
            "/usr/lib/python",
            "unbalanced \"quote",
            "a - b --flag",
            "unknown:filter",
            "test:maybe",
            "path:",
        ] {
            assert_eq!(parse(text).text, text, "{text}");
        }
    }

    #[test]
    fn several_lines_are_a_report_and_are_left_alone() {
        let report = "Crash in path:x\n\nlang:rust -v";
        assert_eq!(parse(report).text, report);
    }

    proptest! {
        #[test]
        fn any_text_is_taken_apart(text in "\\PC{0,80}") {
            let _ = parse(&text);
        }
    }
}
