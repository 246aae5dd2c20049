//! The keys that sign access tokens: one signs, older ones only verify what they once signed.
//!
//! They live in a file, one key a line, the current one first; a retired key's line says since when
//! it signs nothing. Running servers notice within a second when the file has been rotated, and at
//! once when a token names a key that they do not know.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant, SystemTime},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::Utc;
use jsonwebtoken::{DecodingKey, EncodingKey};
use quarry_shared::config::Settings;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::AuthenticationSetupError;

/// How long a server may go on without noticing a rotation.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Seconds in which a retired key may still have signed, on servers that had not noticed.
pub const NOTICE_SECONDS: i64 = 5;
/// Retired keys are kept longer than any access token lives.
const KEPT_SECONDS: i64 = 7 * 86_400;
const MIN_KEY_BYTES: usize = 32;

/// A key as its file holds it.
#[derive(Clone)]
pub struct StoredKey {
    pub bytes: Vec<u8>,
    /// Unix seconds since when it signs nothing; `None` for the current key.
    pub retired_at: Option<i64>,
}

/// A key that is ready for use.
pub struct SigningKey {
    pub id: String,
    pub encoding: EncodingKey,
    pub decoding: DecodingKey,
    pub retired_at: Option<i64>,
}

/// All keys that tokens may be signed with.
pub struct SigningKeys {
    file: Option<PathBuf>,
    loaded: RwLock<Loaded>,
}

struct Loaded {
    keys: Arc<[SigningKey]>,
    modified: Option<SystemTime>,
    looked: Instant,
}

impl SigningKeys {
    /// Keys that the settings hold: the current one, and one that only verifies.
    ///
    /// # Errors
    /// When a key is empty.
    pub fn fixed(
        current: &[u8],
        previous: Option<&[u8]>,
    ) -> Result<Self, AuthenticationSetupError> {
        let previous = previous.map(|bytes| StoredKey {
            bytes: bytes.to_vec(),
            // Nobody knows since when: it is the operator's business to remove it.
            retired_at: Some(i64::MAX),
        });
        let current = StoredKey {
            bytes: current.to_vec(),
            retired_at: None,
        };
        let keys: Vec<_> = std::iter::once(current).chain(previous).collect();
        Ok(Self {
            file: None,
            loaded: RwLock::new(Loaded::new(&keys, None)?),
        })
    }

    /// The keys of a file, made at the first start, readable by this user only.
    ///
    /// # Errors
    /// When the file can be neither made nor read, or holds no key.
    pub fn of_file(file: &Path) -> Result<Self, AuthenticationSetupError> {
        let modified = modified(file);
        let keys = load_or_create(file)?;
        Ok(Self {
            file: Some(file.to_path_buf()),
            loaded: RwLock::new(Loaded::new(&keys, modified)?),
        })
    }

    /// The keys as they are now, the current one first.
    #[must_use]
    pub fn keys(&self) -> Arc<[SigningKey]> {
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        let is_fresh = self.file.is_none() || loaded.looked.elapsed() < LOOK_EVERY;
        let keys = loaded.keys.clone();
        drop(loaded);
        if is_fresh { keys } else { self.look(keys) }
    }

    /// The same after looking at the file, for a token whose key is not known.
    #[must_use]
    pub fn newest_keys(&self) -> Arc<[SigningKey]> {
        let keys = self.keys();
        self.look(keys)
    }

    /// Reads the file when it has changed. One that cannot be read changes nothing.
    fn look(&self, keys: Arc<[SigningKey]>) -> Arc<[SigningKey]> {
        let Some(file) = &self.file else {
            return keys;
        };
        let modified = modified(file);
        let mut loaded = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
        loaded.looked = Instant::now();
        if modified.is_none() || modified == loaded.modified {
            return loaded.keys.clone();
        }
        match read(file).and_then(|keys| Loaded::new(&keys, modified)) {
            Ok(newer) => *loaded = newer,
            Err(error) => {
                tracing::error!(%error, "the rotated signing keys cannot be read; the old ones stay");
            }
        }
        loaded.keys.clone()
    }
}

impl Loaded {
    fn new(
        keys: &[StoredKey],
        modified: Option<SystemTime>,
    ) -> Result<Self, AuthenticationSetupError> {
        let keys = keys.iter().map(prepared).collect::<Result<_, _>>()?;
        Ok(Self {
            keys,
            modified,
            looked: Instant::now(),
        })
    }
}

/// Where the keys of a server live that has none in its settings.
#[must_use]
pub fn file_of(settings: &Settings) -> PathBuf {
    settings.data_path("keys").join("signing")
}

/// The name of a key, which tells nothing about it.
#[must_use]
pub fn key_id(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest(bytes)[..8])
}

/// The keys in `file`, which is made when it is missing.
///
/// # Errors
/// When the file can be neither made nor read, or holds no key.
pub fn load_or_create(file: &Path) -> Result<Vec<StoredKey>, AuthenticationSetupError> {
    create(file).map_err(AuthenticationSetupError::KeyFile)?;
    read(file)
}

/// Puts a new key before the others and returns its id. What the former one has signed is good until
/// it expires.
///
/// # Errors
/// When the file can be neither read nor replaced.
pub fn rotate(file: &Path) -> Result<String, AuthenticationSetupError> {
    create(file).map_err(AuthenticationSetupError::KeyFile)?;
    let lock = File::create(file.with_extension("lock"));
    let lock = lock.and_then(|lock| lock.lock().map(|()| lock));
    let _lock = lock.map_err(AuthenticationSetupError::KeyFile)?;
    let mut keys = read(file)?;
    let now = Utc::now().timestamp();
    for key in &mut keys {
        key.retired_at.get_or_insert(now);
    }
    keys.retain(|key| key.retired_at.is_none_or(|at| at > now - KEPT_SECONDS));
    let bytes = rand::random::<[u8; 32]>().to_vec();
    let id = key_id(&bytes);
    let current = StoredKey {
        bytes,
        retired_at: None,
    };
    keys.insert(0, current);
    write_aside(file, &keys)
        .and_then(|aside| fs::rename(aside, file))
        .map_err(AuthenticationSetupError::KeyFile)?;
    Ok(id)
}

fn prepared(key: &StoredKey) -> Result<SigningKey, AuthenticationSetupError> {
    Ok(SigningKey {
        id: key_id(&key.bytes),
        encoding: EncodingKey::from_secret(&key.bytes).map_err(AuthenticationSetupError::Key)?,
        decoding: DecodingKey::from_secret(&key.bytes).map_err(AuthenticationSetupError::Key)?,
        retired_at: key.retired_at,
    })
}

fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file)
        .and_then(|metadata| metadata.modified())
        .ok()
}

fn read(file: &Path) -> Result<Vec<StoredKey>, AuthenticationSetupError> {
    let text = fs::read_to_string(file).map_err(AuthenticationSetupError::KeyFile)?;
    let keys: Option<Vec<_>> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(parse)
        .collect();
    let keys = keys.unwrap_or_default();
    let has_current = keys.first().is_some_and(|key| key.retired_at.is_none());
    if !has_current {
        let error = io::Error::new(io::ErrorKind::InvalidData, "the file holds no key");
        return Err(AuthenticationSetupError::KeyFile(error));
    }
    Ok(keys)
}

fn parse(line: &str) -> Option<StoredKey> {
    let (key, retired_at) = match line.split_once(' ') {
        Some((key, retired_at)) => (key, Some(retired_at.trim().parse().ok()?)),
        None => (line, None),
    };
    let bytes = URL_SAFE_NO_PAD.decode(key).ok()?;
    (bytes.len() >= MIN_KEY_BYTES).then_some(StoredKey { bytes, retired_at })
}

fn create(file: &Path) -> io::Result<()> {
    if file.exists() {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let key = StoredKey {
        bytes: rand::random::<[u8; 32]>().to_vec(),
        retired_at: None,
    };
    // Linked into place, so that the first of two servers that start together wins.
    let aside = write_aside(file, &[key])?;
    let linked = fs::hard_link(&aside, file);
    fs::remove_file(&aside)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Written aside, so that nobody ever reads half a key.
fn write_aside(file: &Path, keys: &[StoredKey]) -> io::Result<PathBuf> {
    let aside = file.with_extension(Uuid::new_v4().simple().to_string());
    let mut handle = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&aside)?;
    for key in keys {
        let text = URL_SAFE_NO_PAD.encode(&key.bytes);
        match key.retired_at {
            Some(retired_at) => writeln!(handle, "{text} {retired_at}")?,
            None => writeln!(handle, "{text}")?,
        }
    }
    handle.sync_all()?;
    Ok(aside)
}
