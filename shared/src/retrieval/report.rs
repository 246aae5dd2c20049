//! What a bug report holds besides the report: hints of the form it was written into, and lists of
//! installed packages. Their rare words and versions would drown the words of the problem.

use std::sync::LazyLock;

use regex::Regex;

#[allow(clippy::expect_used)]
static FORM_HINT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?s)<!--.*?-->").expect("a constant pattern compiles"));

/// `attrs 21.2.0`, `attrs==21.2.0`, `attrs: 21.2.0`, `- attrs 21.2.0`, alone on a line.
#[allow(clippy::expect_used)]
static INSTALLED_PACKAGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*([-*]\s+)?[\w.\-]+\s*(==|:|\s)\s*v?\d+(\.\w+)+\S*\s*$")
        .expect("a constant pattern compiles")
});

/// The report without them; all of it where nothing would be left.
pub(super) fn without_noise(text: &str) -> String {
    let kept = FORM_HINT
        .replace_all(text, "")
        .lines()
        .filter(|line| !INSTALLED_PACKAGE.is_match(line))
        .collect::<Vec<_>>()
        .join("\n");
    if kept.trim().is_empty() {
        text.to_owned()
    } else {
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::without_noise;

    #[test]
    fn forms_and_package_lists_are_left_out_and_the_rest_is_kept() {
        for (text, kept) in [
            ("a\n<!--\nThanks for\nreporting\n-->b", "a\nb"),
            ("a <!-- unclosed", "a <!-- unclosed"),
            ("attrs   21.2.0\ncrash in attrs", "crash in attrs"),
            ("attrs==21.2.0\nfails", "fails"),
            ("- pytest: 6.2.5\nfails", "fails"),
            ("timeout is 0.5\nx = 1.25", "timeout is 0.5\nx = 1.25"),
            ("only 1.0.0", "only 1.0.0"),
            ("", ""),
        ] {
            assert_eq!(without_noise(text), kept, "{text}");
        }
    }
}
