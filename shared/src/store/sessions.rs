//! Sign-ins: families of refresh tokens that replace each other.
//!
//! Only a token's hash is stored. A token is good for one use; using it again after the grace
//! period means that somebody else has it, and ends the whole family.

use chrono::{DateTime, Duration, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, sea_query::Expr,
};
use uuid::Uuid;

use super::{
    StoreError,
    entities::session::{ActiveModel, Column, Entity},
    sign_ins::{self, Origin, SignInMethod},
};
use crate::domain::{SessionId, UserId};

/// How long tokens live.
#[derive(Debug, Clone, Copy)]
pub struct SessionLifetimes {
    /// From issue to expiry of one token.
    pub token: Duration,
    /// In which a used token may be used again.
    pub grace: Duration,
}

/// A sign-in that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session {
    pub user_id: UserId,
    /// Shared by all tokens of one sign-in.
    pub family_id: Uuid,
}

/// What became of a presented refresh token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotation {
    /// The new token is stored; the old one is used up.
    Rotated(Session),
    /// Unknown, expired or revoked.
    Refused,
    /// Used before; its family has been revoked just now.
    Reused(Session),
}

/// Stores the first token of a new sign-in. Run it in a transaction.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn start(
    db: &impl ConnectionTrait,
    user_id: UserId,
    refresh_hash: &str,
    lifetimes: SessionLifetimes,
    method: SignInMethod,
    origin: &Origin,
) -> Result<Session, StoreError> {
    let session = Session {
        user_id,
        family_id: Uuid::now_v7(),
    };
    sign_ins::insert(db, session.family_id, user_id, method, origin).await?;
    insert(db, session, refresh_hash, lifetimes).await?;
    Ok(session)
}

/// Replaces the token with hash `old` by the one with hash `new`. Run it in a transaction.
///
/// # Errors
/// [`StoreError`] of the database only; a bad token is a [`Rotation`].
pub async fn rotate(
    db: &impl ConnectionTrait,
    old: &str,
    new: &str,
    lifetimes: SessionLifetimes,
    origin: &Origin,
) -> Result<Rotation, StoreError> {
    let now = Utc::now();
    let claimed = Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(now))
        .filter(Column::RefreshHash.eq(old))
        .filter(Column::UsedAt.is_null())
        .filter(Column::RevokedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .exec(db)
        .await?;
    let row = Entity::find()
        .filter(Column::RefreshHash.eq(old))
        .one(db)
        .await?;
    let Some(row) = row else {
        return Ok(Rotation::Refused);
    };
    let session = Session {
        user_id: UserId(row.user_id),
        family_id: row.family_id,
    };
    if row.revoked_at.is_some() || row.expires_at <= now {
        return Ok(Rotation::Refused);
    }
    let is_first_use = claimed.rows_affected == 1;
    let in_grace = |used_at: DateTime<Utc>| now - used_at < lifetimes.grace;
    if is_first_use || row.used_at.is_some_and(in_grace) {
        insert(db, session, new, lifetimes).await?;
        sign_ins::touch(db, session.family_id, origin).await?;
        return Ok(Rotation::Rotated(session));
    }
    revoke_family(db, session.family_id).await?;
    Ok(Rotation::Reused(session))
}

/// Ends the sign-in that the token belongs to, and returns it when it was going on. An unknown token
/// is fine.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn end(
    db: &impl ConnectionTrait,
    refresh_hash: &str,
) -> Result<Option<Session>, StoreError> {
    let found = Entity::find()
        .filter(Column::RefreshHash.eq(refresh_hash))
        .filter(Column::RevokedAt.is_null())
        .one(db)
        .await?;
    let Some(row) = found else {
        return Ok(None);
    };
    revoke_family(db, row.family_id).await?;
    Ok(Some(Session {
        user_id: UserId(row.user_id),
        family_id: row.family_id,
    }))
}

/// Removes tokens that expired, and sign-ins without any.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn remove_expired(db: &impl ConnectionTrait) -> Result<u64, StoreError> {
    let removed = Entity::delete_many()
        .filter(Column::ExpiresAt.lt(Utc::now()))
        .exec(db)
        .await?;
    if removed.rows_affected > 0 {
        sign_ins::remove_ended(db).await?;
    }
    Ok(removed.rows_affected)
}

async fn revoke_family(db: &impl ConnectionTrait, family: Uuid) -> Result<(), StoreError> {
    Entity::update_many()
        .col_expr(Column::RevokedAt, Expr::value(Utc::now()))
        .filter(Column::FamilyId.eq(family))
        .filter(Column::RevokedAt.is_null())
        .exec(db)
        .await?;
    Ok(())
}

async fn insert(
    db: &impl ConnectionTrait,
    session: Session,
    refresh_hash: &str,
    lifetimes: SessionLifetimes,
) -> Result<(), StoreError> {
    let now = Utc::now();
    let row = ActiveModel {
        id: Set(SessionId::generate().0),
        user_id: Set(session.user_id.0),
        family_id: Set(session.family_id),
        refresh_hash: Set(refresh_hash.to_owned()),
        created_at: Set(now),
        expires_at: Set(now + lifetimes.token),
        used_at: Set(None),
        revoked_at: Set(None),
    };
    Entity::insert(row).exec_without_returning(db).await?;
    Ok(())
}
