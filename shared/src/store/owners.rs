//! Nobody is left alone: an organization keeps an owner who can sign in, and the instance an
//! administrator.

use sea_orm::ConnectionTrait;
use uuid::Uuid;

use super::{
    StoreError,
    sql::{locking, statement},
};
use crate::domain::{OrganizationId, UserId};

/// Refuses to go on when the person is the last owner of the organization who can sign in. Its owners
/// stay locked until the transaction ends, so that two of them cannot leave at once.
///
/// # Errors
/// [`StoreError::Conflict`] `last_owner`.
pub(super) async fn keep_one(
    transaction: &impl ConnectionTrait,
    organization_id: OrganizationId,
    leaving: UserId,
) -> Result<(), StoreError> {
    let text = format!(
        "SELECT user_id FROM memberships WHERE organization_id = $1 AND role = 'owner' \
         ORDER BY user_id{}",
        locking(transaction, " FOR UPDATE")
    );
    let values = [organization_id.0.into()];
    transaction
        .query_all_raw(statement(transaction, &text, values))
        .await?;
    // A statement of its own: it sees what was committed while the locks were waited for.
    let text = "SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id \
                WHERE m.organization_id = $1 AND m.role = 'owner' AND m.user_id <> $2 \
                AND u.deactivated_at IS NULL LIMIT 1";
    let values = [organization_id.0.into(), leaving.0.into()];
    let other = transaction
        .query_one_raw(statement(transaction, text, values))
        .await?;
    if other.is_some() {
        return Ok(());
    }
    Err(StoreError::Conflict {
        code: "last_owner",
        detail: "the organization needs another owner first".to_owned(),
    })
}

/// The same for every organization that the person owns.
///
/// # Errors
/// [`StoreError::Conflict`] `last_owner`.
pub(super) async fn keep_one_everywhere(
    transaction: &impl ConnectionTrait,
    leaving: UserId,
) -> Result<(), StoreError> {
    let text = "SELECT m.organization_id FROM memberships m \
                JOIN organizations o ON o.id = m.organization_id AND o.deleting_at IS NULL \
                WHERE m.user_id = $1 AND m.role = 'owner' ORDER BY m.organization_id";
    let rows = transaction
        .query_all_raw(statement(transaction, text, [leaving.0.into()]))
        .await?;
    for row in rows {
        let organization: Uuid = row.try_get("", "organization_id")?;
        keep_one(transaction, OrganizationId(organization), leaving).await?;
    }
    Ok(())
}

/// Refuses to go on when the person is the last administrator of the instance who can sign in. The
/// caller has locked the accounts of all of them.
///
/// # Errors
/// [`StoreError::Conflict`] `last_administrator`.
pub(super) async fn keep_one_administrator(
    transaction: &impl ConnectionTrait,
    leaving: UserId,
) -> Result<(), StoreError> {
    let text = "SELECT 1 FROM users WHERE is_instance_administrator \
                AND deactivated_at IS NULL AND id <> $1 LIMIT 1";
    let other = transaction
        .query_one_raw(statement(transaction, text, [leaving.0.into()]))
        .await?;
    if other.is_some() {
        return Ok(());
    }
    Err(StoreError::Conflict {
        code: "last_administrator",
        detail: "the instance needs another administrator first".to_owned(),
    })
}
