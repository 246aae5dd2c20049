//! A tiny repository and questions about it, as the command expects them on disk.

use std::{fs, path::Path, process::Command};

use clap::Parser;
use quarry_eval::arguments::{Arguments, Command as Evaluate, RetrievalArguments};
use serde_json::json;
use tempfile::TempDir;

const FILES: [(&str, &str); 3] = [
    (
        "src/key_value_store.py",
        "class KeyValueStore:\n    \"\"\"Keeps values by key in memory.\"\"\"\n\n    \
         def put_value(self, key, value):\n        self.values[key] = value\n\n    \
         def evict_oldest(self):\n        oldest = min(self.values)\n        del self.values[oldest]\n",
    ),
    (
        "src/request_parser.py",
        "def parse_request_line(line):\n    \"\"\"Splits an HTTP request line.\"\"\"\n    \
         method, target, version = line.split(\" \")\n    return method, target, version\n",
    ),
    (
        "docs/guide.md",
        "# Guide\n\nHow to install the package and run the demonstration.\n",
    ),
];

/// Directories that are removed when it is dropped.
pub struct TinyWorld {
    place: TempDir,
}

impl TinyWorld {
    /// One repository with three files, two short questions and one bug report.
    pub fn new() -> Self {
        let world = Self {
            place: tempfile::tempdir().unwrap(),
        };
        let revision = world.commit();
        world.write_localization(&revision);
        world.write_issue(&revision);
        world
    }

    /// Arguments as a person would type them.
    pub fn arguments(&self, extra: &[&str]) -> RetrievalArguments {
        let path = |name: &str| self.path(name).display().to_string();
        let (data, repositories, cache) = (path("data"), path("repositories"), path("cache"));
        let fixed = [
            "quarry-eval",
            "retrieval",
            "--data",
            &data,
            "--repositories",
            &repositories,
            "--cache",
            &cache,
        ];
        let arguments = Arguments::try_parse_from(fixed.iter().chain(extra)).unwrap();
        match arguments.command {
            Evaluate::Retrieval(arguments) => arguments,
            Evaluate::Latency(_) => unreachable!("the fixed words name the command"),
        }
    }

    /// Adds a repository to the questions that nobody has brought.
    pub fn add_missing_repository(&self) {
        let file = self.path("data/localization/repositories.json");
        let mut rows: Vec<serde_json::Value> =
            serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let mut absent = rows[0].clone();
        absent["url"] = json!("https://example.com/somebody/absent.git");
        rows.push(absent);
        fs::write(file, serde_json::to_string(&rows).unwrap()).unwrap();
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.place.path().join(name)
    }

    fn commit(&self) -> String {
        let work = self.path("work");
        for (path, text) in FILES {
            let file = work.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        git(&work, &["init", "--quiet", "--initial-branch=main"]);
        git(&work, &["add", "."]);
        git(&work, &["commit", "--quiet", "--message=Begin"]);
        let revision = git(&work, &["rev-parse", "HEAD"]);
        let place = self.path("repositories/tiny+world");
        fs::create_dir_all(&place).unwrap();
        let bare = place.join("repo").display().to_string();
        git(&work, &["clone", "--quiet", "--bare", ".", &bare]);
        revision
    }

    fn write_localization(&self, revision: &str) {
        let directory = self.path("data/localization");
        fs::create_dir_all(directory.join("annotations")).unwrap();
        let repositories = json!([{
            "name": "tiny",
            "language": "python",
            "url": "https://example.com/tiny/world.git",
            "revision": revision,
            "benchmark_root": "src",
        }]);
        fs::write(
            directory.join("repositories.json"),
            repositories.to_string(),
        )
        .unwrap();
        let annotations = json!([
            {
                "query": "how is the oldest value evicted",
                "relevant": ["src/key_value_store.py"],
                "secondary": [],
                "category": "semantic",
            },
            {
                "query": "parse_request_line",
                "relevant": [{"path": "src/request_parser.py", "start_line": 1, "end_line": 4}],
                "category": "symbol",
            },
        ]);
        fs::write(
            directory.join("annotations/tiny.json"),
            annotations.to_string(),
        )
        .unwrap();
    }

    fn write_issue(&self, revision: &str) {
        let directory = self.path("data/issues");
        fs::create_dir_all(&directory).unwrap();
        let issue = json!({
            "id": "tiny__world-1",
            "repo": "tiny/world",
            "base_commit": revision,
            "query": "evict_oldest fails on an empty store\n\nCalling `evict_oldest()` before any \
                      put_value raises ValueError: min() arg is an empty sequence.\n",
            "files": ["src/key_value_store.py"],
        });
        fs::write(directory.join("dev.jsonl"), format!("{issue}\n")).unwrap();
    }
}

fn git(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=Test", "-c", "user.email=test@localhost"])
        .args(arguments)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
