//! Sign-ins with where they came from, failed attempts, password links, authenticators, and the
//! identity providers of organizations.
//!
//! Tokens, links and codes are stored as hashes, secrets as sealed envelopes. `sign_ins.id` is the
//! family of `sessions`. `sign_ins.organization_id` is set when an organization's own provider has
//! vouched for the person: such a sign-in reaches that organization alone.

use sea_orm_migration::prelude::*;

use crate::columns::{
    boolean, bytes, bytes_null, drop_tables, index, integer, references, table, text, text_null,
    time, time_null, uuid, uuid_key, uuid_null,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Sign-ins from before this table, so that they can be listed and ended too.
const KNOWN_SIGN_INS: &str = "INSERT INTO sign_ins \
    (id, user_id, method, address, user_agent, created_at, last_used_at) \
    SELECT family_id, user_id, 'password', '', '', MIN(created_at), MAX(created_at) \
    FROM sessions GROUP BY family_id, user_id";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        create_providers(manager).await?;
        create_sign_ins(manager).await?;
        create_password_tables(manager).await?;
        create_authenticator_tables(manager).await?;
        manager
            .get_connection()
            .execute_unprepared(KNOWN_SIGN_INS)
            .await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(
            manager,
            &[
                "sign_in_challenges",
                "recovery_codes",
                "totp_secrets",
                "password_resets",
                "sign_in_failures",
                "sign_ins",
                "oidc_requests",
                "federated_identities",
                "identity_provider_groups",
                "identity_provider_domains",
                "identity_providers",
            ],
        )
        .await
    }
}

async fn create_providers(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut providers = table(
        "identity_providers",
        [
            uuid_key(),
            uuid("organization_id"),
            text("name"),
            text("issuer"),
            text("client_id"),
            bytes_null("client_secret"),
            text_null("group_claim"),
            boolean("trusts_email"),
            boolean("adds_members"),
            time("created_at"),
        ],
    );
    references(&mut providers, "organization_id", "organizations");
    manager.create_table(providers).await?;
    let organization = ["organization_id"];
    let name = "identity_providers_organization";
    index(manager, "identity_providers", name, &organization, false).await?;

    let mut domains = table(
        "identity_provider_domains",
        [uuid("identity_provider_id"), text("domain")],
    );
    domains.primary_key(Index::create().col("identity_provider_id").col("domain"));
    references(&mut domains, "identity_provider_id", "identity_providers");
    manager.create_table(domains).await?;
    let name = "identity_provider_domains_domain";
    index(
        manager,
        "identity_provider_domains",
        name,
        &["domain"],
        false,
    )
    .await?;

    let mut groups = table(
        "identity_provider_groups",
        [
            uuid_key(),
            uuid("identity_provider_id"),
            text("group_name"),
            text_null("role"),
            uuid_null("team_id"),
        ],
    );
    references(&mut groups, "identity_provider_id", "identity_providers");
    references(&mut groups, "team_id", "teams");
    manager.create_table(groups).await?;
    let provider = ["identity_provider_id"];
    let name = "identity_provider_groups_provider";
    index(manager, "identity_provider_groups", name, &provider, false).await?;

    let mut identities = table(
        "federated_identities",
        [
            text("issuer"),
            text("subject"),
            uuid("user_id"),
            time("created_at"),
            time("last_used_at"),
        ],
    );
    identities.primary_key(Index::create().col("issuer").col("subject"));
    references(&mut identities, "user_id", "users");
    manager.create_table(identities).await?;
    let name = "federated_identities_user";
    index(manager, "federated_identities", name, &["user_id"], false).await?;

    let mut requests = table(
        "oidc_requests",
        [
            text("state_hash").primary_key().to_owned(),
            uuid("identity_provider_id"),
            text("browser_hash"),
            text("redirect"),
            time("expires_at"),
        ],
    );
    references(&mut requests, "identity_provider_id", "identity_providers");
    manager.create_table(requests).await
}

async fn create_sign_ins(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut sign_ins = table(
        "sign_ins",
        [
            uuid_key(),
            uuid("user_id"),
            uuid_null("organization_id"),
            uuid_null("identity_provider_id"),
            text("method"),
            text("address"),
            text("user_agent"),
            time("created_at"),
            time("last_used_at"),
        ],
    );
    references(&mut sign_ins, "user_id", "users");
    references(&mut sign_ins, "organization_id", "organizations");
    manager.create_table(sign_ins).await?;
    index(manager, "sign_ins", "sign_ins_user", &["user_id"], false).await?;
    let provider = ["identity_provider_id"];
    index(manager, "sign_ins", "sign_ins_provider", &provider, false).await
}

async fn create_password_tables(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager
        .create_table(table(
            "sign_in_failures",
            [
                text("key").primary_key().to_owned(),
                integer("failures"),
                time("last_failed_at"),
                time_null("blocked_until"),
            ],
        ))
        .await?;

    let mut resets = table(
        "password_resets",
        [
            uuid_key(),
            uuid("user_id"),
            uuid("created_by"),
            text("token_hash"),
            time("created_at"),
            time("expires_at"),
            time_null("used_at"),
        ],
    );
    references(&mut resets, "user_id", "users");
    manager.create_table(resets).await?;
    let name = "password_resets_token";
    index(manager, "password_resets", name, &["token_hash"], true).await?;
    let name = "password_resets_user";
    index(manager, "password_resets", name, &["user_id"], false).await
}

async fn create_authenticator_tables(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut secrets = table(
        "totp_secrets",
        [
            uuid("user_id").primary_key().to_owned(),
            bytes("secret"),
            integer("last_step"),
            time("created_at"),
            time_null("confirmed_at"),
        ],
    );
    references(&mut secrets, "user_id", "users");
    manager.create_table(secrets).await?;

    let mut codes = table(
        "recovery_codes",
        [
            uuid_key(),
            uuid("user_id"),
            text("code_hash"),
            time_null("used_at"),
        ],
    );
    references(&mut codes, "user_id", "users");
    manager.create_table(codes).await?;
    let name = "recovery_codes_code";
    let columns = ["user_id", "code_hash"];
    index(manager, "recovery_codes", name, &columns, true).await?;

    let mut challenges = table(
        "sign_in_challenges",
        [
            uuid_key(),
            uuid("user_id"),
            text("token_hash"),
            integer("attempts"),
            time("expires_at"),
        ],
    );
    references(&mut challenges, "user_id", "users");
    manager.create_table(challenges).await?;
    let name = "sign_in_challenges_token";
    index(manager, "sign_in_challenges", name, &["token_hash"], true).await
}
