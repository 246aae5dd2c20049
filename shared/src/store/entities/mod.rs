//! Rows as sea-orm sees them, one file per table. They stay inside `shared`: doors have types of
//! their own. Columns are explained in the migrations.

pub mod audit_chain;
pub mod audit_event;
pub mod batch;
pub mod blob;
pub mod branch;
pub mod chunk;
pub mod embedding;
pub mod file;
pub mod import;
pub mod index_run;
pub mod invitation;
pub mod job;
pub mod membership;
pub mod organization;
pub mod project;
pub mod project_member;
pub mod repository;
pub mod session;
pub mod snapshot;
pub mod symbol;
pub mod symbol_reference;
pub mod team;
pub mod team_member;
pub mod team_project;
pub mod user;
