//! The words of a question.

use std::collections::HashMap;

use super::for_each_token;
use crate::ports::{QueryTerm, Token};

/// Words that shape an English question and say nothing about code. Sorted.
const STOPWORDS: &[&str] = &[
    "a", "about", "am", "an", "and", "are", "as", "at", "be", "been", "by", "can", "could", "did",
    "do", "does", "for", "from", "has", "have", "how", "i", "in", "into", "is", "it", "its", "me",
    "my", "of", "on", "or", "our", "should", "so", "that", "the", "their", "them", "then", "there",
    "these", "this", "those", "to", "was", "we", "were", "what", "when", "where", "which", "who",
    "why", "will", "with", "would", "you", "your",
];

/// Whether a lower-cased word is dropped from questions.
#[must_use]
pub fn is_stopword(word: &str) -> bool {
    STOPWORDS.binary_search(&word).is_ok()
}

/// The distinct words of a question in order of appearance, each weighted by how often it occurs.
/// Stopwords are dropped unless nothing else is left.
#[must_use]
pub fn analyze_query(text: &str) -> Vec<QueryTerm> {
    let mut terms: Vec<QueryTerm> = Vec::new();
    let mut positions: HashMap<String, usize> = HashMap::new();
    for_each_token(text, |surface, stem| {
        if let Some(position) = positions.get(surface) {
            terms[*position].weight += 1.0;
            return;
        }
        positions.insert(surface.to_owned(), terms.len());
        terms.push(QueryTerm {
            token: Token {
                surface: surface.to_owned(),
                stem: stem.to_owned(),
            },
            weight: 1.0,
        });
    });
    if terms.iter().any(|term| !is_stopword(&term.token.surface)) {
        terms.retain(|term| !is_stopword(&term.token.surface));
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(STOPWORDS.is_sorted());
    }

    #[test]
    fn questions_lose_their_frame_but_never_everything() {
        let words = |text: &str| {
            analyze_query(text)
                .into_iter()
                .map(|term| format!("{}*{}", term.token.surface, term.weight))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            words("How is the cache of the cache evicted?"),
            ["cache*2", "evicted*1"]
        );
        assert_eq!(words("what is this"), ["what*1", "is*1", "this*1"]);
        assert_eq!(
            words("get_user_by_id").last(),
            Some(&"get_user_by_id*1".to_owned())
        );
        assert!(words(" \u{0}?! ").is_empty());
    }
}
