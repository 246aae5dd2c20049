//! Organizations and who belongs to them.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, JoinType,
    QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::{
    Page, Paged, StoreError,
    entities::{membership, organization},
    slugs,
    sql::execute,
};
use crate::domain::{OrganizationId, OrganizationRole, OrganizationScope, UserId};

/// An organization as one of its members sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    pub id: OrganizationId,
    pub name: String,
    pub slug: String,
    /// The role of the person who asked.
    pub role: OrganizationRole,
    pub created_at: DateTime<Utc>,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    name: String,
    slug: String,
    role: String,
    created_at: DateTime<Utc>,
}

/// The organizations that the person belongs to, oldest first.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn list(
    db: &impl ConnectionTrait,
    user_id: UserId,
    page: Page<OrganizationId>,
) -> Result<Paged<Organization, OrganizationId>, StoreError> {
    let mut query = of_member(user_id)
        .order_by_asc(organization::Column::Id)
        .limit(page.limit + 1);
    if let Some(after) = page.after {
        query = query.filter(organization::Column::Id.gt(after.0));
    }
    let rows = query.into_model::<Row>().all(db).await?;
    let items = rows.into_iter().map(Row::read).collect::<Result<_, _>>()?;
    Ok(Paged::from_rows(
        items,
        page.limit,
        |item: &Organization| item.id,
    ))
}

/// One organization that the person belongs to.
///
/// # Errors
/// [`StoreError::NotFound`] when it is missing or the person is no member.
pub async fn find(
    db: &impl ConnectionTrait,
    user_id: UserId,
    id: OrganizationId,
) -> Result<Organization, StoreError> {
    of_member(user_id)
        .filter(organization::Column::Id.eq(id.0))
        .into_model::<Row>()
        .one(db)
        .await?
        .ok_or(StoreError::NotFound("organization"))?
        .read()
}

/// Creates an organization owned by the person. Run it in a transaction.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn create(
    db: &impl ConnectionTrait,
    owner: UserId,
    name: &str,
) -> Result<Organization, StoreError> {
    let slug = slugs::slug(name, "organization");
    let taken: Vec<String> = organization::Entity::find()
        .select_only()
        .column(organization::Column::Slug)
        .filter(organization::Column::Slug.starts_with(&slug))
        .into_tuple()
        .all(db)
        .await?;
    let organization = Organization {
        id: OrganizationId::generate(),
        name: name.to_owned(),
        slug: slugs::free_slug(&slug, &taken),
        role: OrganizationRole::Owner,
        created_at: Utc::now(),
    };
    organization::Entity::insert(organization::ActiveModel {
        id: Set(organization.id.0),
        name: Set(organization.name.clone()),
        slug: Set(organization.slug.clone()),
        created_at: Set(organization.created_at),
        deleting_at: Set(None),
    })
    .exec_without_returning(db)
    .await?;
    add_member(db, organization.id, owner, organization.role).await?;
    Ok(organization)
}

/// Gives an organization another name; its slug stays.
///
/// # Errors
/// [`StoreError::NotFound`] when it is being deleted.
pub async fn rename(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    name: &str,
) -> Result<(), StoreError> {
    let sql = "UPDATE organizations SET name = $2 WHERE id = $1 AND deleting_at IS NULL";
    let values = [scope.organization_id().0.into(), name.into()];
    match execute(db, sql, values).await? {
        0 => Err(StoreError::NotFound("organization")),
        _ => Ok(()),
    }
}

/// Makes a person a member.
///
/// # Errors
/// [`StoreError`] of the database, also when the person is a member already.
pub async fn add_member(
    db: &impl ConnectionTrait,
    organization_id: OrganizationId,
    user_id: UserId,
    role: OrganizationRole,
) -> Result<(), StoreError> {
    membership::Entity::insert(membership::ActiveModel {
        organization_id: Set(organization_id.0),
        user_id: Set(user_id.0),
        role: Set(role.as_str().to_owned()),
        created_at: Set(Utc::now()),
    })
    .exec_without_returning(db)
    .await?;
    Ok(())
}

fn of_member(user_id: UserId) -> sea_orm::Select<organization::Entity> {
    let membership = organization::Entity::belongs_to(membership::Entity)
        .from(organization::Column::Id)
        .to(membership::Column::OrganizationId);
    organization::Entity::find()
        .column_as(membership::Column::Role, "role")
        .join(JoinType::InnerJoin, membership.into())
        .filter(membership::Column::UserId.eq(user_id.0))
        .filter(organization::Column::DeletingAt.is_null())
}

impl Row {
    fn read(self) -> Result<Organization, StoreError> {
        Ok(Organization {
            id: OrganizationId(self.id),
            name: self.name,
            slug: self.slug,
            role: OrganizationRole::parse(&self.role).ok_or(StoreError::Corrupt("role"))?,
            created_at: self.created_at,
        })
    }
}
