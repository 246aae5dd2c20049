//! A guard before parsing: nesting so deep that no person wrote it.
//!
//! Grammars carry scanners in C, and some of them recurse; a stack overflow there cannot be caught.
//! Counting brackets in one pass over the bytes is cheap and errs to the safe side: brackets inside
//! strings count too, so a file with a thousand unmatched `(` in strings is cut into windows.

/// Whether brackets or comments are nested deeper than `limit`.
pub(super) fn is_too_deep(text: &str, limit: usize, nests_comments: bool) -> bool {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut comments = 0_usize;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'/' | b'*' if nests_comments => {
                // The second byte of a mark does not start another one.
                match (byte, bytes.get(at)) {
                    (b'/', Some(b'*')) => comments += 1,
                    (b'*', Some(b'/')) => comments = comments.saturating_sub(1),
                    _ => continue,
                }
                at += 1;
            }
            _ => continue,
        }
        if depth > limit || comments > limit {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_what_counts_and_not_number() {
        assert!(is_too_deep(&"(".repeat(2_000), 1_000, false));
        assert!(is_too_deep(&"/*".repeat(2_000), 1_000, true));
        assert!(is_too_deep(&"{-".repeat(2_000), 1_000, false));
        assert!(!is_too_deep(&"f(x); ".repeat(2_000), 1_000, false));
        assert!(!is_too_deep(&"/* a */ ".repeat(2_000), 1_000, true));
        assert!(!is_too_deep(&"{- a -} ".repeat(2_000), 1_000, false));
    }
}
