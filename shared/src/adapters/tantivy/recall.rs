//! Counting and recalling inside the filter, straight from the postings.
//!
//! Tantivy's own scoring counts words over all tenants and cannot tell surface forms from stems,
//! so it is not used. Each segment's visible documents are marked once, then the postings of every
//! term are walked and only visible documents count. The score is BM25 over the weighted words,
//! averaged over surface and stem, with frequencies of documents counted inside the filter.

use std::cmp::Ordering;

use tantivy::{
    DocId, DocSet, InvertedIndexReader, SegmentReader, TERMINATED, Term,
    postings::{Postings, SegmentPostings},
    schema::IndexRecordOption,
};

use super::{
    schema::Fields,
    snapshot::{SegmentKeys, Snapshot},
    terms::{PLAIN, STEM, SURFACE, marked},
};
use crate::{
    adapters::row_filter::RowFilter,
    domain::ChunkId,
    ports::{LexicalHit, LexicalQuery, LexicalRecall, QueryTerm, TermFrequency},
};

/// Saturation of repeated words, the usual value.
const SATURATION: f32 = 1.5;

/// Share of the score's length correction. Chunks are cut to similar lengths, so less than usual.
const LENGTH_SHARE: f32 = 0.5;

/// A weight that is no positive number still recalls, at the end of the list.
const MIN_WEIGHT: f32 = 1e-6;

/// The documents of a segment that may be seen.
struct Visible {
    marks: Vec<bool>,
    count: u64,
    /// Sum of their lengths.
    length: u64,
}

/// Occurrences of one term in one visible document.
#[derive(Clone, Copy)]
struct Match {
    document: DocId,
    surface: u32,
    stem: u32,
}

/// Number of living documents that pass the filter.
pub(super) fn count(snapshot: &Snapshot, filter: &RowFilter) -> u64 {
    if filter.is_empty() {
        return 0;
    }
    segments(snapshot)
        .map(|(reader, keys)| visible(reader, keys, filter).count)
        .sum()
}

/// The best documents and the frequencies of the terms.
pub(super) fn recall(
    snapshot: &Snapshot,
    fields: &Fields,
    query: &LexicalQuery,
    filter: &RowFilter,
) -> tantivy::Result<LexicalRecall> {
    let mut frequencies = vec![TermFrequency::default(); query.terms.len()];
    if filter.is_empty() || query.terms.is_empty() {
        return Ok(LexicalRecall {
            hits: Vec::new(),
            frequencies,
        });
    }
    let mut matched = Vec::new();
    let (mut documents, mut length) = (0, 0);
    for (reader, keys) in segments(snapshot) {
        let visible = visible(reader, keys, filter);
        documents += visible.count;
        length += visible.length;
        if visible.count == 0 {
            continue;
        }
        let inverted = reader.inverted_index(fields.terms)?;
        let mut matches = Vec::with_capacity(query.terms.len());
        for (term, frequency) in query.terms.iter().zip(&mut frequencies) {
            let found = matches_of(&inverted, fields, term, &visible.marks)?;
            frequency.surface += found.iter().filter(|found| found.surface > 0).count() as u64;
            frequency.stem += found.iter().filter(|found| found.stem > 0).count() as u64;
            matches.push(found);
        }
        matched.push((keys, matches));
    }
    let statistics = Statistics {
        documents,
        average_length: (length as f32 / documents.max(1) as f32).max(1.0),
    };
    let mut best = Best::new(query.limit);
    for (keys, matches) in matched {
        score_segment(
            keys,
            &matches,
            &query.terms,
            &frequencies,
            &statistics,
            &mut best,
        );
    }
    Ok(LexicalRecall {
        hits: best.finish(),
        frequencies,
    })
}

fn segments(snapshot: &Snapshot) -> impl Iterator<Item = (&SegmentReader, &SegmentKeys)> {
    let keys = snapshot.keys.iter().map(AsRef::as_ref);
    snapshot.searcher.segment_readers().iter().zip(keys)
}

fn visible(reader: &SegmentReader, keys: &SegmentKeys, filter: &RowFilter) -> Visible {
    let mut visible = Visible {
        marks: Vec::with_capacity(keys.rows.len()),
        count: 0,
        length: 0,
    };
    let alive = reader.alive_bitset();
    for (document, (row, length)) in (0..).zip(keys.rows.iter().zip(&keys.lengths)) {
        let shown = filter.shows(row) && alive.is_none_or(|alive| alive.is_alive(document));
        visible.marks.push(shown);
        if shown {
            visible.count += 1;
            visible.length += u64::from(*length);
        }
    }
    visible
}

/// A list of documents that counts for the surface form, the stem, or both.
struct Source {
    postings: SegmentPostings,
    surface: bool,
    stem: bool,
}

/// Walks the lists of a term side by side.
fn matches_of(
    inverted: &InvertedIndexReader,
    fields: &Fields,
    term: &QueryTerm,
    visible: &[bool],
) -> tantivy::Result<Vec<Match>> {
    let (surface, stem) = (&term.token.surface, &term.token.stem);
    let same = surface == stem;
    let mut lists = vec![
        (PLAIN, surface, true, same),
        (SURFACE, surface, true, false),
        (STEM, stem, false, true),
    ];
    if !same {
        lists.push((PLAIN, stem, false, true));
    }
    let mut sources = Vec::with_capacity(lists.len());
    for (mark, word, surface, stem) in lists {
        let term = Term::from_field_text(fields.terms, &marked(mark, word));
        if let Some(postings) = inverted.read_postings(&term, IndexRecordOption::WithFreqs)? {
            sources.push(Source {
                postings,
                surface,
                stem,
            });
        }
    }
    let mut matches = Vec::new();
    loop {
        let document = sources
            .iter()
            .map(|source| source.postings.doc())
            .min()
            .unwrap_or(TERMINATED);
        let Some(shown) = visible.get(document as usize) else {
            return Ok(matches);
        };
        let mut found = Match {
            document,
            surface: 0,
            stem: 0,
        };
        for source in &mut sources {
            if source.postings.doc() == document {
                let times = source.postings.term_freq();
                found.surface += if source.surface { times } else { 0 };
                found.stem += if source.stem { times } else { 0 };
                source.postings.advance();
            }
        }
        if *shown {
            matches.push(found);
        }
    }
}

/// Numbers over all visible documents.
struct Statistics {
    documents: u64,
    average_length: f32,
}

impl Statistics {
    fn rarity(&self, frequency: u64) -> f32 {
        let (all, with) = (self.documents as f32, frequency as f32);
        (1.0 + (all - with + 0.5).max(0.0) / (with + 0.5)).ln()
    }
}

fn score_segment(
    keys: &SegmentKeys,
    matches: &[Vec<Match>],
    terms: &[QueryTerm],
    frequencies: &[TermFrequency],
    statistics: &Statistics,
    best: &mut Best,
) {
    let mut scores = vec![0.0_f32; keys.ids.len()];
    for ((found, term), frequency) in matches.iter().zip(terms).zip(frequencies) {
        let weight = if term.weight > MIN_WEIGHT && term.weight.is_finite() {
            term.weight
        } else {
            MIN_WEIGHT
        };
        let surface = weight * statistics.rarity(frequency.surface) / 2.0;
        let stem = weight * statistics.rarity(frequency.stem) / 2.0;
        for found in found {
            let document = found.document as usize;
            let relative = keys.lengths[document] as f32 / statistics.average_length;
            let damping = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * relative);
            let saturated = |times: u32| times as f32 / (times as f32 + damping);
            scores[document] += surface * saturated(found.surface) + stem * saturated(found.stem);
        }
    }
    for (score, id) in scores.iter().zip(&keys.ids) {
        if *score > 0.0 {
            best.offer(*score, *id);
        }
    }
}

/// The best hits so far, with room for a few times as many between two selections.
struct Best {
    limit: usize,
    threshold: f32,
    hits: Vec<LexicalHit>,
}

/// Better first.
fn compare(left: &LexicalHit, right: &LexicalHit) -> Ordering {
    right
        .score
        .total_cmp(&left.score)
        .then_with(|| left.id.cmp(&right.id))
}

impl Best {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            threshold: 0.0,
            hits: Vec::new(),
        }
    }

    fn offer(&mut self, score: f32, id: ChunkId) {
        if score < self.threshold || self.limit == 0 {
            return;
        }
        self.hits.push(LexicalHit { id, score });
        if self.hits.len() >= self.limit.saturating_mul(4).max(1_024) {
            self.select();
        }
    }

    fn select(&mut self) {
        if self.hits.len() > self.limit {
            let (_, last, _) = self.hits.select_nth_unstable_by(self.limit - 1, compare);
            self.threshold = last.score;
            self.hits.truncate(self.limit);
        }
    }

    fn finish(mut self) -> Vec<LexicalHit> {
        self.select();
        self.hits.sort_unstable_by(compare);
        self.hits
    }
}
