//! An organization with one of everything.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::{Client, GitRepository, TestApp, text};

/// An owner and the identifiers of what the organization holds.
pub struct Tenant {
    pub client: Client,
    pub ids: BTreeMap<&'static str, Value>,
    /// A folder with a Git repository that is not added yet.
    pub unadded: String,
}

impl Tenant {
    pub async fn furnish(app: &TestApp, name: &str) -> Self {
        let client = app.stranger(&format!("{name}@example.invalid")).await;
        let (organization, project) = client.home().await;
        let files = [("a.py", "def only_for_insiders():\n    return 1\n")];
        let source = GitRepository::create(app.folder.path().join(name), &files);
        let unadded = GitRepository::create(app.folder.path().join(format!("{name}-2")), &files);
        let repository = client.add(&project, &source.path).await;
        let repository_id = text(&repository["id"]);
        let branches = format!("/api/v1/repositories/{repository_id}/branches");
        let branches = client.get(&branches).await.body;
        let sessions = client.get("/api/v1/auth/sessions").await.body;
        let me = client.get("/api/v1/auth/me").await.body;
        let home = format!("/api/v1/organizations/{organization}");
        let created = async |path: &str, body: Value| {
            let reply = client.post(&format!("{home}/{path}"), &body).await;
            assert_eq!(reply.status, 201, "{path}: {}", reply.text);
            reply.body
        };
        let team = created("teams", json!({"name": "Insiders"})).await;
        let invitation = created("invitations", json!({"role": "member"})).await;
        let provider = json!({"name": "Login", "issuer": "https://login.example", "client_id": "quarry",
            "email_domains": ["example.com"], "adds_members": true});
        let provider = created("identity-providers", provider).await;
        let token = json!({"name": "program", "scopes": ["search"]});
        let token = created("tokens", token).await;
        let delivery = crate::webhooks::ping(app, &client, &repository_id).await;
        let doomed = created("projects", json!({"name": "doomed"})).await;
        let doomed = format!("/api/v1/projects/{}", text(&doomed["id"]));
        let deletion = client.send(Method::DELETE, &doomed, None).await.body;
        let ids = BTreeMap::from([
            ("organization_id", json!(organization)),
            ("project_id", json!(project)),
            ("repository_id", repository["id"].clone()),
            ("branch_id", branches["items"][0]["id"].clone()),
            (
                "snapshot_id",
                repository["published"]["snapshot_id"].clone(),
            ),
            ("index_run_id", repository["latest_run"]["id"].clone()),
            ("job_id", json!(Uuid::new_v4())),
            ("session_id", sessions["items"][0]["id"].clone()),
            ("user_id", me["user"]["id"].clone()),
            ("deletion_id", deletion["id"].clone()),
            ("identity_provider_id", provider["id"].clone()),
            ("token_id", token["id"].clone()),
            ("delivery_id", delivery),
            ("team_id", team["id"].clone()),
            ("invitation_id", invitation["invitation"]["id"].clone()),
        ]);
        for (name, id) in &ids {
            assert!(!id.is_null(), "no {name}");
        }
        Self {
            client,
            ids,
            unadded: unadded.path.display().to_string(),
        }
    }

    /// The identifier that the document calls so.
    pub fn id(&self, name: &str) -> Value {
        let name = match name {
            "actor_id" | "actor_user_id" => "user_id",
            "object_id" => "repository_id",
            other => other,
        };
        self.ids
            .get(name)
            .unwrap_or_else(|| panic!("nothing is known that is called `{name}`: furnish it"))
            .clone()
    }
}

/// An identifier of the right form that was never given out.
pub fn missing(name: &str) -> Value {
    match name {
        "snapshot_id" => json!(987_654_321),
        _ => json!(Uuid::new_v4()),
    }
}
