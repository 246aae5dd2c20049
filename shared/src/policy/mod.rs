//! What may be indexed, and in which form: pure decisions about one file, no I/O.
//!
//! A file passes two gates. [`decide_by_path`] sees path, mode and size, so nothing is read that
//! need not be. [`decide_by_content`] sees the bytes and gives either the text that every later
//! stage works on (decoded, secrets masked) or the reason for the ledger. [`classify`] then says
//! what role the file plays; ranking demotes all roles but source.
//!
//! Tracked files are indexed whatever `.gitignore` says. A folder is skipped by its name alone only
//! where the name leaves no doubt (`node_modules`, `__pycache__`). Ambiguous names (`vendor`,
//! `build`, `dist`) are indexed and demoted: losing first-party code is worse than indexing a copy.

mod classify;
mod content;
mod decode;
mod names;
mod path;
mod reexport;
mod secrets;
mod shape;

pub use classify::classify;
pub use content::{DecodedText, decide_by_content, line_count};
pub use decode::TextEncoding;
pub use path::decide_by_path;
pub use secrets::mask_secrets;

use crate::domain::SkipReason;

/// Limits that one value decides for every stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyLimits {
    /// Largest file that is indexed, in bytes.
    pub max_bytes: u64,
    /// Largest file that is read at all, in bytes. Files between the two limits are read only so
    /// that the ledger can name the true reason (minified, binary), and are never indexed.
    pub max_read_bytes: u64,
    /// Most lines of an indexed file.
    pub max_lines: u32,
}

impl Default for PolicyLimits {
    fn default() -> Self {
        Self {
            // Hand-written source is hardly ever larger; generated tables and data are.
            max_bytes: 1024 * 1024,
            // Covers the usual bundle; a worker holds a few such files at most.
            max_read_bytes: 4 * 1024 * 1024,
            max_lines: 50_000,
        }
    }
}

/// Why a file is not indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    pub reason: SkipReason,
    /// What exactly was found, for people: a size, a folder, a limit. Never file content.
    pub detail: Option<String>,
}

impl Skip {
    pub(crate) fn new(reason: SkipReason, detail: impl Into<String>) -> Self {
        Self {
            reason,
            detail: Some(detail.into()),
        }
    }

    pub(crate) const fn bare(reason: SkipReason) -> Self {
        Self {
            reason,
            detail: None,
        }
    }
}
