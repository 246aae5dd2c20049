//! Signing in, staying signed in, and being refused.

use serde_json::{Value, json};

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

/// Signs in and keeps the cookie.
async fn login(app: &TestApp) -> (Client, String) {
    let body = json!({"email": ADMINISTRATOR, "password": PASSWORD}).to_string();
    let reply = reqwest::Client::new()
        .post(format!("{}/api/v1/auth/login", app.url))
        .header("content-type", "application/json")
        .body(body)
        .send()
        .await
        .unwrap();
    assert_eq!(reply.status(), 200);
    let cookie = cookie_of(&reply);
    let body: Value = serde_json::from_str(&reply.text().await.unwrap()).unwrap();
    (Client::new(&app.url, body["access_token"].as_str()), cookie)
}

fn cookie_of(reply: &reqwest::Response) -> String {
    let header = reply.headers()["set-cookie"].to_str().unwrap();
    for attribute in ["HttpOnly", "SameSite=Strict", "Path=/api/v1/auth"] {
        assert!(header.contains(attribute), "{header}");
    }
    header.split(';').next().unwrap().to_owned()
}

async fn with_cookie(app: &TestApp, action: &str, cookie: &str) -> reqwest::Response {
    reqwest::Client::new()
        .post(format!("{}/api/v1/auth/{action}", app.url))
        .header("cookie", cookie)
        .send()
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_that_is_used_twice_ends_the_whole_sign_in() {
    let (app, other) =
        TestApp::start_with(|settings| settings.authentication.refresh_grace_seconds = 0).await;
    let (client, first) = login(&app).await;
    let renewed = with_cookie(&app, "refresh", &first).await;
    assert_eq!(renewed.status(), 200);
    let second = cookie_of(&renewed);
    assert_ne!(first, second);

    // Whoever comes with the first one again has stolen it, or was robbed of it.
    assert_eq!(with_cookie(&app, "refresh", &first).await.status(), 401);
    assert_eq!(with_cookie(&app, "refresh", &second).await.status(), 401);
    assert_eq!(client.get("/api/v1/auth/me").await.status, 401);
    // Another sign-in of the same person goes on.
    assert_eq!(other.get("/api/v1/auth/me").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn tabs_that_wake_together_may_refresh_with_the_same_token() {
    let (app, _) = TestApp::start().await;
    let (_, cookie) = login(&app).await;
    let (one, two) = tokio::join!(
        with_cookie(&app, "refresh", &cookie),
        with_cookie(&app, "refresh", &cookie)
    );
    assert_eq!(
        (one.status(), two.status()),
        (200.try_into().unwrap(), 200.try_into().unwrap())
    );
    assert_ne!(cookie_of(&one), cookie_of(&two));
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_ends_access_and_refresh_tokens_at_once() {
    let (app, _) = TestApp::start().await;
    let (client, cookie) = login(&app).await;
    assert_eq!(with_cookie(&app, "logout", &cookie).await.status(), 204);
    assert_eq!(client.get("/api/v1/auth/me").await.status, 401);
    let reply = with_cookie(&app, "refresh", &cookie).await;
    assert_eq!(reply.status(), 401);
    let body: Value = serde_json::from_str(&reply.text().await.unwrap()).unwrap();
    assert_eq!(body["code"], "invalid_refresh_token");
    assert_eq!(
        with_cookie(&app, "logout", "quarry_refresh=unknown")
            .await
            .status(),
        204
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn another_sites_page_cannot_use_the_cookie() {
    let (app, _) = TestApp::start().await;
    let (_, cookie) = login(&app).await;
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        for action in ["refresh", "logout"] {
            let reply = reqwest::Client::new()
                .post(format!("{}/api/v1/auth/{action}", app.url))
                .header("cookie", &cookie)
                .header(name, value)
                .send()
                .await
                .unwrap();
            assert_eq!(reply.status(), 403, "{action} {name}: {value}");
        }
    }
    assert_eq!(with_cookie(&app, "refresh", &cookie).await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_is_slowed_down_whether_or_not_the_account_exists() {
    // The helper's own sign-in is one of the attempts.
    let (app, _) =
        TestApp::start_with(|settings| settings.authentication.attempts_per_account = 3).await;
    for (email, attempts) in [(ADMINISTRATOR, 2), ("nobody@example.invalid", 3)] {
        let body = json!({"email": email, "password": "a wrong guess"});
        for _ in 0..attempts {
            let reply = app.anonymous().post("/api/v1/auth/login", &body).await;
            assert_eq!(reply.status, 401, "{email}: {}", reply.text);
        }
        let reply = app.anonymous().post("/api/v1/auth/login", &body).await;
        assert_eq!(reply.status, 429, "{email}");
        assert_eq!(reply.body["code"], "rate_limited");
        let wait = reply.headers["retry-after"].to_str().unwrap();
        assert!((1..=60).contains(&wait.parse::<u64>().unwrap()), "{wait}");
    }
    // Another spelling is the same account.
    let body = json!({"email": " ADMIN@localhost ", "password": PASSWORD});
    assert_eq!(
        app.anonymous()
            .post("/api/v1/auth/login", &body)
            .await
            .status,
        429
    );
}
