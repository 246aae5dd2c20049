//! Codes of authenticators (RFC 6238: SHA-1, six digits, thirty seconds) and recovery codes.
//!
//! Whether a code was used before is the store's business.

use quarry_shared::{
    domain::UserId,
    store::keyring::{Keyring, SecretPurpose},
};
use rand::seq::IndexedRandom;
use secrecy::ExposeSecret;
use totp_rs::{Algorithm, TOTP};

use super::secrets;
use crate::problem::ApiError;

const ISSUER: &str = "Quarry";
const STEP_SECONDS: i64 = 30;
/// Steps before and after the present one whose codes are taken, for clocks that differ.
const SKEW: i64 = 1;
const SECRET_BYTES: usize = 20;
const RECOVERY_CODES: usize = 10;
/// Without letters and digits that are hard to tell apart.
const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const RECOVERY_CODE_LETTERS: usize = 16;

/// The secret of an authenticator.
pub struct TotpSecret(TOTP);

impl TotpSecret {
    /// A new secret for an account.
    ///
    /// # Errors
    /// `Internal` when the parameters do not fit.
    pub fn generate(email: &str) -> Result<Self, ApiError> {
        Self::from_bytes(rand::random::<[u8; SECRET_BYTES]>().to_vec(), email)
    }

    /// The secret in a sealed envelope.
    ///
    /// # Errors
    /// `Internal` when the envelope is damaged or its key is gone.
    pub fn open(keyring: &Keyring, user_id: UserId, envelope: &[u8]) -> Result<Self, ApiError> {
        let opened = keyring.open(SecretPurpose::TotpSecret, user_id, envelope)?;
        Self::from_bytes(opened.expose_secret().to_vec(), "account")
    }

    /// The envelope of the secret.
    ///
    /// # Errors
    /// `Internal` when the machine has no random numbers.
    pub fn seal(&self, keyring: &Keyring, user_id: UserId) -> Result<Vec<u8>, ApiError> {
        Ok(keyring.seal(SecretPurpose::TotpSecret, user_id, &self.0.secret)?)
    }

    /// To be typed into an authenticator.
    #[must_use]
    pub fn base32(&self) -> String {
        self.0.get_secret_base32()
    }

    /// To be shown to an authenticator as a picture.
    #[must_use]
    pub fn url(&self) -> String {
        self.0.get_url()
    }

    /// The time step whose code this is, if it is close enough to `now` (Unix seconds).
    #[must_use]
    pub fn step_of(&self, code: &str, now: i64) -> Option<i64> {
        let present = now / STEP_SECONDS;
        // All are compared, whichever fits.
        (present - SKEW..=present + SKEW)
            .filter(|step| {
                let second = u64::try_from(step * STEP_SECONDS).unwrap_or_default();
                same(self.0.generate(second).as_bytes(), code.as_bytes())
            })
            .max()
    }

    fn from_bytes(secret: Vec<u8>, email: &str) -> Result<Self, ApiError> {
        // A colon would end the issuer in the address.
        let account = email.replace(':', " ");
        let step = STEP_SECONDS.unsigned_abs();
        let issuer = Some(ISSUER.to_owned());
        TOTP::new(Algorithm::SHA1, 6, 1, step, secret, issuer, account)
            .map(Self)
            .map_err(|error| ApiError::internal(error.to_string()))
    }
}

/// Codes that stand in for a lost authenticator; 16 letters are worth 80 bits.
#[must_use]
pub fn recovery_codes() -> Vec<String> {
    let mut random = rand::rng();
    (0..RECOVERY_CODES)
        .map(|_| {
            let letters: Vec<char> = (0..RECOVERY_CODE_LETTERS)
                .filter_map(|_| ALPHABET.choose(&mut random))
                .map(|letter| char::from(*letter))
                .collect();
            let groups: Vec<String> = letters
                .chunks(4)
                .map(|group| group.iter().collect())
                .collect();
            groups.join("-")
        })
        .collect()
}

/// What is stored of a recovery code, however it was typed.
#[must_use]
pub fn recovery_code_hash(code: &str) -> String {
    let letters: String = code
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_uppercase())
        .collect();
    secrets::hash(&letters)
}

/// Compares without stopping at the first difference.
fn same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{TotpSecret, recovery_code_hash, recovery_codes};

    #[test]
    fn codes_are_those_of_the_standard_and_are_good_for_a_step_around_theirs() {
        // RFC 6238, appendix B, cut to six digits.
        let secret = TotpSecret::from_bytes(b"12345678901234567890".to_vec(), "a@b").unwrap();
        for (second, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_234_567_890, "005924"),
        ] {
            assert_eq!(secret.step_of(code, second), Some(second / 30), "{second}");
            assert_eq!(secret.step_of(code, second + 30), Some(second / 30));
            assert_eq!(secret.step_of(code, second - 30), Some(second / 30));
            assert_eq!(secret.step_of(code, second + 60), None);
        }
        assert_eq!(secret.step_of("081804", 1_111_111_109 - 60), None);
        for wrong in ["", "287083", "28708", "2870820", "287082 "] {
            assert_eq!(secret.step_of(wrong, 59), None, "{wrong}");
        }
    }

    #[test]
    fn the_address_names_issuer_and_account() {
        let secret = TotpSecret::generate("ada:x@example.com").unwrap();
        let url = secret.url();
        assert!(
            url.starts_with("otpauth://totp/Quarry:ada%20x%40example.com?secret="),
            "{url}"
        );
        assert!(
            url.contains(&secret.base32()) && url.contains("issuer=Quarry"),
            "{url}"
        );
    }

    #[test]
    fn recovery_codes_differ_and_may_be_typed_carelessly() {
        let mut codes = recovery_codes();
        assert!(codes.iter().all(|code| code.len() == 19), "{codes:?}");
        let typed = format!(" {}", codes[0].to_lowercase().replace('-', " "));
        assert_eq!(recovery_code_hash(&typed), recovery_code_hash(&codes[0]));
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), 10);
    }
}
