//! The first administrator, with an organization and a project to begin in.

use quarry_shared::{
    config::AdminSettings,
    store::{
        Database, StoreError, organizations, projects,
        users::{self, NewUser, normalized_email},
    },
};
use rand::seq::IndexedRandom;
use secrecy::{ExposeSecret, SecretString};

use super::{AuthenticationSetupError, passwords, strength};

/// An account whose password was generated and must be shown once.
#[derive(Debug)]
pub struct GeneratedAccount {
    pub email: String,
    pub password: SecretString,
}

/// Creates the administrator while no account exists. Returns the account when its password was
/// generated; nobody can ask for it later.
///
/// # Errors
/// [`AuthenticationSetupError`] when hashing or storing fails.
pub async fn ensure_administrator(
    database: &Database,
    settings: &AdminSettings,
) -> Result<Option<GeneratedAccount>, AuthenticationSetupError> {
    if users::any_exists(database.writer()).await? {
        return Ok(None);
    }
    let given = settings
        .password
        .clone()
        .filter(|password| !password.expose_secret().is_empty());
    if let Some(password) = &given {
        strength::check(password.expose_secret(), &settings.email, "")?;
    }
    let is_generated = given.is_none();
    let password = given.unwrap_or_else(generate_password);
    let administrator = NewUser {
        email: settings.email.clone(),
        name: "Administrator".to_owned(),
        password_hash: passwords::hash(password.expose_secret())?,
        is_instance_administrator: true,
    };
    match create(database, administrator).await {
        Ok(()) => Ok(is_generated.then(|| GeneratedAccount {
            email: normalized_email(&settings.email),
            password,
        })),
        // Another server of the installation was faster.
        Err(StoreError::Conflict { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

async fn create(database: &Database, administrator: NewUser) -> Result<(), StoreError> {
    let transaction = database.begin().await?;
    let user = users::create(&transaction, administrator).await?;
    let organization = organizations::create(&transaction, user.id, "default").await?;
    projects::create_in(&transaction, organization.id, "default").await?;
    transaction.commit().await?;
    Ok(())
}

/// Letters and digits that are hard to confuse; 24 of them are worth 137 bits.
fn generate_password() -> SecretString {
    const ALPHABET: &[u8] = b"abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let mut random = rand::rng();
    let password: String = (0..24)
        .filter_map(|_| ALPHABET.choose(&mut random))
        .map(|byte| char::from(*byte))
        .collect();
    password.into()
}
