//! The one table of permissions. Doors ask it, and `docs/permissions.md` is printed from it.

use std::fmt::Write;

use super::{OrganizationRole, ProjectRole, TokenScope};
use crate::domain::chunk::named_enum;
use serde::{Deserialize, Serialize};

named_enum! {
    /// What a call wants to do.
    Permission {
        /// See the organization, its members and its teams.
        ReadOrganization = "read_organization",
        LeaveOrganization = "leave_organization",
        CreateProject = "create_project",
        ManageMembers = "manage_members",
        ManageTeams = "manage_teams",
        ManageServiceAccounts = "manage_service_accounts",
        ReadAudit = "read_audit",
        ManageOrganization = "manage_organization",
        ReadProject = "read_project",
        IndexRepository = "index_repository",
        ManageRepository = "manage_repository",
        ManageProject = "manage_project",
    }
}

/// The lowest role that holds a permission, and where the role is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    Organization(OrganizationRole),
    Project(ProjectRole),
}

/// A line of the table.
struct Rule {
    requirement: Requirement,
    /// What an API token needs besides.
    scope: TokenScope,
    meaning: &'static str,
}

impl Permission {
    const fn rule(self) -> Rule {
        use OrganizationRole::{Administrator, Member, Owner};
        use ProjectRole::{Maintainer, Reader};
        use Requirement::{Organization, Project};
        use TokenScope::{Administer, Index, Search};

        let (requirement, scope, meaning) = match self {
            Self::ReadOrganization => (
                Organization(Member),
                Search,
                "see the organization, its members and teams",
            ),
            Self::LeaveOrganization => (
                Organization(Member),
                Administer,
                "leave the organization (the last owner cannot)",
            ),
            Self::CreateProject => (Organization(Administrator), Administer, "create projects"),
            Self::ManageMembers => (
                Organization(Administrator),
                Administer,
                "invite and remove members, change their roles (only owners make and unmake owners)",
            ),
            Self::ManageTeams => (
                Organization(Administrator),
                Administer,
                "create, change and delete teams",
            ),
            Self::ManageServiceAccounts => (
                Organization(Administrator),
                Administer,
                "create service accounts and their tokens",
            ),
            Self::ReadAudit => (
                Organization(Administrator),
                Administer,
                "read the audit log",
            ),
            Self::ManageOrganization => (
                Organization(Owner),
                Administer,
                "rename and delete the organization, configure its identity providers",
            ),
            Self::ReadProject => (
                Project(Reader),
                Search,
                "see repositories, runs and ledgers; search; read indexed code",
            ),
            Self::IndexRepository => (
                Project(Maintainer),
                Index,
                "start, cancel and retry index runs",
            ),
            Self::ManageRepository => (
                Project(Maintainer),
                Administer,
                "add, change and delete repositories",
            ),
            Self::ManageProject => (
                Project(Maintainer),
                Administer,
                "rename and delete the project, change its visibility, members and teams",
            ),
        };
        Rule {
            requirement,
            scope,
            meaning,
        }
    }

    /// The lowest role that holds the permission.
    #[must_use]
    pub const fn requirement(self) -> Requirement {
        self.rule().requirement
    }

    /// The scope that an API token needs for it.
    #[must_use]
    pub const fn token_scope(self) -> TokenScope {
        self.rule().scope
    }
}

impl OrganizationRole {
    /// Whether the role holds the permission in the organization itself. A permission that is held
    /// in projects never is.
    #[must_use]
    pub fn permits(self, permission: Permission) -> bool {
        matches!(permission.requirement(), Requirement::Organization(lowest) if self >= lowest)
    }
}

impl ProjectRole {
    /// Whether the role holds the permission in a project.
    #[must_use]
    pub fn permits(self, permission: Permission) -> bool {
        matches!(permission.requirement(), Requirement::Project(lowest) if self >= lowest)
    }
}

const INTRODUCTION: &str = "# Permissions

Who may do what. This page is printed by `quarry-api permissions` from the table that the server \
itself asks (`shared/src/domain/authorization/table.rs`).

An object that somebody may not see answers exactly like one that does not exist: 404. Somebody \
who may see it but not do this to it gets 403.

- People belong to organizations as **member**, **administrator** or **owner**.
- In a project somebody is **reader** or **maintainer**: the highest of their own membership in the \
project, the shares of the teams they are in, reader when the project's visibility is \
`organization`, and maintainer when they administer or own the organization. Without any of these \
the project does not exist for them.
- An instance administrator manages people and organizations of the whole server, and sees nothing \
of an organization without being its member.
- An API token can do what its owner can, cut down to the token's scopes and projects. A token that \
is restricted to projects holds nothing in the organization itself except `read_organization`.
- Every right is read anew for each request.
";

/// `docs/permissions.md`.
#[must_use]
pub fn documentation() -> String {
    let mut text = String::from(INTRODUCTION);
    text.push_str("\n## In an organization\n\n");
    let organization = OrganizationRole::ALL.iter().map(|role| role.as_str());
    render(&mut text, organization.collect(), |permission, at| {
        OrganizationRole::ALL[at].permits(permission)
    });
    text.push_str("\n## In a project\n\n");
    let project = ProjectRole::ALL.iter().map(|role| role.as_str());
    render(&mut text, project.collect(), |permission, at| {
        ProjectRole::ALL[at].permits(permission)
    });
    text
}

/// The permissions that any of the roles holds, a column per role.
fn render(text: &mut String, roles: Vec<&str>, holds: impl Fn(Permission, usize) -> bool) {
    let _ = writeln!(
        text,
        "| permission | {} | token scope | allows to |",
        roles.join(" | ")
    );
    let _ = writeln!(text, "|---|{}---|---|", "---|".repeat(roles.len()));
    for permission in Permission::ALL {
        let marks: Vec<&str> = (0..roles.len())
            .map(|at| if holds(*permission, at) { "yes" } else { "–" })
            .collect();
        if !marks.contains(&"yes") {
            continue;
        }
        let rule = permission.rule();
        let _ = writeln!(
            text,
            "| `{}` | {} | `{}` | {} |",
            permission.as_str(),
            marks.join(" | "),
            rule.scope.as_str(),
            rule.meaning
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{OrganizationRole, Permission, ProjectRole, documentation};

    #[test]
    fn the_committed_page_is_current() {
        let committed = include_str!("../../../../docs/permissions.md");
        assert!(
            committed == documentation(),
            "docs/permissions.md has drifted: write it anew with `quarry-api permissions`"
        );
    }

    #[test]
    fn a_higher_role_holds_whatever_a_lower_one_holds() {
        for permission in Permission::ALL {
            for pair in OrganizationRole::ALL.windows(2) {
                assert!(!pair[0].permits(*permission) || pair[1].permits(*permission));
            }
            for pair in ProjectRole::ALL.windows(2) {
                assert!(!pair[0].permits(*permission) || pair[1].permits(*permission));
            }
        }
    }

    #[test]
    fn only_owners_make_and_unmake_owners_and_members_nobody() {
        use OrganizationRole::{Administrator, Member, Owner};
        for (role, other, expected) in [
            (Member, Member, false),
            (Administrator, Member, true),
            (Administrator, Administrator, true),
            (Administrator, Owner, false),
            (Owner, Owner, true),
        ] {
            assert_eq!(role.may_assign(other), expected, "{role:?} {other:?}");
        }
    }
}
