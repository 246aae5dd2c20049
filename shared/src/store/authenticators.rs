//! Authenticators (TOTP), their recovery codes, and sign-ins that wait for a code.
//!
//! Secrets come sealed; recovery codes and challenges come as hashes.

use chrono::{DateTime, Duration, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter,
    sea_query::{Expr, ExprTrait},
};
use uuid::Uuid;

use super::{
    StoreError,
    entities::{recovery_code, sign_in_challenge, totp_secret},
};
use crate::domain::UserId;

/// Somebody's authenticator.
#[derive(Debug, Clone)]
pub struct Authenticator {
    /// Sealed.
    pub secret: Vec<u8>,
    /// Since when sign-ins need a code; not before the first right one.
    pub confirmed_at: Option<DateTime<Utc>>,
}

/// A sign-in whose password was right.
#[derive(Debug, Clone, Copy)]
pub struct Challenge {
    pub id: Uuid,
    pub user_id: UserId,
}

/// The person's authenticator, confirmed or not.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn find(
    db: &impl ConnectionTrait,
    user_id: UserId,
) -> Result<Option<Authenticator>, StoreError> {
    let row = totp_secret::Entity::find_by_id(user_id.0).one(db).await?;
    Ok(row.map(|row| Authenticator {
        secret: row.secret,
        confirmed_at: row.confirmed_at,
    }))
}

/// Stores a new secret, which waits for its first code. Replaces one that was never confirmed. Run it
/// in a transaction.
///
/// # Errors
/// [`StoreError::Conflict`] `totp_enabled` when a confirmed one exists.
pub async fn begin(
    db: &impl ConnectionTrait,
    user_id: UserId,
    sealed: Vec<u8>,
) -> Result<(), StoreError> {
    totp_secret::Entity::delete_many()
        .filter(totp_secret::Column::UserId.eq(user_id.0))
        .filter(totp_secret::Column::ConfirmedAt.is_null())
        .exec(db)
        .await?;
    if find(db, user_id).await?.is_some() {
        return Err(StoreError::Conflict {
            code: "totp_enabled",
            detail: "an authenticator is set up already".to_owned(),
        });
    }
    let row = totp_secret::ActiveModel {
        user_id: Set(user_id.0),
        secret: Set(sealed),
        last_step: Set(0),
        created_at: Set(Utc::now()),
        confirmed_at: Set(None),
    };
    totp_secret::Entity::insert(row)
        .exec_without_returning(db)
        .await?;
    Ok(())
}

/// Uses a time step up. No when it, or a later one, was used before: a code is good once.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn use_step(
    db: &impl ConnectionTrait,
    user_id: UserId,
    step: i64,
) -> Result<bool, StoreError> {
    let used = totp_secret::Entity::update_many()
        .col_expr(totp_secret::Column::LastStep, Expr::value(step))
        .filter(totp_secret::Column::UserId.eq(user_id.0))
        .filter(totp_secret::Column::LastStep.lt(step))
        .exec(db)
        .await?;
    Ok(used.rows_affected == 1)
}

/// From now on sign-ins need a code.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn confirm(db: &impl ConnectionTrait, user_id: UserId) -> Result<(), StoreError> {
    totp_secret::Entity::update_many()
        .col_expr(totp_secret::Column::ConfirmedAt, Expr::value(Utc::now()))
        .filter(totp_secret::Column::UserId.eq(user_id.0))
        .filter(totp_secret::Column::ConfirmedAt.is_null())
        .exec(db)
        .await?;
    Ok(())
}

/// Removes the authenticator, its recovery codes and the sign-ins that wait for a code. Run it in a
/// transaction.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn remove(db: &impl ConnectionTrait, user_id: UserId) -> Result<(), StoreError> {
    totp_secret::Entity::delete_by_id(user_id.0)
        .exec(db)
        .await?;
    replace_recovery_codes(db, user_id, Vec::new()).await?;
    sign_in_challenge::Entity::delete_many()
        .filter(sign_in_challenge::Column::UserId.eq(user_id.0))
        .exec(db)
        .await?;
    Ok(())
}

/// Replaces the recovery codes. Run it in a transaction.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn replace_recovery_codes(
    db: &impl ConnectionTrait,
    user_id: UserId,
    hashes: Vec<String>,
) -> Result<(), StoreError> {
    recovery_code::Entity::delete_many()
        .filter(recovery_code::Column::UserId.eq(user_id.0))
        .exec(db)
        .await?;
    for hash in hashes {
        let row = recovery_code::ActiveModel {
            id: Set(Uuid::now_v7()),
            user_id: Set(user_id.0),
            code_hash: Set(hash),
            used_at: Set(None),
        };
        recovery_code::Entity::insert(row)
            .exec_without_returning(db)
            .await?;
    }
    Ok(())
}

/// Uses a recovery code up. No when there is none, or it was used before.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn use_recovery_code(
    db: &impl ConnectionTrait,
    user_id: UserId,
    hash: &str,
) -> Result<bool, StoreError> {
    let used = recovery_code::Entity::update_many()
        .col_expr(recovery_code::Column::UsedAt, Expr::value(Utc::now()))
        .filter(recovery_code::Column::UserId.eq(user_id.0))
        .filter(recovery_code::Column::CodeHash.eq(hash))
        .filter(recovery_code::Column::UsedAt.is_null())
        .exec(db)
        .await?;
    Ok(used.rows_affected == 1)
}

/// Recovery codes that can still be used.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn recovery_codes_left(
    db: &impl ConnectionTrait,
    user_id: UserId,
) -> Result<u64, StoreError> {
    Ok(recovery_code::Entity::find()
        .filter(recovery_code::Column::UserId.eq(user_id.0))
        .filter(recovery_code::Column::UsedAt.is_null())
        .count(db)
        .await?)
}

/// Stores a sign-in that waits for its code.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn challenge(
    db: &impl ConnectionTrait,
    user_id: UserId,
    token_hash: &str,
    lifetime: Duration,
) -> Result<(), StoreError> {
    let now = Utc::now();
    sign_in_challenge::Entity::delete_many()
        .filter(sign_in_challenge::Column::ExpiresAt.lt(now))
        .exec(db)
        .await?;
    let row = sign_in_challenge::ActiveModel {
        id: Set(Uuid::now_v7()),
        user_id: Set(user_id.0),
        token_hash: Set(token_hash.to_owned()),
        attempts: Set(0),
        expires_at: Set(now + lifetime),
    };
    sign_in_challenge::Entity::insert(row)
        .exec_without_returning(db)
        .await?;
    Ok(())
}

/// The sign-in with this hash, for one more of at most `most` attempts.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn attempt(
    db: &impl ConnectionTrait,
    token_hash: &str,
    most: i64,
) -> Result<Option<Challenge>, StoreError> {
    let attempts = sign_in_challenge::Column::Attempts;
    let counted = sign_in_challenge::Entity::update_many()
        .col_expr(attempts, Expr::col(attempts).add(1))
        .filter(sign_in_challenge::Column::TokenHash.eq(token_hash))
        .filter(sign_in_challenge::Column::ExpiresAt.gt(Utc::now()))
        .filter(attempts.lt(most))
        .exec(db)
        .await?;
    if counted.rows_affected == 0 {
        return Ok(None);
    }
    let row = sign_in_challenge::Entity::find()
        .filter(sign_in_challenge::Column::TokenHash.eq(token_hash))
        .one(db)
        .await?;
    Ok(row.map(|row| Challenge {
        id: row.id,
        user_id: UserId(row.user_id),
    }))
}

/// Uses a challenge up. No when somebody was faster.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn finish(db: &impl ConnectionTrait, challenge: Challenge) -> Result<bool, StoreError> {
    let removed = sign_in_challenge::Entity::delete_by_id(challenge.id)
        .exec(db)
        .await?;
    Ok(removed.rows_affected == 1)
}
