//! The search: filter, scan in 8 bits, keep the best, score them again in 16.

use std::{cmp::Ordering, num::NonZero, thread};

use super::{
    kernel::{dot_half, dot_selected, normalize, quantize},
    rows::{BLOCK_ROWS, Block, Rows},
};
use crate::{
    adapters::row_filter::RowFilter,
    domain::{ChunkId, IndexFilter},
    ports::VectorHit,
};

/// Rows that pass the filter, up to which one thread scans: below it, starting threads costs more
/// than it saves.
const MAX_ROWS_PER_THREAD: usize = 200_000;

/// Threads that one search may take from the others.
const MAX_THREADS: usize = 4;

/// Candidates that are scored again, for each wanted hit and at least. Scores in 8 bits are off by
/// about 0.005, which moves a point by a few places among thousands.
const CANDIDATES_PER_HIT: usize = 3;
const MIN_CANDIDATES: usize = 200;

/// A row with its score in 8 bits.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    score: f32,
    id: ChunkId,
    /// Position over all blocks.
    row: usize,
}

/// Better first; a total order since no score is NaN.
fn compare(left: &Candidate, right: &Candidate) -> Ordering {
    right
        .score
        .total_cmp(&left.score)
        .then_with(|| left.id.cmp(&right.id))
}

/// Exact number of rows that pass.
pub(super) fn count(rows: &Rows, filter: &IndexFilter) -> u64 {
    let filter = rows.interner.compile(filter);
    if filter.is_empty() {
        return 0;
    }
    rows.blocks
        .iter()
        .map(|block| block.keys.iter().filter(|key| filter.shows(key)).count() as u64)
        .sum()
}

/// The nearest rows that pass, best first, ties in id order. `vector` has the rows' dimension and
/// only finite components.
pub(super) fn search(
    rows: &Rows,
    vector: &[f32],
    limit: usize,
    filter: &IndexFilter,
) -> Vec<VectorHit> {
    let filter = rows.interner.compile(filter);
    let mut query = vector.to_vec();
    if filter.is_empty() || limit == 0 || !normalize(&mut query) {
        return Vec::new();
    }
    let wanted = limit
        .saturating_mul(CANDIDATES_PER_HIT)
        .max(MIN_CANDIDATES)
        .min(rows.len());
    let mut best = scan_all(rows, &query, &filter, wanted);
    let mut scratch = Vec::new();
    for candidate in &mut best {
        let (block, row) = (candidate.row / BLOCK_ROWS, candidate.row % BLOCK_ROWS);
        let range = row * rows.dimension()..(row + 1) * rows.dimension();
        let halves = &rows.blocks[block].halves[range];
        candidate.score = dot_half(&query, halves, &mut scratch);
    }
    best.sort_unstable_by(compare);
    best.truncate(limit);
    best.into_iter()
        .map(|candidate| VectorHit {
            id: candidate.id,
            score: candidate.score,
        })
        .collect()
}

/// Scans on one thread, or on several where there are very many rows.
fn scan_all(rows: &Rows, query: &[f32], filter: &RowFilter, wanted: usize) -> Vec<Candidate> {
    let mut quantized = vec![0; query.len()];
    quantize(query, &mut quantized);
    let available = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = rows
        .len()
        .div_ceil(MAX_ROWS_PER_THREAD)
        .clamp(1, available.min(MAX_THREADS));
    let per_thread = rows.blocks.len().div_ceil(threads).max(1);
    let scan = |(part, blocks): (usize, &[Block])| {
        let mut best = Best::new(wanted);
        for (position, block) in blocks.iter().enumerate() {
            let first_row = (part * per_thread + position) * BLOCK_ROWS;
            best.scan(block, first_row, &quantized, filter);
        }
        best
    };
    let mut parts = rows.blocks.chunks(per_thread).enumerate();
    let Some(own) = parts.next() else {
        return Vec::new();
    };
    thread::scope(|scope| {
        let others: Vec<_> = parts.map(|part| scope.spawn(move || scan(part))).collect();
        let mut best = scan(own);
        for other in others {
            match other.join() {
                Ok(other) => best.merge(other),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        best.finish()
    })
}

/// The best candidates so far, with room for a few times as many between two selections.
struct Best {
    wanted: usize,
    /// Scores below it cannot be among the best.
    threshold: f32,
    candidates: Vec<Candidate>,
    selected: Vec<u32>,
    dots: Vec<i32>,
}

impl Best {
    fn new(wanted: usize) -> Self {
        Self {
            wanted,
            threshold: f32::NEG_INFINITY,
            candidates: Vec::new(),
            selected: Vec::with_capacity(BLOCK_ROWS),
            dots: Vec::with_capacity(BLOCK_ROWS),
        }
    }

    fn scan(&mut self, block: &Block, first_row: usize, query: &[i8], filter: &RowFilter) {
        self.selected.clear();
        for (row, key) in (0..).zip(&block.keys) {
            if filter.shows(key) {
                self.selected.push(row);
            }
        }
        self.dots.resize(self.selected.len(), 0);
        dot_selected(query, &block.quantized, &self.selected, &mut self.dots);
        for (row, dot) in self.selected.iter().zip(&self.dots) {
            let row = *row as usize;
            // The query's own step is the same for every row and is left out.
            #[expect(
                clippy::cast_precision_loss,
                reason = "dots are below 2^24 in practice"
            )]
            let score = *dot as f32 * block.steps[row];
            if score >= self.threshold {
                self.candidates.push(Candidate {
                    score,
                    id: block.ids[row],
                    row: first_row + row,
                });
            }
        }
        if self.candidates.len() >= self.wanted.saturating_mul(4).max(BLOCK_ROWS) {
            self.select();
        }
    }

    fn merge(&mut self, other: Self) {
        self.candidates.extend(other.candidates);
    }

    fn finish(mut self) -> Vec<Candidate> {
        self.select();
        self.candidates
    }

    fn select(&mut self) {
        if self.candidates.len() <= self.wanted || self.wanted == 0 {
            return;
        }
        let (_, last, _) = self
            .candidates
            .select_nth_unstable_by(self.wanted - 1, compare);
        self.threshold = last.score;
        self.candidates.truncate(self.wanted);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{
        adapters::embedded_vector::EmbeddedVectorIndex,
        ports::{EmbeddingModel, VectorPoint},
        testing::Tenant,
    };

    /// Pseudo-random components between −0.5 and 0.5.
    fn random(state: &mut u64) -> f32 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 40) as f32 / (1 << 24) as f32 - 0.5
    }

    #[test]
    fn the_scan_agrees_with_plain_arithmetic_over_many_blocks() {
        const DIMENSION: usize = 33;
        let mut state = 7;
        let mut vector = || (0..DIMENSION).map(|_| random(&mut state)).collect();
        let tenant = Tenant::new();
        let points: Vec<VectorPoint> = (0..3 * BLOCK_ROWS + 100)
            .map(|_| VectorPoint {
                key: tenant.key(),
                vector: vector(),
            })
            .collect();
        let query: Vec<f32> = vector();
        let cosine = |vector: &[f32]| {
            let dot = |left: &[f32], right: &[f32]| -> f32 {
                left.iter()
                    .zip(right)
                    .map(|(left, right)| left * right)
                    .sum()
            };
            dot(vector, &query) / (dot(vector, vector) * dot(&query, &query)).sqrt()
        };
        let mut exact: Vec<f32> = points.iter().map(|point| cosine(&point.vector)).collect();
        exact.sort_by(|left, right| right.total_cmp(left));
        let index = EmbeddedVectorIndex::new();
        let model = EmbeddingModel {
            key: "m".to_owned(),
            dimension: DIMENSION,
        };
        index.load(&model, points).unwrap();
        let store = index.store(&model).unwrap();
        let hits = store.read(|rows| search(rows, &query, 50, &tenant.filter()));
        assert_eq!(hits.len(), 50);
        for (hit, exact) in hits.iter().zip(&exact) {
            assert!((hit.score - exact).abs() < 0.002, "{} {exact}", hit.score);
        }
        assert_eq!(store.read(|rows| count(rows, &tenant.filter())), 12_388);
    }
}
