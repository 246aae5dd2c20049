//! What an indexed file is made of.

use serde::{Deserialize, Serialize};

macro_rules! named_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $text)] $variant),*
        }

        impl $name {
            /// Every value.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Stored and shown form.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }

            /// The value named by its stored form.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == text)
            }
        }
    };
}
pub(crate) use named_enum;

named_enum! {
    /// What a chunk is.
    ChunkKind {
        /// A function or method, or a part of a long one.
        Function = "function",
        /// A class, struct, trait, interface or enum: signature and fields.
        Type = "type",
        /// Grouped top-level statements, imports, constants.
        Statements = "statements",
        /// Prose under one heading.
        Section = "section",
        /// A window of lines of a file without a grammar.
        Window = "window",
    }
}

named_enum! {
    /// What a symbol names.
    SymbolKind {
        Function = "function",
        Method = "method",
        Class = "class",
        Struct = "struct",
        Interface = "interface",
        Trait = "trait",
        Enum = "enum",
        EnumMember = "enum_member",
        TypeAlias = "type_alias",
        Constant = "constant",
        Variable = "variable",
        Field = "field",
        Module = "module",
        Macro = "macro",
        Heading = "heading",
    }
}

named_enum! {
    /// What role a file plays, judged by its path; ranking demotes all but `Source`.
    FileClass {
        Source = "source",
        Test = "test",
        /// Examples and tutorials.
        Example = "example",
        /// Compatibility and legacy folders.
        Legacy = "legacy",
        /// Files that only re-export or describe a package.
        Reexport = "reexport",
        /// Type declaration stubs.
        Declaration = "declaration",
        /// Fixtures, samples, benchmarks, demos, scripts, test support, configuration and data.
        Support = "support",
        /// Marked as generated, or vendored.
        Generated = "generated",
        /// Prose about the code: guides, manual pages, change logs.
        Documentation = "documentation",
    }
}

/// Lines of a file, from 1, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LineSpan {
    pub start: u32,
    pub end: u32,
}

impl LineSpan {
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        self.start <= other.end && other.start <= self.end
    }

    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}
