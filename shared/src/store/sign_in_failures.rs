//! Failed attempts to sign in, counted for all processes together.
//!
//! An attempt counts as failed from its beginning; success takes it back. So guesses that run side by
//! side are all counted before the first of them is answered. Accounts are counted by a hash of the
//! address that was typed, whether or not the account exists.

use chrono::{DateTime, Duration, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use super::{
    StoreError,
    entities::sign_in_failure::{ActiveModel, Column, Entity, Model},
};

/// What is counted together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FailureKey(pub String);

/// When waiting begins, and how it grows.
#[derive(Debug, Clone, Copy)]
pub struct LockOut {
    /// Failures that cost nothing.
    pub free_failures: u32,
    /// The first wait; each further failure doubles it.
    pub first_wait: Duration,
    pub longest_wait: Duration,
    /// Failures older than this are forgotten when nothing has followed.
    pub memory: Duration,
}

/// A year of waiting, when the first wait is half a minute.
const MAX_DOUBLINGS: i32 = 20;

impl LockOut {
    /// How long nobody may try after so many failures.
    #[must_use]
    pub fn wait_after(&self, failures: i64) -> Option<Duration> {
        let beyond = failures - i64::from(self.free_failures);
        if beyond < 1 {
            return None;
        }
        let doublings = i32::try_from(beyond - 1)
            .map_or(MAX_DOUBLINGS, |more| std::cmp::min(more, MAX_DOUBLINGS));
        let wait = self.first_wait * (1 << doublings);
        Some(std::cmp::min(wait, self.longest_wait))
    }
}

/// Counts one attempt as failed. While a wait goes on nothing is counted and the time left is
/// returned. Run it in a transaction, keys in the same order everywhere.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn begin_attempt(
    db: &impl ConnectionTrait,
    key: &FailureKey,
    rules: LockOut,
) -> Result<Option<Duration>, StoreError> {
    let now = Utc::now();
    let row = locked(db, key, now).await?;
    if let Some(until) = row.blocked_until.filter(|until| *until > now) {
        return Ok(Some(until - now));
    }
    let is_old = now - row.last_failed_at > rules.memory;
    let failures = if is_old { 1 } else { row.failures + 1 };
    let blocked_until = rules.wait_after(failures).map(|wait| now + wait);
    Entity::update_many()
        .col_expr(Column::Failures, Expr::value(failures))
        .col_expr(Column::LastFailedAt, Expr::value(now))
        .col_expr(Column::BlockedUntil, Expr::value(blocked_until))
        .filter(Column::Key.eq(&key.0))
        .exec(db)
        .await?;
    Ok(None)
}

/// Forgets all failures of a key.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn forget(db: &impl ConnectionTrait, key: &FailureKey) -> Result<(), StoreError> {
    Entity::delete_by_id(key.0.clone()).exec(db).await?;
    Ok(())
}

/// Takes one attempt back, and the wait that it began.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn take_back(db: &impl ConnectionTrait, key: &FailureKey) -> Result<(), StoreError> {
    Entity::update_many()
        .col_expr(Column::Failures, Expr::col(Column::Failures).sub(1))
        .col_expr(Column::BlockedUntil, Expr::value(None::<DateTime<Utc>>))
        .filter(Column::Key.eq(&key.0))
        .filter(Column::Failures.gt(0))
        .exec(db)
        .await?;
    Ok(())
}

/// Removes counters that nothing was added to since `before`.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn remove_old(
    db: &impl ConnectionTrait,
    before: DateTime<Utc>,
) -> Result<(), StoreError> {
    Entity::delete_many()
        .filter(Column::LastFailedAt.lt(before))
        .exec(db)
        .await?;
    Ok(())
}

/// The key's row, which no other transaction changes until this one ends.
async fn locked(
    db: &impl ConnectionTrait,
    key: &FailureKey,
    now: DateTime<Utc>,
) -> Result<Model, StoreError> {
    let row = ActiveModel {
        key: Set(key.0.clone()),
        failures: Set(0),
        last_failed_at: Set(now),
        blocked_until: Set(None),
    };
    Entity::insert(row)
        .on_conflict(
            OnConflict::column(Column::Key)
                .value(Column::Key, Expr::value(key.0.clone()))
                .to_owned(),
        )
        .exec_without_returning(db)
        .await?;
    Entity::find_by_id(key.0.clone())
        .one(db)
        .await?
        .ok_or(StoreError::Corrupt("sign-in failure"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_begin_after_the_free_failures_double_and_end_growing() {
        let rules = LockOut {
            free_failures: 5,
            first_wait: Duration::seconds(30),
            longest_wait: Duration::seconds(900),
            memory: Duration::days(1),
        };
        let seconds: Vec<_> = [0, 5, 6, 7, 10, 11, 12, 1_000_000, i64::MAX]
            .into_iter()
            .map(|failures| rules.wait_after(failures).map(|wait| wait.num_seconds()))
            .collect();
        let expected = [
            None,
            None,
            Some(30),
            Some(60),
            Some(480),
            Some(900),
            Some(900),
            Some(900),
            Some(900),
        ];
        assert_eq!(seconds, expected);
    }
}
