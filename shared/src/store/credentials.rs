//! Credentials of repositories: how they are written down before the keyring seals them.

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use super::{
    StoreError,
    keyring::{Keyring, SecretPurpose},
};
use crate::domain::OrganizationId;

/// How to identify at a repository's remote.
#[derive(Debug, Clone)]
pub struct Credential {
    pub username: Option<String>,
    pub password: SecretString,
}

/// What an envelope holds. Neither shown nor logged.
#[derive(Serialize, Deserialize)]
struct Sealed {
    username: Option<String>,
    password: String,
}

/// The envelope of a credential.
///
/// # Errors
/// [`StoreError::Corrupt`] when the machine has no random numbers.
pub fn seal(
    keyring: &Keyring,
    organization: OrganizationId,
    credential: &Credential,
) -> Result<Vec<u8>, StoreError> {
    let written = serde_json::to_vec(&Sealed {
        username: credential.username.clone(),
        password: credential.password.expose_secret().to_owned(),
    })
    .map_err(|_| StoreError::Corrupt("credential"))?;
    keyring.seal(SecretPurpose::GitCredential, organization, &written)
}

/// The credential in an envelope.
///
/// # Errors
/// As [`Keyring::open`].
pub fn open(
    keyring: &Keyring,
    organization: OrganizationId,
    envelope: &[u8],
) -> Result<Credential, StoreError> {
    let opened = keyring.open(SecretPurpose::GitCredential, organization, envelope)?;
    let read: Sealed = serde_json::from_slice(opened.expose_secret())
        .map_err(|_| StoreError::Corrupt("credential"))?;
    Ok(Credential {
        username: read.username,
        password: read.password.into(),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::store::keyring::SecretKey;

    #[test]
    fn a_credential_comes_back_as_it_was_and_is_not_shown() {
        let keyring = Keyring::new(SecretKey::new([1; 32]), []);
        let organization = OrganizationId::generate();
        let credential = Credential {
            username: Some("robot".to_owned()),
            password: "hunter2-hunter2".to_owned().into(),
        };
        let envelope = seal(&keyring, organization, &credential).unwrap();
        let opened = open(&keyring, organization, &envelope).unwrap();
        assert_eq!(opened.username.as_deref(), Some("robot"));
        assert_eq!(opened.password.expose_secret(), "hunter2-hunter2");
        assert!(!format!("{opened:?}").contains("hunter2"));
    }
}
