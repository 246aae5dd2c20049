//! One folder per outside system, each behind a trait of `ports`.

pub mod embedded_vector;
pub mod git;
mod model_key;
mod row_filter;
pub mod static_embedder;
