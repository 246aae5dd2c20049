//! The last guard before a text of somebody else's making is stored, shown or logged.
//!
//! Rooms keep secrets out of their messages; this removes what outside systems may have put into
//! theirs.

use std::borrow::Cow;

/// Words before which a credential follows.
const SCHEMES: [&str; 3] = ["Bearer ", "Basic ", "token="];
const HIDDEN: &str = "[hidden]";

/// The text without user names and passwords in addresses, and without credentials of headers.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut redacted = Cow::Borrowed(text);
    if text.contains("://") && text.contains('@') {
        redacted = Cow::Owned(without_user_info(text));
    }
    for scheme in SCHEMES {
        if redacted.contains(scheme) {
            redacted = Cow::Owned(without_word_after(&redacted, scheme));
        }
    }
    redacted
}

fn without_user_info(text: &str) -> String {
    let mut pieces = text.split("://");
    let mut result = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        result.push_str("://");
        let end = piece
            .find(|character: char| character.is_whitespace() || "/?#\"'`<>".contains(character))
            .unwrap_or(piece.len());
        let start = piece[..end].rfind('@').map_or(0, |at| at + 1);
        result.push_str(&piece[start..]);
    }
    result
}

fn without_word_after(text: &str, scheme: &str) -> String {
    let mut pieces = text.split(scheme);
    let mut result = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        result.push_str(scheme);
        result.push_str(HIDDEN);
        let end = piece
            .find(|character: char| character.is_whitespace() || "\"'`&,;".contains(character))
            .unwrap_or(piece.len());
        result.push_str(&piece[end..]);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn credentials_go_and_everything_else_stays() {
        for (text, expected) in [
            ("nothing to hide", "nothing to hide"),
            (
                "cannot reach https://robot:hunter2@git.example.com/a@b.git now",
                "cannot reach https://git.example.com/a@b.git now",
            ),
            (
                "'http://hunter2@a' and ssh://u:p@ss@b:22",
                "'http://a' and ssh://b:22",
            ),
            (
                "Authorization: Basic aHVudGVy, x",
                "Authorization: Basic [hidden], x",
            ),
            (
                "see https://a/?token=hunter2&x=1",
                "see https://a/?token=[hidden]&x=1",
            ),
            (
                "mail@example.com at https://a/b",
                "mail@example.com at https://a/b",
            ),
            ("ünïcode://ä@ö", "ünïcode://ö"),
        ] {
            assert_eq!(redact(text), expected);
            assert_eq!(redact(expected), expected, "again");
        }
    }
}
