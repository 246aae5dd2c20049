//! Questions with known answers, read from a data directory.
//!
//! Layout: `localization/repositories.json`, `localization/annotations/NAME.json`,
//! `issues/dev.jsonl`. A part that is absent is an empty list; a damaged one is an error that names
//! the file.

use std::{fs, path::Path};

use anyhow::{Context, bail};
use serde::{Deserialize, de::DeserializeOwned};

use crate::metrics::{Lines, Target};

/// Everything that can be asked.
#[derive(Debug, Clone, Default)]
pub struct Dataset {
    pub localization: Vec<AnnotatedRepository>,
    pub issues: Vec<Issue>,
}

/// A repository at a revision with its questions.
#[derive(Debug, Clone)]
pub struct AnnotatedRepository {
    pub name: String,
    pub language: String,
    pub url: String,
    pub revision: String,
    /// The folder that the `root` condition is limited to; absent is the whole repository.
    pub root: Option<String>,
    pub questions: Vec<Question>,
}

/// A question about code.
#[derive(Debug, Clone)]
pub struct Question {
    pub text: String,
    pub category: String,
    pub targets: Vec<Target>,
}

/// A bug report and the files that its fix changed.
#[derive(Debug, Clone, Deserialize)]
pub struct Issue {
    pub id: String,
    /// `owner/name`.
    pub repo: String,
    pub base_commit: String,
    pub query: String,
    pub files: Vec<String>,
}

impl Dataset {
    /// Reads a data directory.
    ///
    /// # Errors
    /// Names the file that cannot be read; a directory with neither part is an error, too.
    pub fn load(directory: &Path) -> anyhow::Result<Self> {
        let localization = directory.join("localization");
        let issues = directory.join("issues/dev.jsonl");
        if !localization.is_dir() && !issues.is_file() {
            bail!(
                "`{}` holds neither `localization/` nor `issues/dev.jsonl`",
                directory.display()
            );
        }
        Ok(Self {
            localization: load_localization(&localization)?,
            issues: load_issues(&issues)?,
        })
    }
}

impl AnnotatedRepository {
    /// The path part of the address, `owner/name`.
    #[must_use]
    pub fn full_name(&self) -> String {
        let path = self.url.trim_end_matches('/').trim_end_matches(".git");
        let mut parts = path.rsplit(['/', ':']);
        let name = parts.next().unwrap_or_default();
        match parts.next() {
            Some(owner) => format!("{owner}/{name}"),
            None => name.to_owned(),
        }
    }
}

#[derive(Deserialize)]
struct RepositoryRow {
    name: String,
    language: String,
    url: String,
    revision: String,
    benchmark_root: Option<String>,
}

#[derive(Deserialize)]
struct AnnotationRow {
    query: String,
    relevant: Vec<TargetRow>,
    #[serde(default)]
    secondary: Vec<TargetRow>,
    #[serde(default)]
    category: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum TargetRow {
    File(String),
    Lines {
        path: String,
        start_line: u32,
        end_line: u32,
    },
}

impl TargetRow {
    /// Some annotations give paths from the benchmark root, others from the repository's.
    fn target(self, root: Option<&str>) -> Target {
        let (path, lines) = match self {
            Self::File(path) => (path, None),
            Self::Lines {
                path,
                start_line: first,
                end_line: last,
            } => (path, Some(Lines { first, last })),
        };
        let path = match root.map(|root| format!("{}/", root.trim_matches('/'))) {
            Some(root) if !path.starts_with(&root) => root + &path,
            _ => path,
        };
        Target { path, lines }
    }
}

fn load_localization(directory: &Path) -> anyhow::Result<Vec<AnnotatedRepository>> {
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let rows: Vec<RepositoryRow> = read_json(&directory.join("repositories.json"))?;
    rows.into_iter()
        .map(|row| {
            let file = directory.join(format!("annotations/{}.json", row.name));
            let annotations: Vec<AnnotationRow> = read_json(&file)?;
            Ok(AnnotatedRepository {
                name: row.name,
                language: row.language,
                url: row.url,
                revision: row.revision,
                questions: annotations
                    .into_iter()
                    .map(|annotation| question(annotation, row.benchmark_root.as_deref()))
                    .collect(),
                root: row.benchmark_root,
            })
        })
        .collect()
}

fn question(row: AnnotationRow, root: Option<&str>) -> Question {
    Question {
        text: row.query,
        category: row.category,
        targets: row
            .relevant
            .into_iter()
            .chain(row.secondary)
            .map(|target| target.target(root))
            .collect(),
    }
}

fn load_issues(file: &Path) -> anyhow::Result<Vec<Issue>> {
    if !file.is_file() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(file).with_context(|| format!("reading `{}`", file.display()))?;
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| {
            serde_json::from_str(line)
                .with_context(|| format!("reading line {} of `{}`", at + 1, file.display()))
        })
        .collect()
}

fn read_json<T: DeserializeOwned>(file: &Path) -> anyhow::Result<T> {
    let text = fs::read_to_string(file).with_context(|| format!("reading `{}`", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("reading `{}`", file.display()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_directory_without_data_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let error = Dataset::load(directory.path()).unwrap_err().to_string();
        assert!(error.contains("issues/dev.jsonl"), "{error}");
    }

    #[test]
    fn a_damaged_line_is_named() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("issues")).unwrap();
        let file = directory.path().join("issues/dev.jsonl");
        let good = r#"{"id":"1","repo":"a/b","base_commit":"c","query":"q","files":["f"]}"#;
        fs::write(&file, format!("{good}\n\n{{\n")).unwrap();
        let error = Dataset::load(directory.path()).unwrap_err().to_string();
        assert!(error.contains("line 3"), "{error}");
    }

    #[test]
    fn a_missing_annotation_file_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let localization = directory.path().join("localization");
        fs::create_dir(&localization).unwrap();
        let row = r#"[{"name":"x","language":"c","url":"u","revision":"r"}]"#;
        fs::write(localization.join("repositories.json"), row).unwrap();
        let error = Dataset::load(directory.path()).unwrap_err().to_string();
        assert!(error.contains("annotations/x.json"), "{error}");
    }

    #[test]
    fn targets_are_paths_or_lines_and_secondary_ones_count() {
        let text = r#"{"query":"q","category":"symbol","relevant":["a.c",
            {"path":"b.c","start_line":3,"end_line":9}],"secondary":["c.c"],"seed":{"line":1}}"#;
        let question = question(serde_json::from_str(text).unwrap(), None);
        let paths: Vec<_> = question.targets.iter().map(|t| t.path.as_str()).collect();
        assert_eq!(paths, ["a.c", "b.c", "c.c"]);
        assert_eq!(question.targets[1].lines, Some(Lines { first: 3, last: 9 }));
    }

    #[test]
    fn paths_outside_the_root_are_relative_to_it() {
        for (path, root, expected) in [
            ("src/zig/a.zig", Some("src/zig"), "src/zig/a.zig"),
            ("a.zig", Some("src/zig/"), "src/zig/a.zig"),
            ("src/zigzag.zig", Some("src/zig"), "src/zig/src/zigzag.zig"),
            ("a.zig", None, "a.zig"),
        ] {
            let target = TargetRow::File(path.to_owned()).target(root);
            assert_eq!(target.path, expected, "{path} {root:?}");
        }
    }

    #[test]
    fn the_full_name_comes_from_any_spelling_of_the_address() {
        for (url, name) in [
            ("https://github.com/rack/rack.git", "rack/rack"),
            ("https://github.com/rack/rack/", "rack/rack"),
            ("git@github.com:rack/rack.git", "rack/rack"),
        ] {
            let repository = AnnotatedRepository {
                name: String::new(),
                language: String::new(),
                url: url.to_owned(),
                revision: String::new(),
                root: None,
                questions: Vec::new(),
            };
            assert_eq!(repository.full_name(), name, "{url}");
        }
    }
}
