//! Members, teams, invitations, projects and accounts: who may do what to whom, unhappy paths first.

use quarry_api::authentication::passwords;
use quarry_shared::store::users;
use reqwest::{Method, StatusCode};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::{ADMINISTRATOR, Client, DEADLINE, GitRepository, PASSWORD, TestApp, text};

/// The administrator's organization with an administrator, a maintainer and a member, and somebody
/// of another organization.
struct Company {
    app: TestApp,
    owner: Client,
    administrator: Client,
    member: Client,
    stranger: Client,
    organization: String,
    project: String,
}

impl Company {
    async fn start() -> Self {
        let (app, owner) = TestApp::start().await;
        let (organization, project) = owner.home().await;
        let company = Self {
            administrator: app.stranger("administrator@example.invalid").await,
            member: app.stranger("member@example.invalid").await,
            stranger: app.stranger("mallory@example.invalid").await,
            app,
            owner,
            organization,
            project,
        };
        company.join(&company.administrator, "administrator").await;
        company.join(&company.member, "member").await;
        company
    }

    async fn join(&self, person: &Client, role: &str) {
        let token = self.invite(&self.owner, role).await;
        let body = json!({"token": token});
        let reply = person.post("/api/v1/invitations/accept", &body).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    }

    /// The secret of a new invitation.
    async fn invite(&self, by: &Client, role: &str) -> String {
        let path = self.path("/invitations");
        let reply = by.post(&path, &json!({"role": role})).await;
        assert_eq!(reply.status, StatusCode::CREATED, "{}", reply.text);
        let url = text(&reply.body["url"]);
        let (before, token) = url.split_once("/join#").unwrap();
        assert!(before.starts_with("http"), "{url}");
        token.to_owned()
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/v1/organizations/{}{rest}", self.organization)
    }

    fn project_path(&self, rest: &str) -> String {
        format!("/api/v1/projects/{}{rest}", self.project)
    }

    async fn set_role(&self, by: &Client, of: &Client, role: &str) -> (StatusCode, Value) {
        let path = self.path(&format!("/members/{}", id(of).await));
        let body = json!({"role": role});
        let reply = by.send(Method::PATCH, &path, Some(&body)).await;
        (reply.status, reply.body["code"].clone())
    }

    /// Somebody who belongs nowhere.
    async fn person(&self, email: &str) -> Client {
        let db = self.app.services.database.writer();
        let new = users::NewUser {
            email: email.to_owned(),
            name: "Somebody".to_owned(),
            password_hash: passwords::hash(PASSWORD).unwrap(),
            is_instance_administrator: false,
        };
        users::create(db, new).await.unwrap();
        self.app.sign_in(email).await
    }

    async fn run(&self, sql: &str) {
        let db = self.app.services.database.writer();
        db.execute_unprepared(sql).await.unwrap();
    }

    async fn count(&self, sql: &str, id: Uuid) -> i64 {
        let db = self.app.services.database.writer();
        let backend = db.get_database_backend();
        let statement = Statement::from_sql_and_values(backend, sql, [id.into()]);
        let row = db.query_one_raw(statement).await.unwrap().unwrap();
        row.try_get("", "n").unwrap()
    }

    async fn see_project(&self, by: &Client) -> StatusCode {
        by.get(&self.project_path("")).await.status
    }

    async fn set_visibility(&self, visibility: &str) {
        let body = json!({"visibility": visibility});
        let reply = self
            .owner
            .send(Method::PATCH, &self.project_path(""), Some(&body))
            .await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert_eq!(reply.body["visibility"], visibility);
    }

    async fn team(&self, name: &str) -> String {
        let reply = self
            .owner
            .post(&self.path("/teams"), &json!({"name": name}))
            .await;
        assert_eq!(reply.status, 201, "{}", reply.text);
        text(&reply.body["id"])
    }
}

async fn id(person: &Client) -> String {
    text(&person.get("/api/v1/auth/me").await.body["user"]["id"])
}

async fn put(by: &Client, path: &str, body: Option<Value>) -> StatusCode {
    by.send(Method::PUT, path, body.as_ref()).await.status
}

async fn delete(by: &Client, path: &str) -> StatusCode {
    by.send(Method::DELETE, path, None).await.status
}

async fn accept(by: &Client, token: &str) -> (StatusCode, Value) {
    let reply = by
        .post("/api/v1/invitations/accept", &json!({"token": token}))
        .await;
    (reply.status, reply.body["code"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn roles_change_only_as_the_rules_among_people_allow() {
    let company = Company::start().await;
    let Company {
        owner,
        administrator,
        member,
        stranger,
        ..
    } = &company;
    for (by, of, role, expected) in [
        (member, member, "administrator", 403),
        (member, administrator, "member", 403),
        (administrator, owner, "member", 403),
        (administrator, member, "owner", 403),
        (administrator, administrator, "owner", 403),
        // The last owner stays.
        (owner, owner, "administrator", 409),
        // Foreign organizations are missing, and so are people who are no members.
        (stranger, member, "member", 404),
        (owner, stranger, "member", 404),
        (administrator, member, "administrator", 200),
        (administrator, member, "member", 200),
        (owner, administrator, "owner", 200),
        // There are two now.
        (owner, owner, "member", 200),
    ] {
        let (status, _) = company.set_role(by, of, role).await;
        assert_eq!(status, expected, "{role}");
    }
    // The role counts on the next request.
    assert_eq!(company.set_role(owner, member, "member").await.0, 403);
    let body = json!({"role": "emperor"});
    let path = company.path(&format!("/members/{}", id(member).await));
    let reply = administrator.send(Method::PATCH, &path, Some(&body)).await;
    assert_eq!(reply.status, 422, "{}", reply.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_member_sees_nothing_on_the_next_request_and_gets_nothing_back() {
    let company = Company::start().await;
    let Company {
        owner,
        administrator,
        member,
        ..
    } = &company;
    let (member_id, owner_id) = (id(member).await, id(owner).await);
    let path = company.project_path(&format!("/members/{member_id}"));
    let role = Some(json!({"role": "maintainer"}));
    assert_eq!(put(owner, &path, role).await, 204);
    assert_eq!(company.see_project(member).await, 200);

    let own = company.path(&format!("/members/{member_id}"));
    assert_eq!(delete(member, &own).await, 403);
    let owners = company.path(&format!("/members/{owner_id}"));
    assert_eq!(delete(administrator, &owners).await, 403);
    assert_eq!(delete(owner, &owners).await, 409);
    assert_eq!(
        owner.post(&company.path("/leave"), &json!({})).await.body["code"],
        "last_owner"
    );
    assert_eq!(delete(administrator, &own).await, 204);
    assert_eq!(delete(administrator, &own).await, 404);
    assert_eq!(company.see_project(member).await, 404);
    assert_eq!(member.get(&company.path("")).await.status, 404);

    company.join(member, "member").await;
    let members = owner.get(&company.project_path("/members")).await;
    assert_eq!(members.body["items"], json!([]));
    assert_eq!(
        member
            .post(&company.path("/leave"), &json!({}))
            .await
            .status,
        204
    );
    assert_eq!(member.get(&company.path("")).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_project_exists_for_those_who_are_named_alone() {
    let company = Company::start().await;
    let Company {
        owner,
        administrator,
        member,
        stranger,
        ..
    } = &company;
    assert_eq!(company.see_project(member).await, 200);
    company.set_visibility("private").await;
    assert_eq!(company.see_project(member).await, 404);
    assert_eq!(company.see_project(administrator).await, 200);
    let list = member.get(&company.path("/projects")).await;
    assert_eq!(list.body["items"], json!([]));
    // Like one that never existed.
    let missing = member
        .get(&format!("/api/v1/projects/{}", Uuid::new_v4()))
        .await;
    let hidden = member.get(&company.project_path("")).await;
    assert_eq!(missing.body["detail"], hidden.body["detail"]);

    let member_id = id(member).await;
    let path = company.project_path(&format!("/members/{member_id}"));
    for (by, role, expected) in [
        (member, "reader", 404),
        (stranger, "reader", 404),
        (owner, "reader", 204),
        (member, "maintainer", 403),
    ] {
        let status = put(by, &path, Some(json!({"role": role}))).await;
        assert_eq!(status, expected, "{role}");
    }
    let foreign = company.project_path(&format!("/members/{}", id(stranger).await));
    assert_eq!(
        put(owner, &foreign, Some(json!({"role": "reader"}))).await,
        404
    );
    assert_eq!(company.see_project(stranger).await, 404);

    // A reader reads; a maintainer changes.
    let rename = json!({"name": "Renamed"});
    let project = company.project_path("");
    let reply = member.send(Method::PATCH, &project, Some(&rename)).await;
    assert_eq!(reply.status, 403);
    assert_eq!(
        put(owner, &path, Some(json!({"role": "maintainer"}))).await,
        204
    );
    let reply = member.send(Method::PATCH, &project, Some(&rename)).await;
    assert_eq!(reply.body["name"], "Renamed", "{}", reply.text);
    assert_eq!(delete(member, &path).await, 204);
    assert_eq!(company.see_project(member).await, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_team_shares_a_project_until_any_of_the_three_ends() {
    let company = Company::start().await;
    let Company {
        owner,
        administrator,
        member,
        stranger,
        ..
    } = &company;
    company.set_visibility("private").await;
    let team = company.team("Search").await;
    let seat = format!("/api/v1/teams/{team}/members/{}", id(member).await);
    let share = company.project_path(&format!("/teams/{team}"));
    let reader = || Some(json!({"role": "reader"}));

    // Members look; administrators change; for others there is no team.
    assert_eq!(member.get(&company.path("/teams")).await.status, 200);
    assert_eq!(put(member, &seat, None).await, 403);
    assert_eq!(put(stranger, &seat, None).await, 404);
    assert_eq!(put(member, &share, reader()).await, 404);
    let outside = format!("/api/v1/teams/{team}/members/{}", id(stranger).await);
    assert_eq!(put(owner, &outside, None).await, 404);
    let created = member
        .post(&company.path("/teams"), &json!({"name": "X"}))
        .await;
    assert_eq!(created.status, 403);

    assert_eq!(put(administrator, &seat, None).await, 204);
    assert_eq!(put(administrator, &seat, None).await, 204);
    assert_eq!(company.see_project(member).await, 404);
    assert_eq!(put(administrator, &share, reader()).await, 204);
    assert_eq!(company.see_project(member).await, 200);
    let shared = member.get(&format!("/api/v1/teams/{team}/projects")).await;
    assert_eq!(
        shared.body["items"][0]["project_id"],
        company.project.as_str()
    );
    let counted = member.get(&format!("/api/v1/teams/{team}")).await;
    assert_eq!(counted.body["members"], 1);

    assert_eq!(delete(administrator, &seat).await, 204);
    assert_eq!(company.see_project(member).await, 404);
    // What a private project is shared with is hidden from those who do not reach it.
    let shared = member.get(&format!("/api/v1/teams/{team}/projects")).await;
    assert_eq!(shared.body["items"], json!([]));
    assert_eq!(put(administrator, &seat, None).await, 204);
    assert_eq!(delete(administrator, &share).await, 204);
    assert_eq!(delete(administrator, &share).await, 404);
    assert_eq!(company.see_project(member).await, 404);
    assert_eq!(put(administrator, &share, reader()).await, 204);
    let team = format!("/api/v1/teams/{team}");
    assert_eq!(delete(member, &team).await, 403);
    assert_eq!(delete(administrator, &team).await, 204);
    assert_eq!(company.see_project(member).await, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_team_of_another_organization_is_missing_everywhere() {
    let company = Company::start().await;
    let Company {
        owner, stranger, ..
    } = &company;
    let (other, others_project) = stranger.home().await;
    let path = format!("/api/v1/organizations/{other}/teams");
    let theirs = stranger.post(&path, &json!({"name": "Theirs"})).await;
    let theirs = text(&theirs.body["id"]);
    let reader = || Some(json!({"role": "reader"}));
    let missing = Uuid::new_v4();
    for team in [theirs.clone(), missing.to_string()] {
        let share = company.project_path(&format!("/teams/{team}"));
        assert_eq!(put(owner, &share, reader()).await, 404);
        assert_eq!(
            owner.get(&format!("/api/v1/teams/{team}")).await.status,
            404
        );
    }
    let share = format!("/api/v1/projects/{}/teams/{theirs}", company.project);
    assert_eq!(put(stranger, &share, reader()).await, 404);
    let member = format!(
        "/api/v1/projects/{others_project}/members/{}",
        id(owner).await
    );
    assert_eq!(put(stranger, &member, reader()).await, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_works_once_in_its_time_and_while_its_maker_may_give_the_role() {
    let company = Company::start().await;
    let Company {
        owner,
        administrator,
        member,
        stranger,
        ..
    } = &company;
    let path = company.path("/invitations");
    for (by, role, expected) in [
        (member, "member", 403),
        (administrator, "owner", 403),
        (stranger, "member", 404),
    ] {
        let reply = by.post(&path, &json!({"role": role})).await;
        assert_eq!(reply.status, expected, "{role}: {}", reply.text);
    }
    assert_eq!(member.get(&path).await.status, 403);

    // Unknown, revoked, expired and used ones answer alike.
    let revoked = company.invite(owner, "member").await;
    let list = owner.get(&path).await;
    let newest = text(&list.body["items"][0]["id"]);
    assert_eq!(list.body["items"][0]["state"], "open");
    assert!(!list.text.contains(&revoked), "the secret is shown once");
    assert_eq!(delete(member, &format!("{path}/{newest}")).await, 403);
    assert_eq!(delete(owner, &format!("{path}/{newest}")).await, 204);
    assert_eq!(delete(owner, &format!("{path}/{newest}")).await, 404);
    let expired = company.invite(owner, "member").await;
    let sql = "UPDATE invitations SET expires_at = '2020-01-01 00:00:00+00:00' \
               WHERE revoked_at IS NULL AND accepted_at IS NULL";
    company.run(sql).await;
    // Made by somebody who then lost the right to.
    let orphaned = company.invite(administrator, "administrator").await;
    assert_eq!(
        company.set_role(owner, administrator, "member").await.0,
        200
    );
    let mut answers = Vec::new();
    for token in ["never-made", &revoked, &expired, &orphaned] {
        let body = json!({"token": token});
        let reply = company
            .app
            .anonymous()
            .post("/api/v1/invitations/lookup", &body)
            .await;
        answers.push((reply.status, reply.body["detail"].clone()));
        let (status, _) = accept(stranger, token).await;
        assert_eq!(status, 404, "{token}");
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(answers[0].0, 404);
    assert_eq!(stranger.get(&company.path("")).await.status, 404);

    let token = company.invite(owner, "member").await;
    let body = json!({"token": token});
    let offer = company
        .app
        .anonymous()
        .post("/api/v1/invitations/lookup", &body)
        .await;
    assert_eq!(offer.body["role"], "member", "{}", offer.text);
    assert_eq!(offer.body["organization"], "default");
    // Nobody joins twice, and the failed attempt does not use the invitation up.
    let (status, code) = accept(member, &token).await;
    assert_eq!((status.as_u16(), code), (409, json!("already_member")));
    assert_eq!(accept(stranger, &token).await.0, 200);
    assert_eq!(accept(stranger, &token).await.0, 404);
    assert_eq!(stranger.get(&company.path("")).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_without_an_account_sets_one_up_with_the_invitation() {
    let company = Company::start().await;
    let anonymous = company.app.anonymous();
    let path = "/api/v1/invitations/accept";
    let token = company.invite(&company.owner, "member").await;
    let account = |email: &str, password: &str| json!({"email": email, "name": "Grace", "password": password});
    let strong = "tundra-velvet-42-orbit";
    for (body, expected) in [
        (json!({"token": token}), 401),
        (
            json!({"token": token, "account": account("grace", strong)}),
            422,
        ),
        (
            json!({"token": token, "account": account("grace@example.invalid", "password")}),
            422,
        ),
        (
            json!({"token": token, "account": account("Member@example.invalid", strong)}),
            409,
        ),
        (
            json!({"token": "never-made", "account": account("grace@example.invalid", strong)}),
            404,
        ),
    ] {
        let reply = anonymous.post(path, &body).await;
        assert_eq!(reply.status, expected, "{}", reply.text);
        assert!(!reply.text.contains(&token) && !reply.text.contains(strong));
    }
    let body = json!({"token": token, "account": account("grace@example.invalid", strong)});
    let signed_in = company.stranger.post(path, &body).await;
    assert_eq!(signed_in.status, 422, "{}", signed_in.text);
    let forged = Client::new(&company.app.url, Some("forged"));
    assert_eq!(accept(&forged, &token).await.0, 401);

    assert_eq!(anonymous.post(path, &body).await.status, 200);
    assert_eq!(anonymous.post(path, &body).await.status, 404);
    let login = json!({"email": "grace@example.invalid", "password": strong});
    let reply = anonymous.post("/api/v1/auth/login", &login).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let grace = Client::new(&company.app.url, reply.body["access_token"].as_str());
    assert_eq!(company.see_project(&grace).await, 200);
    assert_eq!(grace.get("/api/v1/users").await.status, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn deactivation_ends_everything_now_and_spares_the_last_owner() {
    let company = Company::start().await;
    let Company {
        owner,
        administrator,
        member,
        stranger,
        ..
    } = &company;
    let user = |id: &str, rest: &str| format!("/api/v1/users/{id}{rest}");
    let (owner_id, stranger_id) = (id(owner).await, id(stranger).await);
    let member_id = id(member).await;
    for path in [
        user(&member_id, "/deactivate"),
        user(&member_id, "/reactivate"),
        user(&Uuid::new_v4().to_string(), "/deactivate"),
    ] {
        assert_eq!(administrator.post(&path, &json!({})).await.status, 403);
    }
    // Everybody here owns an organization of their own, and the owner of the first one also
    // administers the instance alone.
    for (id, code) in [(&owner_id, "last_owner"), (&stranger_id, "last_owner")] {
        let reply = owner.post(&user(id, "/deactivate"), &json!({})).await;
        assert_eq!(reply.status, 409, "{}", reply.text);
        assert_eq!(reply.body["code"], code);
        assert_eq!(delete(owner, &user(id, "")).await, 409);
    }
    let missing = user(&Uuid::new_v4().to_string(), "/deactivate");
    assert_eq!(owner.post(&missing, &json!({})).await.status, 404);

    let lone = company.person("lone@example.invalid").await;
    company.join(&lone, "member").await;
    let lone_id = id(&lone).await;
    let reply = owner.post(&user(&lone_id, "/deactivate"), &json!({})).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert!(reply.body["deactivated_at"].is_string());
    assert_eq!(lone.get("/api/v1/auth/me").await.status, 401);
    let login = json!({"email": "lone@example.invalid", "password": PASSWORD});
    let anonymous = company.app.anonymous();
    assert_eq!(
        anonymous.post("/api/v1/auth/login", &login).await.status,
        401
    );
    // A deactivated owner does not count as one who is left.
    let seat = company.path(&format!("/members/{lone_id}"));
    let body = json!({"role": "owner"});
    let reply = owner.send(Method::PATCH, &seat, Some(&body)).await;
    assert_eq!(reply.body["is_active"], false, "{}", reply.text);
    assert_eq!(company.set_role(owner, owner, "member").await.0, 409);

    let path = user(&lone_id, "/reactivate");
    assert_eq!(owner.post(&path, &json!({})).await.status, 200);
    // Old sign-ins stay ended; the membership is back.
    assert_eq!(lone.get("/api/v1/auth/me").await.status, 401);
    let lone = company.app.sign_in("lone@example.invalid").await;
    assert_eq!(company.see_project(&lone).await, 200);
    assert_eq!(delete(owner, &user(&lone_id, "")).await, 204);
    assert_eq!(lone.get("/api/v1/auth/me").await.status, 401);
    assert_eq!(delete(owner, &user(&lone_id, "")).await, 404);
    let members = owner.get(&company.path("/members")).await;
    assert!(!members.text.contains("lone@"), "{}", members.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_instance_keeps_an_administrator_who_sees_no_code() {
    let company = Company::start().await;
    let Company {
        owner, stranger, ..
    } = &company;
    let promote = |promoted: bool| json!({"is_instance_administrator": promoted});
    let path = |id: String| format!("/api/v1/users/{id}");
    let own = path(id(owner).await);
    let reply = owner.send(Method::PATCH, &own, Some(&promote(false))).await;
    assert_eq!(reply.body["code"], "last_administrator", "{}", reply.text);

    let other = path(id(stranger).await);
    let reply = stranger
        .send(Method::PATCH, &other, Some(&promote(true)))
        .await;
    assert_eq!(reply.status, 403);
    let reply = owner
        .send(Method::PATCH, &other, Some(&promote(true)))
        .await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(stranger.get("/api/v1/users").await.status, 200);
    assert_eq!(company.see_project(stranger).await, 404);
    assert_eq!(stranger.get(&company.path("/members")).await.status, 404);
    let reply = stranger
        .send(Method::PATCH, &own, Some(&promote(false)))
        .await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(owner.get("/api/v1/users").await.status, 403);

    for (email, expected) in [
        ("new@example.invalid", 201),
        (ADMINISTRATOR, 409),
        ("nobody", 422),
        ("a b@example.invalid", 422),
    ] {
        let body = json!({"email": email, "name": "New", "password": "tundra-velvet-42-orbit"});
        let reply = stranger.post("/api/v1/users", &body).await;
        assert_eq!(reply.status, expected, "{email}: {}", reply.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_owners_rename_the_organization() {
    let company = Company::start().await;
    let name = json!({"name": "Acme"});
    for (by, expected) in [
        (&company.member, 403),
        (&company.administrator, 403),
        (&company.stranger, 404),
        (&company.owner, 200),
    ] {
        let reply = by.send(Method::PATCH, &company.path(""), Some(&name)).await;
        assert_eq!(reply.status, expected, "{}", reply.text);
    }
    let blank = json!({"name": "  "});
    let reply = company
        .owner
        .send(Method::PATCH, &company.path(""), Some(&blank))
        .await;
    assert_eq!(reply.status, 422);
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_of_people_come_in_pages() {
    let company = Company::start().await;
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let path = company.path(&format!("/members?limit=1{cursor}"));
        let page = company.owner.get(&path).await;
        assert_eq!(page.body["items"].as_array().unwrap().len(), 1);
        seen.push(text(&page.body["items"][0]["email"]));
        let Some(next) = page.body["next_cursor"].as_str() else {
            break;
        };
        cursor = format!("&cursor={next}");
    }
    let expected = [
        ADMINISTRATOR,
        "administrator@example.invalid",
        "member@example.invalid",
    ];
    assert_eq!(seen, expected);
}

/// The deletion once it has ended.
async fn ended(by: &Client, deletion: &Value) -> Value {
    let path = format!("/api/v1/deletions/{}", text(&deletion["id"]));
    let start = std::time::Instant::now();
    loop {
        let reply = by.get(&path).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        if !reply.body["finished_at"].is_null() {
            return reply.body;
        }
        assert!(start.elapsed() < DEADLINE, "{}", reply.text);
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_goes_with_its_repositories_only_when_that_is_said() {
    let company = Company::start().await;
    let Company {
        owner,
        administrator,
        member,
        stranger,
        ..
    } = &company;
    let files = [("a.py", "def only_here():\n    return 1\n")];
    let source = GitRepository::create(company.app.folder.path().join("source"), &files);
    owner.add(&company.project, &source.path).await;
    let kept = owner
        .post(&company.path("/projects"), &json!({"name": "Kept"}))
        .await;
    let kept = text(&kept.body["id"]);
    owner.add(&kept, &source.path).await;

    let path = company.project_path("");
    let sure = company.project_path("?with_repositories=true");
    assert_eq!(delete(member, &sure).await, 403);
    assert_eq!(delete(stranger, &sure).await, 404);
    let refused = owner.send(Method::DELETE, &path, None).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    assert_eq!(refused.body["code"], "project_not_empty");
    assert!(refused.text.contains("1 repository"), "{}", refused.text);
    assert_eq!(company.see_project(member).await, 200);

    let accepted = administrator.send(Method::DELETE, &sure, None).await;
    assert_eq!(accepted.status, 202, "{}", accepted.text);
    assert_eq!(accepted.body["steps_total"], 1);
    let location = accepted.headers["location"].to_str().unwrap();
    assert_eq!(stranger.get(location).await.status, 404);
    assert_eq!(member.get(location).await.status, 404);
    // Missing for everybody from now on.
    assert_eq!(company.see_project(owner).await, 404);
    assert_eq!(delete(owner, &sure).await, 404);
    let done = ended(administrator, &accepted.body).await;
    assert_eq!(done["state"], "succeeded", "{done}");
    assert_eq!(done["steps_done"], 1);
    for table in ["projects", "repositories", "branches", "chunks", "files"] {
        let sql = format!("SELECT COUNT(*) AS n FROM {table} WHERE {} = $1", {
            if table == "projects" {
                "id"
            } else {
                "project_id"
            }
        });
        let project: Uuid = company.project.parse().unwrap();
        assert_eq!(company.count(&sql, project).await, 0, "{table}");
    }
    // The same code in another project is still there.
    let found = owner.search(&company.organization, "only_here").await;
    assert_eq!(found["hits"].as_array().unwrap().len(), 1, "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_organization_goes_with_its_contents_only_when_that_is_said() {
    let company = Company::start().await;
    let Company {
        owner,
        administrator,
        member,
        stranger,
        ..
    } = &company;
    let files = [("a.py", "def only_here():\n    return 1\n")];
    let source = GitRepository::create(company.app.folder.path().join("source"), &files);
    owner.add(&company.project, &source.path).await;
    let token = company.invite(owner, "member").await;

    let sure = company.path("?with_contents=true");
    assert_eq!(delete(member, &sure).await, 403);
    assert_eq!(delete(administrator, &sure).await, 403);
    assert_eq!(delete(stranger, &sure).await, 404);
    let refused = owner.send(Method::DELETE, &company.path(""), None).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    assert_eq!(refused.body["code"], "organization_not_empty");
    for part in ["1 project", "1 repository", "2 other memberships"] {
        assert!(refused.text.contains(part), "{}", refused.text);
    }

    let accepted = owner.send(Method::DELETE, &sure, None).await;
    assert_eq!(accepted.status, 202, "{}", accepted.text);
    assert_eq!(owner.get(&company.path("")).await.status, 404);
    assert_eq!(company.see_project(administrator).await, 404);
    assert_eq!(accept(stranger, &token).await.0, 404);
    let organizations = member.get("/api/v1/organizations").await;
    assert!(!organizations.text.contains(&company.organization));
    let done = ended(owner, &accepted.body).await;
    assert_eq!(done["state"], "succeeded", "{done}");
    for table in [
        "projects",
        "repositories",
        "chunks",
        "blobs",
        "embeddings",
        "memberships",
        "invitations",
    ] {
        let sql = format!("SELECT COUNT(*) AS n FROM {table} WHERE organization_id = $1");
        let organization: Uuid = company.organization.parse().unwrap();
        assert_eq!(company.count(&sql, organization).await, 0, "{table}");
    }
    // Nobody lost anything else.
    assert_eq!(member.get("/api/v1/auth/me").await.status, 200);
    let (own, _) = stranger.home().await;
    let path = format!("/api/v1/organizations/{own}");
    assert_eq!(stranger.get(&path).await.status, 200);
    // An organization of one's own without repositories needs no more words.
    let accepted = stranger.send(Method::DELETE, &path, None).await;
    assert_eq!(accepted.status, 202, "{}", accepted.text);
    let done = ended(stranger, &accepted.body).await;
    assert_eq!(done["state"], "succeeded", "{done}");
}
