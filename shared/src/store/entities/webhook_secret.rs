//! What a repository's Git host signs its events with.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_secrets")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub repository_id: Uuid,
    pub organization_id: Uuid,
    #[sea_orm(column_type = "Blob")]
    pub secret: Vec<u8>,
    pub set_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
