//! The audit log: one chain of events per organization and one for the instance.
//!
//! `audit_chains` holds a chain's last sequence number and hash, which a writer takes and moves in
//! the transaction of the change itself, and its anchor: the last event that retention has removed.
//! No foreign keys: events outlive what they are about. Triggers keep the server from changing what
//! is written, and from removing what retention has not reached.

use sea_orm_migration::{prelude::*, sea_orm::DatabaseBackend};

use crate::columns::{drop_tables, index, integer, table, text, text_null, time, uuid, uuid_null};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const SQLITE_TRIGGERS: &[&str] = &[
    "CREATE TRIGGER audit_events_keep_content BEFORE UPDATE ON audit_events BEGIN \
     SELECT RAISE(ABORT, 'audit events cannot be changed'); END",
    "CREATE TRIGGER audit_events_keep_rows BEFORE DELETE ON audit_events \
     WHEN OLD.sequence > (SELECT anchor_sequence FROM audit_chains \
     WHERE chain_id = OLD.chain_id) BEGIN \
     SELECT RAISE(ABORT, 'audit events cannot be removed'); END",
];

const POSTGRES_TRIGGERS: &[&str] = &[
    "CREATE FUNCTION audit_events_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     IF TG_OP = 'DELETE' AND OLD.sequence <= (SELECT anchor_sequence FROM audit_chains \
     WHERE chain_id = OLD.chain_id) THEN RETURN OLD; END IF; \
     RAISE EXCEPTION 'audit events cannot be changed or removed'; END $$",
    "CREATE TRIGGER audit_events_keep BEFORE UPDATE OR DELETE ON audit_events \
     FOR EACH ROW EXECUTE FUNCTION audit_events_refuse()",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut chains = table(
            "audit_chains",
            [
                uuid("chain_id"),
                integer("sequence"),
                text("hash"),
                integer("anchor_sequence"),
                text("anchor_hash"),
            ],
        );
        chains.primary_key(Index::create().col("chain_id"));
        manager.create_table(chains).await?;

        let mut events = table(
            "audit_events",
            [
                uuid("chain_id"),
                integer("sequence"),
                time("recorded_at"),
                text("actor_kind"),
                uuid_null("actor_user_id"),
                text_null("actor_name"),
                text("credential_kind"),
                uuid_null("credential_id"),
                text_null("address"),
                text("action"),
                text("object_kind"),
                text_null("object_id"),
                text_null("object_name"),
                text("outcome"),
                text_null("request_id"),
                text("details"),
                text("previous_hash"),
                text("hash"),
            ],
        );
        events.primary_key(Index::create().col("chain_id").col("sequence"));
        manager.create_table(events).await?;
        for (name, column) in [
            ("audit_events_time", "recorded_at"),
            ("audit_events_actor", "actor_user_id"),
            ("audit_events_object", "object_id"),
        ] {
            let columns = ["chain_id", column, "sequence"];
            index(manager, "audit_events", name, &columns, false).await?;
        }
        let triggers = match manager.get_database_backend() {
            DatabaseBackend::Sqlite => SQLITE_TRIGGERS,
            _ => POSTGRES_TRIGGERS,
        };
        execute(manager, triggers).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["audit_events", "audit_chains"]).await?;
        match manager.get_database_backend() {
            DatabaseBackend::Sqlite => Ok(()),
            _ => execute(manager, &["DROP FUNCTION audit_events_refuse()"]).await,
        }
    }
}

async fn execute(manager: &SchemaManager<'_>, statements: &[&str]) -> Result<(), DbErr> {
    for statement in statements {
        manager
            .get_connection()
            .execute_unprepared(statement)
            .await?;
    }
    Ok(())
}
