//! Opening an index directory: made new, taken over as it is, or dropped because it is damaged.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::Path,
};

use tantivy::{Index, TantivyError};

use super::{
    SYSTEM,
    schema::{FORMAT, Fields},
};
use crate::ports::PortError;

/// An index that nobody else writes to.
pub(super) struct OpenedDirectory {
    pub index: Index,
    /// Whether the index was made new.
    pub is_new: bool,
    /// Released when the process ends, however it ends.
    pub lock: File,
}

/// Opens the index of the current format, or makes it anew when it is missing or damaged.
/// `usable` decides whether an index that was opened can be read to the end.
pub(super) fn open(
    directory: &Path,
    fields: &Fields,
    usable: impl Fn(&Index) -> tantivy::Result<()>,
) -> Result<OpenedDirectory, PortError> {
    fs::create_dir_all(directory).map_err(broken)?;
    let lock = take_lock(directory)?;
    // Everything inside the format's own folder is ours to drop; nothing outside it is touched.
    let folder = directory.join(format!("v{FORMAT}"));
    let opened = open_existing(&folder, fields).and_then(|index| {
        usable(&index)?;
        Ok(index)
    });
    if let Ok(index) = opened {
        return Ok(OpenedDirectory {
            index,
            is_new: false,
            lock,
        });
    }
    if folder.exists() {
        tracing::warn!(folder = %folder.display(), "the word index is damaged and is made anew");
        fs::remove_dir_all(&folder).map_err(broken)?;
    }
    drop_older_formats(directory);
    fs::create_dir_all(&folder).map_err(broken)?;
    let index = Index::create_in_dir(&folder, fields.schema.clone())
        .map_err(|error| PortError::broken(SYSTEM, error))?;
    Ok(OpenedDirectory {
        index,
        is_new: true,
        lock,
    })
}

fn take_lock(directory: &Path) -> Result<File, PortError> {
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(directory.join("lock"))
        .map_err(broken)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(PortError::Unavailable {
            system: SYSTEM,
            detail: format!("another process uses {}", directory.display()),
            retry_after: None,
        }),
        Err(TryLockError::Error(error)) => Err(broken(error)),
    }
}

fn open_existing(folder: &Path, fields: &Fields) -> tantivy::Result<Index> {
    let index = Index::open_in_dir(folder)?;
    if index.schema() != fields.schema {
        return Err(TantivyError::SchemaError("another schema".to_owned()));
    }
    let damaged = index.validate_checksum()?;
    if damaged.is_empty() {
        return Ok(index);
    }
    Err(TantivyError::InternalError(format!(
        "{} damaged files",
        damaged.len()
    )))
}

/// Folders of formats that no version reads any more. What cannot be removed only takes room.
fn drop_older_formats(directory: &Path) {
    for format in 0..FORMAT {
        let _ = fs::remove_dir_all(directory.join(format!("v{format}")));
    }
}

fn broken(error: io::Error) -> PortError {
    PortError::broken(SYSTEM, error)
}
