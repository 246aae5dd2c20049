//! The search itself: the pipeline read from top to bottom.

use std::{collections::HashMap, sync::Arc, time::Instant};

use super::{
    Retrieval, RetrievalError, assemble,
    boost::boost,
    candidate::{Candidate, ChunkFacts, Ranks},
    constants::{
        DEFAULT_HITS, MAX_HITS, MAX_QUERY_BYTES, NOISE_COSINE, RECALL, RECALL_WHEN_FILTERED,
        REPORT_TITLE, RRF_K,
    },
    diversify::diversify,
    exact::{ExactPattern, chunks_matching},
    narrow::Narrowing,
    outcome::{ChannelName, ChannelReport, ChannelStatus, Intent, SearchOutcome, Warning},
    query::{Fusion, SearchQuery},
    recall::Recalled,
    score::{LexicalScorer, TermMatches, normalise},
    syntax::{self, ParsedQuery},
    understand::{Understanding, understand},
};
use crate::{
    analysis::TermVectorRef,
    domain::{ChunkId, ChunkKind, IndexFilter, ReadScope, TestFilter},
    store::{
        candidates,
        views::{self, CurrentView},
    },
};

impl Retrieval {
    /// Searches inside a scope.
    ///
    /// # Errors
    /// [`RetrievalError`] for an unusable question, a snapshot that is not in the scope, or when
    /// every channel failed. A single failing channel is a warning in the outcome.
    pub async fn search(
        &self,
        scope: &ReadScope,
        query: &SearchQuery,
    ) -> Result<SearchOutcome, RetrievalError> {
        let start = Instant::now();
        let parsed = parse(query)?;
        let narrowing = Narrowing::new(query, &parsed)?;
        let question = understand(&parsed.text);
        let current = self.view(scope, query, &parsed).await?;
        let filter = filter(scope, query, &parsed, &current);

        let limit = if narrowing.is_empty() {
            RECALL
        } else {
            RECALL_WHEN_FILTERED
        };
        let mut recalled = self.recall(&question, &filter, &current, limit).await;
        let required = self.recall_exact(&parsed, &filter, &mut recalled).await?;
        let mut warnings = self.warnings(&mut recalled)?;
        let (statistics, mean_vector) = self
            .snapshots
            .statistics(
                &self.parts.database,
                scope.organization_id(),
                &current.branches,
            )
            .await?;
        let scorer = LexicalScorer::new(
            &question.terms,
            recalled.frequencies.as_deref(),
            statistics,
            question.intent == Intent::Report,
        );

        let mut candidates = self
            .candidates(&filter, &recalled, &narrowing, query.explain)
            .await?;
        if required {
            candidates.retain(|candidate| candidate.ranks.exact.is_some());
        }
        score(&mut candidates, &scorer, &recalled);
        fuse(
            &mut candidates,
            &question,
            &recalled,
            &mean_vector,
            query.fusion,
        );
        boost(&mut candidates, &question, &scorer, filter.tests);
        drop_noise(&mut candidates);
        let facets = assemble::facets(&candidates, &current.branches);

        let ranked = diversify(candidates);
        let mut ranked = self
            .rerank(&parsed.text, scope.organization_id(), ranked, &mut warnings)
            .await?;
        let (verdict, hint) = assemble::verdict(&ranked, current.branches.is_empty());
        ranked.truncate(hits_wanted(query));
        let hits = assemble::hits(
            &self.parts.database,
            scope.organization_id(),
            ranked,
            &question,
            &current.branches,
        )
        .await?;
        Ok(SearchOutcome {
            intent: question.intent,
            verdict,
            hint,
            hits,
            warnings,
            channels: recalled.reports,
            facets,
            searched: current.branches,
            took_milliseconds: start.elapsed().as_secs_f64() * 1000.0,
        })
    }

    /// The branches that are searched; `repo:` narrows them by name.
    async fn view(
        &self,
        scope: &ReadScope,
        query: &SearchQuery,
        parsed: &ParsedQuery,
    ) -> Result<CurrentView, RetrievalError> {
        let mut request = query.view.clone();
        request.branch = request.branch.or_else(|| parsed.branch.clone());
        request.commit = request.commit.or_else(|| parsed.revision.clone());
        let mut current = views::current(self.parts.database.reader(), scope, &request).await?;
        if !parsed.repositories.is_empty() {
            current.branches.retain(|branch| {
                let name = branch.repository_name.to_lowercase();
                parsed
                    .repositories
                    .iter()
                    .any(|wanted| name.contains(&wanted.to_lowercase()))
            });
        }
        Ok(current)
    }

    /// Quoted phrases and regular expressions are conditions, and what meets them is recalled.
    /// Returns whether there are any.
    async fn recall_exact(
        &self,
        parsed: &ParsedQuery,
        filter: &IndexFilter,
        recalled: &mut Recalled,
    ) -> Result<bool, RetrievalError> {
        let pattern = |text: &String, regex: bool| ExactPattern {
            text: text.clone(),
            regex,
        };
        let phrases = parsed.phrases.iter().map(|text| pattern(text, false));
        let regexes = parsed.regexes.iter().map(|text| pattern(text, true));
        let patterns: Vec<ExactPattern> = phrases.chain(regexes).collect();
        if patterns.is_empty() {
            return Ok(false);
        }
        let start = Instant::now();
        let database = &self.parts.database;
        let ids = chunks_matching(database, filter, &patterns, RECALL_WHEN_FILTERED).await?;
        recalled.reports.push(ChannelReport {
            name: ChannelName::Exact,
            status: ChannelStatus::Ok,
            candidates: ids.len(),
            milliseconds: start.elapsed().as_secs_f64() * 1000.0,
        });
        recalled.channels.push((ChannelName::Exact, ids));
        Ok(true)
    }

    /// Tells which channels did not take part, or fails when none did.
    fn warnings(&self, recalled: &mut Recalled) -> Result<Vec<Warning>, RetrievalError> {
        let working = |report: &ChannelReport| {
            report.status == ChannelStatus::Ok
                && matches!(report.name, ChannelName::Lexical | ChannelName::Dense)
        };
        if !recalled.reports.iter().any(working)
            && let Some((_, error)) = recalled.failures.pop()
        {
            return Err(error);
        }
        let mut warnings: Vec<Warning> = recalled
            .failures
            .iter()
            .map(|(name, _)| Warning {
                code: "channel_failed",
                message: format!(
                    "the {} channel did not answer; hits may be missing",
                    name.as_str()
                ),
            })
            .collect();
        if self.parts.embedder.is_none() {
            warnings.push(Warning {
                code: "no_embedder",
                message: "no embedding model is configured; the search goes by words, names and paths only"
                    .to_owned(),
            });
        }
        Ok(warnings)
    }

    /// The union of what the channels recalled, completed from the cache and the database.
    async fn candidates(
        &self,
        filter: &IndexFilter,
        recalled: &Recalled,
        narrowing: &Narrowing,
        explain: bool,
    ) -> Result<Vec<Candidate>, RetrievalError> {
        let mut ranks: HashMap<ChunkId, Ranks> = HashMap::new();
        for (name, ids) in &recalled.channels {
            for (at, id) in ids.iter().enumerate() {
                ranks.entry(*id).or_default().set(*name, at + 1);
            }
        }
        let mut known: Vec<Arc<ChunkFacts>> = Vec::with_capacity(ranks.len());
        let mut missing = Vec::new();
        for id in ranks.keys() {
            match self.chunks.get(id) {
                Some(facts) => known.push(facts),
                None => missing.push(*id),
            }
        }
        if !missing.is_empty() {
            let rows = candidates::load(self.parts.database.reader(), filter, &missing).await?;
            for row in rows {
                let facts = Arc::new(ChunkFacts::from(row));
                self.chunks.insert(facts.id, facts.clone());
                known.push(facts);
            }
        }
        let mut candidates: Vec<Candidate> = known
            .into_iter()
            .filter(|facts| narrowing.admits(facts) && admitted(filter, facts))
            .map(|facts| Candidate {
                ranks: ranks.get(&facts.id).copied().unwrap_or_default(),
                facts,
                matches: TermMatches::default(),
                lexical: 0.0,
                cosine: None,
                coverage: 0.0,
                score: 0.0,
                steps: explain.then(Vec::new),
            })
            .collect();
        candidates.sort_by_key(|candidate| candidate.facts.id);
        Ok(candidates)
    }
}

fn parse(query: &SearchQuery) -> Result<ParsedQuery, RetrievalError> {
    if query.text.len() > MAX_QUERY_BYTES {
        let (bytes, limit) = (query.text.len(), MAX_QUERY_BYTES);
        return Err(RetrievalError::QueryTooLong { bytes, limit });
    }
    let mut parsed = syntax::parse(&query.text);
    if parsed.text.trim().is_empty() {
        // `symbol:Cache` alone asks for the name.
        parsed.text = parsed.symbols.join(" ");
    }
    if parsed.text.trim().is_empty() && parsed.regexes.is_empty() {
        return Err(RetrievalError::EmptyQuery);
    }
    Ok(parsed)
}

fn hits_wanted(query: &SearchQuery) -> usize {
    if query.limit == 0 {
        DEFAULT_HITS
    } else {
        query.limit.min(MAX_HITS)
    }
}

fn filter(
    scope: &ReadScope,
    query: &SearchQuery,
    parsed: &ParsedQuery,
    current: &CurrentView,
) -> IndexFilter {
    let scope = if query.view.project_ids.is_empty() {
        scope.clone()
    } else {
        scope.narrowed(&query.view.project_ids)
    };
    let branches = current
        .branches
        .iter()
        .map(|branch| branch.branch_id)
        .collect();
    let mut filter = IndexFilter::new(&scope, branches, current.view.clone());
    filter.languages.clone_from(&query.languages);
    filter.languages.extend(parsed.languages.iter().cloned());
    filter.kinds.clone_from(&query.kinds);
    filter.kinds.extend(
        parsed
            .kinds
            .iter()
            .filter_map(|kind| ChunkKind::parse(kind)),
    );
    filter.tests = parsed.tests.unwrap_or(query.tests);
    filter
}

/// The SQL channels know scope and view; language, kind and tests are the engines' own filter and
/// are repeated here for what only SQL recalled.
fn admitted(filter: &IndexFilter, facts: &ChunkFacts) -> bool {
    let is_test = facts.class == crate::domain::FileClass::Test;
    filter.branches.contains(&facts.branch_id)
        && (filter.languages.is_empty()
            || facts
                .language
                .as_ref()
                .is_some_and(|name| filter.languages.contains(name)))
        && (filter.kinds.is_empty() || filter.kinds.contains(&facts.kind))
        && match filter.tests {
            TestFilter::Include => true,
            TestFilter::Exclude => !is_test,
            TestFilter::Only => is_test,
        }
}

/// Completes both scores for every candidate, whichever channel recalled it.
fn score(candidates: &mut [Candidate], scorer: &LexicalScorer, recalled: &Recalled) {
    for candidate in candidates {
        if let Ok(terms) = TermVectorRef::parse(&candidate.facts.terms) {
            candidate.matches = scorer.matches(&terms);
            candidate.lexical = scorer.score(&candidate.matches);
            candidate.coverage = scorer.coverage(&candidate.matches);
        }
        candidate.cosine = recalled
            .query_vector
            .as_ref()
            .and_then(|query| candidate.facts.cosine(query));
    }
}

/// One score from two: a weighted sum of normalised scores, or reciprocal ranks.
fn fuse(
    candidates: &mut [Candidate],
    question: &Understanding,
    recalled: &Recalled,
    mean_vector: &[f32],
    fusion: Fusion,
) {
    let mut lexical: Vec<f32> = candidates
        .iter()
        .map(|candidate| candidate.lexical)
        .collect();
    normalise(&mut lexical);
    let dense = above_mean(candidates, recalled.query_vector.as_deref(), mean_vector);
    let title = above_mean(candidates, recalled.title_vector.as_deref(), mean_vector);
    // Without vectors the lexical score stands alone.
    let share = if dense.is_some() {
        question.dense_share()
    } else {
        0.0
    };
    let dense = dense.unwrap_or_else(|| vec![0.0; candidates.len()]);
    match fusion {
        Fusion::Weighted => {
            for (at, candidate) in candidates.iter_mut().enumerate() {
                candidate.add("lexical", (1.0 - share) * lexical[at], || {
                    format!("{:.2} of the best word score", lexical[at])
                });
                candidate.add("dense", share * dense[at], || {
                    format!("{:.2} of the best similarity above the mean", dense[at])
                });
            }
        }
        Fusion::Rrf => {
            let mut scores: Vec<f32> = vec![0.0; candidates.len()];
            for channel in [&lexical, &dense] {
                for (rank, at) in ranking(channel).into_iter().enumerate() {
                    #[allow(clippy::cast_precision_loss)]
                    let rank = rank as f32 + 1.0;
                    scores[at] += 1.0 / (RRF_K + rank);
                }
            }
            normalise(&mut scores);
            for (candidate, score) in candidates.iter_mut().zip(scores) {
                candidate.add("reciprocal_ranks", score, || "share of the best".to_owned());
            }
        }
    }
    if let Some(title) = title {
        for (candidate, score) in candidates.iter_mut().zip(title) {
            candidate.add("title", REPORT_TITLE * score, || {
                "similarity to the first line".to_owned()
            });
        }
    }
}

/// Cosine above what the question has with everything, as a share of the best.
fn above_mean(candidates: &[Candidate], query: Option<&[f32]>, mean: &[f32]) -> Option<Vec<f32>> {
    let query = query?;
    let base = if mean.len() == query.len() {
        mean.iter().zip(query).map(|(a, b)| a * b).sum()
    } else {
        0.0
    };
    let mut scores: Vec<f32> = candidates
        .iter()
        .map(|candidate| {
            candidate
                .facts
                .cosine(query)
                .map_or(0.0, |cosine| (cosine - base).max(0.0))
        })
        .collect();
    normalise(&mut scores);
    Some(scores)
}

/// Indexes with a score, best first.
fn ranking(scores: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).filter(|at| scores[*at] > 0.0).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    order
}

/// Nearest neighbours exist for any question; one that shares neither words nor meaning is no hit.
fn drop_noise(candidates: &mut Vec<Candidate>) {
    candidates.retain(|candidate| {
        candidate.lexical > 0.0
            || candidate.ranks.symbol.is_some()
            || candidate.ranks.path.is_some()
            || candidate.ranks.exact.is_some()
            || candidate
                .cosine
                .is_some_and(|cosine| cosine >= NOISE_COSINE)
    });
}
