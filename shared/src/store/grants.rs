//! Facts about who may do what, read anew for every request.
//!
//! A foreign object and a missing one take the same path: one statement looks for the object inside
//! the organizations that the person belongs to, and finds nothing. What is being deleted is missing
//! already.

use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait,
    sea_query::{Expr, ExprTrait, IntoColumnRef, SimpleExpr},
};
use uuid::Uuid;

use super::{
    StoreError,
    entities::{branch, index_run, membership, project, repository, snapshot},
};
use crate::domain::{
    BranchId, Grants, IndexRunId, OrganizationId, OrganizationRole, ProjectGrant, ProjectId,
    RepositoryId, RepositoryState, SnapshotId, UserId,
};

/// Something that a request names and that belongs to an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Object {
    Organization(OrganizationId),
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
            Self::Project(_) => "project",
            Self::Repository(_) => "repository",
            Self::Branch(_) => "branch",
            Self::Snapshot(_) => "snapshot",
            Self::IndexRun(_) => "index run",
        }
    }
}

/// A person's grants where an object lives.
#[derive(Debug, Clone)]
pub struct ObjectGrants {
    pub grants: Grants,
    /// The object's project; an organization has none.
    pub project_id: Option<ProjectId>,
}

/// A person's grants in an organization.
///
/// # Errors
/// [`StoreError::NotFound`] when it is missing or the person is no member.
pub async fn load(
    db: &impl ConnectionTrait,
    user_id: UserId,
    organization_id: OrganizationId,
) -> Result<Grants, StoreError> {
    let role: Option<String> = membership::Entity::find()
        .select_only()
        .column(membership::Column::Role)
        .filter(membership::Column::OrganizationId.eq(organization_id.0))
        .filter(membership::Column::UserId.eq(user_id.0))
        .into_tuple()
        .one(db)
        .await?;
    let role = role.ok_or(StoreError::NotFound("organization"))?;
    let role = OrganizationRole::parse(&role).ok_or(StoreError::Corrupt("role"))?;
    let projects: Vec<Uuid> = project::Entity::find()
        .select_only()
        .column(project::Column::Id)
        .filter(project::Column::OrganizationId.eq(organization_id.0))
        .into_tuple()
        .all(db)
        .await?;
    let projects = projects
        .into_iter()
        .map(|id| ProjectGrant {
            project_id: ProjectId(id),
            role,
        })
        .collect();
    Ok(Grants::from_rows(user_id, organization_id, role, projects))
}

/// A person's grants in a project's organization.
///
/// # Errors
/// [`StoreError::NotFound`] when the project is missing or the person is no member.
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
/// [`StoreError::NotFound`] when the object is missing or the person is no member there: the two
/// cannot be told apart.
pub async fn load_for(
    db: &impl ConnectionTrait,
    user_id: UserId,
    object: Object,
) -> Result<ObjectGrants, StoreError> {
    let (organization, project_id) = match object {
        Object::Organization(id) => (Some(id.0), None),
        Object::Project(id) => {
            let found = project::Entity::find()
                .select_only()
                .columns([project::Column::OrganizationId, project::Column::Id])
                .filter(project::Column::Id.eq(id.0))
                .filter(mine(project::Column::OrganizationId, user_id));
            place(found.into_tuple().one(db).await?)
        }
        Object::Repository(id) => {
            let found = repository::Entity::find()
                .select_only()
                .columns([
                    repository::Column::OrganizationId,
                    repository::Column::ProjectId,
                ])
                .filter(repository::Column::Id.eq(id.0))
                .filter(repository::Column::State.ne(RepositoryState::Deleting.as_str()))
                .filter(mine(repository::Column::OrganizationId, user_id));
            place(found.into_tuple().one(db).await?)
        }
        Object::Branch(id) => {
            let found = branch::Entity::find()
                .select_only()
                .columns([branch::Column::OrganizationId, branch::Column::ProjectId])
                .filter(branch::Column::Id.eq(id.0))
                .filter(kept((branch::Entity, branch::Column::RepositoryId)))
                .filter(mine(branch::Column::OrganizationId, user_id));
            place(found.into_tuple().one(db).await?)
        }
        Object::Snapshot(id) => {
            let found = snapshot::Entity::find()
                .select_only()
                .columns([
                    snapshot::Column::OrganizationId,
                    snapshot::Column::ProjectId,
                ])
                .filter(snapshot::Column::Id.eq(id.0))
                .filter(kept((snapshot::Entity, snapshot::Column::RepositoryId)))
                .filter(mine(snapshot::Column::OrganizationId, user_id));
            place(found.into_tuple().one(db).await?)
        }
        Object::IndexRun(id) => {
            let found = index_run::Entity::find()
                .select_only()
                .columns([
                    index_run::Column::OrganizationId,
                    index_run::Column::ProjectId,
                ])
                .filter(index_run::Column::Id.eq(id.0))
                .filter(kept((index_run::Entity, index_run::Column::RepositoryId)))
                .filter(mine(index_run::Column::OrganizationId, user_id));
            place(found.into_tuple().one(db).await?)
        }
    };
    let organization = organization.ok_or(StoreError::NotFound(object.noun()))?;
    let grants = load(db, user_id, OrganizationId(organization))
        .await
        .map_err(|error| match error {
            StoreError::NotFound(_) => StoreError::NotFound(object.noun()),
            other => other,
        })?;
    Ok(ObjectGrants { grants, project_id })
}

fn place(row: Option<(Uuid, Uuid)>) -> (Option<Uuid>, Option<ProjectId>) {
    row.map_or((None, None), |(organization, project)| {
        (Some(organization), Some(ProjectId(project)))
    })
}

/// The column names a repository that is not being deleted: what belongs to one is missing with it.
fn kept(repository_id: impl IntoColumnRef) -> SimpleExpr {
    let repository = repository::Entity::find()
        .select_only()
        .column(repository::Column::Id)
        .filter(Expr::col((repository::Entity, repository::Column::Id)).equals(repository_id))
        .filter(repository::Column::State.ne(RepositoryState::Deleting.as_str()))
        .into_query();
    Expr::exists(repository)
}

/// The column names an organization that the person belongs to.
fn mine(column: impl ColumnTrait, user_id: UserId) -> SimpleExpr {
    column.in_subquery(
        membership::Entity::find()
            .select_only()
            .column(membership::Column::OrganizationId)
            .filter(membership::Column::UserId.eq(user_id.0))
            .into_query(),
    )
}
