//! Random secrets that are handed out once. Only their hashes are stored; they are random, so a
//! plain hash cannot be guessed back.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// Longest secret that is looked at, in bytes.
pub const MAX_SECRET_BYTES: usize = 256;

/// 256 random bits as text for addresses, cookies and bodies.
#[must_use]
pub fn generate() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}

/// What is stored of a secret.
#[must_use]
pub fn hash(secret: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(secret.as_bytes()))
}
