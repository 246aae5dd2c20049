//! What events lead to, and how often.

use serde_json::{Value, json};

use super::{Endpoint, SOME, hex, told};
use crate::app::text;

const ZEROS: &str = "0000000000000000000000000000000000000000";

/// Case H3.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_authentic_is_answered_well_whatever_it_is_about() {
    let endpoint = Endpoint::start().await;
    let push = |name: &str, after: &str| json!({"ref": name, "before": SOME, "after": after});
    let cloud = |new: Value, old: Value| json!({"push": {"changes": [{"new": new, "old": old}]}});
    let branch = |name: &str| json!({"type": "branch", "name": name});
    let server = |id: &str, kind: &str| json!({"changes": [{"ref": {"id": id}, "type": kind}]});
    let moved = json!({"ref": "refs/heads/trunk", "after": SOME,
        "repository": {"default_branch": "trunk"}});
    let gitlab_gone = json!({"object_kind": "push", "ref": "refs/heads/main", "after": ZEROS,
        "checkout_sha": null, "project": {"default_branch": "main"}});
    let gone = json!({"ref": "refs/heads/side", "after": ZEROS, "deleted": true});
    let of_type = |kind: &str, name: &str| json!({"ref": name, "ref_type": kind});
    let (hub, lab, tea, bucket) = ("github", "gitlab", "gitea", "bitbucket");
    let cases = [
        (hub, "ping", json!({"zen": "x", "hook_id": 1}), "ping"),
        (hub, "never_heard", json!({}), "unknown_event"),
        (hub, "", json!({}), "unknown_event"),
        (hub, "push", push("refs/tags/v1", SOME), "tag"),
        (hub, "push", push("refs/notes/commits", SOME), "other_ref"),
        (
            hub,
            "push",
            push("refs/heads/side", SOME),
            "branch_not_tracked",
        ),
        (hub, "push", gone.clone(), "branch_deleted"),
        (hub, "push", json!([1]), "unreadable_payload"),
        (hub, "push", json!({"ref": 1}), "unreadable_payload"),
        (hub, "create", of_type("tag", "v1"), "tag"),
        (
            hub,
            "create",
            of_type("branch", "side"),
            "branch_not_tracked",
        ),
        (hub, "delete", of_type("branch", "side"), "branch_deleted"),
        (lab, "Tag Push Hook", push("refs/tags/v1", SOME), "tag"),
        (lab, "Merge Request Hook", json!({}), "unknown_event"),
        (
            lab,
            "System Hook",
            json!({"event_name": "user_create"}),
            "unknown_event",
        ),
        (tea, "delete", of_type("branch", "side"), "branch_deleted"),
        (tea, "create", of_type("tag", "v2"), "tag"),
        (bucket, "diagnostics:ping", json!({"test": true}), "ping"),
        (
            bucket,
            "repo:push",
            cloud(json!(null), branch("side")),
            "branch_deleted",
        ),
        (
            bucket,
            "repo:push",
            cloud(json!({"type": "tag", "name": "v"}), json!(null)),
            "tag",
        ),
        (
            bucket,
            "repo:refs_changed",
            server("refs/heads/side", "DELETE"),
            "branch_deleted",
        ),
        (
            bucket,
            "repo:refs_changed",
            server("refs/tags/v", "ADD"),
            "tag",
        ),
        (hub, "push", push("refs/heads/main", SOME), "+push"),
        (hub, "push", moved, "+default_branch_changed"),
        (
            hub,
            "push",
            push("refs/heads/main", ZEROS),
            "+default_branch_deleted",
        ),
        (lab, "Push Hook", gitlab_gone, "+default_branch_deleted"),
        (
            hub,
            "repository",
            json!({"action": "renamed"}),
            "+repository_changed",
        ),
        (
            hub,
            "repository",
            json!({"action": "privatized"}),
            "+repository_changed",
        ),
        (
            hub,
            "repository",
            json!({"action": "deleted"}),
            "+repository_changed",
        ),
        (hub, "public", json!({}), "+repository_changed"),
        (
            lab,
            "System Hook",
            json!({"event_name": "project_rename"}),
            "+repository_changed",
        ),
        (bucket, "repo:modified", json!({}), "+repository_changed"),
        (
            bucket,
            "repo:refs_changed",
            server("refs/heads/main", "UPDATE"),
            "+push",
        ),
    ];
    for (provider, event, body, expected) in cases {
        let body = body.to_string();
        let plain = hex(endpoint.secret.as_bytes(), body.as_bytes());
        let prefixed = format!("sha256={plain}");
        let headers: Vec<(&str, &str)> = match provider {
            "github" => vec![
                ("x-github-event", event),
                ("x-hub-signature-256", &prefixed),
            ],
            "gitlab" => vec![
                ("x-gitlab-event", event),
                ("x-gitlab-token", &endpoint.secret),
            ],
            "gitea" => vec![("x-gitea-event", event), ("x-gitea-signature", &plain)],
            _ => vec![("x-event-key", event), ("x-hub-signature", &prefixed)],
        };
        let reply = endpoint.send(provider, &headers, body.as_bytes()).await;
        let expected = match expected.strip_prefix('+') {
            Some(reason) => (202, "accepted", reason),
            None => (200, "ignored", expected),
        };
        assert_eq!(
            told(&reply),
            expected,
            "{provider} {event} {body}: {}",
            reply.text
        );
    }
    endpoint.admin.settled(&endpoint.id).await;
    let log = endpoint.deliveries().await;
    assert!(log.len() > 30);
    assert!(
        log.iter()
            .all(|row| row["index_run_id"].is_string() == (row["outcome"] == "accepted"))
    );
}

/// Case H5.
#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_works_once_unless_its_work_has_failed() {
    let endpoint = Endpoint::start().await;
    let before = endpoint.runs().await;
    let body = br#"{"ref":"refs/heads/main"}"#;
    // Somebody without the secret cannot take the id before its owner comes.
    let headers = [("x-github-event", "push"), ("x-github-delivery", "five")];
    assert_eq!(endpoint.send("github", &headers, body).await.status, 401);
    let replies = futures::future::join_all((0..5).map(|_| endpoint.github("push", "five", body)));
    let replies = replies.await;
    let accepted = replies.iter().filter(|reply| reply.status == 202).count();
    assert_eq!(accepted, 1, "{replies:?}");
    endpoint.admin.settled(&endpoint.id).await;
    let late = endpoint.github("push", "five", body).await;
    assert_eq!(told(&late), (200, "ignored", "duplicate_delivery"));
    assert_eq!(endpoint.runs().await, before + 1);

    // The remote is away; its host delivers the same again once it is back.
    let away = endpoint.app.folder.path().join("away");
    std::fs::rename(&endpoint.source.path, &away).unwrap();
    let failing = endpoint.github("push", "again", body).await;
    assert_eq!(failing.status, 202);
    let run = text(&endpoint.deliveries().await[0]["index_run_id"]);
    let cancel = format!("/api/v1/index-runs/{run}/cancel");
    let ended = endpoint.admin.post(&cancel, &json!({})).await;
    assert!(ended.status == 202 || ended.status == 409, "{}", ended.text);
    std::fs::rename(&away, &endpoint.source.path).unwrap();
    let again = endpoint.github("push", "again", body).await;
    assert_eq!(told(&again), (202, "accepted", "push"), "{}", again.text);
    let fresh = text(&endpoint.deliveries().await[0]["index_run_id"]);
    assert_ne!(fresh, run);
    let repository = endpoint.admin.settled(&endpoint.id).await;
    assert_eq!(
        repository["latest_run"]["state"], "succeeded",
        "{repository}"
    );
    assert_eq!(
        told(&endpoint.github("push", "again", body).await).2,
        "duplicate_delivery"
    );
    // Without an id nothing is a repetition.
    for _ in 0..2 {
        let signature = format!("sha256={}", hex(endpoint.secret.as_bytes(), body));
        let headers = [
            ("x-github-event", "push"),
            ("x-hub-signature-256", &*signature),
        ];
        assert_eq!(endpoint.send("github", &headers, body).await.status, 202);
    }
    // People may act upon one again at any time.
    let delivery = text(&endpoint.deliveries().await[0]["id"]);
    let path = format!(
        "/api/v1/repositories/{}/webhook-deliveries/{delivery}/redeliver",
        endpoint.id
    );
    let redelivered = endpoint.admin.post(&path, &json!({})).await;
    assert_eq!(
        told(&redelivered),
        (202, "accepted", "push"),
        "{}",
        redelivered.text
    );
    endpoint.admin.settled(&endpoint.id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_up_to_25_mebibytes_are_taken_and_no_longer_ones() {
    let endpoint = Endpoint::start().await;
    let most = 25 * 1024 * 1024;
    let start = r#"{"ref":"refs/heads/main","x":""#;
    let filled =
        |length: usize| format!("{start}{}\"}}", "é".repeat((length - start.len() - 2) / 2));
    let large = filled(most);
    assert!(large.len() > most - 2 && large.len() <= most);
    let reply = endpoint.github("push", "large", large.as_bytes()).await;
    assert_eq!(told(&reply), (202, "accepted", "push"), "{}", reply.text);
    let reply = endpoint
        .github("push", "larger", filled(most + 4).as_bytes())
        .await;
    assert_eq!(reply.status, 413, "{}", reply.text);
}
