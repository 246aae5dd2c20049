//! What is in a file: chunks with their words, definitions, imports. Pure and deterministic, so that
//! a repeated batch and a rebuilt engine hold the same.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    analysis::{TermVector, analyze, analyze_path},
    domain::{
        BranchId, ChunkId, FileClass, FileStatus, LineSpan, RepositoryId, RepositoryPath,
        SkipReason, SnapshotId,
    },
    languages::{self, ChunkDraft, ParseInput, ParseLimits, ParsedFile},
    ports::{DocumentKey, EmbeddingInput, LexicalDocument, LexicalFields},
    store::{
        branches::BranchScope,
        chunks::NewChunk,
        embeddings::TextHash,
        entities::file,
        files::ProcessedFile,
        symbols::{NewImport, NewSymbol},
    },
};

/// A processed file.
pub(super) struct FileContent {
    pub file: ProcessedFile,
    pub chunks: Vec<ChunkContent>,
    pub symbols: Vec<NewSymbol>,
    pub imports: Vec<NewImport>,
}

/// A chunk as SQL, the embedder and the lexical engine want it.
pub(super) struct ChunkContent {
    pub row: NewChunk,
    pub fields: LexicalFields,
    pub input: EmbeddingInput,
    pub hash: TextHash,
}

impl ChunkContent {
    /// The key of its engine documents.
    pub fn key(&self, scope: &BranchScope, born: SnapshotId, died: SnapshotId) -> DocumentKey {
        DocumentKey {
            id: self.row.id,
            organization_id: scope.organization_id,
            project_id: scope.project_id,
            repository_id: scope.repository_id,
            branch_id: scope.branch_id,
            born,
            died,
            language: self.row.language.clone(),
            kind: self.row.kind,
            class: self.row.class,
        }
    }

    pub fn document(self, key: DocumentKey) -> LexicalDocument {
        LexicalDocument {
            key,
            fields: self.fields,
        }
    }
}

/// How a file is taken apart; tests put a faulty one in its place.
pub(super) type Parse = fn(&ParseInput<'_>, &ParseLimits) -> ParsedFile;

/// Takes a file apart. A parser that panics costs this file its syntax, at worst its index, and its
/// neighbours nothing.
pub(super) fn process(
    file: &file::Model,
    scope: &BranchScope,
    text: &str,
    parse: Parse,
) -> FileContent {
    let path = RepositoryPath::from_text(file.path.clone());
    let language = languages::detect(&path, text);
    let limits = ParseLimits::default();
    let attempt = |language| {
        let input = ParseInput {
            path: &path,
            text,
            language,
        };
        catch_unwind(AssertUnwindSafe(|| parse(&input, &limits))).ok()
    };
    if let Some(parsed) = attempt(language) {
        return assemble(file, scope, text, parsed, None);
    }
    tracing::error!(file = file.id, "parsing a file panicked");
    let plain = languages::detect(&RepositoryPath::from_text("plain.txt"), text);
    match attempt(plain) {
        Some(parsed) => {
            let detail = "the grammar failed; cut into line windows".to_owned();
            assemble(file, scope, text, parsed, Some(detail))
        }
        None => unreadable(file),
    }
}

fn unreadable(file: &file::Model) -> FileContent {
    FileContent {
        file: ProcessedFile {
            id: file.id,
            status: FileStatus::Skipped,
            reason: Some(SkipReason::LimitReached),
            detail: Some("the file could not be parsed".to_owned()),
            language: None,
            chunks: 0,
        },
        chunks: Vec::new(),
        symbols: Vec::new(),
        imports: Vec::new(),
    }
}

fn assemble(
    file: &file::Model,
    scope: &BranchScope,
    text: &str,
    parsed: ParsedFile,
    detail: Option<String>,
) -> FileContent {
    let language = Some(parsed.language.to_owned());
    let class = FileClass::parse(&file.class).unwrap_or(FileClass::Source);
    let context = Context {
        file,
        scope,
        text,
        language: language.clone(),
        class,
        path_tokens: analyze_path(&file.path),
    };
    let chunks: Vec<ChunkContent> = parsed
        .chunks
        .into_iter()
        .map(|draft| context.chunk(draft))
        .collect();
    let symbols = parsed
        .symbols
        .into_iter()
        .map(|symbol| NewSymbol {
            file_id: file.id,
            chunk_id: holder(&chunks, symbol.name_line),
            path: file.path.clone(),
            language: language.clone(),
            class,
            name: symbol.name,
            qualified_name: symbol.qualified_name,
            kind: symbol.kind,
            signature: symbol.signature,
            span: symbol.span,
        })
        .collect();
    let imports = parsed
        .imports
        .into_iter()
        .map(|import| NewImport {
            file_id: file.id,
            source: import.source,
            line: import.line,
        })
        .collect();
    FileContent {
        file: ProcessedFile {
            id: file.id,
            status: FileStatus::Indexed,
            reason: None,
            detail: detail.or(parsed.degraded),
            language,
            chunks: i64::try_from(chunks.len()).unwrap_or(i64::MAX),
        },
        chunks,
        symbols,
        imports,
    }
}

/// The chunk whose lines hold the line; chunks are in file order.
fn holder(chunks: &[ChunkContent], line: u32) -> Option<ChunkId> {
    let at = chunks.partition_point(|chunk| chunk.row.span.end < line);
    let chunk = chunks.get(at)?;
    chunk
        .row
        .span
        .contains(LineSpan {
            start: line,
            end: line,
        })
        .then_some(chunk.row.id)
}

struct Context<'a> {
    file: &'a file::Model,
    scope: &'a BranchScope,
    text: &'a str,
    language: Option<String>,
    class: FileClass,
    path_tokens: Vec<crate::ports::Token>,
}

impl Context<'_> {
    fn chunk(&self, draft: ChunkDraft) -> ChunkContent {
        let path = &self.file.path;
        let body = self
            .text
            .get(draft.start_byte..draft.end_byte)
            .unwrap_or_default();
        let content = Sha256::digest(body.as_bytes());
        let header = match &draft.symbol {
            Some(symbol) => format!("{path} > {symbol}"),
            None => path.clone(),
        };
        let fields = self.fields(&draft, body);
        let born = SnapshotId(self.file.born);
        let row = NewChunk {
            id: chunk_id(self.scope.branch_id, path, &draft, &content, born),
            file_id: self.file.id,
            blob_id: self.file.blob_id.unwrap_or_default(),
            public_id: public_id(self.scope.repository_id, path, &draft, &content),
            path: path.clone(),
            language: self.language.clone(),
            kind: draft.kind,
            class: self.class,
            symbol: draft.symbol,
            symbol_kind: draft.symbol_kind,
            defines: draft.defines,
            span: draft.span,
            start_byte: i64::try_from(draft.start_byte).unwrap_or(i64::MAX),
            end_byte: i64::try_from(draft.end_byte).unwrap_or(i64::MAX),
            embedding_id: None,
            terms: TermVector::build(&fields).encode(),
        };
        let hash = text_hash(&header, body);
        ChunkContent {
            row,
            fields,
            input: EmbeddingInput {
                header,
                body: body.to_owned(),
            },
            hash,
        }
    }

    fn fields(&self, draft: &ChunkDraft, body: &str) -> LexicalFields {
        let names = draft.defines.iter().chain(&draft.symbol);
        LexicalFields {
            path: self.path_tokens.clone(),
            symbols: names.flat_map(|name| analyze(name)).collect(),
            signatures: draft
                .signatures
                .iter()
                .flat_map(|text| analyze(text))
                .collect(),
            comments: analyze(&draft.comments),
            body: analyze(body),
        }
    }
}

/// SHA-256 over header, a zero byte and body: what the embedding cache goes by.
fn text_hash(header: &str, body: &str) -> TextHash {
    let mut hash = Sha256::new();
    hash.update(header.as_bytes());
    hash.update([0]);
    hash.update(body.as_bytes());
    hash.finalize().into()
}

/// The same for the same content at the same place of the same snapshot.
fn chunk_id(
    branch: BranchId,
    path: &str,
    draft: &ChunkDraft,
    content: &[u8],
    born: SnapshotId,
) -> ChunkId {
    let mut name = Vec::with_capacity(path.len() + 96);
    name.extend(path.as_bytes());
    name.push(0);
    name.extend(draft.symbol.as_deref().unwrap_or_default().as_bytes());
    name.push(0);
    // Lines alone do not tell the pieces of one long line apart.
    name.extend((draft.start_byte as u64).to_le_bytes());
    name.extend((draft.end_byte as u64).to_le_bytes());
    name.extend(content);
    name.extend(born.0.to_le_bytes());
    ChunkId(Uuid::new_v5(&branch.0, &name))
}

/// The same as long as the code is unchanged, on every branch of the repository.
fn public_id(repository: RepositoryId, path: &str, draft: &ChunkDraft, content: &[u8]) -> Uuid {
    let mut name = Vec::with_capacity(path.len() + 64);
    name.extend(path.as_bytes());
    name.push(0);
    name.extend(draft.symbol.as_deref().unwrap_or_default().as_bytes());
    name.push(0);
    name.extend(draft.span.start.to_le_bytes());
    name.extend(content);
    Uuid::new_v5(&repository.0, &name)
}

impl ChunkContent {
    /// A stored chunk with what can be said of it from its row and its file's text alone: signatures
    /// and comments stay inside the body's words.
    pub fn from_row(
        row: &crate::store::entities::chunk::Model,
        text: &str,
    ) -> Result<Self, crate::store::StoreError> {
        let at = |byte: i64| usize::try_from(byte).unwrap_or(usize::MAX);
        let body = text
            .get(at(row.start_byte)..at(row.end_byte))
            .unwrap_or_default();
        let line = |line: i64| u32::try_from(line).unwrap_or(u32::MAX);
        let corrupt = crate::store::StoreError::Corrupt;
        let defines: Vec<String> = row.defines.lines().map(str::to_owned).collect();
        let names = defines.iter().chain(&row.symbol);
        let fields = LexicalFields {
            path: analyze_path(&row.path),
            symbols: names.flat_map(|name| analyze(name)).collect(),
            signatures: Vec::new(),
            comments: Vec::new(),
            body: analyze(body),
        };
        let header = match &row.symbol {
            Some(symbol) => format!("{} > {symbol}", row.path),
            None => row.path.clone(),
        };
        Ok(Self {
            hash: text_hash(&header, body),
            input: EmbeddingInput {
                header,
                body: body.to_owned(),
            },
            fields,
            row: NewChunk {
                id: ChunkId(row.id),
                file_id: row.file_id,
                blob_id: row.blob_id,
                public_id: row.public_id,
                path: row.path.clone(),
                language: row.language.clone(),
                kind: crate::domain::ChunkKind::parse(&row.kind).ok_or(corrupt("chunk kind"))?,
                class: FileClass::parse(&row.class).ok_or(corrupt("file class"))?,
                symbol: row.symbol.clone(),
                symbol_kind: None,
                defines,
                span: LineSpan {
                    start: line(row.start_line),
                    end: line(row.end_line),
                },
                start_byte: row.start_byte,
                end_byte: row.end_byte,
                embedding_id: row.embedding_id,
                terms: row.terms.clone(),
            },
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::{OrganizationId, ProjectId};

    const TEXT: &str = "def one():\n    return 1\n\n\ndef two():\n    return 2\n";

    fn file() -> file::Model {
        let id = Uuid::nil();
        file::Model {
            id: 7,
            organization_id: id,
            project_id: id,
            repository_id: id,
            branch_id: id,
            path: "src/numbers.py".to_owned(),
            oid: String::new(),
            blob_id: Some(3),
            status: "pending".to_owned(),
            reason: None,
            detail: None,
            language: None,
            class: "source".to_owned(),
            bytes: 0,
            lines: None,
            chunks: 0,
            batch: Some(1),
            born: 5,
            died: SnapshotId::NEVER.0,
        }
    }

    fn scope() -> BranchScope {
        BranchScope {
            organization_id: OrganizationId(Uuid::nil()),
            project_id: ProjectId(Uuid::nil()),
            repository_id: RepositoryId(Uuid::nil()),
            branch_id: BranchId(Uuid::nil()),
        }
    }

    fn panics_on_grammars(input: &ParseInput<'_>, limits: &ParseLimits) -> ParsedFile {
        assert!(input.path.as_str().is_empty() || input.language.name() != "python");
        languages::parse(input, limits)
    }

    fn panics_always(_: &ParseInput<'_>, _: &ParseLimits) -> ParsedFile {
        std::panic::panic_any("on purpose")
    }

    #[test]
    fn a_grammar_that_panics_costs_the_file_its_syntax() {
        let good = process(&file(), &scope(), TEXT, languages::parse);
        assert_eq!(good.symbols.len(), 2);
        let fallback = process(&file(), &scope(), TEXT, panics_on_grammars);
        assert_eq!(fallback.file.status, FileStatus::Indexed);
        assert!(fallback.file.detail.unwrap().contains("the grammar failed"));
        assert!(fallback.symbols.is_empty());
        let covered: usize = fallback
            .chunks
            .iter()
            .map(|chunk| chunk.input.body.len())
            .sum();
        assert_eq!(covered, TEXT.len());
    }

    #[test]
    fn a_file_that_cannot_be_parsed_at_all_is_a_ledger_reason() {
        let content = process(&file(), &scope(), TEXT, panics_always);
        assert_eq!(content.file.status, FileStatus::Skipped);
        assert_eq!(content.file.reason, Some(SkipReason::LimitReached));
        assert!(content.chunks.is_empty());
    }

    #[test]
    fn ids_repeat_and_tell_snapshots_apart_while_public_ids_do_not() {
        let ids = |file: &file::Model| -> Vec<(ChunkId, Uuid)> {
            let content = process(file, &scope(), TEXT, languages::parse);
            let chunks = content.chunks.iter();
            chunks
                .map(|chunk| (chunk.row.id, chunk.row.public_id))
                .collect()
        };
        let first = ids(&file());
        assert_eq!(first, ids(&file()));
        let later = ids(&file::Model { born: 6, ..file() });
        for (one, other) in first.iter().zip(&later) {
            assert_ne!(one.0, other.0);
            assert_eq!(one.1, other.1);
        }
    }

    #[test]
    fn a_symbol_points_at_the_chunk_that_holds_it() {
        let content = process(&file(), &scope(), TEXT, languages::parse);
        for symbol in &content.symbols {
            let chunk = content
                .chunks
                .iter()
                .find(|chunk| Some(chunk.row.id) == symbol.chunk_id)
                .unwrap();
            assert!(chunk.input.body.contains(&format!("def {}", symbol.name)));
        }
    }
}
