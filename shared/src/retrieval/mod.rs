//! Finding code: understand → recall → score → fuse → boost → diversify → rerank → assemble.
//!
//! Engines recall candidates and count terms; every score is computed here from Quarry's own rows,
//! so that the ranking does not depend on which engine recalled. Nothing here writes.

mod error;
mod exact_types;
mod outcome;
mod query;

pub use error::RetrievalError;
pub use exact_types::{
    ExactFile, ExactOutcome, ExactQuery, LineMatch, StopReason, SymbolHit, SymbolQuery,
};
pub use outcome::{
    ChannelName, ChannelReport, ChannelStatus, ExplanationStep, FacetCount, Facets, Highlight,
    HitChannel, Intent, SearchHit, SearchOutcome, Snippet, Verdict, Warning,
};
pub use query::{Fusion, SearchQuery};
