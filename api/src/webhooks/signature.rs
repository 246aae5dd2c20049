//! Whether an event comes from somebody who knows the repository's secret.
//!
//! The exact bytes that came in are signed, while they come in; nothing is parsed before. Every
//! request costs the same work, whether or not it can be right.

use actix_web::http::header::HeaderMap;
use base64::{Engine, engine::general_purpose::STANDARD};
use ring::hmac;

use super::Provider;

/// Secrets in this form hold a key in Base64, as GitLab's signing tokens do. Other hosts take the
/// text as it is.
const KEY_PREFIX: &str = "whsec_";

/// A new secret that every host accepts.
#[must_use]
pub fn generate_secret() -> String {
    format!(
        "{KEY_PREFIX}{}",
        STANDARD.encode(rand::random::<[u8; 32]>())
    )
}

/// Checks one request's signature over the body that is fed to it.
pub struct Checker {
    body: hmac::Context,
    claim: Claim,
    secret: Vec<u8>,
}

/// What the request says to prove itself.
enum Claim {
    /// The HMAC, or what cannot be one.
    Hex(Option<[u8; 32]>),
    GitLab {
        token: Option<Vec<u8>>,
        signatures: Vec<Vec<u8>>,
    },
}

impl Checker {
    /// From the headers. Without a secret nothing is right.
    #[must_use]
    pub fn new(provider: Provider, secret: &[u8], headers: &HeaderMap) -> Self {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let prefixed = |name: &str| text(name).map(|value| value.strip_prefix("sha256="));
        let hex = |value: Option<&str>| Claim::Hex(value.and_then(from_hex));
        let (key, start, claim) = match provider {
            Provider::GitHub => (
                secret.to_vec(),
                String::new(),
                hex(prefixed("x-hub-signature-256").flatten()),
            ),
            Provider::Bitbucket => (
                secret.to_vec(),
                String::new(),
                hex(prefixed("x-hub-signature").flatten()),
            ),
            Provider::Gitea => {
                let found = prefixed("x-hub-signature-256")
                    .or_else(|| text("x-gitea-signature").map(Some))
                    .or_else(|| text("x-forgejo-signature").map(Some));
                (secret.to_vec(), String::new(), hex(found.flatten()))
            }
            Provider::GitLab => {
                let key = signing_key(secret);
                let part = |name| text(name).unwrap_or_default();
                let start = format!("{}.{}.", part("webhook-id"), part("webhook-timestamp"));
                let signatures = key.as_ref().map(|_| part("webhook-signature"));
                let claim = Claim::GitLab {
                    token: headers
                        .get("x-gitlab-token")
                        .map(|value| value.as_bytes().to_vec()),
                    signatures: signatures
                        .unwrap_or_default()
                        .split(' ')
                        .take(10)
                        .filter_map(|one| STANDARD.decode(one.strip_prefix("v1,")?).ok())
                        .collect(),
                };
                (key.unwrap_or_else(|| secret.to_vec()), start, claim)
            }
        };
        let mut body = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, &key));
        body.update(start.as_bytes());
        Self {
            body,
            claim,
            secret: secret.to_vec(),
        }
    }

    /// The next bytes of the body.
    pub fn update(&mut self, bytes: &[u8]) {
        self.body.update(bytes);
    }

    /// Whether the request has proven itself, once all of the body has come.
    #[must_use]
    pub fn holds(self) -> bool {
        let expected = self.body.sign();
        let is_right = match self.claim {
            Claim::Hex(given) => {
                is_same(&given.unwrap_or_default(), expected.as_ref()) & given.is_some()
            }
            Claim::GitLab { token, signatures } => {
                let by_token = is_same(&token.unwrap_or_default(), &self.secret);
                signatures.iter().fold(by_token, |held, given| {
                    held | is_same(given, expected.as_ref())
                })
            }
        };
        is_right && !self.secret.is_empty()
    }
}

/// In time that tells nothing about where two texts differ.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let key = hmac::Key::new(hmac::HMAC_SHA256, &rand::random::<[u8; 32]>());
    hmac::verify(&key, one, hmac::sign(&key, other).as_ref()).is_ok()
}

fn signing_key(secret: &[u8]) -> Option<Vec<u8>> {
    let encoded = secret.strip_prefix(KEY_PREFIX.as_bytes())?;
    STANDARD.decode(encoded).ok().filter(|key| !key.is_empty())
}

/// 64 digits in lower case, as all hosts write them.
fn from_hex(text: &str) -> Option<[u8; 32]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; 32];
    if text.len() != 64 {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}
