//! Sign-ins listed and ended by the person whom they belong to.

use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{ADMINISTRATOR, Client, PASSWORD, TestApp, text};

async fn sessions(client: &Client) -> Vec<Value> {
    let reply = client.get("/api/v1/auth/sessions").await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.body["items"].as_array().unwrap().clone()
}

async fn end(client: &Client, id: &str) -> u16 {
    let path = format!("/api/v1/auth/sessions/{id}");
    let reply = client.send(Method::DELETE, &path, None).await;
    reply.status.as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_is_listed_with_where_it_came_from() {
    let (app, admin) = TestApp::start().await;
    let agent = format!("Browser/1.0 {}", "x".repeat(500));
    let reply = reqwest::Client::new()
        .post(format!("{}/api/v1/auth/login", app.url))
        .header("content-type", "application/json")
        .header("user-agent", &agent)
        .body(json!({"email": ADMINISTRATOR, "password": PASSWORD}).to_string())
        .send()
        .await
        .unwrap();
    assert_eq!(reply.status(), 200);
    let listed = sessions(&admin).await;
    assert_eq!(listed.len(), 2);
    let newest = &listed[0];
    assert_eq!(newest["address"], "127.0.0.1");
    assert_eq!(newest["method"], "password");
    assert_eq!(newest["user_agent"], agent[..200]);
    assert_eq!(newest["is_current"], false);
    assert_eq!(listed[1]["is_current"], true);
    assert!(newest["created_at"].as_str() > listed[1]["created_at"].as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn people_end_their_own_sign_ins_and_no_others() {
    let (app, one) = TestApp::start().await;
    let two = app.sign_in(ADMINISTRATOR).await;
    let stranger = app.stranger("eve@example.invalid").await;
    let foreign = text(&sessions(&stranger).await[0]["id"]);
    let missing = uuid::Uuid::new_v4().to_string();
    assert_eq!(end(&one, &foreign).await, 404);
    assert_eq!(end(&one, &missing).await, 404);
    assert_eq!(stranger.get("/api/v1/auth/me").await.status, 200);

    let listed = sessions(&one).await;
    let of_two = listed
        .iter()
        .find(|row| row["is_current"] == false)
        .unwrap();
    assert_eq!(end(&one, &text(&of_two["id"])).await, 204);
    assert_eq!(two.get("/api/v1/auth/me").await.status, 401);
    assert_eq!(end(&one, &text(&of_two["id"])).await, 404);
    assert_eq!(sessions(&one).await.len(), 1);

    let three = app.sign_in(ADMINISTRATOR).await;
    let reply = three
        .send(Method::DELETE, "/api/v1/auth/sessions", None)
        .await;
    assert_eq!(reply.status, 204);
    assert!(
        reply.headers["set-cookie"]
            .to_str()
            .unwrap()
            .contains("Max-Age=0")
    );
    for client in [&one, &three] {
        assert_eq!(client.get("/api/v1/auth/me").await.status, 401);
    }
    assert_eq!(stranger.get("/api/v1/auth/me").await.status, 200);
}
