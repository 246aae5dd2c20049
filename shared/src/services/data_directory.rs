//! The folder that one process owns, and the keys in it.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use uuid::Uuid;

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

/// A random key of 32 bytes, made at first use and readable by its owner only.
///
/// # Errors
/// When the file cannot be read or made, or holds anything but 32 bytes.
pub fn load_or_create_key(path: &Path) -> Result<[u8; 32], ServicesError> {
    let failed = |detail: String| ServicesError::KeyFile {
        path: path.display().to_string(),
        detail,
    };
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|error| failed(error.to_string()))?;
    }
    let created = OpenOptions::new()
        .create_new(true)
        .write(true)
        .mode(0o600)
        .open(path);
    match created {
        Ok(mut file) => {
            // Two UUIDv4 carry 244 random bits from the system's generator.
            let mut key = [0; 32];
            key[..16].copy_from_slice(Uuid::new_v4().as_bytes());
            key[16..].copy_from_slice(Uuid::new_v4().as_bytes());
            file.write_all(&key)
                .and_then(|()| file.sync_all())
                .map_err(|error| failed(error.to_string()))?;
            Ok(key)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let mut bytes = Vec::new();
            File::open(path)
                .and_then(|file| file.take(33).read_to_end(&mut bytes))
                .map_err(|error| failed(error.to_string()))?;
            bytes
                .try_into()
                .map_err(|_| failed("it does not hold 32 bytes".to_owned()))
        }
        Err(error) => Err(failed(error.to_string())),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_second_process_is_refused_and_a_key_stays() {
        let folder = tempfile::tempdir().unwrap();
        let first = DataDirectory::lock(folder.path()).unwrap();
        assert!(matches!(
            DataDirectory::lock(folder.path()),
            Err(ServicesError::DataDirectoryInUse { .. })
        ));
        drop(first);
        DataDirectory::lock(folder.path()).unwrap();

        let file = folder.path().join("keys/credentials");
        let key = load_or_create_key(&file).unwrap();
        assert_eq!(load_or_create_key(&file).unwrap(), key);
        fs::write(&file, "short").unwrap();
        assert!(load_or_create_key(&file).is_err());
    }
}
