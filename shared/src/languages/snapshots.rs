//! What each table finds in a small sample of its language, as reviewed snapshots.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fmt::Write as _;

use super::*;
use crate::domain::RepositoryPath;

fn describe(path: &str, text: &str) -> String {
    let path = RepositoryPath::from_text(path);
    let language = detect(&path, text);
    let parsed = parse(
        &ParseInput {
            path: &path,
            text,
            language,
        },
        &ParseLimits::default(),
    );
    let mut out = format!("{} {:?}\n", parsed.language, parsed.degraded);
    for chunk in &parsed.chunks {
        let (start, end) = (chunk.span.start, chunk.span.end);
        let kind = chunk.kind.as_str();
        writeln!(out, "\nchunk {start}-{end} {kind} {:?}", chunk.symbol).unwrap();
        writeln!(out, "  defines {}", chunk.defines.join(", ")).unwrap();
        writeln!(out, "  comments {:?}", chunk.comments).unwrap();
    }
    out.push('\n');
    for symbol in &parsed.symbols {
        let (start, end, line) = (symbol.span.start, symbol.span.end, symbol.name_line);
        let (kind, name) = (symbol.kind.as_str(), &symbol.qualified_name);
        writeln!(
            out,
            "{kind} {name} {start}-{end} @{line}: {}",
            symbol.signature
        )
        .unwrap();
    }
    out.push('\n');
    for import in &parsed.imports {
        writeln!(out, "import {} @{}", import.source, import.line).unwrap();
    }
    out
}

macro_rules! samples {
    ($($name:ident: $path:literal as $shown:literal),* $(,)?) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), describe($shown, include_str!($path)));
        }
    )*};
}

samples! {
    rust: "rust/sample.rs.txt" as "src/cache.rs",
    python: "python/sample.py" as "src/cache.py",
    javascript: "javascript/sample.js" as "lib/response.js",
    typescript: "javascript/sample.ts" as "src/service.ts",
    tsx: "javascript/sample.tsx" as "src/card.tsx",
    go: "go/sample.go" as "gin.go",
    java: "java/sample.java" as "src/Cache.java",
    c: "c/sample.c" as "src/loop.c",
    cpp: "cpp/sample.cpp" as "src/buffer.cpp",
    csharp: "csharp/sample.cs" as "src/Mapper.cs",
    kotlin: "kotlin/sample.kt" as "src/Cache.kt",
    ruby: "ruby/sample.rb" as "lib/builder.rb",
    php: "php/sample.php" as "src/Handler.php",
    bash: "bash/sample.sh" as "lib/run.sh",
    lua: "lua/sample.lua" as "lua/init.lua",
    elixir: "elixir/sample.ex" as "lib/conn.ex",
    zig: "zig/sample.zig" as "src/list.zig",
    scala: "scala/sample.scala" as "src/Chain.scala",
    haskell: "haskell/sample.hs" as "src/Core.hs",
    swift: "swift/sample.swift" as "Source/Session.swift",
}
