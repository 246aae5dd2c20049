//! Every address of the API, one file per resource.

pub mod auth;
pub mod list;
pub mod organizations;
pub mod paths;
pub mod projects;

use utoipa_actix_web::{scope, service_config::ServiceConfig};

/// Everything below `/api/v1`, and the probes.
pub fn configure(config: &mut ServiceConfig) {
    config.service(
        scope("/api/v1")
            .configure(auth::configure)
            .configure(organizations::configure)
            .configure(projects::configure),
    );
}
