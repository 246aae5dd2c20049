//! States of repositories, snapshots, index runs and jobs.

use super::chunk::named_enum;
use serde::{Deserialize, Serialize};

named_enum! {
    RepositoryState {
        Pending = "pending",
        Indexing = "indexing",
        Ready = "ready",
        Failed = "failed",
        Empty = "empty",
        /// Being removed from SQL and both engines.
        Deleting = "deleting",
    }
}

named_enum! {
    SnapshotState {
        Building = "building",
        Published = "published",
        /// Invisible, waiting for its rows to be removed.
        Failed = "failed",
        /// Rows are gone; only the record remains.
        Purged = "purged",
    }
}

named_enum! {
    RunState {
        Queued = "queued",
        Running = "running",
        Succeeded = "succeeded",
        Failed = "failed",
        Cancelled = "cancelled",
    }
}

impl RunState {
    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled)
    }
}

named_enum! {
    RunStage {
        Sync = "sync",
        Plan = "plan",
        Batch = "batch",
        Publish = "publish",
        Done = "done",
    }
}

named_enum! {
    RunTrigger {
        Added = "added",
        Manual = "manual",
        Schedule = "schedule",
        Webhook = "webhook",
    }
}

named_enum! {
    JobKind {
        /// Fetch the repository and resolve its tracked refs.
        Sync = "sync",
        /// Compare a commit with the live files and cut batches.
        Plan = "plan",
        /// Process one batch of changed files.
        Batch = "batch",
        /// Count and publish.
        Publish = "publish",
        /// Remove what no retained snapshot shows.
        Purge = "purge",
        /// Remove a repository and everything derived from it.
        DeleteRepository = "delete_repository",
        /// Remove a project once its repositories are gone.
        DeleteProject = "delete_project",
        /// Remove an organization once its projects are gone.
        DeleteOrganization = "delete_organization",
    }
}

named_enum! {
    JobState {
        Queued = "queued",
        Running = "running",
        Succeeded = "succeeded",
        /// Attempts are used up, or retrying cannot mend it; an operator sees it and may retry.
        Dead = "dead",
        Cancelled = "cancelled",
    }
}

named_enum! {
    /// Two queues, so that one tenant's import never starves another's push.
    QueueName {
        Push = "push",
        Bulk = "bulk",
    }
}
