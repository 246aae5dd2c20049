//! Limits of API tokens.

use serde::{Deserialize, Serialize};

use super::layers::Layers;

/// Settings of API tokens (`[tokens]`).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TokenSettings {
    /// Longest life of an API token in days.
    pub max_days: u32,
    /// API tokens that one member has in one organization at the same time.
    pub max_per_member: u64,
}

impl Default for TokenSettings {
    fn default() -> Self {
        Self {
            max_days: 365,
            max_per_member: 50,
        }
    }
}

impl TokenSettings {
    pub(super) fn check(&self, layers: &mut Layers) {
        if !(1..=3650).contains(&self.max_days) {
            layers.problem("tokens.max_days", "must be between 1 and 3650");
        }
        if self.max_per_member == 0 {
            layers.problem("tokens.max_per_member", "must be at least 1");
        }
    }
}
