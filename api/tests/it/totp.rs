//! A second proof at sign-in: codes of an authenticator, and what stands in for them.

use quarry_api::authentication::passwords;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use totp_rs::{Algorithm, Secret, TOTP};

use crate::app::{ADMINISTRATOR, Client, PASSWORD, Reply, TestApp, text};

/// The authenticator in somebody's pocket.
pub struct Authenticator {
    totp: TOTP,
    /// The code that confirmed it.
    pub first: String,
}

impl Authenticator {
    pub fn new(secret: &str) -> Self {
        let secret = Secret::Encoded(secret.to_owned()).to_bytes().unwrap();
        let totp = TOTP::new(Algorithm::SHA1, 6, 1, 30, secret, None, "x".to_owned());
        let totp = totp.unwrap();
        let first = totp.generate_current().unwrap();
        Self { totp, first }
    }

    /// The next code: never used before, and still good when time goes on while it travels.
    fn next(&self) -> String {
        let second = chrono::Utc::now().timestamp() + 30;
        self.totp.generate(second.try_into().unwrap())
    }
}

async fn enrol(client: &Client) -> (Authenticator, Vec<String>) {
    let reply = client
        .post("/api/v1/auth/totp", &json!({"password": PASSWORD}))
        .await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    assert!(text(&reply.body["otpauth_url"]).starts_with("otpauth://totp/Quarry:"));
    let authenticator = Authenticator::new(&text(&reply.body["secret"]));
    let code = json!({"code": authenticator.first});
    let reply = client.post("/api/v1/auth/totp/confirm", &code).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let codes: Vec<String> = serde_json::from_value(reply.body["recovery_codes"].clone()).unwrap();
    (authenticator, codes)
}

async fn challenge(app: &TestApp) -> String {
    let body = json!({"email": ADMINISTRATOR, "password": PASSWORD});
    let reply = app.anonymous().post("/api/v1/auth/login", &body).await;
    assert_eq!(reply.status, 202, "{}", reply.text);
    assert_eq!(reply.body["status"], "totp_required");
    assert!(reply.body.get("access_token").is_none() && !reply.headers.contains_key("set-cookie"));
    text(&reply.body["challenge"])
}

async fn answer(app: &TestApp, challenge: &str, code: &str) -> Reply {
    let body = json!({"challenge": challenge, "code": code});
    app.anonymous().post("/api/v1/auth/login/totp", &body).await
}

fn outcome(reply: &Reply) -> (u16, String) {
    let code = reply.body["code"].as_str().unwrap_or_default();
    (reply.status.as_u16(), code.to_owned())
}

fn wrong() -> (u16, String) {
    (403, "wrong_code".to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_needed_after_the_first_right_one_and_is_good_once() {
    let (app, admin) =
        TestApp::start_with(|settings| settings.authentication.attempts_per_account = 100).await;
    // Without the password nobody begins; without a right code nothing changes.
    let reply = admin
        .post("/api/v1/auth/totp", &json!({"password": "guess"}))
        .await;
    assert_eq!(outcome(&reply), (403, "wrong_password".to_owned()));
    let begun = admin
        .post("/api/v1/auth/totp", &json!({"password": PASSWORD}))
        .await;
    assert_eq!(begun.status, 201);
    let reply = admin
        .post("/api/v1/auth/totp/confirm", &json!({"code": "000000"}))
        .await;
    assert_eq!(outcome(&reply), wrong());
    app.sign_in(ADMINISTRATOR).await;

    let (authenticator, codes) = enrol(&admin).await;
    assert_eq!(codes.len(), 10);
    let state = admin.get("/api/v1/auth/totp").await.body;
    assert_eq!(
        (&state["is_enabled"], &state["recovery_codes_left"]),
        (&json!(true), &json!(10))
    );
    let reply = admin
        .post("/api/v1/auth/totp", &json!({"password": PASSWORD}))
        .await;
    assert_eq!(outcome(&reply), (409, "totp_enabled".to_owned()));

    let first = challenge(&app).await;
    // The code that confirmed the authenticator has been used.
    let reply = answer(&app, &first, &authenticator.first).await;
    assert_eq!(outcome(&reply), wrong());
    let code = authenticator.next();
    let reply = answer(&app, &first, &code).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let client = Client::new(&app.url, reply.body["access_token"].as_str());
    let sessions = client.get("/api/v1/auth/sessions").await.body;
    assert_eq!(sessions["items"][0]["method"], "password_and_code");
    // Neither the challenge nor the code opens the door again.
    let reply = answer(&app, &first, &codes[0]).await;
    assert_eq!(outcome(&reply), (401, "invalid_challenge".to_owned()));
    let reply = answer(&app, &challenge(&app).await, &code).await;
    assert_eq!(outcome(&reply), wrong());
}

#[tokio::test(flavor = "multi_thread")]
async fn recovery_codes_work_once_each_and_are_replaced_together() {
    let (app, admin) = TestApp::start().await;
    let (_, codes) = enrol(&admin).await;
    let first = challenge(&app).await;
    let typed = codes[0].to_lowercase().replace('-', " ");
    assert_eq!(answer(&app, &first, &typed).await.status, 200);
    let second = challenge(&app).await;
    assert_eq!(outcome(&answer(&app, &second, &codes[0]).await), wrong());
    assert_eq!(
        admin.get("/api/v1/auth/totp").await.body["recovery_codes_left"],
        9
    );
    let path = "/api/v1/auth/totp/recovery-codes";
    let reply = admin.post(path, &json!({"password": PASSWORD})).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(outcome(&answer(&app, &second, &codes[1]).await), wrong());
    let newer = text(&reply.body["recovery_codes"][0]);
    assert_eq!(answer(&app, &second, &newer).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_ends_after_five_codes_or_five_minutes() {
    let (app, admin) = TestApp::start_with(|settings| {
        settings.authentication.attempts_per_account = 10_000;
        settings.authentication.free_failures_per_account = 1000;
    })
    .await;
    let (authenticator, codes) = enrol(&admin).await;
    let first = challenge(&app).await;
    for _ in 0..5 {
        assert_eq!(outcome(&answer(&app, &first, "000000").await), wrong());
    }
    let ended = (401, "invalid_challenge".to_owned());
    assert_eq!(outcome(&answer(&app, &first, &codes[0]).await), ended);
    let second = challenge(&app).await;
    let db = app.services.database.writer();
    db.execute_unprepared("UPDATE sign_in_challenges SET expires_at = '2020-01-01 00:00:00+00:00'")
        .await
        .unwrap();
    assert_eq!(outcome(&answer(&app, &second, &codes[0]).await), ended);
    for made_up in ["made-up", &"x".repeat(256)] {
        assert_eq!(outcome(&answer(&app, made_up, &codes[0]).await), ended);
    }
    let third = challenge(&app).await;
    assert_eq!(
        answer(&app, &third, &authenticator.next()).await.status,
        200
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn codes_cannot_be_guessed_over_many_challenges() {
    let (app, admin) = TestApp::start_with(|settings| {
        settings.authentication.attempts_per_account = 10_000;
        settings.authentication.free_failures_per_account = 4;
    })
    .await;
    enrol(&admin).await;
    let mut statuses = Vec::new();
    for _ in 0..3 {
        let body = json!({"email": ADMINISTRATOR, "password": PASSWORD});
        let reply = app.anonymous().post("/api/v1/auth/login", &body).await;
        statuses.push(reply.status.as_u16());
        if reply.status == 202 {
            let reply = answer(&app, &text(&reply.body["challenge"]), "000000").await;
            statuses.push(reply.status.as_u16());
        }
    }
    // The right password in between does not wash the wrong codes away.
    assert_eq!(statuses, [202, 403, 202, 403, 202, 429]);
}

#[tokio::test(flavor = "multi_thread")]
async fn it_ends_with_the_password_or_by_an_instance_administrator() {
    let (app, admin) = TestApp::start().await;
    enrol(&admin).await;
    let path = "/api/v1/auth/totp/disable";
    let reply = admin.post(path, &json!({"password": "guess"})).await;
    assert_eq!(outcome(&reply), (403, "wrong_password".to_owned()));
    challenge(&app).await;
    let reply = admin.post(path, &json!({"password": PASSWORD})).await;
    assert_eq!(reply.status, 204);
    app.sign_in(ADMINISTRATOR).await;

    let person = app.stranger("cy@example.invalid").await;
    enrol(&person).await;
    let id = text(&person.get("/api/v1/auth/me").await.body["user"]["id"]);
    let path = format!("/api/v1/users/{id}/totp");
    assert_eq!(person.send(Method::DELETE, &path, None).await.status, 403);
    assert_eq!(admin.send(Method::DELETE, &path, None).await.status, 204);
    app.sign_in("cy@example.invalid").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_secret_nor_codes_are_readable_in_the_database() {
    let (app, admin) = TestApp::start().await;
    let reply = admin
        .post("/api/v1/auth/totp", &json!({"password": PASSWORD}))
        .await;
    let secret = Secret::Encoded(text(&reply.body["secret"]))
        .to_bytes()
        .unwrap();
    let authenticator = Authenticator::new(&text(&reply.body["secret"]));
    let code = json!({"code": authenticator.first});
    let codes = admin.post("/api/v1/auth/totp/confirm", &code).await.body;
    let db = app.services.database.writer();
    let rows = |query: &str| Statement::from_string(db.get_database_backend(), query);
    let row = db
        .query_one_raw(rows("SELECT secret FROM totp_secrets"))
        .await
        .unwrap()
        .unwrap();
    let sealed: Vec<u8> = row.try_get("", "secret").unwrap();
    assert!(!sealed.windows(secret.len()).any(|part| part == secret));
    for row in db
        .query_all_raw(rows("SELECT code_hash FROM recovery_codes"))
        .await
        .unwrap()
    {
        let hash: String = row.try_get("", "code_hash").unwrap();
        let shown: Vec<Value> = codes["recovery_codes"].as_array().unwrap().clone();
        assert!(
            shown
                .iter()
                .all(|code| !code.as_str().unwrap().contains(&hash))
        );
    }
    // Nor does a stored mark of an account without a password let anybody in.
    db.execute_unprepared(&format!(
        "UPDATE users SET password_hash = '{}'",
        passwords::NO_PASSWORD
    ))
    .await
    .unwrap();
    for guess in ["!", "", PASSWORD] {
        let body = json!({"email": ADMINISTRATOR, "password": guess});
        let reply = app.anonymous().post("/api/v1/auth/login", &body).await;
        assert_eq!(reply.status, 401, "{guess}");
    }
}
