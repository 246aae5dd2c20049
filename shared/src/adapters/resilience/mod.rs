//! Decorators that implement the port they wrap: retry, deadline, counting.

mod counting;
mod deadline;
mod retry;

pub use counting::{Counting, ModelUsage};
pub use deadline::Deadline;
pub use retry::{RetryPolicy, Retrying};
