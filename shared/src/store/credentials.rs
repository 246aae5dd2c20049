//! Credentials of repositories at rest: an AES-256-GCM envelope, bound to the organization.
//!
//! Envelope: a version byte, a nonce of 12 bytes, the sealed JSON, a tag of 16 bytes.

use std::fmt;

use ring::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    digest,
    rand::{SecureRandom, SystemRandom},
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use super::StoreError;
use crate::domain::OrganizationId;

const VERSION: u8 = 1;

/// How to identify at a repository's remote.
#[derive(Debug, Clone)]
pub struct Credential {
    pub username: Option<String>,
    pub password: SecretString,
}

/// Seals and opens credentials. Never shown.
#[derive(Clone)]
pub struct CredentialKey([u8; 32]);

impl fmt::Debug for CredentialKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CredentialKey")
    }
}

#[derive(Serialize, Deserialize)]
struct Sealed {
    username: Option<String>,
    password: String,
}

impl CredentialKey {
    /// A key from 32 random bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A key from a secret of any length that is itself random; separated by purpose from other keys
    /// that are made from the same secret.
    #[must_use]
    pub fn derive(secret: &SecretString) -> Self {
        let mut context = digest::Context::new(&digest::SHA256);
        context.update(b"quarry repository credentials v1\0");
        context.update(secret.expose_secret().as_bytes());
        let mut bytes = [0; 32];
        bytes.copy_from_slice(context.finish().as_ref());
        Self(bytes)
    }

    /// The envelope of a credential.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the machine has no random numbers.
    pub fn seal(
        &self,
        organization: OrganizationId,
        credential: &Credential,
    ) -> Result<Vec<u8>, StoreError> {
        let mut nonce = [0; NONCE_LEN];
        SystemRandom::new()
            .fill(&mut nonce)
            .map_err(|_| StoreError::Corrupt("random number"))?;
        let mut sealed = serde_json::to_vec(&Sealed {
            username: credential.username.clone(),
            password: credential.password.expose_secret().to_owned(),
        })
        .map_err(|_| StoreError::Corrupt("credential"))?;
        self.cipher()?
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(organization.0.as_bytes()),
                &mut sealed,
            )
            .map_err(|_| StoreError::Corrupt("credential"))?;
        let mut envelope = vec![VERSION];
        envelope.extend(nonce);
        envelope.extend(sealed);
        Ok(envelope)
    }

    /// The credential in an envelope.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the envelope is damaged, of another organization, or was sealed
    /// with another key.
    pub fn open(
        &self,
        organization: OrganizationId,
        envelope: &[u8],
    ) -> Result<Credential, StoreError> {
        const DAMAGED: StoreError = StoreError::Corrupt("credential");
        let Some((&VERSION, rest)) = envelope.split_first() else {
            return Err(DAMAGED);
        };
        let (nonce, sealed) = rest.split_at_checked(NONCE_LEN).ok_or(DAMAGED)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| DAMAGED)?;
        let mut sealed = sealed.to_vec();
        let opened = self
            .cipher()?
            .open_in_place(nonce, Aad::from(organization.0.as_bytes()), &mut sealed)
            .map_err(|_| DAMAGED)?;
        let opened: Sealed = serde_json::from_slice(opened).map_err(|_| DAMAGED)?;
        Ok(Credential {
            username: opened.username,
            password: opened.password.into(),
        })
    }

    fn cipher(&self) -> Result<LessSafeKey, StoreError> {
        let key = UnboundKey::new(&AES_256_GCM, &self.0)
            .map_err(|_| StoreError::Corrupt("credential key"))?;
        Ok(LessSafeKey::new(key))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn credential() -> Credential {
        Credential {
            username: Some("robot".to_owned()),
            password: "hunter2-hunter2".to_owned().into(),
        }
    }

    #[test]
    fn an_envelope_opens_only_with_its_key_for_its_organization_and_undamaged() {
        let (key, other) = (CredentialKey::new([1; 32]), CredentialKey::new([2; 32]));
        let (mine, theirs) = (OrganizationId::generate(), OrganizationId::generate());
        let envelope = key.seal(mine, &credential()).unwrap();
        let opened = key.open(mine, &envelope).unwrap();
        assert_eq!(opened.username.as_deref(), Some("robot"));
        assert_eq!(opened.password.expose_secret(), "hunter2-hunter2");
        assert!(other.open(mine, &envelope).is_err());
        assert!(key.open(theirs, &envelope).is_err());
        for at in 0..envelope.len() {
            let mut damaged = envelope.clone();
            damaged[at] ^= 1;
            assert!(key.open(mine, &damaged).is_err(), "byte {at}");
            assert!(key.open(mine, &envelope[..at]).is_err(), "{at} bytes");
        }
    }

    #[test]
    fn an_envelope_hides_its_content_and_differs_each_time() {
        let key = CredentialKey::derive(&SecretString::from("some random secret"));
        let organization = OrganizationId::generate();
        let one = key.seal(organization, &credential()).unwrap();
        let two = key.seal(organization, &credential()).unwrap();
        assert_ne!(one, two);
        assert!(!one.windows(7).any(|window| window == b"hunter2"));
        assert!(!format!("{key:?}").contains('1'));
    }
}
