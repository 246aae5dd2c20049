//! Work that is owed.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "jobs")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    #[sea_orm(column_type = "Text")]
    pub kind: String,
    #[sea_orm(column_type = "Text")]
    pub queue: String,
    pub organization_id: Uuid,
    pub repository_id: Uuid,
    pub index_run_id: Option<Uuid>,
    pub batch: Option<i64>,
    #[sea_orm(column_type = "Text")]
    pub state: String,
    pub attempts: i64,
    pub max_attempts: i64,
    pub run_after: DateTimeUtc,
    pub enqueued_at: Option<DateTimeUtc>,
    #[sea_orm(column_type = "Text", nullable)]
    pub lease_owner: Option<String>,
    pub lease_expires_at: Option<DateTimeUtc>,
    pub fencing_token: i64,
    #[sea_orm(column_type = "Text", nullable)]
    pub error_code: Option<String>,
    #[sea_orm(column_type = "Text", nullable)]
    pub error_message: Option<String>,
    pub created_at: DateTimeUtc,
    pub started_at: Option<DateTimeUtc>,
    pub finished_at: Option<DateTimeUtc>,
    pub project_id: Option<Uuid>,
    pub requested_by: Option<Uuid>,
    pub steps_total: Option<i64>,
    pub steps_done: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
