//! The list of languages. Adding one is a folder with its table and one line here.

use std::fmt;

use super::{
    bash, c, cpp, csharp, elixir, go, grammar::Grammar, haskell, java, javascript, kotlin, lua,
    php, python, ruby, rust, scala, swift, zig,
};

/// A language that the product knows by name. Compared by that name.
#[derive(Clone, Copy)]
pub struct Language(&'static Entry);

impl Language {
    /// Name as in the ledger and in filters: `rust`, `csharp`, `text`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// What a file is of which nothing is known: plain text.
    pub const TEXT: Self = Self(&TEXT);

    /// The language of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|language| language.name() == name)
    }

    /// Every language, those with a grammar first.
    pub fn all() -> impl Iterator<Item = Self> {
        REGISTRY.iter().chain([&TEXT]).map(Self)
    }

    /// Whether files are cut along syntax.
    #[must_use]
    pub const fn has_grammar(self) -> bool {
        matches!(self.0.reader, Reader::Syntax(_))
    }

    pub(super) const fn reader(self) -> Reader {
        self.0.reader
    }

    pub(super) const fn extensions(self) -> &'static [&'static str] {
        self.0.extensions
    }

    pub(super) const fn file_names(self) -> &'static [&'static str] {
        self.0.file_names
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Language {}

impl fmt::Debug for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Language({})", self.0.name)
    }
}

/// How files of a language are cut.
#[derive(Clone, Copy)]
pub(super) enum Reader {
    Syntax(&'static Grammar),
    Markdown,
    /// Headings of reStructuredText and AsciiDoc.
    Headings,
    /// Code without a grammar: windows, and symbols by their keywords.
    Keywords,
    /// Windows only.
    Windows,
}

struct Entry {
    name: &'static str,
    reader: Reader,
    /// Lower case, without the dot.
    extensions: &'static [&'static str],
    /// Lower case.
    file_names: &'static [&'static str],
}

const fn entry(
    name: &'static str,
    reader: Reader,
    extensions: &'static [&'static str],
    file_names: &'static [&'static str],
) -> Entry {
    Entry {
        name,
        reader,
        extensions,
        file_names,
    }
}

use Reader::{Headings, Keywords, Markdown, Syntax, Windows};

#[rustfmt::skip]
static REGISTRY: &[Entry] = &[
    entry("rust", Syntax(&rust::GRAMMAR), &["rs"], &[]),
    entry("python", Syntax(&python::GRAMMAR), &["py", "pyi", "pyw", "pyx", "pxd", "bzl", "star"], &["build", "build.bazel", "workspace", "sconstruct", "sconscript", "wscript"]),
    entry("javascript", Syntax(&javascript::JAVASCRIPT), &["js", "jsx", "mjs", "cjs", "es6"], &["jakefile"]),
    entry("typescript", Syntax(&javascript::TYPESCRIPT), &["ts", "mts", "cts"], &[]),
    entry("tsx", Syntax(&javascript::TSX), &["tsx"], &[]),
    entry("go", Syntax(&go::GRAMMAR), &["go"], &[]),
    entry("java", Syntax(&java::GRAMMAR), &["java"], &[]),
    entry("c", Syntax(&c::GRAMMAR), &["c", "h"], &[]),
    entry("cpp", Syntax(&cpp::GRAMMAR), &["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "tpp", "inl", "ixx", "cppm", "cu", "cuh", "ino"], &[]),
    entry("csharp", Syntax(&csharp::GRAMMAR), &["cs", "csx"], &[]),
    entry("kotlin", Syntax(&kotlin::GRAMMAR), &["kt", "kts"], &[]),
    entry("ruby", Syntax(&ruby::GRAMMAR), &["rb", "rake", "gemspec", "ru", "podspec", "jbuilder"], &["rakefile", "gemfile", "guardfile", "capfile", "vagrantfile", "podfile", "fastfile", "brewfile", "dangerfile"]),
    entry("php", Syntax(&php::GRAMMAR), &["php", "phtml", "php5", "php7", "phps"], &[]),
    entry("bash", Syntax(&bash::GRAMMAR), &["sh", "bash", "zsh", "ksh", "bats", "ebuild"], &[".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".zshenv", "pkgbuild"]),
    entry("lua", Syntax(&lua::GRAMMAR), &["lua", "rockspec", "luau"], &[]),
    entry("elixir", Syntax(&elixir::GRAMMAR), &["ex", "exs"], &[]),
    entry("zig", Syntax(&zig::GRAMMAR), &["zig", "zon"], &[]),
    entry("scala", Syntax(&scala::GRAMMAR), &["scala", "sc", "sbt"], &[]),
    entry("haskell", Syntax(&haskell::GRAMMAR), &["hs", "hsc"], &[]),
    entry("swift", Syntax(&swift::GRAMMAR), &["swift"], &[]),
    entry("markdown", Markdown, &["md", "mdx", "markdown", "mdown", "mkd", "qmd", "rmd"], &[]),
    entry("restructuredtext", Headings, &["rst"], &[]),
    entry("asciidoc", Headings, &["adoc", "asciidoc"], &[]),
    entry("objective-c", Keywords, &["m"], &[]),
    entry("objective-cpp", Keywords, &["mm"], &[]),
    entry("sql", Keywords, &["sql", "psql", "pgsql", "ddl"], &[]),
    entry("protobuf", Keywords, &["proto"], &[]),
    entry("graphql", Keywords, &["graphql", "gql", "graphqls"], &[]),
    entry("thrift", Keywords, &["thrift"], &[]),
    entry("dart", Keywords, &["dart"], &[]),
    entry("groovy", Keywords, &["groovy", "gradle"], &["jenkinsfile"]),
    entry("perl", Keywords, &["pl", "pm", "t"], &[]),
    entry("r", Keywords, &["r"], &[]),
    entry("julia", Keywords, &["jl"], &[]),
    entry("ocaml", Keywords, &["ml", "mli"], &[]),
    entry("fsharp", Keywords, &["fs", "fsi", "fsx"], &[]),
    entry("clojure", Keywords, &["clj", "cljs", "cljc", "edn"], &[]),
    entry("erlang", Keywords, &["erl", "hrl"], &["rebar.config"]),
    entry("lisp", Keywords, &["lisp", "el", "cl", "scm", "ss", "rkt"], &[]),
    entry("powershell", Keywords, &["ps1", "psm1", "psd1"], &[]),
    entry("visual-basic", Keywords, &["vb", "vbs", "bas"], &[]),
    entry("nim", Keywords, &["nim"], &[]),
    entry("crystal", Keywords, &["cr"], &[]),
    entry("d", Keywords, &["d"], &[]),
    entry("solidity", Keywords, &["sol"], &[]),
    entry("vue", Keywords, &["vue"], &[]),
    entry("svelte", Keywords, &["svelte"], &[]),
    entry("vim", Keywords, &["vim"], &[".vimrc"]),
    entry("fortran", Keywords, &["f", "f90", "f95", "for"], &[]),
    entry("pascal", Keywords, &["pas", "dpr"], &[]),
    entry("cmake", Keywords, &["cmake"], &["cmakelists.txt"]),
    entry("glsl", Keywords, &["glsl", "vert", "frag", "comp", "hlsl", "wgsl", "metal"], &[]),
    entry("assembly", Windows, &["s", "asm"], &[]),
    entry("hcl", Windows, &["tf", "hcl", "nomad"], &[]),
    entry("nix", Windows, &["nix"], &[]),
    entry("make", Windows, &["mk", "mak"], &["makefile", "gnumakefile", "justfile"]),
    entry("dockerfile", Windows, &["dockerfile"], &["dockerfile", "containerfile"]),
    entry("json", Windows, &["json", "jsonc", "json5", "jsonl", "ndjson", "ipynb", "geojson", "webmanifest"], &[".babelrc", ".eslintrc", ".prettierrc"]),
    entry("yaml", Windows, &["yaml", "yml"], &[".clang-format", ".clang-tidy"]),
    entry("toml", Windows, &["toml"], &["pipfile"]),
    entry("ini", Windows, &["ini", "cfg", "conf", "properties", "editorconfig", "desktop", "service"], &[".gitconfig", ".gitmodules", ".npmrc"]),
    entry("xml", Windows, &["xml", "xsd", "xsl", "xslt", "svg", "plist", "csproj", "fsproj", "vbproj", "props", "targets", "resx", "xaml", "storyboard", "xib", "pom"], &[]),
    entry("html", Windows, &["html", "htm", "xhtml", "erb", "ejs", "hbs", "mustache", "jinja", "jinja2", "j2", "twig", "liquid", "haml", "pug", "heex", "eex", "cshtml", "razor"], &[]),
    entry("css", Windows, &["css", "scss", "sass", "less", "styl"], &[]),
    entry("csv", Windows, &["csv", "tsv"], &[]),
    entry("tex", Windows, &["tex", "bib", "sty", "cls"], &[]),
    entry("batch", Windows, &["bat", "cmd"], &[]),
    entry("fish", Windows, &["fish"], &[]),
    entry("awk", Windows, &["awk"], &[]),
    entry("diff", Windows, &["diff", "patch"], &[]),
    entry("ignore", Windows, &["gitignore", "dockerignore", "npmignore"], &[".gitignore", ".dockerignore", ".npmignore", ".gitattributes"]),
];

/// What a file is of which nothing is known.
#[rustfmt::skip]
static TEXT: Entry = entry("text", Windows, &["txt", "text", "log"], &["license", "licence", "copying", "notice", "authors", "codeowners", "version", "changelog", "readme"]);
