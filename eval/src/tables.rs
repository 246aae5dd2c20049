//! Measured figures as text, for people.

use std::fmt::Write;

use crate::{
    arguments::Condition,
    results::{ConditionSummary, CorpusResult, QuestionResult},
    retrieval::Evaluation,
};

/// The whole evaluation: a table for each condition, then the summary.
#[must_use]
pub fn render(evaluation: &Evaluation) -> String {
    let mut text = String::new();
    for summary in &evaluation.summaries {
        let results = evaluation
            .corpora
            .iter()
            .filter(|result| result.condition == summary.condition);
        let _ = writeln!(text, "\n== {} ==", summary.condition);
        if summary.condition == Condition::Issues.as_str() {
            issues(&mut text, results);
        } else {
            questions(&mut text, results);
        }
    }
    summaries(&mut text, evaluation);
    text
}

/// The worst questions of an evaluation, worst first.
#[must_use]
pub fn failures(evaluation: &Evaluation, count: usize) -> String {
    let mut worst: Vec<(&CorpusResult, &QuestionResult)> = evaluation
        .corpora
        .iter()
        .flat_map(|corpus| {
            corpus
                .questions
                .iter()
                .map(move |question| (corpus, question))
        })
        .filter(|(_, question)| question.diagnosis.is_some())
        .collect();
    worst.sort_by(|(_, left), (_, right)| left.scores.ndcg.total_cmp(&right.scores.ndcg));
    let mut text = String::from("\n== worst questions ==\n");
    for (corpus, question) in worst.into_iter().take(count) {
        let _ = writeln!(
            text,
            "{:.3} {} {} {}",
            question.scores.ndcg,
            corpus.condition,
            corpus.name,
            question.diagnosis.as_deref().unwrap_or_default()
        );
    }
    text
}

fn questions<'a>(text: &mut String, results: impl Iterator<Item = &'a CorpusResult>) {
    let _ = writeln!(
        text,
        "{:<20} {:<11} {:>7} {:>7} {:>7} {:>6} {:>7} | {:>6} {:>7} {:>7} {:>7} {:>7} {:>6}",
        "repository",
        "language",
        "nDCG@10",
        "rec@10",
        "MRR@10",
        "hit@1",
        "rec@2k",
        "seen",
        "indexed",
        "skipped",
        "chunks",
        "seconds",
        "embed"
    );
    for result in results {
        let scores = result.means.scores;
        let index = &result.index;
        let _ = writeln!(
            text,
            "{:<20} {:<11} {:>7.3} {:>7.3} {:>7.3} {:>6.3} {:>7.3} | {:>6} {:>7} {:>7} {:>7} {:>7.2} {:>5.0}%",
            result.name,
            result.language.as_deref().unwrap_or("-"),
            scores.ndcg,
            scores.recall,
            scores.reciprocal_rank,
            scores.first_hit,
            scores.recall_in_budget,
            index.files_seen,
            index.files_indexed,
            index.files_skipped,
            index.chunks,
            index.seconds,
            percent(index.embed_seconds, index.seconds),
        );
    }
}

fn issues<'a>(text: &mut String, results: impl Iterator<Item = &'a CorpusResult>) {
    let _ = writeln!(
        text,
        "{:<28} {:>9} {:>7} | {:>6} {:>7} {:>7} {:>7} {:>7} {:>6}",
        "issue", "rank", "ms", "seen", "indexed", "skipped", "chunks", "seconds", "embed"
    );
    for result in results {
        let index = &result.index;
        let Some(question) = result.questions.first() else {
            continue;
        };
        let rank = question
            .target_ranks
            .iter()
            .map(|rank| rank.map_or_else(|| "absent".to_owned(), |rank| rank.to_string()))
            .collect::<Vec<_>>()
            .join(",");
        let _ = writeln!(
            text,
            "{:<28} {:>9} {:>7.1} | {:>6} {:>7} {:>7} {:>7} {:>7.2} {:>5.0}%",
            result.name,
            rank,
            question.milliseconds,
            index.files_seen,
            index.files_indexed,
            index.files_skipped,
            index.chunks,
            index.seconds,
            percent(index.embed_seconds, index.seconds),
        );
    }
}

fn summaries(text: &mut String, evaluation: &Evaluation) {
    let _ = writeln!(
        text,
        "\n== means (embedder {}, fusion {}) ==",
        evaluation.embedder,
        match evaluation.fusion {
            quarry_shared::retrieval::Fusion::Weighted => "weighted",
            quarry_shared::retrieval::Fusion::Rrf => "rrf",
        }
    );
    for summary in &evaluation.summaries {
        summary_line(text, summary);
    }
    for skipped in &evaluation.skipped {
        let _ = writeln!(
            text,
            "SKIPPED {} {}: {}",
            skipped.condition, skipped.name, skipped.reason
        );
    }
    let warned = evaluation
        .corpora
        .iter()
        .flat_map(|corpus| &corpus.questions)
        .filter(|question| !question.warnings.is_empty())
        .count();
    if warned > 0 {
        let _ = writeln!(
            text,
            "WARNING: a channel did not answer in {warned} questions"
        );
    }
    if let Some(peak) = evaluation.peak_memory_mib {
        let _ = writeln!(text, "peak memory {peak:.0} MiB");
    }
}

fn summary_line(text: &mut String, summary: &ConditionSummary) {
    let scores = summary.means.scores;
    let _ = write!(
        text,
        "{:<6} {:>3} corpora {:>3} questions  ",
        summary.condition, summary.corpora, summary.questions
    );
    if summary.condition == Condition::Issues.as_str() {
        let [one, three, five, ten] = summary.means.accuracy;
        let _ = write!(
            text,
            "file accuracy@1/3/5/10 {one:.3}/{three:.3}/{five:.3}/{ten:.3}  MRR@10 {:.3}",
            scores.reciprocal_rank
        );
    } else {
        let _ = write!(
            text,
            "nDCG@10 {:.4}  recall@10 {:.3}  MRR@10 {:.3}  hit@1 {:.3}  recall@2k {:.3}  (",
            scores.ndcg,
            scores.recall,
            scores.reciprocal_rank,
            scores.first_hit,
            scores.recall_in_budget
        );
        let categories: Vec<String> = summary
            .ndcg_by_category
            .iter()
            .map(|(category, ndcg)| format!("{category} {ndcg:.3}"))
            .collect();
        let _ = write!(text, "{})", categories.join(", "));
    }
    let _ = writeln!(
        text,
        "\n       queries p50 {:.1} ms, p95 {:.1} ms; indexes {} chunks of {:.1} MB in {:.1} s, {:.0}% in the embedder",
        summary.query_milliseconds_p50.unwrap_or_default(),
        summary.query_milliseconds_p95.unwrap_or_default(),
        summary.chunks,
        megabytes(summary.bytes),
        summary.index_seconds,
        percent(summary.embed_seconds, summary.index_seconds),
    );
}

fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 {
        100.0 * part / whole
    } else {
        0.0
    }
}

#[allow(clippy::cast_precision_loss)]
fn megabytes(bytes: i64) -> f64 {
    bytes as f64 / 1_000_000.0
}
