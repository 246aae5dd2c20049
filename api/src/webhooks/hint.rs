//! From what an event is about to what is looked at.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Longest name of a branch that a run may have.
const MAX_BRANCH_BYTES: usize = 255;

/// Why a delivery was acted upon or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = WebhookReason)]
pub enum Reason {
    /// A tracked branch was pushed, made or moved.
    Push,
    /// The default branch is gone; the next one is looked for.
    DefaultBranchDeleted,
    /// Another branch is the default one, or none was known.
    DefaultBranchChanged,
    /// The repository was renamed, made public or private, moved or deleted at its host.
    RepositoryChanged,
    /// A pipeline asked for it.
    Requested,
    /// The commit was searchable before.
    AlreadySearchable,
    /// The host tried the connection.
    Ping,
    /// An event that says nothing about branches.
    UnknownEvent,
    Tag,
    /// Neither a branch nor a tag.
    OtherRef,
    BranchNotTracked,
    /// A branch other than the default one is gone; what was indexed of it stays.
    BranchDeleted,
    /// The same delivery has led to work before.
    DuplicateDelivery,
    /// Authentic, but not as this host's events are.
    UnreadablePayload,
}

impl Reason {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Push => "push",
            Self::DefaultBranchDeleted => "default_branch_deleted",
            Self::DefaultBranchChanged => "default_branch_changed",
            Self::RepositoryChanged => "repository_changed",
            Self::Requested => "requested",
            Self::AlreadySearchable => "already_searchable",
            Self::Ping => "ping",
            Self::UnknownEvent => "unknown_event",
            Self::Tag => "tag",
            Self::OtherRef => "other_ref",
            Self::BranchNotTracked => "branch_not_tracked",
            Self::BranchDeleted => "branch_deleted",
            Self::DuplicateDelivery => "duplicate_delivery",
            Self::UnreadablePayload => "unreadable_payload",
        }
    }
}

/// A branch that was pushed, made or deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefChange {
    pub branch: String,
    pub is_deleted: bool,
}

/// What an event is about. Stored with the delivery, so that it can be acted upon again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum Hint {
    Refs {
        changes: Vec<RefChange>,
        /// As the host names it in the event.
        default_branch: Option<String>,
    },
    /// The repository itself, or more branches than are told apart.
    Repository,
    /// A pipeline's branch, or the tracked ones.
    Branch {
        branch: Option<String>,
    },
    Nothing {
        reason: Reason,
    },
}

impl Hint {
    #[must_use]
    pub const fn nothing(reason: Reason) -> Self {
        Self::Nothing { reason }
    }
}

/// What is known of a repository's branches.
#[derive(Debug, Clone, Default)]
pub struct Known {
    pub default_branch: Option<String>,
    /// Empty means the default branch.
    pub tracked: Vec<String>,
    /// Branches that have been indexed, for whatever reason.
    pub indexed: BTreeSet<String>,
}

impl Known {
    fn is_default(&self, branch: &str) -> bool {
        self.default_branch.as_deref() == Some(branch)
    }

    fn is_tracked(&self, branch: &str) -> bool {
        let is_listed = if self.tracked.is_empty() {
            self.is_default(branch)
        } else {
            self.tracked.iter().any(|tracked| tracked == branch)
        };
        (is_listed || self.indexed.contains(branch)) && branch.len() <= MAX_BRANCH_BYTES
    }
}

/// What follows from an event: the branches to bring up to date (`None`: the tracked ones), or
/// nothing, and why.
#[derive(Debug, PartialEq, Eq)]
pub struct Decision {
    pub branches: Vec<Option<String>>,
    pub reason: Reason,
}

/// Decides about an event.
#[must_use]
pub fn decide(hint: &Hint, known: &Known) -> Decision {
    let one = |branch, reason| Decision {
        branches: vec![branch],
        reason,
    };
    let (changes, default_branch) = match hint {
        Hint::Nothing { reason } => {
            return Decision {
                branches: Vec::new(),
                reason: *reason,
            };
        }
        Hint::Repository => return one(None, Reason::RepositoryChanged),
        Hint::Branch { branch } => return one(branch.clone(), Reason::Requested),
        Hint::Refs {
            changes,
            default_branch,
        } => (changes, default_branch),
    };
    let follows_default = known.tracked.is_empty();
    let is_moved = default_branch.is_some() && *default_branch != known.default_branch;
    if follows_default && (is_moved || known.default_branch.is_none()) {
        return one(None, Reason::DefaultBranchChanged);
    }
    let is_default_gone =
        |change: &RefChange| change.is_deleted && known.is_default(&change.branch);
    if changes.iter().any(is_default_gone) {
        return one(None, Reason::DefaultBranchDeleted);
    }
    let pushed: BTreeSet<&str> = changes
        .iter()
        .filter(|change| !change.is_deleted && known.is_tracked(&change.branch))
        .map(|change| change.branch.as_str())
        .collect();
    let reason = match (
        pushed.is_empty(),
        changes.iter().any(|change| change.is_deleted),
    ) {
        (false, _) => Reason::Push,
        (true, true) => Reason::BranchDeleted,
        (true, false) => Reason::BranchNotTracked,
    };
    Decision {
        branches: pushed
            .into_iter()
            .map(|name| Some(name.to_owned()))
            .collect(),
        reason,
    }
}
