//! A cached vector.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "embeddings")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub organization_id: Uuid,
    #[sea_orm(column_type = "Text")]
    pub model: String,
    #[sea_orm(column_type = "Blob")]
    pub text_hash: Vec<u8>,
    #[sea_orm(column_type = "Blob")]
    pub vector: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
