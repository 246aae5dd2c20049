//! Integration tests of the evaluation.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod retrieval_command;
mod tiny_world;
