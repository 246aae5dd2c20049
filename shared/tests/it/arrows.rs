//! The arrows of the house: which room may know which. `docs/ARCHITECTURE.md` explains them.
//!
//! Cargo checks the arrows between crates; this reads the sources for the ones it cannot see.

use std::{
    fs,
    path::{Path, PathBuf},
};

use regex::Regex;

/// Room of `shared`, and the rooms it may import.
const ROOMS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("ports", &["domain"]),
    ("config", &["domain"]),
    ("analysis", &["domain", "ports"]),
    ("policy", &["domain", "ports"]),
    ("languages", &["domain"]),
    ("adapters", &["domain", "ports", "config"]),
    ("store", &["domain", "config"]),
    ("telemetry", &["domain", "config"]),
    ("jobs", &["domain", "ports", "store"]),
    (
        "indexing",
        &[
            "domain",
            "ports",
            "store",
            "languages",
            "policy",
            "analysis",
            "jobs",
            "config",
        ],
    ),
    (
        "retrieval",
        &["domain", "ports", "store", "analysis", "config"],
    ),
    (
        "services",
        &[
            "domain",
            "ports",
            "store",
            "languages",
            "policy",
            "analysis",
            "jobs",
            "config",
            "adapters",
            "indexing",
            "retrieval",
        ],
    ),
];

/// A crate, and the only folders (from the workspace root) whose sources may name it.
const CLIENT_CRATES: &[(&str, &[&str])] = &[
    ("actix_web", &["api/"]),
    ("apalis", &["worker/", "shared/src/adapters/sqlite_queue"]),
    (
        "apalis_sqlite",
        &["worker/", "shared/src/adapters/sqlite_queue"],
    ),
    ("tantivy", &["shared/src/adapters/tantivy"]),
    (
        "git2",
        &[
            "shared/src/adapters/git",
            "shared/tests/",
            "shared/examples/",
        ],
    ),
    ("ort", &["shared/src/adapters/onnx"]),
    ("async_openai", &["shared/src/adapters/openai"]),
    ("tree_sitter", &["shared/src/languages"]),
];

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "helper", "common", "misc"];

#[test]
fn rooms_import_only_along_their_arrows() {
    let mut faults = Vec::new();
    for (room, allowed) in ROOMS {
        for (path, source) in sources(&root().join("shared/src").join(room)) {
            for imported in imported_rooms(&source) {
                let known = ROOMS.iter().any(|(name, _)| *name == imported);
                if known && imported != *room && !allowed.contains(&imported.as_str()) {
                    faults.push(format!("{} imports `{imported}`", path.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn client_crates_stay_in_their_own_adapter() {
    let mut faults = Vec::new();
    for folder in ["shared", "worker", "api", "migrations", "eval"] {
        for (path, source) in sources(&root().join(folder)) {
            let relative = path
                .strip_prefix(root())
                .unwrap()
                .to_string_lossy()
                .into_owned();
            if relative.ends_with("tests/it/arrows.rs") {
                continue;
            }
            let own_imports_only = |name: &str| !source.contains(&format!("{name}::"));
            for (name, homes) in CLIENT_CRATES {
                if own_imports_only(name) {
                    continue;
                }
                if names_crate(&source, name)
                    && !homes.iter().any(|home| relative.starts_with(home))
                {
                    faults.push(format!("{relative} names `{name}`"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_domain_does_not_await_and_retrieval_does_not_write() {
    for (path, source) in sources(&root().join("shared/src/domain")) {
        assert!(!source.contains(".await"), "{} awaits", path.display());
    }
    for (path, source) in sources(&root().join("shared/src/retrieval")) {
        if path.ends_with("test_world.rs") {
            continue; // Fills a database for the tests of the room.
        }
        assert!(
            !source.contains(".writer()"),
            "{} takes the writing connection",
            path.display()
        );
    }
}

#[test]
fn transactions_begin_where_dropping_is_safe() {
    for folder in ["shared/src", "api/src", "worker/src"] {
        for (path, source) in sources(&root().join(folder)) {
            let is_home = path.ends_with("store/connection.rs");
            assert!(
                is_home || !source.contains("TransactionTrait"),
                "{} does not use `Database::begin`",
                path.display()
            );
        }
    }
}

#[test]
fn the_api_reaches_the_worker_only_in_standalone_mode() {
    for (path, source) in sources(&root().join("api/src")) {
        let standalone = path.ends_with("standalone.rs");
        assert!(
            standalone || !names_crate(&source, "quarry_worker"),
            "{}",
            path.display()
        );
    }
}

#[test]
fn crates_depend_only_downwards() {
    let allowed: &[(&str, &[&str])] = &[
        ("migrations", &[]),
        ("shared", &[]),
        ("worker", &["quarry-shared"]),
        (
            "api",
            &["quarry-shared", "quarry-worker", "quarry-migrations"],
        ),
        ("eval", &["quarry-shared", "quarry-migrations"]),
    ];
    for (folder, may) in allowed {
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
        for dependency in own_dependencies(&manifest) {
            assert!(
                may.contains(&dependency.as_str()),
                "{folder} depends on {dependency}"
            );
        }
    }
}

#[test]
fn no_module_has_an_empty_name() {
    for folder in ["shared/src", "worker/src", "api/src", "eval/src"] {
        for (path, _) in sources(&root().join(folder)) {
            for part in path.components() {
                let part = part.as_os_str().to_string_lossy();
                let stem = part.strip_suffix(".rs").unwrap_or(&part);
                assert!(!EMPTY_NAMES.contains(&stem), "{}", path.display());
            }
        }
    }
}

#[test]
fn the_reader_sees_imports_in_every_form() {
    let source = "use crate::store::files;\nuse crate::{domain::Id, ports};\nlet x = crate::jobs::y();\n\
                  // crate::services is only mentioned here\nuse super::other;\n";
    assert_eq!(imported_rooms(source), ["domain", "jobs", "ports", "store"]);
    assert!(names_crate("use git2::Repository;", "git2"));
    assert!(names_crate("fn f() -> ::git2::Oid {}", "git2"));
    assert!(!names_crate(
        "// git2::x\nuse crate::adapters::tantivy::Index;",
        "tantivy"
    ));
    assert!(!names_crate("my_git2::x", "git2"));
    assert!(!names_crate(
        "use crate::{\n    adapters::{\n        tantivy::Index,\n    },\n};",
        "tantivy"
    ));
    assert_eq!(
        own_dependencies(
            "[dependencies]\nquarry-shared.workspace = true\n[dev-dependencies]\nquarry-api = 1\n"
        ),
        ["quarry-shared"]
    );
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_path_buf()
}

/// Every Rust source below a folder, without comments.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        let Ok(entries) = fs::read_dir(&next) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !["target", "node_modules", "dashboard"].contains(&name.as_str()) {
                    open.push(path);
                }
            } else if name.ends_with(".rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

fn code_lines(source: &str) -> impl Iterator<Item = &str> {
    source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
}

/// The rooms of this crate that a source names, sorted.
fn imported_rooms(source: &str) -> Vec<String> {
    let code: String = code_lines(source).collect::<Vec<_>>().join("\n");
    let single = Regex::new(r"\bcrate::([a-z_]+)").unwrap();
    let group = Regex::new(r"\bcrate::\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}").unwrap();
    let mut rooms: Vec<String> = single
        .captures_iter(&code)
        .map(|found| found[1].to_owned())
        .collect();
    for found in group.captures_iter(&code) {
        let mut depth = 0;
        let mut name = String::new();
        let mut first = true;
        for character in found[1].chars().chain([',']) {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    if !name.is_empty() {
                        rooms.push(std::mem::take(&mut name));
                    }
                    first = true;
                    continue;
                }
                _ => {}
            }
            if depth == 0 && first {
                if character.is_ascii_lowercase() || character == '_' {
                    name.push(character);
                } else if !character.is_whitespace() {
                    first = false;
                }
            }
        }
    }
    rooms.sort();
    rooms.dedup();
    rooms
}

/// Whether a source names a crate at the head of a path (`git2::x`, `::git2::x`).
fn names_crate(source: &str, name: &str) -> bool {
    // A module of our own may bear the crate's name: `use crate::adapters::{tantivy::Index}`.
    let own = Regex::new(r"(?s)\buse (crate|super|quarry_shared)::.*?;").unwrap();
    let source = own.replace_all(source, "");
    let needle = format!("{name}::");
    code_lines(&source).any(|line| {
        line.match_indices(&needle).any(|(at, _)| {
            let before = &line[..at];
            let before = before.strip_suffix("::").unwrap_or(before);
            let inner = before.len() < at && before.ends_with(is_word);
            !inner && !before.ends_with(is_word)
        })
    })
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Dependencies on crates of this workspace in the `[dependencies]` table.
fn own_dependencies(manifest: &str) -> Vec<String> {
    let table = manifest.split("[dependencies]").nth(1).unwrap_or("");
    let table = table.split("\n[").next().unwrap_or("");
    let name = Regex::new(r"(?m)^(quarry-[a-z]+)").unwrap();
    name.captures_iter(table)
        .map(|found| found[1].to_owned())
        .collect()
}
