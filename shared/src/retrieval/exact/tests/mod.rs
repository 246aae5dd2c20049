//! Exact search on a real database.

mod chunks;
mod limits;
mod matching;
mod visibility;

use super::{search_exact, search_within, walk::Limits};
use crate::retrieval::{
    ExactOutcome, ExactQuery, RetrievalError,
    test_world::{Place, World},
};

fn literal(pattern: &str) -> ExactQuery {
    ExactQuery {
        pattern: pattern.to_owned(),
        ..ExactQuery::default()
    }
}

fn expression(pattern: &str) -> ExactQuery {
    ExactQuery {
        regex: true,
        ..literal(pattern)
    }
}

async fn search(
    world: &World,
    place: Place,
    query: &ExactQuery,
) -> Result<ExactOutcome, RetrievalError> {
    search_exact(&world.database, &place.scope(), query).await
}

/// `path:line:start-end` of each match.
fn found(outcome: &ExactOutcome) -> Vec<String> {
    let mut all = Vec::new();
    for file in &outcome.files {
        for found in &file.matches {
            let (line, start, end) = (found.line, found.start, found.end);
            all.push(format!("{}:{line}:{start}-{end}", file.path));
        }
    }
    all
}
