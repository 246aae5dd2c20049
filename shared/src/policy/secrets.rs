//! Secrets inside files: formats that identify themselves, never a guess by randomness.

use std::{ops::Range, sync::OnceLock};

use regex::Regex;

/// Formats whose whole match is secret, or whose group `v` is.
const TOKEN_FORMATS: &[&str] = &[
    r"gh[pousr]_[A-Za-z0-9]{36,255}",
    r"github_pat_[A-Za-z0-9_]{60,255}",
    r"glpat-[A-Za-z0-9_\-]{20,}",
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b",
    r"xox[abeoprs]-[A-Za-z0-9\-]{10,}",
    r"xapp-[0-9]-[A-Za-z0-9\-]{20,}",
    r"hooks\.slack\.com/services/T[A-Za-z0-9_]{6,}/B[A-Za-z0-9_]{6,}/[A-Za-z0-9_]{16,}",
    r"(?:sk|rk)_live_[A-Za-z0-9]{16,}",
    r"whsec_[A-Za-z0-9+/=]{32,}",
    r"AIza[A-Za-z0-9_\-]{35}",
    r"ya29\.[A-Za-z0-9_\-]{30,}",
    r"npm_[A-Za-z0-9]{36}\b",
    r"pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_\-]{50,}",
    r"SG\.[A-Za-z0-9_\-]{22}\.[A-Za-z0-9_\-]{43}",
    r"sk-ant-[A-Za-z0-9_\-]{24,}",
    r"sk-proj-[A-Za-z0-9_\-]{24,}",
    r"sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}",
    r"hf_[A-Za-z0-9]{34}\b",
    r"do[opr]_v1_[a-f0-9]{64}",
    r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
    r"eyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{16,}",
];

/// Settings whose value is secret whatever it looks like inside its fixed alphabet.
const NAMED_VALUES: &[&str] = &[
    r#"(?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY|SecretAccessKey|secretAccessKey)["']?\s*(?:=>|[:=])\s*["']?(?<v>[A-Za-z0-9/+]{40})"#,
    r"AccountKey=(?<w>[A-Za-z0-9+/]{86}==)",
    r"_authToken\s*=\s*(?<x>[A-Za-z0-9_\-]{20,})",
];

/// Fewest base64 characters that make a block a key and not a mention of one.
const KEY_BODY_CHARACTERS: usize = 40;

/// Replaces every known secret by as many `*` as it has characters, and counts the replacements.
/// Line breaks inside key blocks stay, so lines and columns do not move.
#[must_use]
pub fn mask_secrets(text: &str) -> (String, usize) {
    let mut ranges = private_key_bodies(text);
    if let Some(tokens) = tokens() {
        for found in tokens.captures_iter(text) {
            let secret = ["v", "w", "x"]
                .iter()
                .find_map(|name| found.name(name))
                .or(found.get(0));
            ranges.extend(secret.map(|secret| secret.range()));
        }
    }
    if ranges.is_empty() {
        return (text.to_owned(), 0);
    }
    ranges.sort_by_key(|range| range.start);
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    for range in &ranges {
        let start = range.start.max(at);
        if start >= range.end {
            continue;
        }
        masked.push_str(&text[at..start]);
        masked.extend(
            text[start..range.end]
                .chars()
                .map(|c| if c == '\n' || c == '\r' { c } else { '*' }),
        );
        at = range.end;
    }
    masked.push_str(&text[at..]);
    (masked, ranges.len())
}

/// Whether private keys are what the file is for: a third of it and more.
pub(super) fn is_mostly_private_key(text: &str) -> bool {
    let inside: usize = private_key_bodies(text)
        .iter()
        .map(ExactSizeIterator::len)
        .sum();
    inside > 0 && inside * 3 >= text.trim().len()
}

/// The bodies of private-key blocks, between the BEGIN and END lines. A block without an end
/// reaches to the end of the text.
fn private_key_bodies(text: &str) -> Vec<Range<usize>> {
    let mut bodies = Vec::new();
    let mut from = 0;
    while let Some(found) = memchr::memmem::find(&text.as_bytes()[from..], b"PRIVATE KEY") {
        let at = from + found;
        from = at + "PRIVATE KEY".len();
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let opens = text[line_start..at].rfind("-----BEGIN ").is_some();
        let after = text[from..].strip_prefix(" BLOCK").unwrap_or(&text[from..]);
        let Some(rest) = after.strip_prefix("-----").filter(|_| opens) else {
            continue;
        };
        let start = text.len() - rest.len();
        let end =
            memchr::memmem::find(rest.as_bytes(), b"-----END").map_or(text.len(), |at| start + at);
        let body = &text[start..end];
        let alphabet =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'+' | b'/' | b'=');
        let characters = body.bytes().filter(|byte| alphabet(&byte)).count();
        if characters >= KEY_BODY_CHARACTERS && is_key_material(body) {
            bodies.push(start..end);
            from = end;
        }
    }
    bodies
}

/// Whether some line of the body, or of a literal with `\n` in it, is a run of base64.
fn is_key_material(body: &str) -> bool {
    let mut run = 0;
    for byte in body.bytes() {
        run = if byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=') {
            run + 1
        } else {
            0
        };
        if run >= KEY_BODY_CHARACTERS {
            return true;
        }
    }
    false
}

fn tokens() -> Option<&'static Regex> {
    static TOKENS: OnceLock<Option<Regex>> = OnceLock::new();
    let build = || {
        let formats = TOKEN_FORMATS.join("|");
        let named = NAMED_VALUES.join("|");
        Regex::new(&format!(r"\b(?:{formats})|{named}")).ok()
    };
    TOKENS.get_or_init(build).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fake(prefix: &str, body: &str, times: usize) -> String {
        format!("{prefix}{}", body.repeat(times))
    }

    #[test]
    fn the_formats_compile() {
        assert!(tokens().is_some());
    }

    #[test]
    fn known_tokens_are_masked_in_place() {
        for secret in [
            fake("gh", "p_", 1) + &"0aZ9".repeat(9),
            fake("AKIA", "TEST", 4),
            fake("sk_", "live_", 1) + &"a1B2".repeat(6),
            fake("xox", "b-", 1) + "123456789012-abcdefghijkl",
            fake("AIza", "a1B2c3D", 5),
            fake("eyJ", "hbGciOiJI", 2) + ".eyJzdWIiOiIxMjM0." + &"sig_".repeat(6),
        ] {
            let text = format!("key = '{secret}'\ndef charge():\n    return 1\n");
            let (masked, count) = mask_secrets(&text);
            assert_eq!(count, 1, "{secret}");
            assert!(!masked.contains(&secret));
            assert_eq!(masked, text.replace(&secret, &"*".repeat(secret.len())));
        }
    }

    #[test]
    fn names_of_formats_and_harmless_strings_are_kept() {
        for text in [
            "let prefix = \"ghp_\"; // GitHub token\n",
            "AKIA is the prefix of access keys\n",
            "if line.contains(\"-----BEGIN RSA PRIVATE KEY-----\") { reject() }\n",
            "commit 0123456789abcdef0123456789abcdef01234567\n",
            "url = postgres://user:password@localhost/db\n",
        ] {
            assert_eq!(mask_secrets(text), (text.to_owned(), 0));
        }
    }

    #[test]
    fn a_key_inside_source_is_masked_and_keeps_its_lines() {
        let body = "QUJD".repeat(16);
        let key = format!(
            "-----BEGIN RSA PRIVATE KEY-----\n{body}\n{body}\n-----END RSA PRIVATE KEY-----"
        );
        let code = "def use_key():\n    return load(KEY)\n".repeat(30);
        let text = format!("KEY = '''{key}'''\n{code}");
        let (masked, count) = mask_secrets(&text);
        assert_eq!(count, 1);
        assert!(!masked.contains("QUJD") && masked.contains("def use_key"));
        assert_eq!(masked.lines().count(), text.lines().count());
        assert!(!is_mostly_private_key(&text));
        assert!(is_mostly_private_key(&key));
    }

    #[test]
    fn the_value_of_a_named_setting_is_masked_and_its_name_kept() {
        let text = format!("aws_secret_access_key = {}\n", "aB3/".repeat(10));
        let (masked, count) = mask_secrets(&text);
        assert_eq!(
            (masked, count),
            (format!("aws_secret_access_key = {}\n", "*".repeat(40)), 1)
        );
    }
}
