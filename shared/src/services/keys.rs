//! Where the keys of secrets at rest come from: a setting, or a file that only its owner may read.
//!
//! A key file holds one key a line in base64, the one that seals first. A file of exactly 32 bytes
//! is one key as it is, which is how the first version of the program wrote it.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use base64::{
    Engine,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose::STANDARD},
};
use secrecy::{ExposeSecret, SecretString, zeroize::Zeroizing};
use uuid::Uuid;

use super::ServicesError;
use crate::{
    config::Settings,
    store::keyring::{Keyring, SecretKey},
};

/// Many rotations; anything longer is not a key file.
const MAX_FILE_BYTES: u64 = 16 * 1024;
const KEY_LEN: usize = 32;
/// Both alphabets are read, with and without padding.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The keys that the settings name. Only a file at the usual place is made when it is missing: a
/// configured one that is not there is a mistake, and secrets sealed with another key would not open.
///
/// # Errors
/// [`ServicesError::Keys`] and [`ServicesError::KeyFile`].
pub fn load_keyring(settings: &Settings) -> Result<Keyring, ServicesError> {
    if let Some(keys) = &settings.secrets.keys {
        let keys = keys.expose_secret().split(',');
        return parse(keys).ok_or(ServicesError::Keys);
    }
    let path = key_file(settings);
    if settings.secrets.key_file.is_none() && !path.exists() {
        create(&path, &Keyring::new(SecretKey::generate()?, []))?;
    }
    read(&path)
}

/// Puts a new key before those of the key file, and answers them all.
///
/// # Errors
/// [`ServicesError::KeysAreASetting`] when the keys do not come from a file.
pub fn add_key(settings: &Settings) -> Result<Keyring, ServicesError> {
    let path = writable_file(settings)?;
    let old = load_keyring(settings)?;
    let keys = old.keys().iter().map(|key| SecretKey::new(*key.expose()));
    let keyring = Keyring::new(SecretKey::generate()?, keys);
    replace(&path, &keyring)?;
    Ok(keyring)
}

/// Leaves only the key that seals in the key file. Whatever another key has sealed is lost: the
/// caller has looked that there is nothing.
///
/// # Errors
/// [`ServicesError::KeysAreASetting`] when the keys do not come from a file.
pub fn remove_old_keys(settings: &Settings) -> Result<Keyring, ServicesError> {
    let path = writable_file(settings)?;
    let old = load_keyring(settings)?;
    let current = SecretKey::new(*old.keys()[0].expose());
    let keyring = Keyring::new(current, []);
    replace(&path, &keyring)?;
    Ok(keyring)
}

fn key_file(settings: &Settings) -> PathBuf {
    let file = settings.secrets.key_file.clone();
    file.unwrap_or_else(|| settings.data_path("keys").join("credentials"))
}

fn writable_file(settings: &Settings) -> Result<PathBuf, ServicesError> {
    if settings.secrets.keys.is_some() {
        return Err(ServicesError::KeysAreASetting);
    }
    Ok(key_file(settings))
}

fn parse<'a>(keys: impl Iterator<Item = &'a str>) -> Option<Keyring> {
    let mut keys = keys
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| {
            let line = Zeroizing::new(line.replace('-', "+").replace('_', "/"));
            let bytes = Zeroizing::new(LENIENT.decode(line.as_bytes()).ok()?);
            let bytes: &[u8; KEY_LEN] = bytes.as_slice().try_into().ok()?;
            // Nobody draws such a key; somebody forgot to.
            let is_drawn = bytes.iter().any(|byte| *byte != bytes[0]);
            is_drawn.then(|| SecretKey::new(*bytes))
        })
        .collect::<Option<Vec<_>>>()?
        .into_iter();
    Some(Keyring::new(keys.next()?, keys))
}

fn read(path: &Path) -> Result<Keyring, ServicesError> {
    let mut bytes = Zeroizing::new(Vec::new());
    File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| failed(path, &error))?;
    if let Ok(key) = <&[u8; KEY_LEN]>::try_from(bytes.as_slice()) {
        return Ok(Keyring::new(SecretKey::new(*key), []));
    }
    let is_short = bytes.len() as u64 <= MAX_FILE_BYTES;
    std::str::from_utf8(&bytes)
        .ok()
        .filter(|_| is_short)
        .and_then(|text| parse(text.lines()))
        .ok_or_else(|| ServicesError::KeyFile {
            path: path.display().to_string(),
            detail: "it does not hold keys of 32 bytes".to_owned(),
        })
}

/// Written aside and linked into place: nobody ever reads half a file, and the first of two servers
/// that start together wins.
fn create(path: &Path, keyring: &Keyring) -> Result<(), ServicesError> {
    let aside = write_aside(path, keyring)?;
    let linked = fs::hard_link(&aside, path);
    let removed = fs::remove_file(&aside);
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(failed(path, &error)),
        _ => removed.map_err(|error| failed(path, &error)),
    }
}

fn replace(path: &Path, keyring: &Keyring) -> Result<(), ServicesError> {
    let aside = write_aside(path, keyring)?;
    let renamed = fs::rename(&aside, path).and_then(|()| {
        // The name must be on the disk before anything is sealed with the new key.
        path.parent()
            .map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    });
    renamed.map_err(|error| failed(path, &error))
}

fn write_aside(path: &Path, keyring: &Keyring) -> Result<PathBuf, ServicesError> {
    let aside = path.with_extension(Uuid::new_v4().simple().to_string());
    let write = || {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new()
            .create_new(true)
            .write(true)
            .mode(0o600)
            .open(&aside)?;
        for key in keyring.keys() {
            let line = SecretString::from(STANDARD.encode(key.expose()));
            writeln!(file, "{}", line.expose_secret())?;
        }
        file.sync_all()
    };
    write().map_err(|error| failed(path, &error))?;
    Ok(aside)
}

fn failed(path: &Path, error: &io::Error) -> ServicesError {
    ServicesError::KeyFile {
        path: path.display().to_string(),
        detail: error.to_string(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn settings(folder: &Path) -> Settings {
        let mut settings = Settings::default();
        settings.data.directory = folder.to_path_buf();
        settings
    }

    #[test]
    fn a_key_file_is_made_once_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(folder.path());
        let first = load_keyring(&settings).unwrap().current();
        assert_eq!(load_keyring(&settings).unwrap().current(), first);
        let file = folder.path().join("keys/credentials");
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_configured_key_file_is_never_made_and_never_half_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = settings(folder.path());
        let file = folder.path().join("mounted");
        settings.secrets.key_file = Some(file.clone());
        assert!(load_keyring(&settings).is_err(), "missing");
        let good = STANDARD.encode((0..32).collect::<Vec<u8>>());
        for bad in [
            "",
            "\n",
            "short",
            "x\n",
            &format!("{good}\nshort"),
            &STANDARD.encode([7; 32]),
        ] {
            fs::write(&file, bad).unwrap();
            assert!(load_keyring(&settings).is_err(), "{bad}");
        }
        fs::write(&file, format!("{good}\n")).unwrap();
        assert_eq!(load_keyring(&settings).unwrap().keys().len(), 1);
        fs::write(&file, [7; 32]).unwrap();
        let raw = load_keyring(&settings).unwrap().current();
        assert_eq!(
            raw,
            SecretKey::new([7; 32]).id(),
            "as the first version wrote it"
        );
    }

    #[test]
    fn a_new_key_comes_first_and_old_ones_go() {
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(folder.path());
        let old = load_keyring(&settings).unwrap().current();
        let both = add_key(&settings).unwrap();
        assert_ne!(both.current(), old);
        assert_eq!(both.keys()[1].id(), old);
        assert_eq!(load_keyring(&settings).unwrap().current(), both.current());
        remove_old_keys(&settings).unwrap();
        let left = load_keyring(&settings).unwrap();
        assert_eq!((left.current(), left.keys().len()), (both.current(), 1));
    }

    #[test]
    fn keys_of_a_setting_win_and_cannot_be_changed_by_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = settings(folder.path());
        let keys: Vec<_> = [0_u8, 1]
            .map(|from| STANDARD.encode((from..from + 32).collect::<Vec<u8>>()))
            .into();
        settings.secrets.keys = Some(keys.join(", ").into());
        assert_eq!(load_keyring(&settings).unwrap().keys().len(), 2);
        assert!(matches!(
            add_key(&settings),
            Err(ServicesError::KeysAreASetting)
        ));
        settings.secrets.keys = Some("secret-that-is-no-key".to_owned().into());
        let error = load_keyring(&settings).unwrap_err().to_string();
        assert!(!error.contains("secret-that"), "{error}");
    }
}
