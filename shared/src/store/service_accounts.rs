//! Accounts of services: members of one organization that cannot sign in and use API tokens alone.

use chrono::Utc;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder, QuerySelect,
};

use super::{
    Page, Paged, StoreError,
    entities::user::{Column, Entity, Model},
    organizations,
    users::{AccountKind, User},
};
use crate::domain::{OrganizationRole, OrganizationScope, UserId};

/// Creates one, as an ordinary member. Run it in a transaction.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn create(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    name: &str,
) -> Result<User, StoreError> {
    let id = UserId::generate();
    let row = Model {
        id: id.0,
        // Unique, and nobody's: this top-level domain is never given away.
        email: format!("{}@service.invalid", id.0.simple()),
        name: name.to_owned(),
        // No hash is empty, so that no password is right.
        password_hash: String::new(),
        is_instance_administrator: false,
        created_at: Utc::now(),
        deactivated_at: None,
        kind: AccountKind::Service.as_str().to_owned(),
        service_organization_id: Some(scope.organization_id().0),
    };
    Entity::insert(row.clone().into_active_model().reset_all())
        .exec_without_returning(db)
        .await?;
    let organization = scope.organization_id();
    organizations::add_member(db, organization, id, OrganizationRole::Member).await?;
    Ok(row.into())
}

/// The organization's service accounts, oldest first.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    page: Page<UserId>,
) -> Result<Paged<User, UserId>, StoreError> {
    let mut query = of(scope);
    if let Some(after) = page.after {
        query = query.filter(Column::Id.gt(after.0));
    }
    let rows = query
        .order_by_asc(Column::Id)
        .limit(page.limit + 1)
        .all(db)
        .await?;
    let items = rows.into_iter().map(User::from).collect();
    Ok(Paged::from_rows(items, page.limit, |user: &User| user.id))
}

/// One service account of the organization.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none.
pub async fn find(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    id: UserId,
) -> Result<User, StoreError> {
    let row = of(scope).filter(Column::Id.eq(id.0)).one(db).await?;
    row.map(User::from)
        .ok_or(StoreError::NotFound("service account"))
}

/// Removes one with its tokens and its memberships; returns it.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none.
pub async fn delete(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    id: UserId,
) -> Result<User, StoreError> {
    let found = find(db, scope, id).await?;
    Entity::delete_by_id(id.0).exec(db).await?;
    Ok(found)
}

fn of(scope: &OrganizationScope) -> sea_orm::Select<Entity> {
    Entity::find()
        .filter(Column::Kind.eq(AccountKind::Service.as_str()))
        .filter(Column::ServiceOrganizationId.eq(scope.organization_id().0))
}
