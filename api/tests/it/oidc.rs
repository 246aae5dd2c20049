//! Signing in at a real identity provider process, and everything that must not come in that way.

use std::{
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::Instant,
};

use quarry_shared::store::{organizations, users};
use reqwest::{Method, Url, redirect};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::app::{ADMINISTRATOR, Client, DEADLINE, TestApp, text};

/// `oidc-provider-mock`, which `deploy/test` installs.
struct Provider {
    process: Child,
    port: u16,
}

impl Provider {
    async fn start() -> Self {
        let program = std::env::var("QUARRY_TEST_OIDC").expect(
            "QUARRY_TEST_OIDC must name the program `oidc-provider-mock`; `deploy/test rust` sets it",
        );
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let process = Command::new(program)
            .args(["--port", &port.to_string(), "--require-nonce", "true"])
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let provider = Self { process, port };
        let address = format!("{}/.well-known/openid-configuration", provider.issuer());
        let start = Instant::now();
        while reqwest::get(&address).await.is_err() {
            assert!(start.elapsed() < DEADLINE, "the provider does not start");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        provider
    }

    fn issuer(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    async fn set_user(&self, subject: &str, claims: Value) {
        let address = format!("{}/users/{subject}", self.issuer());
        let request = reqwest::Client::new().put(address);
        let request = request.header("content-type", "application/json");
        let reply = request.body(claims.to_string()).send().await.unwrap();
        assert_eq!(reply.status(), 204);
    }

    /// Signs somebody in on the provider's page. Returns where it sends the browser.
    async fn consent(&self, address: &str, subject: &str) -> Url {
        let request = browser().post(address);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let reply = request.body(format!("sub={subject}")).send().await.unwrap();
        assert!(reply.status().is_redirection(), "{}", reply.status());
        let location = reply.headers()["location"].to_str().unwrap();
        Url::parse(location).unwrap()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn browser() -> reqwest::Client {
    let builder = reqwest::Client::builder().redirect(redirect::Policy::none());
    builder.build().unwrap()
}

struct World {
    app: TestApp,
    admin: Client,
    provider: Provider,
    organization: String,
}

/// An answer that sends the browser somewhere.
struct Sent {
    status: u16,
    location: String,
    cookies: Vec<String>,
}

impl World {
    async fn start() -> Self {
        let provider = Provider::start().await;
        let host = format!("127.0.0.1:{}", provider.port);
        let (app, admin) = TestApp::start_with(|settings| {
            settings.outbound.plain_http_hosts = vec![host];
        })
        .await;
        let (organization, _) = admin.home().await;
        Self {
            app,
            admin,
            provider,
            organization,
        }
    }

    fn path(&self) -> String {
        format!(
            "/api/v1/organizations/{}/identity-providers",
            self.organization
        )
    }

    /// Registers the provider and returns its id.
    async fn register(&self, changes: Value) -> String {
        let mut body = json!({
            "name": "Company login",
            "issuer": self.provider.issuer(),
            "client_id": "quarry",
            "client_secret": "a secret of the client",
            "email_domains": ["example.com"],
            "adds_members": true,
        });
        for (name, value) in changes.as_object().unwrap() {
            body[name] = value.clone();
        }
        let reply = self.admin.post(&self.path(), &body).await;
        assert_eq!(reply.status, 201, "{}", reply.text);
        text(&reply.body["id"])
    }

    async fn get(&self, path: &str, cookie: Option<&str>) -> Sent {
        let mut request = browser().get(format!("{}{path}", self.app.url));
        if let Some(cookie) = cookie {
            request = request.header("cookie", cookie);
        }
        let reply = request.send().await.unwrap();
        let header = |name| reply.headers().get_all(name).iter();
        let text = |value: &reqwest::header::HeaderValue| value.to_str().unwrap().to_owned();
        Sent {
            status: reply.status().as_u16(),
            location: header("location").next().map(text).unwrap_or_default(),
            cookies: header("set-cookie").map(text).collect(),
        }
    }

    /// Begins at the server: the provider's address and the cookie.
    async fn begin(&self, id: &str) -> (String, String) {
        let path = format!("/api/v1/auth/oidc/{id}/start?redirect=/search%3Fq=a");
        let sent = self.get(&path, None).await;
        assert_eq!(sent.status, 303);
        let cookie = sent.cookies[0].clone();
        for attribute in ["HttpOnly", "SameSite=Lax", "Path=/api/v1/auth/oidc"] {
            assert!(cookie.contains(attribute), "{cookie}");
        }
        (sent.location, cookie.split(';').next().unwrap().to_owned())
    }

    async fn come_back(&self, address: &Url, cookie: Option<&str>) -> Sent {
        let path = format!("{}?{}", address.path(), address.query().unwrap());
        self.get(&path, cookie).await
    }

    /// The whole way, as a browser goes it.
    async fn sign_in(&self, id: &str, subject: &str) -> Sent {
        let (address, cookie) = self.begin(id).await;
        let back = self.provider.consent(&address, subject).await;
        self.come_back(&back, Some(&cookie)).await
    }

    /// Whoever was signed in by an answer.
    async fn client(&self, sent: &Sent) -> Client {
        assert_eq!((sent.status, sent.location.as_str()), (303, "/search?q=a"));
        let refresh = sent
            .cookies
            .iter()
            .find(|cookie| cookie.starts_with("quarry_refresh="));
        let cookie = refresh.unwrap().split(';').next().unwrap();
        let reply = browser()
            .post(format!("{}/api/v1/auth/refresh", self.app.url))
            .header("cookie", cookie)
            .send()
            .await
            .unwrap();
        assert_eq!(reply.status(), 200);
        let body: Value = serde_json::from_str(&reply.text().await.unwrap()).unwrap();
        Client::new(&self.app.url, body["access_token"].as_str())
    }
}

/// Asserts that nobody was signed in.
fn refused(sent: &Sent, code: &str) {
    assert_eq!(
        (sent.status, sent.location.as_str()),
        (303, format!("/login?problem={code}").as_str())
    );
    assert!(
        sent.cookies
            .iter()
            .all(|cookie| !cookie.starts_with("quarry_refresh=")),
        "{:?}",
        sent.cookies
    );
}

fn with(address: &Url, name: &str, value: &str) -> Url {
    let mut changed = address.clone();
    let pairs: Vec<_> = address
        .query_pairs()
        .filter(|(other, _)| other != name)
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    changed
        .query_pairs_mut()
        .clear()
        .extend_pairs(pairs)
        .append_pair(name, value);
    changed
}

fn parameter(address: &Url, name: &str) -> String {
    let mut pairs = address.query_pairs();
    let found = pairs.find(|(other, _)| other == name);
    found.unwrap().1.into_owned()
}

fn ada(groups: &[&str]) -> Value {
    json!({"email": "Ada@Example.com", "email_verified": true, "name": "Ada Lovelace", "groups": groups})
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_of_the_provider_give_and_take_role_and_teams_at_each_sign_in() {
    let world = World::start().await;
    let path = format!("/api/v1/organizations/{}/teams", world.organization);
    let team = world.admin.post(&path, &json!({"name": "Engines"})).await;
    let team = text(&team.body["id"]);
    let id = world
        .register(json!({
            "group_claim": "groups",
            "groups": [
                {"group": "admins", "role": "administrator"},
                {"group": "engineers", "team_id": team},
            ],
        }))
        .await;
    world
        .provider
        .set_user("ada", ada(&["admins", "engineers", "others"]))
        .await;
    let client = world.client(&world.sign_in(&id, "ada").await).await;
    let me = client.get("/api/v1/auth/me").await.body;
    assert_eq!(me["user"]["email"], "ada@example.com");
    assert_eq!(me["user"]["name"], "Ada Lovelace");
    assert_eq!(me["organizations"][0]["role"], "administrator");
    let members = async || {
        let path = format!("/api/v1/teams/{team}/members");
        world.admin.get(&path).await.body["items"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(members().await, 1);
    let sessions = client.get("/api/v1/auth/sessions").await.body;
    assert_eq!(sessions["items"][0]["method"], "identity_provider");

    world.provider.set_user("ada", ada(&["others"])).await;
    let again = world.client(&world.sign_in(&id, "ada").await).await;
    let me_again = again.get("/api/v1/auth/me").await.body;
    assert_eq!(me_again["user"]["id"], me["user"]["id"]);
    assert_eq!(me_again["organizations"][0]["role"], "member");
    assert_eq!(members().await, 0);

    // A password does not exist for this account, and none can be guessed.
    let body = json!({"email": "ada@example.com", "password": "!"});
    let reply = world
        .app
        .anonymous()
        .post("/api/v1/auth/login", &body)
        .await;
    assert_eq!(reply.status, 401);
    // The provider goes, and what it has vouched for goes with it.
    let path = format!("{}/{id}", world.path());
    assert_eq!(
        world.admin.send(Method::DELETE, &path, None).await.status,
        204
    );
    assert_eq!(again.get("/api/v1/auth/me").await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_begun_here_by_this_browser_now_is_refused() {
    let world = World::start().await;
    let id = world.register(json!({})).await;
    world.provider.set_user("ada", ada(&[])).await;
    let fresh = async || {
        let (address, cookie) = world.begin(&id).await;
        let back = world.provider.consent(&address, "ada").await;
        (back, cookie)
    };
    let (back, cookie) = fresh().await;
    refused(
        &world
            .come_back(&with(&back, "state", "made-up"), Some(&cookie))
            .await,
        "sign_in_not_under_way",
    );
    refused(&world.come_back(&back, None).await, "sign_in_not_under_way");
    // Somebody else's browser, lured to an address that was made for this one.
    let (_, other) = fresh().await;
    refused(
        &world.come_back(&back, Some(&other)).await,
        "sign_in_not_under_way",
    );
    // The attempt has used the state up.
    refused(
        &world.come_back(&back, Some(&cookie)).await,
        "sign_in_not_under_way",
    );

    let (back, cookie) = fresh().await;
    world
        .client(&world.come_back(&back, Some(&cookie)).await)
        .await;
    refused(
        &world.come_back(&back, Some(&cookie)).await,
        "sign_in_not_under_way",
    );
    let used = parameter(&back, "code");
    let (back, cookie) = fresh().await;
    refused(
        &world
            .come_back(&with(&back, "code", &used), Some(&cookie))
            .await,
        "identity_provider_failed",
    );

    // A token that was made for another sign-in.
    let (address, cookie) = world.begin(&id).await;
    let address = Url::parse(&address).unwrap();
    assert_eq!(parameter(&address, "code_challenge_method"), "S256");
    let changed = with(&address, "nonce", "another-nonce");
    let back = world.provider.consent(changed.as_str(), "ada").await;
    refused(
        &world.come_back(&back, Some(&cookie)).await,
        "identity_provider_failed",
    );

    let (back, cookie) = fresh().await;
    let mixed_up = with(&back, "iss", "https://evil.example");
    refused(
        &world.come_back(&mixed_up, Some(&cookie)).await,
        "sign_in_declined",
    );

    let (back, cookie) = fresh().await;
    let db = world.app.services.database.writer();
    db.execute_unprepared("UPDATE oidc_requests SET expires_at = '2020-01-01 00:00:00+00:00'")
        .await
        .unwrap();
    refused(
        &world.come_back(&back, Some(&cookie)).await,
        "sign_in_not_under_way",
    );

    let (address, cookie) = world.begin(&id).await;
    let state = parameter(&Url::parse(&address).unwrap(), "state");
    let denied = format!("/api/v1/auth/oidc/callback?error=access_denied&state={state}");
    refused(&world.get(&denied, Some(&cookie)).await, "sign_in_declined");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_verified_addresses_of_the_providers_domains_come_in() {
    let world = World::start().await;
    let id = world.register(json!({})).await;
    let set = async |subject: &str, claims: Value| world.provider.set_user(subject, claims).await;
    set(
        "unverified",
        json!({"email": "eve@example.com", "email_verified": false}),
    )
    .await;
    set("silent", json!({"email": "eve@example.com"})).await;
    set(
        "foreign",
        json!({"email": "eve@evil.example", "email_verified": true}),
    )
    .await;
    set(
        "tricky",
        json!({"email": "eve@evil.example@example.com.evil", "email_verified": true}),
    )
    .await;
    set("nobody", json!({"email_verified": true})).await;
    for (subject, code) in [
        ("unverified", "email_not_verified"),
        ("silent", "email_not_verified"),
        ("foreign", "email_not_allowed"),
        ("tricky", "email_not_allowed"),
        ("nobody", "email_not_allowed"),
    ] {
        refused(&world.sign_in(&id, subject).await, code);
    }
    // One that is trusted by setting, and one that makes nobody a member.
    let trusted = world.register(json!({"trusts_email": true})).await;
    world.client(&world.sign_in(&trusted, "silent").await).await;
    let closed = world.register(json!({"adds_members": false})).await;
    world
        .provider
        .set_user(
            "bo",
            json!({"email": "bo@example.com", "email_verified": true}),
        )
        .await;
    refused(&world.sign_in(&closed, "bo").await, "not_a_member");
    // A deactivated account stays out.
    let db = world.app.services.database.writer();
    db.execute_unprepared(
        "UPDATE users SET deactivated_at = created_at WHERE email = 'eve@example.com'",
    )
    .await
    .unwrap();
    refused(
        &world.sign_in(&trusted, "silent").await,
        "account_unavailable",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_organizations_provider_opens_that_organization_alone() {
    let world = World::start().await;
    // The instance's administrator also belongs to another organization, whose owner runs a
    // provider of their own and says there to be that administrator.
    let mallory = world.app.stranger("mallory@example.invalid").await;
    let (theirs, _) = mallory.home().await;
    let db = world.app.services.database.writer();
    let (administrator, _) = users::find_for_sign_in(db, ADMINISTRATOR)
        .await
        .unwrap()
        .unwrap();
    organizations::add_member(
        db,
        theirs.parse().unwrap(),
        administrator.id,
        quarry_shared::domain::OrganizationRole::Member,
    )
    .await
    .unwrap();
    let path = format!("/api/v1/organizations/{theirs}/identity-providers");
    let body = json!({
        "name": "Trap", "issuer": world.provider.issuer(), "client_id": "quarry",
        "client_secret": "mallory's own", "email_domains": ["localhost"], "adds_members": true, "trusts_email": true,
    });
    let reply = mallory.post(&path, &body).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    world
        .provider
        .set_user("admin", json!({"email": ADMINISTRATOR}))
        .await;
    let id = text(&reply.body["id"]);
    let client = world.client(&world.sign_in(&id, "admin").await).await;

    let me = client.get("/api/v1/auth/me").await.body;
    assert_eq!(me["organizations"].as_array().unwrap().len(), 1);
    assert_eq!(me["organizations"][0]["id"], theirs.as_str());
    let foreign = format!("/api/v1/organizations/{}/projects", world.organization);
    assert_eq!(client.get(&foreign).await.status, 404);
    let organizations = client.get("/api/v1/organizations").await;
    assert!(!organizations.text.contains(&world.organization));
    assert_eq!(client.get("/api/v1/jobs").await.status, 403);
    // Nor does it see or end the sign-ins of elsewhere.
    let sessions = client.get("/api/v1/auth/sessions").await.body;
    assert_eq!(sessions["items"].as_array().unwrap().len(), 1);
    let reply = client
        .send(Method::DELETE, "/api/v1/auth/sessions", None)
        .await;
    assert_eq!(reply.status, 204);
    assert_eq!(client.get("/api/v1/auth/me").await.status, 401);
    assert_eq!(world.admin.get("/api/v1/auth/me").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn providers_are_the_owners_business_and_their_secrets_are_nobodys() {
    let world = World::start().await;
    let id = world.register(json!({})).await;
    let one = format!("{}/{id}", world.path());
    let reply = world.admin.get(&one).await;
    assert_eq!(reply.body["has_client_secret"], true);
    assert!(!reply.text.contains("a secret of the client"));
    let stranger = world.app.stranger("eve@example.invalid").await;
    for path in [&one, &world.path()] {
        assert_eq!(stranger.get(path).await.status, 404, "{path}");
    }
    // Another issuer does not get the secret that was meant for this one.
    let mut body = reply.body.clone();
    for name in ["id", "has_client_secret", "redirect_url", "created_at"] {
        body.as_object_mut().unwrap().remove(name);
    }
    body["issuer"] = json!("https://evil.example");
    let reply = world.admin.send(Method::PUT, &one, Some(&body)).await;
    assert_eq!(reply.status, 422, "{}", reply.text);
    // Answers by domain alone.
    let methods = async |email: &str| {
        let path = format!("/api/v1/auth/methods?email={email}");
        world.app.anonymous().get(&path).await.body
    };
    let offers = methods("nobody@EXAMPLE.com").await;
    assert_eq!(offers["identity_providers"][0]["id"], id.as_str());
    assert_eq!(methods("someone-else@example.com").await, offers);
    assert_eq!(
        methods(ADMINISTRATOR).await["identity_providers"],
        json!([])
    );

    // Nowhere else but to pages of the dashboard.
    for redirect in [
        "//evil.example",
        "https://evil.example",
        "/%5Cevil.example",
        "evil",
    ] {
        let path = format!("/api/v1/auth/oidc/{id}/start?redirect={redirect}");
        assert_eq!(world.get(&path, None).await.status, 422, "{redirect}");
    }
    // Neither to an issuer that calls itself something else, nor into the private network.
    for issuer in [
        format!("{}/", world.provider.issuer()),
        "http://169.254.169.254".to_owned(),
        "http://127.0.0.1:1".to_owned(),
    ] {
        let id = world.register(json!({"issuer": issuer})).await;
        let path = format!("/api/v1/auth/oidc/{id}/start");
        let reply = world.app.anonymous().get(&path).await;
        assert_eq!(reply.status, 401, "{issuer}: {}", reply.text);
        assert_eq!(reply.body["code"], "identity_provider_failed", "{issuer}");
    }
}
