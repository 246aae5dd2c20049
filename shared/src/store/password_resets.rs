//! Links by which an administrator lets somebody set a new password. Only hashes are stored.

use chrono::{DateTime, Duration, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, sea_query::Expr,
};
use uuid::Uuid;

use super::{
    StoreError,
    entities::password_reset::{ActiveModel, Column, Entity},
};
use crate::domain::UserId;

/// A link that can be used now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordReset {
    pub id: Uuid,
    pub user_id: UserId,
}

/// Stores a link and ends the person's former ones. Run it in a transaction.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn create(
    db: &impl ConnectionTrait,
    user_id: UserId,
    created_by: UserId,
    token_hash: &str,
    lifetime: Duration,
) -> Result<DateTime<Utc>, StoreError> {
    end_all(db, user_id).await?;
    let now = Utc::now();
    let expires_at = now + lifetime;
    let row = ActiveModel {
        id: Set(Uuid::now_v7()),
        user_id: Set(user_id.0),
        created_by: Set(created_by.0),
        token_hash: Set(token_hash.to_owned()),
        created_at: Set(now),
        expires_at: Set(expires_at),
        used_at: Set(None),
    };
    Entity::insert(row).exec_without_returning(db).await?;
    Ok(expires_at)
}

/// The link with this hash, if it can still be used.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn find_open(
    db: &impl ConnectionTrait,
    token_hash: &str,
) -> Result<Option<PasswordReset>, StoreError> {
    let row = Entity::find()
        .filter(Column::TokenHash.eq(token_hash))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ExpiresAt.gt(Utc::now()))
        .one(db)
        .await?;
    Ok(row.map(|row| PasswordReset {
        id: row.id,
        user_id: UserId(row.user_id),
    }))
}

/// Uses a link up. No when somebody was faster.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn claim(db: &impl ConnectionTrait, reset: PasswordReset) -> Result<bool, StoreError> {
    let now = Utc::now();
    let claimed = Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(now))
        .filter(Column::Id.eq(reset.id))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .exec(db)
        .await?;
    Ok(claimed.rows_affected == 1)
}

/// Ends every open link of a person.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn end_all(db: &impl ConnectionTrait, user_id: UserId) -> Result<(), StoreError> {
    Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(Utc::now()))
        .filter(Column::UserId.eq(user_id.0))
        .filter(Column::UsedAt.is_null())
        .exec(db)
        .await?;
    Ok(())
}
