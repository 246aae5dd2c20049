//! The ledger: every file of a commit is either indexed or skipped with a reason.

use super::chunk::named_enum;
use serde::{Deserialize, Serialize};

named_enum! {
    FileStatus {
        /// Planned, not yet processed. Never part of a published snapshot.
        Pending = "pending",
        Indexed = "indexed",
        Skipped = "skipped",
    }
}

named_enum! {
    /// Why a file is not indexed.
    SkipReason {
        /// Inside a folder of dependencies (`node_modules`, `vendor`).
        Dependency = "dependency",
        /// Inside a folder of build output, or a build product.
        BuildOutput = "build_output",
        /// Binary by content or by a well-known extension.
        Binary = "binary",
        Minified = "minified",
        /// Over the size limit.
        TooLarge = "too_large",
        /// Too many lines.
        TooManyLines = "too_many_lines",
        /// A name that holds secrets by convention, or a private key inside.
        Secret = "secret",
        /// Not UTF-8, and no byte order mark that says what else.
        Encoding = "encoding",
        Symlink = "symlink",
        /// A submodule entry.
        Submodule = "submodule",
        /// A Git LFS pointer.
        LfsPointer = "lfs_pointer",
        /// A lock file of a package manager.
        LockFile = "lock_file",
        /// No bytes, or nothing but white space.
        Empty = "empty",
        /// The object could not be read from the mirror.
        Unreadable = "unreadable",
        /// Processing ran into a limit of time or size.
        LimitReached = "limit_reached",
    }
}
