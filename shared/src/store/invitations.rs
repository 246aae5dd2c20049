//! Offers to join an organization. Who holds the token may take the offer, once, in its time, and
//! only while whoever made it may still give the role: somebody who was removed leaves no way back.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use uuid::Uuid;

use super::{
    Page, Paged, StoreError,
    entities::invitation::{ActiveModel, Column, Entity, Model},
    members, organizations,
    sql::{execute, locking, statement},
};
use crate::domain::{InvitationId, OrganizationId, OrganizationRole, OrganizationScope, UserId};

/// An invitation to make.
#[derive(Debug, Clone)]
pub struct NewInvitation {
    pub role: OrganizationRole,
    /// Of the token; never the token.
    pub token_hash: String,
    pub note: Option<String>,
    pub expires_at: DateTime<Utc>,
}

/// What the holder of a token is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub invitation_id: InvitationId,
    pub organization_id: OrganizationId,
    pub organization: String,
    pub role: OrganizationRole,
    pub expires_at: DateTime<Utc>,
}

/// Makes an invitation to the scope's organization.
///
/// # Errors
/// [`StoreError::Forbidden`] when the caller's role cannot give the role.
pub async fn create(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    new: NewInvitation,
) -> Result<Model, StoreError> {
    if !scope.role().may_assign(new.role) {
        return Err(StoreError::Forbidden);
    }
    let row = ActiveModel {
        id: Set(InvitationId::generate().0),
        organization_id: Set(scope.organization_id().0),
        role: Set(new.role.as_str().to_owned()),
        token_hash: Set(new.token_hash),
        note: Set(new.note),
        created_by: Set(scope.user_id().0),
        created_at: Set(Utc::now()),
        expires_at: Set(new.expires_at),
        accepted_at: Set(None),
        accepted_by: Set(None),
        revoked_at: Set(None),
    };
    Ok(Entity::insert(row).exec_with_returning(db).await?)
}

/// The invitations of the scope's organization, used and ended ones too, newest first.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn list(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    page: Page<InvitationId>,
) -> Result<Paged<Model, InvitationId>, StoreError> {
    let mut query = Entity::find()
        .filter(Column::OrganizationId.eq(scope.organization_id().0))
        .order_by_desc(Column::Id)
        .limit(page.limit + 1);
    if let Some(after) = page.after {
        query = query.filter(Column::Id.lt(after.0));
    }
    let rows = query.all(db).await?;
    Ok(Paged::from_rows(rows, page.limit, |row| {
        InvitationId(row.id)
    }))
}

/// Ends an invitation that nobody has taken.
///
/// # Errors
/// [`StoreError::NotFound`] when the organization has no such invitation that is still open.
pub async fn revoke(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    id: InvitationId,
) -> Result<(), StoreError> {
    let sql = "UPDATE invitations SET revoked_at = $3 WHERE organization_id = $1 AND id = $2 \
               AND revoked_at IS NULL AND accepted_at IS NULL";
    let values = [
        scope.organization_id().0.into(),
        id.0.into(),
        Some(Utc::now()).into(),
    ];
    match execute(db, sql, values).await? {
        0 => Err(MISSING),
        _ => Ok(()),
    }
}

/// What the token with this hash offers now.
///
/// # Errors
/// [`StoreError::NotFound`] when it offers nothing: unknown, used, revoked or expired tokens cannot
/// be told apart.
pub async fn find(db: &impl ConnectionTrait, token_hash: &str) -> Result<Offer, StoreError> {
    offer(db, token_hash, "").await
}

/// Takes the offer: the person becomes a member. Run it in a transaction.
///
/// # Errors
/// [`StoreError::NotFound`] as for [`find`]; [`StoreError::Conflict`] `already_member`.
pub async fn accept(
    transaction: &impl ConnectionTrait,
    token_hash: &str,
    user_id: UserId,
) -> Result<Offer, StoreError> {
    let lock = locking(transaction, " FOR UPDATE OF i");
    let offer = offer(transaction, token_hash, lock).await?;
    let organization = offer.organization_id;
    match members::find_in(transaction, organization, user_id).await {
        Err(StoreError::NotFound(_)) => {}
        Ok(_) => {
            return Err(StoreError::Conflict {
                code: "already_member",
                detail: "this account belongs to the organization already".to_owned(),
            });
        }
        Err(error) => return Err(error),
    }
    let sql = "UPDATE invitations SET accepted_at = $2, accepted_by = $3 \
               WHERE id = $1 AND accepted_at IS NULL AND revoked_at IS NULL";
    let values = [
        offer.invitation_id.0.into(),
        Some(Utc::now()).into(),
        user_id.0.into(),
    ];
    if execute(transaction, sql, values).await? == 0 {
        return Err(MISSING);
    }
    organizations::add_member(transaction, organization, user_id, offer.role).await?;
    Ok(offer)
}

const MISSING: StoreError = StoreError::NotFound("invitation");

async fn offer(
    db: &impl ConnectionTrait,
    token_hash: &str,
    lock: &str,
) -> Result<Offer, StoreError> {
    let text = format!(
        "SELECT i.id, i.organization_id, o.name, i.role, i.expires_at, m.role AS inviter \
         FROM invitations i \
         JOIN organizations o ON o.id = i.organization_id AND o.deleting_at IS NULL \
         JOIN memberships m ON m.organization_id = i.organization_id AND m.user_id = i.created_by \
         JOIN users u ON u.id = i.created_by AND u.deactivated_at IS NULL \
         WHERE i.token_hash = $1 AND i.accepted_at IS NULL AND i.revoked_at IS NULL \
         AND i.expires_at > $2{lock}"
    );
    let values = [token_hash.into(), Utc::now().into()];
    let row = db
        .query_one_raw(statement(db, &text, values))
        .await?
        .ok_or(MISSING)?;
    let role = |column| {
        OrganizationRole::parse(&row.try_get::<String>("", column)?)
            .ok_or(StoreError::Corrupt("role"))
    };
    let offered = role("role")?;
    if !role("inviter")?.may_assign(offered) {
        return Err(MISSING);
    }
    Ok(Offer {
        invitation_id: InvitationId(row.try_get::<Uuid>("", "id")?),
        organization_id: OrganizationId(row.try_get::<Uuid>("", "organization_id")?),
        organization: row.try_get("", "name")?,
        role: offered,
        expires_at: row.try_get("", "expires_at")?,
    })
}
