//! Access tokens that must not open the door, most of them signed with the server's own key.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::Utc;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use quarry_api::authentication::tokens::load_or_create_key;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::app::{Client, TestApp};

fn part(value: &Value) -> String {
    URL_SAFE_NO_PAD.encode(value.to_string())
}

/// The claims of a token that the server has issued.
fn claims_of(token: &str) -> Value {
    let payload = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap()
}

fn changed(claims: &Value, changes: Value) -> Value {
    let mut claims = claims.clone();
    for (name, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => claims.as_object_mut().unwrap().remove(name),
            value => claims
                .as_object_mut()
                .unwrap()
                .insert(name.clone(), value.clone()),
        };
    }
    claims
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_token_that_is_good_at_this_second_is_accepted() {
    let (app, admin) = TestApp::start().await;
    let good = admin.token().unwrap();
    let claims = claims_of(good);
    let key = load_or_create_key(&app.folder.path().join("data/keys/signing")).unwrap();
    let key_id = jsonwebtoken::decode_header(good).unwrap().kid.unwrap();
    let sign = |algorithm, key_id: Option<&str>, claims: &Value, key: &[u8]| {
        let mut header = Header::new(algorithm);
        header.kid = key_id.map(str::to_owned);
        encode(&header, claims, &EncodingKey::from_secret(key).unwrap()).unwrap()
    };
    let with = |changes: Value| {
        let claims = changed(&claims, changes);
        sign(Algorithm::HS256, Some(&key_id), &claims, &key)
    };
    let now = Utc::now().timestamp();

    // The same token made here is accepted, so that a refusal below has the reason it names.
    let same = with(json!({}));
    let reply = Client::new(&app.url, Some(&same))
        .get("/api/v1/auth/me")
        .await;
    assert_eq!(reply.status, 200, "{}", reply.text);

    let none = format!("{}.{}.", part(&json!({"alg": "none"})), part(&claims));
    let expired = |ago: i64| with(json!({"iat": now - 600, "nbf": now - 600, "exp": now - ago}));
    let refused = [
        ("alg none", none),
        (
            "another algorithm",
            sign(Algorithm::HS512, Some(&key_id), &claims, &key),
        ),
        (
            "another key",
            sign(Algorithm::HS256, Some(&key_id), &claims, &[7; 32]),
        ),
        ("no key id", sign(Algorithm::HS256, None, &claims, &key)),
        (
            "key id with a path",
            sign(Algorithm::HS256, Some("../../etc"), &claims, &key),
        ),
        (
            "key id with SQL",
            sign(Algorithm::HS256, Some("' OR 1=1"), &claims, &key),
        ),
        ("expired this second", expired(0)),
        ("expired 5 s ago", expired(5)),
        ("expired 59 s ago", expired(59)),
        ("expired 61 s ago", expired(61)),
        ("not yet valid", with(json!({"nbf": now + 3600}))),
        ("issued in the future", with(json!({"iat": now + 30}))),
        (
            "longer than tokens live",
            with(json!({"exp": now + 86_400})),
        ),
        ("for ever", with(json!({"exp": 1_000_000_000_000_i64}))),
        (
            "expiry as text",
            with(json!({"exp": (now + 60).to_string()})),
        ),
        ("no expiry", with(json!({"exp": null}))),
        ("no nbf", with(json!({"nbf": null}))),
        ("no issuer", with(json!({"iss": null}))),
        ("another issuer", with(json!({"iss": "somebody"}))),
        ("no audience", with(json!({"aud": null}))),
        ("another audience", with(json!({"aud": "another-api"}))),
        ("nobody", with(json!({"sub": uuid::Uuid::new_v4()}))),
        (
            "another sign-in",
            with(json!({"sid": uuid::Uuid::new_v4()})),
        ),
        ("cut off", good[..good.len() - 2].to_owned()),
        ("huge", "a".repeat(7_000)),
        ("rubbish", "a.b.c".to_owned()),
        ("empty", String::new()),
    ];
    let mut answers = Vec::new();
    for (name, token) in refused {
        let client = Client::new(&app.url, Some(&token));
        let mut reply = client.get("/api/v1/auth/me").await;
        assert_eq!(reply.status, 401, "{name}: {}", reply.text);
        assert!(reply.headers.contains_key("www-authenticate"), "{name}");
        reply.body.as_object_mut().unwrap().remove("request_id");
        answers.push(reply.body);
    }
    // Which check has failed is nobody's business.
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deactivated_account_is_out_with_its_next_request() {
    let (app, _) = TestApp::start().await;
    let person = app.stranger("leaver@example.invalid").await;
    assert_eq!(person.get("/api/v1/auth/me").await.status, 200);
    let db = app.services.database.writer();
    db.execute_unprepared(
        "UPDATE users SET deactivated_at = created_at WHERE email = 'leaver@example.invalid'",
    )
    .await
    .unwrap();
    assert_eq!(person.get("/api/v1/auth/me").await.status, 401);
}
