//! What was measured, from a single question to the means of a condition.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    arguments::Condition,
    corpora::Corpus,
    instance::IndexStatistics,
    metrics::{Scores, mean, percentile},
};

/// Cutoffs of the file accuracy of bug reports.
pub const ACCURACY_CUTOFFS: [usize; 4] = [1, 3, 5, 10];

/// One question and how it came out.
#[derive(Debug, Clone, Serialize)]
pub struct QuestionResult {
    pub text: String,
    pub category: String,
    /// What the search took it for.
    pub intent: &'static str,
    #[serde(flatten)]
    pub scores: Scores,
    /// File accuracy at [`ACCURACY_CUTOFFS`].
    pub accuracy: [f64; 4],
    pub milliseconds: f64,
    /// Rank of each target, in the order of the annotation.
    pub target_ranks: Vec<Option<usize>>,
    /// `path:first-last` of the first hits.
    pub hits: Vec<String>,
    /// Channels that did not answer.
    pub warnings: Vec<String>,
    /// What a person needs to see why; only for poor results and only when asked for.
    #[serde(skip)]
    pub diagnosis: Option<String>,
}

/// One corpus and how it came out.
#[derive(Debug, Clone, Serialize)]
pub struct CorpusResult {
    pub condition: &'static str,
    pub name: String,
    pub language: Option<String>,
    pub revision: String,
    pub index: IndexStatistics,
    pub index_was_cached: bool,
    pub means: Means,
    pub questions: Vec<QuestionResult>,
}

/// A corpus that could not be measured.
#[derive(Debug, Clone, Serialize)]
pub struct Skipped {
    pub condition: &'static str,
    pub name: String,
    pub reason: String,
}

/// Means over questions, or over repositories.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Means {
    #[serde(flatten)]
    pub scores: Scores,
    pub accuracy: [f64; 4],
}

/// One condition over all its corpora.
#[derive(Debug, Clone, Serialize)]
pub struct ConditionSummary {
    pub condition: &'static str,
    pub corpora: usize,
    pub questions: usize,
    /// Over corpora, each the mean of its questions.
    pub means: Means,
    /// nDCG@10 over the questions of each category, whatever their repository.
    pub ndcg_by_category: BTreeMap<String, f64>,
    pub query_milliseconds_p50: Option<f64>,
    pub query_milliseconds_p95: Option<f64>,
    /// Of the indexes as they were made, in this run or before.
    pub index_seconds: f64,
    pub embed_seconds: f64,
    pub chunks: i64,
    pub bytes: i64,
}

impl Means {
    /// The mean of other means or of single questions.
    #[must_use]
    pub fn of(parts: &[Self]) -> Self {
        let over = |pick: &dyn Fn(&Self) -> f64| mean(parts.iter().map(pick));
        Self {
            scores: Scores {
                ndcg: over(&|part| part.scores.ndcg),
                recall: over(&|part| part.scores.recall),
                reciprocal_rank: over(&|part| part.scores.reciprocal_rank),
                first_hit: over(&|part| part.scores.first_hit),
                recall_in_budget: over(&|part| part.scores.recall_in_budget),
            },
            accuracy: std::array::from_fn(|at| over(&|part| part.accuracy[at])),
        }
    }
}

impl From<&QuestionResult> for Means {
    fn from(question: &QuestionResult) -> Self {
        Self {
            scores: question.scores,
            accuracy: question.accuracy,
        }
    }
}

impl CorpusResult {
    /// Gathers the answers of one corpus.
    #[must_use]
    pub fn new(
        corpus: &Corpus,
        index: IndexStatistics,
        index_was_cached: bool,
        questions: Vec<QuestionResult>,
    ) -> Self {
        let parts: Vec<Means> = questions.iter().map(Means::from).collect();
        Self {
            condition: corpus.condition.as_str(),
            name: corpus.name.clone(),
            language: corpus.language.clone(),
            revision: corpus.revision.clone(),
            index,
            index_was_cached,
            means: Means::of(&parts),
            questions,
        }
    }
}

/// Summarises one condition; `None` when nothing of it was measured.
#[must_use]
pub fn summarize(condition: Condition, all: &[CorpusResult]) -> Option<ConditionSummary> {
    let results: Vec<&CorpusResult> = all
        .iter()
        .filter(|result| result.condition == condition.as_str())
        .collect();
    if results.is_empty() {
        return None;
    }
    let questions: Vec<&QuestionResult> = results
        .iter()
        .flat_map(|result| &result.questions)
        .collect();
    let times: Vec<f64> = questions
        .iter()
        .map(|question| question.milliseconds)
        .collect();
    let means: Vec<Means> = results.iter().map(|result| result.means).collect();
    let mut categories: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for question in &questions {
        let values = categories.entry(question.category.clone()).or_default();
        values.push(question.scores.ndcg);
    }
    Some(ConditionSummary {
        condition: condition.as_str(),
        corpora: results.len(),
        questions: questions.len(),
        means: Means::of(&means),
        ndcg_by_category: categories
            .into_iter()
            .map(|(category, values)| (category, mean(values)))
            .collect(),
        query_milliseconds_p50: percentile(&times, 0.5),
        query_milliseconds_p95: percentile(&times, 0.95),
        index_seconds: results.iter().map(|result| result.index.seconds).sum(),
        embed_seconds: results
            .iter()
            .map(|result| result.index.embed_seconds)
            .sum(),
        chunks: results.iter().map(|result| result.index.chunks).sum(),
        bytes: results.iter().map(|result| result.index.bytes).sum(),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn question(category: &str, ndcg: f64) -> QuestionResult {
        QuestionResult {
            text: String::new(),
            category: category.to_owned(),
            intent: "prose",
            scores: Scores {
                ndcg,
                ..Scores::default()
            },
            accuracy: [0.0, 0.0, 1.0, 1.0],
            milliseconds: ndcg,
            target_ranks: Vec::new(),
            hits: Vec::new(),
            warnings: Vec::new(),
            diagnosis: None,
        }
    }

    fn corpus(questions: Vec<QuestionResult>) -> CorpusResult {
        let corpus = Corpus {
            condition: Condition::Whole,
            name: "x".to_owned(),
            full_name: "y/x".to_owned(),
            language: None,
            revision: String::new(),
            folder: None,
            questions: Vec::new(),
        };
        CorpusResult::new(&corpus, IndexStatistics::default(), false, questions)
    }

    #[test]
    fn repositories_count_alike_however_many_questions_they_have() {
        let results = [
            corpus(vec![question("symbol", 1.0)]),
            corpus(vec![
                question("symbol", 0.0),
                question("semantic", 0.5),
                question("semantic", 1.0),
            ]),
        ];
        let summary = summarize(Condition::Whole, &results).unwrap();
        assert_eq!(summary.means.scores.ndcg, (1.0 + 0.5) / 2.0);
        assert_eq!(summary.means.accuracy, [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(summary.questions, 4);
        assert_eq!(summary.ndcg_by_category["symbol"], 0.5);
        assert_eq!(summary.ndcg_by_category["semantic"], 0.75);
        assert_eq!(summary.query_milliseconds_p95, Some(1.0));
        assert!(summarize(Condition::Root, &results).is_none());
    }
}
