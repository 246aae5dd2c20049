//! Which passwords are too weak to be set, by what guessing them would take (zxcvbn).

use quarry_shared::domain::{ErrorKind, Kinded};
use thiserror::Error;
use zxcvbn::{Score, zxcvbn};

use super::passwords::MAX_PASSWORD_BYTES;
use crate::problem::{ApiError, FieldError};

/// Fewest characters.
pub const MIN_PASSWORD_CHARACTERS: usize = 10;
/// Over 10^8 guesses: safe from guessing at the door, hard to guess from a stolen hash.
const LEAST_SCORE: Score = Score::Three;

/// Why a password cannot be set.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum WeakPassword {
    #[error("the password is shorter than {MIN_PASSWORD_CHARACTERS} characters")]
    TooShort,
    #[error("the password is longer than {MAX_PASSWORD_BYTES} bytes")]
    TooLong,
    /// What makes it easy, in zxcvbn's words.
    #[error("the password is easy to guess: {0}")]
    Guessable(String),
}

impl Kinded for WeakPassword {
    fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidInput
    }

    fn code(&self) -> &'static str {
        "weak_password"
    }
}

impl WeakPassword {
    /// The problem, with the field that held the password.
    #[must_use]
    pub fn at(self, pointer: &str) -> ApiError {
        let detail = self.to_string();
        ApiError::from(self).with_errors(vec![FieldError {
            pointer: pointer.to_owned(),
            detail,
        }])
    }
}

/// Refuses a password that is easy to guess, above all by somebody who knows the person.
///
/// # Errors
/// [`WeakPassword`] says what is wrong with it.
pub fn check(password: &str, email: &str, name: &str) -> Result<(), WeakPassword> {
    if password.len() > MAX_PASSWORD_BYTES {
        return Err(WeakPassword::TooLong);
    }
    if password.chars().count() < MIN_PASSWORD_CHARACTERS {
        return Err(WeakPassword::TooShort);
    }
    let known = known_words(email, name);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let estimate = zxcvbn(password, &known);
    if estimate.score() >= LEAST_SCORE {
        return Ok(());
    }
    let warning = estimate.feedback().and_then(|feedback| {
        let warning = feedback.warning().map(|warning| warning.to_string());
        warning.or_else(|| feedback.suggestions().first().map(ToString::to_string))
    });
    let reason = warning.unwrap_or_else(|| "It is made of common parts.".to_owned());
    Err(WeakPassword::Guessable(reason))
}

/// The address, the name, their parts, and the parts written as one word.
fn known_words(email: &str, name: &str) -> Vec<String> {
    let joined = |text: &str| -> String {
        let letters = text.chars().filter(|letter| letter.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let mut words = vec![
        email.to_lowercase(),
        name.to_lowercase(),
        joined(name),
        joined(email.split('@').next().unwrap_or_default()),
        "quarry".to_owned(),
    ];
    let parts = email
        .split(|character: char| !character.is_alphanumeric())
        .chain(name.split_whitespace())
        .filter(|part| part.chars().count() >= 3)
        .map(str::to_lowercase);
    words.extend(parts);
    words
}

#[cfg(test)]
mod tests {
    use super::{WeakPassword, check};

    #[test]
    fn weak_passwords_are_refused_with_what_makes_them_weak() {
        let (email, name) = ("grace.hopper@example.com", "Grace Hopper");
        assert_eq!(check("short", email, name), Err(WeakPassword::TooShort));
        let long = "x".repeat(1025);
        assert_eq!(check(&long, email, name), Err(WeakPassword::TooLong));
        for weak in [
            "password123",
            "aaaaaaaaaaaaaaaa",
            "qwertyuiopasdf",
            "gracehopper1906",
            "grace.hopper@example.com",
            "quarryquarry1",
            "abcdefghijkl",
            "0123456789012",
        ] {
            let refused = check(weak, email, name);
            assert!(
                matches!(&refused, Err(WeakPassword::Guessable(reason)) if !reason.is_empty()),
                "{weak}: {refused:?}"
            );
        }
        for strong in [
            "correct horse battery staple",
            "vZ3-kkQ9xw.Lm",
            "日本語のとても長い合言葉です",
        ] {
            assert_eq!(check(strong, email, name), Ok(()), "{strong}");
        }
    }
}
