//! Who belongs to an organization, and as what.

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, JoinType, QueryFilter, QueryOrder,
    QuerySelect,
};
use uuid::Uuid;

use super::{
    Page, Paged, StoreError,
    entities::{membership, user},
    owners,
    sql::{execute, locking, statement},
    users::AccountKind,
};
use crate::domain::{OrganizationId, OrganizationRole, OrganizationScope, UserId};

/// Somebody who belongs to an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub user_id: UserId,
    pub name: String,
    pub email: String,
    pub role: OrganizationRole,
    /// Whether the account can be used.
    pub is_active: bool,
    pub joined_at: DateTime<Utc>,
}

#[derive(FromQueryResult)]
struct Row {
    user_id: Uuid,
    name: String,
    email: String,
    role: String,
    deactivated_at: Option<DateTime<Utc>>,
    joined_at: DateTime<Utc>,
}

/// The members of the scope's organization, oldest account first.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn list(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    page: Page<UserId>,
) -> Result<Paged<Member, UserId>, StoreError> {
    let mut query = of(scope.organization_id())
        .order_by_asc(membership::Column::UserId)
        .limit(page.limit + 1);
    if let Some(after) = page.after {
        query = query.filter(membership::Column::UserId.gt(after.0));
    }
    let rows = query.into_model::<Row>().all(db).await?;
    let items = rows.into_iter().map(Row::read).collect::<Result<_, _>>()?;
    Ok(Paged::from_rows(items, page.limit, |item: &Member| {
        item.user_id
    }))
}

/// One member of the scope's organization.
///
/// # Errors
/// [`StoreError::NotFound`] when the person is none.
pub async fn find(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    user_id: UserId,
) -> Result<Member, StoreError> {
    find_in(db, scope.organization_id(), user_id).await
}

/// Gives a member another role. Run it in a transaction.
///
/// # Errors
/// [`StoreError::NotFound`] when the person is no member, [`StoreError::Forbidden`] when the caller's
/// role cannot give the new role or take the old one, [`StoreError::Conflict`] `last_owner`.
pub async fn set_role(
    transaction: &impl ConnectionTrait,
    scope: &OrganizationScope,
    user_id: UserId,
    role: OrganizationRole,
) -> Result<Member, StoreError> {
    let organization = scope.organization_id();
    let caller = current_role(transaction, organization, scope.user_id()).await?;
    let member = find_locked(transaction, organization, user_id).await?;
    if !caller.may_assign(member.role) || !caller.may_assign(role) {
        return Err(StoreError::Forbidden);
    }
    if role != OrganizationRole::Member && is_service(transaction, user_id).await? {
        return Err(StoreError::Conflict {
            code: "service_account",
            detail: "a service account is always an ordinary member".to_owned(),
        });
    }
    if member.role == OrganizationRole::Owner && role != OrganizationRole::Owner {
        owners::keep_one(transaction, organization, user_id).await?;
    }
    execute(
        transaction,
        "UPDATE memberships SET role = $3 WHERE organization_id = $1 AND user_id = $2",
        [
            organization.0.into(),
            user_id.0.into(),
            role.as_str().into(),
        ],
    )
    .await?;
    Ok(Member { role, ..member })
}

async fn is_service(db: &impl ConnectionTrait, user_id: UserId) -> Result<bool, StoreError> {
    // Deactivated people are people.
    let row = user::Entity::find_by_id(user_id.0)
        .filter(user::Column::Kind.eq(AccountKind::Service.as_str()))
        .one(db)
        .await?;
    Ok(row.is_some())
}

/// Removes a member, and with the membership the person's roles in projects and teams. Anybody may
/// leave; others take a role that may assign the member's. Run it in a transaction.
///
/// # Errors
/// [`StoreError::NotFound`] when the person is no member, [`StoreError::Forbidden`],
/// [`StoreError::Conflict`] `last_owner`.
pub async fn remove(
    transaction: &impl ConnectionTrait,
    scope: &OrganizationScope,
    user_id: UserId,
) -> Result<Member, StoreError> {
    let organization = scope.organization_id();
    let caller = current_role(transaction, organization, scope.user_id()).await?;
    let member = find_locked(transaction, organization, user_id).await?;
    if user_id != scope.user_id() && !caller.may_assign(member.role) {
        return Err(StoreError::Forbidden);
    }
    if member.role == OrganizationRole::Owner {
        owners::keep_one(transaction, organization, user_id).await?;
    }
    execute(
        transaction,
        "DELETE FROM memberships WHERE organization_id = $1 AND user_id = $2",
        [organization.0.into(), user_id.0.into()],
    )
    .await?;
    // A service account is nothing outside its organization.
    execute(
        transaction,
        "DELETE FROM users WHERE id = $1 AND kind = 'service'",
        [user_id.0.into()],
    )
    .await?;
    Ok(member)
}

/// The caller's role as it is inside the transaction: it may have changed since the scope was made.
async fn current_role(
    transaction: &impl ConnectionTrait,
    organization: OrganizationId,
    caller: UserId,
) -> Result<OrganizationRole, StoreError> {
    match find_in(transaction, organization, caller).await {
        Ok(member) => Ok(member.role),
        Err(StoreError::NotFound(_)) => Err(StoreError::Forbidden),
        Err(error) => Err(error),
    }
}

/// Locks the member's row together with those of all owners, in one order for everybody.
async fn find_locked(
    transaction: &impl ConnectionTrait,
    organization: OrganizationId,
    user_id: UserId,
) -> Result<Member, StoreError> {
    let text = format!(
        "SELECT user_id FROM memberships WHERE organization_id = $1 \
         AND (user_id = $2 OR role = 'owner') ORDER BY user_id{}",
        locking(transaction, " FOR UPDATE")
    );
    let values = [organization.0.into(), user_id.0.into()];
    transaction
        .query_all_raw(statement(transaction, &text, values))
        .await?;
    find_in(transaction, organization, user_id).await
}

pub(super) async fn find_in(
    db: &impl ConnectionTrait,
    organization: OrganizationId,
    user_id: UserId,
) -> Result<Member, StoreError> {
    of(organization)
        .filter(membership::Column::UserId.eq(user_id.0))
        .into_model::<Row>()
        .one(db)
        .await?
        .ok_or(StoreError::NotFound("member"))?
        .read()
}

fn of(organization: OrganizationId) -> sea_orm::Select<membership::Entity> {
    let person = membership::Entity::belongs_to(user::Entity)
        .from(membership::Column::UserId)
        .to(user::Column::Id);
    membership::Entity::find()
        .select_only()
        .columns([membership::Column::UserId, membership::Column::Role])
        .column_as(membership::Column::CreatedAt, "joined_at")
        .columns([
            user::Column::Name,
            user::Column::Email,
            user::Column::DeactivatedAt,
        ])
        .join(JoinType::InnerJoin, person.into())
        .filter(membership::Column::OrganizationId.eq(organization.0))
}

impl Row {
    fn read(self) -> Result<Member, StoreError> {
        Ok(Member {
            user_id: UserId(self.user_id),
            name: self.name,
            email: self.email,
            role: OrganizationRole::parse(&self.role).ok_or(StoreError::Corrupt("role"))?,
            is_active: self.deactivated_at.is_none(),
            joined_at: self.joined_at,
        })
    }
}
