//! A domain of e-mail addresses that a provider speaks for.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "identity_provider_domains")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub identity_provider_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub domain: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
