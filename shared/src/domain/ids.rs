//! Typed identifiers, so that a project can never be passed where a repository is meant.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! uuid_id {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new identifier, ordered by creation time (UUIDv7).
            #[must_use]
            pub fn generate() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::from_str(text).map(Self)
            }
        }

        impl From<Uuid> for $name {
            fn from(value: Uuid) -> Self {
                Self(value)
            }
        }

        impl From<$name> for Uuid {
            fn from(value: $name) -> Self {
                value.0
            }
        }
    )*};
}

macro_rules! integer_id {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }
    )*};
}

uuid_id! {
    /// One customer of the server: the outermost border of every query.
    OrganizationId,
    /// A group of repositories inside an organization; permissions are given per project.
    ProjectId,
    /// One Git repository that is indexed.
    RepositoryId,
    /// A tracked ref of a repository.
    BranchId,
    /// A person.
    UserId,
    /// A group of members of one organization that projects are shared with.
    TeamId,
    /// An offer to join an organization.
    InvitationId,
    /// One event of a Git host that came in.
    WebhookDeliveryId,
    /// A key that a program uses in a member's name.
    ApiTokenId,
    /// One rotating refresh token.
    SessionId,
    /// Where an organization's people may sign in.
    IdentityProviderId,
    /// A unit of queued work.
    JobId,
    /// One attempt to bring a branch's index to a commit.
    IndexRunId,
    /// A set of changed files of one index run that is processed together.
    BatchId,
    /// A chunk's row, its point in the vector engine and its document in the lexical engine. UUIDv5
    /// over (branch, path, symbol, span, content hash, born), so that a repeated batch writes the
    /// same rows.
    ChunkId,
}

integer_id! {
    /// A commit of a branch, made visible at a point in time. Increases over the whole database.
    SnapshotId,
    /// Content-addressed text of one organization.
    BlobId,
    /// A file of a branch, alive between `born` and `died`.
    FileId,
}

impl SnapshotId {
    /// `died` of everything that is alive: 2^53 − 1, since one engine compares numbers as doubles.
    pub const NEVER: Self = Self((1 << 53) - 1);
}
