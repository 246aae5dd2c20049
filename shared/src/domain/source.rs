//! Where a repository comes from.

use super::chunk::named_enum;
use serde::{Deserialize, Serialize};

named_enum! {
    SourceKind {
        Git = "git",
        Local = "local",
    }
}

/// A repository's origin, without credentials.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RepositorySource {
    /// A remote over `https`, `ssh` or (allow-listed) `http`.
    Git { url: String },
    /// A Git directory on this machine, under an allow-listed root.
    Local { path: String },
}
