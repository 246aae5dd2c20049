//! API tokens: what opens the door, what does not, and that nothing opens it for longer than it may.

use std::time::{Duration, Instant};

use quarry_shared::{domain::OrganizationRole, store::organizations};
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::{Client, DEADLINE, TestApp, text};

struct World {
    app: TestApp,
    admin: Client,
    organization: String,
    project: String,
}

async fn world() -> World {
    let (app, admin) = TestApp::start().await;
    let (organization, project) = admin.home().await;
    World {
        app,
        admin,
        organization,
        project,
    }
}

impl World {
    fn tokens(&self) -> String {
        format!("/api/v1/organizations/{}/tokens", self.organization)
    }

    /// A token of the administrator.
    async fn token(&self, body: Value) -> (Client, Value) {
        let reply = self.admin.post(&self.tokens(), &body).await;
        assert_eq!(reply.status, 201, "{}", reply.text);
        let client = Client::new(&self.app.url, reply.body["token"].as_str());
        (client, reply.body)
    }

    async fn execute(&self, sql: &str) {
        let db = self.app.services.database.writer();
        db.execute_unprepared(sql).await.unwrap();
    }

    fn project_path(&self) -> String {
        format!("/api/v1/projects/{}", self.project)
    }
}

fn without_request_id(mut body: Value) -> Value {
    body.as_object_mut().unwrap().remove("request_id");
    body
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_whole_living_token_from_the_right_place_opens_the_door() {
    let world = world().await;
    let (client, made) = world
        .token(json!({"name": "ci", "scopes": ["search"], "addresses": ["127.0.0.1"]}))
        .await;
    let good = text(&made["token"]);
    assert_eq!(client.get(&world.project_path()).await.status, 200);
    let listed = world.admin.get(&world.tokens()).await;
    assert!(!listed.text.contains(&good), "{}", listed.text);
    assert_eq!(
        listed.body["items"][0]["addresses"],
        json!(["127.0.0.1/32"])
    );

    let mut swapped = good.clone().into_bytes();
    swapped[40] = if swapped[40] == b'a' { b'b' } else { b'a' };
    let swapped = String::from_utf8(swapped).unwrap();
    let (_, elsewhere) = world
        .token(json!({"name": "x", "scopes": ["search"], "addresses": ["10.0.0.0/8", "::1"]}))
        .await;
    let (_, expired) = world
        .token(json!({"name": "e", "scopes": ["search"]}))
        .await;
    let (_, revoked) = world
        .token(json!({"name": "r", "scopes": ["search"]}))
        .await;
    let path = format!("{}/{}", world.tokens(), text(&revoked["id"]));
    assert_eq!(
        world.admin.send(Method::DELETE, &path, None).await.status,
        204
    );
    assert_eq!(
        world.admin.send(Method::DELETE, &path, None).await.status,
        404
    );
    let now = chrono::Utc::now().to_rfc3339();
    world
        .execute(&format!(
            "UPDATE api_tokens SET expires_at = '{now}' WHERE name = 'e'"
        ))
        .await;

    let refused = [
        ("wrong checksum", swapped),
        ("cut off", good[..74].to_owned()),
        ("longer", format!("{good}0")),
        ("the prefix alone", "qry_".to_owned()),
        ("huge", format!("qry_{}", "0".repeat(7_000))),
        ("rubbish", "qry_ü' OR 1=1 --".replace('ü', "u")),
        ("another address", text(&elsewhere["token"])),
        ("expired this moment", text(&expired["token"])),
        ("revoked", text(&revoked["token"])),
    ];
    let mut answers = Vec::new();
    for (name, token) in refused {
        let reply = Client::new(&world.app.url, Some(&token))
            .get(&world.project_path())
            .await;
        assert_eq!(reply.status, 401, "{name}: {}", reply.text);
        answers.push(without_request_id(reply.body));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    // The secret of one token with the id of another.
    let mixed = world
        .token(json!({"name": "m", "scopes": ["search"]}))
        .await
        .1;
    world
        .execute("UPDATE api_tokens SET secret_hash = 'other' WHERE name = 'm'")
        .await;
    let mixed = Client::new(&world.app.url, mixed["token"].as_str());
    assert_eq!(mixed.get(&world.project_path()).await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_holds_its_scopes_and_projects_alone() {
    let world = world().await;
    let projects = format!("/api/v1/organizations/{}/projects", world.organization);
    let other = world.admin.post(&projects, &json!({"name": "other"})).await;
    let other = text(&other.body["id"]);
    let (search, _) = world
        .token(json!({"name": "s", "scopes": ["search"], "project_ids": [world.project]}))
        .await;
    let rename = json!({"name": "renamed"});
    // Allowed to see, not to change.
    assert_eq!(search.get(&world.project_path()).await.status, 200);
    let refused = search
        .send(Method::PATCH, &world.project_path(), Some(&rename))
        .await;
    assert_eq!(refused.status, 403);
    assert_eq!(search.post(&projects, &rename).await.status, 403);
    // Outside its projects everything is missing.
    let outside = search.get(&format!("/api/v1/projects/{other}")).await;
    let missing = search
        .get(&format!("/api/v1/projects/{}", Uuid::new_v4()))
        .await;
    assert_eq!(outside.status, 404);
    assert_eq!(
        without_request_id(outside.body),
        without_request_id(missing.body)
    );
    let listed = search.get(&projects).await.body;
    assert_eq!(listed["items"].as_array().unwrap().len(), 1, "{listed}");
    let body = json!({"query": "x", "organization_id": world.organization});
    assert_eq!(search.post("/api/v1/search", &body).await.status, 200);

    let (administer, _) = world
        .token(json!({"name": "a", "scopes": ["administer"]}))
        .await;
    let changed = administer
        .send(Method::PATCH, &world.project_path(), Some(&rename))
        .await;
    assert_eq!(changed.status, 200, "{}", changed.text);
    // Not without `search`: an administering token reads nothing.
    assert_eq!(administer.get(&world.project_path()).await.status, 403);
    let events = world
        .admin
        .get(&format!(
            "/api/v1/organizations/{}/audit-events?action=project.change",
            world.organization
        ))
        .await;
    assert_eq!(events.body["items"][0]["credential_kind"], "token");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_makes_no_tokens_and_changes_no_proofs() {
    let world = world().await;
    let all = json!(["search", "answer", "index", "administer"]);
    let (client, made) = world.token(json!({"name": "all", "scopes": all})).await;
    let id = text(&made["id"]);
    let organization = format!("/api/v1/organizations/{}", world.organization);
    let token = json!({"name": "more", "scopes": ["search"]});
    let password = json!({"password": "x"});
    for (method, path, body) in [
        (Method::GET, world.tokens(), None),
        (Method::POST, world.tokens(), Some(token.clone())),
        (Method::DELETE, format!("{}/{id}", world.tokens()), None),
        (
            Method::DELETE,
            format!("{organization}/member-tokens/{id}"),
            None,
        ),
        (
            Method::POST,
            format!("{organization}/service-accounts"),
            Some(json!({"name": "s"})),
        ),
        (Method::GET, "/api/v1/auth/sessions".to_owned(), None),
        (Method::DELETE, "/api/v1/auth/sessions".to_owned(), None),
        (
            Method::POST,
            "/api/v1/auth/totp".to_owned(),
            Some(password.clone()),
        ),
        (
            Method::POST,
            "/api/v1/auth/password".to_owned(),
            Some(json!({"current_password": "x", "new_password": "y"})),
        ),
        // The person administers the instance; the token does not.
        (Method::GET, "/api/v1/jobs".to_owned(), None),
        (Method::GET, "/api/v1/audit-events".to_owned(), None),
        (Method::GET, "/api/v1/users".to_owned(), None),
        (
            Method::POST,
            "/api/v1/organizations".to_owned(),
            Some(json!({"name": "o"})),
        ),
    ] {
        let reply = client.send(method.clone(), &path, body.as_ref()).await;
        assert_eq!(reply.status, 403, "{method} {path}: {}", reply.text);
    }
    // Nor does it reach another organization of the same person.
    let other = world
        .admin
        .post("/api/v1/organizations", &json!({"name": "second"}))
        .await;
    let path = format!("/api/v1/organizations/{}", text(&other.body["id"]));
    assert_eq!(world.admin.get(&path).await.status, 200);
    assert_eq!(client.get(&path).await.status, 404);
    let listed = client.get("/api/v1/organizations").await.body;
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn foreign_projects_and_bad_limits_are_refused_when_a_token_is_made() {
    let world = world().await;
    let stranger = world.app.stranger("mallory@example.invalid").await;
    let (_, foreign) = stranger.home().await;
    let mut answers = Vec::new();
    for project in [foreign, Uuid::new_v4().to_string()] {
        let body = json!({"name": "t", "scopes": ["search"], "project_ids": [project]});
        let reply = world.admin.post(&world.tokens(), &body).await;
        assert_eq!(reply.status, 404, "{}", reply.text);
        answers.push(without_request_id(reply.body));
    }
    assert_eq!(answers[0], answers[1]);
    for body in [
        json!({"name": "t", "scopes": []}),
        json!({"name": "t", "scopes": ["everything"]}),
        json!({"name": "t", "scopes": ["search"], "project_ids": []}),
        json!({"name": "t", "scopes": ["search"], "addresses": ["10.0.0.0/33"]}),
        json!({"name": "t", "scopes": ["search"], "addresses": ["localhost"]}),
        json!({"name": "t", "scopes": ["search"], "expires_in_days": 0}),
        json!({"name": "t", "scopes": ["search"], "expires_in_days": 366}),
        json!({"name": "t", "scopes": ["search"], "daily_spend_limit_cents": -1}),
        json!({"name": " ", "scopes": ["search"]}),
    ] {
        let reply = world.admin.post(&world.tokens(), &body).await;
        assert_eq!(reply.status, 422, "{body}: {}", reply.text);
    }
    assert_eq!(stranger.get(&world.tokens()).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn removal_deactivation_and_deletion_end_tokens_with_the_next_request() {
    let world = world().await;
    let organization = format!("/api/v1/organizations/{}", world.organization);
    let body = json!({"name": "t", "scopes": ["search"]});
    for way in ["removed", "deactivated"] {
        let email = format!("{way}@example.invalid");
        let member = world.app.stranger(&email).await;
        let user = text(&member.get("/api/v1/auth/me").await.body["user"]["id"]);
        let db = world.app.services.database.writer();
        let role = OrganizationRole::Member;
        let id = world.organization.parse().unwrap();
        organizations::add_member(db, id, user.parse().unwrap(), role)
            .await
            .unwrap();
        let made = member.post(&world.tokens(), &body).await;
        assert_eq!(made.status, 201, "{}", made.text);
        let client = Client::new(&world.app.url, made.body["token"].as_str());
        assert_eq!(client.get(&world.project_path()).await.status, 200);
        let reply = match way {
            "removed" => {
                let path = format!("{organization}/members/{user}");
                world.admin.send(Method::DELETE, &path, None).await
            }
            _ => {
                // Not by its route, which asks for another owner of the person's organization.
                let sql =
                    format!("UPDATE users SET deactivated_at = created_at WHERE email = '{email}'");
                world.execute(&sql).await;
                world.admin.get("/api/v1/auth/me").await
            }
        };
        assert!(reply.status.is_success(), "{}", reply.text);
        assert_eq!(client.get(&world.project_path()).await.status, 401, "{way}");
        if way == "removed" {
            // Coming back does not bring the token back.
            organizations::add_member(db, id, user.parse().unwrap(), role)
                .await
                .unwrap();
            assert_eq!(client.get(&world.project_path()).await.status, 401);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_account_works_with_tokens_alone_and_never_rises() {
    let world = world().await;
    let organization = format!("/api/v1/organizations/{}", world.organization);
    let accounts = format!("{organization}/service-accounts");
    let made = world
        .admin
        .post(&accounts, &json!({"name": "builder"}))
        .await;
    assert_eq!(made.status, 201, "{}", made.text);
    let id = text(&made.body["id"]);
    let body = json!({"name": "t", "scopes": ["search", "administer"]});
    let token = world
        .admin
        .post(&format!("{accounts}/{id}/tokens"), &body)
        .await;
    assert_eq!(token.status, 201, "{}", token.text);
    let client = Client::new(&world.app.url, token.body["token"].as_str());
    assert_eq!(client.get(&world.project_path()).await.status, 200);
    // A member like any other: no administrator, whatever the token's scopes say.
    let rename = json!({"name": "renamed"});
    let refused = client
        .send(Method::PATCH, &world.project_path(), Some(&rename))
        .await;
    assert_eq!(refused.status, 403);
    for role in ["administrator", "owner"] {
        let path = format!("{organization}/members/{id}");
        let body = json!({"role": role});
        let risen = world.admin.send(Method::PATCH, &path, Some(&body)).await;
        assert_eq!(risen.status, 409, "{}", risen.text);
    }
    let email = format!("{}@service.invalid", id.replace('-', ""));
    let login = json!({"email": email, "password": ""});
    let login = world
        .app
        .anonymous()
        .post("/api/v1/auth/login", &login)
        .await;
    assert!(login.status.is_client_error(), "{}", login.text);

    let listed = world
        .admin
        .get(&format!("{organization}/member-tokens?user_id={id}"))
        .await;
    assert_eq!(listed.body["items"][0]["name"], "t");
    let gone = world
        .admin
        .send(Method::DELETE, &format!("{accounts}/{id}"), None)
        .await;
    assert_eq!(gone.status, 204, "{}", gone.text);
    assert_eq!(client.get(&world.project_path()).await.status, 401);
    // A person's id is no service account's.
    let me = text(&world.admin.get("/api/v1/auth/me").await.body["user"]["id"]);
    let path = format!("{accounts}/{me}");
    assert_eq!(
        world.admin.send(Method::DELETE, &path, None).await.status,
        404
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_account_that_is_removed_as_a_member_is_gone() {
    let world = world().await;
    let organization = format!("/api/v1/organizations/{}", world.organization);
    let accounts = format!("{organization}/service-accounts");
    let made = world
        .admin
        .post(&accounts, &json!({"name": "builder"}))
        .await;
    let id = text(&made.body["id"]);
    let member = format!("{organization}/members/{id}");
    let removed = world.admin.send(Method::DELETE, &member, None).await;
    assert!(removed.status.is_success(), "{}", removed.text);

    assert_eq!(world.admin.get(&accounts).await.body["items"], json!([]));
    let body = json!({"name": "t", "scopes": ["search"]});
    let tokens = format!("{accounts}/{id}/tokens");
    assert_eq!(world.admin.post(&tokens, &body).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_use_is_written_down_once_a_minute() {
    let world = world().await;
    let (client, made) = world
        .token(json!({"name": "t", "scopes": ["search"]}))
        .await;
    assert_eq!(made["last_used_at"], Value::Null);
    let last_use = async || {
        let listed = world.admin.get(&world.tokens()).await;
        listed.body["items"][0]["last_used_at"].clone()
    };
    assert_eq!(client.get(&world.project_path()).await.status, 200);
    let start = Instant::now();
    let first = loop {
        let used = last_use().await;
        if used != Value::Null {
            break used;
        }
        assert!(start.elapsed() < DEADLINE, "the use is never written down");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    for _ in 0..3 {
        assert_eq!(client.get(&world.project_path()).await.status, 200);
    }
    assert_eq!(last_use().await, first);
}
