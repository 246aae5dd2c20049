//! Contract suites of the engine ports, so that every adapter passes the very same tests.
//!
//! Compiled only for tests and with the feature `testing`, which no shipped program enables. A
//! suite is a list of async functions over `&dyn VectorIndex` or `&dyn LexicalIndex`; the macros
//! [`vector_contract_tests`](crate::vector_contract_tests) and
//! [`lexical_contract_tests`](crate::lexical_contract_tests) turn it into tests. Every function
//! makes its own tenants, so one engine may serve a whole suite. Scopes are made here because
//! only the authorization room and its tests may make them.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

pub mod lexical_contract;
pub mod vector_contract;

use uuid::Uuid;

use crate::{
    domain::{
        BranchId, ChunkId, ChunkKind, FileClass, Grants, IndexFilter, OrganizationId,
        OrganizationRole, Permission, ProjectGrant, ProjectId, ProjectRole, ReadScope,
        RepositoryId, SnapshotId, UserId, View,
    },
    ports::DocumentKey,
};

/// One project with one branch in an organization of its own.
#[derive(Debug, Clone, Copy)]
pub struct Tenant {
    pub organization_id: OrganizationId,
    pub project_id: ProjectId,
    pub repository_id: RepositoryId,
    pub branch_id: BranchId,
}

impl Tenant {
    #[must_use]
    pub fn new() -> Self {
        Self {
            organization_id: OrganizationId::generate(),
            project_id: ProjectId::generate(),
            repository_id: RepositoryId::generate(),
            branch_id: BranchId::generate(),
        }
    }

    /// The same project with another branch.
    #[must_use]
    pub fn other_branch(self) -> Self {
        Self {
            branch_id: BranchId::generate(),
            ..self
        }
    }

    /// The same organization with another project and branch.
    #[must_use]
    pub fn other_project(self) -> Self {
        Self {
            project_id: ProjectId::generate(),
            ..self.other_branch()
        }
    }

    /// What a member of the project may read.
    #[must_use]
    pub fn scope(&self) -> ReadScope {
        read_scope(self.organization_id, &[self.project_id])
    }

    /// Everything alive on the branch.
    #[must_use]
    pub fn filter(&self) -> IndexFilter {
        IndexFilter::new(&self.scope(), vec![self.branch_id], view(1_000, &[]))
    }

    /// A living function in a source file.
    #[must_use]
    pub fn key(&self) -> DocumentKey {
        DocumentKey {
            id: ChunkId(Uuid::new_v4()),
            organization_id: self.organization_id,
            project_id: self.project_id,
            repository_id: self.repository_id,
            branch_id: self.branch_id,
            born: SnapshotId(1),
            died: SnapshotId::NEVER,
            language: Some("rust".to_owned()),
            kind: ChunkKind::Function,
            class: FileClass::Source,
        }
    }
}

impl Default for Tenant {
    fn default() -> Self {
        Self::new()
    }
}

/// A scope over projects of one organization.
#[must_use]
pub fn read_scope(organization_id: OrganizationId, projects: &[ProjectId]) -> ReadScope {
    let grants = projects.iter().map(|project_id| ProjectGrant {
        project_id: *project_id,
        role: ProjectRole::Reader,
    });
    Grants::from_rows(
        UserId::generate(),
        organization_id,
        OrganizationRole::Member,
        grants,
    )
    .read_scope(Permission::ReadProject)
}

/// A view up to `horizon` without the given snapshots.
#[must_use]
pub fn view(horizon: i64, unpublished: &[i64]) -> View {
    View {
        horizon: SnapshotId(horizon),
        unpublished: unpublished.iter().copied().map(SnapshotId).collect(),
    }
}

/// Narrowings of a tenant's filter, each with the keys of a set of rows that it must select. The
/// rows are the same for both ports: `(key, name)`.
#[must_use]
pub fn narrowing_cases(tenant: &Tenant) -> (Vec<DocumentKey>, Vec<(IndexFilter, Vec<usize>)>) {
    use crate::domain::TestFilter;
    let key = |language: Option<&str>, kind, class| DocumentKey {
        language: language.map(str::to_owned),
        kind,
        class,
        ..tenant.key()
    };
    let keys = vec![
        key(Some("rust"), ChunkKind::Function, FileClass::Source),
        key(Some("rust"), ChunkKind::Type, FileClass::Test),
        key(Some("c\"#'\\ +"), ChunkKind::Function, FileClass::Test),
        key(None, ChunkKind::Window, FileClass::Support),
    ];
    let mut cases = Vec::new();
    let mut case = |change: &dyn Fn(&mut IndexFilter), rows: &[usize]| {
        let mut filter = tenant.filter();
        change(&mut filter);
        cases.push((filter, rows.to_vec()));
    };
    case(&|_| (), &[0, 1, 2, 3]);
    case(
        &|filter| filter.languages = vec!["rust".to_owned()],
        &[0, 1],
    );
    case(
        &|filter| filter.languages = vec!["c\"#'\\ +".to_owned(), "none".to_owned()],
        &[2],
    );
    case(&|filter| filter.languages = vec![String::new()], &[]);
    case(&|filter| filter.kinds = vec![ChunkKind::Function], &[0, 2]);
    case(
        &|filter| filter.kinds = vec![ChunkKind::Type, ChunkKind::Window],
        &[1, 3],
    );
    case(&|filter| filter.tests = TestFilter::Only, &[1, 2]);
    case(&|filter| filter.tests = TestFilter::Exclude, &[0, 3]);
    case(
        &|filter| {
            filter.tests = TestFilter::Only;
            filter.languages = vec!["rust".to_owned()];
            filter.kinds = vec![ChunkKind::Function];
        },
        &[],
    );
    (keys, cases)
}

/// Bounds of validity with the views in which they show, for both ports.
#[must_use]
pub fn view_cases() -> Vec<(i64, i64, View, bool)> {
    let never = SnapshotId::NEVER.0;
    vec![
        (3, never, view(10, &[]), true),
        (3, 5, view(10, &[]), false),
        (3, 5, view(4, &[]), true),
        (3, 5, view(5, &[]), false),
        (8, never, view(10, &[8]), false),
        (3, 8, view(10, &[8]), true),
        (11, never, view(10, &[]), false),
        (10, never, view(10, &[]), true),
        (3, 11, view(10, &[]), true),
        (never - 2, never - 1, view(never - 2, &[]), true),
    ]
}
