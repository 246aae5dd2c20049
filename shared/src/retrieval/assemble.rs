//! From ranked candidates to what a person or an agent reads.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    RetrievalError,
    candidate::Candidate,
    constants::{DOUBT_COSINE, DOUBT_COVERAGE},
    outcome::{
        ChannelName, FacetCount, Facets, Highlight, HitChannel, SearchHit, Snippet, Verdict,
    },
    understand::Understanding,
};
use crate::{
    analysis::for_each_token,
    domain::{BlobId, FileClass, OrganizationId},
    store::{Database, candidates, views::SearchedBranch},
};

/// Builds the hits; texts of all of them are read at once.
pub(crate) async fn hits(
    database: &Database,
    organization: OrganizationId,
    ranked: Vec<Candidate>,
    question: &Understanding,
    branches: &[SearchedBranch],
) -> Result<Vec<SearchHit>, RetrievalError> {
    let mut blobs: Vec<BlobId> = ranked.iter().map(|c| BlobId(c.facts.blob_id)).collect();
    blobs.sort_unstable();
    blobs.dedup();
    let texts: HashMap<BlobId, String> = candidates::texts(database.reader(), organization, &blobs)
        .await?
        .into_iter()
        .collect();
    let words = Words::of(question);
    let mut hits = Vec::with_capacity(ranked.len());
    for candidate in ranked {
        let facts = &candidate.facts;
        let Some(branch) = branches
            .iter()
            .find(|branch| branch.branch_id == facts.branch_id)
        else {
            continue;
        };
        let text = texts.get(&BlobId(facts.blob_id)).map_or("", String::as_str);
        let body = text.get(facts.bytes.0..facts.bytes.1).unwrap_or_default();
        let channels = channels(&candidate);
        hits.push(SearchHit {
            id: facts.public_id,
            rank: hits.len() + 1,
            score: candidate.score,
            project_id: facts.project_id,
            repository_id: facts.repository_id,
            repository_name: branch.repository_name.clone(),
            branch: branch.branch.clone(),
            commit: branch.commit.clone(),
            snapshot_id: branch.snapshot_id,
            path: facts.path.as_str().to_owned(),
            language: facts.language.clone(),
            kind: facts.kind,
            symbol: facts.symbol.clone(),
            start_line: facts.span.start,
            end_line: facts.span.end,
            is_test: facts.class == FileClass::Test,
            snippet: snippet(body, facts.span.start, &words),
            channels,
            explanation: candidate.steps,
        });
    }
    Ok(hits)
}

fn channels(candidate: &Candidate) -> Vec<HitChannel> {
    let ranks = candidate.ranks;
    let lexical = (candidate.lexical > 0.0).then_some(candidate.lexical);
    [
        (ChannelName::Lexical, ranks.lexical, lexical),
        (ChannelName::Dense, ranks.dense, candidate.cosine),
        (ChannelName::Symbol, ranks.symbol, None),
        (ChannelName::Path, ranks.path, None),
        (ChannelName::Exact, ranks.exact, None),
    ]
    .into_iter()
    .filter(|(_, rank, score)| rank.is_some() || score.is_some())
    .map(|(name, rank, score)| HitChannel { name, rank, score })
    .collect()
}

/// The question's words, to mark them.
struct Words {
    surfaces: HashSet<String>,
    stems: HashSet<String>,
}

impl Words {
    fn of(question: &Understanding) -> Self {
        let tokens = || question.terms.iter().map(|term| &term.token);
        Self {
            surfaces: tokens().map(|token| token.surface.clone()).collect(),
            stems: tokens().map(|token| token.stem.clone()).collect(),
        }
    }

    fn contain(&self, word: &str) -> bool {
        let mut found = false;
        for_each_token(word, |surface, stem| {
            found = found || self.surfaces.contains(surface) || self.stems.contains(stem);
        });
        found
    }
}

/// Marks are for eyes; more than this in one snippet help nobody.
const MOST_HIGHLIGHTS: usize = 200;

fn snippet(body: &str, start_line: u32, words: &Words) -> Snippet {
    let text = body.strip_suffix('\n').unwrap_or(body);
    let mut highlights = Vec::new();
    for (line, content) in (start_line..).zip(text.split('\n')) {
        mark(content, line, words, &mut highlights);
        if highlights.len() >= MOST_HIGHLIGHTS {
            highlights.truncate(MOST_HIGHLIGHTS);
            break;
        }
    }
    Snippet {
        start_line,
        text: text.to_owned(),
        highlights,
    }
}

fn mark(content: &str, line: u32, words: &Words, highlights: &mut Vec<Highlight>) {
    let mut column = 0_u32;
    let mut begin: Option<(usize, u32)> = None;
    for (at, character) in content.char_indices().chain([(content.len(), ' ')]) {
        let is_word = character.is_alphanumeric() || character == '_';
        match (is_word, begin) {
            (true, None) => begin = Some((at, column)),
            (false, Some((from, start))) => {
                if words.contain(&content[from..at]) {
                    highlights.push(Highlight {
                        line,
                        start,
                        end: column,
                    });
                }
                begin = None;
            }
            _ => {}
        }
        column += u32::from(character.len_utf16() == 2) + 1;
    }
}

/// Counts over all candidates.
pub(crate) fn facets(candidates: &[Candidate], branches: &[SearchedBranch]) -> Facets {
    let count = |value: &dyn Fn(&Candidate) -> Option<String>| {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for value in candidates.iter().filter_map(value) {
            *counts.entry(value).or_default() += 1;
        }
        let mut counts: Vec<FacetCount> = counts
            .into_iter()
            .map(|(value, count)| FacetCount {
                value,
                label: None,
                count,
            })
            .collect();
        counts.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.value.cmp(&b.value)));
        counts
    };
    let mut repositories = count(&|candidate| Some(candidate.facts.repository_id.to_string()));
    for facet in &mut repositories {
        facet.label = branches
            .iter()
            .find(|branch| branch.repository_id.to_string() == facet.value)
            .map(|branch| branch.repository_name.clone());
    }
    Facets {
        languages: count(&|candidate| candidate.facts.language.clone()),
        repositories,
        kinds: count(&|candidate| Some(candidate.facts.kind.as_str().to_owned())),
        tests: count(&|candidate| {
            let is_test = candidate.facts.class == FileClass::Test;
            Some(if is_test { "yes" } else { "no" }.to_owned())
        }),
    }
}

/// Judges a list by its best hits.
pub(crate) fn verdict(ranked: &[Candidate], nothing_searched: bool) -> (Verdict, Option<String>) {
    if ranked.is_empty() {
        let hint = if nothing_searched {
            "no published repository is in reach of this search; add one, or wait until it is indexed"
        } else {
            "nothing matches; try fewer words, another spelling, or remove a filter"
        };
        return (Verdict::NoMatch, Some(hint.to_owned()));
    }
    let best = ranked.iter().take(3);
    let sure = best.clone().any(|candidate| {
        candidate.coverage >= DOUBT_COVERAGE
            || candidate
                .cosine
                .is_some_and(|cosine| cosine >= DOUBT_COSINE)
    });
    if sure {
        (Verdict::Ok, None)
    } else {
        let hint =
            "the hits share little with the question; name a symbol or a file if you know one";
        (Verdict::LowConfidence, Some(hint.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieval::understand::understand;

    #[test]
    fn words_are_marked_in_utf16_columns() {
        let words = Words::of(&understand("evict caches"));
        let snippet = snippet("let 🦀 = 1; evictCache(x);\n", 7, &words);
        assert_eq!(snippet.text, "let 🦀 = 1; evictCache(x);");
        assert_eq!(
            snippet.highlights,
            [Highlight {
                line: 7,
                start: 12,
                end: 22
            }]
        );
    }
}
