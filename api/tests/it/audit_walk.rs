//! Every operation that changes something leaves an event behind.
//!
//! The walk calls each changing operation of the OpenAPI document once, successfully, and looks for
//! the event with the answer's request id. A new route must be called here, or be named among those
//! that change nothing worth telling.

use std::collections::BTreeSet;

use quarry_shared::{
    services::Services,
    store::audit::{self, AuditFilter},
};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    app::{ADMINISTRATOR, Client, GitRepository, PASSWORD, Reply, TestApp, text},
    totp::Authenticator,
};

/// Operations that change nothing, or nothing that anybody would look for in a log.
const UNTOLD: &[&str] = &[
    // Reads with a body.
    "search",
    "search_exact",
    "check_source",
    "look_up_invitation",
    // Changes nothing until it is confirmed.
    "begin_totp",
    // Told of in the log of deliveries, which is bounded.
    "receive_webhook",
    // Goes on with a sign-in; ending, misusing and beginning one are told.
    "refresh",
];

/// Calls operations by their names in the document, and remembers which.
pub struct Walk {
    document: Value,
    called: BTreeSet<String>,
    services: Services,
}

impl Walk {
    pub fn new(app: &TestApp) -> Self {
        Self {
            document: serde_json::from_str(&quarry_api::openapi::json()).unwrap(),
            called: BTreeSet::new(),
            services: app.services.clone(),
        }
    }

    /// Every operation that is not a plain read: name, method, path.
    fn changing(&self) -> Vec<(String, Method, String)> {
        let mut found = Vec::new();
        for (path, item) in self.document["paths"].as_object().unwrap() {
            for method in ["post", "put", "patch", "delete"] {
                if let Some(operation) = item.get(method) {
                    let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
                    found.push((text(&operation["operationId"]), method, path.clone()));
                }
            }
        }
        found
    }

    /// Calls an operation, which must succeed and leave an event with this action.
    pub async fn call(
        &mut self,
        who: &Client,
        operation: &str,
        ids: &[&str],
        body: Option<Value>,
        action: &str,
    ) -> Reply {
        let changing = self.changing();
        let found = changing.iter().find(|(name, _, _)| name == operation);
        let (_, method, path) = found.unwrap_or_else(|| panic!("no operation `{operation}`"));
        let mut address = path.clone();
        for id in ids {
            let (start, end) = (address.find('{').unwrap(), address.find('}').unwrap());
            address.replace_range(start..=end, id);
        }
        let reply = who.send(method.clone(), &address, body.as_ref()).await;
        assert!(reply.status.is_success(), "{operation}: {}", reply.text);
        let id = reply.headers["x-request-id"].to_str().unwrap().to_owned();
        let actions = events_of(&self.services, &id).await;
        assert!(
            actions
                .iter()
                .any(|(found, outcome)| found == action && outcome == "succeeded"),
            "{operation} leaves no event `{action}`: {actions:?}"
        );
        self.called.insert(operation.to_owned());
        reply
    }

    /// Fails when an operation was neither called nor named.
    fn finish(self) {
        let left: Vec<String> = self
            .changing()
            .into_iter()
            .map(|(name, _, _)| name)
            .filter(|name| !self.called.contains(name) && !UNTOLD.contains(&name.as_str()))
            .collect();
        assert!(
            left.is_empty(),
            "these operations leave no event in any test: {left:?}"
        );
    }
}

/// Action and outcome of the events of one request.
pub async fn events_of(services: &Services, request_id: &str) -> Vec<(String, String)> {
    let db = services.database.reader();
    let mut found = Vec::new();
    for chain in audit::chains(db).await.unwrap() {
        let rows = audit::list(db, chain, &AuditFilter::default(), None, 100)
            .await
            .unwrap();
        let rows = rows
            .into_iter()
            .filter(|row| row.request_id.as_deref() == Some(request_id));
        found.extend(rows.map(|row| (row.action, row.outcome)));
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn every_changing_operation_leaves_an_event() {
    let (app, admin) =
        TestApp::start_with(|settings| settings.authentication.attempts_per_account = 1000).await;
    let mut walk = Walk::new(&app);
    let source = GitRepository::create(app.folder.path().join("a"), &[("a.py", "x = 1\n")]);
    let body = |value| Some(value);

    let credentials = json!({"email": ADMINISTRATOR, "password": PASSWORD});
    walk.call(
        &app.anonymous(),
        "login",
        &[],
        body(credentials),
        "session.create",
    )
    .await;
    let organization = walk
        .call(
            &admin,
            "create_organization",
            &[],
            body(json!({"name": "Acme"})),
            "organization.create",
        )
        .await;
    let organization = text(&organization.body["id"]);
    walk.call(
        &admin,
        "set_quotas",
        &[&organization],
        body(json!({"repositories": 5})),
        "organization.set_quotas",
    )
    .await;
    let project = walk
        .call(
            &admin,
            "create_project",
            &[&organization],
            body(json!({"name": "P"})),
            "project.create",
        )
        .await;
    let project = text(&project.body["id"]);
    let repository = walk
        .call(
            &admin,
            "create_repository",
            &[&project],
            body(json!({"source": {"kind": "local", "path": source.path}})),
            "repository.create",
        )
        .await;
    let repository = text(&repository.body["id"]);
    admin.settled(&repository).await;
    repositories(&app, &mut walk, &admin, &repository).await;
    let renamed = Some(json!({"name": "Other"}));
    let ids: &[&str] = &[&organization];
    walk.call(
        &admin,
        "change_organization",
        ids,
        renamed.clone(),
        "organization.change",
    )
    .await;
    walk.call(
        &admin,
        "change_project",
        &[&project],
        renamed,
        "project.change",
    )
    .await;
    walk.call(
        &admin,
        "delete_repository",
        &[&repository],
        None,
        "repository.delete",
    )
    .await;

    people(&app, &mut walk, &admin, &organization, &project).await;
    identity_providers(&mut walk, &admin, &organization).await;
    tokens(&mut walk, &admin, &organization).await;
    passwords_and_sessions(&app, &mut walk, &admin).await;
    deletions(&mut walk, &admin, &organization).await;

    let leaving = signed_in_with_cookie(&app).await;
    walk.call(&leaving, "logout", &[], None, "session.end")
        .await;
    walk.finish();
}

/// A project and an organization that hold nothing.
async fn deletions(walk: &mut Walk, admin: &Client, organization: &str) {
    let path = format!("/api/v1/organizations/{organization}/projects");
    for (path, operation, action) in [
        (path.as_str(), "delete_project", "project.delete"),
        (
            "/api/v1/organizations",
            "delete_organization",
            "organization.delete",
        ),
    ] {
        let created = admin.post(path, &json!({"name": "Doomed"})).await;
        let id = text(&created.body["id"]);
        walk.call(admin, operation, &[&id], None, action).await;
    }
}

/// Where an organization's people may sign in.
async fn identity_providers(walk: &mut Walk, admin: &Client, organization: &str) {
    let provider = Some(json!({
        "name": "Login", "issuer": "https://login.example", "client_id": "quarry",
        "email_domains": ["example.com"], "adds_members": true,
    }));
    let (create, created) = ("create_identity_provider", "identity_provider.create");
    let ids: &[&str] = &[organization];
    let reply = walk
        .call(admin, create, ids, provider.clone(), created)
        .await;
    let id = text(&reply.body["id"]);
    let ids: &[&str] = &[organization, &id];
    let (replace, changed) = ("replace_identity_provider", "identity_provider.change");
    walk.call(admin, replace, ids, provider, changed).await;
    let (delete, deleted) = ("delete_identity_provider", "identity_provider.delete");
    walk.call(admin, delete, ids, None, deleted).await;
}

/// Index runs and jobs of a repository.
async fn repositories(app: &TestApp, walk: &mut Walk, admin: &Client, repository: &str) {
    let run = walk
        .call(
            admin,
            "create_index_run",
            &[repository],
            Some(json!({"branch": "no-such-branch"})),
            "index_run.create",
        )
        .await;
    let run = text(&run.body["id"]);
    admin.settled(repository).await;
    let again = walk
        .call(admin, "retry_index_run", &[&run], None, "index_run.retry")
        .await;
    admin.settled(repository).await;
    drop(again);
    // A run that cannot end by itself: its only job is out of every worker's reach.
    let open = stuck_run(app, repository).await;
    walk.call(
        admin,
        "cancel_index_run",
        &[&open],
        None,
        "index_run.cancel",
    )
    .await;
    webhooks(app, walk, admin, repository).await;
    let dead = dead_job(app).await;
    walk.call(admin, "retry_job", &[&dead], None, "job.retry")
        .await;
}

/// A repository's webhook, and a pipeline that asks for a run.
async fn webhooks(app: &TestApp, walk: &mut Walk, admin: &Client, repository: &str) {
    let ids: &[&str] = &[repository];
    let delivery = text(&crate::webhooks::ping(app, admin, repository).await);
    for (operation, ids, body, action) in [
        (
            "set_webhook_secret",
            ids,
            Some(json!({})),
            "webhook.set_secret",
        ),
        (
            "redeliver_webhook",
            &[repository, &delivery],
            None,
            "webhook.redeliver",
        ),
        ("request_index", ids, Some(json!({})), "index_run.create"),
        ("remove_webhook_secret", ids, None, "webhook.remove_secret"),
    ] {
        walk.call(admin, operation, ids, body, action).await;
    }
    admin.settled(repository).await;
}

/// Accounts, members, invitations, teams and what they reach.
async fn people(app: &TestApp, walk: &mut Walk, admin: &Client, organization: &str, project: &str) {
    let invited = json!({"role": "member"});
    let path = format!("/api/v1/organizations/{organization}/invitations");
    let other = admin.post(&path, &invited).await.body;
    let other = text(&other["invitation"]["id"]);
    let ids: &[&str] = &[organization];
    let action = "invitation.create";
    let invitation = walk
        .call(admin, "create_invitation", ids, Some(invited), action)
        .await
        .body;
    let ids: &[&str] = &[organization, &other];
    walk.call(admin, "revoke_invitation", ids, None, "invitation.revoke")
        .await;
    let url = text(&invitation["url"]);
    let email = "joiner@example.invalid";
    let join = json!({
        "token": url.split_once('#').unwrap().1,
        "account": {"email": email, "name": "Joiner", "password": PASSWORD},
    });
    let (anonymous, action) = (app.anonymous(), "invitation.accept");
    walk.call(&anonymous, "accept_invitation", &[], Some(join), action)
        .await;
    let joiner = app.sign_in(email).await;
    let user = text(&joiner.get("/api/v1/auth/me").await.body["user"]["id"]);
    let role = |role: &str| Some(json!({"role": role}));
    let member: &[&str] = &[organization, &user];
    walk.call(
        admin,
        "change_member",
        member,
        role("administrator"),
        "member.change",
    )
    .await;

    let name = Some(json!({"name": "Team"}));
    let team = walk
        .call(
            admin,
            "create_team",
            &[organization],
            name.clone(),
            "team.create",
        )
        .await;
    let team = text(&team.body["id"]);
    walk.call(
        admin,
        "change_team",
        &[&team],
        Some(json!({"name": "Tea"})),
        "team.change",
    )
    .await;
    let in_team: &[&str] = &[&team, &user];
    walk.call(admin, "add_team_member", in_team, None, "team.add_member")
        .await;
    let shared: &[&str] = &[project, &team];
    walk.call(
        admin,
        "set_project_team",
        shared,
        role("reader"),
        "project.share",
    )
    .await;
    walk.call(
        admin,
        "remove_project_team",
        shared,
        None,
        "project.unshare",
    )
    .await;
    walk.call(
        admin,
        "remove_team_member",
        in_team,
        None,
        "team.remove_member",
    )
    .await;
    walk.call(admin, "delete_team", &[&team], None, "team.delete")
        .await;
    let named: &[&str] = &[project, &user];
    walk.call(
        admin,
        "set_project_member",
        named,
        role("reader"),
        "project.set_member",
    )
    .await;
    walk.call(
        admin,
        "remove_project_member",
        named,
        None,
        "project.remove_member",
    )
    .await;
    walk.call(admin, "remove_member", member, None, "member.remove")
        .await;

    let account = json!({"email": "new@example.invalid", "name": "New", "password": PASSWORD});
    let account = walk
        .call(admin, "create_user", &[], Some(account), "user.create")
        .await;
    let account = text(&account.body["id"]);
    let change = Some(json!({"name": "Newer"}));
    for (operation, body, action) in [
        ("change_user", change, "user.change"),
        ("deactivate_user", None, "user.deactivate"),
        ("reactivate_user", None, "user.reactivate"),
        ("delete_user", None, "user.delete"),
    ] {
        walk.call(admin, operation, &[&account], body, action).await;
    }
    let leaver = app.stranger("leaver@example.invalid").await;
    let id = text(&leaver.get("/api/v1/auth/me").await.body["user"]["id"]);
    let db = app.services.database.writer();
    let (organization_id, id) = (organization.parse().unwrap(), id.parse().unwrap());
    let role = quarry_shared::domain::OrganizationRole::Member;
    quarry_shared::store::organizations::add_member(db, organization_id, id, role)
        .await
        .unwrap();
    let ids: &[&str] = &[organization];
    walk.call(&leaver, "leave_organization", ids, None, "member.leave")
        .await;
}

/// What a person does to their own sign-ins and password, and an administrator to somebody's.
async fn passwords_and_sessions(app: &TestApp, walk: &mut Walk, admin: &Client) {
    let email = "walker@example.invalid";
    let person = app.stranger(email).await;
    let user = text(&person.get("/api/v1/auth/me").await.body["user"]["id"]);
    second_proof(app, walk, admin, &person, email).await;
    let other = app.sign_in(email).await;
    let sessions = other.get("/api/v1/auth/sessions").await.body;
    let sessions = sessions["items"].as_array().unwrap();
    let first = sessions.iter().find(|row| row["is_current"] == false);
    let first = text(&first.unwrap()["id"]);
    walk.call(&other, "end_session", &[&first], None, "session.end")
        .await;
    let chosen = "a walk along the Danube in May";
    let change = json!({"current_password": PASSWORD, "new_password": chosen});
    walk.call(
        &other,
        "change_password",
        &[],
        Some(change),
        "password.change",
    )
    .await;
    walk.call(&other, "end_all_sessions", &[], None, "session.end_all")
        .await;
    let action = "password_reset.create";
    let reset = walk
        .call(admin, "create_password_reset", &[&user], None, action)
        .await;
    let url = text(&reset.body["url"]);
    let token = url.split_once('#').unwrap().1;
    let redeem = json!({"token": token, "new_password": PASSWORD});
    let action = "password_reset.redeem";
    walk.call(
        &app.anonymous(),
        "redeem_password_reset",
        &[],
        Some(redeem),
        action,
    )
    .await;
}

/// Codes of an authenticator.
async fn second_proof(
    app: &TestApp,
    walk: &mut Walk,
    admin: &Client,
    person: &Client,
    email: &str,
) {
    let password = || json!({"password": PASSWORD});
    let user = text(&person.get("/api/v1/auth/me").await.body["user"]["id"]);
    for is_last in [false, true] {
        let begun = person.post("/api/v1/auth/totp", &password()).await;
        let code = Authenticator::new(&text(&begun.body["secret"])).first;
        let code = Some(json!({"code": code}));
        let confirmed = walk
            .call(person, "confirm_totp", &[], code, "totp.enable")
            .await;
        if is_last {
            let ids: &[&str] = &[&user];
            walk.call(admin, "remove_totp", ids, None, "totp.disable")
                .await;
            return;
        }
        let credentials = json!({"email": email, "password": PASSWORD});
        let half = app
            .anonymous()
            .post("/api/v1/auth/login", &credentials)
            .await;
        let proof = json!({
            "challenge": half.body["challenge"],
            "code": confirmed.body["recovery_codes"][0],
        });
        let (anonymous, action) = (app.anonymous(), "session.create");
        walk.call(&anonymous, "login_with_code", &[], Some(proof), action)
            .await;
        let (operation, action) = ("replace_recovery_codes", "recovery_codes.replace");
        walk.call(person, operation, &[], Some(password()), action)
            .await;
        let body = Some(password());
        walk.call(person, "disable_totp", &[], body, "totp.disable")
            .await;
    }
}

/// Tokens and the accounts of services.
async fn tokens(walk: &mut Walk, admin: &Client, organization: &str) {
    let token = || Some(json!({"name": "t", "scopes": ["search"]}));
    let name = Some(json!({"name": "service"}));
    let ids: &[&str] = &[organization];
    let own = walk
        .call(admin, "create_token", ids, token(), "token.create")
        .await;
    let own = text(&own.body["id"]);
    let ids: &[&str] = &[organization, &own];
    walk.call(admin, "revoke_token", ids, None, "token.revoke")
        .await;
    let (ids, action): (&[&str], _) = (&[organization], "service_account.create");
    let account = walk
        .call(admin, "create_service_account", ids, name, action)
        .await;
    let account = text(&account.body["id"]);
    let (ids, operation): (&[&str], _) =
        (&[organization, &account], "create_service_account_token");
    let made = walk
        .call(admin, operation, ids, token(), "token.create")
        .await;
    let made = text(&made.body["id"]);
    let of_member: &[&str] = &[organization, &made];
    walk.call(
        admin,
        "revoke_member_token",
        of_member,
        None,
        "token.revoke",
    )
    .await;
    let action = "service_account.delete";
    walk.call(admin, "delete_service_account", ids, None, action)
        .await;
}

/// An open run whose job is due in the far future.
pub async fn stuck_run(app: &TestApp, repository: &str) -> String {
    use quarry_shared::domain::{IndexRunId, OrganizationId, RepositoryId, RunTrigger};
    use sea_orm::ConnectionTrait;
    let db = &app.services.database;
    let transaction = db.begin().await.unwrap();
    let id: RepositoryId = repository.parse().unwrap();
    let organization: Vec<uuid::Uuid> = {
        use sea_orm::{EntityTrait, QuerySelect};
        quarry_shared::store::entities::repository::Entity::find_by_id(id.0)
            .select_only()
            .column(quarry_shared::store::entities::repository::Column::OrganizationId)
            .into_tuple()
            .all(&transaction)
            .await
            .unwrap()
    };
    let requested = app
        .services
        .indexing
        .index_within(
            &transaction,
            OrganizationId(organization[0]),
            id,
            Some("main".to_owned()),
            RunTrigger::Manual,
        )
        .await
        .unwrap();
    transaction
        .execute_unprepared(
            "UPDATE jobs SET run_after = '2100-01-01T00:00:00+00:00', \
             enqueued_at = '2100-01-01T00:00:00+00:00' WHERE state = 'queued'",
        )
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    IndexRunId(requested.value.id).to_string()
}

/// Some job, made to look like one that has used up its attempts.
async fn dead_job(app: &TestApp) -> String {
    use quarry_shared::store::entities::job;
    use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
    let db = app.services.database.writer();
    db.execute_unprepared("UPDATE jobs SET state = 'dead' WHERE kind = 'sync'")
        .await
        .unwrap();
    let found = job::Entity::find()
        .filter(job::Column::State.eq("dead"))
        .one(db)
        .await
        .unwrap();
    found.unwrap().id.to_string()
}

async fn signed_in_with_cookie(app: &TestApp) -> Client {
    let credentials = json!({"email": ADMINISTRATOR, "password": PASSWORD});
    let reply = app
        .anonymous()
        .post("/api/v1/auth/login", &credentials)
        .await;
    let cookie = reply.headers["set-cookie"].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap();
    app.anonymous().with_cookie(cookie)
}
