#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::{Settings, documentation};

fn variables(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

#[test]
fn every_problem_is_reported_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("quarry.toml");
    std::fs::write(
        &file,
        "[server]\nbind = \"nowhere\"\nunknown = 1\n[imaginary]\nx = 1\n[log]\nformat = \"xml\"\n",
    )
    .unwrap();
    let error = Settings::load(
        Some(&file),
        variables(&[
            ("QUARRY_SERVER_MAX_BODY_BYTES", "many"),
            ("QUARRY_SERVER_COLOUR", "blue"),
            ("QUARRY_AUTHENTICATION_SIGNING_KEY", "short"),
            ("QUARRY_TEST_SOMETHING", "of others"),
            ("PATH", "/bin"),
        ]),
    )
    .unwrap_err();
    let text = error.to_string();
    for part in [
        "server.bind",
        "server.unknown",
        "imaginary",
        "log.format",
        "QUARRY_SERVER_MAX_BODY_BYTES",
        "QUARRY_SERVER_COLOUR",
        "authentication.signing_key",
    ] {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    assert_eq!(error.problems().len(), 7, "{text}");
}

#[test]
fn the_environment_wins_over_the_file_and_the_file_over_the_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("quarry.toml");
    std::fs::write(
        &file,
        "[server]\nbind = \"127.0.0.1:1\"\nthreads = 3\nallowed_hosts = [\"file\"]\n",
    )
    .unwrap();
    let settings = Settings::load(
        Some(&file),
        variables(&[
            ("QUARRY_SERVER_BIND", "127.0.0.1:2"),
            ("QUARRY_SERVER_ALLOWED_HOSTS", "a.example, b.example"),
            ("QUARRY_SERVER__PUBLIC_URL", "https://quarry.example"),
            ("QUARRY_CONFIG", "ignored"),
        ]),
    )
    .unwrap();
    assert_eq!(settings.server.bind.port(), 2);
    assert_eq!(settings.server.threads, 3);
    assert_eq!(settings.server.allowed_hosts, ["a.example", "b.example"]);
    assert!(settings.server.is_https());
    assert_eq!(settings.server.max_body_bytes, 256 * 1024);
}

#[test]
fn a_missing_file_and_broken_toml_are_problems() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.toml");
    assert!(Settings::load(Some(&missing), []).is_err());
    let broken = folder.path().join("broken.toml");
    std::fs::write(&broken, "[server\n").unwrap();
    assert!(Settings::load(Some(&broken), []).is_err());
}

#[test]
fn every_setting_is_documented_and_no_secret_is_printed() {
    let text = documentation();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let meaning = line.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        assert!(meaning.len() > 8, "undocumented: {line}");
    }
    let settings = Settings::load(
        None,
        variables(&[("QUARRY_ADMIN_PASSWORD", "a very secret password")]),
    )
    .unwrap();
    assert!(!format!("{settings:?}").contains("very secret"));
    assert!(
        !serde_json::to_string(&settings)
            .unwrap()
            .contains("very secret")
    );
}
