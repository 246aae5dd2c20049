//! Conditions that engines do not know, applied to the candidates before anything is counted.

use std::collections::HashSet;

use super::{
    RetrievalError, candidate::ChunkFacts, path_pattern::PathPattern, query::SearchQuery,
    syntax::ParsedQuery,
};
use crate::{
    analysis::{TermVectorRef, for_each_token, term_hash},
    domain::ChunkKind,
};

/// What a candidate must satisfy.
#[derive(Debug, Default)]
pub(crate) struct Narrowing {
    paths: Vec<PathPattern>,
    symbols: Vec<String>,
    kinds: Vec<String>,
    negated: Vec<u32>,
}

impl Narrowing {
    pub(crate) fn new(query: &SearchQuery, parsed: &ParsedQuery) -> Result<Self, RetrievalError> {
        let paths = query
            .path
            .iter()
            .chain(&parsed.paths)
            .map(|pattern| PathPattern::new(pattern))
            .collect::<Result<_, _>>()?;
        let mut negated = Vec::new();
        for word in &parsed.negated {
            // A compound word is its last token: the whole.
            let mut last = None;
            for_each_token(word, |surface, _| last = Some(term_hash(surface)));
            negated.extend(last);
        }
        // Kinds of chunks are the engines' own filter; kinds of symbols are checked here.
        let kinds = parsed
            .kinds
            .iter()
            .filter(|kind| ChunkKind::parse(kind).is_none())
            .cloned()
            .collect();
        Ok(Self {
            paths,
            symbols: parsed.symbols.clone(),
            kinds,
            negated,
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.paths.is_empty()
            && self.symbols.is_empty()
            && self.kinds.is_empty()
            && self.negated.is_empty()
    }

    pub(crate) fn admits(&self, facts: &ChunkFacts) -> bool {
        let path = facts.path.as_str();
        let path_fits = self.paths.iter().all(|pattern| pattern.matches(path));
        let defines = |name: &String| {
            facts
                .defines
                .iter()
                .any(|defined| defined.eq_ignore_ascii_case(name))
                || facts
                    .symbol
                    .as_ref()
                    .is_some_and(|symbol| symbol.eq_ignore_ascii_case(name))
        };
        path_fits
            && (self.symbols.is_empty() || self.symbols.iter().any(defines))
            && (self.kinds.is_empty()
                || facts
                    .symbol_kind
                    .as_ref()
                    .is_some_and(|kind| self.kinds.contains(kind)))
            && !self.has_negated(facts)
    }

    fn has_negated(&self, facts: &ChunkFacts) -> bool {
        if self.negated.is_empty() {
            return false;
        }
        let Ok(terms) = TermVectorRef::parse(&facts.terms) else {
            return false;
        };
        let words: HashSet<u32> = terms.entries().map(|entry| entry.surface).collect();
        self.negated.iter().any(|word| words.contains(word))
    }
}
