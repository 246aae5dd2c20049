//! Evaluation of Quarry: the product's own rooms over questions with known answers.
//!
//! `retrieval` is the command that indexes and asks; `instance` is one index; `metrics` are the
//! measures; `dataset` reads the questions. What is measured and how it came out: `eval/README.md`.

pub mod arguments;
pub mod corpora;
pub mod dataset;
pub mod diagnosis;
pub mod folder_source;
pub mod instance;
pub mod latency;
pub mod metrics;
pub mod pinned;
pub mod process;
pub mod results;
pub mod retrieval;
pub mod tables;
pub mod tickets;
