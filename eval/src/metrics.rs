//! Measures of ranked lists, pure functions over hits and targets.
//!
//! A hit is a chunk: a path and the lines it covers. A target is what a question's annotation names.
//! The definitions are those of `eval/README.md`; change neither alone.

use serde::Serialize;

/// Hits that the ranked measures look at.
pub const CUTOFF: usize = 10;
/// Budget of the measure that stands for a reader's context window.
pub const TOKEN_BUDGET: usize = 2_000;
/// A usual estimate for code where no tokenizer is at hand.
const CHARACTERS_PER_TOKEN: usize = 4;

/// Lines from the first to the last, both included, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    pub first: u32,
    pub last: u32,
}

/// What a question should find: a file, or some lines of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub path: String,
    pub lines: Option<Lines>,
}

/// A found chunk, as far as measures need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedHit {
    pub path: String,
    pub lines: Lines,
    /// Length of the returned text.
    pub characters: usize,
}

/// Measures of one question.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Scores {
    /// Binary nDCG over the first [`CUTOFF`] hits, ideal = min([`CUTOFF`], targets).
    pub ndcg: f64,
    /// Share of the targets among the first [`CUTOFF`] hits.
    pub recall: f64,
    /// 1 / rank of the first hit from any target's file within the first [`CUTOFF`].
    pub reciprocal_rank: f64,
    /// 1 when the first hit is from any target's file.
    pub first_hit: f64,
    /// Share of the targets within the first [`TOKEN_BUDGET`] tokens of returned text.
    pub recall_in_budget: f64,
}

/// Measures a ranked list against its targets. Without targets every measure is 0.
#[must_use]
pub fn score(hits: &[RankedHit], targets: &[Target]) -> Scores {
    if targets.is_empty() {
        return Scores::default();
    }
    let hits_in_budget = hits_within(hits, TOKEN_BUDGET);
    let hits = &hits[..hits.len().min(CUTOFF)];
    let ranks: Vec<usize> = ranks(hits, targets).into_iter().flatten().collect();
    let first_file = hits
        .iter()
        .position(|hit| targets.iter().any(|target| target.path == hit.path));
    Scores {
        ndcg: gain(ranks.iter().copied()) / gain(1..=targets.len().min(CUTOFF)),
        recall: share(ranks.len(), targets.len()),
        reciprocal_rank: first_file.map_or(0.0, |at| share(1, at + 1)),
        first_hit: if first_file == Some(0) { 1.0 } else { 0.0 },
        recall_in_budget: share(ranks_found(hits_in_budget, targets), targets.len()),
    }
}

/// The rank of each target, from 1: its first hit, where the target has lines one that overlaps.
#[must_use]
pub fn ranks(hits: &[RankedHit], targets: &[Target]) -> Vec<Option<usize>> {
    targets
        .iter()
        .map(|target| {
            hits.iter()
                .position(|hit| matches(hit, target))
                .map(|at| at + 1)
        })
        .collect()
}

/// 1 when every gold file is among the first `cutoff` distinct files of the hits, else 0.
#[must_use]
pub fn file_accuracy(hits: &[RankedHit], gold: &[String], cutoff: usize) -> f64 {
    let mut files: Vec<&str> = Vec::new();
    for hit in hits {
        if files.len() == cutoff {
            break;
        }
        if !files.contains(&hit.path.as_str()) {
            files.push(&hit.path);
        }
    }
    let found = !gold.is_empty() && gold.iter().all(|path| files.contains(&path.as_str()));
    if found { 1.0 } else { 0.0 }
}

/// The value below which `share` of the sorted values lie (nearest rank). `None` without values.
#[must_use]
pub fn percentile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss
    )]
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

/// The arithmetic mean; 0 without values.
#[must_use]
pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

fn matches(hit: &RankedHit, target: &Target) -> bool {
    hit.path == target.path
        && target
            .lines
            .is_none_or(|lines| hit.lines.first <= lines.last && lines.first <= hit.lines.last)
}

fn ranks_found(hits: &[RankedHit], targets: &[Target]) -> usize {
    ranks(hits, targets).into_iter().flatten().count()
}

/// The first hits whose texts fit together into the budget.
fn hits_within(hits: &[RankedHit], tokens: usize) -> &[RankedHit] {
    let mut used = 0;
    let fitting = hits
        .iter()
        .take_while(|hit| {
            used += hit.characters.div_ceil(CHARACTERS_PER_TOKEN);
            used <= tokens
        })
        .count();
    &hits[..fitting]
}

#[allow(clippy::cast_precision_loss)]
fn gain(ranks: impl Iterator<Item = usize>) -> f64 {
    ranks.map(|rank| 1.0 / (rank as f64 + 1.0).log2()).sum()
}

#[allow(clippy::cast_precision_loss)]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(path: &str, first: u32, last: u32) -> RankedHit {
        RankedHit {
            path: path.to_owned(),
            lines: Lines { first, last },
            characters: 400,
        }
    }

    fn hits(paths: &str) -> Vec<RankedHit> {
        paths
            .chars()
            .map(|path| hit(&path.to_string(), 1, 10))
            .collect()
    }

    fn files(paths: &str) -> Vec<Target> {
        paths
            .chars()
            .map(|path| Target {
                path: path.to_string(),
                lines: None,
            })
            .collect()
    }

    fn about(left: f64, right: f64) -> bool {
        (left - right).abs() < 0.000_5
    }

    /// Values computed by hand: 1/log2(rank + 1) is 1, .6309, .5, .4307, .3869 … .2891 at rank 10.
    #[test]
    fn ndcg_counts_each_target_at_its_first_hit() {
        for (found, wanted, ndcg) in [
            ("a", "a", 1.0),
            ("ba", "a", 0.6309),
            ("bca", "a", 0.5),
            ("bbbbbbbbba", "a", 0.2891),
            // The eleventh hit does not count.
            ("bbbbbbbbbba", "a", 0.0),
            ("", "a", 0.0),
            ("ab", "ab", 1.0),
            // Order among targets does not matter, and a file's second hit counts as a hit.
            ("ba", "ab", 1.0),
            ("aab", "ab", (1.0 + 0.5) / 1.6309),
            ("ac", "ab", 1.0 / 1.6309),
            ("xaxb", "abc", (0.6309 + 0.4307) / 2.1309),
        ] {
            let scores = score(&hits(found), &files(wanted));
            assert!(about(scores.ndcg, ndcg), "{found} {wanted}: {scores:?}");
        }
    }

    #[test]
    fn twelve_targets_are_perfect_when_ten_of_them_fill_the_list() {
        let scores = score(&hits("abcdefghij"), &files("abcdefghijkl"));
        assert!(about(scores.ndcg, 1.0), "{scores:?}");
        assert!(about(scores.recall, 10.0 / 12.0), "{scores:?}");
    }

    #[test]
    fn a_target_with_lines_needs_a_hit_that_touches_them() {
        let target = Target {
            path: "a".to_owned(),
            lines: Some(Lines {
                first: 20,
                last: 30,
            }),
        };
        for (first, last, overlaps) in [
            (1, 19, false),
            (1, 20, true),
            (25, 26, true),
            (30, 90, true),
            (31, 90, false),
            (1, 90, true),
        ] {
            let found = ranks(&[hit("a", first, last)], std::slice::from_ref(&target));
            assert_eq!(found, [overlaps.then_some(1)], "{first}-{last}");
        }
        // The file is right at rank 1, the lines at rank 2: file measures see the first.
        let scores = score(&[hit("a", 1, 5), hit("a", 18, 22)], &[target]);
        assert!(about(scores.ndcg, 0.6309), "{scores:?}");
        assert!(about(scores.first_hit, 1.0), "{scores:?}");
    }

    #[test]
    fn file_measures_look_at_the_first_right_file() {
        for (found, wanted, recall, reciprocal, first) in [
            ("ab", "ab", 1.0, 1.0, 1.0),
            ("xa", "ab", 0.5, 0.5, 0.0),
            ("xxxb", "ab", 0.5, 0.25, 0.0),
            ("xx", "ab", 0.0, 0.0, 0.0),
        ] {
            let scores = score(&hits(found), &files(wanted));
            assert!(about(scores.recall, recall), "{found}: {scores:?}");
            assert!(about(scores.reciprocal_rank, reciprocal), "{found}");
            assert!(about(scores.first_hit, first), "{found}");
        }
    }

    #[test]
    fn the_token_budget_ends_the_list_at_the_text_that_overflows_it() {
        let mut found = hits("abc");
        found[0].characters = 4_000;
        found[1].characters = 4_000;
        found[2].characters = 1;
        let scores = score(&found, &files("abc"));
        assert!(about(scores.recall_in_budget, 2.0 / 3.0), "{scores:?}");
        found[1].characters = 4_001;
        let scores = score(&found, &files("abc"));
        assert!(about(scores.recall_in_budget, 1.0 / 3.0), "{scores:?}");
    }

    #[test]
    fn file_accuracy_counts_distinct_files_and_wants_all_of_them() {
        let gold = |paths: &str| -> Vec<String> { paths.chars().map(String::from).collect() };
        for (found, wanted, cutoff, accuracy) in [
            ("abc", "a", 1, 1.0),
            ("aab", "b", 1, 0.0),
            ("aab", "b", 2, 1.0),
            ("aab", "ab", 1, 0.0),
            ("aab", "ab", 2, 1.0),
            ("aab", "", 2, 0.0),
        ] {
            let measured = file_accuracy(&hits(found), &gold(wanted), cutoff);
            assert!(about(measured, accuracy), "{found} {wanted} {cutoff}");
        }
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(percentile(&values, 0.5), Some(2.0));
        assert_eq!(percentile(&values, 0.95), Some(4.0));
        assert_eq!(percentile(&[7.0], 0.5), Some(7.0));
        assert_eq!(percentile(&[], 0.5), None);
    }
}
