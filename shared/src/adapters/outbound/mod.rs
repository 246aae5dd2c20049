//! Every way out for an address that a person, and not the operator, has set.
//!
//! The rule: a name is judged by the settings, resolved once, all of its addresses are judged, and
//! the connection goes to exactly those. What a redirect names is judged in the same way. Git
//! over HTTP uses [`HostRules`] and pins what they pass in a transport of its own; every other request
//! goes through [`OutboundClient`], which gives no way to send one that was not judged. Endpoints in the settings (models, engines,
//! the database) belong to the operator and are not judged.

mod addresses;
mod client;
mod names;
mod rules;

pub use client::OutboundClient;
pub use names::{NameLookup, SystemNames};
pub use rules::{HostRules, Reach, Target};
