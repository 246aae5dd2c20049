//! Index runs, their batches, and the jobs that SQL says are owed.

use sea_orm_migration::prelude::*;

use crate::columns::{
    boolean, drop_tables, index, integer, integer_null, references, table, text, text_null, time,
    time_null, uuid, uuid_key, uuid_null,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        create_runs(manager).await?;
        create_batches(manager).await?;
        create_jobs(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["jobs", "batches", "index_runs"]).await
    }
}

async fn create_runs(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut runs = table(
        "index_runs",
        [
            uuid_key(),
            uuid("organization_id"),
            uuid("project_id"),
            uuid("repository_id"),
            // Absent until the remote has said which branches there are.
            uuid_null("branch_id"),
            text_null("branch"),
            text("trigger"),
            text("state"),
            text("stage"),
            text_null("commit"),
            integer_null("snapshot_id"),
            integer("files_seen"),
            integer("files_total"),
            integer("files_done"),
            integer("chunks_done"),
            integer("chunks_embedded"),
            integer("embedding_cache_hits"),
            integer("batches_total"),
            integer("batches_done"),
            integer("bytes_total"),
            integer("bytes_done"),
            integer("attempts"),
            // Seconds per stage as JSON.
            text("stage_seconds"),
            boolean("cancel_requested"),
            text_null("error_code"),
            text_null("error_message"),
            time("created_at"),
            time_null("started_at"),
            time_null("finished_at"),
        ],
    );
    references(&mut runs, "repository_id", "repositories");
    manager.create_table(runs).await?;
    let columns = ["repository_id", "created_at"];
    index(
        manager,
        "index_runs",
        "index_runs_repository",
        &columns,
        false,
    )
    .await?;
    index(manager, "index_runs", "index_runs_state", &["state"], false).await
}

async fn create_batches(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut batches = table(
        "batches",
        [
            uuid_key(),
            uuid("index_run_id"),
            integer("snapshot_id"),
            integer("number"),
            integer("files"),
            integer("bytes"),
            time_null("done_at"),
        ],
    );
    references(&mut batches, "index_run_id", "index_runs");
    manager.create_table(batches).await?;
    index(
        manager,
        "batches",
        "batches_number",
        &["index_run_id", "number"],
        true,
    )
    .await
}

async fn create_jobs(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let jobs = table(
        "jobs",
        [
            uuid_key(),
            text("kind"),
            text("queue"),
            uuid("organization_id"),
            uuid("repository_id"),
            uuid_null("index_run_id"),
            integer_null("batch"),
            text("state"),
            integer("attempts"),
            integer("max_attempts"),
            time("run_after"),
            // When a ticket was last handed to the queue; the sweeper repeats what was lost.
            time_null("enqueued_at"),
            text_null("lease_owner"),
            time_null("lease_expires_at"),
            // Grows with every lease; a worker whose token is old may not write.
            integer("fencing_token"),
            text_null("error_code"),
            text_null("error_message"),
            time("created_at"),
            time_null("started_at"),
            time_null("finished_at"),
        ],
    );
    manager.create_table(jobs).await?;
    index(
        manager,
        "jobs",
        "jobs_state",
        &["state", "run_after"],
        false,
    )
    .await?;
    index(
        manager,
        "jobs",
        "jobs_repository",
        &["repository_id"],
        false,
    )
    .await?;
    index(
        manager,
        "jobs",
        "jobs_run",
        &["index_run_id", "kind", "batch"],
        false,
    )
    .await
}
