//! No way across: a foreign id answers like one that never existed, on every route.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::{GitRepository, TestApp, text};

#[tokio::test(flavor = "multi_thread")]
async fn foreign_ids_answer_like_missing_ones_on_every_route() {
    let (app, admin) = TestApp::start().await;
    let (organization, project) = admin.home().await;
    let source = GitRepository::create(
        app.folder.path().join("private"),
        &[("a.py", "def only_for_insiders():\n    return 1\n")],
    );
    let repository = admin.add(&project, &source.path).await;
    let id = text(&repository["id"]);
    let branches = admin
        .get(&format!("/api/v1/repositories/{id}/branches"))
        .await
        .body;
    let sessions = admin.get("/api/v1/auth/sessions").await.body;
    let me = admin.get("/api/v1/auth/me").await.body;
    let path = format!("/api/v1/organizations/{organization}");
    let team = admin
        .post(&format!("{path}/teams"), &json!({"name": "Insiders"}))
        .await
        .body;
    let doomed = admin
        .post(&format!("{path}/projects"), &json!({"name": "doomed"}))
        .await
        .body;
    let doomed = format!("/api/v1/projects/{}", text(&doomed["id"]));
    let deletion = admin.send(Method::DELETE, &doomed, None).await.body;
    let invitation = admin
        .post(&format!("{path}/invitations"), &json!({"role": "member"}))
        .await
        .body;
    let real = BTreeMap::from([
        ("organization_id", organization.clone()),
        ("project_id", project),
        ("repository_id", id.clone()),
        ("branch_id", text(&branches["items"][0]["id"])),
        (
            "snapshot_id",
            repository["published"]["snapshot_id"].to_string(),
        ),
        ("index_run_id", text(&repository["latest_run"]["id"])),
        ("job_id", Uuid::new_v4().to_string()),
        ("session_id", text(&sessions["items"][0]["id"])),
        ("user_id", text(&me["user"]["id"])),
        ("deletion_id", text(&deletion["id"])),
        ("team_id", text(&team["id"])),
        ("invitation_id", text(&invitation["invitation"]["id"])),
    ]);
    let stranger = app.stranger("mallory@example.invalid").await;
    let document: Value = serde_json::from_str(&quarry_api::openapi::json()).unwrap();
    let mut walked = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        let Some(start) = path.find('{') else {
            continue;
        };
        let name = &path[start + 1..path.find('}').unwrap()];
        let missing = if name == "snapshot_id" {
            "987654321".to_owned()
        } else {
            Uuid::new_v4().to_string()
        };
        for (method, operation) in item.as_object().unwrap() {
            let Ok(method) = Method::from_bytes(method.to_uppercase().as_bytes()) else {
                continue;
            };
            let body = body_of(operation["operationId"].as_str().unwrap(), &source);
            let query = if path.ends_with("/file") {
                "?path=a.py"
            } else {
                ""
            };
            let mut answers = Vec::new();
            for value in [&real[name], &missing] {
                let mut address = path.replace(&format!("{{{name}}}"), value) + query;
                // What stands below is named rightly, so that only the first identifier differs.
                for (name, value) in &real {
                    address = address.replace(&format!("{{{name}}}"), value);
                }
                let reply = stranger.send(method.clone(), &address, body.as_ref()).await;
                let mut body = reply.body;
                if let Some(fields) = body.as_object_mut() {
                    fields.remove("request_id");
                }
                answers.push((reply.status, body));
            }
            assert_eq!(answers[0], answers[1], "{method} {path}");
            // What belongs to the whole instance is for its administrators alone.
            let is_of_instance = ["job_id", "user_id"].contains(&name);
            let expected = if is_of_instance { 403 } else { 404 };
            assert_eq!(answers[0].0, expected, "{method} {path}: {}", answers[0].1);
            walked += 1;
        }
    }
    assert!(walked >= 18, "only {walked} operations were walked");
    // Nothing happened to what was aimed at.
    assert_eq!(
        admin
            .get(&format!("/api/v1/repositories/{id}"))
            .await
            .status,
        200
    );
}

fn body_of(operation: &str, source: &GitRepository) -> Option<Value> {
    match operation {
        "create_project" | "create_team" | "change_team" | "change_organization" => {
            Some(json!({"name": "intruder"}))
        }
        "change_project" => Some(json!({"visibility": "organization"})),
        "change_member" | "create_invitation" => Some(json!({"role": "member"})),
        "set_project_member" | "set_project_team" => Some(json!({"role": "reader"})),
        "change_user" => Some(json!({"name": "intruder"})),
        "create_repository" | "check_source" => {
            Some(json!({"source": {"kind": "local", "path": source.path}}))
        }
        "create_index_run" => Some(json!({})),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_and_lists_never_cross_organizations() {
    let (app, admin) = TestApp::start().await;
    let (organization, project) = admin.home().await;
    let source = GitRepository::create(
        app.folder.path().join("private"),
        &[(
            "secret_plan.py",
            "def only_for_insiders():\n    return 'only_for_insiders'\n",
        )],
    );
    let repository = admin.add(&project, &source.path).await;
    let stranger = app.stranger("mallory@example.invalid").await;
    let (own, _) = stranger.home().await;
    assert_ne!(own, organization);

    let foreign = json!([repository["id"]]);
    for body in [
        json!({"query": "only_for_insiders", "organization_id": own}),
        json!({"query": "only_for_insiders", "organization_id": own, "repository_ids": foreign}),
        json!({"query": "only_for_insiders", "organization_id": own, "project_ids": [project]}),
    ] {
        let reply = stranger.post("/api/v1/search", &body).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert_eq!(reply.body["hits"], json!([]));
        assert_eq!(reply.body["searched"], json!([]));
        assert!(!reply.text.contains("secret_plan"), "{}", reply.text);
    }
    let snapshot = &repository["published"]["snapshot_id"];
    for (real, missing) in [
        (
            json!({"query": "x", "organization_id": organization}),
            json!({"query": "x", "organization_id": Uuid::new_v4()}),
        ),
        (
            json!({"query": "x", "organization_id": own, "snapshot_id": snapshot}),
            json!({"query": "x", "organization_id": own, "snapshot_id": 987_654_321}),
        ),
    ] {
        let (real, missing) = (
            stranger.post("/api/v1/search", &real).await,
            stranger.post("/api/v1/search", &missing).await,
        );
        assert_eq!(
            (real.status, &real.body["detail"]),
            (missing.status, &missing.body["detail"])
        );
        assert_eq!(real.status, 404);
    }
    let body = json!({"pattern": "only_for_insiders", "organization_id": own});
    let exact = stranger.post("/api/v1/search/exact", &body).await.body;
    assert_eq!(
        (&exact["matches"], &exact["files_considered"]),
        (&json!(0), &json!(0))
    );
    let symbols = stranger
        .get(&format!(
            "/api/v1/symbols?organization_id={own}&name=only_for_insiders"
        ))
        .await;
    assert_eq!(symbols.body["items"], json!([]));
    let organizations = stranger.get("/api/v1/organizations").await;
    assert!(!organizations.text.contains(&organization));
    assert_eq!(stranger.get("/api/v1/jobs").await.status, 403);
}
