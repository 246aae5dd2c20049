//! The one composition root: settings in, rooms out. Shared by the server, the worker and the
//! evaluation.

use crate::store::Database;

/// Everything that runs, ready to use. Cheap to clone.
#[derive(Clone)]
pub struct Services {
    pub database: Database,
}
