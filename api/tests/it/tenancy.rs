//! No way across, seen from what people do: searches, lists, exact matches (`walk` tries every place).

use serde_json::json;
use uuid::Uuid;

use crate::app::{GitRepository, TestApp};

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
