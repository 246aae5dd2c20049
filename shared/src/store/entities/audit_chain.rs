//! Where a chain of audit events begins and ends.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_chains")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub chain_id: Uuid,
    pub sequence: i64,
    #[sea_orm(column_type = "Text")]
    pub hash: String,
    pub anchor_sequence: i64,
    #[sea_orm(column_type = "Text")]
    pub anchor_hash: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
