//! Setting passwords, and what guessing them meets.

use reqwest::{Method, StatusCode};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::app::{ADMINISTRATOR, Client, PASSWORD, Reply, TestApp, text};

const NEW_PASSWORD: &str = "seventeen purple giraffes";

async fn sign_in(app: &TestApp, email: &str, password: &str) -> Reply {
    let body = json!({"email": email, "password": password});
    app.anonymous().post("/api/v1/auth/login", &body).await
}

async fn change(client: &Client, current: &str, new: &str) -> Reply {
    let body = json!({"current_password": current, "new_password": new});
    client.post("/api/v1/auth/password", &body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_changes_with_the_old_one_and_ends_the_other_sign_ins() {
    let (app, admin) = TestApp::start().await;
    let other = app.sign_in(ADMINISTRATOR).await;
    let reply = change(&admin, "not the password", NEW_PASSWORD).await;
    assert_eq!(
        (reply.status.as_u16(), &reply.body["code"]),
        (403, &json!("wrong_password"))
    );
    for weak in ["password1234", "short", "admin@localhost", "administrator1"] {
        let reply = change(&admin, PASSWORD, weak).await;
        assert_eq!(reply.status, 422, "{weak}: {}", reply.text);
        assert_eq!(reply.body["code"], "weak_password", "{weak}");
        assert_eq!(reply.body["errors"][0]["pointer"], "/new_password");
    }
    assert_eq!(other.get("/api/v1/auth/me").await.status, 200);

    assert_eq!(change(&admin, PASSWORD, NEW_PASSWORD).await.status, 204);
    assert_eq!(admin.get("/api/v1/auth/me").await.status, 200);
    assert_eq!(other.get("/api/v1/auth/me").await.status, 401);
    assert_eq!(sign_in(&app, ADMINISTRATOR, PASSWORD).await.status, 401);
    assert_eq!(sign_in(&app, ADMINISTRATOR, NEW_PASSWORD).await.status, 200);
}

async fn user_id(client: &Client) -> String {
    text(&client.get("/api/v1/auth/me").await.body["user"]["id"])
}

async fn reset_token(admin: &Client, user: &str) -> String {
    let path = format!("/api/v1/users/{user}/password-resets");
    let reply = admin.send(Method::POST, &path, None).await;
    assert_eq!(reply.status, StatusCode::CREATED, "{}", reply.text);
    let url = text(&reply.body["url"]);
    let (address, token) = url.split_once('#').unwrap();
    assert!(address.ends_with("/reset-password"), "{address}");
    token.to_owned()
}

async fn redeem(app: &TestApp, token: &str, password: &str) -> Reply {
    let body = json!({"token": token, "new_password": password});
    let path = "/api/v1/auth/password-resets/redeem";
    app.anonymous().post(path, &body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_sets_a_password_once_until_it_expires_or_another_is_made() {
    let (app, admin) = TestApp::start().await;
    let person = app.stranger("ada@example.invalid").await;
    let user = user_id(&person).await;
    let former = reset_token(&admin, &user).await;
    let token = reset_token(&admin, &user).await;

    let mut refusals = Vec::new();
    for bad in [former.as_str(), "made-up", &user, &token[1..]] {
        let reply = redeem(&app, bad, NEW_PASSWORD).await;
        assert_eq!(reply.status, 422, "{bad}: {}", reply.text);
        refusals.push(text(&reply.body["code"]));
    }
    refusals.dedup();
    assert_eq!(refusals, ["invalid_password_reset"]);
    // A weak password does not use the link up.
    let reply = redeem(&app, &token, "ada@example.invalid").await;
    assert_eq!(reply.body["code"], "weak_password", "{}", reply.text);

    assert_eq!(redeem(&app, &token, NEW_PASSWORD).await.status, 204);
    assert_eq!(person.get("/api/v1/auth/me").await.status, 401);
    let reply = sign_in(&app, "ada@example.invalid", NEW_PASSWORD).await;
    assert_eq!(reply.status, 200);
    assert_eq!(redeem(&app, &token, PASSWORD).await.status, 422);

    let expired = reset_token(&admin, &user).await;
    let db = app.services.database.writer();
    db.execute_unprepared("UPDATE password_resets SET expires_at = created_at")
        .await
        .unwrap();
    assert_eq!(redeem(&app, &expired, PASSWORD).await.status, 422);
    // The secret itself is nowhere in the database.
    let row = sea_orm::Statement::from_string(
        db.get_database_backend(),
        "SELECT token_hash FROM password_resets",
    );
    for row in db.query_all_raw(row).await.unwrap() {
        let stored: String = row.try_get("", "token_hash").unwrap();
        assert!(![&former, &token, &expired].contains(&&stored));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn links_are_made_by_instance_administrators_for_people_who_exist() {
    let (app, admin) = TestApp::start().await;
    let person = app.stranger("bo@example.invalid").await;
    let missing = uuid::Uuid::new_v4();
    for (client, user, status) in [
        (&person, user_id(&person).await, 403),
        (&person, user_id(&admin).await, 403),
        (&person, missing.to_string(), 403),
        (&admin, missing.to_string(), 404),
        (&admin, "no-id".to_owned(), 404),
        (&app.anonymous(), user_id(&admin).await, 401),
    ] {
        let path = format!("/api/v1/users/{user}/password-resets");
        let reply = client.send(Method::POST, &path, None).await;
        assert_eq!(reply.status, status, "{user}: {}", reply.text);
    }
}

fn wait(reply: &Reply) -> i64 {
    reply.headers["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn waits_grow_for_every_account_alike_and_are_kept_in_the_database() {
    let (app, _) = TestApp::start_with(|settings| {
        settings.authentication.attempts_per_account = 10_000;
        settings.authentication.free_failures_per_account = 2;
    })
    .await;
    let db = app.services.database.writer();
    let mut seen: Vec<Vec<Value>> = Vec::new();
    for email in [ADMINISTRATOR, "nobody@example.invalid"] {
        let mut story = Vec::new();
        for _ in 0..3 {
            let reply = sign_in(&app, email, "a wrong guess").await;
            story.push(json!([reply.status.as_u16(), reply.body["code"]]));
        }
        // Now even the right password waits, and trying does not make it longer.
        for password in [PASSWORD, "a wrong guess", "a wrong guess"] {
            let reply = sign_in(&app, email, password).await;
            story.push(json!([reply.status.as_u16(), reply.body["code"]]));
            assert!((25..=30).contains(&wait(&reply)), "{}", wait(&reply));
        }
        // As if the wait were over: the next failure doubles it. The first line, in memory, has
        // nothing to do with it.
        db.execute_unprepared(
            "UPDATE sign_in_failures SET blocked_until = '2020-01-01 00:00:00+00:00'",
        )
        .await
        .unwrap();
        let reply = sign_in(&app, email, "a wrong guess").await;
        story.push(json!([reply.status.as_u16(), reply.body["code"]]));
        let reply = sign_in(&app, email, "a wrong guess").await;
        assert_eq!(reply.status, 429);
        assert!((55..=60).contains(&wait(&reply)), "{}", wait(&reply));
        seen.push(story);
    }
    assert_eq!(seen[0], seen[1]);
    db.execute_unprepared(
        "UPDATE sign_in_failures SET blocked_until = '2020-01-01 00:00:00+00:00'",
    )
    .await
    .unwrap();
    // Success forgets: two failures are free again.
    for password in [PASSWORD, "a wrong guess", "a wrong guess", PASSWORD] {
        let reply = sign_in(&app, ADMINISTRATOR, password).await;
        let expected = if password == PASSWORD { 200 } else { 401 };
        assert_eq!(reply.status, expected, "{}", reply.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_at_many_accounts_from_one_address_wait_too() {
    let (app, _) = TestApp::start_with(|settings| {
        settings.authentication.free_failures_per_address = 3;
    })
    .await;
    for number in 0..4 {
        let email = format!("person-{number}@example.invalid");
        assert_eq!(sign_in(&app, &email, "Summer2026!").await.status, 401);
    }
    let reply = sign_in(&app, "person-9@example.invalid", "Summer2026!").await;
    assert_eq!(reply.status, 429);
    assert_eq!(reply.body["code"], "rate_limited");
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_that_run_side_by_side_are_all_counted() {
    let (app, _) = TestApp::start_with(|settings| {
        settings.authentication.attempts_per_account = 10_000;
        settings.authentication.free_failures_per_account = 3;
    })
    .await;
    let guesses = (0..12).map(|_| sign_in(&app, ADMINISTRATOR, "a wrong guess"));
    let replies = futures::future::join_all(guesses).await;
    let count = |status| {
        replies
            .iter()
            .filter(|reply| reply.status == status)
            .count()
    };
    assert_eq!(
        (
            count(StatusCode::UNAUTHORIZED),
            count(StatusCode::TOO_MANY_REQUESTS)
        ),
        (4, 8)
    );
}
