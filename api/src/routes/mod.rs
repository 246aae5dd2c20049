//! Every address of the API, one file per resource.

pub mod audit_events;
pub mod auth;
pub mod branches;
pub mod code;
pub mod deletions;
pub mod events;
pub mod exact_search;
pub mod identity_providers;
pub mod index_runs;
pub mod invitations;
pub mod jobs;
pub mod kinds;
pub mod list;
pub mod members;
pub mod oidc;
pub mod organizations;
pub mod passwords;
pub mod paths;
pub mod pipelines;
pub mod project_members;
pub mod projects;
pub mod quotas;
pub mod repositories;
pub mod search;
pub mod search_response;
pub mod service_accounts;
pub mod sessions;
pub mod snapshots;
pub mod status;
pub mod symbols;
pub mod teams;
pub mod tokens;
pub mod totp;
pub mod users;
pub mod webhook_events;
pub mod webhooks;

use utoipa_actix_web::{scope, service_config::ServiceConfig};

/// Everything below `/api/v1`, and where Git hosts tell of pushes.
pub fn configure(config: &mut ServiceConfig) {
    config.service(
        scope("/api/v1")
            .configure(auth::configure)
            .configure(sessions::configure)
            .configure(passwords::configure)
            .configure(totp::configure)
            .configure(oidc::configure)
            .configure(identity_providers::configure)
            .configure(organizations::configure)
            .configure(members::configure)
            .configure(invitations::configure)
            .configure(teams::configure)
            .configure(quotas::configure)
            .configure(projects::configure)
            .configure(project_members::configure)
            .configure(deletions::configure)
            .configure(users::configure)
            .configure(repositories::configure)
            .configure(branches::configure)
            .configure(snapshots::configure)
            .configure(index_runs::configure)
            .configure(events::configure)
            .configure(code::configure)
            .configure(search::configure)
            .configure(exact_search::configure)
            .configure(symbols::configure)
            .configure(status::configure)
            .configure(jobs::configure)
            .configure(audit_events::configure)
            .configure(tokens::configure)
            .configure(service_accounts::configure)
            .configure(webhooks::configure),
    );
    config.service(scope("/webhooks").configure(webhook_events::configure));
}
