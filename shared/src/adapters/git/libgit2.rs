//! The one place that sets libgit2's process-wide options.
//!
//! They are unsafe functions, since libgit2 reads them without a lock: here they run once, before
//! the first repository is opened by this adapter. Registering the transport for http is one of them.
#![allow(unsafe_code)]

use std::sync::OnceLock;

use git2::{ConfigLevel, opts, transport};

use super::{failure::local_fault, subtransport};
use crate::{config::GitSettings, ports::PortError};

/// Bytes of parsed trees and commits that libgit2 may keep.
const CACHE_BYTES: isize = 64 * 1024 * 1024;

/// Sets timeouts and trust for ssh, registers the transport for http under a scheme of its own, and
/// makes libgit2 blind to the configuration of the machine and its
/// users. The settings of the first call hold for the process.
pub(super) fn initialize(settings: &GitSettings) -> Result<(), PortError> {
    static DONE: OnceLock<Result<(), String>> = OnceLock::new();
    DONE.get_or_init(|| set_options(settings).map_err(|error| error.message().to_owned()))
        .clone()
        .map_err(local_fault)
}

fn set_options(settings: &GitSettings) -> Result<(), git2::Error> {
    let milliseconds =
        |seconds: u32| i32::try_from(seconds.saturating_mul(1000)).unwrap_or(i32::MAX);
    // SAFETY: `initialize` runs this once, before any other use of libgit2 by this adapter, and
    // nothing else in the program uses libgit2.
    unsafe {
        for level in [
            ConfigLevel::ProgramData,
            ConfigLevel::System,
            ConfigLevel::XDG,
            ConfigLevel::Global,
        ] {
            opts::set_search_path(level, "")?;
        }
        // Local repositories may belong to somebody else: the allow-listed roots decide.
        opts::set_verify_owner_validation(false)?;
        opts::set_cache_max_size(CACHE_BYTES)?;
        opts::set_server_connect_timeout_in_milliseconds(milliseconds(
            settings.connect_timeout_seconds,
        ))?;
        opts::set_server_timeout_in_milliseconds(milliseconds(settings.idle_timeout_seconds))?;
        transport::register(subtransport::SCHEME, subtransport::transport)?;
    }
    Ok(())
}
