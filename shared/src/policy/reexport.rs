//! Whether a file only hands on what others define.

/// Share of a doc comment that makes a thin file worth finding for its own sake, in bytes.
const DOCUMENTED_BYTES: usize = 2_000;

/// Names of files that describe a package and nothing else.
const METADATA: &[&str] = &[
    "package-info.java",
    "module-info.java",
    "setup.py",
    "package.json",
    "composer.json",
    "__about__.py",
    "_version.py",
    "version.py",
    "version.rb",
    "__version__.py",
];

/// Whether the file is package metadata, or an index file with nothing but re-exports in it.
pub(super) fn is_reexport(name: &str, text: &str) -> bool {
    if METADATA.contains(&name) || name.ends_with(".gemspec") {
        return true;
    }
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let starts: &[&str] = match (stem, extension) {
        ("__init__", "py" | "pyi") => &[
            "from ",
            "import ",
            "__all__",
            "__version__",
            "del ",
            "__path__",
        ],
        ("index", "js" | "ts" | "mjs" | "cjs" | "mts" | "cts" | "jsx" | "tsx") => &[
            "import ",
            "import{",
            "export *",
            "export {",
            "export{",
            "export type {",
            "export type *",
            "export default from",
            "module.exports = require(",
            "'use strict'",
            "\"use strict\"",
        ],
        ("mod" | "lib", "rs") => &[
            "use ",
            "pub use ",
            "mod ",
            "pub mod ",
            "pub(crate) ",
            "pub(super) ",
            "extern crate ",
        ],
        _ => return false,
    };
    only_statements(text, starts, extension == "py" || extension == "pyi")
}

fn only_statements(text: &str, starts: &[&str], is_python: bool) -> bool {
    let mut open = 0_i32;
    let mut in_comment: Option<&str> = None;
    let mut documented = 0;
    for line in text.lines() {
        let line = line.trim();
        if let Some(end) = in_comment {
            documented += line.len();
            if line.contains(end) {
                in_comment = None;
            }
            continue;
        }
        if let Some(end) = opens_comment(line, is_python) {
            documented += line.len();
            if !line[3.min(line.len())..].contains(end) {
                in_comment = Some(end);
            }
            continue;
        }
        if line.is_empty() || line.starts_with("//") || line.starts_with('#') {
            documented += line.len();
            continue;
        }
        let continues = open > 0;
        if !continues && !starts.iter().any(|start| line.starts_with(start)) {
            return false;
        }
        // A module with a body, or a definition behind a visibility, is more than a re-export.
        if !continues
            && line.starts_with("pub(")
            && !line.contains(" mod ")
            && !line.contains(" use ")
        {
            return false;
        }
        if !continues && line.contains("mod ") && line.ends_with('{') {
            return false;
        }
        for byte in line.bytes() {
            match byte {
                b'(' | b'[' | b'{' => open += 1,
                b')' | b']' | b'}' => open -= 1,
                _ => {}
            }
        }
    }
    documented < DOCUMENTED_BYTES
}

fn opens_comment(line: &str, is_python: bool) -> Option<&'static str> {
    if is_python {
        return ["\"\"\"", "'''"]
            .into_iter()
            .find(|quote| line.starts_with(*quote) || line.starts_with(&format!("r{quote}")));
    }
    line.starts_with("/*").then_some("*/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_files_are_judged_by_their_content() {
        for (name, text, expected) in [
            (
                "__init__.py",
                "\"\"\"Package.\"\"\"\nfrom .a import (\n    b,\n    c,\n)\n__all__ = [\n  'b',\n]\n",
                true,
            ),
            ("__init__.py", "", true),
            (
                "__init__.py",
                "from .a import b\n\ndef helper():\n    return b\n",
                false,
            ),
            (
                "index.ts",
                "export * from './a';\nexport {\n  b,\n} from './b';\n",
                true,
            ),
            ("index.ts", "export const answer = 42;\n", false),
            (
                "mod.rs",
                "//! Room.\n\nmod a;\npub mod b;\n\npub use a::{\n    One,\n    Two,\n};\n",
                true,
            ),
            ("lib.rs", "pub mod a;\n\npub fn run() {}\n", false),
            ("lib.rs", "mod inner {\n    fn a() {}\n}\n", false),
            ("cache.rs", "pub use a::b;\n", false),
            ("package.json", "{}", true),
        ] {
            assert_eq!(is_reexport(name, text), expected, "{name}: {text}");
        }
    }
}
