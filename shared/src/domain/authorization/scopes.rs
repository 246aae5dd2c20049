//! Proofs that something is allowed. Stores take them; only [`super::Grants`] makes them.

use std::collections::BTreeSet;

use super::OrganizationRole;
use crate::domain::{OrganizationId, ProjectId, UserId};

/// What may be read: projects of one organization. An empty scope finds nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadScope {
    organization_id: OrganizationId,
    projects: BTreeSet<ProjectId>,
}

impl ReadScope {
    pub(super) const fn new(
        organization_id: OrganizationId,
        projects: BTreeSet<ProjectId>,
    ) -> Self {
        Self {
            organization_id,
            projects,
        }
    }

    /// The one project that a job works in. The job's row, not a person, is the reason for it.
    pub(crate) fn of_job(organization_id: OrganizationId, project_id: ProjectId) -> Self {
        Self::new(organization_id, BTreeSet::from([project_id]))
    }

    #[must_use]
    pub const fn organization_id(&self) -> OrganizationId {
        self.organization_id
    }

    /// The projects, in a stable order.
    #[must_use]
    pub const fn projects(&self) -> &BTreeSet<ProjectId> {
        &self.projects
    }

    #[must_use]
    pub fn allows(&self, project_id: ProjectId) -> bool {
        self.projects.contains(&project_id)
    }

    /// The part of this scope that lies in `projects`; never more than before.
    #[must_use]
    pub fn narrowed(&self, projects: &[ProjectId]) -> Self {
        let projects = projects
            .iter()
            .copied()
            .filter(|id| self.projects.contains(id))
            .collect();
        Self::new(self.organization_id, projects)
    }
}

/// What may be changed in projects, and by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteScope {
    reads: ReadScope,
    user_id: UserId,
}

impl WriteScope {
    pub(super) const fn new(reads: ReadScope, user_id: UserId) -> Self {
        Self { reads, user_id }
    }

    /// The same projects, to read.
    #[must_use]
    pub const fn read(&self) -> &ReadScope {
        &self.reads
    }

    #[must_use]
    pub const fn organization_id(&self) -> OrganizationId {
        self.reads.organization_id
    }

    #[must_use]
    pub fn allows(&self, project_id: ProjectId) -> bool {
        self.reads.allows(project_id)
    }

    #[must_use]
    pub const fn user_id(&self) -> UserId {
        self.user_id
    }
}

/// That a permission is held in an organization itself: to see or change its people and teams, or to
/// create projects in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrganizationScope {
    user_id: UserId,
    role: OrganizationRole,
    projects: ReadScope,
}

impl OrganizationScope {
    pub(super) const fn new(user_id: UserId, role: OrganizationRole, projects: ReadScope) -> Self {
        Self {
            user_id,
            role,
            projects,
        }
    }

    #[must_use]
    pub const fn organization_id(&self) -> OrganizationId {
        self.projects.organization_id
    }

    /// Who holds it.
    #[must_use]
    pub const fn user_id(&self) -> UserId {
        self.user_id
    }

    /// Their role, for rules among people ([`OrganizationRole::may_assign`]).
    #[must_use]
    pub const fn role(&self) -> OrganizationRole {
        self.role
    }

    /// The projects that exist for them.
    #[must_use]
    pub const fn projects(&self) -> &ReadScope {
        &self.projects
    }
}
