//! The native library, loaded once.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ort::environment::Environment;

use super::OnnxError;

/// The library's own state is one per process and cannot be unloaded, so ours is too.
static LOADED: Mutex<Option<(PathBuf, Environment)>> = Mutex::new(None);

/// The environment of the library at `path`. Loading the same library again is free; another one is
/// refused. The library runs native code: its path comes from the operator alone.
pub(super) fn environment(path: &Path) -> Result<Environment, OnnxError> {
    if path.as_os_str().is_empty() {
        return Err(OnnxError::InvalidSetting {
            setting: "onnx_runtime.library",
            fault: "is empty; `deploy/fetch-models runtime` brings a library",
        });
    }
    let missing = |_| OnnxError::LibraryMissing {
        path: path.to_owned(),
    };
    let path = path.canonicalize().map_err(missing)?;
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((loaded, environment)) = loaded.as_ref() {
        if *loaded == path {
            return Ok(environment.clone());
        }
        return Err(OnnxError::AnotherLibrary {
            loaded: loaded.clone(),
            asked: path,
        });
    }
    let unusable = |source| OnnxError::LibraryUnusable {
        path: path.clone(),
        source,
    };
    let environment = ort::init_from(&path)
        .map_err(|error| unusable(Box::new(error)))?
        .with_name("quarry")
        .with_telemetry(false)
        .build()
        .map_err(|error| unusable(Box::new(error)))?;
    *loaded = Some((path, environment.clone()));
    Ok(environment)
}
