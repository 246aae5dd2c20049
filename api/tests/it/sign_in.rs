//! Signing in, staying signed in, and being refused.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::json;

use crate::app::{ADMINISTRATOR, Client, PASSWORD, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_and_an_unknown_account_answer_alike() {
    let (app, _) = TestApp::start().await;
    let anonymous = app.anonymous();
    let mut answers = Vec::new();
    for email in [ADMINISTRATOR, "nobody@example.invalid"] {
        let body = json!({"email": email, "password": "wrong password here"});
        let reply = anonymous.post("/api/v1/auth/login", &body).await;
        assert_eq!(reply.status, 401);
        let mut body = reply.body;
        body.as_object_mut().unwrap().remove("request_id");
        answers.push(body);
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0]["code"], "invalid_credentials");
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_that_are_not_ours_are_refused() {
    let (app, _) = TestApp::start().await;
    let part = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let claims = json!({"iss": "quarry", "aud": "quarry-api", "sub": uuid::Uuid::nil(), "exp": 4_102_444_800_u64, "nbf": 0});
    let unsigned = format!(
        "{}.{}.",
        part(json!({"alg": "none", "typ": "JWT"})),
        part(claims.clone())
    );
    let forged = format!(
        "{}.{}.{}",
        part(json!({"alg": "HS256", "typ": "JWT", "kid": "../../etc"})),
        part(claims),
        "AAAA"
    );
    let huge = "a".repeat(7_000);
    for token in [
        "",
        "x",
        "a.b.c",
        unsigned.as_str(),
        forged.as_str(),
        huge.as_str(),
    ] {
        let reply = Client::new(&app.url, Some(token))
            .get("/api/v1/auth/me")
            .await;
        assert_eq!(reply.status, 401, "{}", reply.text);
    }
    assert_eq!(app.anonymous().get("/api/v1/auth/me").await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_rotates_and_a_stolen_one_ends_the_sign_in() {
    let (app, _) = TestApp::start().await;
    let http = reqwest::Client::new();
    let login = http
        .post(format!("{}/api/v1/auth/login", app.url))
        .header("content-type", "application/json")
        .body(json!({"email": ADMINISTRATOR, "password": PASSWORD}).to_string())
        .send()
        .await
        .unwrap();
    let cookie = |reply: &reqwest::Response| {
        let header = reply.headers()["set-cookie"].to_str().unwrap().to_owned();
        assert!(
            header.contains("HttpOnly") && header.contains("SameSite=Strict"),
            "{header}"
        );
        header.split(';').next().unwrap().to_owned()
    };
    let first = cookie(&login);
    let refresh = |cookie: String| {
        http.post(format!("{}/api/v1/auth/refresh", app.url))
            .header("cookie", cookie)
            .send()
    };
    let renewed = refresh(first.clone()).await.unwrap();
    assert_eq!(renewed.status(), 200);
    let second = cookie(&renewed);
    assert_ne!(first, second);
    let foreign = http
        .post(format!("{}/api/v1/auth/refresh", app.url))
        .header("cookie", second.clone())
        .header("origin", "https://evil.example")
        .send()
        .await
        .unwrap();
    assert!(foreign.status().is_client_error());
    assert_eq!(
        refresh("quarry_refresh=made-up".to_owned())
            .await
            .unwrap()
            .status(),
        401
    );
}
