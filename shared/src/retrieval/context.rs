//! What one search knows besides its question: branches, statistics, file names.

use std::{collections::HashMap, sync::Arc};

use moka::sync::Cache;
use serde::Deserialize;

use super::{RetrievalError, score::CollectionStatistics};
use crate::{
    domain::{BranchId, OrganizationId, RepositoryPath, SnapshotId, View},
    store::{Database, candidates, views::SearchedBranch},
};

/// Sums of one snapshot, decoded.
#[derive(Debug, Clone, Default)]
pub(crate) struct SnapshotSums {
    chunks: f64,
    points: f64,
    lengths: [f64; 5],
    vector: Vec<f64>,
}

#[derive(Debug, Deserialize)]
struct StoredLengths {
    lengths: [f64; 5],
}

/// An indexed file and the words of its stem.
#[derive(Debug)]
pub(crate) struct NamedFile {
    pub id: i64,
    pub path: RepositoryPath,
    pub stem_key: String,
    pub stem_words: Vec<String>,
}

/// Per-snapshot data never changes, so it is kept.
#[derive(Debug, Clone)]
pub(crate) struct SnapshotCache {
    sums: Cache<SnapshotId, Arc<SnapshotSums>>,
    files: Cache<(BranchId, SnapshotId), Arc<Vec<NamedFile>>>,
}

/// Snapshots whose sums are kept (about 2 kB each).
const KEPT_SUMS: u64 = 10_000;
/// File names that are kept, over all snapshots (about 200 bytes each).
const KEPT_FILES: u64 = 200_000;

impl SnapshotCache {
    pub(crate) fn new() -> Self {
        Self {
            sums: Cache::new(KEPT_SUMS),
            files: Cache::builder()
                .weigher(|_, files: &Arc<Vec<NamedFile>>| {
                    u32::try_from(files.len()).unwrap_or(u32::MAX)
                })
                .max_capacity(KEPT_FILES)
                .build(),
        }
    }

    /// Statistics and mean vector over everything that is searched.
    pub(crate) async fn statistics(
        &self,
        database: &Database,
        organization: OrganizationId,
        branches: &[SearchedBranch],
    ) -> Result<(CollectionStatistics, Vec<f32>), RetrievalError> {
        let mut known: HashMap<SnapshotId, Arc<SnapshotSums>> = HashMap::new();
        let mut missing = Vec::new();
        for branch in branches {
            match self.sums.get(&branch.snapshot_id) {
                Some(sums) => drop(known.insert(branch.snapshot_id, sums)),
                None => missing.push(branch.snapshot_id),
            }
        }
        if !missing.is_empty() {
            for row in candidates::statistics(database.reader(), organization, &missing).await? {
                let sums = Arc::new(decode(row));
                let id = sums.0;
                self.sums.insert(id, Arc::new(sums.1.clone()));
                known.insert(id, Arc::new(sums.1.clone()));
            }
        }
        Ok(merge(known.values()))
    }

    /// The indexed files of a branch with the words of their names.
    pub(crate) async fn files(
        &self,
        database: &Database,
        branch: &SearchedBranch,
        view: &View,
    ) -> Result<Arc<Vec<NamedFile>>, RetrievalError> {
        let key = (branch.branch_id, branch.snapshot_id);
        if let Some(files) = self.files.get(&key) {
            return Ok(files);
        }
        let view = View {
            horizon: branch.snapshot_id,
            unpublished: view.unpublished.clone(),
        };
        let rows = candidates::indexed_files(
            database.reader(),
            branch.organization_id,
            branch.branch_id,
            &view,
        )
        .await?;
        let files: Vec<NamedFile> = rows
            .into_iter()
            .map(|row| {
                let path = RepositoryPath::from_text(row.path);
                let stem = path.stem();
                let stem_words = crate::analysis::analyze_path(stem)
                    .into_iter()
                    .map(|token| token.stem)
                    .collect();
                NamedFile {
                    id: row.id,
                    stem_key: stem.to_lowercase(),
                    stem_words,
                    path,
                }
            })
            .collect();
        let files = Arc::new(files);
        self.files.insert(key, files.clone());
        Ok(files)
    }
}

#[allow(clippy::cast_precision_loss)]
fn decode(row: candidates::SnapshotStatistics) -> (SnapshotId, SnapshotSums) {
    let lengths = row
        .field_lengths
        .and_then(|text| serde_json::from_str::<StoredLengths>(&text).ok())
        .map_or([0.0; 5], |stored| stored.lengths);
    let vector = row.vector_sum.unwrap_or_default();
    let vector = vector
        .chunks_exact(8)
        .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap_or_default()))
        .collect();
    let sums = SnapshotSums {
        chunks: row.chunks as f64,
        points: row.points.unwrap_or(0) as f64,
        lengths,
        vector,
    };
    (SnapshotId(row.id), sums)
}

#[allow(clippy::cast_possible_truncation)]
fn merge<'a>(all: impl Iterator<Item = &'a Arc<SnapshotSums>>) -> (CollectionStatistics, Vec<f32>) {
    let mut total = SnapshotSums::default();
    for sums in all {
        total.chunks += sums.chunks;
        for (mine, theirs) in total.lengths.iter_mut().zip(sums.lengths) {
            *mine += theirs;
        }
        // Snapshots of another embedding model do not mix.
        if total.vector.is_empty() {
            total.vector.clone_from(&sums.vector);
            total.points = sums.points;
        } else if total.vector.len() == sums.vector.len() {
            total
                .vector
                .iter_mut()
                .zip(&sums.vector)
                .for_each(|(mine, theirs)| *mine += theirs);
            total.points += sums.points;
        }
    }
    let chunks = total.chunks.max(1.0);
    let points = total.points.max(1.0);
    let statistics = CollectionStatistics {
        documents: total.chunks,
        mean_lengths: total.lengths.map(|length| (length / chunks) as f32),
    };
    (
        statistics,
        total
            .vector
            .iter()
            .map(|sum| (sum / points) as f32)
            .collect(),
    )
}
