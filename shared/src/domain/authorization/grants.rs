//! Facts about one person in one organization, and what follows from them.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    OrganizationRole, OrganizationScope, Permission, ProjectRole, ReadScope, Requirement,
    WriteScope,
};
use crate::domain::{OrganizationId, ProjectId, UserId};

/// A project of the organization that the person reaches, with the role that one reason gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProjectGrant {
    pub project_id: ProjectId,
    pub role: ProjectRole,
}

/// Facts about one person in one organization. Only the store can make them (from its rows).
#[derive(Debug, Clone)]
pub struct Grants {
    user_id: UserId,
    organization_id: OrganizationId,
    role: OrganizationRole,
    projects: BTreeMap<ProjectId, ProjectRole>,
    /// What the credential leaves over; `None` leaves everything.
    permissions: Option<BTreeSet<Permission>>,
    /// Whether the credential is good for some projects alone.
    is_restricted_to_projects: bool,
}

impl Grants {
    /// The highest role counts where a project is granted for several reasons.
    pub(crate) fn from_rows(
        user_id: UserId,
        organization_id: OrganizationId,
        role: OrganizationRole,
        granted: impl IntoIterator<Item = ProjectGrant>,
    ) -> Self {
        let mut projects = BTreeMap::new();
        for grant in granted {
            let held = projects.entry(grant.project_id).or_insert(grant.role);
            *held = grant.role.max(*held);
        }
        Self {
            user_id,
            organization_id,
            role,
            projects,
            permissions: None,
            is_restricted_to_projects: false,
        }
    }

    /// What a credential leaves of these grants: `permissions` alone, in `projects` alone when there
    /// is such a restriction. Never more than before. A credential that is restricted to projects
    /// holds nothing in the organization itself, except to see it.
    #[must_use]
    pub fn limited(
        mut self,
        permissions: &BTreeSet<Permission>,
        projects: Option<&BTreeSet<ProjectId>>,
    ) -> Self {
        let left = match self.permissions {
            Some(held) => held.intersection(permissions).copied().collect(),
            None => permissions.clone(),
        };
        self.permissions = Some(left);
        if let Some(projects) = projects {
            self.projects.retain(|id, _| projects.contains(id));
            self.is_restricted_to_projects = true;
        }
        self
    }

    /// Whose grants these are.
    #[must_use]
    pub const fn user_id(&self) -> UserId {
        self.user_id
    }

    /// The organization they hold in.
    #[must_use]
    pub const fn organization_id(&self) -> OrganizationId {
        self.organization_id
    }

    /// The role in the organization itself, whatever the credential.
    #[must_use]
    pub const fn role(&self) -> OrganizationRole {
        self.role
    }

    /// The effective role in a project; `None` when it does not exist for this person or credential.
    #[must_use]
    pub fn project_role(&self, project_id: ProjectId) -> Option<ProjectRole> {
        self.projects.get(&project_id).copied()
    }

    /// Whether the permission is held in the organization itself.
    #[must_use]
    pub fn holds(&self, permission: Permission) -> bool {
        let is_within =
            !self.is_restricted_to_projects || permission == Permission::ReadOrganization;
        is_within && self.role.permits(permission) && self.leaves(permission)
    }

    /// Whether the permission is held in a project.
    #[must_use]
    pub fn holds_in(&self, permission: Permission, project_id: ProjectId) -> bool {
        self.leaves(permission)
            && self
                .project_role(project_id)
                .is_some_and(|role| role.permits(permission))
    }

    /// Whether a call about the organization as a whole may go on: it holds the permission, or the
    /// permission is one for projects and the call will be confined to those that it is held in,
    /// perhaps none.
    #[must_use]
    pub fn may_begin(&self, permission: Permission) -> bool {
        match permission.requirement() {
            Requirement::Organization(_) => self.holds(permission),
            Requirement::Project(_) => self.leaves(permission),
        }
    }

    /// The projects in which `permission` is held, as a scope to read.
    #[must_use]
    pub fn read_scope(&self, permission: Permission) -> ReadScope {
        ReadScope::new(self.organization_id, self.projects_with(permission))
    }

    /// The projects in which `permission` is held, as a scope to change.
    #[must_use]
    pub fn write_scope(&self, permission: Permission) -> WriteScope {
        WriteScope::new(self.read_scope(permission), self.user_id)
    }

    /// The organization itself, when `permission` is held there.
    #[must_use]
    pub fn organization_scope(&self, permission: Permission) -> Option<OrganizationScope> {
        self.holds(permission).then(|| {
            let readable = self.read_scope(Permission::ReadProject);
            OrganizationScope::new(self.user_id, self.role, readable)
        })
    }

    fn leaves(&self, permission: Permission) -> bool {
        self.permissions
            .as_ref()
            .is_none_or(|left| left.contains(&permission))
    }

    fn projects_with(&self, permission: Permission) -> BTreeSet<ProjectId> {
        self.projects
            .keys()
            .copied()
            .filter(|id| self.holds_in(permission, *id))
            .collect()
    }
}

#[cfg(test)]
#[path = "grants_tests.rs"]
mod tests;
