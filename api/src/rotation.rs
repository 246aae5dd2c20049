//! `quarry-api rotate-secrets`: seals every stored secret with the newest key.

use anyhow::{Context, bail};
use quarry_migrations::{Migrator, MigratorTrait};
use quarry_shared::{
    config::Settings,
    services::{self, DataDirectory, keys},
    store::{
        keyring::KeyId,
        sealed::{self, Rotated},
    },
};

/// What becomes of the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::Args)]
pub struct KeyChanges {
    /// Make a new key first. Needs the server to be stopped.
    #[arg(long)]
    pub new_key: bool,
    /// Remove all keys but the newest one, once no secret needs them. Needs the server to be
    /// stopped. Secrets in older backups need the removed keys: keep them with the backups.
    #[arg(long)]
    pub remove_old_keys: bool,
}

/// What a rotation did.
#[derive(Debug)]
pub struct Report {
    /// The key that seals now.
    pub key: KeyId,
    pub rotated: Rotated,
    pub removed_keys: usize,
}

/// Rotates. May be repeated at any time, and after being stopped at any point.
///
/// # Errors
/// With the step that failed; what has been sealed anew stays so.
pub async fn rotate_secrets(settings: &Settings, changes: KeyChanges) -> anyhow::Result<Report> {
    // A running server would go on to seal with a key that it no longer finds after its next start.
    let _stopped = (changes.new_key || changes.remove_old_keys)
        .then(|| DataDirectory::lock(&settings.data.directory))
        .transpose()
        .context("stop the server before its keys are changed")?;
    let database = services::open_database(settings).await?;
    Migrator::up(database.writer(), None)
        .await
        .context("migrating the database")?;
    let keyring = if changes.new_key {
        keys::add_key(settings)?
    } else {
        keys::load_keyring(settings)?
    };
    let rotated = sealed::rotate(&database, &keyring)
        .await
        .context("sealing secrets anew")?;
    let mut removed_keys = 0;
    if changes.remove_old_keys {
        if !rotated.is_complete() {
            bail!(
                "{} secrets do not open: their keys, if they are still there, are kept",
                rotated.unreadable
            );
        }
        keys::remove_old_keys(settings)?;
        removed_keys = keyring.keys().len() - 1;
    }
    Ok(Report {
        key: keyring.current(),
        rotated,
        removed_keys,
    })
}
