//! Where an organization's people may sign in besides here, and what a provider's groups mean.
//!
//! The client secret comes sealed. Domains and groups are replaced as a whole with their provider.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, sea_query::Expr,
};
use uuid::Uuid;

use super::{
    StoreError,
    entities::{
        identity_provider, identity_provider_domain, identity_provider_group, organization, team,
    },
    sign_ins,
};
use crate::domain::{IdentityProviderId, OrganizationId, OrganizationRole, TeamId};

/// Most providers of one organization.
const MAX_PROVIDERS: usize = 50;

/// What members of a provider's group become here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupMapping {
    pub group: String,
    pub role: Option<OrganizationRole>,
    pub team_id: Option<TeamId>,
}

/// What an owner sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderSettings {
    pub name: String,
    pub issuer: String,
    pub client_id: String,
    /// In lower case. Only addresses of these domains come in.
    pub email_domains: Vec<String>,
    /// Claim that holds the names of a person's groups.
    pub group_claim: Option<String>,
    pub groups: Vec<GroupMapping>,
    /// Addresses count as verified even where the provider does not say so.
    pub trusts_email: bool,
    /// Whoever the provider vouches for becomes a member.
    pub adds_members: bool,
}

/// A provider of an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityProvider {
    pub id: IdentityProviderId,
    pub organization_id: OrganizationId,
    pub settings: ProviderSettings,
    /// Sealed.
    pub client_secret: Option<Vec<u8>>,
    pub created_at: DateTime<Utc>,
}

/// A provider as the sign-in page offers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub id: IdentityProviderId,
    pub name: String,
    pub organization_name: String,
}

/// All providers of an organization, oldest first.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn list(
    db: &impl ConnectionTrait,
    organization: OrganizationId,
) -> Result<Vec<IdentityProvider>, StoreError> {
    let rows = identity_provider::Entity::find()
        .filter(identity_provider::Column::OrganizationId.eq(organization.0))
        .order_by_asc(identity_provider::Column::Id)
        .all(db)
        .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        found.push(complete(db, row).await?);
    }
    Ok(found)
}

/// One provider of an organization.
///
/// # Errors
/// [`StoreError::NotFound`] when the organization has no such provider.
pub async fn find(
    db: &impl ConnectionTrait,
    organization: OrganizationId,
    id: IdentityProviderId,
) -> Result<IdentityProvider, StoreError> {
    let row = identity_provider::Entity::find_by_id(id.0)
        .filter(identity_provider::Column::OrganizationId.eq(organization.0))
        .one(db)
        .await?;
    let row = row.ok_or(StoreError::NotFound("identity provider"))?;
    complete(db, row).await
}

/// A provider, for somebody who is about to sign in there and belongs nowhere yet.
///
/// # Errors
/// [`StoreError::NotFound`].
pub async fn find_for_sign_in(
    db: &impl ConnectionTrait,
    id: IdentityProviderId,
) -> Result<IdentityProvider, StoreError> {
    let row = identity_provider::Entity::find_by_id(id.0).one(db).await?;
    let row = row.ok_or(StoreError::NotFound("identity provider"))?;
    complete(db, row).await
}

/// The providers that speak for a domain. Says nothing about accounts.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn for_domain(db: &impl ConnectionTrait, domain: &str) -> Result<Vec<Offer>, StoreError> {
    let ids: Vec<Uuid> = identity_provider_domain::Entity::find()
        .select_only()
        .column(identity_provider_domain::Column::IdentityProviderId)
        .filter(identity_provider_domain::Column::Domain.eq(domain.to_lowercase()))
        .order_by_asc(identity_provider_domain::Column::IdentityProviderId)
        .limit(MAX_PROVIDERS as u64)
        .into_tuple()
        .all(db)
        .await?;
    let mut offers = Vec::with_capacity(ids.len());
    for id in ids {
        let found = identity_provider::Entity::find_by_id(id).one(db).await?;
        let Some(provider) = found else { continue };
        let of = organization::Entity::find_by_id(provider.organization_id);
        if let Some(organization) = of.one(db).await? {
            offers.push(Offer {
                id: IdentityProviderId(provider.id),
                name: provider.name,
                organization_name: organization.name,
            });
        }
    }
    Ok(offers)
}

/// Adds a provider. Run it in a transaction.
///
/// # Errors
/// [`StoreError::NotFound`] for a team of another organization; [`StoreError::Conflict`]
/// `too_many_identity_providers`.
pub async fn create(
    db: &impl ConnectionTrait,
    organization: OrganizationId,
    id: IdentityProviderId,
    settings: &ProviderSettings,
    client_secret: Option<Vec<u8>>,
) -> Result<(), StoreError> {
    if list(db, organization).await?.len() >= MAX_PROVIDERS {
        return Err(StoreError::Conflict {
            code: "too_many_identity_providers",
            detail: format!("an organization has at most {MAX_PROVIDERS} identity providers"),
        });
    }
    let row = identity_provider::ActiveModel {
        id: Set(id.0),
        organization_id: Set(organization.0),
        name: Set(settings.name.clone()),
        issuer: Set(settings.issuer.clone()),
        client_id: Set(settings.client_id.clone()),
        client_secret: Set(client_secret),
        group_claim: Set(settings.group_claim.clone()),
        trusts_email: Set(settings.trusts_email),
        adds_members: Set(settings.adds_members),
        created_at: Set(Utc::now()),
    };
    identity_provider::Entity::insert(row)
        .exec_without_returning(db)
        .await?;
    fill(db, organization, id, settings).await
}

/// Replaces a provider's settings, and its secret when one is given. Run it in a transaction.
///
/// # Errors
/// [`StoreError::NotFound`] for a provider or team that is not the organization's.
pub async fn replace(
    db: &impl ConnectionTrait,
    organization: OrganizationId,
    id: IdentityProviderId,
    settings: &ProviderSettings,
    client_secret: Option<Vec<u8>>,
) -> Result<(), StoreError> {
    use identity_provider::Column;
    let mut update = identity_provider::Entity::update_many()
        .col_expr(Column::Name, Expr::value(settings.name.clone()))
        .col_expr(Column::Issuer, Expr::value(settings.issuer.clone()))
        .col_expr(Column::ClientId, Expr::value(settings.client_id.clone()))
        .col_expr(
            Column::GroupClaim,
            Expr::value(settings.group_claim.clone()),
        )
        .col_expr(Column::TrustsEmail, Expr::value(settings.trusts_email))
        .col_expr(Column::AddsMembers, Expr::value(settings.adds_members))
        .filter(Column::Id.eq(id.0))
        .filter(Column::OrganizationId.eq(organization.0));
    if client_secret.is_some() {
        update = update.col_expr(Column::ClientSecret, Expr::value(client_secret));
    }
    if update.exec(db).await?.rows_affected == 0 {
        return Err(StoreError::NotFound("identity provider"));
    }
    identity_provider_domain::Entity::delete_many()
        .filter(identity_provider_domain::Column::IdentityProviderId.eq(id.0))
        .exec(db)
        .await?;
    identity_provider_group::Entity::delete_many()
        .filter(identity_provider_group::Column::IdentityProviderId.eq(id.0))
        .exec(db)
        .await?;
    fill(db, organization, id, settings).await
}

/// Removes a provider and ends the sign-ins that it has vouched for. Run it in a transaction.
///
/// # Errors
/// [`StoreError::NotFound`] when the organization has no such provider.
pub async fn delete(
    db: &impl ConnectionTrait,
    organization: OrganizationId,
    id: IdentityProviderId,
) -> Result<(), StoreError> {
    sign_ins::end_of_provider(db, organization, id).await?;
    let removed = identity_provider::Entity::delete_by_id(id.0)
        .filter(identity_provider::Column::OrganizationId.eq(organization.0))
        .exec(db)
        .await?;
    match removed.rows_affected {
        0 => Err(StoreError::NotFound("identity provider")),
        _ => Ok(()),
    }
}

async fn fill(
    db: &impl ConnectionTrait,
    organization: OrganizationId,
    id: IdentityProviderId,
    settings: &ProviderSettings,
) -> Result<(), StoreError> {
    for domain in &settings.email_domains {
        let row = identity_provider_domain::ActiveModel {
            identity_provider_id: Set(id.0),
            domain: Set(domain.clone()),
        };
        identity_provider_domain::Entity::insert(row)
            .exec_without_returning(db)
            .await?;
    }
    for mapping in &settings.groups {
        if let Some(team_id) = mapping.team_id {
            let found = team::Entity::find_by_id(team_id.0)
                .filter(team::Column::OrganizationId.eq(organization.0))
                .one(db)
                .await?;
            found.ok_or(StoreError::NotFound("team"))?;
        }
        let row = identity_provider_group::ActiveModel {
            id: Set(Uuid::now_v7()),
            identity_provider_id: Set(id.0),
            group_name: Set(mapping.group.clone()),
            role: Set(mapping.role.map(|role| role.as_str().to_owned())),
            team_id: Set(mapping.team_id.map(Into::into)),
        };
        identity_provider_group::Entity::insert(row)
            .exec_without_returning(db)
            .await?;
    }
    Ok(())
}

async fn complete(
    db: &impl ConnectionTrait,
    row: identity_provider::Model,
) -> Result<IdentityProvider, StoreError> {
    let domains = identity_provider_domain::Entity::find()
        .filter(identity_provider_domain::Column::IdentityProviderId.eq(row.id))
        .order_by_asc(identity_provider_domain::Column::Domain)
        .all(db)
        .await?;
    let groups = identity_provider_group::Entity::find()
        .filter(identity_provider_group::Column::IdentityProviderId.eq(row.id))
        .order_by_asc(identity_provider_group::Column::Id)
        .all(db)
        .await?;
    let read = |group: identity_provider_group::Model| {
        let role = group
            .role
            .map(|role| OrganizationRole::parse(&role).ok_or(StoreError::Corrupt("role")));
        Ok::<_, StoreError>(GroupMapping {
            group: group.group_name,
            role: role.transpose()?,
            team_id: group.team_id.map(TeamId),
        })
    };
    Ok(IdentityProvider {
        id: IdentityProviderId(row.id),
        organization_id: OrganizationId(row.organization_id),
        settings: ProviderSettings {
            name: row.name,
            issuer: row.issuer,
            client_id: row.client_id,
            email_domains: domains.into_iter().map(|row| row.domain).collect(),
            group_claim: row.group_claim,
            groups: groups.into_iter().map(read).collect::<Result<_, _>>()?,
            trusts_email: row.trusts_email,
            adds_members: row.adds_members,
        },
        client_secret: row.client_secret,
        created_at: row.created_at,
    })
}
