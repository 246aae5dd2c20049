//! Facts about who may do what, read anew for every request.
//!
//! A foreign object and a missing one take the same path: one statement looks for the object inside
//! the organizations that the person belongs to and the projects that the person reaches there, and
//! finds nothing. What is being deleted is missing already.

use sea_orm::{ConnectionTrait, Value};
use uuid::Uuid;

use super::{StoreError, sql::statement};
use crate::domain::{
    BranchId, Grants, IndexRunId, OrganizationId, OrganizationRole, ProjectGrant, ProjectId,
    ProjectRole, RepositoryId, SnapshotId, TeamId, UserId, Visibility,
};

/// Something that a request names and that belongs to an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Object {
    Organization(OrganizationId),
    Team(TeamId),
    Project(ProjectId),
    Repository(RepositoryId),
    Branch(BranchId),
    Snapshot(SnapshotId),
    IndexRun(IndexRunId),
}

impl Object {
    /// What a person calls it.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Organization(_) => "organization",
            Self::Team(_) => "team",
            Self::Project(_) => "project",
            Self::Repository(_) => "repository",
            Self::Branch(_) => "branch",
            Self::Snapshot(_) => "snapshot",
            Self::IndexRun(_) => "index run",
        }
    }

    fn id(self) -> Value {
        match self {
            Self::Organization(id) => id.0.into(),
            Self::Team(id) => id.0.into(),
            Self::Project(id) => id.0.into(),
            Self::Repository(id) => id.0.into(),
            Self::Branch(id) => id.0.into(),
            Self::Snapshot(id) => id.0.into(),
            Self::IndexRun(id) => id.0.into(),
        }
    }

    /// The object's organization and project (none for what belongs to no project).
    const fn place(self) -> &'static str {
        match self {
            Self::Organization(_) => {
                "SELECT id AS organization_id, CAST(NULL AS uuid) AS project_id \
                 FROM organizations WHERE id = $1"
            }
            Self::Team(_) => {
                "SELECT organization_id, CAST(NULL AS uuid) AS project_id \
                 FROM teams WHERE id = $1"
            }
            Self::Project(_) => {
                "SELECT organization_id, id AS project_id FROM projects WHERE id = $1"
            }
            Self::Repository(_) => {
                "SELECT organization_id, project_id FROM repositories \
                 WHERE id = $1 AND state <> 'deleting'"
            }
            Self::Branch(_) => {
                "SELECT b.organization_id, b.project_id FROM branches b \
                 JOIN repositories r ON r.id = b.repository_id AND r.state <> 'deleting' \
                 WHERE b.id = $1"
            }
            Self::Snapshot(_) => {
                "SELECT s.organization_id, s.project_id FROM snapshots s \
                 JOIN repositories r ON r.id = s.repository_id AND r.state <> 'deleting' \
                 WHERE s.id = $1"
            }
            Self::IndexRun(_) => {
                "SELECT i.organization_id, i.project_id FROM index_runs i \
                 JOIN repositories r ON r.id = i.repository_id AND r.state <> 'deleting' \
                 WHERE i.id = $1"
            }
        }
    }
}

/// A person's grants where an object lives.
#[derive(Debug, Clone)]
pub struct ObjectGrants {
    pub grants: Grants,
    /// The object's project; an organization and a team have none.
    pub project_id: Option<ProjectId>,
}

/// What the person reaches in an organization: a row per project and reason, and one row without a
/// project for the membership itself.
const GRANTS: &str = "SELECT m.role, p.id AS project_id, p.visibility, pm.role AS member_role, \
     t.role AS team_role \
     FROM memberships m \
     JOIN organizations o ON o.id = m.organization_id AND o.deleting_at IS NULL \
     LEFT JOIN projects p ON p.organization_id = m.organization_id AND p.deleting_at IS NULL \
     LEFT JOIN project_members pm ON pm.project_id = p.id AND pm.user_id = m.user_id \
     LEFT JOIN (SELECT tp.project_id, tp.role FROM team_members tm \
       JOIN team_projects tp ON tp.team_id = tm.team_id \
       WHERE tm.organization_id = $1 AND tm.user_id = $2) t ON t.project_id = p.id \
     WHERE m.organization_id = $1 AND m.user_id = $2";

/// A person's grants in an organization.
///
/// # Errors
/// [`StoreError::NotFound`] when it is missing or the person is no member.
pub async fn load(
    db: &impl ConnectionTrait,
    user_id: UserId,
    organization_id: OrganizationId,
) -> Result<Grants, StoreError> {
    let values = [organization_id.0.into(), user_id.0.into()];
    let rows = db.query_all_raw(statement(db, GRANTS, values)).await?;
    let mut role = None;
    let mut projects = Vec::new();
    for row in rows {
        let organization_role = OrganizationRole::parse(&row.try_get::<String>("", "role")?)
            .ok_or(StoreError::Corrupt("role"))?;
        role = Some(organization_role);
        let Some(project_id) = row.try_get::<Option<Uuid>>("", "project_id")? else {
            continue;
        };
        let visibility = row.try_get::<String>("", "visibility")?;
        let reasons = [
            project_role(row.try_get("", "member_role")?)?,
            project_role(row.try_get("", "team_role")?)?,
            (visibility == Visibility::Organization.as_str()).then_some(ProjectRole::Reader),
            organization_role
                .maintains_every_project()
                .then_some(ProjectRole::Maintainer),
        ];
        let granted = reasons.into_iter().flatten().map(|role| ProjectGrant {
            project_id: ProjectId(project_id),
            role,
        });
        projects.extend(granted);
    }
    let role = role.ok_or(StoreError::NotFound("organization"))?;
    Ok(Grants::from_rows(user_id, organization_id, role, projects))
}

/// A person's grants in a project's organization.
///
/// # Errors
/// [`StoreError::NotFound`] when the project is missing or does not exist for the person.
pub async fn load_for_project(
    db: &impl ConnectionTrait,
    user_id: UserId,
    project_id: ProjectId,
) -> Result<Grants, StoreError> {
    let found = load_for(db, user_id, Object::Project(project_id)).await?;
    Ok(found.grants)
}

/// A person's grants in the organization of an object.
///
/// # Errors
/// [`StoreError::NotFound`] when the object is missing, the person is no member there, or has no
/// role in its project: these cannot be told apart.
pub async fn load_for(
    db: &impl ConnectionTrait,
    user_id: UserId,
    object: Object,
) -> Result<ObjectGrants, StoreError> {
    let text = format!(
        "SELECT m.organization_id, p.id AS project_id \
         FROM ({}) found \
         JOIN memberships m ON m.organization_id = found.organization_id AND m.user_id = $2 \
         LEFT JOIN projects p ON p.id = found.project_id AND p.deleting_at IS NULL \
         WHERE found.project_id IS NULL OR p.id IS NOT NULL AND ( \
           p.visibility = 'organization' OR m.role IN ('administrator', 'owner') \
           OR EXISTS (SELECT 1 FROM project_members pm \
             WHERE pm.project_id = p.id AND pm.user_id = m.user_id) \
           OR EXISTS (SELECT 1 FROM team_members tm \
             JOIN team_projects tp ON tp.team_id = tm.team_id \
             WHERE tm.user_id = m.user_id AND tp.project_id = p.id))",
        object.place()
    );
    let missing = || StoreError::NotFound(object.noun());
    let row = db
        .query_one_raw(statement(db, &text, [object.id(), user_id.0.into()]))
        .await?
        .ok_or_else(missing)?;
    let organization: Uuid = row.try_get("", "organization_id")?;
    let project: Option<Uuid> = row.try_get("", "project_id")?;
    let grants = load(db, user_id, OrganizationId(organization))
        .await
        .map_err(|error| match error {
            StoreError::NotFound(_) => missing(),
            other => other,
        })?;
    let project_id = project.map(ProjectId);
    // A right that ended between the two statements ends here.
    if project_id.is_some_and(|id| grants.project_role(id).is_none()) {
        return Err(missing());
    }
    Ok(ObjectGrants { grants, project_id })
}

fn project_role(stored: Option<String>) -> Result<Option<ProjectRole>, StoreError> {
    let read = |text: String| ProjectRole::parse(&text).ok_or(StoreError::Corrupt("role"));
    stored.map(read).transpose()
}
