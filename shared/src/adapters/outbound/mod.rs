//! Every way out for an address that a person, and not the operator, has set.
//!
//! The rule: a name is judged by the settings, resolved once, all of its addresses are judged, and
//! the connection goes to exactly those. What a redirect names is judged in the same way. Git uses
//! [`HostRules`] and its own tunnel; everything over HTTP goes through [`OutboundClient`], which
//! gives no way to send a request that was not judged. Endpoints in the settings (models, engines,
//! the database) belong to the operator and are not judged.

mod addresses;
mod client;
mod rules;

pub use client::OutboundClient;
pub use rules::{HostRules, Reach, Target};
