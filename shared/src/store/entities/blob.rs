//! Content-addressed text.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "blobs")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub organization_id: Uuid,
    #[sea_orm(column_type = "Text")]
    pub oid: String,
    #[sea_orm(column_type = "Text")]
    pub text: String,
    pub bytes: i64,
    pub lines: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
