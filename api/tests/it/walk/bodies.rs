//! Bodies that are right as far as their form goes.

use serde_json::{Value, json};

use super::{places::Operation, tenant::Tenant};

/// What to send with an operation. Operations without places need none.
pub fn of(operation: &Operation, own: &Tenant) -> Option<Value> {
    let body = match operation.id.as_str() {
        "create_project"
        | "create_team"
        | "change_team"
        | "change_organization"
        | "create_service_account"
        | "change_user" => {
            json!({"name": "intruder"})
        }
        "change_project" => json!({"visibility": "organization"}),
        "change_member" | "create_invitation" => json!({"role": "member"}),
        "set_project_member" | "set_project_team" => json!({"role": "reader"}),
        "create_repository" | "check_source" => {
            json!({"source": {"kind": "local", "path": own.unadded}})
        }
        "create_identity_provider" | "replace_identity_provider" => json!({
            "name": "intruder", "issuer": "https://evil.example", "client_id": "quarry",
            "client_secret": "x", "email_domains": ["example.com"], "adds_members": true,
            "groups": [{"group": "everybody"}],
        }),
        "create_index_run" | "set_quotas" | "set_webhook_secret" | "request_index" => json!({}),
        "create_token" | "create_service_account_token" => {
            json!({"name": "intruder", "scopes": ["search"]})
        }
        "search" => {
            json!({"query": "only_for_insiders", "organization_id": own.id("organization_id")})
        }
        "search_exact" => {
            json!({"pattern": "only_for_insiders", "organization_id": own.id("organization_id")})
        }
        _ => return None,
    };
    Some(body)
}
