//! The first gate: what path, mode and size alone decide.

use super::{PolicyLimits, Skip, names};
use crate::{
    domain::{RepositoryPath, SkipReason},
    ports::EntryMode,
};

/// Decides from path, mode and size whether a file is skipped without being read; `None` lets it
/// through to [`super::decide_by_content`].
///
/// Links and submodules are never followed. Secrets by name come before everything that a
/// configuration might one day relax. A size of 0 decides nothing, since a missing object has it.
#[must_use]
pub fn decide_by_path(
    path: &RepositoryPath,
    mode: EntryMode,
    bytes: u64,
    limits: &PolicyLimits,
) -> Option<Skip> {
    match mode {
        EntryMode::Symlink => return Some(Skip::bare(SkipReason::Symlink)),
        EntryMode::Submodule => return Some(Skip::bare(SkipReason::Submodule)),
        EntryMode::File | EntryMode::Executable => {}
    }
    let lowered = path.as_str().to_lowercase();
    let components: Vec<&str> = lowered.split('/').collect();
    let (name, folders) = components.split_last()?;
    if is_secret_name(name, folders) {
        return Some(Skip::new(
            SkipReason::Secret,
            "the name is used for secrets",
        ));
    }
    if let Some(folder) = find_folder(folders, names::DEPENDENCY_FOLDERS) {
        return Some(Skip::new(
            SkipReason::Dependency,
            format!("in a `{folder}` folder"),
        ));
    }
    if let Some(run) = find_run(folders, names::DEPENDENCY_FOLDER_RUNS) {
        return Some(Skip::new(
            SkipReason::Dependency,
            format!("in a `{}` folder", run.join("/")),
        ));
    }
    if let Some(folder) = find_folder(folders, names::BUILD_FOLDERS) {
        return Some(Skip::new(
            SkipReason::BuildOutput,
            format!("in a `{folder}` folder"),
        ));
    }
    if let Some(run) = find_run(folders, names::BUILD_FOLDER_RUNS) {
        return Some(Skip::new(
            SkipReason::BuildOutput,
            format!("in a `{}` folder", run.join("/")),
        ));
    }
    if folders.iter().any(|folder| folder.ends_with(".egg-info")) {
        return Some(Skip::new(
            SkipReason::BuildOutput,
            "in an `egg-info` folder",
        ));
    }
    if names::LOCK_FILES.contains(name) {
        return Some(Skip::bare(SkipReason::LockFile));
    }
    if ends_with_any(name, names::BUILD_ENDINGS) {
        return Some(Skip::new(SkipReason::BuildOutput, "a source map"));
    }
    if ends_with_any(name, names::MINIFIED_ENDINGS) {
        return Some(Skip::new(SkipReason::Minified, "the name says so"));
    }
    if extension(name).is_some_and(|found| names::BINARY_EXTENSIONS.contains(&found)) {
        return Some(Skip::new(SkipReason::Binary, "by its extension"));
    }
    if bytes > limits.max_read_bytes {
        return Some(too_large(bytes, limits));
    }
    None
}

/// The ledger's words for a file over the size limit.
pub(super) fn too_large(bytes: u64, limits: &PolicyLimits) -> Skip {
    Skip::new(
        SkipReason::TooLarge,
        format!("{bytes} bytes, the limit is {}", limits.max_bytes),
    )
}

fn is_secret_name(name: &str, folders: &[&str]) -> bool {
    if name.starts_with(".env.") || name.starts_with(".env-") || name.starts_with(".env_") {
        return !is_template(name);
    }
    if names::SECRET_FILES.contains(&name) {
        return true;
    }
    if name.starts_with("client_secret_") && name.ends_with(".json") {
        return true;
    }
    if extension(name).is_some_and(|found| names::SECRET_EXTENSIONS.contains(&found)) {
        let before = &name[..name.rfind('.').unwrap_or(0)];
        return !is_template(before);
    }
    folders.last().is_some_and(|folder| {
        names::SECRET_FILE_RUNS
            .iter()
            .any(|run| run == &[*folder, name])
    })
}

fn is_template(name: &str) -> bool {
    name.rsplit(['.', '-', '_'])
        .next()
        .is_some_and(|last| names::TEMPLATE_ENDINGS.contains(&last))
}

/// The last extension of a lowered file name; a leading dot starts none.
fn extension(name: &str) -> Option<&str> {
    name.rfind('.')
        .filter(|at| *at > 0)
        .map(|at| &name[at + 1..])
}

fn ends_with_any(name: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| name.ends_with(ending))
}

fn find_folder<'a>(folders: &[&'a str], table: &[&str]) -> Option<&'a str> {
    folders
        .iter()
        .copied()
        .find(|folder| table.contains(folder))
}

fn find_run(
    folders: &[&str],
    table: &'static [&'static [&'static str]],
) -> Option<&'static [&'static str]> {
    table
        .iter()
        .copied()
        .find(|run| folders.windows(run.len()).any(|window| window == *run))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(path: &str) -> Option<SkipReason> {
        let path = RepositoryPath::from_text(path);
        decide_by_path(&path, EntryMode::File, 100, &PolicyLimits::default())
            .map(|skip| skip.reason)
    }

    #[test]
    fn links_submodules_and_huge_files_are_skipped_unread() {
        let limits = PolicyLimits::default();
        let path = RepositoryPath::from_text("src/big.rs");
        for (mode, bytes, expected) in [
            (EntryMode::Symlink, 11, Some(SkipReason::Symlink)),
            (EntryMode::Submodule, 0, Some(SkipReason::Submodule)),
            (EntryMode::File, 100_000_000, Some(SkipReason::TooLarge)),
            (EntryMode::Executable, 0, None),
        ] {
            let skip = decide_by_path(&path, mode, bytes, &limits);
            assert_eq!(skip.map(|skip| skip.reason), expected, "{mode:?}");
        }
    }

    #[test]
    fn names_of_secrets_are_skipped_and_their_templates_are_not() {
        for path in [
            ".env",
            "app/.ENV",
            ".env.production",
            ".env.local",
            "deploy/prod.env",
            "keys/id_rsa",
            "tls/server.pem",
            "tls/server.key",
            "a/release.keystore",
            ".netrc",
            ".pgpass",
            "home/.aws/credentials",
            "home/.aws/config",
            "x/.kube/config",
            "infra/prod.tfvars",
            "client_secret_42.json",
            "config/secrets.yml",
        ] {
            assert_eq!(reason(path), Some(SkipReason::Secret), "{path}");
        }
        for path in [
            ".env.example",
            ".env.sample",
            ".env.template",
            "prod.env-example",
            "infra/example.tfvars",
            "src/credentials.py",
            "src/secrets.rs",
            "keys/id_rsa.pub",
            "env",
            "environment.env.ts",
            "git/config",
            "src/config.json",
        ] {
            assert_eq!(reason(path), None, "{path}");
        }
    }

    #[test]
    fn folders_are_skipped_only_where_the_name_leaves_no_doubt() {
        for (path, expected) in [
            ("web/node_modules/x/index.js", Some(SkipReason::Dependency)),
            ("vendor/github.com/a/b.go", Some(SkipReason::Dependency)),
            (
                ".venv/lib/python3.12/site-packages/a.py",
                Some(SkipReason::Dependency),
            ),
            ("a/__pycache__/b.py", Some(SkipReason::BuildOutput)),
            ("target/debug/build.rs", Some(SkipReason::BuildOutput)),
            ("web/app.js.map", Some(SkipReason::BuildOutput)),
            ("web/app.min.js", Some(SkipReason::Minified)),
            ("Cargo.lock", Some(SkipReason::LockFile)),
            ("go.sum", Some(SkipReason::LockFile)),
            ("logo.PNG", Some(SkipReason::Binary)),
            ("a/vendor/v.py", None),
            ("vendor/mylib/lib.rb", None),
            ("build/main.go", None),
            ("src/build/target.rs", None),
            ("dist/app.js", None),
            ("target/pipeline.py", None),
            (".tools/cli.py", None),
            (".gitignore", None),
            (".bin", None),
        ] {
            assert_eq!(reason(path), expected, "{path}");
        }
    }
}
