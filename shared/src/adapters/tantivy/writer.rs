//! One writer with group commits: batches that arrive while a commit runs share the next one.

use std::sync::{
    Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockWriteGuard,
    atomic::{AtomicBool, Ordering},
};

use tantivy::{
    Index, IndexWriter, TantivyError, indexer::IndexWriterOptions, merge_policy::LogMergePolicy,
};

/// Memory of the indexing thread. A segment is flushed when it is full, so this bounds memory, not
/// the size of a batch.
const WRITER_MEMORY_BYTES: usize = 64 * 1024 * 1024;

/// Deleted documents that make a segment worth rewriting.
const MAX_DELETED_SHARE: f32 = 0.4;

/// Documents beyond which segments are not merged any more: merging larger ones costs more time
/// than searching them apart.
const MAX_MERGED_DOCUMENTS: usize = 500_000;

/// What became of a commit; the text names the fault.
pub(super) type Outcome = Result<(), String>;

/// The batches that one commit covers.
#[derive(Default)]
struct Group {
    outcome: OnceLock<Outcome>,
}

pub(super) struct Writer {
    /// Shared by those who add, exclusive for the one who commits.
    writer: RwLock<IndexWriter>,
    /// The group that operations added now belong to.
    group: Mutex<Arc<Group>>,
    has_pending: AtomicBool,
    /// Held while committing.
    turn: Mutex<()>,
}

impl Writer {
    pub(super) fn new(index: &Index) -> tantivy::Result<Self> {
        let options = IndexWriterOptions::builder()
            .memory_budget_per_thread(WRITER_MEMORY_BYTES)
            .num_worker_threads(1)
            .num_merge_threads(1)
            .build();
        let writer: IndexWriter = index.writer_with_options(options)?;
        let mut policy = LogMergePolicy::default();
        policy.set_del_docs_ratio_before_merge(MAX_DELETED_SHARE);
        policy.set_max_docs_before_merge(MAX_MERGED_DOCUMENTS);
        writer.set_merge_policy(Box::new(policy));
        Ok(Self {
            writer: RwLock::new(writer),
            group: Mutex::default(),
            has_pending: AtomicBool::new(false),
            turn: Mutex::default(),
        })
    }

    /// Adds operations and returns when they are committed and `publish` has shown them to
    /// readers, by this call or by another.
    pub(super) fn write(
        &self,
        add: impl FnOnce(&IndexWriter) -> tantivy::Result<()>,
        publish: impl FnOnce() -> tantivy::Result<()>,
    ) -> Outcome {
        let group = {
            let writer = self.writer.read().unwrap_or_else(PoisonError::into_inner);
            self.has_pending.store(true, Ordering::Release);
            add(&writer).map_err(describe)?;
            Arc::clone(&lock(&self.group))
        };
        let turn = lock(&self.turn);
        if let Some(outcome) = group.outcome.get() {
            return outcome.clone();
        }
        self.commit(&turn, self.exclusive(), publish)
    }

    /// Runs `change` alone on a state in which everything added before is committed and shown, and
    /// commits what it adds. `change` answers whether it added anything.
    pub(super) fn write_alone(
        &self,
        change: impl FnOnce(&IndexWriter) -> tantivy::Result<bool>,
        publish: impl Fn() -> tantivy::Result<()>,
    ) -> Outcome {
        let turn = lock(&self.turn);
        loop {
            let writer = self.exclusive();
            if self.has_pending.load(Ordering::Acquire) {
                self.commit(&turn, writer, &publish)?;
                // Others may have added meanwhile.
                continue;
            }
            if !change(&writer).map_err(describe)? {
                return Ok(());
            }
            return self.commit(&turn, writer, publish);
        }
    }

    fn commit(
        &self,
        _turn: &MutexGuard<'_, ()>,
        mut writer: RwLockWriteGuard<'_, IndexWriter>,
        publish: impl FnOnce() -> tantivy::Result<()>,
    ) -> Outcome {
        let group = std::mem::take(&mut *lock(&self.group));
        self.has_pending.store(false, Ordering::Release);
        let committed = writer.commit().map(|_| ());
        if committed.is_err() {
            // The writer's threads have ended; this starts new ones from the last commit. If that
            // fails as well, the next operation says so.
            let _ = writer.rollback();
        }
        drop(writer);
        let outcome = committed.and_then(|()| publish()).map_err(describe);
        let _ = group.outcome.set(outcome.clone());
        outcome
    }

    /// Adds operations without committing them, as a process does that is killed in between.
    #[cfg(test)]
    pub(super) fn add_only(&self, add: impl FnOnce(&IndexWriter)) {
        add(&self.exclusive());
    }

    fn exclusive(&self) -> RwLockWriteGuard<'_, IndexWriter> {
        self.writer.write().unwrap_or_else(PoisonError::into_inner)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn describe(error: TantivyError) -> String {
    error.to_string()
}
