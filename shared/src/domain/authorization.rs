//! The authorization room: the only place that can make a [`ReadScope`] or a [`WriteScope`].
//!
//! `store::grants` loads the facts about a person ([`Grants`]); the table in [`permits`] says what
//! a role may do; a scope is the result and travels into every store's own filter.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{OrganizationId, ProjectId, UserId};

/// A person's role in an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrganizationRole {
    Member,
    Administrator,
    Owner,
}

impl OrganizationRole {
    /// Stored and shown form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Administrator => "administrator",
            Self::Owner => "owner",
        }
    }

    /// The role named by its stored form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Member, Self::Administrator, Self::Owner]
            .into_iter()
            .find(|role| role.as_str() == text)
    }
}

/// What a call wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permission {
    /// See projects, repositories, runs and ledgers; search; read indexed code.
    ReadProject,
    /// Start, cancel and retry index runs.
    IndexRepository,
    /// Add, change and delete repositories.
    ManageRepository,
    /// Create and change projects.
    ManageProject,
}

/// The one table of permissions.
#[must_use]
pub const fn permits(role: OrganizationRole, permission: Permission) -> bool {
    match permission {
        Permission::ReadProject | Permission::IndexRepository => true,
        Permission::ManageRepository | Permission::ManageProject => {
            matches!(
                role,
                OrganizationRole::Administrator | OrganizationRole::Owner
            )
        }
    }
}

/// A project of the organization that the person reaches, with the role that counts there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProjectGrant {
    pub project_id: ProjectId,
    pub role: OrganizationRole,
}

/// Facts about one person in one organization. Only the store can make them (from its rows).
#[derive(Debug, Clone)]
pub struct Grants {
    user_id: UserId,
    organization_id: OrganizationId,
    role: OrganizationRole,
    projects: Vec<ProjectGrant>,
}

impl Grants {
    pub(crate) fn from_rows(
        user_id: UserId,
        organization_id: OrganizationId,
        role: OrganizationRole,
        projects: Vec<ProjectGrant>,
    ) -> Self {
        Self {
            user_id,
            organization_id,
            role,
            projects,
        }
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

    /// The role in the organization itself.
    #[must_use]
    pub const fn role(&self) -> OrganizationRole {
        self.role
    }

    /// The projects in which `permission` is held, as a scope to read.
    #[must_use]
    pub fn read_scope(&self, permission: Permission) -> ReadScope {
        ReadScope {
            organization_id: self.organization_id,
            projects: self.projects_with(permission),
        }
    }

    /// The projects in which `permission` is held, as a scope to change.
    #[must_use]
    pub fn write_scope(&self, permission: Permission) -> WriteScope {
        WriteScope {
            reads: ReadScope {
                organization_id: self.organization_id,
                projects: self.projects_with(permission),
            },
            user_id: self.user_id,
            organization_wide: permits(self.role, permission),
        }
    }

    fn projects_with(&self, permission: Permission) -> BTreeSet<ProjectId> {
        self.projects
            .iter()
            .filter(|grant| permits(grant.role, permission))
            .map(|grant| grant.project_id)
            .collect()
    }
}

/// What may be read: projects of one organization. An empty scope finds nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadScope {
    organization_id: OrganizationId,
    projects: BTreeSet<ProjectId>,
}

impl ReadScope {
    /// The one project that a job works in. The job's row, not a person, is the reason for it.
    pub(crate) fn of_job(organization_id: OrganizationId, project_id: ProjectId) -> Self {
        Self {
            organization_id,
            projects: BTreeSet::from([project_id]),
        }
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
        Self {
            organization_id: self.organization_id,
            projects,
        }
    }
}

/// What may be changed, and by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteScope {
    reads: ReadScope,
    user_id: UserId,
    organization_wide: bool,
}

impl WriteScope {
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

    /// Whether the permission holds for the organization itself, for example to create a project.
    #[must_use]
    pub const fn is_organization_wide(&self) -> bool {
        self.organization_wide
    }

    #[must_use]
    pub const fn user_id(&self) -> UserId {
        self.user_id
    }
}
