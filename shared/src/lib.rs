//! The mind of Quarry. Each module is a room with its own arrows; `docs/ARCHITECTURE.md` is the map.

pub mod adapters;
pub mod analysis;
pub mod config;
pub mod domain;
pub mod indexing;
pub mod jobs;
pub mod languages;
pub mod policy;
pub mod ports;
pub mod retrieval;
pub mod services;
pub mod store;
pub mod telemetry;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
