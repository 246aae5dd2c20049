//! The command `retrieval`: index, ask, measure.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use anyhow::{Context, bail};
use quarry_shared::{
    adapters::static_embedder::StaticEmbedder,
    ports::Embedder,
    retrieval::{Fusion, SearchHit, SearchOutcome, SearchQuery},
};
use serde::Serialize;

use crate::{
    arguments::{Condition, EmbedderArgument, PlaceArguments, RetrievalArguments},
    corpora::{self, Corpus, ISSUE},
    dataset::{Dataset, Question},
    diagnosis,
    instance::{Instance, InstancePlan},
    metrics::{Lines, RankedHit, file_accuracy, ranks, score},
    pinned, process,
    results::{
        ACCURACY_CUTOFFS, ConditionSummary, CorpusResult, QuestionResult, Skipped, summarize,
    },
};

/// Hits asked for a short question: what is measured, and what a person is shown first.
const HITS: usize = 10;
/// Hits asked for a bug report, whose measure counts distinct files.
const REPORT_HITS: usize = 50;

/// Everything that one run of the command measured.
#[derive(Debug, Clone, Serialize)]
pub struct Evaluation {
    pub embedder: &'static str,
    pub fusion: Fusion,
    pub summaries: Vec<ConditionSummary>,
    pub skipped: Vec<Skipped>,
    pub peak_memory_mib: Option<f64>,
    pub corpora: Vec<CorpusResult>,
}

/// Runs the command. `progress` hears a line for each corpus as it is done.
///
/// # Errors
/// When the data cannot be read or nothing could be measured. A single corpus that fails is among
/// the skipped ones.
pub async fn run(
    arguments: &RetrievalArguments,
    progress: &mut dyn FnMut(&str),
) -> anyhow::Result<Evaluation> {
    let dataset = Dataset::load(&arguments.place.data)?;
    let corpora = corpora::select(&dataset, arguments);
    if corpora.is_empty() {
        bail!("no repository and no issue has such a name");
    }
    let workshop = Workshop::new(&arguments.place)?;
    let (mut results, mut skipped) = (Vec::new(), Vec::new());
    for corpus in &corpora {
        match evaluate(&workshop, corpus, arguments).await {
            Ok(result) => {
                progress(&line(&result));
                results.push(result);
            }
            Err(error) => {
                let reason = format!("{error:#}");
                progress(&format!(
                    "{:<6} {:<22} SKIPPED: {reason}",
                    corpus.condition.as_str(),
                    corpus.name
                ));
                skipped.push(Skipped {
                    condition: corpus.condition.as_str(),
                    name: corpus.name.clone(),
                    reason,
                });
            }
        }
    }
    if results.is_empty() {
        bail!(
            "nothing could be measured; the first reason: {}",
            skipped[0].reason
        );
    }
    Ok(Evaluation {
        embedder: workshop.embedder_name,
        fusion: arguments.fusion.into(),
        summaries: Condition::ALL
            .into_iter()
            .filter_map(|condition| summarize(condition, &results))
            .collect(),
        skipped,
        peak_memory_mib: process::peak_memory_mib(),
        corpora: results,
    })
}

/// What all corpora share.
pub struct Workshop {
    repositories: PathBuf,
    cache: PathBuf,
    embedder: Option<Arc<dyn Embedder>>,
    embedder_name: &'static str,
    local_roots: Vec<PathBuf>,
    jobs: usize,
    fresh: bool,
}

impl Workshop {
    /// # Errors
    /// When a directory is missing or the model is damaged.
    pub fn new(place: &PlaceArguments) -> anyhow::Result<Self> {
        fs::create_dir_all(&place.cache)?;
        let cache = fs::canonicalize(&place.cache)?;
        let repositories = fs::canonicalize(&place.repositories)
            .with_context(|| format!("reading `{}`", place.repositories.display()))?;
        let embedder: Option<Arc<dyn Embedder>> = match place.embedder {
            EmbedderArgument::Static => Some(Arc::new(StaticEmbedder::bundled()?)),
            EmbedderArgument::None => None,
        };
        Ok(Self {
            local_roots: vec![cache.clone(), repositories.clone()],
            repositories,
            cache,
            embedder,
            embedder_name: match place.embedder {
                EmbedderArgument::Static => "static",
                EmbedderArgument::None => "none",
            },
            jobs: place.jobs,
            fresh: place.fresh,
        })
    }

    /// Opens the index of a corpus, made first where there is none.
    ///
    /// # Errors
    /// When the repository or its revision is missing, or indexing fails.
    pub async fn open(&self, corpus: &Corpus) -> anyhow::Result<Instance> {
        let lender = self
            .repositories
            .join(corpus.full_name.replace('/', "+"))
            .join("repo");
        if !lender.is_dir() {
            bail!("no repository at `{}`", lender.display());
        }
        let key = corpus.key();
        let (place, _) = key.split_once('/').unwrap_or((&key, ""));
        let pinned = pinned::pin(
            &lender,
            &corpus.revision,
            &self.cache.join("repositories").join(place),
        )?;
        let directory = self.cache.join(self.embedder_name).join(&key);
        Instance::open(&InstancePlan {
            directory: &directory,
            name: &corpus.full_name,
            repository: &pinned,
            local_roots: &self.local_roots,
            folder: corpus.folder.as_deref(),
            embedder: self.embedder.clone(),
            jobs: self.jobs,
            fresh: self.fresh,
        })
        .await
        .with_context(|| format!("indexing {}", corpus.full_name))
    }

    /// Where things are kept.
    #[must_use]
    pub fn cache(&self) -> &Path {
        &self.cache
    }
}

async fn evaluate(
    workshop: &Workshop,
    corpus: &Corpus,
    arguments: &RetrievalArguments,
) -> anyhow::Result<CorpusResult> {
    let instance = workshop.open(corpus).await?;
    let mut questions = Vec::with_capacity(corpus.questions.len());
    for question in &corpus.questions {
        let mut result = ask(&instance, question, arguments.fusion.into()).await?;
        if arguments.failures.is_some() && result.scores.ndcg < 1.0 {
            let query = SearchQuery {
                text: question.text.clone(),
                limit: REPORT_HITS,
                explain: true,
                fusion: arguments.fusion.into(),
                ..SearchQuery::default()
            };
            let outcome = instance.retrieval.search(&instance.scope, &query).await?;
            result.diagnosis = Some(diagnosis::describe(question, &outcome));
        }
        questions.push(result);
    }
    Ok(CorpusResult::new(
        corpus,
        instance.statistics,
        instance.was_cached,
        questions,
    ))
}

async fn ask(
    instance: &Instance,
    question: &Question,
    fusion: Fusion,
) -> anyhow::Result<QuestionResult> {
    let query = SearchQuery {
        text: question.text.clone(),
        limit: if question.category == ISSUE {
            REPORT_HITS
        } else {
            HITS
        },
        fusion,
        ..SearchQuery::default()
    };
    let start = Instant::now();
    let outcome = instance.retrieval.search(&instance.scope, &query).await?;
    let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
    Ok(measure(question, &outcome, milliseconds))
}

fn measure(question: &Question, outcome: &SearchOutcome, milliseconds: f64) -> QuestionResult {
    let hits: Vec<RankedHit> = outcome.hits.iter().map(ranked).collect();
    let gold: Vec<String> = question
        .targets
        .iter()
        .map(|target| target.path.clone())
        .collect();
    QuestionResult {
        text: question.text.clone(),
        category: question.category.clone(),
        intent: outcome.intent.as_str(),
        scores: score(&hits, &question.targets),
        accuracy: ACCURACY_CUTOFFS.map(|cutoff| file_accuracy(&hits, &gold, cutoff)),
        milliseconds,
        target_ranks: ranks(&hits, &question.targets),
        hits: outcome
            .hits
            .iter()
            .take(HITS)
            .map(diagnosis::place)
            .collect(),
        warnings: outcome
            .warnings
            .iter()
            .filter(|warning| warning.code != "no_embedder")
            .map(|warning| warning.message.clone())
            .collect(),
        diagnosis: None,
    }
}

/// A hit as the measures see it.
#[must_use]
pub fn ranked(hit: &SearchHit) -> RankedHit {
    RankedHit {
        path: hit.path.clone(),
        lines: Lines {
            first: hit.start_line,
            last: hit.end_line,
        },
        characters: hit.snippet.text.chars().count(),
    }
}

fn line(result: &CorpusResult) -> String {
    format!(
        "{:<6} {:<28} nDCG@10 {:.3}  {:>6} chunks  {:>6.2} s{}",
        result.condition,
        result.name,
        result.means.scores.ndcg,
        result.index.chunks,
        result.index.seconds,
        if result.index_was_cached {
            " (kept)"
        } else {
            ""
        }
    )
}
