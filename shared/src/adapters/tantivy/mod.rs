//! Word search inside this process, on Tantivy's postings.
//!
//! Tantivy keeps the words and the columns; filtering, counting and scoring are ours (`recall`).
//! Read `terms` for how a chunk's words are filed, `snapshot` for what readers see, `writer` for
//! group commits and `directory` for damage and formats.

mod directory;
mod recall;
mod schema;
mod snapshot;
mod terms;
mod writer;

use std::{
    fs::File,
    path::Path,
    sync::{Arc, PoisonError, RwLock},
};

use async_trait::async_trait;
use schema::{Fields, StoredDocument};
use snapshot::{KeyCache, Snapshot};
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy};
use terms::TermTokenizer;
use writer::{Outcome, Writer};

use crate::{
    domain::{BranchId, ChunkId, IndexFilter, SnapshotId},
    ports::{LexicalDocument, LexicalIndex, LexicalQuery, LexicalRecall, PortError},
};

const SYSTEM: &str = "the embedded word index";

/// A word index in a directory or in memory. Cheap to clone; all clones are one index.
#[derive(Clone)]
pub struct TantivyLexicalIndex {
    state: Arc<State>,
}

/// What opening a directory gave.
pub struct OpenOutcome {
    pub index: TantivyLexicalIndex,
    /// The index is empty although documents may have been written before: the directory is new,
    /// was damaged, or held an older format. Fill it from SQL.
    pub needs_rebuild: bool,
}

struct State {
    fields: Fields,
    reader: IndexReader,
    keys: KeyCache,
    shown: RwLock<Arc<Snapshot>>,
    writer: Writer,
    /// Keeps other processes out.
    _lock: Option<File>,
}

impl TantivyLexicalIndex {
    /// Opens or makes the index in a directory that is the index's own. Blocking: it reads every
    /// file once to find damage. [`PortError::Unavailable`] while another process has it open.
    pub fn open(directory: impl AsRef<Path>) -> Result<OpenOutcome, PortError> {
        let fields = Fields::new();
        let opened = directory::open(directory.as_ref(), &fields, |index| {
            KeyCache::default()
                .snapshot(reader(index)?.searcher())
                .map(|_| ())
        })?;
        let index = Self::start(opened.index, fields, Some(opened.lock)).map_err(broken)?;
        Ok(OpenOutcome {
            index,
            needs_rebuild: opened.is_new,
        })
    }

    /// An empty index that ends with the process.
    pub fn in_memory() -> Result<Self, PortError> {
        let fields = Fields::new();
        let index = Index::create_in_ram(fields.schema.clone());
        Self::start(index, fields, None).map_err(broken)
    }

    fn start(index: Index, fields: Fields, lock: Option<File>) -> tantivy::Result<Self> {
        index.tokenizers().register(terms::TOKENIZER, TermTokenizer);
        let reader = reader(&index)?;
        let keys = KeyCache::default();
        let shown = keys.snapshot(reader.searcher())?;
        let state = State {
            writer: Writer::new(&index)?,
            shown: RwLock::new(Arc::new(shown)),
            _lock: lock,
            fields,
            reader,
            keys,
        };
        Ok(Self {
            state: Arc::new(state),
        })
    }

    /// Runs work off the async threads.
    async fn blocking<R: Send + 'static>(
        &self,
        work: impl FnOnce(&State) -> R + Send + 'static,
    ) -> Result<R, PortError> {
        let state = Arc::clone(&self.state);
        tokio::task::spawn_blocking(move || work(&state))
            .await
            .map_err(|error| PortError::broken(SYSTEM, error))
    }

    async fn write(
        &self,
        add: impl FnOnce(&State, &IndexWriter) -> tantivy::Result<()> + Send + 'static,
    ) -> Result<(), PortError> {
        self.blocking(move |state| {
            let outcome = state
                .writer
                .write(|writer| add(state, writer), || state.show());
            settled(outcome)
        })
        .await?
    }
}

fn reader(index: &Index) -> tantivy::Result<IndexReader> {
    // Commits are shown at once by `State::show`; the watch brings in merges that end later.
    index
        .reader_builder()
        .reload_policy(ReloadPolicy::OnCommitWithDelay)
        .try_into()
}

fn broken(error: tantivy::TantivyError) -> PortError {
    PortError::broken(SYSTEM, error)
}

fn settled(outcome: Outcome) -> Result<(), PortError> {
    outcome.map_err(|fault| PortError::broken(SYSTEM, fault))
}

impl State {
    /// Shows the last commit to readers.
    fn show(&self) -> tantivy::Result<()> {
        self.reader.reload()?;
        self.refresh().map(|_| ())
    }

    /// What to search now: the last commit, in as few segments as merging has left.
    fn snapshot(&self) -> tantivy::Result<Arc<Snapshot>> {
        let shown = Arc::clone(&self.shown.read().unwrap_or_else(PoisonError::into_inner));
        let newest = self.reader.searcher().generation().generation_id();
        if shown.searcher.generation().generation_id() >= newest {
            return Ok(shown);
        }
        self.refresh()
    }

    fn refresh(&self) -> tantivy::Result<Arc<Snapshot>> {
        let snapshot = Arc::new(self.keys.snapshot(self.reader.searcher())?);
        let mut shown = self.shown.write().unwrap_or_else(PoisonError::into_inner);
        let generation = |snapshot: &Snapshot| snapshot.searcher.generation().generation_id();
        if generation(&snapshot) >= generation(&shown) {
            *shown = snapshot;
        }
        Ok(Arc::clone(&shown))
    }

    fn add(&self, writer: &IndexWriter, document: &StoredDocument) -> tantivy::Result<()> {
        writer.delete_term(self.fields.id_term(document.id));
        writer.add_document(self.fields.document(document))?;
        Ok(())
    }

    /// Writes the documents again with another end of life. Answers whether any had to change.
    fn rewrite_died(
        &self,
        writer: &IndexWriter,
        ids: &[ChunkId],
        died: SnapshotId,
    ) -> tantivy::Result<bool> {
        let snapshot = self.snapshot()?;
        let mut changed = false;
        for id in ids {
            let Some((segment, document)) = snapshot.find(&self.fields, *id)? else {
                continue;
            };
            if snapshot.keys[segment].rows[document as usize].died == died {
                continue;
            }
            let mut stored = snapshot.read(&self.fields, segment, document)?;
            stored.died = died;
            self.add(writer, &stored)?;
            changed = true;
        }
        Ok(changed)
    }
}

#[async_trait]
impl LexicalIndex for TantivyLexicalIndex {
    fn name(&self) -> &'static str {
        "tantivy"
    }

    async fn upsert(&self, documents: Vec<LexicalDocument>) -> Result<(), PortError> {
        if documents.is_empty() {
            return Ok(());
        }
        self.write(move |state, writer| {
            documents
                .iter()
                .try_for_each(|document| state.add(writer, &StoredDocument::new(document)))
        })
        .await
    }

    async fn set_died(&self, ids: &[ChunkId], died: SnapshotId) -> Result<(), PortError> {
        if ids.is_empty() {
            return Ok(());
        }
        let ids = ids.to_vec();
        self.blocking(move |state| {
            let outcome = state.writer.write_alone(
                |writer| state.rewrite_died(writer, &ids, died),
                || state.show(),
            );
            settled(outcome)
        })
        .await?
    }

    async fn delete(&self, ids: &[ChunkId]) -> Result<(), PortError> {
        if ids.is_empty() {
            return Ok(());
        }
        let ids = ids.to_vec();
        self.write(move |state, writer| {
            for id in ids {
                writer.delete_term(state.fields.id_term(id));
            }
            Ok(())
        })
        .await
    }

    async fn delete_branch(&self, branch: BranchId) -> Result<(), PortError> {
        self.write(move |state, writer| {
            writer.delete_term(state.fields.branch_term(branch));
            Ok(())
        })
        .await
    }

    async fn count(&self, filter: &IndexFilter) -> Result<u64, PortError> {
        let filter = filter.clone();
        self.blocking(move |state| {
            let snapshot = state.snapshot()?;
            Ok(recall::count(&snapshot, &state.keys.compile(&filter)))
        })
        .await?
        .map_err(broken)
    }

    async fn recall(
        &self,
        query: &LexicalQuery,
        filter: &IndexFilter,
    ) -> Result<LexicalRecall, PortError> {
        let (query, filter) = (query.clone(), filter.clone());
        self.blocking(move |state| {
            let snapshot = state.snapshot()?;
            let filter = state.keys.compile(&filter);
            recall::recall(&snapshot, &state.fields, &query, &filter)
        })
        .await?
        .map_err(broken)
    }

    async fn health(&self) -> Result<(), PortError> {
        self.blocking(|state| state.snapshot().map(|_| ()))
            .await?
            .map_err(broken)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::testing::{Tenant, lexical_contract::document};

    #[tokio::test]
    async fn what_was_not_committed_is_gone_and_the_rest_is_whole() {
        let tenant = Tenant::new();
        let directory = tempfile::tempdir().unwrap();
        let index = TantivyLexicalIndex::open(directory.path()).unwrap().index;
        index
            .upsert(vec![document(tenant.key(), "kept")])
            .await
            .unwrap();
        let lost = StoredDocument::new(&document(tenant.key(), "lost"));
        index.state.writer.add_only(|writer| {
            index.state.add(writer, &lost).unwrap();
            writer.delete_term(index.state.fields.branch_term(tenant.branch_id));
        });
        drop(index);
        let outcome = TantivyLexicalIndex::open(directory.path()).unwrap();
        assert!(!outcome.needs_rebuild);
        assert_eq!(outcome.index.count(&tenant.filter()).await.unwrap(), 1);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn batches_at_once_share_commits() {
        let tenant = Tenant::new();
        let index = TantivyLexicalIndex::in_memory().unwrap();
        let batches: Vec<_> = (0..40)
            .map(|_| {
                let index = index.clone();
                tokio::spawn(async move {
                    index
                        .upsert(vec![document(tenant.key(), "word")])
                        .await
                        .unwrap();
                })
            })
            .collect();
        for batch in batches {
            batch.await.unwrap();
        }
        assert_eq!(index.count(&tenant.filter()).await.unwrap(), 40);
        let shown = index.state.snapshot().unwrap();
        // One generation per commit, besides those of merges.
        assert!(shown.searcher.generation().generation_id() < 40);
    }
}
