//! Accounts of the whole instance, as its administrators see them: deactivated ones too.

use chrono::{DateTime, Utc};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::{
    Page, Paged, StoreError,
    entities::user::{Column, Entity, Model},
    owners,
    sql::{execute, locking, statement},
};
use crate::domain::UserId;

/// Somebody's account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub is_instance_administrator: bool,
    pub created_at: DateTime<Utc>,
    /// Since when it cannot be used.
    pub deactivated_at: Option<DateTime<Utc>>,
}

/// What may be changed about an account; `None` leaves it.
#[derive(Debug, Clone, Default)]
pub struct AccountChange {
    pub name: Option<String>,
    pub is_instance_administrator: Option<bool>,
}

/// All accounts, oldest first.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn list(
    db: &impl ConnectionTrait,
    page: Page<UserId>,
) -> Result<Paged<Account, UserId>, StoreError> {
    let mut query = Entity::find()
        .order_by_asc(Column::Id)
        .limit(page.limit + 1);
    if let Some(after) = page.after {
        query = query.filter(Column::Id.gt(after.0));
    }
    let rows = query.all(db).await?;
    let items: Vec<Account> = rows.into_iter().map(Account::from).collect();
    Ok(Paged::from_rows(items, page.limit, |item| item.id))
}

/// One account.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none with this id.
pub async fn get(db: &impl ConnectionTrait, id: UserId) -> Result<Account, StoreError> {
    let row = Entity::find_by_id(id.0).one(db).await?;
    row.map(Account::from).ok_or(StoreError::NotFound("user"))
}

/// Changes an account. Run it in a transaction.
///
/// # Errors
/// [`StoreError::NotFound`]; [`StoreError::Conflict`] `last_administrator`.
pub async fn change(
    transaction: &impl ConnectionTrait,
    id: UserId,
    change: AccountChange,
) -> Result<Account, StoreError> {
    let AccountChange {
        name,
        is_instance_administrator,
    } = change;
    let account = get_locked(transaction, id).await?;
    let is_administrator = is_instance_administrator.unwrap_or(account.is_instance_administrator);
    if account.is_instance_administrator && !is_administrator {
        owners::keep_one_administrator(transaction, id).await?;
    }
    let name = name.unwrap_or_else(|| account.name.clone());
    execute(
        transaction,
        "UPDATE users SET name = $2, is_instance_administrator = $3 WHERE id = $1",
        [id.0.into(), name.into(), is_administrator.into()],
    )
    .await?;
    get(transaction, id).await
}

/// Ends the use of an account now: every sign-in ends, and its tokens are refused. Being deactivated
/// already is fine. Run it in a transaction.
///
/// # Errors
/// [`StoreError::NotFound`]; [`StoreError::Conflict`] `last_owner` or `last_administrator`.
pub async fn deactivate(
    transaction: &impl ConnectionTrait,
    id: UserId,
) -> Result<Account, StoreError> {
    let account = get_locked(transaction, id).await?;
    if account.deactivated_at.is_some() {
        return Ok(account);
    }
    keep_others(transaction, &account).await?;
    let now = Some(Utc::now());
    execute(
        transaction,
        "UPDATE users SET deactivated_at = $2 WHERE id = $1",
        [id.0.into(), now.into()],
    )
    .await?;
    execute(
        transaction,
        "UPDATE sessions SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL",
        [id.0.into(), now.into()],
    )
    .await?;
    get(transaction, id).await
}

/// Lets a deactivated account be used again, with the memberships that it still has; it signs in
/// anew.
///
/// # Errors
/// [`StoreError::NotFound`].
pub async fn reactivate(db: &impl ConnectionTrait, id: UserId) -> Result<Account, StoreError> {
    execute(
        db,
        "UPDATE users SET deactivated_at = NULL WHERE id = $1",
        [id.0.into()],
    )
    .await?;
    get(db, id).await
}

/// Removes an account with its memberships, sign-ins and tokens. Run it in a transaction.
///
/// # Errors
/// [`StoreError::NotFound`]; [`StoreError::Conflict`] `last_owner` or `last_administrator`.
pub async fn delete(transaction: &impl ConnectionTrait, id: UserId) -> Result<Account, StoreError> {
    let account = get_locked(transaction, id).await?;
    keep_others(transaction, &account).await?;
    execute(
        transaction,
        "DELETE FROM users WHERE id = $1",
        [id.0.into()],
    )
    .await?;
    Ok(account)
}

async fn keep_others(
    transaction: &impl ConnectionTrait,
    account: &Account,
) -> Result<(), StoreError> {
    owners::keep_one_everywhere(transaction, account.id).await?;
    if account.is_instance_administrator && account.deactivated_at.is_none() {
        owners::keep_one_administrator(transaction, account.id).await?;
    }
    Ok(())
}

/// Locks the account together with those of all administrators, in one order for everybody.
async fn get_locked(transaction: &impl ConnectionTrait, id: UserId) -> Result<Account, StoreError> {
    let text = format!(
        "SELECT id FROM users WHERE id = $1 OR is_instance_administrator ORDER BY id{}",
        locking(transaction, " FOR UPDATE")
    );
    transaction
        .query_all_raw(statement(transaction, &text, [id.0.into()]))
        .await?;
    get(transaction, id).await
}

impl From<Model> for Account {
    fn from(row: Model) -> Self {
        Self {
            id: UserId(row.id),
            email: row.email,
            name: row.name,
            is_instance_administrator: row.is_instance_administrator,
            created_at: row.created_at,
            deactivated_at: row.deactivated_at,
        }
    }
}
