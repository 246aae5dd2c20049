//! Why a question came out as it did: the list that was found, with each score's making.

use std::fmt::Write;

use quarry_shared::retrieval::{SearchHit, SearchOutcome};

use crate::{dataset::Question, metrics::ranks, retrieval::ranked};

/// Hits that are shown in any case.
const SHOWN: usize = 4;
/// Longest part of a question that is shown.
const QUESTION_CHARACTERS: usize = 100;

/// `path:first-last`.
#[must_use]
pub fn place(hit: &SearchHit) -> String {
    format!("{}:{}-{}", hit.path, hit.start_line, hit.end_line)
}

/// The first hits and the first hit of each target, with ranks and steps.
#[must_use]
pub fn describe(question: &Question, outcome: &SearchOutcome) -> String {
    let hits: Vec<_> = outcome.hits.iter().map(ranked).collect();
    let ranks = ranks(&hits, &question.targets);
    let title: String = question
        .text
        .lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(QUESTION_CHARACTERS)
        .collect();
    let mut text = format!(
        "`{title}` ({}, taken for {})\n",
        question.category,
        outcome.intent.as_str()
    );
    for (target, rank) in question.targets.iter().zip(&ranks) {
        let rank = rank.map_or_else(|| "absent".to_owned(), |rank| rank.to_string());
        let _ = writeln!(text, "    wanted {:<60} {rank}", target.path);
    }
    for (at, hit) in outcome.hits.iter().enumerate() {
        let is_wanted = ranks.contains(&Some(at + 1));
        if at < SHOWN || is_wanted {
            let mark = if is_wanted { '*' } else { ' ' };
            let _ = writeln!(
                text,
                "  {mark} {:>2} {:.3} {} [{}] {}",
                at + 1,
                hit.score,
                place(hit),
                hit.symbol.as_deref().unwrap_or("-"),
                steps(hit)
            );
        }
    }
    text
}

fn steps(hit: &SearchHit) -> String {
    let steps = hit.explanation.as_deref().unwrap_or_default();
    let named: Vec<String> = steps
        .iter()
        .map(|step| format!("{} {:.2}", step.name, step.value))
        .collect();
    named.join(", ")
}
