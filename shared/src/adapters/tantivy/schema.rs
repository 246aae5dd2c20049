//! Fields of the index and the documents in them.

use tantivy::{
    TantivyDocument, Term,
    schema::{
        BytesOptions, FAST, Field, INDEXED, IndexRecordOption, NumericOptions, Schema,
        TextFieldIndexing, TextOptions,
    },
};

use super::terms;
use crate::{
    domain::{BranchId, ChunkId, ChunkKind, FileClass, SnapshotId},
    ports::LexicalDocument,
};

/// Number of the on-disk format: schema, encoding of terms, order of the enums stored by position.
/// A directory of another number is dropped and filled again from SQL.
pub(super) const FORMAT: u32 = 1;

/// Organization, project, repository and branch ids one after another.
pub(super) const SCOPE_BYTES: usize = 64;

/// Handles of the fields.
#[derive(Debug, Clone)]
pub(super) struct Fields {
    pub schema: Schema,
    /// The weighted words: indexed through [`terms::TermTokenizer`], stored to be written again.
    pub terms: Field,
    /// Chunk id, to find a document.
    id: Field,
    /// Branch id, to remove all of a branch.
    branch: Field,
    scope: Field,
    language: Field,
    id_high: Field,
    id_low: Field,
    born: Field,
    died: Field,
    kind: Field,
    class: Field,
    length: Field,
}

/// Names of the columns, for the readers of fast fields.
pub(super) mod column {
    pub(in super::super) const SCOPE: &str = "scope";
    pub(in super::super) const LANGUAGE: &str = "language";
    pub(in super::super) const ID_HIGH: &str = "id_high";
    pub(in super::super) const ID_LOW: &str = "id_low";
    pub(in super::super) const BORN: &str = "born";
    pub(in super::super) const DIED: &str = "died";
    pub(in super::super) const KIND: &str = "kind";
    pub(in super::super) const CLASS: &str = "class";
    pub(in super::super) const LENGTH: &str = "length";
}

/// A document as it lies in the index.
#[derive(Debug, Clone)]
pub(super) struct StoredDocument {
    pub id: ChunkId,
    pub scope: [u8; SCOPE_BYTES],
    pub language: Option<String>,
    pub born: SnapshotId,
    pub died: SnapshotId,
    pub kind: ChunkKind,
    pub class: FileClass,
    /// Weighted words of the chunk.
    pub length: u64,
    /// Encoded by [`terms::encode`].
    pub terms: String,
}

impl StoredDocument {
    pub(super) fn new(document: &LexicalDocument) -> Self {
        let key = &document.key;
        let mut scope = [0; SCOPE_BYTES];
        let ids = [
            key.organization_id.0,
            key.project_id.0,
            key.repository_id.0,
            key.branch_id.0,
        ];
        for (place, id) in scope.chunks_exact_mut(16).zip(ids) {
            place.copy_from_slice(id.as_bytes());
        }
        let (terms, length) = terms::encode(&document.fields);
        Self {
            id: key.id,
            scope,
            language: key.language.clone(),
            born: key.born,
            died: key.died,
            kind: key.kind,
            class: key.class,
            length,
            terms,
        }
    }
}

impl Fields {
    pub(super) fn new() -> Self {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(terms::TOKENIZER)
            .set_index_option(IndexRecordOption::WithFreqs)
            // Lengths are a column of our own, since words carry weights.
            .set_fieldnorms(false);
        let words = TextOptions::default()
            .set_indexing_options(indexing)
            .set_stored();
        let key: BytesOptions = INDEXED.into();
        let bytes: BytesOptions = FAST.into();
        let number: NumericOptions = FAST.into();
        Self {
            terms: schema.add_text_field("terms", words),
            id: schema.add_bytes_field("id", key.clone()),
            branch: schema.add_bytes_field("branch", key),
            scope: schema.add_bytes_field(column::SCOPE, bytes.clone()),
            language: schema.add_bytes_field(column::LANGUAGE, bytes),
            id_high: schema.add_u64_field(column::ID_HIGH, number.clone()),
            id_low: schema.add_u64_field(column::ID_LOW, number.clone()),
            born: schema.add_i64_field(column::BORN, number.clone()),
            died: schema.add_i64_field(column::DIED, number.clone()),
            kind: schema.add_u64_field(column::KIND, number.clone()),
            class: schema.add_u64_field(column::CLASS, number.clone()),
            length: schema.add_u64_field(column::LENGTH, number),
            schema: schema.build(),
        }
    }

    pub(super) fn id_term(&self, id: ChunkId) -> Term {
        Term::from_field_bytes(self.id, id.0.as_bytes())
    }

    pub(super) const fn id(&self) -> Field {
        self.id
    }

    pub(super) fn branch_term(&self, branch: BranchId) -> Term {
        Term::from_field_bytes(self.branch, branch.0.as_bytes())
    }

    pub(super) fn document(&self, stored: &StoredDocument) -> TantivyDocument {
        let (high, low) = stored.id.0.as_u64_pair();
        let mut document = TantivyDocument::with_capacity(stored.terms.len() + 256);
        document.add_text(self.terms, &stored.terms);
        document.add_bytes(self.id, stored.id.0.as_bytes());
        document.add_bytes(self.branch, &stored.scope[SCOPE_BYTES - 16..]);
        document.add_bytes(self.scope, &stored.scope);
        if let Some(language) = &stored.language {
            document.add_bytes(self.language, language.as_bytes());
        }
        document.add_u64(self.id_high, high);
        document.add_u64(self.id_low, low);
        document.add_i64(self.born, stored.born.0);
        document.add_i64(self.died, stored.died.0);
        document.add_u64(self.kind, stored.kind as u64);
        document.add_u64(self.class, stored.class as u64);
        document.add_u64(self.length, stored.length);
        document
    }
}
