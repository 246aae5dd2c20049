//! Secrets at rest: one kind of AES-256-GCM envelope for everything that must be read back.
//!
//! Envelope: a version byte (2), the key's id (8 bytes), a nonce (12 bytes), the sealed bytes, a tag
//! (16 bytes). What the secret is for and whom it belongs to are bound into the tag, so that an
//! envelope that is copied into another row does not open there. Version 1 knew no key id and
//! bound the organization alone; it still opens, for the credentials of repositories.
//!
//! `store::sealed` lists the columns that hold envelopes and seals them anew with another key.

use std::{fmt, sync::Arc};

use ring::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    digest,
    rand::{SecureRandom, SystemRandom},
};
use secrecy::{ExposeSecret, SecretBox, SecretSlice};
use uuid::Uuid;

use super::StoreError;
use crate::domain::{OrganizationId, UserId};

const VERSION: u8 = 2;
/// Without key id and purpose.
const OLD_VERSION: u8 = 1;
const KEY_ID_LEN: usize = 8;
const KEY_LEN: usize = 32;

/// Said of every envelope that does not open: a reason would help nobody but an attacker.
const DAMAGED: StoreError = StoreError::Corrupt("secret");

/// What a secret is for. Names are part of stored envelopes: never change one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SecretPurpose {
    /// User name and password at a repository's remote.
    GitCredential,
    /// Signs the events of a Git host.
    WebhookSecret,
    /// Key of a model provider.
    ProviderKey,
    /// Client secret at an identity provider.
    OidcClientSecret,
    /// Seed of somebody's one-time passwords.
    TotpSecret,
    /// Key that signs access tokens.
    SigningKey,
}

impl SecretPurpose {
    const fn as_str(self) -> &'static str {
        match self {
            Self::GitCredential => "git credential",
            Self::WebhookSecret => "webhook secret",
            Self::ProviderKey => "provider key",
            Self::OidcClientSecret => "oidc client secret",
            Self::TotpSecret => "totp secret",
            Self::SigningKey => "signing key",
        }
    }
}

/// Whom a secret belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretOwner {
    Organization(OrganizationId),
    User(UserId),
    /// The installation itself.
    Instance,
}

impl From<OrganizationId> for SecretOwner {
    fn from(id: OrganizationId) -> Self {
        Self::Organization(id)
    }
}

impl From<UserId> for SecretOwner {
    fn from(id: UserId) -> Self {
        Self::User(id)
    }
}

/// Names a key without telling anything about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyId([u8; KEY_ID_LEN]);

impl fmt::Debug for KeyId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

/// One key of 256 random bits. Never shown; wiped when it is dropped.
pub struct SecretKey {
    id: KeyId,
    bytes: SecretBox<[u8; KEY_LEN]>,
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SecretKey({})", self.id)
    }
}

impl SecretKey {
    #[must_use]
    pub fn new(bytes: [u8; KEY_LEN]) -> Self {
        let mut context = digest::Context::new(&digest::SHA256);
        context.update(b"quarry key id\0");
        context.update(&bytes);
        let mut id = [0; KEY_ID_LEN];
        id.copy_from_slice(&context.finish().as_ref()[..KEY_ID_LEN]);
        Self {
            id: KeyId(id),
            bytes: SecretBox::new(Box::new(bytes)),
        }
    }

    /// A new key from the system's random numbers.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the system has none.
    pub fn generate() -> Result<Self, StoreError> {
        let mut bytes = [0; KEY_LEN];
        fill(&mut bytes)?;
        Ok(Self::new(bytes))
    }

    #[must_use]
    pub const fn id(&self) -> KeyId {
        self.id
    }

    /// The key itself, to be written into a key file.
    #[must_use]
    pub fn expose(&self) -> &[u8; KEY_LEN] {
        self.bytes.expose_secret()
    }

    fn cipher(&self) -> Result<LessSafeKey, StoreError> {
        let key = UnboundKey::new(&AES_256_GCM, self.expose()).map_err(|_| DAMAGED)?;
        Ok(LessSafeKey::new(key))
    }
}

/// Seals secrets with one key and opens what any of its keys has sealed. Cheap to clone.
#[derive(Clone)]
pub struct Keyring {
    /// The first one seals. Never empty.
    keys: Arc<[SecretKey]>,
}

impl fmt::Debug for Keyring {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.keys.iter()).finish()
    }
}

impl Keyring {
    /// `current` seals; `others` only open what they once sealed.
    #[must_use]
    pub fn new(current: SecretKey, others: impl IntoIterator<Item = SecretKey>) -> Self {
        Self {
            keys: std::iter::once(current).chain(others).collect(),
        }
    }

    /// The key that seals.
    #[must_use]
    pub fn current(&self) -> KeyId {
        self.keys[0].id
    }

    /// All keys, the one that seals first.
    #[must_use]
    pub fn keys(&self) -> &[SecretKey] {
        &self.keys
    }

    /// The key that an envelope names; `None` for one of version 1 and for what is no envelope.
    #[must_use]
    pub fn key_of(envelope: &[u8]) -> Option<KeyId> {
        let (id, _) = split_version_2(envelope)?;
        Some(id)
    }

    /// The envelope of a secret.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the machine has no random numbers.
    pub fn seal(
        &self,
        purpose: SecretPurpose,
        owner: impl Into<SecretOwner>,
        secret: &[u8],
    ) -> Result<Vec<u8>, StoreError> {
        let key = &self.keys[0];
        let mut nonce = [0; NONCE_LEN];
        fill(&mut nonce)?;
        // Sealed in place: this copy becomes the ciphertext.
        let mut sealed = secret.to_vec();
        key.cipher()?
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(bound(key.id, purpose, owner.into())),
                &mut sealed,
            )
            .map_err(|_| DAMAGED)?;
        let mut envelope = vec![VERSION];
        envelope.extend(key.id.0);
        envelope.extend(nonce);
        envelope.extend(sealed);
        Ok(envelope)
    }

    /// The secret in an envelope.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the envelope is damaged, of another owner or purpose, or was
    /// sealed with a key that is not in the ring.
    pub fn open(
        &self,
        purpose: SecretPurpose,
        owner: impl Into<SecretOwner>,
        envelope: &[u8],
    ) -> Result<SecretSlice<u8>, StoreError> {
        let owner = owner.into();
        if let Some((id, rest)) = split_version_2(envelope) {
            let key = self.keys.iter().find(|key| key.id == id).ok_or(DAMAGED)?;
            return unseal(key, rest, &bound(id, purpose, owner));
        }
        let (&version, rest) = envelope.split_first().ok_or(DAMAGED)?;
        let SecretOwner::Organization(organization) = owner else {
            return Err(DAMAGED);
        };
        if version != OLD_VERSION || purpose != SecretPurpose::GitCredential {
            return Err(DAMAGED);
        }
        let bound = organization.0.as_bytes();
        self.keys
            .iter()
            .find_map(|key| unseal(key, rest, bound).ok())
            .ok_or(DAMAGED)
    }
}

/// The key id and what follows it.
fn split_version_2(envelope: &[u8]) -> Option<(KeyId, &[u8])> {
    let (&VERSION, rest) = envelope.split_first()? else {
        return None;
    };
    let (id, rest) = rest.split_first_chunk()?;
    Some((KeyId(*id), rest))
}

fn unseal(key: &SecretKey, rest: &[u8], bound: &[u8]) -> Result<SecretSlice<u8>, StoreError> {
    let (nonce, sealed) = rest.split_at_checked(NONCE_LEN).ok_or(DAMAGED)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| DAMAGED)?;
    let mut sealed = sealed.to_vec();
    let opened = key
        .cipher()?
        .open_in_place(nonce, Aad::from(bound), &mut sealed)
        .map_err(|_| DAMAGED)?
        .len();
    sealed.truncate(opened);
    Ok(SecretSlice::from(sealed))
}

/// What the tag covers besides the secret. Every part but the last has a fixed length.
fn bound(key: KeyId, purpose: SecretPurpose, owner: SecretOwner) -> Vec<u8> {
    let (kind, id) = match owner {
        SecretOwner::Organization(id) => (b'o', id.0),
        SecretOwner::User(id) => (b'u', id.0),
        SecretOwner::Instance => (b'i', Uuid::nil()),
    };
    let mut bound = vec![VERSION, kind];
    bound.extend(key.0);
    bound.extend(id.as_bytes());
    bound.extend(purpose.as_str().as_bytes());
    bound
}

fn fill(bytes: &mut [u8]) -> Result<(), StoreError> {
    SystemRandom::new()
        .fill(bytes)
        .map_err(|_| StoreError::Corrupt("random number"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const PURPOSE: SecretPurpose = SecretPurpose::WebhookSecret;

    fn ring(current: u8, others: &[u8]) -> Keyring {
        let key = |byte: u8| SecretKey::new([byte; KEY_LEN]);
        Keyring::new(key(current), others.iter().map(|byte| key(*byte)))
    }

    #[test]
    fn an_envelope_opens_only_undamaged_for_its_owner_and_purpose() {
        let ring = ring(1, &[]);
        let mine = OrganizationId::generate();
        let envelope = ring.seal(PURPOSE, mine, b"hunter2-hunter2").unwrap();
        let opened = ring.open(PURPOSE, mine, &envelope).unwrap();
        assert_eq!(opened.expose_secret(), b"hunter2-hunter2");
        let elsewhere: [(SecretPurpose, SecretOwner); 4] = [
            (PURPOSE, OrganizationId::generate().into()),
            (PURPOSE, UserId(mine.0).into()),
            (PURPOSE, SecretOwner::Instance),
            (SecretPurpose::GitCredential, mine.into()),
        ];
        for (purpose, owner) in elsewhere {
            assert!(
                ring.open(purpose, owner, &envelope).is_err(),
                "{purpose:?} {owner:?}"
            );
        }
        for at in 0..envelope.len() {
            let mut damaged = envelope.clone();
            damaged[at] ^= 1;
            assert!(ring.open(PURPOSE, mine, &damaged).is_err(), "byte {at}");
            assert!(
                ring.open(PURPOSE, mine, &envelope[..at]).is_err(),
                "{at} bytes"
            );
        }
        assert!(
            ring.open(PURPOSE, mine, &[&envelope[..], b"x"].concat())
                .is_err()
        );
    }

    #[test]
    fn an_older_key_opens_but_never_seals() {
        let (before, after) = (ring(1, &[]), ring(2, &[1]));
        let owner = SecretOwner::Instance;
        let old = before.seal(PURPOSE, owner, b"secret").unwrap();
        assert!(after.open(PURPOSE, owner, &old).is_ok());
        let new = after.seal(PURPOSE, owner, b"secret").unwrap();
        assert_eq!(Keyring::key_of(&new), Some(after.current()));
        assert!(before.open(PURPOSE, owner, &new).is_err());
        assert!(
            ring(2, &[]).open(PURPOSE, owner, &old).is_err(),
            "its key is gone"
        );
    }

    #[test]
    fn an_envelope_of_version_1_opens_with_any_key_of_the_ring() {
        // Sealed by the first version of the program with a key of 32 times 7.
        let organization = OrganizationId(Uuid::from_u128(1));
        let mut sealed = b"{}".to_vec();
        let nonce = [9; NONCE_LEN];
        SecretKey::new([7; KEY_LEN])
            .cipher()
            .unwrap()
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(organization.0.as_bytes()),
                &mut sealed,
            )
            .unwrap();
        let old = [&[OLD_VERSION][..], &nonce, &sealed].concat();
        let ring = ring(1, &[2, 7]);
        let opened = ring.open(SecretPurpose::GitCredential, organization, &old);
        assert_eq!(opened.unwrap().expose_secret(), b"{}");
        assert_eq!(Keyring::key_of(&old), None);
        let stranger = OrganizationId::generate();
        assert!(
            ring.open(SecretPurpose::GitCredential, stranger, &old)
                .is_err()
        );
        assert!(ring.open(PURPOSE, organization, &old).is_err());
    }

    #[test]
    fn nothing_of_a_key_or_a_secret_is_shown() {
        let ring = ring(1, &[2]);
        let one = ring
            .seal(PURPOSE, SecretOwner::Instance, b"hunter2-hunter2")
            .unwrap();
        let two = ring
            .seal(PURPOSE, SecretOwner::Instance, b"hunter2-hunter2")
            .unwrap();
        assert_ne!(one, two);
        assert!(!one.windows(7).any(|window| window == b"hunter2"));
        let opened = ring.open(PURPOSE, SecretOwner::Instance, &one).unwrap();
        let shown = format!("{ring:?} {opened:?}");
        assert!(
            !shown.contains("hunter2") && !shown.contains("1, 1"),
            "{shown}"
        );
    }
}
