//! Which language a file is in: by name first, by content where names are ambiguous.

use std::{collections::HashMap, sync::OnceLock};

use super::Language;
use crate::domain::RepositoryPath;

/// Lines at the start of a header in which its language shows itself. Plain inheritance or a
/// `template` may come late in a large header.
const HEADER_LINES: usize = 3_000;

/// The language of a file. Never fails: what nothing is known about is `text`.
#[must_use]
pub fn detect(path: &RepositoryPath, text: &str) -> Language {
    let name = path.file_name().to_lowercase();
    let extension = path.extension().map(str::to_lowercase).unwrap_or_default();
    if let Some(language) = by_content(&extension, text) {
        return language;
    }
    let tables = tables();
    tables
        .names
        .get(name.as_str())
        .or_else(|| tables.extensions.get(extension.as_str()))
        .copied()
        .or_else(|| by_prefix(&name))
        .or_else(|| by_interpreter(text))
        .unwrap_or(Language::TEXT)
}

struct Tables {
    names: HashMap<&'static str, Language>,
    extensions: HashMap<&'static str, Language>,
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let by = |list: fn(Language) -> &'static [&'static str]| {
            Language::all()
                .flat_map(|language| list(language).iter().map(move |name| (*name, language)))
                .collect()
        };
        Tables {
            names: by(Language::file_names),
            extensions: by(Language::extensions),
        }
    })
}

/// `Dockerfile.release`, `Makefile.am`.
fn by_prefix(name: &str) -> Option<Language> {
    let found = match name.split('.').next() {
        Some("dockerfile") => "dockerfile",
        Some("makefile") => "make",
        _ => return None,
    };
    Language::named(found)
}

/// The program named in a `#!` line.
fn by_interpreter(text: &str) -> Option<Language> {
    let line = text.lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let found = match program {
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" | "bats" => "bash",
        "python" | "pypy" => "python",
        "node" | "nodejs" | "bun" => "javascript",
        "deno" | "ts-node" | "tsx" => "typescript",
        "ruby" | "jruby" => "ruby",
        "php" => "php",
        "lua" | "luajit" => "lua",
        "elixir" => "elixir",
        "runghc" | "runhaskell" => "haskell",
        "perl" => "perl",
        "rscript" | "Rscript" => "r",
        "awk" | "gawk" => "awk",
        "make" => "make",
        "fish" => "fish",
        "swift" => "swift",
        "scala" => "scala",
        "pwsh" => "powershell",
        _ => return None,
    };
    Language::named(found)
}

/// Extensions that several languages use.
fn by_content(extension: &str, text: &str) -> Option<Language> {
    let found = match extension {
        "h" => header(text),
        "m" if !looks_like_objective_c(text) => "text",
        // Translations of Qt are XML.
        "ts" if text.trim_start().starts_with("<?xml")
            || text.trim_start().starts_with("<!DOCTYPE TS") =>
        {
            "xml"
        }
        "pl" | "t" if text.trim_start().starts_with(":-") => "text",
        "inc" if text.trim_start().starts_with("<?php") => "php",
        "" if text.trim_start().starts_with("<?php") => "php",
        "" if text.trim_start().starts_with("<?xml") => "xml",
        _ => return None,
    };
    Language::named(found)
}

/// C, C++ or Objective-C.
fn header(text: &str) -> &'static str {
    if looks_like_objective_c(text) {
        return "objective-c";
    }
    let mut in_comment = false;
    for line in text.lines().take(HEADER_LINES) {
        let line = line.trim();
        if in_comment {
            in_comment = !line.contains("*/");
            continue;
        }
        if line.starts_with("/*") {
            in_comment = !line.contains("*/");
            continue;
        }
        if line.starts_with("//") {
            continue;
        }
        let code = line.split("//").next().unwrap_or(line);
        if is_cpp_line(code) {
            return "cpp";
        }
    }
    "c"
}

/// Whether a line cannot be C. Headers for both guard their C++ by `extern "C"`, which proves
/// nothing.
fn is_cpp_line(line: &str) -> bool {
    if line.starts_with('#') {
        // Standard C++ headers have no extension.
        return line
            .strip_prefix("#include <")
            .and_then(|rest| rest.strip_suffix('>'))
            .is_some_and(|name| {
                !name.contains('.')
                    && name
                        .bytes()
                        .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            });
    }
    const STARTS: &[&str] = &[
        "template <",
        "template<",
        "class ",
        "namespace ",
        "using ",
        "public:",
        "private:",
        "protected:",
        "virtual ",
        "constexpr ",
        "friend ",
        "explicit ",
        "enum class ",
        "inline namespace ",
        "concept ",
    ];
    if STARTS.iter().any(|start| line.starts_with(start)) {
        return true;
    }
    if line.contains("std::")
        || line.contains(" operator") && line.contains('(')
        || line.contains("nullptr")
    {
        return true;
    }
    // `struct Derived : Base`, but not a bit field inside.
    (line.starts_with("struct ") || line.starts_with("union "))
        && line.split_once(':').is_some_and(|(head, tail)| {
            let tail = tail.trim_start();
            !head.contains(['{', ';', '('])
                && tail.starts_with(|c: char| c.is_alphabetic() || c == '_')
        })
}

fn looks_like_objective_c(text: &str) -> bool {
    text.lines().take(HEADER_LINES).any(|line| {
        let line = line.trim_start();
        [
            "@interface",
            "@implementation",
            "@protocol",
            "@class ",
            "@property",
            "#import ",
            "@import ",
        ]
        .iter()
        .any(|start| line.starts_with(start))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(path: &str, text: &str) -> &'static str {
        detect(&RepositoryPath::from_text(path), text).name()
    }

    #[test]
    fn the_registry_is_consistent() {
        assert_eq!(Language::named("text"), Some(Language::TEXT));
        let mut seen = std::collections::BTreeMap::new();
        for language in Language::all() {
            for extension in language.extensions() {
                assert_eq!(*extension, extension.to_lowercase());
                assert_eq!(
                    seen.insert(*extension, language.name()),
                    None,
                    "{extension}"
                );
            }
        }
    }

    #[test]
    fn headers_are_told_apart_by_content() {
        for (text, expected) in [
            (
                "struct Base {};\nstruct Derived : Base { int poke() const; };\n",
                "cpp",
            ),
            ("template <class T>\nclass RingBuffer {\n};\n", "cpp"),
            (
                "#ifndef P_H\n#define P_H\nint plain_c_fn(int restrict_me);\n#endif\n",
                "c",
            ),
            (
                "#ifdef __cplusplus\nextern \"C\" {\n#endif\nstruct flags { unsigned a : 1; };\n",
                "c",
            ),
            (
                "#import <UIKit/UIKit.h>\n@interface CustomCell : NSObject\n@end\n",
                "objective-c",
            ),
            ("/*\nclass is a word of prose here\n*/\nint f(void);\n", "c"),
            ("#include <vector>\nint f();\n", "cpp"),
            ("#include <stdint.h>\nint f();\n", "c"),
        ] {
            assert_eq!(language("inc/a.h", text), expected, "{text}");
        }
    }

    #[test]
    fn names_extensions_and_interpreters_are_known() {
        for (path, text, expected) in [
            ("src/A.RS", "", "rust"),
            ("a/Dockerfile.release", "", "dockerfile"),
            ("Makefile", "", "make"),
            ("Rakefile", "", "ruby"),
            ("bin/tool", "#!/usr/bin/env python3\n", "python"),
            (
                "bin/tool",
                "#!/usr/bin/env -S node --no-warnings\n",
                "javascript",
            ),
            ("libexec/bats", "#!/usr/bin/env bash\n", "bash"),
            ("i18n/de.ts", "<?xml version=\"1.0\"?>\n", "xml"),
            ("a/solve.m", "function y = f(x)\n", "text"),
            ("a/unknown.zzz", "x", "text"),
            ("a/.gitignore", "x", "ignore"),
            ("a/b.test.tsx", "x", "tsx"),
        ] {
            assert_eq!(language(path, text), expected, "{path}");
        }
    }
}
