//! Parts of a bug report: where it failed; and what it holds besides the report, hints of the form it
//! was written into and lists of installed packages, whose rare words and versions would drown the
//! words of the problem.

use std::sync::LazyLock;

use regex::Regex;

use super::understand::MOST_NAMES;

#[allow(clippy::expect_used)]
static FORM_HINT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?s)<!--.*?-->").expect("a constant pattern compiles"));

/// `attrs 21.2.0`, `attrs==21.2.0`, `attrs: 21.2.0`, `- attrs 21.2.0`, alone on a line.
#[allow(clippy::expect_used)]
static INSTALLED_PACKAGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*([-*]\s+)?[\w.\-]+\s*(==|:|\s)\s*v?\d+(\.\w+)+\S*\s*$")
        .expect("a constant pattern compiles")
});

#[allow(clippy::expect_used)]
static PATH_WITH_LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"([\w@+\-./]*[\w@+\-]\.[a-z]{1,5})(?:"?, line |:line |:|\()[0-9]+"#)
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

/// Paths with line numbers, as in a traceback, the place of the failure first: most languages
/// print the failing call first, Python prints it last.
pub(super) fn frames(text: &str) -> Vec<String> {
    let mut frames: Vec<String> = PATH_WITH_LINE
        .captures_iter(text)
        .filter_map(|found| found.get(1))
        .map(|found| found.as_str().trim_start_matches("./").to_owned())
        .collect();
    if frames.last().is_some_and(|path| path.ends_with(".py")) {
        frames.reverse();
    }
    frames.truncate(MOST_NAMES);
    frames
}

#[cfg(test)]
mod tests {
    use super::{frames, without_noise};

    #[test]
    fn the_place_of_the_failure_is_the_first_frame() {
        for (text, first) in [
            (
                "it fails\n  File \"/lib/pkg/a.py\", line 3, in f\n  File \"/lib/pkg/b.py\", line 9\n",
                "/lib/pkg/b.py",
            ),
            ("it fails\npkg/a.py:3: in f\npkg/b.py:9: Error", "pkg/b.py"),
            ("panicked at src/a.rs:3:5\n  at src/main.rs:9", "src/a.rs"),
            (
                "oops\n\tat org.x.A.f(A.java:3)\n\tat org.x.B.g(B.java:9)",
                "A.java",
            ),
        ] {
            assert_eq!(frames(text).first().map(String::as_str), Some(first));
        }
        assert!(frames("see a.py and b.py\nfor more").is_empty());
    }

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
