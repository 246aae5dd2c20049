//! Traits for the systems that Quarry does not own. The contract stands on each method; one
//! contract suite per port (`shared/tests/it`) runs on every adapter and every decorator.

mod embedder;
mod error;
mod git_source;
mod job_queue;
mod lexical_index;
mod reranker;
mod vector_index;

pub use embedder::{Embedder, EmbeddingInput, EmbeddingModel, EmbeddingOutcome};
pub use error::PortError;
pub use git_source::{
    EntryMode, FetchRequest, GitBlob, GitBranch, GitCredential, GitSource, RemoteBranches,
    TreeEntry,
};
pub use job_queue::{JobQueue, JobTicket};
pub use lexical_index::{
    AnalyzedField, LexicalDocument, LexicalFields, LexicalHit, LexicalIndex, LexicalQuery,
    LexicalRecall, QueryTerm, TermFrequency, Token,
};
pub use reranker::Reranker;
pub use vector_index::{VectorHit, VectorIndex, VectorPoint};

use crate::domain::{
    BranchId, ChunkId, ChunkKind, FileClass, OrganizationId, ProjectId, RepositoryId, SnapshotId,
};

/// What every engine document carries besides its content: scope, validity and filterable fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentKey {
    pub id: ChunkId,
    pub organization_id: OrganizationId,
    pub project_id: ProjectId,
    pub repository_id: RepositoryId,
    pub branch_id: BranchId,
    pub born: SnapshotId,
    pub died: SnapshotId,
    /// Language name as in the ledger.
    pub language: Option<String>,
    pub kind: ChunkKind,
    pub class: FileClass,
}
