//! An import of a file.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "imports")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub organization_id: Uuid,
    pub project_id: Uuid,
    pub repository_id: Uuid,
    pub branch_id: Uuid,
    pub file_id: i64,
    #[sea_orm(column_type = "Text")]
    pub source: String,
    pub line: i64,
    pub born: i64,
    pub died: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
