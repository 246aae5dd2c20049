//! Sign-ins as people see them: when, from where, with what; and ending them.
//!
//! A sign-in is live while one of its refresh tokens (`sessions`) is neither revoked nor expired.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Expr, SelectStatement},
};
use uuid::Uuid;

use super::{
    StoreError,
    entities::{
        session,
        sign_in::{ActiveModel, Column, Entity, Model},
    },
};
use crate::domain::{IdentityProviderId, OrganizationId, UserId};

/// Most sign-ins that one person is shown.
const MAX_LISTED: u64 = 200;
/// Longest user agent that is kept, in characters.
const MAX_USER_AGENT: usize = 200;

/// How somebody proved who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInMethod {
    Password,
    PasswordAndCode,
    /// The provider of an organization has vouched. The sign-in reaches this organization alone:
    /// whoever controls the provider must not become anybody's other self elsewhere.
    Provider(IdentityProviderId, OrganizationId),
}

impl SignInMethod {
    /// Stored and shown form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::PasswordAndCode => "password_and_code",
            Self::Provider(..) => "identity_provider",
        }
    }
}

/// Where a request comes from.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    pub address: String,
    /// Cut when it is long.
    pub user_agent: String,
}

/// A sign-in that goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignIn {
    pub id: Uuid,
    pub method: String,
    /// The one organization it reaches, when a provider has vouched.
    pub organization_id: Option<OrganizationId>,
    pub address: String,
    pub user_agent: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: DateTime<Utc>,
}

/// Stores where a new sign-in came from.
///
/// # Errors
/// [`StoreError`] of the database only.
pub(super) async fn insert(
    db: &impl ConnectionTrait,
    id: Uuid,
    user_id: UserId,
    method: SignInMethod,
    origin: &Origin,
) -> Result<(), StoreError> {
    let now = Utc::now();
    let (provider, organization) = match method {
        SignInMethod::Provider(provider, organization) => (Some(provider.0), Some(organization.0)),
        SignInMethod::Password | SignInMethod::PasswordAndCode => (None, None),
    };
    let row = ActiveModel {
        id: Set(id),
        user_id: Set(user_id.0),
        organization_id: Set(organization),
        identity_provider_id: Set(provider),
        method: Set(method.as_str().to_owned()),
        address: Set(origin.address.clone()),
        user_agent: Set(shortened(&origin.user_agent)),
        created_at: Set(now),
        last_used_at: Set(now),
    };
    Entity::insert(row).exec_without_returning(db).await?;
    Ok(())
}

/// Notes that a sign-in was renewed just now.
///
/// # Errors
/// [`StoreError`] of the database only.
pub(super) async fn touch(
    db: &impl ConnectionTrait,
    id: Uuid,
    origin: &Origin,
) -> Result<(), StoreError> {
    Entity::update_many()
        .col_expr(Column::LastUsedAt, Expr::value(Utc::now()))
        .col_expr(Column::Address, Expr::value(origin.address.clone()))
        .col_expr(
            Column::UserAgent,
            Expr::value(shortened(&origin.user_agent)),
        )
        .filter(Column::Id.eq(id))
        .exec(db)
        .await?;
    Ok(())
}

/// The sign-in, if it goes on.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn find_live(
    db: &impl ConnectionTrait,
    user_id: UserId,
    id: Uuid,
) -> Result<Option<SignIn>, StoreError> {
    let row = Entity::find_by_id(id)
        .filter(Column::UserId.eq(user_id.0))
        .filter(Column::Id.in_subquery(live_families(user_id)))
        .one(db)
        .await?;
    Ok(row.map(SignIn::from))
}

/// A person's sign-ins that go on, newest use first; only those that reach `within` alone, when it is
/// given.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn list(
    db: &impl ConnectionTrait,
    user_id: UserId,
    within: Option<OrganizationId>,
) -> Result<Vec<SignIn>, StoreError> {
    let mut query = Entity::find();
    if let Some(within) = within {
        query = query.filter(Column::OrganizationId.eq(within.0));
    }
    let rows = query
        .filter(Column::UserId.eq(user_id.0))
        .filter(Column::Id.in_subquery(live_families(user_id)))
        .order_by_desc(Column::LastUsedAt)
        .order_by_desc(Column::Id)
        .limit(MAX_LISTED)
        .all(db)
        .await?;
    Ok(rows.into_iter().map(SignIn::from).collect())
}

/// Ends one sign-in of a person.
///
/// # Errors
/// [`StoreError::NotFound`] when the person has no such sign-in, or it has ended.
pub async fn end(db: &impl ConnectionTrait, user_id: UserId, id: Uuid) -> Result<(), StoreError> {
    let ended = session::Entity::update_many()
        .col_expr(session::Column::RevokedAt, Expr::value(Utc::now()))
        .filter(session::Column::UserId.eq(user_id.0))
        .filter(session::Column::FamilyId.eq(id))
        .filter(session::Column::RevokedAt.is_null())
        .exec(db)
        .await?;
    match ended.rows_affected {
        0 => Err(StoreError::NotFound("session")),
        _ => Ok(()),
    }
}

/// Ends a person's sign-ins, all of them or all but one.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn end_all(
    db: &impl ConnectionTrait,
    user_id: UserId,
    except: Option<Uuid>,
) -> Result<(), StoreError> {
    let mut update = session::Entity::update_many()
        .col_expr(session::Column::RevokedAt, Expr::value(Utc::now()))
        .filter(session::Column::UserId.eq(user_id.0))
        .filter(session::Column::RevokedAt.is_null());
    if let Some(except) = except {
        update = update.filter(session::Column::FamilyId.ne(except));
    }
    update.exec(db).await?;
    Ok(())
}

/// Ends every sign-in that a provider has vouched for.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn end_of_provider(
    db: &impl ConnectionTrait,
    organization: OrganizationId,
    provider: IdentityProviderId,
) -> Result<(), StoreError> {
    let families = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::IdentityProviderId.eq(provider.0))
        .filter(Column::OrganizationId.eq(organization.0))
        .into_query();
    session::Entity::update_many()
        .col_expr(session::Column::RevokedAt, Expr::value(Utc::now()))
        .filter(session::Column::FamilyId.in_subquery(families))
        .filter(session::Column::RevokedAt.is_null())
        .exec(db)
        .await?;
    Ok(())
}

/// Removes what has no token left.
///
/// # Errors
/// [`StoreError`] of the database only.
pub(super) async fn remove_ended(db: &impl ConnectionTrait) -> Result<(), StoreError> {
    let families = session::Entity::find()
        .select_only()
        .column(session::Column::FamilyId)
        .into_query();
    Entity::delete_many()
        .filter(Column::Id.not_in_subquery(families))
        .exec(db)
        .await?;
    Ok(())
}

fn live_families(user_id: UserId) -> SelectStatement {
    session::Entity::find()
        .select_only()
        .column(session::Column::FamilyId)
        .filter(session::Column::UserId.eq(user_id.0))
        .filter(session::Column::RevokedAt.is_null())
        .filter(session::Column::ExpiresAt.gt(Utc::now()))
        .into_query()
}

fn shortened(user_agent: &str) -> String {
    user_agent
        .chars()
        .filter(|character| !character.is_control())
        .take(MAX_USER_AGENT)
        .collect()
}

impl From<Model> for SignIn {
    fn from(row: Model) -> Self {
        Self {
            id: row.id,
            method: row.method,
            organization_id: row.organization_id.map(OrganizationId),
            address: row.address,
            user_agent: row.user_agent,
            created_at: row.created_at,
            last_used_at: row.last_used_at,
        }
    }
}
