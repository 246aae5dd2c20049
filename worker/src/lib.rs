//! Job workers of Quarry.

pub mod runner;
