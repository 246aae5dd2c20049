//! Identifiers in addresses. `access` resolves the first one before a handler runs; a second one is
//! looked for inside it.

use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

macro_rules! paths {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty),+ })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
        #[into_params(parameter_in = Path)]
        pub struct $name {
            $(pub $field: $kind),+
        }
    )*};
}

paths! {
    OrganizationPath { organization_id: Uuid }
    MemberPath { organization_id: Uuid, user_id: Uuid }
    InvitationPath { organization_id: Uuid, invitation_id: Uuid }
    TokenPath { organization_id: Uuid, token_id: Uuid }
    ServiceAccountPath { organization_id: Uuid, user_id: Uuid }
    TeamPath { team_id: Uuid }
    TeamMemberPath { team_id: Uuid, user_id: Uuid }
    ProjectPath { project_id: Uuid }
    ProjectMemberPath { project_id: Uuid, user_id: Uuid }
    ProjectTeamPath { project_id: Uuid, team_id: Uuid }
    RepositoryPath { repository_id: Uuid }
    BranchPath { branch_id: Uuid }
    SnapshotPath { snapshot_id: i64 }
    WebhookDeliveryPath { repository_id: Uuid, delivery_id: Uuid }
    IndexRunPath { index_run_id: Uuid }
    JobPath { job_id: Uuid }
    DeletionPath { deletion_id: Uuid }
    SessionPath { session_id: Uuid }
    UserPath { user_id: Uuid }
    IdentityProviderPath { organization_id: Uuid, identity_provider_id: Uuid }
    IdentityProviderStartPath { identity_provider_id: Uuid }
}
