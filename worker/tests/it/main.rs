//! Integration tests of `quarry-worker`: one binary, one module per subject.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod program;
mod runner;
