//! The second gate: what the bytes decide, and the text that all later stages share.

use super::{
    PolicyLimits, Skip, TextEncoding,
    decode::{NotText, decode},
    path::too_large,
    secrets::{is_mostly_private_key, mask_secrets},
    shape::is_minified,
};
use crate::domain::{RepositoryPath, SkipReason};

/// First line of a Git LFS pointer.
const LFS_MARK: &[u8] = b"version https://git-lfs.github.com/spec/v1";
/// Pointers are three or four short lines; a larger file with this start is a document about LFS.
const LFS_POINTER_BYTES: usize = 1_024;

/// A file's text as it is stored, shown, chunked and embedded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedText {
    /// Never empty, without byte order mark. NUL is shown as `␀` (U+2400), since PostgreSQL text
    /// cannot hold it; known secrets are shown as `*`. Lines are those of the file.
    pub text: String,
    pub encoding: TextEncoding,
    /// Number of lines, as [`line_count`] counts them.
    pub lines: u32,
    /// Number of secrets that were masked.
    pub masked_secrets: usize,
}

/// Number of lines that the file endpoint shows: split at LF only; a last line without LF counts.
#[must_use]
pub fn line_count(text: &str) -> u32 {
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let open_end = !text.is_empty() && !text.ends_with('\n');
    u32::try_from(breaks + usize::from(open_end)).unwrap_or(u32::MAX)
}

/// Decodes a file and masks its secrets, or says why it is not indexed.
///
/// # Errors
///
/// The ledger's reason: `empty`, `lfs_pointer`, `binary`, `encoding`, `secret`, `minified`,
/// `too_large`, `too_many_lines`.
pub fn decide_by_content(
    path: &RepositoryPath,
    bytes: &[u8],
    limits: &PolicyLimits,
) -> Result<DecodedText, Skip> {
    if bytes.len() < LFS_POINTER_BYTES && bytes.starts_with(LFS_MARK) {
        return Err(Skip::bare(SkipReason::LfsPointer));
    }
    let size = bytes.len() as u64;
    let (text, encoding) = decode(bytes).map_err(|cause| match cause {
        NotText::Binary => Skip::new(SkipReason::Binary, "by its content"),
        NotText::Encoding => Skip::new(
            SkipReason::Encoding,
            "no UTF-8, and no certain other encoding",
        ),
    })?;
    if text.trim().is_empty() {
        return Err(Skip::bare(SkipReason::Empty));
    }
    if is_mostly_private_key(&text) {
        return Err(Skip::new(SkipReason::Secret, "holds a private key"));
    }
    if is_minified(path.extension(), &text) {
        return Err(Skip::new(
            SkipReason::Minified,
            "most of it is on long dense lines",
        ));
    }
    if size > limits.max_bytes {
        return Err(too_large(size, limits));
    }
    let lines = line_count(&text);
    if lines > limits.max_lines {
        let detail = format!("{lines} lines, the limit is {}", limits.max_lines);
        return Err(Skip::new(SkipReason::TooManyLines, detail));
    }
    let (text, masked_secrets) = mask_secrets(&text);
    let text = if text.contains('\0') {
        text.replace('\0', "\u{2400}")
    } else {
        text
    };
    Ok(DecodedText {
        text,
        encoding,
        lines,
        masked_secrets,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn decide(path: &str, bytes: &[u8]) -> Result<DecodedText, SkipReason> {
        let path = RepositoryPath::from_text(path);
        decide_by_content(&path, bytes, &PolicyLimits::default()).map_err(|skip| skip.reason)
    }

    #[test]
    fn every_refusal_has_its_reason() {
        let pointer = format!(
            "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 7\n",
            "ab".repeat(32)
        );
        let bundle: String = (0..42_000)
            .map(|i| format!("function m{i}(a){{return a+{i}}};"))
            .collect();
        let key = format!(
            "-----BEGIN OPENSSH PRIVATE KEY-----\n{}\n-----END OPENSSH PRIVATE KEY-----\n",
            "QUJD".repeat(40)
        );
        let long = "x = 1\n".repeat(200_000);
        let tall = "\n".repeat(60_000) + "x";
        for (path, bytes, expected) in [
            ("src/empty.py", &b""[..], SkipReason::Empty),
            ("src/blank.py", b"\n\n\n\n", SkipReason::Empty),
            ("src/spaces.txt", b"   \n\t\n", SkipReason::Empty),
            ("model.bin.py", pointer.as_bytes(), SkipReason::LfsPointer),
            ("dist/app.js", bundle.as_bytes(), SkipReason::Minified),
            ("a/deploy_key", key.as_bytes(), SkipReason::Secret),
            ("a/long.py", long.as_bytes(), SkipReason::TooLarge),
            ("a/tall.py", tall.as_bytes(), SkipReason::TooManyLines),
            (
                "fake.pdf.txt",
                &b"%PDF-1.7\n\x00\x01\x02"[..],
                SkipReason::Binary,
            ),
        ] {
            assert_eq!(decide(path, bytes).unwrap_err(), expected, "{path}");
        }
    }

    #[test]
    fn a_nul_inside_source_is_shown_and_moves_no_line() {
        let decoded = decide(
            "a.js",
            b"export const SEP = '\x00';\nexport function after() {}\n",
        )
        .unwrap();
        assert_eq!(
            decoded.text,
            "export const SEP = '\u{2400}';\nexport function after() {}\n"
        );
        assert_eq!(decoded.lines, 2);
    }

    #[test]
    fn a_token_never_reaches_the_text() {
        let token = format!("gh{}{}", "p_", "0aZ9".repeat(9));
        let source = format!("API = '{token}'\ndef charge_card():\n    return API\n");
        let decoded = decide("src/pay.py", source.as_bytes()).unwrap();
        assert_eq!(decoded.masked_secrets, 1);
        assert!(!decoded.text.contains(&token) && decoded.text.contains("def charge_card"));
        assert_eq!(decoded.lines, 3);
    }

    #[test]
    fn lines_end_at_line_feeds_only() {
        for (text, expected) in [
            ("", 0),
            ("a", 1),
            ("a\n", 1),
            ("a\nb", 2),
            ("a\r\nb\r\n", 2),
            ("a\rb\u{2028}c\n", 1),
        ] {
            assert_eq!(line_count(text), expected, "{text:?}");
        }
    }
}
