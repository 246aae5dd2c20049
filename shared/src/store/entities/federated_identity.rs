//! A person as a provider knows them.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "federated_identities")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub issuer: String,
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub subject: String,
    pub user_id: Uuid,
    pub created_at: DateTimeUtc,
    pub last_used_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
