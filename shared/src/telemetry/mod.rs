//! What an operator sees from outside: the log.

mod log;

pub use log::{LogError, start_log};
