//! Integration tests of the server: real sockets, a real database, real Git repositories.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod api_tokens;
mod app;
mod audit_log;
mod audit_walk;
mod bad_input;
mod canary;
mod door;
mod end_to_end;
mod kill;
mod limits;
mod oidc;
mod passwords;
mod people;
mod repository_lists;
mod revocation;
mod sessions;
mod shutdown;
mod sign_in;
mod sources;
mod tenancy;
mod tokens;
mod totp;
mod walk;
mod webhooks;
