//! Layout of the rows of one model: blocks of struct-of-arrays without gaps.
//!
//! Removing a row moves the last one into its place, so there are no tombstones to skip or compact.
//! Blocks keep growth from copying what is there.

use std::collections::HashMap;

use half::{f16, slice::HalfFloatSliceExt};

use super::kernel::{normalize, quantize};
use crate::{
    adapters::row_filter::{KeyInterner, RowKey},
    domain::{BranchId, ChunkId, SnapshotId},
    ports::{DocumentKey, VectorPoint},
};

/// Rows of a full block: small enough that a block's growth is no burst, large enough that the loop
/// over blocks costs nothing.
pub(super) const BLOCK_ROWS: usize = 4_096;

#[derive(Debug)]
pub(super) struct Rows {
    dimension: usize,
    pub(super) blocks: Vec<Block>,
    positions: HashMap<ChunkId, usize>,
    pub(super) interner: KeyInterner,
}

/// Up to [`BLOCK_ROWS`] rows. All blocks but the last are full.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub ids: Vec<ChunkId>,
    pub keys: Vec<RowKey>,
    /// Value of one step of the 8-bit components.
    pub steps: Vec<f32>,
    pub quantized: Vec<i8>,
    pub halves: Vec<f16>,
}

/// Vectors in both stored forms.
pub(super) struct Vectors {
    dimension: usize,
    steps: Vec<f32>,
    quantized: Vec<i8>,
    halves: Vec<f16>,
}

/// One vector in both stored forms.
#[derive(Clone, Copy)]
pub(super) struct VectorRow<'a> {
    step: f32,
    quantized: &'a [i8],
    halves: &'a [f16],
}

impl Vectors {
    /// Converts points whose vectors have `dimension` components.
    pub(super) fn convert(points: &[VectorPoint], dimension: usize) -> Self {
        let mut vectors = Self {
            dimension,
            steps: Vec::with_capacity(points.len()),
            quantized: vec![0; points.len() * dimension],
            halves: vec![f16::ZERO; points.len() * dimension],
        };
        let mut unit = Vec::with_capacity(dimension);
        for (position, point) in points.iter().enumerate() {
            let range = position * dimension..(position + 1) * dimension;
            unit.clear();
            unit.extend_from_slice(&point.vector);
            normalize(&mut unit);
            let step = quantize(&unit, &mut vectors.quantized[range.clone()]);
            vectors.steps.push(step);
            vectors.halves[range].convert_from_f32_slice(&unit);
        }
        vectors
    }

    pub(super) fn row(&self, position: usize) -> VectorRow<'_> {
        let range = position * self.dimension..(position + 1) * self.dimension;
        VectorRow {
            step: self.steps[position],
            quantized: &self.quantized[range.clone()],
            halves: &self.halves[range],
        }
    }
}

impl Rows {
    pub(super) fn new(dimension: usize) -> Self {
        Self {
            dimension,
            blocks: Vec::new(),
            positions: HashMap::new(),
            interner: KeyInterner::default(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    pub(super) const fn dimension(&self) -> usize {
        self.dimension
    }

    pub(super) fn memory_bytes(&self) -> u64 {
        let per_row = size_of::<RowKey>() + size_of::<ChunkId>() + size_of::<f32>();
        let per_position = size_of::<(ChunkId, usize)>() + 1;
        let blocks: usize = self
            .blocks
            .iter()
            .map(|block| block.halves.capacity() * 3 + block.ids.capacity() * per_row)
            .sum();
        (blocks + self.positions.capacity() * per_position) as u64
    }

    /// Inserts or replaces a row.
    pub(super) fn put(&mut self, key: &DocumentKey, vector: VectorRow<'_>) {
        let row_key = self.interner.intern(key);
        if let Some(position) = self.positions.get(&key.id) {
            let (block, row) = (position / BLOCK_ROWS, position % BLOCK_ROWS);
            self.blocks[block].replace(row, row_key, vector);
            return;
        }
        let position = self.len();
        if position / BLOCK_ROWS == self.blocks.len() {
            self.blocks.push(Block::default());
        }
        self.blocks[position / BLOCK_ROWS].push(key.id, row_key, vector);
        self.positions.insert(key.id, position);
    }

    pub(super) fn set_died(&mut self, id: ChunkId, died: SnapshotId) {
        if let Some(position) = self.positions.get(&id) {
            self.blocks[position / BLOCK_ROWS].keys[position % BLOCK_ROWS].died = died;
        }
    }

    pub(super) fn remove(&mut self, id: ChunkId) {
        let Some(position) = self.positions.remove(&id) else {
            return;
        };
        let Some(last) = self
            .blocks
            .last_mut()
            .and_then(|block| block.pop(self.dimension))
        else {
            return;
        };
        if self.blocks.last().is_some_and(|block| block.ids.is_empty()) {
            self.blocks.pop();
        }
        if last.id == id {
            return;
        }
        let (block, row) = (position / BLOCK_ROWS, position % BLOCK_ROWS);
        let vector = VectorRow {
            step: last.step,
            quantized: &last.quantized,
            halves: &last.halves,
        };
        self.blocks[block].ids[row] = last.id;
        self.blocks[block].replace(row, last.key, vector);
        self.positions.insert(last.id, position);
    }

    pub(super) fn remove_branch(&mut self, branch: BranchId) {
        let doomed: Vec<ChunkId> = self
            .blocks
            .iter()
            .flat_map(|block| block.ids.iter().zip(&block.keys))
            .filter(|(_, key)| self.interner.is_of_branch(key, branch))
            .map(|(id, _)| *id)
            .collect();
        for id in doomed {
            self.remove(id);
        }
    }
}

/// A row that was taken out.
struct TakenRow {
    id: ChunkId,
    key: RowKey,
    step: f32,
    quantized: Vec<i8>,
    halves: Vec<f16>,
}

impl Block {
    fn push(&mut self, id: ChunkId, key: RowKey, vector: VectorRow<'_>) {
        self.ids.push(id);
        self.keys.push(key);
        self.steps.push(vector.step);
        self.quantized.extend_from_slice(vector.quantized);
        self.halves.extend_from_slice(vector.halves);
    }

    fn replace(&mut self, row: usize, key: RowKey, vector: VectorRow<'_>) {
        let range = row * vector.halves.len()..(row + 1) * vector.halves.len();
        self.keys[row] = key;
        self.steps[row] = vector.step;
        self.quantized[range.clone()].copy_from_slice(vector.quantized);
        self.halves[range].copy_from_slice(vector.halves);
    }

    fn pop(&mut self, dimension: usize) -> Option<TakenRow> {
        let start = self.halves.len().checked_sub(dimension)?;
        Some(TakenRow {
            id: self.ids.pop()?,
            key: self.keys.pop()?,
            step: self.steps.pop()?,
            quantized: self.quantized.split_off(start),
            halves: self.halves.split_off(start),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::Tenant;

    #[derive(Debug, Clone)]
    enum Change {
        Put(usize),
        Remove(usize),
    }

    proptest! {
        /// Rows, positions and vectors stay together whatever is inserted and removed.
        #[test]
        fn moving_rows_keeps_every_row_whole(changes in proptest::collection::vec(
            (0_usize..20, any::<bool>()).prop_map(|(row, put)| {
                if put { Change::Put(row) } else { Change::Remove(row) }
            }), 0..120,
        )) {
            let tenant = Tenant::new();
            let points: Vec<VectorPoint> = (0..20_u8).map(|n| VectorPoint {
                key: tenant.key(),
                vector: vec![f32::from(n) + 1.0, 10.0, -1.0],
            }).collect();
            let vectors = Vectors::convert(&points, 3);
            let mut rows = Rows::new(3);
            let mut expected = std::collections::BTreeSet::new();
            for change in changes {
                match change {
                    Change::Put(n) => {
                        rows.put(&points[n].key, vectors.row(n));
                        expected.insert(n);
                    }
                    Change::Remove(n) => {
                        rows.remove(points[n].key.id);
                        expected.remove(&n);
                    }
                }
            }
            prop_assert_eq!(rows.len(), expected.len());
            let stored: usize = rows.blocks.iter().map(|block| block.ids.len()).sum();
            prop_assert_eq!(stored, expected.len());
            for n in expected {
                let position = rows.positions[&points[n].key.id];
                let block = &rows.blocks[position / BLOCK_ROWS];
                let row = position % BLOCK_ROWS;
                prop_assert_eq!(block.ids[row], points[n].key.id);
                prop_assert_eq!(&block.halves[row * 3..row * 3 + 3], vectors.row(n).halves);
                prop_assert_eq!(&block.quantized[row * 3..row * 3 + 3], vectors.row(n).quantized);
                prop_assert_eq!(block.steps[row], vectors.row(n).step);
            }
        }
    }
}
