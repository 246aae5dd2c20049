//! API tokens: keys that programs use in the name of a member, never for more than the member may.
//!
//! A token belongs to one organization. Only the hash of its secret is stored. Whether it is still
//! good is read anew for every request, with the account and the membership behind it.

use std::collections::BTreeSet;

use chrono::{DateTime, Duration, Utc};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait},
};

use super::{
    Page, Paged, StoreError,
    entities::{
        api_token::{Column, Entity, Model},
        membership,
    },
    users::{self, User},
};
use crate::domain::{
    ApiTokenId, OrganizationId, OrganizationScope, Permission, ProjectId, TokenScope, UserId,
};

/// Last uses are written this often at most.
const USE_PERIOD: Duration = Duration::minutes(1);

/// A token without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiToken {
    pub id: ApiTokenId,
    pub organization_id: OrganizationId,
    pub user_id: UserId,
    pub name: String,
    pub scopes: BTreeSet<TokenScope>,
    /// `None` is good for every project that the member reaches.
    pub projects: Option<BTreeSet<ProjectId>>,
    /// Networks from which it may be used (`10.0.0.0/8`); `None` allows all.
    pub addresses: Option<Vec<String>>,
    /// What answers may cost a day. Stored; nothing that costs is offered yet.
    pub daily_spend_limit_cents: Option<i64>,
    pub created_by: UserId,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
}

impl ApiToken {
    /// What its scopes allow, before the member's own rights.
    #[must_use]
    pub fn permissions(&self) -> BTreeSet<Permission> {
        Permission::ALL
            .iter()
            .copied()
            .filter(|permission| self.scopes.contains(&permission.token_scope()))
            .collect()
    }
}

/// A token to store.
#[derive(Debug, Clone)]
pub struct NewApiToken {
    pub user_id: UserId,
    pub name: String,
    pub secret_hash: String,
    pub scopes: BTreeSet<TokenScope>,
    pub projects: Option<BTreeSet<ProjectId>>,
    pub addresses: Option<Vec<String>>,
    pub daily_spend_limit_cents: Option<i64>,
    pub expires_at: DateTime<Utc>,
}

/// Stores a token of a member of the scope's organization, made by the scope's holder. The caller
/// has checked that the holder may make tokens for this member.
///
/// # Errors
/// [`StoreError::Conflict`] `too_many_tokens` when the member has `most` that are good.
pub async fn create(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    new: NewApiToken,
    most: u64,
) -> Result<ApiToken, StoreError> {
    let now = Utc::now();
    let good = Entity::find()
        .filter(Column::OrganizationId.eq(scope.organization_id().0))
        .filter(Column::UserId.eq(new.user_id.0))
        .filter(Column::RevokedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .count(db)
        .await?;
    if good >= most {
        return Err(StoreError::Conflict {
            code: "too_many_tokens",
            detail: format!("there are {good} tokens already; revoke one first"),
        });
    }
    let scopes: Vec<&str> = new.scopes.iter().map(|scope| scope.as_str()).collect();
    let row = Model {
        id: ApiTokenId::generate().0,
        organization_id: scope.organization_id().0,
        user_id: new.user_id.0,
        name: new.name,
        secret_hash: new.secret_hash,
        scopes: json(&scopes)?,
        projects: new.projects.as_ref().map(json).transpose()?,
        addresses: new.addresses.as_ref().map(json).transpose()?,
        daily_spend_limit_cents: new.daily_spend_limit_cents,
        created_by: scope.user_id().0,
        created_at: now,
        expires_at: new.expires_at,
        last_used_at: None,
        revoked_at: None,
    };
    Entity::insert(row.clone().into_active_model().reset_all())
        .exec_without_returning(db)
        .await?;
    read(row)
}

/// The token with this id and secret, and whose it is; `None` when it is not good at this moment for
/// whatever reason.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn find_good(
    db: &impl ConnectionTrait,
    id: ApiTokenId,
    secret_hash: &str,
) -> Result<Option<(ApiToken, User)>, StoreError> {
    let row = Entity::find_by_id(id.0)
        .filter(Column::SecretHash.eq(secret_hash))
        .filter(Column::RevokedAt.is_null())
        .filter(Column::ExpiresAt.gt(Utc::now()))
        .one(db)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let member = membership::Entity::find_by_id((row.organization_id, row.user_id))
        .one(db)
        .await?;
    let user = users::find(db, UserId(row.user_id)).await?;
    let Some(user) = user.filter(|_| member.is_some()) else {
        return Ok(None);
    };
    Ok(Some((read(row)?, user)))
}

/// Whether the use of a token is worth writing down again.
#[must_use]
pub fn is_use_due(token: &ApiToken) -> bool {
    token
        .last_used_at
        .is_none_or(|used| Utc::now() - used >= USE_PERIOD)
}

/// Writes down that the token is used now, unless that has been done within a minute.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn mark_used(db: &impl ConnectionTrait, id: ApiTokenId) -> Result<(), StoreError> {
    let now = Utc::now();
    Entity::update_many()
        .col_expr(Column::LastUsedAt, Expr::value(now))
        .filter(Column::Id.eq(id.0))
        .filter(
            Column::LastUsedAt
                .is_null()
                .or(Column::LastUsedAt.lte(now - USE_PERIOD)),
        )
        .exec(db)
        .await?;
    Ok(())
}

/// Tokens of the scope's organization, oldest first, of one member or of all.
///
/// # Errors
/// [`StoreError`] of the database.
pub async fn list(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    member: Option<UserId>,
    page: Page<ApiTokenId>,
) -> Result<Paged<ApiToken, ApiTokenId>, StoreError> {
    let mut query = Entity::find().filter(Column::OrganizationId.eq(scope.organization_id().0));
    if let Some(member) = member {
        query = query.filter(Column::UserId.eq(member.0));
    }
    if let Some(after) = page.after {
        query = query.filter(Column::Id.gt(after.0));
    }
    let rows = query
        .order_by_asc(Column::Id)
        .limit(page.limit + 1)
        .all(db)
        .await?;
    let items = rows.into_iter().map(read).collect::<Result<_, _>>()?;
    Ok(Paged::from_rows(items, page.limit, |token: &ApiToken| {
        token.id
    }))
}

/// Ends a token of the scope's organization, of one member or of any; returns it.
///
/// # Errors
/// [`StoreError::NotFound`] when there is none, or it has been revoked.
pub async fn revoke(
    db: &impl ConnectionTrait,
    scope: &OrganizationScope,
    member: Option<UserId>,
    id: ApiTokenId,
) -> Result<ApiToken, StoreError> {
    let missing = || StoreError::NotFound("token");
    let row = Entity::find_by_id(id.0)
        .filter(Column::OrganizationId.eq(scope.organization_id().0))
        .filter(Column::RevokedAt.is_null())
        .one(db)
        .await?
        .filter(|row| member.is_none_or(|member| member.0 == row.user_id))
        .ok_or_else(missing)?;
    let changed = Entity::update_many()
        .col_expr(Column::RevokedAt, Expr::value(Utc::now()))
        .filter(Column::Id.eq(id.0))
        .filter(Column::RevokedAt.is_null())
        .exec(db)
        .await?;
    match changed.rows_affected {
        0 => Err(missing()),
        _ => read(row),
    }
}

fn json(value: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|_| StoreError::Corrupt("token"))
}

fn read(row: Model) -> Result<ApiToken, StoreError> {
    let corrupt = |_| StoreError::Corrupt("token");
    let scopes: Vec<String> = serde_json::from_str(&row.scopes).map_err(corrupt)?;
    let scopes = scopes.iter().map(|scope| TokenScope::parse(scope));
    let list = |text: Option<String>| text.map(|text| serde_json::from_str(&text)).transpose();
    Ok(ApiToken {
        id: ApiTokenId(row.id),
        organization_id: OrganizationId(row.organization_id),
        user_id: UserId(row.user_id),
        name: row.name,
        scopes: scopes
            .collect::<Option<_>>()
            .ok_or(StoreError::Corrupt("token"))?,
        projects: row
            .projects
            .map(|text| serde_json::from_str(&text))
            .transpose()
            .map_err(corrupt)?,
        addresses: list(row.addresses).map_err(corrupt)?,
        daily_spend_limit_cents: row.daily_spend_limit_cents,
        created_by: UserId(row.created_by),
        created_at: row.created_at,
        expires_at: row.expires_at,
        last_used_at: row.last_used_at,
        revoked_at: row.revoked_at,
    })
}
