//! Tracked refs.

use chrono::Utc;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, Value};

use super::{
    StoreError,
    entities::{
        branch::{self, Model},
        repository,
    },
    sql::{execute, insert_rows},
};
use crate::domain::{BranchId, OrganizationId, ProjectId, ReadScope, RepositoryId, SnapshotId};

/// One branch of the scope.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none in the scope.
pub async fn find(
    database: &impl ConnectionTrait,
    scope: &ReadScope,
    id: BranchId,
) -> Result<Model, StoreError> {
    scoped(scope)
        .filter(branch::Column::Id.eq(id.0))
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("branch"))
}

/// Branches of a repository of the scope: the default one first, then by name.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list(
    database: &impl ConnectionTrait,
    scope: &ReadScope,
    repository: RepositoryId,
) -> Result<Vec<Model>, StoreError> {
    Ok(scoped(scope)
        .filter(branch::Column::RepositoryId.eq(repository.0))
        .order_by_desc(branch::Column::IsDefault)
        .order_by_asc(branch::Column::Name)
        .all(database)
        .await?)
}

fn scoped(scope: &ReadScope) -> sea_orm::Select<branch::Entity> {
    branch::Entity::find()
        .filter(branch::Column::OrganizationId.eq(scope.organization_id().0))
        .filter(branch::Column::ProjectId.is_in(scope.projects().iter().map(|id| id.0)))
}

/// One branch, for jobs.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none.
pub async fn get(database: &impl ConnectionTrait, id: BranchId) -> Result<Model, StoreError> {
    branch::Entity::find_by_id(id.0)
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("branch"))
}

/// Branches of a repository, for jobs.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_of_repository(
    database: &impl ConnectionTrait,
    repository: RepositoryId,
) -> Result<Vec<Model>, StoreError> {
    Ok(branch::Entity::find()
        .filter(branch::Column::RepositoryId.eq(repository.0))
        .order_by_asc(branch::Column::Name)
        .all(database)
        .await?)
}

/// The branch of this name, made when it is new.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn ensure(
    database: &impl ConnectionTrait,
    repository: &repository::Model,
    name: &str,
) -> Result<Model, StoreError> {
    let columns = [
        "id",
        "organization_id",
        "project_id",
        "repository_id",
        "name",
        "is_default",
        "created_at",
    ];
    let values = vec![
        BranchId::generate().0.into(),
        repository.organization_id.into(),
        repository.project_id.into(),
        repository.id.into(),
        name.into(),
        false.into(),
        Utc::now().into(),
    ];
    let keep = "ON CONFLICT (repository_id, name) DO NOTHING";
    insert_rows(database, "branches", &columns, keep, values).await?;
    branch::Entity::find()
        .filter(branch::Column::RepositoryId.eq(repository.id))
        .filter(branch::Column::Name.eq(name))
        .one(database)
        .await?
        .ok_or(StoreError::NotFound("branch"))
}

/// Marks one branch of the repository as its default.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn set_default(
    database: &impl ConnectionTrait,
    repository: RepositoryId,
    name: &str,
) -> Result<(), StoreError> {
    execute(
        database,
        "UPDATE branches SET is_default = (name = $2) WHERE repository_id = $1",
        [repository.0.into(), name.into()],
    )
    .await?;
    Ok(())
}

/// Moves the branch to a snapshot: the one write that publishes.
///
/// # Errors
/// [`StoreError`] of the database.
pub(crate) async fn publish(
    database: &impl ConnectionTrait,
    id: BranchId,
    snapshot: SnapshotId,
) -> Result<bool, StoreError> {
    let changed = execute(
        database,
        "UPDATE branches SET published_snapshot_id = $2 WHERE id = $1 \
         AND (published_snapshot_id IS NULL OR published_snapshot_id < $2)",
        [id.0.into(), snapshot.0.into()],
    )
    .await?;
    Ok(changed == 1)
}

/// The four ids that every derived row carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BranchScope {
    pub organization_id: OrganizationId,
    pub project_id: ProjectId,
    pub repository_id: RepositoryId,
    pub branch_id: BranchId,
}

impl BranchScope {
    /// The scope's values in the order of the columns.
    pub(crate) fn values(&self) -> [Value; 4] {
        [
            self.organization_id.0.into(),
            self.project_id.0.into(),
            self.repository_id.0.into(),
            self.branch_id.0.into(),
        ]
    }
}

impl From<&Model> for BranchScope {
    fn from(branch: &Model) -> Self {
        Self {
            organization_id: OrganizationId(branch.organization_id),
            project_id: ProjectId(branch.project_id),
            repository_id: RepositoryId(branch.repository_id),
            branch_id: BranchId(branch.id),
        }
    }
}

/// Branches that have a published snapshot, over all organizations, for jobs.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_published(database: &impl ConnectionTrait) -> Result<Vec<Model>, StoreError> {
    Ok(branch::Entity::find()
        .filter(branch::Column::PublishedSnapshotId.is_not_null())
        .order_by_asc(branch::Column::Id)
        .all(database)
        .await?)
}

/// Every branch of the instance, for rebuilding engines.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list_all(database: &impl ConnectionTrait) -> Result<Vec<Model>, StoreError> {
    Ok(branch::Entity::find()
        .order_by_asc(branch::Column::Id)
        .all(database)
        .await?)
}
