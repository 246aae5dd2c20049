//! Two servers on one PostgreSQL database: what is taken away at one is gone at the other.
//!
//! Prints how long it takes: `cargo test -p quarry-api --test it revocation -- --nocapture`.

#[path = "../../../shared/tests/it/store_database.rs"]
#[allow(dead_code)]
mod store_database;

use std::time::{Duration, Instant};

use quarry_shared::{
    config::Settings,
    domain::OrganizationRole,
    store::{DatabaseSettings, organizations},
};
use reqwest::Method;
use serde_json::json;

use crate::{
    app::{Client, GitRepository, PASSWORD, TestApp, text},
    audit_walk::stuck_run,
};

/// What is promised for open streams and other processes.
const PROMISED: Duration = Duration::from_secs(5);

struct Pair {
    one: TestApp,
    other: TestApp,
    admin: Client,
}

/// A second server that shares the database and the signing key of the first.
async fn pair() -> Pair {
    let database = store_database::new_postgres().await;
    let share = |settings: &mut Settings| {
        let DatabaseSettings::Postgres { url, .. } = database.clone() else {
            panic!("not PostgreSQL");
        };
        settings.database.url = Some(url);
        settings.database.max_connections = 8;
        settings.authentication.signing_key = Some("k".repeat(40).into());
        settings.authentication.attempts_per_account = 1000;
    };
    let (one, admin) = TestApp::start_with(share).await;
    let (other, _) = TestApp::start_with(share).await;
    Pair { one, other, admin }
}

/// An open stream of an index run.
struct Stream(reqwest::Response);

impl Stream {
    async fn open(app: &TestApp, token: &str, run: &str) -> Self {
        let mut reply = reqwest::Client::new()
            .get(format!("{}/api/v1/index-runs/{run}/events", app.url))
            .bearer_auth(token)
            .send()
            .await
            .unwrap();
        assert_eq!(reply.status(), 200);
        let first = reply.chunk().await.unwrap().unwrap();
        let first = String::from_utf8_lossy(&first).into_owned();
        assert!(first.starts_with("event: progress"), "{first}");
        assert!(!first.contains("event: done"), "{first}");
        Self(reply)
    }

    /// How long it goes on from `start`.
    async fn ends(mut self, start: Instant) -> Duration {
        let rest = async { while self.0.chunk().await.is_ok_and(|chunk| chunk.is_some()) {} };
        tokio::time::timeout(Duration::from_secs(30), rest)
            .await
            .expect("the stream ends");
        start.elapsed()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_away_at_one_server_is_gone_at_the_other() {
    let Pair { one, other, admin } = pair().await;
    let (organization, project) = admin.home().await;
    let source = GitRepository::create(one.folder.path().join("a"), &[("a.py", "x = 1\n")]);
    let body = json!({"source": {"kind": "local", "path": source.path}});
    let path = format!("/api/v1/projects/{project}/repositories");
    let repository = text(&admin.post(&path, &body).await.body["id"]);
    // What waits for a run is woken when that run ends.
    admin.settled(&repository).await;
    let run = stuck_run(&one, &repository).await;
    let home = format!("/api/v1/organizations/{organization}");
    let run_path = format!("/api/v1/index-runs/{run}");

    for way in [
        "token revoked",
        "member removed",
        "project closed",
        "deactivated",
    ] {
        let email = format!("{}@example.invalid", way.replace(' ', "-"));
        let account = json!({"email": email, "name": "Member", "password": PASSWORD});
        let account = admin.post("/api/v1/users", &account).await;
        let user = text(&account.body["id"]);
        let member = one.sign_in(&email).await;
        let id = organization.parse().unwrap();
        let db = one.services.database.writer();
        let role = OrganizationRole::Member;
        organizations::add_member(db, id, user.parse().unwrap(), role)
            .await
            .unwrap();
        let token = json!({"name": "t", "scopes": ["search"]});
        let made = member.post(&format!("{home}/tokens"), &token).await.body;
        let token = text(&made["token"]);
        let session = member.token().unwrap();
        let here = Client::new(&one.url, Some(&token));
        let there = Client::new(&other.url, Some(&token));
        assert_eq!(there.get(&run_path).await.status, 200);
        let by_token = Stream::open(&other, &token, &run).await;
        let by_session = Stream::open(&other, session, &run).await;

        let (method, path, body) = match way {
            "token revoked" => {
                let path = format!("{home}/member-tokens/{}", text(&made["id"]));
                (Method::DELETE, path, None)
            }
            "member removed" => (Method::DELETE, format!("{home}/members/{user}"), None),
            "project closed" => {
                let body = json!({"visibility": "private"});
                (
                    Method::PATCH,
                    format!("/api/v1/projects/{project}"),
                    Some(body),
                )
            }
            _ => (
                Method::POST,
                format!("/api/v1/users/{user}/deactivate"),
                None,
            ),
        };
        let reply = admin.send(method, &path, body.as_ref()).await;
        assert!(reply.status.is_success(), "{way}: {}", reply.text);
        let start = Instant::now();
        let expected = if way == "project closed" { 404 } else { 401 };
        assert_eq!(here.get(&run_path).await.status, expected, "{way}");
        assert_eq!(there.get(&run_path).await.status, expected, "{way}");
        let request = start.elapsed();
        let stream = by_token.ends(start).await;
        println!("{way}: next request {request:?} (both servers), token's stream {stream:?}");
        assert!(stream < PROMISED, "{way}: {stream:?}");
        if way == "token revoked" {
            drop(by_session);
        } else {
            let stream = by_session.ends(start).await;
            println!("{way}: session's stream {stream:?}");
            assert!(stream < PROMISED, "{way}: {stream:?}");
        }
        let open = json!({"visibility": "organization"});
        let path = format!("/api/v1/projects/{project}");
        admin.send(Method::PATCH, &path, Some(&open)).await;
    }
}
