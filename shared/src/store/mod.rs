//! The database: entities, scoped finders, transactions, the ledger, the SQL exact lane.
//!
//! Functions take `&impl ConnectionTrait`, so that the caller owns the transaction. A finder that
//! serves a person takes a `ReadScope` or `WriteScope`; one that serves a job takes the job's own
//! organization. Nothing here decides who may do what: see `domain::Grants`.

pub mod accounts;
pub mod api_tokens;
pub mod audit;
pub mod authenticators;
pub mod batches;
pub mod blobs;
pub mod branches;
pub mod candidates;
pub mod chunks;
pub mod connection;
pub mod credentials;
pub mod deletions;
pub mod embeddings;
pub mod entities;
mod error;
pub(crate) mod exact_lane;
pub mod federation;
pub mod files;
pub mod grants;
pub mod identity_providers;
pub mod index_runs;
pub mod invitations;
pub mod jobs;
pub mod keyring;
pub mod ledger;
pub mod members;
pub mod organizations;
mod owners;
mod pages;
pub mod password_resets;
pub mod project_members;
pub mod projects;
pub mod quotas;
pub mod repositories;
pub mod sealed;
pub mod service_accounts;
pub mod sessions;
pub mod sign_in_failures;
pub mod sign_ins;
mod slugs;
pub mod snapshots;
pub(crate) mod sql;
pub(crate) mod symbol_search;
pub mod symbols;
pub mod teams;
pub mod users;
pub mod views;
pub mod visible;
pub mod webhooks;

pub use connection::{Database, DatabaseSettings};
pub use error::StoreError;
pub use pages::{Page, Paged};
