//! One folder per outside system, each behind a trait of `ports`.

pub mod git;
mod model_key;
pub mod static_embedder;
