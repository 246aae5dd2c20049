//! Who is believed.

use base64::{Engine, engine::general_purpose::STANDARD};
use reqwest::Method;
use uuid::Uuid;

use super::{Endpoint, hex, new_secret, send, sign, told};
use crate::app::{GitRepository, text};

/// Name of the case, host, repository, header, its value, body.
type Refused<'a> = (&'a str, &'a str, &'a str, &'a str, String, &'a [u8]);
/// Host, headers, body.
type Event<'a> = (&'a str, Vec<(&'a str, &'a str)>, &'a [u8]);

/// Case H1, what is authentic.
#[tokio::test(flavor = "multi_thread")]
async fn the_bytes_that_were_signed_are_the_bytes_that_count() {
    let endpoint = Endpoint::start().await;
    let odd = "{ \"ref\" :\n\t\"refs/heads/main\", \"size\": 1.0, \"pusher\":\"caf\\u00e9 🦀\",\
               \"ref\": \"refs/heads/main\",\"deleted\":false , \"x\":[1.50,{}] }";
    let form = "payload=%7B%22ref%22%3A+%22refs%2Fheads%2Fmain%22%2C%22who%22%3A%22%C3%A9%22%7D";
    let json = endpoint.github("push", "odd", odd.as_bytes()).await;
    assert_eq!(told(&json), (202, "accepted", "push"), "{}", json.text);
    let signature = format!(
        "sha256={}",
        hex(endpoint.secret.as_bytes(), form.as_bytes())
    );
    let headers = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("x-github-event", "push"),
        ("x-hub-signature-256", &signature),
    ];
    let reply = endpoint.send("github", &headers, form.as_bytes()).await;
    assert_eq!(told(&reply), (202, "accepted", "push"), "{}", reply.text);
    let log = endpoint.deliveries().await;
    assert_eq!(log.len(), 2);
    assert!(
        log.iter().all(|row| row["index_run_id"].is_string()),
        "{log:?}"
    );
    // The secret went nowhere but into its answer.
    let path = format!("/api/v1/repositories/{}/webhook", endpoint.id);
    let shown = endpoint.admin.get(&path).await;
    assert_eq!(shown.body["has_secret"], true);
    assert!(!shown.text.contains(&endpoint.secret));
}

/// Case H1, what is not.
#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_not_signed_with_the_secret_is_refused_alike() {
    let endpoint = Endpoint::start().await;
    let (_, project) = endpoint.admin.home().await;
    let other = GitRepository::create(endpoint.app.folder.path().join("o"), &[("b.py", "b = 1\n")]);
    let other = text(&endpoint.admin.add(&project, &other.path).await["id"]);
    let runs = endpoint.runs().await;
    let body = br#"{"ref":"refs/heads/main"}"#;
    let changed = br#"{"ref":"refs/heads/maim"}"#;
    let good = hex(endpoint.secret.as_bytes(), body);
    let foreign = hex(new_secret(&endpoint.admin, &other).await.as_bytes(), body);
    let (id, secret) = (endpoint.id.as_str(), endpoint.secret.as_str());
    let path = format!("/api/v1/repositories/{other}/webhook");
    let removed = endpoint.admin.send(Method::DELETE, &path, None).await;
    assert_eq!(removed.status, 204);
    let missing = Uuid::new_v4().to_string();
    let with = |value: &str| format!("sha256={value}");
    let cases: Vec<Refused> = vec![
        (
            "changed",
            "github",
            id,
            "x-hub-signature-256",
            with(&good),
            changed,
        ),
        ("no header", "github", id, "x-other", with(&good), body),
        (
            "sha1",
            "github",
            id,
            "x-hub-signature",
            format!("sha1={}", &good[..40]),
            body,
        ),
        (
            "no prefix",
            "github",
            id,
            "x-hub-signature-256",
            good.clone(),
            body,
        ),
        (
            "upper",
            "github",
            id,
            "x-hub-signature-256",
            with(&good.to_uppercase()),
            body,
        ),
        (
            "empty",
            "github",
            id,
            "x-hub-signature-256",
            with(&hex(b"", body)),
            body,
        ),
        (
            "foreign",
            "github",
            id,
            "x-hub-signature-256",
            with(&foreign),
            body,
        ),
        (
            "off",
            "github",
            &other,
            "x-hub-signature-256",
            with(&foreign),
            body,
        ),
        (
            "off, empty",
            "github",
            &other,
            "x-hub-signature-256",
            with(&hex(b"", body)),
            body,
        ),
        (
            "unknown",
            "github",
            &missing,
            "x-hub-signature-256",
            with(&good),
            body,
        ),
        (
            "no id",
            "github",
            "nothing",
            "x-hub-signature-256",
            with(&good),
            body,
        ),
        (
            "token",
            "gitlab",
            id,
            "x-gitlab-token",
            format!("{secret}x"),
            body,
        ),
        (
            "empty token",
            "gitlab",
            &other,
            "x-gitlab-token",
            String::new(),
            body,
        ),
        (
            "hex",
            "gitlab",
            id,
            "webhook-signature",
            format!("v1,{good}"),
            body,
        ),
        (
            "gitea",
            "gitea",
            id,
            "x-gitea-signature",
            foreign.clone(),
            body,
        ),
        (
            "prefixed",
            "gitea",
            id,
            "x-gitea-signature",
            with(&good),
            body,
        ),
        (
            "bitbucket",
            "bitbucket",
            id,
            "x-hub-signature",
            with(&foreign),
            body,
        ),
    ];
    let mut first = None;
    for (case, provider, repository, header, value, body) in cases {
        let headers = [("x-github-event", "push"), (header, value.as_str())];
        let mut reply = send(&endpoint.app, provider, repository, &headers, body).await;
        assert_eq!(reply.status, 401, "{case}: {}", reply.text);
        reply.body.as_object_mut().unwrap().remove("request_id");
        let expected = first.get_or_insert_with(|| reply.body.clone());
        assert_eq!(&reply.body, expected, "{case}");
    }
    assert_eq!(endpoint.runs().await, runs);
    assert!(endpoint.deliveries().await.is_empty());
    let reply = endpoint.send("svn", &[], body).await;
    assert_eq!(reply.status, 404);
}

/// How each host proves itself, in every form that is taken.
#[tokio::test(flavor = "multi_thread")]
async fn every_host_proves_itself_in_its_own_way() {
    let endpoint = Endpoint::start().await;
    let secret = endpoint.secret.clone();
    let body = br#"{"ref":"refs/heads/main","object_kind":"push"}"#;
    let cloud = br#"{"push":{"changes":[{"new":{"type":"branch","name":"main"},"old":null}]}}"#;
    let plain = hex(secret.as_bytes(), body);
    let prefixed = format!("sha256={plain}");
    let of_cloud = format!("sha256={}", hex(secret.as_bytes(), cloud));
    let key = STANDARD
        .decode(secret.strip_prefix("whsec_").unwrap())
        .unwrap();
    let signed = sign(&key, &[b"m1.1700000000.".as_slice(), body].concat());
    let signed = format!("v1,AAAA v1,{}", STANDARD.encode(signed));
    let cases: [Event; 6] = [
        (
            "gitea",
            vec![("x-gitea-event", "push"), ("x-gitea-signature", &plain)],
            body,
        ),
        (
            "gitea",
            vec![("x-forgejo-event", "push"), ("x-forgejo-signature", &plain)],
            body,
        ),
        (
            "gitea",
            vec![
                ("x-gitea-event", "push"),
                ("x-hub-signature-256", &prefixed),
            ],
            body,
        ),
        (
            "gitlab",
            vec![("x-gitlab-event", "Push Hook"), ("x-gitlab-token", &secret)],
            body,
        ),
        (
            "gitlab",
            vec![
                ("x-gitlab-event", "Push Hook"),
                ("webhook-id", "m1"),
                ("webhook-timestamp", "1700000000"),
                ("webhook-signature", &signed),
            ],
            body,
        ),
        (
            "bitbucket",
            vec![("x-event-key", "repo:push"), ("x-hub-signature", &of_cloud)],
            cloud,
        ),
    ];
    for (provider, headers, body) in cases {
        let reply = endpoint.send(provider, &headers, body).await;
        assert_eq!(
            told(&reply),
            (202, "accepted", "push"),
            "{headers:?}: {}",
            reply.text
        );
    }
}
