//! Identifiers in addresses. `access` resolves them before a handler runs.

use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

macro_rules! paths {
    ($($(#[$doc:meta])* $name:ident { $field:ident: $kind:ty })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
        #[into_params(parameter_in = Path)]
        pub struct $name {
            pub $field: $kind,
        }
    )*};
}

paths! {
    OrganizationPath { organization_id: Uuid }
    ProjectPath { project_id: Uuid }
    RepositoryPath { repository_id: Uuid }
    BranchPath { branch_id: Uuid }
    SnapshotPath { snapshot_id: i64 }
    IndexRunPath { index_run_id: Uuid }
    JobPath { job_id: Uuid }
    SessionPath { session_id: Uuid }
    UserPath { user_id: Uuid }
}
