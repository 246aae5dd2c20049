//! Which rows of a branch are visible: multi-version reads without locks.

use serde::{Deserialize, Serialize};

use super::SnapshotId;

/// A point in publication time, the same for SQL and both engines.
///
/// A row is visible when it was born by a published snapshot up to `horizon` and had not died by
/// one. Snapshots that start after the view was taken lie beyond the horizon, so a running build
/// can never shine through; one that is published later stays hidden until the next view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// The newest snapshot id that counts.
    pub horizon: SnapshotId,
    /// Snapshots up to the horizon that are not published (building, or failed and not yet purged).
    pub unpublished: Vec<SnapshotId>,
}

impl View {
    /// Whether a row with these bounds is visible.
    #[must_use]
    pub fn shows(&self, born: SnapshotId, died: SnapshotId) -> bool {
        born <= self.horizon
            && !self.unpublished.contains(&born)
            && (died > self.horizon || self.unpublished.contains(&died))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_appear_and_disappear_only_with_their_snapshot() {
        let view = View {
            horizon: SnapshotId(10),
            unpublished: vec![SnapshotId(8)],
        };
        for (born, died, visible) in [
            (3, SnapshotId::NEVER.0, true),
            (3, 5, false),
            (8, SnapshotId::NEVER.0, false),
            (3, 8, true),
            (11, SnapshotId::NEVER.0, false),
            (10, 11, true),
            (10, SnapshotId::NEVER.0, true),
            (3, 10, false),
        ] {
            assert_eq!(
                view.shows(SnapshotId(born), SnapshotId(died)),
                visible,
                "{born}..{died}"
            );
        }
    }
}
