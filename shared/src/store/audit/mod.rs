//! The audit log: append-only chains of events, one per organization and one for the instance.
//!
//! A chain per organization lets organizations write without waiting for each other, and lets one
//! be verified or exported without seeing the others. Inside a chain writers stand in line:
//! [`append`] takes the chain's row in the transaction of the change that it tells of, and holds it
//! until the commit, so that an event is there exactly when its change is, and numbers have no gaps.
//! Append last, right before the commit, and to the organization's chain before the instance's.
//!
//! Each event's hash covers all of its fields and the hash before it ([`canonical_form`]). What
//! that proves: nobody has changed, removed, inserted or reordered an event and left the rest alone.
//! Somebody who can write the whole database can also write a whole new chain; so keep the chain's
//! end ([`Verification::head`]) somewhere else now and then, and hand it to the next verification.

mod append;
mod canonical;
mod purge;
mod read;
mod verify;

use uuid::Uuid;

use super::entities::audit_event;
use crate::domain::OrganizationId;

pub use append::append;
pub use canonical::canonical_form;
pub use purge::{purge, purge_all};
pub use read::{AuditFilter, chains, export, list};
pub use verify::{ChainHead, Fault, FaultKind, Verification, verify};

/// An event as it is stored.
pub type Row = audit_event::Model;

/// Hash before a chain's first event.
const ZERO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Whose chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Chain {
    Instance,
    Organization(OrganizationId),
}

impl Chain {
    /// The chain of an event.
    #[must_use]
    pub fn of(organization: Option<OrganizationId>) -> Self {
        organization.map_or(Self::Instance, Self::Organization)
    }

    /// The chain with this stored id; the nil id is the instance's.
    #[must_use]
    pub fn from_id(id: Uuid) -> Self {
        if id.is_nil() {
            return Self::Instance;
        }
        Self::Organization(OrganizationId(id))
    }

    /// Stored form.
    #[must_use]
    pub const fn id(self) -> Uuid {
        match self {
            Self::Instance => Uuid::nil(),
            Self::Organization(id) => id.0,
        }
    }
}
