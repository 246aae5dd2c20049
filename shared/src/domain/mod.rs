//! Plain types that every room shares: no I/O, no async, no engine, no database.
//!
//! Names follow the glossary of `docs/ARCHITECTURE.md`. Read `authorization` for who may see what,
//! `view` for how snapshots become visible, `chunk` for what is indexed.

mod audit;
mod authorization;
mod chunk;
mod error;
mod filter;
mod ids;
mod ledger;
mod path;
mod redaction;
mod run;
mod source;
mod view;

pub(crate) use audit::shortened;
pub use audit::{ActorKind, AuditEvent, AuditOrigin, AuditOutcome, CredentialKind};
pub use authorization::{
    Grants, OrganizationRole, OrganizationScope, Permission, ProjectGrant, ProjectRole, ReadScope,
    Requirement, TokenScope, Visibility, WriteScope, documentation as permissions_documentation,
};
pub use chunk::{ChunkKind, FileClass, LineSpan, SymbolKind};
pub use error::{ErrorKind, Kinded, Problem};
pub use filter::{IndexFilter, TestFilter};
pub use ids::{
    ApiTokenId, BatchId, BlobId, BranchId, ChunkId, FileId, IdentityProviderId, IndexRunId,
    InvitationId, JobId, OrganizationId, ProjectId, RepositoryId, SessionId, SnapshotId, TeamId,
    UserId, WebhookDeliveryId,
};
pub use ledger::{FileStatus, SkipReason};
pub use path::RepositoryPath;
pub use redaction::redact;
pub use run::{
    JobKind, JobState, QueueName, RepositoryState, RunStage, RunState, RunTrigger, SnapshotState,
};
pub use source::{RepositorySource, SourceKind};
pub use view::View;
