//! Statistics of a snapshot that scoring needs, kept up in proportion to the change: what the
//! snapshot before had, plus what was born, less what died.

use serde::{Deserialize, Serialize};

use super::{IndexingError, stage::Stage};
use crate::{
    analysis::TermVectorRef,
    domain::{BranchId, ChunkId, SnapshotId},
    store::{
        StoreError,
        chunks::{self, Boundary, ChunkStatistics},
        embeddings,
        entities::snapshot,
    },
};

/// Chunks per page: a few megabytes with their vectors.
const PAGE: u64 = 2_000;

/// Total lengths of the lexical fields over the visible chunks, as stored with the snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct FieldLengths {
    pub documents: i64,
    pub lengths: [i64; 5],
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Statistics {
    pub fields: FieldLengths,
    /// Sum of the vectors; `None` without an embedder.
    pub vector_sum: Option<Vec<f64>>,
}

impl Statistics {
    pub fn field_lengths(&self) -> String {
        serde_json::to_string(&self.fields).unwrap_or_default()
    }

    pub fn vector_sum_bytes(&self) -> Option<Vec<u8>> {
        let sum = self.vector_sum.as_ref()?;
        Some(sum.iter().flat_map(|value| value.to_le_bytes()).collect())
    }
}

/// The statistics of the snapshot that is about to be published. `before` is the published one.
pub(super) async fn compute(
    stage: &Stage,
    branch: BranchId,
    snapshot: SnapshotId,
    before: Option<&snapshot::Model>,
) -> Result<Statistics, IndexingError> {
    let dimension = stage.embedder().map(|embedder| embedder.model().dimension);
    let format = stage.indexing.format();
    // In a new format nothing is carried on: every chunk was born with this snapshot.
    let before = before.filter(|before| before.format == format);
    let mut statistics = start(before, dimension);
    add(stage, branch, Boundary::Born, snapshot, 1, &mut statistics).await?;
    if before.is_some() {
        add(stage, branch, Boundary::Died, snapshot, -1, &mut statistics).await?;
    }
    Ok(statistics)
}

fn start(before: Option<&snapshot::Model>, dimension: Option<usize>) -> Statistics {
    let fields = before
        .and_then(|before| before.field_lengths.as_deref())
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default();
    let sum = |dimension| {
        let stored = before.and_then(|before| before.vector_sum.as_deref());
        let (values, _) = stored.unwrap_or_default().as_chunks::<8>();
        let mut sum: Vec<f64> = values
            .iter()
            .map(|bytes| f64::from_le_bytes(*bytes))
            .collect();
        sum.resize(dimension, 0.0);
        sum
    };
    Statistics {
        fields,
        vector_sum: dimension.map(sum),
    }
}

async fn add(
    stage: &Stage,
    branch: BranchId,
    boundary: Boundary,
    snapshot: SnapshotId,
    sign: i64,
    statistics: &mut Statistics,
) -> Result<(), IndexingError> {
    let reader = stage.indexing.database().reader();
    let mut after = None;
    loop {
        let page = chunks::page_at(reader, branch, boundary, snapshot, after, PAGE).await?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        after = Some(ChunkId(last.id));
        add_lengths(&page, sign, &mut statistics.fields)?;
        if let Some(sum) = &mut statistics.vector_sum {
            let ids: Vec<i64> = page.iter().filter_map(|chunk| chunk.embedding_id).collect();
            let vectors = embeddings::load(reader, &ids).await?;
            for id in ids {
                // Chunks may share a vector.
                let bytes = vectors.get(&id).ok_or(StoreError::NotFound("embedding"))?;
                let vector = embeddings::decode(bytes)?;
                let sign = if sign < 0 { -1.0 } else { 1.0 };
                for (total, value) in sum.iter_mut().zip(vector) {
                    *total += sign * f64::from(value);
                }
            }
        }
    }
}

fn add_lengths(
    page: &[ChunkStatistics],
    sign: i64,
    fields: &mut FieldLengths,
) -> Result<(), IndexingError> {
    for chunk in page {
        let terms =
            TermVectorRef::parse(&chunk.terms).map_err(|_| StoreError::Corrupt("term vector"))?;
        fields.documents += sign;
        for (total, length) in fields.lengths.iter_mut().zip(terms.lengths()) {
            *total += sign * i64::from(length);
        }
    }
    Ok(())
}
