//! How much one person, one organization and one address may ask for.

use serde::{Deserialize, Serialize};

/// Settings of rate limits (`[limits]`). A request costs one unit, a search five, an exact search
/// ten, reaching for a Git host twenty. 0 means no limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitSettings {
    /// Units a minute for one person or service account, over all of its sign-ins and tokens.
    pub principal_units_per_minute: u32,
    /// Units a minute for all members of one organization together.
    pub organization_units_per_minute: u32,
    /// Units a minute for one address that shows no valid sign-in.
    pub address_units_per_minute: u32,
    /// Open progress streams of one person.
    pub streams_per_principal: usize,
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            principal_units_per_minute: 12_000,
            organization_units_per_minute: 120_000,
            address_units_per_minute: 30_000,
            streams_per_principal: 64,
        }
    }
}
