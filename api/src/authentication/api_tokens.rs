//! What an API token looks like: `qry_`, an id of 22 characters, a secret of 43 and a checksum of 6,
//! all in letters and digits.
//!
//! Secret scanners find it with `\bqry_[0-9A-Za-z]{71}\b` and can tell a real one by its checksum:
//! CRC-32 (IEEE) over everything before it, in base 62 (`0-9A-Za-z`), filled with zeros.

use quarry_shared::domain::ApiTokenId;
use rand::RngExt;
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

use super::secrets;

/// What every API token begins with.
pub const PREFIX: &str = "qry_";
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_CHARS: usize = 22;
/// 62^43 is more than 2^256.
const SECRET_CHARS: usize = 43;
const CHECKSUM_CHARS: usize = 6;

/// The parts of a token that has the right shape and checksum.
pub struct ApiTokenText {
    pub id: ApiTokenId,
    secret: SecretString,
}

impl ApiTokenText {
    /// The token that a text is, if it is one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(PREFIX)?;
        let is_sound = rest.len() == ID_CHARS + SECRET_CHARS + CHECKSUM_CHARS
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_sound {
            return None;
        }
        let (body, checksum) = text.split_at(PREFIX.len() + ID_CHARS + SECRET_CHARS);
        if checksum != checksum_of(body) {
            return None;
        }
        let (id, secret) = body[PREFIX.len()..].split_at(ID_CHARS);
        let id = number(id)?;
        Some(Self {
            id: ApiTokenId(Uuid::from_u128(id)),
            secret: secret.into(),
        })
    }

    /// What is stored of the secret. It is random, so a plain hash cannot be guessed back.
    #[must_use]
    pub fn secret_hash(&self) -> String {
        secrets::hash(self.secret.expose_secret())
    }
}

/// A new secret: the text that is put together with an id later, and its hash.
#[must_use]
pub fn generate_secret() -> (SecretString, String) {
    let mut random = rand::rng();
    let secret: String = (0..SECRET_CHARS)
        .map(|_| char::from(ALPHABET[random.random_range(0..ALPHABET.len())]))
        .collect();
    let hash = secrets::hash(&secret);
    (secret.into(), hash)
}

/// The whole token, to be shown once.
#[must_use]
pub fn write(id: ApiTokenId, secret: &SecretString) -> String {
    let id = digits(id.0.as_u128(), ID_CHARS);
    let body = format!("{PREFIX}{id}{}", secret.expose_secret());
    let checksum = checksum_of(&body);
    format!("{body}{checksum}")
}

fn checksum_of(body: &str) -> String {
    digits(u128::from(crc32(body.as_bytes())), CHECKSUM_CHARS)
}

fn digits(mut value: u128, length: usize) -> String {
    let mut text = vec![b'0'; length];
    for place in text.iter_mut().rev() {
        // Below 62, so that it fits.
        *place = ALPHABET[(value % 62) as usize];
        value /= 62;
    }
    String::from_utf8_lossy(&text).into_owned()
}

fn number(digits: &str) -> Option<u128> {
    digits.bytes().try_fold(0_u128, |value, digit| {
        let digit = ALPHABET.iter().position(|known| *known == digit)?;
        value.checked_mul(62)?.checked_add(digit as u128)
    })
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut rest = u32::MAX;
    for byte in bytes {
        rest ^= u32::from(*byte);
        for _ in 0..8 {
            let is_odd = rest & 1 == 1;
            rest >>= 1;
            if is_odd {
                rest ^= 0xEDB8_8320;
            }
        }
    }
    !rest
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use quarry_shared::domain::ApiTokenId;
    use uuid::Uuid;

    use super::{ApiTokenText, crc32, generate_secret, write};

    #[test]
    fn a_token_is_read_back_and_every_changed_character_is_noticed() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        for id in [Uuid::nil(), Uuid::max(), Uuid::now_v7()] {
            let (secret, hash) = generate_secret();
            let token = write(ApiTokenId(id), &secret);
            assert_eq!(token.len(), 75);
            let parsed = ApiTokenText::parse(&token).unwrap();
            assert_eq!((parsed.id.0, parsed.secret_hash()), (id, hash));
            for place in 0..token.len() {
                let mut changed = token.clone().into_bytes();
                changed[place] = if changed[place] == b'x' { b'y' } else { b'x' };
                let changed = String::from_utf8(changed).unwrap();
                assert!(ApiTokenText::parse(&changed).is_none(), "{place}");
            }
            for cut in 0..token.len() {
                assert!(ApiTokenText::parse(&token[..cut]).is_none(), "{cut}");
            }
        }
    }

    #[test]
    fn what_only_looks_like_a_token_is_none() {
        let long = format!("qry_{}", "z".repeat(71));
        let huge = format!("qry_{}", "0".repeat(1_000_000));
        let wide = format!("qry_{}", "é".repeat(35) + "0");
        for text in ["", "qry_", "qry_-", &long, &huge, &wide, "QRY_0"] {
            assert!(ApiTokenText::parse(text).is_none());
        }
    }
}
