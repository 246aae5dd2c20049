//! Rules on top of the fused score: definitions, file names, whole files, file classes.

use std::collections::{HashMap, HashSet};

use super::{
    candidate::Candidate,
    constants::{
        DEFINES_IN_PROSE, DEFINES_IN_REPORT, DEFINES_MOST, DEFINES_NAME, DEFINES_NAME_STEM,
        FILE_LEXICAL, FILE_SUM, FILE_SUM_CHUNKS, REPORT_FRAME, REPORT_PATH, STEM,
    },
    outcome::Intent,
    score::{LexicalScorer, normalise},
    understand::Understanding,
};
use crate::{
    analysis::analyze_path,
    domain::{FileClass, TestFilter},
};

/// Applies every rule in order.
pub(crate) fn boost(
    candidates: &mut [Candidate],
    question: &Understanding,
    scorer: &LexicalScorer,
    tests: TestFilter,
) {
    definitions(candidates, question);
    mentioned_files(candidates, question);
    stems(candidates, question);
    whole_files(candidates, scorer);
    file_sums(candidates);
    classes(candidates, question, tests);
}

/// Chunks that define a name of the question. In a report, a name that is defined in many places
/// says little about each.
fn definitions(candidates: &mut [Candidate], question: &Understanding) {
    if question.names.is_empty() {
        return;
    }
    let mut defined: HashMap<&str, usize> = HashMap::new();
    for candidate in candidates.iter() {
        for name in &candidate.facts.defines {
            if let Some(asked) = question.names.iter().find(|asked| same_name(asked, name)) {
                *defined.entry(asked.as_str()).or_default() += 1;
            }
        }
    }
    for candidate in candidates.iter_mut() {
        let facts = candidate.facts.clone();
        let found: Vec<&String> = question
            .names
            .iter()
            .filter(|asked| facts.defines.iter().any(|name| same_name(asked, name)))
            .collect();
        let Some(first) = found.first() else { continue };
        #[allow(clippy::cast_precision_loss)]
        let value = match question.intent {
            Intent::Name | Intent::Path => {
                let exact = facts.defines.iter().any(|name| name == *first);
                let named_file = facts.path.stem().eq_ignore_ascii_case(first);
                let qualified = question.qualifiers.is_empty()
                    || facts.symbol.as_ref().is_some_and(|symbol| {
                        question
                            .qualifiers
                            .iter()
                            .any(|part| symbol.contains(part.as_str()))
                    });
                let base = if exact && qualified {
                    DEFINES_NAME
                } else {
                    DEFINES_NAME / 2.0
                };
                base + if named_file { DEFINES_NAME_STEM } else { 0.0 }
            }
            Intent::Prose => DEFINES_IN_PROSE,
            Intent::Report => {
                let count = found.len().min(3) as f32;
                let rarest = found
                    .iter()
                    .filter_map(|name| defined.get(name.as_str()))
                    .min();
                let rarest = rarest.copied().unwrap_or(1).max(1) as f32;
                (DEFINES_IN_REPORT * count.sqrt() / rarest.sqrt()).min(DEFINES_MOST)
            }
        };
        candidate.add("defines", value, || format!("defines `{first}`"));
    }
}

fn same_name(asked: &str, defined: &str) -> bool {
    asked.eq_ignore_ascii_case(defined)
}

/// Files that a report names by their path, for example in a traceback.
fn mentioned_files(candidates: &mut [Candidate], question: &Understanding) {
    if question.intent == Intent::Name {
        return;
    }
    let innermost = question
        .frames
        .iter()
        .find(|frame| {
            candidates
                .iter()
                .any(|candidate| mentions(frame, candidate.facts.path.as_str()))
        })
        .cloned();
    for candidate in candidates.iter_mut() {
        let path = candidate.facts.path.as_str().to_owned();
        if let Some(mention) = question
            .paths
            .iter()
            .find(|mention| mentions(mention, &path))
        {
            candidate.add("path_mentioned", REPORT_PATH, || {
                format!("the question names `{mention}`")
            });
        }
        if let Some(frame) = innermost.as_ref().filter(|frame| mentions(frame, &path)) {
            candidate.add("failed_here", REPORT_FRAME, || {
                format!("`{frame}` is the innermost call of the traceback that is found here")
            });
        }
    }
}

/// Whether a mention (`/usr/lib/site-packages/pkg/a.py`, `pkg/a.py`, `a.py`) means the path: one
/// ends with the other at a component border, and a longer mention shares two components.
pub(crate) fn mentions(mention: &str, path: &str) -> bool {
    let theirs: Vec<&str> = mention
        .rsplit('/')
        .filter(|part| !part.is_empty())
        .collect();
    let ours: Vec<&str> = path.rsplit('/').collect();
    let common = theirs.iter().zip(&ours).take_while(|(a, b)| a == b).count();
    common > 0 && (common == theirs.len() || common == ours.len() || common >= 2)
}

/// Share of the file stem's words that the question covers.
fn stems(candidates: &mut [Candidate], question: &Understanding) {
    let words: HashSet<&str> = question
        .terms
        .iter()
        .map(|term| term.token.stem.as_str())
        .collect();
    for candidate in candidates.iter_mut() {
        let stem = candidate.facts.path.stem().to_owned();
        let tokens = analyze_path(&stem);
        if tokens.is_empty() {
            continue;
        }
        let covered = tokens
            .iter()
            .filter(|token| words.contains(token.stem.as_str()))
            .count();
        #[allow(clippy::cast_precision_loss)]
        let share = covered as f32 / tokens.len() as f32;
        candidate.add("file_name", STEM * share, || {
            format!("the question covers `{stem}`")
        });
    }
}

/// BM25F of the recalled part of each file.
fn whole_files(candidates: &mut [Candidate], scorer: &LexicalScorer) {
    let mut files: HashMap<i64, usize> = HashMap::new();
    let mut sums = Vec::new();
    for candidate in candidates.iter() {
        let at = *files.entry(candidate.facts.file_id).or_insert_with(|| {
            sums.push(super::score::TermMatches::default());
            sums.len() - 1
        });
        sums[at].add(&candidate.matches);
    }
    let mut scores: Vec<f32> = sums.iter().map(|sum| scorer.score(sum)).collect();
    normalise(&mut scores);
    for candidate in candidates.iter_mut() {
        let score = scores[files[&candidate.facts.file_id]];
        candidate.add("whole_file", FILE_LEXICAL * score, || {
            "words of the whole file".to_owned()
        });
    }
}

/// The best chunk of a file gains by the file's other good chunks.
fn file_sums(candidates: &mut [Candidate]) {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by(|a, b| candidates[*b].score.total_cmp(&candidates[*a].score));
    let mut sums: HashMap<i64, f32> = HashMap::new();
    let mut best: HashMap<i64, usize> = HashMap::new();
    for at in order.iter().take(FILE_SUM_CHUNKS) {
        let file = candidates[*at].facts.file_id;
        *sums.entry(file).or_default() += candidates[*at].score;
        best.entry(file).or_insert(*at);
    }
    let most = sums.values().copied().fold(0.0, f32::max);
    if most <= 0.0 {
        return;
    }
    for (file, at) in best {
        let share = sums[&file] / most;
        candidates[at].add("file_sum", FILE_SUM * share, || {
            "the file's chunks together".to_owned()
        });
    }
}

/// Tests, examples and the like stand behind sources.
fn classes(candidates: &mut [Candidate], question: &Understanding, tests: TestFilter) {
    for candidate in candidates.iter_mut() {
        let class = candidate.facts.class;
        let factor = match class {
            FileClass::Source => 1.0,
            FileClass::Test if tests == TestFilter::Only => 1.0,
            FileClass::Test => 0.3,
            FileClass::Example | FileClass::Generated | FileClass::Documentation => 0.5,
            FileClass::Legacy => 0.4,
            FileClass::Reexport => 0.6,
            FileClass::Declaration => 0.7,
            FileClass::Support => 0.8,
        };
        if question.intent != Intent::Path {
            candidate.scale("file_class", factor, || {
                format!("a file of class `{}`", class.as_str())
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn mentions_meet_paths_at_component_borders() {
        for (mention, path, meant) in [
            (
                "/usr/lib/python3/site-packages/_pytest/fixtures.py",
                "src/_pytest/fixtures.py",
                true,
            ),
            ("fixtures.py", "src/_pytest/fixtures.py", true),
            ("_pytest/fixtures.py", "src/_pytest/fixtures.py", true),
            ("other/fixtures.py", "src/_pytest/fixtures.py", false),
            ("xfixtures.py", "src/_pytest/fixtures.py", false),
            ("", "a.py", false),
        ] {
            assert_eq!(mentions(mention, path), meant, "{mention} {path}");
        }
    }
}
