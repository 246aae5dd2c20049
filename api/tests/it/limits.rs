//! Rate limits, seen from outside.

use reqwest::StatusCode;
use serde_json::json;

use crate::app::TestApp;

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
