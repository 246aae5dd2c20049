//! Something that somebody did.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_events")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub chain_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub sequence: i64,
    pub recorded_at: DateTimeUtc,
    #[sea_orm(column_type = "Text")]
    pub actor_kind: String,
    pub actor_user_id: Option<Uuid>,
    #[sea_orm(column_type = "Text", nullable)]
    pub actor_name: Option<String>,
    #[sea_orm(column_type = "Text")]
    pub credential_kind: String,
    pub credential_id: Option<Uuid>,
    #[sea_orm(column_type = "Text", nullable)]
    pub address: Option<String>,
    #[sea_orm(column_type = "Text")]
    pub action: String,
    #[sea_orm(column_type = "Text")]
    pub object_kind: String,
    #[sea_orm(column_type = "Text", nullable)]
    pub object_id: Option<String>,
    #[sea_orm(column_type = "Text", nullable)]
    pub object_name: Option<String>,
    #[sea_orm(column_type = "Text")]
    pub outcome: String,
    #[sea_orm(column_type = "Text", nullable)]
    pub request_id: Option<String>,
    #[sea_orm(column_type = "Text")]
    pub details: String,
    #[sea_orm(column_type = "Text")]
    pub previous_hash: String,
    #[sea_orm(column_type = "Text")]
    pub hash: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
