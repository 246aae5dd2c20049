//! A commit of a branch.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "snapshots")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub organization_id: Uuid,
    pub project_id: Uuid,
    pub repository_id: Uuid,
    pub branch_id: Uuid,
    pub index_run_id: Option<Uuid>,
    #[sea_orm(column_type = "Text")]
    pub commit: String,
    pub committed_at: Option<DateTimeUtc>,
    #[sea_orm(column_type = "Text")]
    pub state: String,
    #[sea_orm(column_type = "Text")]
    pub format: String,
    pub files_seen: i64,
    pub files_indexed: i64,
    pub files_skipped: i64,
    pub chunks: i64,
    pub points: Option<i64>,
    pub documents: i64,
    pub bytes: i64,
    #[sea_orm(column_type = "Text", nullable)]
    pub field_lengths: Option<String>,
    #[sea_orm(column_type = "Blob", nullable)]
    pub vector_sum: Option<Vec<u8>>,
    pub created_at: DateTimeUtc,
    pub published_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
