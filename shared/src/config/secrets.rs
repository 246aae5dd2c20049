//! Keys for secrets at rest.

use std::path::PathBuf;

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::server::hidden;

/// Settings of secrets at rest (`[secrets]`).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SecretSettings {
    /// Keys of 32 random bytes in base64, separated by commas. The first one seals, the others
    /// only open what they once sealed. Empty means the key file.
    #[serde(serialize_with = "hidden")]
    pub keys: Option<SecretString>,
    /// File with one such key a line. Empty means `keys/credentials` in the data directory, which
    /// is generated at the first start. Several servers of one installation need the same keys.
    pub key_file: Option<PathBuf>,
}
