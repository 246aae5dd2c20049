//! Every column that holds an envelope of the keyring, and how all of them are sealed anew.
//!
//! A column that is made later joins [`COLUMNS`]; a test fails while a binary column of the schema
//! is in neither of its lists.

use sea_orm::{ConnectionTrait, Value, prelude::Uuid};

use super::{
    Database, StoreError,
    keyring::{Keyring, SecretOwner, SecretPurpose},
    sql::{execute, statement},
};
use crate::domain::{OrganizationId, UserId};
use secrecy::ExposeSecret;

/// Rows that are read, sealed and written in one transaction: short enough for nobody to wait.
const ROWS_PER_TRANSACTION: u64 = 100;

/// Which column says whom an envelope belongs to.
#[derive(Debug, Clone, Copy)]
pub enum OwnerColumn {
    Organization(&'static str),
    User(&'static str),
    Instance,
}

/// A column of envelopes in a table whose key is a UUID named `id`.
#[derive(Debug, Clone, Copy)]
pub struct SealedColumn {
    pub table: &'static str,
    /// Key of the table, a UUID.
    pub key: &'static str,
    pub column: &'static str,
    pub owner: OwnerColumn,
    pub purpose: SecretPurpose,
}

/// All of them.
pub const COLUMNS: &[SealedColumn] = &[
    SealedColumn {
        table: "repositories",
        key: "id",
        column: "credential",
        owner: OwnerColumn::Organization("organization_id"),
        purpose: SecretPurpose::GitCredential,
    },
    SealedColumn {
        table: "identity_providers",
        key: "id",
        column: "client_secret",
        owner: OwnerColumn::Organization("organization_id"),
        purpose: SecretPurpose::OidcClientSecret,
    },
    SealedColumn {
        table: "totp_secrets",
        key: "user_id",
        column: "secret",
        owner: OwnerColumn::User("user_id"),
        purpose: SecretPurpose::TotpSecret,
    },
    SealedColumn {
        table: "webhook_secrets",
        key: "repository_id",
        column: "secret",
        owner: OwnerColumn::Organization("organization_id"),
        purpose: SecretPurpose::WebhookSecret,
    },
];

/// What a rotation found and did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rotated {
    /// Sealed anew just now.
    pub resealed: u64,
    /// Sealed with the current key before.
    pub current: u64,
    /// Neither damaged ones nor those whose key is gone are touched.
    pub unreadable: u64,
    /// Changed by somebody else at the same moment; the next rotation sees them.
    pub changed_meanwhile: u64,
}

impl Rotated {
    /// Whether no secret needs any key but the current one.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.unreadable == 0 && self.changed_meanwhile == 0
    }
}

/// Seals every secret that another key or version has sealed with the current key. Stops and goes
/// on anywhere: what is done is skipped the next time.
///
/// # Errors
/// [`StoreError`] of the database; what was committed before stays.
pub async fn rotate(database: &Database, keyring: &Keyring) -> Result<Rotated, StoreError> {
    let mut total = Rotated::default();
    for column in COLUMNS {
        rotate_column(database, keyring, column, &mut total).await?;
    }
    Ok(total)
}

async fn rotate_column(
    database: &Database,
    keyring: &Keyring,
    column: &SealedColumn,
    total: &mut Rotated,
) -> Result<(), StoreError> {
    let mut after = Uuid::nil();
    loop {
        let transaction = database.begin().await?;
        let rows = rows(&transaction, column, after).await?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        after = last.key;
        for row in &rows {
            reseal(&transaction, keyring, column, row, total).await?;
        }
        transaction.commit().await?;
    }
}

struct Row {
    key: Uuid,
    owner: SecretOwner,
    envelope: Vec<u8>,
}

async fn rows(
    database: &impl ConnectionTrait,
    column: &SealedColumn,
    after: Uuid,
) -> Result<Vec<Row>, StoreError> {
    let SealedColumn {
        table,
        key,
        column: envelope,
        ..
    } = column;
    let owner = match column.owner {
        OwnerColumn::Organization(name) | OwnerColumn::User(name) => name,
        OwnerColumn::Instance => key,
    };
    let text = format!(
        "SELECT {key} AS sealed_key, {owner} AS sealed_owner, {envelope} AS sealed_envelope \
         FROM {table} WHERE {envelope} IS NOT NULL AND {key} > $1 \
         ORDER BY {key} LIMIT {ROWS_PER_TRANSACTION}"
    );
    let found = database
        .query_all_raw(statement(database, &text, [after.into()]))
        .await?;
    found
        .iter()
        .map(|row| {
            let owner: Uuid = row.try_get("", "sealed_owner")?;
            Ok(Row {
                key: row.try_get("", "sealed_key")?,
                owner: match column.owner {
                    OwnerColumn::Organization(_) => OrganizationId(owner).into(),
                    OwnerColumn::User(_) => UserId(owner).into(),
                    OwnerColumn::Instance => SecretOwner::Instance,
                },
                envelope: row.try_get("", "sealed_envelope")?,
            })
        })
        .collect()
}

async fn reseal(
    database: &impl ConnectionTrait,
    keyring: &Keyring,
    column: &SealedColumn,
    row: &Row,
    total: &mut Rotated,
) -> Result<(), StoreError> {
    let Ok(secret) = keyring.open(column.purpose, row.owner, &row.envelope) else {
        tracing::warn!(
            table = column.table,
            column = column.column,
            key = %row.key,
            "a stored secret does not open with any key"
        );
        total.unreadable += 1;
        return Ok(());
    };
    if Keyring::key_of(&row.envelope) == Some(keyring.current()) {
        total.current += 1;
        return Ok(());
    }
    let sealed = keyring.seal(column.purpose, row.owner, secret.expose_secret())?;
    let SealedColumn {
        table, key, column, ..
    } = column;
    let text = format!("UPDATE {table} SET {column} = $2 WHERE {key} = $1 AND {column} = $3");
    let values: [Value; 3] = [row.key.into(), sealed.into(), row.envelope.clone().into()];
    match execute(database, &text, values).await? {
        0 => total.changed_meanwhile += 1,
        _ => total.resealed += 1,
    }
    Ok(())
}
