//! Job workers of Quarry: a library that the standalone server hosts, and the program
//! `quarry-worker`.

pub mod process;
pub mod runner;
