//! Adding, listing and removing repositories as the contract says.

use quarry_shared::{
    domain::{RepositoryId, RepositoryState},
    store::repositories,
};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::app::{GitRepository, TestApp, text};

#[tokio::test(flavor = "multi_thread")]
async fn faults_of_a_new_repository_are_named_by_pointers_into_the_body() {
    let (_app, admin) = TestApp::start().await;
    let (organization, project) = admin.home().await;
    let add = format!("/api/v1/projects/{project}/repositories");
    let git = json!({"kind": "git", "url": "https://git.example.com/a/b"});
    let with_user = json!({"kind": "git", "url": "https://git.example.com/a/b", "username": "me"});
    let search = json!({"query": "x", "organization_id": organization, "kinds": ["file", "soup"]});
    for (path, body, pointer) in [
        (&*add, json!({"source": git, "name": "   "}), "/name"),
        (&*add, json!({"source": git, "name": "a\u{0}b"}), "/name"),
        (&*add, json!({"source": with_user}), "/source/password"),
        ("/api/v1/search", search, "/kinds/"),
    ] {
        let reply = admin.post(path, &body).await;
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
        let named = text(&reply.body["errors"][0]["pointer"]);
        assert!(named.starts_with(pointer), "{body}: {}", reply.text);
    }
    let listed = admin.get(&add).await.body;
    assert_eq!(listed["items"], json!([]), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_go_on_after_the_longest_name_and_over_branches() {
    let (app, admin) = TestApp::start().await;
    let (_, project) = admin.home().await;
    let add = format!("/api/v1/projects/{project}/repositories");
    let names = ["é".repeat(200), "ü".repeat(200)];
    let mut ids = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let folder = app.folder.path().join(format!("source-{at}"));
        let source = GitRepository::create(folder, &[("a.py", "def a():\n    return 1\n")]);
        source.git(&["branch", "next"]);
        let body = json!({
            "name": name,
            "source": {"kind": "local", "path": source.path},
            "branches": ["main", "next"],
        });
        let reply = admin.post(&add, &body).await;
        assert_eq!(reply.status, StatusCode::CREATED, "{}", reply.text);
        ids.push(text(&reply.body["id"]));
    }
    assert_eq!(pages(&admin, &add, "name").await, names);

    admin.settled(&ids[0]).await;
    let branches = format!("/api/v1/repositories/{}/branches", ids[0]);
    assert_eq!(pages(&admin, &branches, "name").await, ["main", "next"]);
    let reply = admin.get(&format!("{branches}?cursor=rubbish")).await;
    assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY);
}

/// One field of every item of a list, read a single item at a time.
async fn pages(admin: &crate::app::Client, path: &str, field: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut cursor = Value::Null;
    for _ in 0..5 {
        let after = cursor.as_str().map(|cursor| format!("&cursor={cursor}"));
        let address = format!("{path}?limit=1{}", after.unwrap_or_default());
        let reply = admin.get(&address).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
        let items = reply.body["items"].as_array().unwrap();
        found.extend(items.iter().map(|item| text(&item[field])));
        cursor = reply.body["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn one_repository_added_many_times_at_once_is_added_once() {
    let (app, admin) = TestApp::start().await;
    let (_, project) = admin.home().await;
    let add = format!("/api/v1/projects/{project}/repositories");
    let source = GitRepository::create(app.folder.path().join("one"), &[("a.md", "# A\n")]);
    let body = json!({"source": {"kind": "local", "path": source.path}});
    let replies = futures::future::join_all((0..8).map(|_| admin.post(&add, &body))).await;
    let created = replies
        .iter()
        .filter(|reply| reply.status == StatusCode::CREATED)
        .count();
    assert_eq!(created, 1);
    for reply in replies {
        if reply.status != StatusCode::CREATED {
            assert_eq!(reply.status, StatusCode::CONFLICT, "{}", reply.text);
            assert_eq!(reply.body["code"], "repository_exists");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_belongs_to_a_repository_that_is_being_deleted_is_missing() {
    let (app, admin) = TestApp::start().await;
    let (_, project) = admin.home().await;
    let source = GitRepository::create(app.folder.path().join("gone"), &[("a.md", "# A\n\nB.\n")]);
    let repository = admin.add(&project, &source.path).await;
    let id = text(&repository["id"]);
    let path = format!("/api/v1/repositories/{id}");
    let branch = admin.get(&format!("{path}/branches")).await.body;
    let addresses = [
        path.clone(),
        format!("{path}/branches"),
        format!("{path}/index-runs"),
        format!("{path}/tree"),
        format!("{path}/file?path=a.md"),
        format!(
            "/api/v1/branches/{}/snapshots",
            text(&branch["items"][0]["id"])
        ),
        format!(
            "/api/v1/snapshots/{}/ledger",
            repository["published"]["snapshot_id"]
        ),
        format!(
            "/api/v1/index-runs/{}",
            text(&repository["latest_run"]["id"])
        ),
    ];
    for address in &addresses {
        assert_eq!(admin.get(address).await.status, StatusCode::OK, "{address}");
    }
    // The state alone, without the job that removes the rows.
    let db = app.services.database.writer();
    let state = RepositoryState::Deleting;
    let id = RepositoryId(id.parse().unwrap());
    repositories::set_state(db, id, state, None).await.unwrap();
    for address in &addresses {
        let reply = admin.get(address).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{address}");
        assert_eq!(reply.body["code"], "not_found", "{address}");
    }
}
