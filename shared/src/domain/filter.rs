//! The filter that every index applies inside itself, never afterwards.

use super::{BranchId, ChunkKind, OrganizationId, ProjectId, ReadScope, View};

/// Whether tests are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TestFilter {
    #[default]
    Include,
    Exclude,
    Only,
}

/// Scope, view and narrowing conditions of one search. Can only be built from a [`ReadScope`].
///
/// All conditions hold together; an empty list of `languages` or `kinds` means "any", while an
/// empty list of projects or branches means "nothing".
#[derive(Debug, Clone)]
pub struct IndexFilter {
    organization_id: OrganizationId,
    projects: Vec<ProjectId>,
    /// The branches that are searched. Always explicit.
    pub branches: Vec<BranchId>,
    /// Which snapshots are visible.
    pub view: View,
    /// Language names as in the ledger (`rust`, `python`).
    pub languages: Vec<String>,
    /// Chunk kinds.
    pub kinds: Vec<ChunkKind>,
    /// Whether test files are searched.
    pub tests: TestFilter,
}

impl IndexFilter {
    /// A filter over the given branches of the scope, with no further narrowing.
    #[must_use]
    pub fn new(scope: &ReadScope, branches: Vec<BranchId>, view: View) -> Self {
        Self {
            organization_id: scope.organization_id(),
            projects: scope.projects().iter().copied().collect(),
            branches,
            view,
            languages: Vec::new(),
            kinds: Vec::new(),
            tests: TestFilter::Include,
        }
    }

    #[must_use]
    pub const fn organization_id(&self) -> OrganizationId {
        self.organization_id
    }

    /// Sorted.
    #[must_use]
    pub fn projects(&self) -> &[ProjectId] {
        &self.projects
    }
}
