//! A sign-in that is under way at a provider.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oidc_requests")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub state_hash: String,
    pub identity_provider_id: Uuid,
    #[sea_orm(column_type = "Text")]
    pub browser_hash: String,
    #[sea_orm(column_type = "Text")]
    pub redirect: String,
    pub expires_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
