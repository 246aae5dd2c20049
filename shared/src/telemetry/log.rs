//! The log on standard error.

use thiserror::Error;
use tracing_subscriber::{EnvFilter, filter::ParseError, util::TryInitError};

use crate::config::{LogFormat, LogSettings};

/// Why no log can be written.
#[derive(Debug, Error)]
pub enum LogError {
    #[error("`log.filter` cannot be read")]
    Filter(#[from] ParseError),
    #[error("a log has been started before")]
    Started(#[from] TryInitError),
}

/// Starts the one log of the process.
///
/// # Errors
/// [`LogError`] when the filter is wrong, or a log is running already.
pub fn start_log(settings: &LogSettings) -> Result<(), LogError> {
    use tracing_subscriber::util::SubscriberInitExt;

    let log = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::try_new(&settings.filter)?)
        .with_writer(std::io::stderr);
    match settings.format {
        LogFormat::Json => log.json().finish().try_init()?,
        LogFormat::Text => log.finish().try_init()?,
    }
    Ok(())
}
