//! The authorization room: the only place that can make a scope, without which no store answers.
//!
//! `store::grants` loads the facts about a person ([`Grants`]); the one table in `table` says what
//! a role may do and renders `docs/permissions.md`; a scope (`scopes`) is the result and travels
//! into every store's own filter.

mod grants;
mod roles;
mod scopes;
mod table;

pub use grants::{Grants, ProjectGrant};
pub use roles::{OrganizationRole, ProjectRole, TokenScope, Visibility};
pub use scopes::{OrganizationScope, ReadScope, WriteScope};
pub use table::{Permission, Requirement, documentation};
