//! How long the audit log is kept.

use serde::{Deserialize, Serialize};

use super::layers::Layers;

/// Settings of the audit log (`[audit]`).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuditSettings {
    /// Days that events are kept; 0 means for ever. What is left stays verifiable.
    pub retention_days: u32,
}

impl Default for AuditSettings {
    fn default() -> Self {
        Self {
            retention_days: 400,
        }
    }
}

impl AuditSettings {
    pub(super) fn check(&self, layers: &mut Layers) {
        if self.retention_days > 36_500 {
            layers.problem("audit.retention_days", "must be at most 36500");
        }
    }
}
