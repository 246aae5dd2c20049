//! The door: HTTP routes, sign-in, the dashboard's files, and the standalone server.
//!
//! Read `application` for how a request travels, `access` for who may do what, `routes` for the
//! addresses. Nothing here knows how to index or search: see `quarry_shared`.

pub mod access;
pub mod application;
pub mod assets;
pub mod audit;
pub mod audit_command;
pub mod authentication;
pub mod body;
pub mod boundary;
pub mod headers;
pub mod hosts;
pub mod methods;
pub mod openapi;
pub mod problem;
pub mod rate_limits;
pub mod rotation;
pub mod routes;
pub mod standalone;
pub mod state;
pub mod webhooks;
