//! A bare repository whose `main` is one commit of another repository.
//!
//! It holds no objects: it borrows them (`objects/info/alternates`), so that pinning a revision
//! costs a few small files, whatever the repository's size.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};

/// Branch that is indexed.
pub const BRANCH: &str = "main";

/// Makes the repository in `place` (again, when it is there) and answers its canonical path.
///
/// # Errors
/// When `lender` is no bare repository or the files cannot be written. Whether the commit exists is
/// seen when it is read.
pub fn pin(lender: &Path, revision: &str, place: &Path) -> anyhow::Result<PathBuf> {
    let is_hex = revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    if revision.len() != 40 || !is_hex {
        bail!("`{revision}` is no commit id of 40 hexadecimal digits");
    }
    let objects = fs::canonicalize(lender.join("objects"))
        .with_context(|| format!("`{}` is no bare Git repository", lender.display()))?;
    fs::create_dir_all(place.join("objects/info"))?;
    fs::create_dir_all(place.join("refs/heads"))?;
    let files = [
        ("config", CONFIG.to_owned()),
        (
            "objects/info/alternates",
            format!("{}\n", objects.display()),
        ),
        ("refs/heads/main", format!("{revision}\n")),
        ("HEAD", "ref: refs/heads/main\n".to_owned()),
    ];
    for (name, content) in files {
        fs::write(place.join(name), content)
            .with_context(|| format!("writing `{name}` of a pinned repository"))?;
    }
    Ok(fs::canonicalize(place)?)
}

const CONFIG: &str = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_short_revision_and_a_missing_lender_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("pinned");
        let error = pin(directory.path(), "abc123", &place).unwrap_err();
        assert!(error.to_string().contains("abc123"), "{error}");
        let error = pin(directory.path(), &"a".repeat(40), &place).unwrap_err();
        assert!(
            error.to_string().contains("no bare Git repository"),
            "{error}"
        );
        assert!(!place.exists());
    }
}
