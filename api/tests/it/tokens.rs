//! Access tokens that must not open the door, most of them signed with the server's own key.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::Utc;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use quarry_api::authentication::signing_keys::{load_or_create, rotate};
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
    let file = app.folder.path().join("data/keys/signing");
    let key = load_or_create(&file).unwrap().remove(0).bytes;
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

#[tokio::test(flavor = "multi_thread")]
async fn a_rotated_key_verifies_what_it_has_signed_and_signs_nothing_new() {
    let (app, admin) = TestApp::start().await;
    let file = app.folder.path().join("data/keys/signing");
    let old = load_or_create(&file).unwrap().remove(0).bytes;
    let before = admin.token().unwrap();
    let key_id = |token: &str| jsonwebtoken::decode_header(token).unwrap().kid.unwrap();

    let new_id = rotate(&file).unwrap();
    assert_ne!(key_id(before), new_id);
    assert_eq!(admin.get("/api/v1/auth/me").await.status, 200);
    let keys = load_or_create(&file).unwrap();
    assert_eq!(keys.len(), 2);
    let retired_at = keys[1].retired_at.unwrap();
    // A server that knows nothing of the rotation yet learns of it from the first token that names
    // the new key; this one is made here.
    let claims = claims_of(before);
    let sign = |key: &[u8], key_id: &str, claims: &Value| {
        let mut header = Header::new(Algorithm::HS256);
        header.kid = Some(key_id.to_owned());
        encode(&header, claims, &EncodingKey::from_secret(key).unwrap()).unwrap()
    };
    let of_new_key = sign(&keys[0].bytes, &new_id, &claims);
    let status = async |token: &str| {
        let client = Client::new(&app.url, Some(token));
        client.get("/api/v1/auth/me").await.status.as_u16()
    };
    assert_eq!(status(&of_new_key).await, 200);
    let after = app.sign_in(crate::app::ADMINISTRATOR).await;
    assert_eq!(key_id(after.token().unwrap()), new_id);

    // As if the rotation had been a minute ago.
    let text = std::fs::read_to_string(&file).unwrap();
    let earlier = (retired_at - 60).to_string();
    let text = text.replace(&retired_at.to_string(), &earlier);
    let aside = file.with_extension("test");
    std::fs::write(&aside, text).unwrap();
    std::fs::rename(&aside, &file).unwrap();
    let unknown = sign(&[9; 32], "unknown", &claims);
    assert_eq!(status(&unknown).await, 401);
    let now = Utc::now().timestamp();
    let issued = |ago: i64, lifetime: i64| {
        let iat = now - ago;
        changed(
            &claims,
            json!({"iat": iat, "nbf": iat, "exp": iat + lifetime}),
        )
    };
    let old_id = key_id(before);
    assert_eq!(status(&sign(&old, &old_id, &issued(90, 600))).await, 200);
    // Whoever has stolen it signs nothing after its time, nor for longer than tokens live.
    assert_eq!(status(&sign(&old, &old_id, &issued(10, 600))).await, 401);
    assert_eq!(status(&sign(&old, &old_id, &issued(90, 700))).await, 401);
    // Nor does the name of one key open the door for another.
    assert_eq!(status(&sign(&old, &new_id, &issued(90, 600))).await, 401);
    assert_eq!(
        status(&sign(&keys[0].bytes, &old_id, &issued(90, 600))).await,
        401
    );
}
