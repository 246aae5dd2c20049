//! Sources that cannot be indexed, or not wholly: a typed reason each time.

use serde_json::{Value, json};

use crate::app::{Client, GitRepository, TestApp, text};

async fn refusal(client: &Client, project: &str, source: Value) -> (u16, String) {
    let path = format!("/api/v1/projects/{project}/repositories");
    let reply = client.post(&path, &json!({"source": source})).await;
    (reply.status.as_u16(), text(&reply.body["code"]))
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_that_are_not_allowed_are_refused_at_registration() {
    let (app, admin) = TestApp::start().await;
    let (_, project) = admin.home().await;
    for url in [
        "file:///etc",
        "ext::sh -c id",
        "http://169.254.169.254/x.git",
        "https://127.0.0.1/x.git",
        "https://2130706433/x.git",
        "https://[::1]:6333/x.git",
        "ssh://-oProxyCommand=x/y",
        "--upload-pack=x",
        "",
    ] {
        let (status, code) = refusal(&admin, &project, json!({"kind": "git", "url": url})).await;
        assert!((400..500).contains(&status), "{url}: {status} {code}");
    }
    let outside = tempfile::tempdir().unwrap();
    GitRepository::create(outside.path().join("r"), &[("a.py", "x = 1\n")]);
    for path in [
        outside.path().join("r"),
        app.folder.path().join("missing"),
        "/etc".into(),
    ] {
        let (status, code) =
            refusal(&admin, &project, json!({"kind": "local", "path": path})).await;
        assert!((400..500).contains(&status), "{path:?}: {status} {code}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_registration_of_the_same_source_is_a_conflict() {
    let (app, admin) = TestApp::start().await;
    let (_, project) = admin.home().await;
    let source = GitRepository::create(app.folder.path().join("twice"), &[("a.py", "x = 1\n")]);
    admin.add(&project, &source.path).await;
    let again = json!({"kind": "local", "path": source.path.join(".")});
    assert_eq!(refusal(&admin, &project, again).await.0, 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_repository_and_a_missing_branch_say_so() {
    let (app, admin) = TestApp::start().await;
    let (_, project) = admin.home().await;
    let path = app.folder.path().join("empty");
    std::fs::create_dir_all(&path).unwrap();
    let empty = GitRepository { path };
    empty.git(&["init", "-q", "-b", "main"]);
    let repository = admin.add(&project, &empty.path).await;
    assert_eq!(repository["state"], "empty", "{repository}");
    assert!(repository["warning"].is_string(), "{repository}");

    empty.commit(&[("first.py", "def first_push():\n    return 1\n")]);
    let id = text(&repository["id"]);
    admin
        .post(&format!("/api/v1/repositories/{id}/index"), &json!({}))
        .await;
    assert_eq!(admin.settled(&id).await["state"], "ready");

    let body = json!({"branch": "no-such-branch"});
    admin
        .post(&format!("/api/v1/repositories/{id}/index"), &body)
        .await;
    let failed = admin.settled(&id).await;
    assert_eq!(
        failed["latest_run"]["error"]["code"], "branch_not_found",
        "{failed}"
    );
    assert_eq!(
        failed["published"]["files_indexed"], 1,
        "the old index stays: {failed}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn one_bad_file_never_costs_its_neighbours() {
    let (app, admin) = TestApp::start().await;
    let (organization, project) = admin.home().await;
    let nested = format!(
        "int deep = {}1{};\nint after_deep(void){{return 1;}}\n",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    let long_line = format!(
        "var d = '{}';\nfunction shortLineTarget() {{ return 1 }}\n",
        "Zq9+".repeat(60_000)
    );
    let minified = (0..40_000)
        .map(|n| format!("function m{n}(a){{return a+{n}}}"))
        .collect::<Vec<_>>()
        .join(";");
    let source = GitRepository::create(
        app.folder.path().join("rough"),
        &[
            ("deep.c", &nested),
            ("long.js", &long_line),
            ("app.js", &minified),
            (
                "broken.rs",
                "fn half( {{{ let = ;\nfn after_syntax_error() {}\n",
            ),
            ("empty.py", ""),
            ("blank.py", "\n\n\n"),
            ("good.py", "def healthy_neighbour():\n    return 1\n"),
        ],
    );
    std::fs::write(
        source.path.join("noise.py"),
        [0xff, 0xfe, 0xfd, 0x00, 0x01].repeat(500),
    )
    .unwrap();
    source.commit(&[]);
    let repository = admin.add(&project, &source.path).await;
    assert_eq!(repository["state"], "ready", "{repository}");
    let published = &repository["published"];
    let count = |name: &str| published[name].as_i64().unwrap();
    assert_eq!(count("files_seen"), 8);
    assert_eq!(
        count("files_seen"),
        count("files_indexed") + count("files_skipped")
    );
    for (name, file) in [
        ("healthy_neighbour", "good.py"),
        ("after_deep", "deep.c"),
        ("shortLineTarget", "long.js"),
        ("after_syntax_error", "broken.rs"),
    ] {
        let found = admin.search(&organization, name).await;
        assert_eq!(found["hits"][0]["path"], file, "{name}: {found}");
    }
}
