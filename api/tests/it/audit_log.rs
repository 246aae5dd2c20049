//! What the audit log tells, to whom, and what nobody can make it tell.

use quarry_shared::{
    domain::OrganizationRole,
    store::{organizations, users},
};
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::app::{ADMINISTRATOR, TestApp, text};

fn items(body: &Value) -> &Vec<Value> {
    body["items"].as_array().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_says_who_from_where_did_what_to_which_object() {
    let (_app, admin) = TestApp::start().await;
    let (organization, _) = admin.home().await;
    let reply = admin
        .post(
            &format!("/api/v1/organizations/{organization}/projects"),
            &json!({"name": "Wind\u{2014}mill"}),
        )
        .await;
    let log = format!("/api/v1/organizations/{organization}/audit-events");
    let events = admin.get(&log).await;
    assert_eq!(events.status, 200, "{}", events.text);
    let event = &items(&events.body)[0];
    let id = reply.headers["x-request-id"].to_str().unwrap();
    for (field, expected) in [
        ("action", json!("project.create")),
        ("actor_kind", json!("person")),
        ("actor_name", json!(ADMINISTRATOR)),
        ("credential_kind", json!("session")),
        ("address", json!("127.0.0.1")),
        ("object_kind", json!("project")),
        ("object_id", reply.body["id"].clone()),
        ("object_name", json!("Wind\u{2014}mill")),
        ("outcome", json!("succeeded")),
        ("request_id", json!(id)),
    ] {
        assert_eq!(event[field], expected, "{field}: {event}");
    }
    for (query, expected) in [
        ("action=project.", 1),
        ("action=project.delete", 0),
        ("outcome=denied", 0),
        ("since=2100-01-01T00:00:00Z", 0),
        ("until=2100-01-01T00:00:00Z&object_kind=project", 1),
    ] {
        let found = admin.get(&format!("{log}?{query}")).await;
        assert_eq!(
            items(&found.body).len(),
            expected,
            "{query}: {}",
            found.text
        );
    }
    for query in [
        "outcome=maybe",
        "since=yesterday",
        "limit=0",
        "colour=red",
        "cursor=%00",
    ] {
        let refused = admin.get(&format!("{log}?{query}")).await;
        assert_eq!(refused.status, 422, "{query}: {}", refused.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_administrators_read_the_log_and_refusals_are_in_it() {
    let (app, admin) = TestApp::start().await;
    let (organization, _) = admin.home().await;
    let member = app.stranger("member@example.invalid").await;
    let db = app.services.database.writer();
    let (user, _) = users::find_for_sign_in(db, "member@example.invalid")
        .await
        .unwrap()
        .unwrap();
    let id = organization.parse().unwrap();
    organizations::add_member(db, id, user.id, OrganizationRole::Member)
        .await
        .unwrap();
    let log = format!("/api/v1/organizations/{organization}/audit-events");
    for (path, status) in [
        (log.clone(), 403),
        (format!("{log}/export"), 403),
        (format!("{log}/verification"), 403),
        ("/api/v1/audit-events".to_owned(), 403),
        ("/api/v1/audit-events/export".to_owned(), 403),
        ("/api/v1/audit-events/verification".to_owned(), 403),
    ] {
        for _ in 0..3 {
            assert_eq!(member.get(&path).await.status, status, "{path}");
        }
    }
    let events = admin.get(&format!("{log}?outcome=denied")).await.body;
    // Once for each route, however often it was tried.
    assert_eq!(items(&events).len(), 3, "{events}");
    let event = &items(&events)[2];
    assert_eq!(event["action"], "access.denied");
    assert_eq!(event["actor_name"], "member@example.invalid");
    assert_eq!(event["object_id"], organization);
    assert_eq!(event["details"]["method"], "GET");
    let instance = admin.get("/api/v1/audit-events?outcome=denied").await.body;
    assert_eq!(items(&instance).len(), 3, "{instance}");
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_sign_ins_are_told_without_what_was_typed_and_cannot_fill_the_disk() {
    let (app, admin) = TestApp::start_with(|settings| {
        settings.authentication.attempts_per_account = 1000;
        settings.authentication.free_failures_per_account = 1000;
        settings.authentication.free_failures_per_address = 1000;
    })
    .await;
    let anonymous = app.anonymous();
    for number in 0..8 {
        let email = if number % 2 == 0 {
            ADMINISTRATOR
        } else {
            "my-password-1234"
        };
        let body = json!({"email": email, "password": "another secret 5678"});
        let reply = anonymous.post("/api/v1/auth/login", &body).await;
        assert_eq!(reply.status, 401, "{}", reply.text);
    }
    let path = "/api/v1/audit-events?action=session.create&outcome=denied";
    let events = admin.get(path).await;
    // One address is one stranger, whatever names it tries.
    assert_eq!(items(&events.body).len(), 1, "{}", events.text);
    assert_eq!(items(&events.body)[0]["address"], "127.0.0.1");
    for typed in ["my-password-1234", "another secret 5678"] {
        assert!(!events.text.contains(typed), "{}", events.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_export_holds_every_event_and_verification_names_a_changed_one() {
    let (app, admin) = TestApp::start().await;
    let (organization, _) = admin.home().await;
    let log = format!("/api/v1/organizations/{organization}/audit-events");
    for number in 0..7 {
        let body = json!({"name": format!("p{number}")});
        let path = format!("/api/v1/organizations/{organization}/projects");
        assert_eq!(admin.post(&path, &body).await.status, 201);
    }
    let mut cursor = String::new();
    let mut listed = 0;
    loop {
        let page = admin.get(&format!("{log}?limit=3{cursor}")).await.body;
        listed += items(&page).len();
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(listed, 7);

    let export = admin.get(&format!("{log}/export")).await;
    assert_eq!(export.status, 200);
    assert_eq!(export.headers["content-type"], "application/x-ndjson");
    let lines: Vec<Value> = export
        .text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    // Taking the log along is an event itself.
    assert_eq!(lines.len(), 8);
    assert_eq!(lines[7]["action"], "audit.export");
    assert_eq!(lines[1]["previous_hash"], lines[0]["hash"]);

    let whole = admin.get(&format!("{log}/verification")).await.body;
    assert_eq!(
        (&whole["is_whole"], &whole["events"]),
        (&json!(true), &json!(8))
    );
    let head = text(&whole["head"]);
    let known = admin
        .get(&format!("{log}/verification?known_head={head}"))
        .await;
    assert_eq!(known.body["is_whole"], true, "{}", known.text);

    let db = app.services.database.writer();
    for statement in [
        "DROP TRIGGER audit_events_keep_content",
        "UPDATE audit_events SET object_name = 'nothing to see' WHERE object_name = 'p2'",
    ] {
        db.execute_unprepared(statement).await.unwrap();
    }
    let broken = admin.get(&format!("{log}/verification")).await.body;
    assert_eq!(broken["is_whole"], false);
    assert_eq!(broken["fault"], json!({"sequence": 3, "kind": "changed"}));
    let bad = admin
        .send(
            Method::GET,
            &format!("{log}/verification?known_head=x"),
            None,
        )
        .await;
    assert_eq!(bad.status, 422);
}
