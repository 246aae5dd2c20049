//! Exact and symbol searches: questions and answers.

use serde::Serialize;

use crate::{
    domain::{ProjectId, RepositoryId, SnapshotId, SymbolKind},
    store::views::{SearchedBranch, ViewRequest},
};

/// A literal or regular expression search over file texts.
#[derive(Debug, Clone, Default)]
pub struct ExactQuery {
    pub pattern: String,
    pub regex: bool,
    pub case_sensitive: bool,
    pub whole_word: bool,
    pub view: ViewRequest,
    /// Language names as in the ledger; empty means any.
    pub languages: Vec<String>,
    /// A glob over repository paths.
    pub path: Option<String>,
    /// Matches wanted, 1 to 1,000; 0 means 200.
    pub limit: usize,
}

/// A matching line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineMatch {
    /// From 1: the line on which the match begins.
    pub line: u32,
    /// UTF-16 columns within the line, from 0, end excluded; a match that goes on beyond the line
    /// ends with it.
    pub start: u32,
    pub end: u32,
    /// The line, or the part of a long one around the match.
    pub text: String,
    /// UTF-16 column at which `text` begins in its line.
    pub text_offset: u32,
}

/// A file with its matches in line order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExactFile {
    pub project_id: ProjectId,
    pub repository_id: RepositoryId,
    pub repository_name: String,
    pub branch: String,
    pub commit: String,
    pub snapshot_id: SnapshotId,
    pub path: String,
    pub language: Option<String>,
    pub matches: Vec<LineMatch>,
}

/// Why an exact search ended before it had seen everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    ResultLimit,
    TimeLimit,
    /// More files could match than one search may read.
    FileLimit,
}

/// The answer to an [`ExactQuery`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExactOutcome {
    pub files: Vec<ExactFile>,
    pub matches: usize,
    /// Files whose text was read.
    pub files_considered: usize,
    /// Set when the search ended early; then more matches may exist.
    pub stop_reason: Option<StopReason>,
    pub searched: Vec<SearchedBranch>,
    pub took_milliseconds: f64,
}

/// A look-up of definitions.
#[derive(Debug, Clone, Default)]
pub struct SymbolQuery {
    /// A simple or qualified name; letter case does not matter.
    pub name: String,
    /// Whether `name` is only the beginning.
    pub prefix: bool,
    pub kind: Option<SymbolKind>,
    pub view: ViewRequest,
    /// 1 to 200; 0 means 50.
    pub limit: usize,
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SymbolHit {
    pub name: String,
    pub qualified_name: String,
    pub kind: SymbolKind,
    pub signature: String,
    pub repository_id: RepositoryId,
    pub repository_name: String,
    pub branch: String,
    pub commit: String,
    pub path: String,
    pub language: Option<String>,
    pub start_line: u32,
    pub end_line: u32,
}
