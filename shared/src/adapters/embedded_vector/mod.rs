//! Vector search inside this process: an exact scan, no graph to build and nothing on disk.
//!
//! Rows are scanned as 8-bit integers and the best are scored again from 16-bit floats. SQL keeps
//! the vectors; the index is filled from there at start ([`EmbeddedVectorIndex::load`]). Read
//! `rows` for the layout, `scan` for the search, `kernel` for the arithmetic.

mod kernel;
mod rows;
mod scan;

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use async_trait::async_trait;
use rows::{Rows, Vectors};

use crate::{
    domain::{BranchId, ChunkId, IndexFilter, SnapshotId},
    ports::{EmbeddingModel, PortError, VectorHit, VectorIndex, VectorPoint},
};

const SYSTEM: &str = "the embedded vector index";

/// Scans of more rows than this leave the async threads: below it they take a few microseconds.
const MAX_INLINE_ROWS: usize = 4_096;

/// Points that [`EmbeddedVectorIndex::load`] writes under one lock.
const LOAD_BATCH: usize = 1_024;

/// An exact vector index in memory, one store per embedding model.
#[derive(Debug, Default)]
pub struct EmbeddedVectorIndex {
    models: RwLock<HashMap<String, Arc<ModelStore>>>,
}

#[derive(Debug)]
struct ModelStore {
    dimension: usize,
    rows: RwLock<Rows>,
}

impl EmbeddedVectorIndex {
    /// An empty index.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Fills the index at start, from the rows of SQL. Blocking. Returns the number of points read;
    /// a point of another dimension or with a component that is no number ends the load.
    pub fn load(
        &self,
        model: &EmbeddingModel,
        points: impl IntoIterator<Item = VectorPoint>,
    ) -> Result<u64, PortError> {
        let store = self.ensure(model)?;
        let mut read = 0;
        let mut points = points.into_iter();
        loop {
            let batch: Vec<VectorPoint> = points.by_ref().take(LOAD_BATCH).collect();
            if batch.is_empty() {
                return Ok(read);
            }
            read += batch.len() as u64;
            store.write(batch)?;
        }
    }

    /// Bytes held by vectors and keys, for status pages.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        models
            .values()
            .map(|store| store.read(|rows| rows.memory_bytes()))
            .sum()
    }

    fn ensure(&self, model: &EmbeddingModel) -> Result<Arc<ModelStore>, PortError> {
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        let store = models.entry(model.key.clone()).or_insert_with(|| {
            Arc::new(ModelStore {
                dimension: model.dimension,
                rows: RwLock::new(Rows::new(model.dimension)),
            })
        });
        store.check_dimension(model.dimension)?;
        Ok(Arc::clone(store))
    }

    fn store(&self, model: &EmbeddingModel) -> Result<Arc<ModelStore>, PortError> {
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        let store = models.get(&model.key).ok_or_else(|| PortError::NotFound {
            system: SYSTEM,
            code: "model_not_prepared",
            what: format!("the model `{}`", model.key),
        })?;
        store.check_dimension(model.dimension)?;
        Ok(Arc::clone(store))
    }
}

impl ModelStore {
    fn check_dimension(&self, dimension: usize) -> Result<(), PortError> {
        if dimension == self.dimension {
            return Ok(());
        }
        Err(PortError::Rejected {
            system: SYSTEM,
            code: "dimension_mismatch",
            detail: format!(
                "a vector of {dimension} components for a model of {}",
                self.dimension
            ),
        })
    }

    fn check(&self, vector: &[f32]) -> Result<(), PortError> {
        self.check_dimension(vector.len())?;
        if vector.iter().all(|component| component.is_finite()) {
            return Ok(());
        }
        Err(PortError::Rejected {
            system: SYSTEM,
            code: "vector_not_finite",
            detail: "a component is not a finite number".to_owned(),
        })
    }

    /// Writes points, all or none of them.
    fn write(&self, points: Vec<VectorPoint>) -> Result<(), PortError> {
        for point in &points {
            self.check(&point.vector)?;
        }
        // Conversion takes longer than copying, so it is done before readers are shut out.
        let vectors = Vectors::convert(&points, self.dimension);
        self.change(|rows| {
            for (position, point) in points.iter().enumerate() {
                rows.put(&point.key, vectors.row(position));
            }
        });
        Ok(())
    }

    // A panic while writing cannot be ruled out by types, but every change leaves whole rows, so a
    // poisoned lock is used on.
    fn read<R>(&self, work: impl FnOnce(&Rows) -> R) -> R {
        work(&self.rows.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn change<R>(&self, work: impl FnOnce(&mut Rows) -> R) -> R {
        work(&mut self.rows.write().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Runs work off the async threads.
async fn blocking<R: Send + 'static>(
    work: impl FnOnce() -> R + Send + 'static,
) -> Result<R, PortError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| PortError::broken(SYSTEM, error))
}

#[async_trait]
impl VectorIndex for EmbeddedVectorIndex {
    fn name(&self) -> &'static str {
        "embedded"
    }

    async fn ensure_model(&self, model: &EmbeddingModel) -> Result<(), PortError> {
        self.ensure(model).map(|_| ())
    }

    async fn upsert(
        &self,
        model: &EmbeddingModel,
        points: Vec<VectorPoint>,
    ) -> Result<(), PortError> {
        let store = self.store(model)?;
        blocking(move || store.write(points)).await?
    }

    async fn set_died(
        &self,
        model: &EmbeddingModel,
        ids: &[ChunkId],
        died: SnapshotId,
    ) -> Result<(), PortError> {
        let (store, ids) = (self.store(model)?, ids.to_vec());
        blocking(move || {
            store.change(|rows| ids.iter().for_each(|id| rows.set_died(*id, died)));
        })
        .await
    }

    async fn delete(&self, model: &EmbeddingModel, ids: &[ChunkId]) -> Result<(), PortError> {
        let (store, ids) = (self.store(model)?, ids.to_vec());
        blocking(move || store.change(|rows| ids.iter().for_each(|id| rows.remove(*id)))).await
    }

    async fn delete_branch(
        &self,
        model: &EmbeddingModel,
        branch: BranchId,
    ) -> Result<(), PortError> {
        let store = self.store(model)?;
        blocking(move || store.change(|rows| rows.remove_branch(branch))).await
    }

    async fn count(&self, model: &EmbeddingModel, filter: &IndexFilter) -> Result<u64, PortError> {
        let (store, filter) = (self.store(model)?, filter.clone());
        blocking(move || store.read(|rows| scan::count(rows, &filter))).await
    }

    async fn search(
        &self,
        model: &EmbeddingModel,
        vector: &[f32],
        limit: usize,
        filter: &IndexFilter,
    ) -> Result<Vec<VectorHit>, PortError> {
        let store = self.store(model)?;
        store.check(vector)?;
        if limit == 0 {
            return Ok(Vec::new());
        }
        if store.read(Rows::len) <= MAX_INLINE_ROWS {
            return Ok(store.read(|rows| scan::search(rows, vector, limit, filter)));
        }
        let (vector, filter) = (vector.to_vec(), filter.clone());
        blocking(move || store.read(|rows| scan::search(rows, &vector, limit, &filter))).await
    }

    async fn health(&self) -> Result<(), PortError> {
        Ok(())
    }
}
