//! What kind of question it is, and which words, names and paths it holds.

use std::{collections::HashSet, sync::LazyLock};

use regex::Regex;

use super::{
    constants::{
        DENSE_SHARE_NAME, DENSE_SHARE_PROSE, DENSE_SHARE_REPORT, REPORT_RECALL_TERMS, REPORT_WORDS,
    },
    outcome::Intent,
    report::{frames, without_noise},
};
use crate::{
    analysis::{analyze_path, analyze_query, is_stopword},
    ports::QueryTerm,
};

/// A question as the ranking sees it.
#[derive(Debug, Clone)]
pub(crate) struct Understanding {
    pub intent: Intent,
    /// What an embedder reads.
    pub text: String,
    /// Words with their weights.
    pub terms: Vec<QueryTerm>,
    /// Simple names that may be defined somewhere, as written.
    pub names: Vec<String>,
    /// The part before the last separator of a qualified name (`Cache` of `Cache.insert`).
    pub qualifiers: Vec<String>,
    /// Paths or file names that the question mentions.
    pub paths: Vec<String>,
    /// Paths with line numbers, as in a traceback, the place of the failure first.
    pub frames: Vec<String>,
    /// The first line of a report.
    pub title: Option<String>,
}

impl Understanding {
    /// Share of the dense score.
    pub(crate) const fn dense_share(&self) -> f32 {
        match self.intent {
            Intent::Name | Intent::Path => DENSE_SHARE_NAME,
            Intent::Prose => DENSE_SHARE_PROSE,
            Intent::Report => DENSE_SHARE_REPORT,
        }
    }
}

/// Understands a question's free text.
pub(crate) fn understand(text: &str) -> Understanding {
    let text = text.trim();
    let words = text.split_whitespace().count();
    if words > REPORT_WORDS || text.contains('\n') {
        return report(text);
    }
    let is_path = words == 1 && PATH.is_match(text);
    let is_name = !is_path && QUALIFIED_NAME.is_match(text);
    let intent = match (is_path, is_name) {
        (true, _) => Intent::Path,
        (_, true) => Intent::Name,
        _ => Intent::Prose,
    };
    let (mut names, mut qualifiers) = (Vec::new(), Vec::new());
    if is_name {
        split_name(text, &mut names, &mut qualifiers);
    } else {
        for found in CODE_WORD.find_iter(text) {
            if looks_like_code(found.as_str(), text, found.start()) {
                split_name(found.as_str(), &mut names, &mut qualifiers);
            }
        }
    }
    let paths = mentioned_paths(text);
    let terms = if is_path {
        path_terms(text)
    } else {
        analyze_query(text)
    };
    Understanding {
        intent,
        text: text.to_owned(),
        terms,
        names: unique(names),
        qualifiers,
        paths,
        frames: Vec::new(),
        title: None,
    }
}

fn report(text: &str) -> Understanding {
    let text = &without_noise(text);
    let title = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default()
        .trim();
    let mut terms = analyze_query(text);
    let in_title: HashSet<String> = analyze_query(title)
        .into_iter()
        .map(|term| term.token.surface)
        .collect();
    for term in &mut terms {
        let once_more = f32::from(u8::from(in_title.contains(&term.token.surface)));
        // A word that a traceback repeats fifty times is not fifty times as telling.
        term.weight = (term.weight + once_more).sqrt();
    }
    // Line numbers, times and versions.
    terms.retain(|term| {
        let surface = &term.token.surface;
        surface.len() > 1 && !surface.bytes().all(|byte| byte.is_ascii_digit())
    });
    terms.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    terms.truncate(REPORT_RECALL_TERMS);
    let (mut names, mut qualifiers) = (Vec::new(), Vec::new());
    for found in QUOTED_CODE
        .captures_iter(text)
        .filter_map(|found| found.get(1))
    {
        for word in CODE_WORD.find_iter(found.as_str()) {
            split_name(word.as_str(), &mut names, &mut qualifiers);
        }
    }
    for found in CALL_OR_DOTTED.find_iter(text).chain(FRAME.find_iter(text)) {
        let word = found
            .as_str()
            .trim_end_matches('(')
            .trim_start_matches("in ");
        split_name(word, &mut names, &mut qualifiers);
    }
    for found in CODE_WORD.find_iter(title) {
        if looks_like_code(found.as_str(), title, found.start()) {
            split_name(found.as_str(), &mut names, &mut qualifiers);
        }
    }
    Understanding {
        intent: Intent::Report,
        text: text.clone(),
        terms,
        names: unique(names),
        qualifiers,
        paths: mentioned_paths(text),
        frames: frames(text),
        title: Some(title.to_owned()),
    }
}

/// Names in a report beyond this are noise, and each costs a look-up.
pub(super) const MOST_NAMES: usize = 40;

fn unique(names: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut kept: Vec<String> = names
        .into_iter()
        .filter(|name| name.len() > 1 && !is_stopword(&name.to_lowercase()))
        .filter(|name| seen.insert(name.clone()))
        .collect();
    kept.truncate(MOST_NAMES);
    kept
}

fn split_name(name: &str, names: &mut Vec<String>, qualifiers: &mut Vec<String>) {
    let parts: Vec<&str> = name
        .split(['.', ':', '#', '/', '-', '>'])
        .map(|part| part.trim_end_matches(['(', ')', '!', '?']))
        .filter(|part| !part.is_empty())
        .collect();
    let Some((last, before)) = parts.split_last() else {
        return;
    };
    names.push((*last).to_owned());
    qualifiers.extend(before.iter().map(|part| (*part).to_owned()));
}

/// Whether a word in prose is written like an identifier.
fn looks_like_code(word: &str, text: &str, at: usize) -> bool {
    let inner_upper =
        word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let joined = word.contains('_') || word.contains("::") || word.contains('.');
    let called = text[at + word.len()..].starts_with('(');
    let ticked = at > 0 && text.as_bytes()[at - 1] == b'`';
    let capitalised = at > 0 && word.len() > 3 && word.starts_with(char::is_uppercase);
    inner_upper || joined || called || ticked || capitalised
}

fn path_terms(text: &str) -> Vec<QueryTerm> {
    let mut seen = HashSet::new();
    analyze_path(text)
        .into_iter()
        .filter(|token| seen.insert(token.surface.clone()))
        .map(|token| QueryTerm { token, weight: 1.0 })
        .collect()
}

fn mentioned_paths(text: &str) -> Vec<String> {
    let mut paths: Vec<String> = PATH_IN_TEXT
        .find_iter(text)
        .map(|found| found.as_str().trim_start_matches("./").to_owned())
        .collect();
    // `pkg.module.sub` in Python is the file pkg/module/sub.py.
    paths.sort();
    paths.dedup();
    paths.truncate(MOST_NAMES);
    paths
}

macro_rules! pattern {
    ($name:ident, $text:literal) => {
        #[allow(clippy::expect_used)]
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($text).expect("a constant pattern compiles"));
    };
}

pattern!(
    QUALIFIED_NAME,
    r"^[\p{L}_$@][\p{L}\p{N}_$]*((\.|::|#|/|->|-)[\p{L}_$][\p{L}\p{N}_$]*)*(\(\)|!|\?)?$"
);
pattern!(
    PATH,
    r"^[\w@+\-./\\]*(/[\w@+\-.]+\.\w+|/[\w@+\-.]*/?|^[\w@+\-]+\.(c|cc|cpp|cs|ex|exs|go|h|hpp|hs|java|js|json|kt|lua|md|mjs|php|py|rb|rs|scala|sh|swift|toml|ts|tsx|yaml|yml|zig))$"
);
pattern!(
    CODE_WORD,
    r"[\p{L}_$][\p{L}\p{N}_$]*((\.|::)[\p{L}_$][\p{L}\p{N}_$]*)*"
);
pattern!(QUOTED_CODE, r"`{1,3}([^`\n]{2,120})`{1,3}");
pattern!(
    CALL_OR_DOTTED,
    r"\b[A-Za-z_]\w*(\.[A-Za-z_]\w*)+\(?|\b[A-Za-z_]\w{2,}\(|\b[a-z]+(_[a-z0-9]+)+\b|\b[A-Z][a-z0-9]+([A-Z][a-z0-9]+)+\b"
);
pattern!(FRAME, r"\bin [A-Za-z_]\w+");
pattern!(
    PATH_IN_TEXT,
    r"[\w@+\-./]*[\w@+\-]\.(c|cc|cpp|cs|ex|exs|go|h|hpp|hs|java|jsx|js|kt|lua|mjs|php|py|rb|rs|scala|sh|swift|tsx|ts|zig)\b"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intents_follow_the_form_of_the_question() {
        for (text, intent) in [
            ("HTTPServer", Intent::Name),
            ("Cache.insert", Intent::Name),
            ("std::vector", Intent::Name),
            ("evict_oldest()", Intent::Name),
            ("src/cache.rs", Intent::Path),
            ("cache.rs", Intent::Path),
            ("how is the cache evicted", Intent::Prose),
            ("cache eviction", Intent::Prose),
            ("Crash when evicting\n\nTraceback", Intent::Report),
        ] {
            assert_eq!(understand(text).intent, intent, "{text}");
        }
    }

    #[test]
    fn names_are_found_in_prose_and_reports() {
        assert_eq!(understand("Cache.insert").names, ["insert"]);
        assert_eq!(understand("Cache.insert").qualifiers, ["Cache"]);
        let prose = understand("where does renewSession call the `clock` of Invoice");
        assert_eq!(prose.names, ["renewSession", "clock", "Invoice"]);
        let report = understand(
            "fixture ordering broken\n  File \"/usr/lib/python3/site-packages/_pytest/fixtures.py\", line 3, in getfixture\nuse `FixtureDef.execute`",
        );
        assert!(report.names.contains(&"execute".to_owned()), "{report:?}");
        assert!(
            report.names.contains(&"getfixture".to_owned()),
            "{report:?}"
        );
        assert!(
            report
                .paths
                .iter()
                .any(|path| path.ends_with("_pytest/fixtures.py")),
            "{report:?}"
        );
    }
}
