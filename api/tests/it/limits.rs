//! Rate limits, seen from outside.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::app::{GitRepository, TestApp, text};

#[tokio::test]
async fn a_person_who_asks_too_often_is_told_when_to_come_back() {
    let (app, admin) = TestApp::start_with(|settings| {
        settings.limits.principal_units_per_minute = 12;
    })
    .await;
    let (organization, _) = admin.home().await;
    let reply = admin.get("/api/v1/organizations").await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(reply.headers["ratelimit-policy"], "\"principal\";q=12;w=60");
    let left = reply.headers["ratelimit"].to_str().unwrap();
    assert!(left.starts_with("\"principal\";r="), "{left}");
    // An exact search costs more than is left.
    let body = json!({"organization_id": organization, "pattern": "x"});
    let refused = admin.post("/api/v1/search/exact", &body).await;
    assert_eq!(
        refused.status,
        StatusCode::TOO_MANY_REQUESTS,
        "{}",
        refused.text
    );
    assert_eq!(refused.body["code"], "rate_limited");
    assert_eq!(
        refused.headers["ratelimit"]
            .to_str()
            .unwrap()
            .split(';')
            .nth(1),
        Some("r=0")
    );
    let wait: u64 = refused.headers["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    // Others are not touched by it.
    let other = app.stranger("other@example.invalid").await;
    assert_eq!(
        other.get("/api/v1/organizations").await.status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn an_address_without_a_sign_in_is_counted_and_probes_are_not() {
    let (app, admin) = TestApp::start_with(|settings| {
        settings.limits.address_units_per_minute = 3;
    })
    .await;
    let anonymous = app.anonymous();
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(anonymous.get("/api/v1/organizations").await.status);
    }
    assert_eq!(statuses.last(), Some(&StatusCode::TOO_MANY_REQUESTS));
    assert_eq!(anonymous.get("/healthz").await.status, StatusCode::OK);
    let known = admin.get("/api/v1/organizations").await;
    assert_eq!(known.status, StatusCode::OK, "whoever is signed in goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quota_refuses_one_thing_too_many_and_keeps_what_is_there() {
    let (app, admin) = TestApp::start().await;
    let (organization, project) = admin.home().await;
    let quotas = format!("/api/v1/organizations/{organization}/quotas");
    let repositories = format!("/api/v1/projects/{project}/repositories");
    let one = GitRepository::create(
        app.folder.path().join("one"),
        &[("a.py", "def first():\n    return 1\n")],
    );
    let added = admin.add(&project, &one.path).await;
    let used = admin.get(&quotas).await;
    assert_eq!(used.body["repositories"]["used"], 1, "{}", used.text);
    assert_eq!(used.body["chunks"]["used"], 1, "{}", used.text);

    let set = admin
        .send(
            Method::PUT,
            &quotas,
            Some(&json!({"repositories": 1, "chunks": 1})),
        )
        .await;
    assert_eq!(set.status, StatusCode::OK, "{}", set.text);
    let path = app.folder.path().join("two");
    GitRepository::create(path.clone(), &[("a.py", "x = 1\n")]);
    let body = json!({"source": {"kind": "local", "path": path}});
    let refused = admin.post(&repositories, &body).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
    assert_eq!(refused.body["code"], "quota_exceeded");
    assert!(
        refused.body["detail"]
            .as_str()
            .unwrap()
            .contains("1 repositories")
    );

    one.commit(&[("b.py", "def second():\n    return 2\n")]);
    let id = text(&added["id"]);
    let run = admin
        .post(&format!("/api/v1/repositories/{id}/index"), &json!({}))
        .await;
    assert!(run.status.is_success(), "{}", run.text);
    let after = admin.settled(&id).await;
    assert_eq!(after["latest_run"]["state"], "failed", "{after}");
    assert_eq!(
        after["latest_run"]["error"]["code"], "quota_exceeded",
        "{after}"
    );
    assert_eq!(
        after["published"], added["published"],
        "the old snapshot stays"
    );

    let stranger = app.stranger("other@example.invalid").await;
    assert_eq!(stranger.get(&quotas).await.status, StatusCode::NOT_FOUND);
    let body = json!({"repositories": 100});
    let refused = stranger.send(Method::PUT, &quotas, Some(&body)).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}
