//! Spreading hits over files and symbols.

use std::collections::{HashMap, HashSet};

use super::{candidate::Candidate, constants::SATURATION};

/// Sorts best first; each further chunk of a file counts half of the one before, and a symbol or a
/// stretch of lines appears once.
pub(crate) fn diversify(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    sort(&mut candidates);
    let mut of_file: HashMap<i64, i32> = HashMap::new();
    for candidate in &mut candidates {
        let count = of_file.entry(candidate.facts.file_id).or_default();
        let factor = SATURATION.powi(*count);
        *count += 1;
        candidate.scale("further_chunk", factor, || {
            "better chunks of this file come first".to_owned()
        });
    }
    sort(&mut candidates);
    let mut symbols: HashSet<(i64, String)> = HashSet::new();
    let mut shown: HashMap<i64, Vec<crate::domain::LineSpan>> = HashMap::new();
    candidates.retain(|candidate| {
        let facts = &candidate.facts;
        let spans = shown.entry(facts.file_id).or_default();
        if spans.iter().any(|span| span.overlaps(facts.span)) {
            return false;
        }
        if let Some(symbol) = &facts.symbol
            && !symbols.insert((facts.file_id, symbol.clone()))
        {
            return false;
        }
        spans.push(facts.span);
        true
    });
    candidates
}

fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.facts.id.cmp(&b.facts.id))
    });
}
