//! A recalled chunk on its way through the pipeline.

use std::sync::Arc;

use half::f16;
use uuid::Uuid;

use super::{
    outcome::{ChannelName, ExplanationStep},
    score::TermMatches,
};
use crate::{
    domain::{
        BranchId, ChunkId, ChunkKind, FileClass, LineSpan, ProjectId, RepositoryId, RepositoryPath,
    },
    store::candidates::CandidateRow,
};

/// What scoring needs of a chunk, decoded once and cached; immutable like the chunk.
#[derive(Debug)]
pub(crate) struct ChunkFacts {
    pub id: ChunkId,
    pub project_id: ProjectId,
    pub repository_id: RepositoryId,
    pub branch_id: BranchId,
    pub file_id: i64,
    pub blob_id: i64,
    pub public_id: Uuid,
    pub path: RepositoryPath,
    pub language: Option<String>,
    pub kind: ChunkKind,
    pub class: FileClass,
    pub symbol: Option<String>,
    pub symbol_kind: Option<String>,
    pub defines: Vec<String>,
    pub span: LineSpan,
    pub bytes: (usize, usize),
    pub terms: Vec<u8>,
    pub vector: Option<Vec<f16>>,
}

impl ChunkFacts {
    /// Bytes that the cache counts for it.
    pub(crate) fn weight(&self) -> u32 {
        let bytes = self.terms.len()
            + self.path.as_str().len()
            + 400
            + self.vector.as_ref().map_or(0, |vector| vector.len() * 2);
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }

    /// Cosine with a unit-length query.
    pub(crate) fn cosine(&self, query: &[f32]) -> Option<f32> {
        let vector = self
            .vector
            .as_ref()
            .filter(|vector| vector.len() == query.len())?;
        Some(vector.iter().zip(query).map(|(a, b)| a.to_f32() * b).sum())
    }
}

impl From<CandidateRow> for ChunkFacts {
    fn from(row: CandidateRow) -> Self {
        let line = |n: i64| u32::try_from(n).unwrap_or(1);
        let byte = |n: i64| usize::try_from(n).unwrap_or(0);
        Self {
            id: ChunkId(row.id),
            project_id: ProjectId(row.project_id),
            repository_id: RepositoryId(row.repository_id),
            branch_id: BranchId(row.branch_id),
            file_id: row.file_id,
            blob_id: row.blob_id,
            public_id: row.public_id,
            path: RepositoryPath::from_text(row.path),
            language: row.language,
            kind: ChunkKind::parse(&row.kind).unwrap_or(ChunkKind::Window),
            class: FileClass::parse(&row.class).unwrap_or(FileClass::Source),
            symbol: row.symbol,
            symbol_kind: row.symbol_kind,
            defines: row.defines.lines().map(str::to_owned).collect(),
            span: LineSpan {
                start: line(row.start_line),
                end: line(row.end_line),
            },
            bytes: (byte(row.start_byte), byte(row.end_byte)),
            terms: row.terms,
            vector: row.vector.map(|bytes| {
                bytes
                    .chunks_exact(2)
                    .map(|pair| f16::from_le_bytes([pair[0], pair[1]]))
                    .collect()
            }),
        }
    }
}

/// Rank of a chunk in each channel that recalled it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ranks {
    pub lexical: Option<usize>,
    pub dense: Option<usize>,
    pub symbol: Option<usize>,
    pub path: Option<usize>,
    pub exact: Option<usize>,
}

impl Ranks {
    pub(crate) fn set(&mut self, channel: ChannelName, rank: usize) {
        let place = match channel {
            ChannelName::Lexical => &mut self.lexical,
            ChannelName::Dense => &mut self.dense,
            ChannelName::Symbol => &mut self.symbol,
            ChannelName::Path => &mut self.path,
            ChannelName::Exact => &mut self.exact,
        };
        if place.is_none() {
            *place = Some(rank);
        }
    }
}

/// A chunk being ranked.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub facts: Arc<ChunkFacts>,
    pub ranks: Ranks,
    pub matches: TermMatches,
    /// BM25F as computed.
    pub lexical: f32,
    /// Cosine as computed, when there is a vector.
    pub cosine: Option<f32>,
    /// Share of the question's weight that occurs here.
    pub coverage: f32,
    pub score: f32,
    /// Kept only when an explanation was asked for.
    pub steps: Option<Vec<ExplanationStep>>,
}

impl Candidate {
    /// Adds to the score and notes why.
    pub(crate) fn add(&mut self, name: &'static str, value: f32, detail: impl FnOnce() -> String) {
        if value != 0.0 {
            self.score += value;
            self.note(name, value, detail);
        }
    }

    /// Multiplies the score and notes why.
    pub(crate) fn scale(
        &mut self,
        name: &'static str,
        factor: f32,
        detail: impl FnOnce() -> String,
    ) {
        if (factor - 1.0).abs() > f32::EPSILON {
            self.score *= factor;
            self.note(name, factor, detail);
        }
    }

    fn note(&mut self, name: &'static str, value: f32, detail: impl FnOnce() -> String) {
        if let Some(steps) = &mut self.steps {
            steps.push(ExplanationStep {
                name,
                value,
                detail: detail(),
            });
        }
    }
}
