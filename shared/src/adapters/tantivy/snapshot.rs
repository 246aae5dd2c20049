//! What readers see: one committed state of the index with the keys of its documents in memory.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use tantivy::{
    DocId, DocSet, Searcher, SegmentReader, TERMINATED, TantivyError,
    columnar::BytesColumn,
    index::SegmentId,
    schema::{IndexRecordOption, Value},
};
use uuid::Uuid;

use super::schema::{Fields, SCOPE_BYTES, StoredDocument, column};
use crate::{
    adapters::row_filter::{KeyInterner, RowFilter, RowKey, Scope},
    domain::{
        BranchId, ChunkId, ChunkKind, FileClass, IndexFilter, OrganizationId, ProjectId, SnapshotId,
    },
};

/// A committed state.
pub(super) struct Snapshot {
    pub searcher: Searcher,
    /// One per segment of the searcher, in its order.
    pub keys: Vec<Arc<SegmentKeys>>,
}

/// Keys of a segment's documents by document number. Segments never change, so keys are read once.
#[derive(Debug)]
pub(super) struct SegmentKeys {
    pub ids: Vec<ChunkId>,
    pub rows: Vec<RowKey>,
    pub lengths: Vec<u32>,
}

/// Keys of all segments in use, and the numbers in them.
#[derive(Debug, Default)]
pub(super) struct KeyCache {
    interner: RwLock<KeyInterner>,
    segments: Mutex<HashMap<SegmentId, Arc<SegmentKeys>>>,
}

impl KeyCache {
    /// Takes a snapshot: reads the keys of segments that are new and forgets those that are gone.
    pub(super) fn snapshot(&self, searcher: Searcher) -> tantivy::Result<Snapshot> {
        let mut segments = lock(&self.segments);
        let mut known = HashMap::new();
        let mut keys = Vec::new();
        for reader in searcher.segment_readers() {
            let id = reader.segment_id();
            let segment = match segments.get(&id) {
                Some(segment) => Arc::clone(segment),
                None => {
                    let mut interner = self
                        .interner
                        .write()
                        .unwrap_or_else(PoisonError::into_inner);
                    Arc::new(SegmentKeys::read(reader, &mut interner)?)
                }
            };
            known.insert(id, Arc::clone(&segment));
            keys.push(segment);
        }
        *segments = known;
        Ok(Snapshot { searcher, keys })
    }

    pub(super) fn compile(&self, filter: &IndexFilter) -> RowFilter {
        self.interner
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .compile(filter)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SegmentKeys {
    fn read(reader: &SegmentReader, interner: &mut KeyInterner) -> tantivy::Result<Self> {
        let columns = reader.fast_fields();
        let scopes = Dictionary::read(columns.bytes(column::SCOPE)?, |bytes| {
            Ok(interner.scope_number(scope(bytes)?))
        })?;
        let languages = Dictionary::read(columns.bytes(column::LANGUAGE)?, |bytes| {
            let language = std::str::from_utf8(bytes).map_err(|_| damaged("language"))?;
            Ok(interner.language_number(Some(language)))
        })?;
        let (high, low) = (columns.u64(column::ID_HIGH)?, columns.u64(column::ID_LOW)?);
        let (born, died) = (columns.i64(column::BORN)?, columns.i64(column::DIED)?);
        let (kinds, classes) = (columns.u64(column::KIND)?, columns.u64(column::CLASS)?);
        let lengths = columns.u64(column::LENGTH)?;
        let count = reader.max_doc();
        let mut keys = Self {
            ids: Vec::with_capacity(count as usize),
            rows: Vec::with_capacity(count as usize),
            lengths: Vec::with_capacity(count as usize),
        };
        for document in 0..count {
            let id = high.first(document).zip(low.first(document));
            let (id_high, id_low) = id.ok_or_else(|| damaged("id"))?;
            keys.ids.push(ChunkId(Uuid::from_u64_pair(id_high, id_low)));
            keys.rows.push(RowKey {
                born: SnapshotId(born.first(document).ok_or_else(|| damaged("born"))?),
                died: SnapshotId(died.first(document).ok_or_else(|| damaged("died"))?),
                scope: scopes.value(document).ok_or_else(|| damaged("scope"))?,
                language: languages.value(document).unwrap_or(0),
                kind: at(ChunkKind::ALL, kinds.first(document), "kind")?,
                class: at(FileClass::ALL, classes.first(document), "class")?,
            });
            let length = lengths.first(document).unwrap_or(0);
            keys.lengths.push(u32::try_from(length).unwrap_or(u32::MAX));
        }
        Ok(keys)
    }
}

/// A column of few distinct byte strings, each turned into a number once.
struct Dictionary {
    column: Option<BytesColumn>,
    numbers: Vec<u32>,
}

impl Dictionary {
    fn read(
        column: Option<BytesColumn>,
        mut number: impl FnMut(&[u8]) -> tantivy::Result<u32>,
    ) -> tantivy::Result<Self> {
        let mut numbers = Vec::new();
        let mut bytes = Vec::new();
        if let Some(column) = &column {
            for ordinal in 0..column.num_terms() as u64 {
                column.ord_to_bytes(ordinal, &mut bytes)?;
                numbers.push(number(&bytes)?);
            }
        }
        Ok(Self { column, numbers })
    }

    fn value(&self, document: DocId) -> Option<u32> {
        let ordinal = self.column.as_ref()?.ords().first(document)?;
        self.numbers.get(usize::try_from(ordinal).ok()?).copied()
    }
}

fn scope(bytes: &[u8]) -> tantivy::Result<Scope> {
    let mut ids = [Uuid::nil(); SCOPE_BYTES / 16];
    if bytes.len() != SCOPE_BYTES {
        return Err(damaged("scope"));
    }
    for (id, bytes) in ids.iter_mut().zip(bytes.chunks_exact(16)) {
        *id = Uuid::from_slice(bytes).map_err(|_| damaged("scope"))?;
    }
    let [organization, project, _repository, branch] = ids;
    Ok(Scope {
        organization_id: OrganizationId(organization),
        project_id: ProjectId(project),
        branch_id: BranchId(branch),
    })
}

fn at<T: Copy>(all: &[T], position: Option<u64>, what: &str) -> tantivy::Result<T> {
    position
        .and_then(|position| all.get(usize::try_from(position).ok()?))
        .copied()
        .ok_or_else(|| damaged(what))
}

fn damaged(what: &str) -> TantivyError {
    TantivyError::InternalError(format!("a stored {what} is damaged"))
}

impl Snapshot {
    /// Where the living document of a chunk lies: segment and document number.
    pub(super) fn find(
        &self,
        fields: &Fields,
        id: ChunkId,
    ) -> tantivy::Result<Option<(usize, DocId)>> {
        let term = fields.id_term(id);
        for (segment, reader) in self.searcher.segment_readers().iter().enumerate() {
            let inverted = reader.inverted_index(fields.id())?;
            let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::Basic)?
            else {
                continue;
            };
            while postings.doc() != TERMINATED {
                if !reader.is_deleted(postings.doc()) {
                    return Ok(Some((segment, postings.doc())));
                }
                postings.advance();
            }
        }
        Ok(None)
    }

    /// Reads a whole document back, to be written again with another key.
    pub(super) fn read(
        &self,
        fields: &Fields,
        segment: usize,
        document: DocId,
    ) -> tantivy::Result<StoredDocument> {
        let reader = &self.searcher.segment_readers()[segment];
        let keys = &self.keys[segment];
        let (id, row) = (keys.ids[document as usize], keys.rows[document as usize]);
        let bytes = |column: Option<BytesColumn>| -> tantivy::Result<Option<Vec<u8>>> {
            let Some(column) = column else {
                return Ok(None);
            };
            let Some(ordinal) = column.ords().first(document) else {
                return Ok(None);
            };
            let mut bytes = Vec::new();
            column.ord_to_bytes(ordinal, &mut bytes)?;
            Ok(Some(bytes))
        };
        let columns = reader.fast_fields();
        let scope = bytes(columns.bytes(column::SCOPE)?)?
            .and_then(|scope| scope.try_into().ok())
            .ok_or_else(|| damaged("scope"))?;
        let language = bytes(columns.bytes(column::LANGUAGE)?)?
            .map(String::from_utf8)
            .transpose()
            .map_err(|_| damaged("language"))?;
        let segment = u32::try_from(segment).map_err(|_| damaged("segment"))?;
        let stored: tantivy::TantivyDocument = self
            .searcher
            .doc(tantivy::DocAddress::new(segment, document))?;
        let terms = stored
            .get_first(fields.terms)
            .and_then(|value| value.as_str().map(str::to_owned))
            .ok_or_else(|| damaged("text"))?;
        Ok(StoredDocument {
            id,
            scope,
            language,
            born: row.born,
            died: row.died,
            kind: row.kind,
            class: row.class,
            length: u64::from(keys.lengths[document as usize]),
            terms,
        })
    }
}
