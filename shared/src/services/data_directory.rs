//! The folder that one process owns.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use super::ServicesError;

/// A locked data directory. Embedded engines live in one process; the lock ends with it.
#[derive(Debug)]
pub struct DataDirectory {
    _lock: File,
    path: PathBuf,
}

impl DataDirectory {
    /// Makes the directory when it is missing and locks it.
    ///
    /// # Errors
    /// [`ServicesError::DataDirectoryInUse`] while another process holds it.
    pub fn lock(path: &Path) -> Result<Self, ServicesError> {
        let failed = |source| ServicesError::DataDirectory {
            path: path.display().to_string(),
            source,
        };
        fs::create_dir_all(path).map_err(failed)?;
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(path.join("lock"))
            .map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                _lock: lock,
                path: path.to_path_buf(),
            }),
            Err(TryLockError::WouldBlock) => Err(ServicesError::DataDirectoryInUse {
                path: path.display().to_string(),
            }),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_second_process_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let first = DataDirectory::lock(folder.path()).unwrap();
        assert!(matches!(
            DataDirectory::lock(folder.path()),
            Err(ServicesError::DataDirectoryInUse { .. })
        ));
        drop(first);
        DataDirectory::lock(folder.path()).unwrap();
    }
}
