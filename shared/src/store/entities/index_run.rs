//! An attempt to bring a branch to a commit.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "index_runs")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub organization_id: Uuid,
    pub project_id: Uuid,
    pub repository_id: Uuid,
    pub branch_id: Option<Uuid>,
    #[sea_orm(column_type = "Text", nullable)]
    pub branch: Option<String>,
    #[sea_orm(column_type = "Text")]
    pub trigger: String,
    #[sea_orm(column_type = "Text")]
    pub state: String,
    #[sea_orm(column_type = "Text")]
    pub stage: String,
    #[sea_orm(column_type = "Text", nullable)]
    pub commit: Option<String>,
    pub snapshot_id: Option<i64>,
    pub files_seen: i64,
    pub files_total: i64,
    pub files_done: i64,
    pub chunks_done: i64,
    pub chunks_embedded: i64,
    pub embedding_cache_hits: i64,
    pub batches_total: i64,
    pub batches_done: i64,
    pub bytes_total: i64,
    pub bytes_done: i64,
    pub attempts: i64,
    #[sea_orm(column_type = "Text")]
    pub stage_seconds: String,
    pub cancel_requested: bool,
    #[sea_orm(column_type = "Text", nullable)]
    pub error_code: Option<String>,
    #[sea_orm(column_type = "Text", nullable)]
    pub error_message: Option<String>,
    pub created_at: DateTimeUtc,
    pub started_at: Option<DateTimeUtc>,
    pub finished_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
