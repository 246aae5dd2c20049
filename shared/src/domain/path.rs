//! Paths inside a repository: Git's bytes, shown as text without loss.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A path as text that maps one to one to Git's bytes.
///
/// Valid UTF-8 is kept as it is; a byte that is not UTF-8 is written `\xE9`; a backslash that would
/// read as such an escape is written `\x5C`. So the text is stable, printable, and leads back to
/// the very bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RepositoryPath(String);

impl RepositoryPath {
    /// The text form of Git's bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let mut text = String::with_capacity(bytes.len());
        for piece in bytes.utf8_chunks() {
            push_valid(&mut text, piece.valid());
            for byte in piece.invalid() {
                text.push_str(&format!("\\x{byte:02X}"));
            }
        }
        Self(text)
    }

    /// A text form as it was received from a client or read from a row.
    #[must_use]
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Git's bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let source = self.0.as_bytes();
        let mut bytes = Vec::with_capacity(source.len());
        let mut at = 0;
        while at < source.len() {
            if let Some(byte) = escape_at(&source[at..]) {
                bytes.push(byte);
                at += 4;
            } else {
                bytes.push(source[at]);
                at += 1;
            }
        }
        bytes
    }

    /// The last component.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The last component without its last extension.
    #[must_use]
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        match name.rfind('.') {
            Some(at) if at > 0 => &name[..at],
            _ => name,
        }
    }

    /// The last extension without the dot.
    #[must_use]
    pub fn extension(&self) -> Option<&str> {
        let name = self.file_name();
        name.rfind('.')
            .filter(|at| *at > 0)
            .map(|at| &name[at + 1..])
    }
}

impl fmt::Display for RepositoryPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

fn push_valid(text: &mut String, valid: &str) {
    let bytes = valid.as_bytes();
    let mut start = 0;
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'\\' && escape_at(&bytes[at..]).is_some() {
            text.push_str(&valid[start..at]);
            text.push_str("\\x5C");
            start = at + 1;
        }
    }
    text.push_str(&valid[start..]);
}

/// The byte that an escape at the start of `bytes` stands for.
fn escape_at(bytes: &[u8]) -> Option<u8> {
    let [b'\\', b'x', high, low, ..] = bytes else {
        return None;
    };
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    };
    Some(digit(*high)? * 16 + digit(*low)?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn odd_bytes_are_escaped_and_everything_else_is_kept() {
        for (bytes, text) in [
            (&b"src/main.rs"[..], "src/main.rs"),
            (b"src/caf\xe9.py", "src/caf\\xE9.py"),
            (b"a\\b.c", "a\\b.c"),
            (b"a\\xE9.c", "a\\x5CxE9.c"),
        ] {
            assert_eq!(RepositoryPath::from_bytes(bytes).as_str(), text);
        }
    }

    proptest! {
        #[test]
        fn bytes_round_trip(bytes in proptest::collection::vec(
            prop_oneof![Just(b'\\'), Just(b'x'), Just(b'E'), Just(b'9'), any::<u8>()], 0..40,
        )) {
            prop_assert_eq!(RepositoryPath::from_bytes(&bytes).to_bytes(), bytes);
        }
    }
}
