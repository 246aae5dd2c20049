//! How much one organization may hold.

use serde::{Deserialize, Serialize};

/// Settings of quotas (`[quotas]`), for organizations without limits of their own. 0 means no limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QuotaSettings {
    /// Repositories.
    pub repositories: u64,
    /// Bytes of indexed text in all published branches.
    pub stored_bytes: u64,
    /// Chunks of all published branches.
    pub chunks: u64,
    /// Questions that are answered on one day (UTC).
    pub questions_per_day: u64,
}

impl Default for QuotaSettings {
    fn default() -> Self {
        Self {
            repositories: 10_000,
            stored_bytes: 1024 * 1024 * 1024 * 1024,
            chunks: 100_000_000,
            questions_per_day: 10_000,
        }
    }
}
