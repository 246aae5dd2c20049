//! What role a file plays. Ranking multiplies by it, so a wrong demotion hides an answer: names that
//! products use for their own features (`testing.py`, `lib/plug/test.ex`) are left alone.

use super::{names, reexport::is_reexport};
use crate::domain::{FileClass, RepositoryPath};

/// Bytes at the start of a file in which a mark of generation counts.
const GENERATED_HEAD_BYTES: usize = 1_024;

/// The role of a file, by its path and, for generated and re-exporting files, its text.
#[must_use]
pub fn classify(path: &RepositoryPath, text: &str) -> FileClass {
    let lowered = path.as_str().to_lowercase();
    let components: Vec<&str> = lowered.split('/').collect();
    let Some((name, folders)) = components.split_last() else {
        return FileClass::Source;
    };
    let (stem, extension) = match name.rfind('.') {
        Some(at) if at > 0 => (&name[..at], &name[at + 1..]),
        _ => (*name, ""),
    };
    let in_any = |table: &[&str]| folders.iter().any(|folder| table.contains(folder));
    if in_any(names::VENDORED_FOLDERS) || is_generated(name, folders, text) {
        return FileClass::Generated;
    }
    if in_test_folder(folders, extension)
        || is_test_name(path, stem, extension)
        || (folders.contains(&"testing") && holds_tests(extension, text))
    {
        return FileClass::Test;
    }
    if in_any(names::LEGACY_FOLDERS) || matches!(stem, "compat" | "_compat" | "legacy" | "_legacy")
    {
        return FileClass::Legacy;
    }
    if in_example_folder(folders) {
        return FileClass::Example;
    }
    if extension == "pyi"
        || [".d.ts", ".d.mts", ".d.cts"]
            .iter()
            .any(|end| name.ends_with(end))
    {
        return FileClass::Declaration;
    }
    if is_documentation(name, folders) {
        return FileClass::Documentation;
    }
    if is_reexport(name, text) {
        return FileClass::Reexport;
    }
    if in_any(names::SUPPORT_FOLDERS) || names::DATA_EXTENSIONS.contains(&extension) {
        return FileClass::Support;
    }
    FileClass::Source
}

/// Prose. A question resembles what is written about the code more than the code itself, so that
/// prose would stand first nearly everywhere.
fn is_documentation(name: &str, folders: &[&str]) -> bool {
    let name = name.strip_suffix(".in").unwrap_or(name);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let in_manual = || {
        folders
            .iter()
            .any(|folder| names::MANUAL_FOLDERS.contains(folder))
    };
    match extension {
        "" => names::PROSE_NAMES.contains(&stem),
        // `CMakeLists.txt`, `requirements.txt`: programs read them.
        "txt" => !(stem == "cmakelists" || stem.contains("requirements")),
        "html" | "htm" => in_manual(),
        _ => names::PROSE_EXTENSIONS.contains(&extension) || is_manual_section(extension),
    }
}

/// `1` of `git.1`, `3p` of `open.3p`.
fn is_manual_section(extension: &str) -> bool {
    let mut characters = extension.chars();
    characters
        .next()
        .is_some_and(|first| matches!(first, '1'..='9'))
        && characters
            .next()
            .is_none_or(|second| second.is_ascii_lowercase())
        && characters.next().is_none()
}

fn in_test_folder(folders: &[&str], extension: &str) -> bool {
    let data = matches!(
        extension,
        "md" | "yaml" | "yml" | "json" | "txt" | "proto" | "html"
    );
    folders.iter().enumerate().any(|(at, folder)| {
        if folder.ends_with(".tests") || folder.ends_with(".unittests") || folder.ends_with(".test")
        {
            return true;
        }
        if !names::TEST_FOLDERS.contains(folder) {
            return false;
        }
        // `spec/openapi.yaml` is a specification.
        if data && folder.starts_with("spec") {
            return false;
        }
        // Elixir and Ruby keep products in `lib`, tests beside it.
        !(matches!(extension, "ex" | "rb") && folders[..at].contains(&"lib"))
    })
}

/// Whether a file in a folder that may be either holds tests, not means for testing.
fn holds_tests(extension: &str, text: &str) -> bool {
    extension == "py"
        && text
            .lines()
            .any(|line| line.trim_start().starts_with("def test_"))
}

fn in_example_folder(folders: &[&str]) -> bool {
    folders.iter().enumerate().any(|(at, folder)| {
        // `com/example` is a Java package, often of a real product.
        let is_package = at > 0 && matches!(folders[at - 1], "com" | "org" | "net" | "io");
        names::EXAMPLE_FOLDERS.contains(folder) && !is_package
    })
}

fn is_test_name(path: &RepositoryPath, stem: &str, extension: &str) -> bool {
    match extension {
        "py" => {
            stem.starts_with("test_")
                || stem.ends_with("_test")
                || matches!(stem, "conftest" | "tests")
        }
        "go" => stem.ends_with("_test"),
        "rs" => {
            matches!(stem, "tests" | "test") || stem.ends_with("_tests") || stem.ends_with("_test")
        }
        "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts" | "vue" => {
            [".test", ".spec", ".e2e", ".cy", "-test", "_test", ".test-d"]
                .iter()
                .any(|end| stem.ends_with(end))
        }
        "rb" => stem.ends_with("_test") || stem.ends_with("_spec") || stem.starts_with("test_"),
        "exs" => stem.ends_with("_test") || stem == "test_helper",
        "lua" => stem.ends_with("_spec") || stem.ends_with("_test"),
        "bats" => true,
        "c" | "cc" | "cpp" | "cxx" | "h" | "hpp" | "m" | "mm" => {
            stem.ends_with("_test") || stem.ends_with("_tests") || stem.ends_with("_unittest")
        }
        "java" | "kt" | "kts" | "cs" | "swift" | "scala" | "php" | "groovy" | "hs" | "dart" => {
            has_test_suffix(path.stem())
        }
        _ => false,
    }
}

/// `UserServiceTest`, `ParserSpec`, but not `Contest` and not `Test` alone.
fn has_test_suffix(stem: &str) -> bool {
    ["Test", "Tests", "TestCase", "Spec", "Suite", "_test", "IT"]
        .iter()
        .any(|suffix| {
            stem.strip_suffix(suffix)
                .and_then(|before| before.chars().next_back())
                .is_some_and(|last| last.is_lowercase() || last.is_ascii_digit())
        })
}

fn is_generated(name: &str, folders: &[&str], text: &str) -> bool {
    if folders
        .iter()
        .any(|folder| matches!(*folder, "dist" | "generated" | "__generated__" | "gen-src"))
    {
        return true;
    }
    let by_name = [
        ".pb.go",
        ".pb.cc",
        ".pb.h",
        "_pb2.py",
        "_pb2_grpc.py",
        "_pb.js",
        "_pb.d.ts",
        ".g.dart",
        ".freezed.dart",
        ".designer.cs",
        ".g.cs",
        ".g4.java",
        ".generated.ts",
        ".gen.go",
        ".gen.ts",
    ];
    if by_name.iter().any(|end| name.ends_with(end)) {
        return true;
    }
    let head = text.floor_char_boundary(GENERATED_HEAD_BYTES);
    text[..head].lines().take(20).any(is_generated_mark)
}

/// A comment line that says the file is written by a program.
fn is_generated_mark(line: &str) -> bool {
    let line = line.trim_start();
    if !["//", "/*", "*", "#", "--", "<!--", ";", "%", "\"\"\""]
        .iter()
        .any(|mark| line.starts_with(mark))
    {
        return false;
    }
    let lowered = line.to_lowercase();
    lowered.contains("@generated")
        || lowered.contains("<auto-generated")
        || lowered.contains("do not edit")
            && (lowered.contains("generated") || lowered.contains("automatic"))
        || lowered.contains("code generated by")
        || lowered.contains("this file is automatically generated")
        || lowered.contains("this file was automatically generated")
        || lowered.contains("this file is auto-generated")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(path: &str) -> FileClass {
        classify(&RepositoryPath::from_text(path), "x = 1\n")
    }

    #[test]
    fn product_code_with_a_misleading_name_stays_source() {
        for path in [
            "src/_pytest/python.py",
            "src/flask/testing.py",
            "fastapi/testclient.py",
            "Source/Core/Session.swift",
            "lib/bats-core/test_functions.bash",
            "libexec/bats-core/bats-exec-test",
            "lib/plug/test.ex",
            "lib/plug/adapters/test/conn.ex",
            "kotlinx-coroutines-test/common/src/TestScope.kt",
            "src/Contest.java",
            "src/latest.go",
            "src/inspector.rs",
            "com/example/shop/Cart.java",
            "src/manifest.py",
            "lib/specification.rb",
            "build/main.go",
        ] {
            assert_eq!(class(path), FileClass::Source, "{path}");
        }
    }

    #[test]
    fn roles_are_told_apart() {
        for (path, expected) in [
            ("tests/test_api.py", FileClass::Test),
            ("pkg/router_test.go", FileClass::Test),
            ("src/app.spec.ts", FileClass::Test),
            ("gson/src/test/java/com/A.java", FileClass::Test),
            ("src/UserServiceTest.java", FileClass::Test),
            ("tests/Dapper.Tests/Async.cs", FileClass::Test),
            ("Tests/SessionTests.swift", FileClass::Test),
            ("conftest.py", FileClass::Test),
            ("examples/chat/main.rs", FileClass::Example),
            ("docs_src/body/tutorial001.py", FileClass::Example),
            ("fastapi/_compat/v2.py", FileClass::Legacy),
            ("src/requests/compat.py", FileClass::Legacy),
            ("types/index.d.ts", FileClass::Declaration),
            ("stubs/a.pyi", FileClass::Declaration),
            ("README.md", FileClass::Documentation),
            ("CHANGES", FileClass::Documentation),
            ("man/xmonad.1", FileClass::Documentation),
            ("man/xmonad.1.markdown.in", FileClass::Documentation),
            ("man/xmonad.1.html", FileClass::Documentation),
            ("templates/index.html", FileClass::Source),
            ("docs/conf.py", FileClass::Support),
            ("requirements.txt", FileClass::Source),
            ("CMakeLists.txt", FileClass::Source),
            ("deploy/values.yaml", FileClass::Support),
            ("src/testing/runner.go", FileClass::Support),
            ("axum/src/test_helpers/client.rs", FileClass::Support),
            ("scripts/release.sh", FileClass::Support),
            ("spec/openapi.yaml", FileClass::Support),
            ("testing/runner.py", FileClass::Support),
            ("a/vendor/v.py", FileClass::Generated),
            ("third_party/zlib/inflate.c", FileClass::Generated),
            ("api/user.pb.go", FileClass::Generated),
            ("setup.py", FileClass::Reexport),
        ] {
            assert_eq!(class(path), expected, "{path}");
        }
    }

    #[test]
    fn a_testing_folder_holds_tests_or_means_for_testing() {
        let path = RepositoryPath::from_text("testing/python/raises.py");
        let tests = "class TestRaises:\n    def test_raises(self):\n        pass\n";
        assert_eq!(classify(&path, tests), FileClass::Test);
        let means = "def make_request():\n    return Request()\n";
        assert_eq!(classify(&path, means), FileClass::Support);
    }

    #[test]
    fn marks_of_generation_count_only_in_comments_at_the_start() {
        let path = RepositoryPath::from_text("api/client.go");
        let marked = "// Code generated by protoc. DO NOT EDIT.\npackage api\n";
        assert_eq!(classify(&path, marked), FileClass::Generated);
        let mentions = "package api\n\nconst mark = \"@generated\"\n";
        assert_eq!(classify(&path, mentions), FileClass::Source);
        let late = format!("{}// @generated\n", "x := 1\n".repeat(400));
        assert_eq!(classify(&path, &late), FileClass::Source);
    }
}
