//! BM25F over the candidates' own term vectors, the same in every mode.

use std::collections::HashMap;

use super::constants::{FIELD_LENGTH_NORMALISATION, FIELD_WEIGHTS, K1, REPORT_TERMS};
use crate::{
    analysis::{TermVectorRef, term_hash},
    ports::{QueryTerm, TermFrequency},
};

/// Chunk counts and mean field lengths of what is searched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CollectionStatistics {
    pub documents: f64,
    pub mean_lengths: [f32; 5],
}

/// A query word with its rarity, in one of its two forms.
#[derive(Debug, Clone, Copy)]
struct WeighedTerm {
    weight: f32,
    surface_idf: f32,
    stem_idf: f32,
}

/// The words of a query, ready to score chunks.
#[derive(Debug)]
pub(crate) struct LexicalScorer {
    terms: Vec<WeighedTerm>,
    by_surface: HashMap<u32, usize>,
    by_stem: HashMap<u32, Vec<usize>>,
    statistics: CollectionStatistics,
    total_weight: f32,
}

/// What one chunk has of each query word: field-weighted, length-normalised frequencies.
#[derive(Debug, Clone, Default)]
pub(crate) struct TermMatches {
    surface: Vec<f32>,
    stem: Vec<f32>,
}

impl LexicalScorer {
    /// `frequencies` as the lexical engine counted them; without them every word is equally rare.
    pub(crate) fn new(
        terms: &[QueryTerm],
        frequencies: Option<&[TermFrequency]>,
        statistics: CollectionStatistics,
        is_report: bool,
    ) -> Self {
        let mut weighed: Vec<(usize, WeighedTerm)> = terms
            .iter()
            .enumerate()
            .map(|(at, term)| {
                let counted = frequencies.and_then(|all| all.get(at));
                let idf = |n: Option<u64>| n.map_or(1.0, |n| rarity(n, statistics.documents));
                let term = WeighedTerm {
                    weight: term.weight,
                    surface_idf: idf(counted.map(|n| n.surface)),
                    stem_idf: idf(counted.map(|n| n.stem)),
                };
                (at, term)
            })
            .collect();
        if is_report {
            // Words that occur nowhere, such as addresses and versions, would take the place of
            // those that do: no word is rarer.
            if let Some(all) = frequencies {
                weighed.retain(|(at, _)| all.get(*at).is_none_or(|n| n.stem > 0));
            }
            weighed.sort_by(|(_, a), (_, b)| {
                (b.weight * b.stem_idf).total_cmp(&(a.weight * a.stem_idf))
            });
            weighed.truncate(REPORT_TERMS);
        }
        let mut by_surface = HashMap::new();
        let mut by_stem: HashMap<u32, Vec<usize>> = HashMap::new();
        for (at, (source, _)) in weighed.iter().enumerate() {
            let token = &terms[*source].token;
            by_surface.insert(term_hash(&token.surface), at);
            by_stem.entry(term_hash(&token.stem)).or_default().push(at);
        }
        let terms: Vec<WeighedTerm> = weighed.into_iter().map(|(_, term)| term).collect();
        let total_weight = terms.iter().map(|term| term.weight * term.stem_idf).sum();
        Self {
            terms,
            by_surface,
            by_stem,
            statistics,
            total_weight,
        }
    }

    /// Reads one chunk's words.
    pub(crate) fn matches(&self, terms: &TermVectorRef<'_>) -> TermMatches {
        let lengths = terms.lengths();
        let mut field_factor = [0.0; 5];
        for field in 0..5 {
            let mean = self.statistics.mean_lengths[field].max(1.0);
            let b = FIELD_LENGTH_NORMALISATION[field];
            #[allow(clippy::cast_precision_loss)]
            let length = lengths[field] as f32;
            field_factor[field] = FIELD_WEIGHTS[field] / (1.0 - b + b * length / mean);
        }
        let mut found = TermMatches {
            surface: vec![0.0; self.terms.len()],
            stem: vec![0.0; self.terms.len()],
        };
        for entry in terms.entries() {
            let surface = self.by_surface.get(&entry.surface);
            let stem = self.by_stem.get(&entry.stem);
            if surface.is_none() && stem.is_none() {
                continue;
            }
            let frequency: f32 = entry
                .frequencies
                .iter()
                .zip(field_factor)
                .map(|(n, factor)| f32::from(*n) * factor)
                .sum();
            if let Some(at) = surface {
                found.surface[*at] += frequency;
            }
            for at in stem.into_iter().flatten() {
                found.stem[*at] += frequency;
            }
        }
        found
    }

    /// BM25F, averaged over surface forms and stems.
    pub(crate) fn score(&self, found: &TermMatches) -> f32 {
        let one = |frequency: f32, weight: f32, idf: f32| {
            weight * idf * frequency * (K1 + 1.0) / (K1 + frequency)
        };
        self.terms
            .iter()
            .enumerate()
            .map(|(at, term)| {
                let surface = found.surface.get(at).copied().unwrap_or(0.0);
                let stem = found.stem.get(at).copied().unwrap_or(0.0);
                0.5 * (one(surface, term.weight, term.surface_idf)
                    + one(stem, term.weight, term.stem_idf))
            })
            .sum()
    }

    /// Share of the query's weight that a chunk has at all, 0 to 1.
    pub(crate) fn coverage(&self, found: &TermMatches) -> f32 {
        let covered: f32 = self
            .terms
            .iter()
            .zip(&found.stem)
            .filter(|(_, frequency)| **frequency > 0.0)
            .map(|(term, _)| term.weight * term.stem_idf)
            .sum();
        if self.total_weight > 0.0 {
            covered / self.total_weight
        } else {
            0.0
        }
    }
}

impl TermMatches {
    /// Adds another chunk's words, to score a file as a whole.
    pub(crate) fn add(&mut self, other: &Self) {
        for (mine, theirs) in [
            (&mut self.surface, &other.surface),
            (&mut self.stem, &other.stem),
        ] {
            mine.resize(theirs.len().max(mine.len()), 0.0);
            for (sum, more) in mine.iter_mut().zip(theirs) {
                *sum += more;
            }
        }
    }
}

/// ln(1 + (N − n + ½) / (n + ½)).
fn rarity(documents_with: u64, documents: f64) -> f32 {
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
    {
        let n = documents_with as f64;
        let documents = documents.max(n);
        (1.0 + (documents - n + 0.5) / (n + 0.5)).ln() as f32
    }
}

/// Scales to 0..=1 by the largest value; all zeros stay.
pub(crate) fn normalise(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(0.0, f32::max);
    if most > 0.0 {
        scores.iter_mut().for_each(|score| *score /= most);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{
        analysis::{TermVector, analyze, analyze_query},
        ports::LexicalFields,
    };

    fn score(query: &str, body: &str, symbols: &str) -> f32 {
        let terms = analyze_query(query);
        let frequencies = vec![
            TermFrequency {
                surface: 3,
                stem: 3
            };
            terms.len()
        ];
        let statistics = CollectionStatistics {
            documents: 100.0,
            mean_lengths: [3.0; 5],
        };
        let scorer = LexicalScorer::new(&terms, Some(&frequencies), statistics, false);
        let fields = LexicalFields {
            symbols: analyze(symbols),
            body: analyze(body),
            ..LexicalFields::default()
        };
        let bytes = TermVector::build(&fields).encode();
        scorer.score(&scorer.matches(&TermVectorRef::parse(&bytes).unwrap()))
    }

    #[test]
    fn more_of_the_question_scores_higher() {
        assert!(
            score("evict cache", "evict the cache", "") > score("evict cache", "the cache", "")
        );
        assert!(score("cache", "a", "cache") > score("cache", "cache", ""));
        assert!(score("cache", "cache", "") > score("cache", &"word ".repeat(50), ""));
        assert!(score("eviction", "evict evicting", "") >= 0.0);
        assert!((score("absent", "cache", "")).abs() < f32::EPSILON);
    }

    #[test]
    fn rare_words_weigh_more() {
        assert!(rarity(1, 1000.0) > rarity(100, 1000.0));
        assert!(rarity(1000, 1000.0) > 0.0);
    }
}
