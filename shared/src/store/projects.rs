//! Projects: groups of repositories.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use uuid::Uuid;

use super::{
    Page, Paged, StoreError,
    entities::{project, repository},
    slugs,
    sql::execute,
};
use crate::domain::{
    OrganizationId, OrganizationScope, ProjectId, ReadScope, RepositoryState, Visibility,
    WriteScope,
};

/// A project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub id: ProjectId,
    pub organization_id: OrganizationId,
    pub name: String,
    pub slug: String,
    pub visibility: Visibility,
    /// How many repositories it has, without those being deleted.
    pub repositories: u64,
    pub created_at: DateTime<Utc>,
}

/// The projects of the scope, oldest first.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn list(
    db: &impl ConnectionTrait,
    scope: &ReadScope,
    page: Page<ProjectId>,
) -> Result<Paged<Project, ProjectId>, StoreError> {
    let mut query = in_scope(scope)
        .order_by_asc(project::Column::Id)
        .limit(page.limit + 1);
    if let Some(after) = page.after {
        query = query.filter(project::Column::Id.gt(after.0));
    }
    let rows = Paged::from_rows(query.all(db).await?, page.limit, |row| ProjectId(row.id));
    Ok(Paged {
        items: with_counts(db, rows.items).await?,
        next: rows.next,
    })
}

/// One project of the scope.
///
/// # Errors
/// [`StoreError::NotFound`] when it is missing or outside the scope.
pub async fn find(
    db: &impl ConnectionTrait,
    scope: &ReadScope,
    id: ProjectId,
) -> Result<Project, StoreError> {
    let row = in_scope(scope)
        .filter(project::Column::Id.eq(id.0))
        .one(db)
        .await?
        .ok_or(StoreError::NotFound("project"))?;
    let projects = with_counts(db, vec![row]).await?;
    projects
        .into_iter()
        .next()
        .ok_or(StoreError::NotFound("project"))
}

/// Creates a project in the scope's organization. Run it in a transaction.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn create(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    name: &str,
    visibility: Visibility,
) -> Result<Project, StoreError> {
    insert(db, scope.organization_id(), name, visibility).await
}

/// Changes a project's name or visibility; `None` leaves it. The slug stays.
///
/// # Errors
/// [`StoreError::NotFound`] when it is outside the scope or being deleted.
pub async fn change(
    db: &impl ConnectionTrait,
    scope: &WriteScope,
    id: ProjectId,
    name: Option<&str>,
    visibility: Option<Visibility>,
) -> Result<(), StoreError> {
    if !scope.allows(id) {
        return Err(StoreError::NotFound("project"));
    }
    let values = [
        scope.organization_id().0.into(),
        id.0.into(),
        name.into(),
        visibility.map(Visibility::as_str).into(),
    ];
    let sql = "UPDATE projects SET name = COALESCE($3, name), \
               visibility = COALESCE($4, visibility) \
               WHERE organization_id = $1 AND id = $2 AND deleting_at IS NULL";
    match execute(db, sql, values).await? {
        0 => Err(StoreError::NotFound("project")),
        _ => Ok(()),
    }
}

/// Creates a project while the server sets up an organization of its own. Serves no request.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn create_in(
    db: &impl ConnectionTrait,
    organization_id: OrganizationId,
    name: &str,
) -> Result<Project, StoreError> {
    insert(db, organization_id, name, Visibility::Organization).await
}

async fn insert(
    db: &impl ConnectionTrait,
    organization_id: OrganizationId,
    name: &str,
    visibility: Visibility,
) -> Result<Project, StoreError> {
    let slug = slugs::slug(name, "project");
    let taken: Vec<String> = project::Entity::find()
        .select_only()
        .column(project::Column::Slug)
        .filter(project::Column::OrganizationId.eq(organization_id.0))
        .filter(project::Column::Slug.starts_with(&slug))
        .into_tuple()
        .all(db)
        .await?;
    let project = Project {
        id: ProjectId::generate(),
        organization_id,
        name: name.to_owned(),
        slug: slugs::free_slug(&slug, &taken),
        visibility,
        repositories: 0,
        created_at: Utc::now(),
    };
    project::Entity::insert(project::ActiveModel {
        id: Set(project.id.0),
        organization_id: Set(organization_id.0),
        name: Set(project.name.clone()),
        slug: Set(project.slug.clone()),
        created_at: Set(project.created_at),
        visibility: Set(visibility.as_str().to_owned()),
        deleting_at: Set(None),
    })
    .exec_without_returning(db)
    .await?;
    Ok(project)
}

fn in_scope(scope: &ReadScope) -> sea_orm::Select<project::Entity> {
    project::Entity::find()
        .filter(project::Column::OrganizationId.eq(scope.organization_id().0))
        .filter(project::Column::Id.is_in(scope.projects().iter().map(|id| id.0)))
        .filter(project::Column::DeletingAt.is_null())
}

async fn with_counts(
    db: &impl ConnectionTrait,
    rows: Vec<project::Model>,
) -> Result<Vec<Project>, StoreError> {
    let counts: Vec<(Uuid, i64)> = repository::Entity::find()
        .select_only()
        .column(repository::Column::ProjectId)
        .column_as(repository::Column::Id.count(), "repositories")
        .filter(repository::Column::ProjectId.is_in(rows.iter().map(|row| row.id)))
        .filter(repository::Column::State.ne(RepositoryState::Deleting.as_str()))
        .group_by(repository::Column::ProjectId)
        .into_tuple()
        .all(db)
        .await?;
    let counts: HashMap<Uuid, i64> = counts.into_iter().collect();
    let read = |row: project::Model| {
        let visibility = Visibility::parse(&row.visibility);
        Ok(Project {
            id: ProjectId(row.id),
            organization_id: OrganizationId(row.organization_id),
            name: row.name,
            slug: row.slug,
            visibility: visibility.ok_or(StoreError::Corrupt("visibility"))?,
            repositories: counts.get(&row.id).copied().unwrap_or(0).unsigned_abs(),
            created_at: row.created_at,
        })
    };
    rows.into_iter().map(read).collect()
}
