//! Whether a text is written for machines: minified, or data on endless lines.

/// A line longer than this is not written by hand.
const LONG_LINE_BYTES: usize = 2_000;
/// Mean length of the lines of a bundle that was wrapped to please a tool.
const WRAPPED_MEAN_BYTES: usize = 300;

/// Extensions of prose, whose paragraphs are often one line each.
const PROSE: &[&str] = &[
    "md", "mdx", "markdown", "rst", "txt", "adoc", "tex", "org", "ipynb",
];
/// Extensions of what minifiers write.
const MINIFIABLE: &[&str] = &["js", "mjs", "cjs", "css", "html", "htm"];

/// Whether the text is minified: most of it lies on long lines that are dense with separators.
///
/// A long line without separators (a base64 literal, a wall of brackets) does not count, so that a
/// file with good lines beside one giant literal stays searchable.
pub(super) fn is_minified(extension: Option<&str>, text: &str) -> bool {
    let extension = extension.unwrap_or_default().to_ascii_lowercase();
    if PROSE.contains(&extension.as_str()) {
        return false;
    }
    let mut lines = 0_usize;
    let mut long = 0_usize;
    let mut separators = 0_usize;
    for line in text.as_bytes().split(|byte| *byte == b'\n') {
        lines += usize::from(!line.is_empty());
        if line.len() > LONG_LINE_BYTES {
            long += line.len();
            separators += count_separators(line);
        }
    }
    if long * 5 >= text.len() * 4 && separators * 30 >= long && long > 0 {
        return true;
    }
    MINIFIABLE.contains(&extension.as_str())
        && text.len() > WRAPPED_MEAN_BYTES * 4
        && text.len() / lines.max(1) > WRAPPED_MEAN_BYTES
        && count_separators(text.as_bytes()) * 20 >= text.len()
}

fn count_separators(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .filter(|byte| matches!(**byte, b';' | b',' | b'{' | b'}' | b'='))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundles_are_minified_and_files_with_a_giant_literal_are_not() {
        let bundle: String = (0..400)
            .map(|i| format!("function m{i}(a){{return a+{i}}};"))
            .collect();
        let mixed = format!(
            "// hand written\nfunction good(){{return 1}}\nvar d='{}';\n",
            "Zq9+".repeat(60_000)
        );
        let deep = format!(
            "{}1{};\nfunction after(){{}}\n",
            "f(".repeat(10_000),
            ")".repeat(10_000)
        );
        let licensed = format!("/*!\n * Library\n * MIT\n */\n{bundle}\n");
        let wrapped: String = (0..40)
            .map(|i| format!("{}\n", format!("a{i}={i},b[{i}]={{c:{i}}};").repeat(30)))
            .collect();
        let source = "fn main() {\n    call(1, 2);\n}\n".repeat(200);
        for (text, expected) in [
            (&bundle, true),
            (&licensed, true),
            (&wrapped, true),
            (&mixed, false),
            (&deep, false),
            (&source, false),
        ] {
            assert_eq!(is_minified(Some("js"), text), expected, "{}", &text[..30]);
        }
        assert!(!is_minified(
            Some("md"),
            &format!("{}\n", "one, two, three, four; ".repeat(300))
        ));
    }
}
