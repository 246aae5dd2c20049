//! From what a person typed to a compiled expression and what the index is asked for it.

use regex::{Regex, RegexBuilder};
use regex_syntax::{
    Parser, ParserBuilder,
    hir::{Class, Hir, HirKind, Look},
};

use super::required::{Folding, required};
use crate::{retrieval::RetrievalError, store::exact_lane::TextNeed};

/// Something to find in lines of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExactPattern {
    pub text: String,
    /// Whether `text` is a regular expression; otherwise it stands for itself.
    pub regex: bool,
}

/// How a pattern is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PatternOptions {
    pub case_sensitive: bool,
    pub whole_word: bool,
    /// Which database narrows the search.
    pub is_sqlite: bool,
}

/// A pattern that is ready to search.
#[derive(Debug, Clone)]
pub(super) struct CompiledPattern {
    pub regex: Regex,
    pub need: TextNeed,
    /// Whether a match may go on beyond its line, or depends on where the text begins or ends.
    pub crosses_lines: bool,
}

/// Longer ones are pasted by accident, and cost more than they find.
const MOST_CHARACTERS: usize = 1_000;
/// Room for a few dozen Unicode classes; the time of a search grows with it.
const COMPILED_BYTES: usize = 2 * 1024 * 1024;
const LAZY_STATES_BYTES: usize = 8 * 1024 * 1024;
const NESTING: u32 = 100;

impl CompiledPattern {
    pub(super) fn new(
        pattern: &ExactPattern,
        options: PatternOptions,
    ) -> Result<Self, RetrievalError> {
        if pattern.text.is_empty() {
            return Err(RetrievalError::EmptyQuery);
        }
        if pattern.text.chars().nth(MOST_CHARACTERS).is_some() {
            let message = format!("it is longer than {MOST_CHARACTERS} characters");
            return Err(RetrievalError::InvalidPattern(message));
        }
        let source = if pattern.regex {
            pattern.text.clone()
        } else {
            literal(&pattern.text)
        };
        // Without folding, so that the texts are whole; the index folds them itself.
        let plain = parse(&source, false)?;
        let folding = match options {
            PatternOptions {
                case_sensitive: true,
                ..
            } => Folding::Exact,
            PatternOptions {
                is_sqlite: true, ..
            } => Folding::Sqlite,
            PatternOptions { .. } => Folding::Postgres,
        };
        let regex = if options.whole_word {
            // Printed from its parsed form, so that flags and comments inside cannot reach out.
            let inner = parse(&source, !options.case_sensitive)?;
            build(&format!(r"\b{{start-half}}(?:{inner})\b{{end-half}}"), true)?
        } else {
            build(&source, options.case_sensitive)?
        };
        Ok(Self {
            regex,
            need: required(&plain, folding),
            crosses_lines: crosses_lines(&plain),
        })
    }
}

/// An expression for the text itself, whatever line ends the file has.
fn literal(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| regex::escape(line.strip_suffix('\r').unwrap_or(line)))
        .collect();
    lines.join(r"\r?\n")
}

fn parser(case_insensitive: bool) -> Parser {
    ParserBuilder::new()
        .multi_line(true)
        .crlf(true)
        .case_insensitive(case_insensitive)
        .nest_limit(NESTING)
        .build()
}

fn parse(source: &str, case_insensitive: bool) -> Result<Hir, RetrievalError> {
    parser(case_insensitive).parse(source).map_err(|error| {
        let message = match error {
            regex_syntax::Error::Parse(error) => {
                let column = error.span().start.column;
                format!("{} at character {column}", error.kind())
            }
            regex_syntax::Error::Translate(error) => {
                let column = error.span().start.column;
                format!("{} at character {column}", error.kind())
            }
            _ => "it is not a regular expression".to_owned(),
        };
        RetrievalError::InvalidPattern(message)
    })
}

fn build(source: &str, case_sensitive: bool) -> Result<Regex, RetrievalError> {
    RegexBuilder::new(source)
        .multi_line(true)
        .crlf(true)
        .case_insensitive(!case_sensitive)
        .size_limit(COMPILED_BYTES)
        .dfa_size_limit(LAZY_STATES_BYTES)
        .build()
        .map_err(|error| {
            let message = match error {
                regex::Error::CompiledTooBig(_) => "it repeats too much to be searched",
                _ => "it is not a regular expression",
            };
            RetrievalError::InvalidPattern(message.to_owned())
        })
}

fn crosses_lines(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty => false,
        HirKind::Look(look) => matches!(look, Look::Start | Look::End),
        HirKind::Literal(literal) => literal.0.contains(&b'\n'),
        HirKind::Class(Class::Unicode(class)) => class
            .ranges()
            .iter()
            .any(|range| range.start() <= '\n' && '\n' <= range.end()),
        HirKind::Class(Class::Bytes(class)) => class
            .ranges()
            .iter()
            .any(|range| range.start() <= b'\n' && b'\n' <= range.end()),
        HirKind::Repetition(repetition) => crosses_lines(&repetition.sub),
        HirKind::Capture(capture) => crosses_lines(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(crosses_lines),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn compile(text: &str, regex: bool, whole_word: bool) -> Result<CompiledPattern, String> {
        let pattern = ExactPattern {
            text: text.to_owned(),
            regex,
        };
        let options = PatternOptions {
            case_sensitive: true,
            whole_word,
            is_sqlite: true,
        };
        CompiledPattern::new(&pattern, options).map_err(|error| error.to_string())
    }

    #[test]
    fn bad_patterns_are_refused_in_one_short_line() {
        let long = "x".repeat(1_001);
        let nested = "(".repeat(400) + &")".repeat(400);
        for (pattern, part) in [
            ("", "empty"),
            ("a(b", "unclosed group at character 2"),
            ("a)(b", "unopened group at character 2"),
            ("*", "at character 1"),
            ("[z-a]", "range"),
            (r"(a)\1", "backreferences"),
            ("(?=a)", "look-around"),
            (r"\p{Nothing}", "Unicode property"),
            (r"(?-u:\xFF)", "UTF-8"),
            ("x{1000}{1000}", "repeats too much"),
            (r"\w{500}", "repeats too much"),
            (&long, "longer than 1000"),
            (&nested, "nest"),
        ] {
            for whole_word in [false, true] {
                let message = compile(pattern, true, whole_word).unwrap_err();
                assert!(message.contains(part), "{pattern}: {message}");
                assert!(message.len() < 200 && !message.contains('\n'), "{message}");
            }
        }
    }

    #[test]
    fn whole_words_end_where_a_word_ends_and_flags_stay_inside() {
        for (pattern, regex, text, found) in [
            ("get", false, "get_all target get", Some(15)),
            ("foo(", false, "a foo( b", Some(2)),
            ("foo(", false, "xfoo(", None),
            ("a|b", true, "ab b", Some(3)),
            ("(?x) g e t # a comment", true, "forget get", Some(7)),
            ("(?i)get", true, "GETS GET", Some(5)),
            ("größe", false, "größer größe", Some(9)),
        ] {
            let compiled = compile(pattern, regex, true).unwrap();
            let at = compiled.regex.find(text).map(|found| found.start());
            assert_eq!(at, found, "{pattern} in {text}");
        }
    }

    #[test]
    fn only_patterns_that_need_it_are_searched_across_lines() {
        for (pattern, crosses) in [
            ("foo.*bar$", false),
            (r"\bfoo\b", false),
            (r"a\s+b", true),
            ("a[^b]c", true),
            (r"\Ause", true),
            ("(?s)a.b", true),
            ("a\nb", true),
        ] {
            assert_eq!(
                compile(pattern, true, false).unwrap().crosses_lines,
                crosses
            );
        }
        assert!(!compile("a.b", false, false).unwrap().crosses_lines);
        let lines = compile("a\nb", false, false).unwrap();
        assert!(lines.regex.is_match("a\r\nb") && lines.regex.is_match("a\nb"));
    }
}
