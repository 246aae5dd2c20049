//! The path filter, the same for every kind of search.

use globset::{GlobBuilder, GlobMatcher};

use super::RetrievalError;

/// What a path must look like.
#[derive(Debug, Clone)]
pub(crate) enum PathPattern {
    Glob(GlobMatcher),
    /// Lower case.
    Part(String),
}

const MOST_CHARACTERS: usize = 1_000;

impl PathPattern {
    /// A pattern with wildcards is a glob, `*` within a folder and `**` across, and one without a
    /// slash means a name in any folder. Anything else is a part of the path in any letter case.
    ///
    /// # Errors
    /// [`RetrievalError::InvalidGlob`].
    pub(crate) fn new(pattern: &str) -> Result<Self, RetrievalError> {
        let invalid = || RetrievalError::InvalidGlob(pattern.chars().take(100).collect());
        if pattern.chars().nth(MOST_CHARACTERS).is_some() {
            return Err(invalid());
        }
        if !pattern.contains(['*', '?', '[', '{']) {
            return Ok(Self::Part(pattern.to_lowercase()));
        }
        let anywhere = if pattern.contains('/') {
            pattern.to_owned()
        } else {
            format!("**/{pattern}")
        };
        GlobBuilder::new(&anywhere)
            .literal_separator(true)
            .build()
            .map(|glob| Self::Glob(glob.compile_matcher()))
            .map_err(|_| invalid())
    }

    pub(crate) fn matches(&self, path: &str) -> bool {
        match self {
            Self::Glob(glob) => glob.is_match(path),
            Self::Part(part) => path.to_lowercase().contains(part),
        }
    }
}
