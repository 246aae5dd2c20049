//! People who sign in at a provider: sign-ins under way, who they are here, and what their groups
//! make them.

use std::collections::BTreeSet;

use chrono::{DateTime, Duration, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::{Expr, OnConflict},
};

use super::{
    StoreError,
    entities::{federated_identity, membership, oidc_request, team_member},
    identity_providers::IdentityProvider,
    organizations,
};
use crate::domain::{IdentityProviderId, OrganizationRole, UserId};

/// A sign-in that is under way at a provider.
#[derive(Debug, Clone)]
pub struct Request {
    pub provider_id: IdentityProviderId,
    /// Hash of the secret in the browser's cookie.
    pub browser_hash: String,
    /// Where to go in the dashboard afterwards.
    pub redirect: String,
    pub expires_at: DateTime<Utc>,
}

/// Stores a sign-in that begins.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn begin(
    db: &impl ConnectionTrait,
    state_hash: &str,
    provider_id: IdentityProviderId,
    browser_hash: &str,
    redirect: &str,
    lifetime: Duration,
) -> Result<(), StoreError> {
    let now = Utc::now();
    oidc_request::Entity::delete_many()
        .filter(oidc_request::Column::ExpiresAt.lt(now))
        .exec(db)
        .await?;
    let row = oidc_request::ActiveModel {
        state_hash: Set(state_hash.to_owned()),
        identity_provider_id: Set(provider_id.0),
        browser_hash: Set(browser_hash.to_owned()),
        redirect: Set(redirect.to_owned()),
        expires_at: Set(now + lifetime),
    };
    oidc_request::Entity::insert(row)
        .exec_without_returning(db)
        .await?;
    Ok(())
}

/// The sign-in with this state, which is used up by it, whatever comes of it.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn take(
    db: &impl ConnectionTrait,
    state_hash: &str,
) -> Result<Option<Request>, StoreError> {
    let row = oidc_request::Entity::find_by_id(state_hash.to_owned())
        .one(db)
        .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let removed = oidc_request::Entity::delete_by_id(state_hash.to_owned())
        .exec(db)
        .await?;
    let is_good = removed.rows_affected == 1 && row.expires_at > Utc::now();
    Ok(is_good.then_some(Request {
        provider_id: IdentityProviderId(row.identity_provider_id),
        browser_hash: row.browser_hash,
        redirect: row.redirect,
        expires_at: row.expires_at,
    }))
}

/// The account that is linked to a provider's person.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn find_user(
    db: &impl ConnectionTrait,
    issuer: &str,
    subject: &str,
) -> Result<Option<UserId>, StoreError> {
    let key = (issuer.to_owned(), subject.to_owned());
    let row = federated_identity::Entity::find_by_id(key).one(db).await?;
    Ok(row.map(|row| UserId(row.user_id)))
}

/// Links a provider's person to an account, or notes that the link was used.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn link(
    db: &impl ConnectionTrait,
    issuer: &str,
    subject: &str,
    user_id: UserId,
) -> Result<(), StoreError> {
    let now = Utc::now();
    let row = federated_identity::ActiveModel {
        issuer: Set(issuer.to_owned()),
        subject: Set(subject.to_owned()),
        user_id: Set(user_id.0),
        created_at: Set(now),
        last_used_at: Set(now),
    };
    federated_identity::Entity::insert(row)
        .on_conflict(
            OnConflict::columns([
                federated_identity::Column::Issuer,
                federated_identity::Column::Subject,
            ])
            .update_column(federated_identity::Column::LastUsedAt)
            .to_owned(),
        )
        .exec_without_returning(db)
        .await?;
    Ok(())
}

/// Makes the person a member, unless they are one. No when the provider adds no members.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn join(
    db: &impl ConnectionTrait,
    provider: &IdentityProvider,
    user_id: UserId,
) -> Result<bool, StoreError> {
    let key = (provider.organization_id.0, user_id.0);
    if membership::Entity::find_by_id(key).one(db).await?.is_some() {
        return Ok(true);
    }
    if !provider.settings.adds_members {
        return Ok(false);
    }
    let role = OrganizationRole::Member;
    organizations::add_member(db, provider.organization_id, user_id, role).await?;
    Ok(true)
}

/// Gives the member the role and the teams that their groups stand for, and takes away mapped ones
/// that they no longer stand for. Owners keep their role: no provider makes or unmakes one. Teams
/// that no group is mapped to are left alone. Run it in a transaction.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn apply_groups(
    db: &impl ConnectionTrait,
    provider: &IdentityProvider,
    user_id: UserId,
    groups: &BTreeSet<String>,
) -> Result<(), StoreError> {
    let mappings = &provider.settings.groups;
    let held = || {
        mappings
            .iter()
            .filter(|mapping| groups.contains(&mapping.group))
    };
    if mappings.iter().any(|mapping| mapping.role.is_some()) {
        let role = held().filter_map(|mapping| mapping.role).max();
        let role = role.map_or(OrganizationRole::Member, |role| {
            role.min(OrganizationRole::Administrator)
        });
        membership::Entity::update_many()
            .col_expr(membership::Column::Role, Expr::value(role.as_str()))
            .filter(membership::Column::OrganizationId.eq(provider.organization_id.0))
            .filter(membership::Column::UserId.eq(user_id.0))
            .filter(membership::Column::Role.ne(OrganizationRole::Owner.as_str()))
            .exec(db)
            .await?;
    }
    let given: BTreeSet<_> = held().filter_map(|mapping| mapping.team_id).collect();
    let mapped: BTreeSet<_> = mappings
        .iter()
        .filter_map(|mapping| mapping.team_id)
        .collect();
    for team in mapped.difference(&given) {
        team_member::Entity::delete_many()
            .filter(team_member::Column::OrganizationId.eq(provider.organization_id.0))
            .filter(team_member::Column::TeamId.eq(team.0))
            .filter(team_member::Column::UserId.eq(user_id.0))
            .exec(db)
            .await?;
    }
    for team in given {
        let key = (team.0, user_id.0);
        if team_member::Entity::find_by_id(key)
            .one(db)
            .await?
            .is_some()
        {
            continue;
        }
        let row = team_member::ActiveModel {
            organization_id: Set(provider.organization_id.0),
            team_id: Set(team.0),
            user_id: Set(user_id.0),
            created_at: Set(Utc::now()),
        };
        team_member::Entity::insert(row)
            .exec_without_returning(db)
            .await?;
    }
    Ok(())
}
