//! People.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, SqlErr,
    sea_query::Expr,
};

use super::{
    StoreError,
    entities::user::{ActiveModel, Column, Entity, Model},
};
use crate::domain::UserId;

/// Whose account it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountKind {
    Person,
    /// A program's: it cannot sign in and uses API tokens alone (`service_accounts`).
    Service,
}

impl AccountKind {
    /// Stored and shown form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Service => "service",
        }
    }

    /// Anything unknown may do less than a person.
    fn read(text: &str) -> Self {
        if text == Self::Person.as_str() {
            return Self::Person;
        }
        Self::Service
    }
}

/// A person who may sign in, or a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// In lower case; unique.
    pub email: String,
    pub name: String,
    pub kind: AccountKind,
    /// May see jobs and create organizations. Gives no access to any organization's code.
    pub is_instance_administrator: bool,
    pub created_at: DateTime<Utc>,
}

/// A person to create.
#[derive(Debug, Clone)]
pub struct NewUser {
    pub email: String,
    pub name: String,
    /// PHC string; never a password.
    pub password_hash: String,
    pub is_instance_administrator: bool,
}

/// One spelling per address.
#[must_use]
pub fn normalized_email(email: &str) -> String {
    email.trim().to_lowercase()
}

/// The person, unless missing or deactivated.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn find(db: &impl ConnectionTrait, id: UserId) -> Result<Option<User>, StoreError> {
    let row = Entity::find_by_id(id.0)
        .filter(Column::DeactivatedAt.is_null())
        .one(db)
        .await?;
    Ok(row.map(User::from))
}

/// The person with this address and the stored password hash, unless missing or deactivated.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn find_for_sign_in(
    db: &impl ConnectionTrait,
    email: &str,
) -> Result<Option<(User, String)>, StoreError> {
    let row = Entity::find()
        .filter(Column::Email.eq(normalized_email(email)))
        .filter(Column::Kind.eq(AccountKind::Person.as_str()))
        .filter(Column::DeactivatedAt.is_null())
        .one(db)
        .await?;
    Ok(row.map(|row| {
        let hash = row.password_hash.clone();
        (User::from(row), hash)
    }))
}

/// The stored password hash, unless the person is missing or deactivated.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn password_hash(
    db: &impl ConnectionTrait,
    id: UserId,
) -> Result<Option<String>, StoreError> {
    Ok(Entity::find_by_id(id.0)
        .select_only()
        .column(Column::PasswordHash)
        .filter(Column::DeactivatedAt.is_null())
        .into_tuple()
        .one(db)
        .await?)
}

/// Replaces the password hash.
///
/// # Errors
/// [`StoreError::NotFound`] when the person is missing or deactivated.
pub async fn set_password_hash(
    db: &impl ConnectionTrait,
    id: UserId,
    hash: &str,
) -> Result<(), StoreError> {
    let changed = Entity::update_many()
        .col_expr(Column::PasswordHash, Expr::value(hash))
        .filter(Column::Id.eq(id.0))
        .filter(Column::DeactivatedAt.is_null())
        .exec(db)
        .await?;
    match changed.rows_affected {
        0 => Err(StoreError::NotFound("user")),
        _ => Ok(()),
    }
}

/// Whether any account exists, deactivated ones included.
///
/// # Errors
/// [`StoreError`] of the database only.
pub async fn any_exists(db: &impl ConnectionTrait) -> Result<bool, StoreError> {
    let row: Option<uuid::Uuid> = Entity::find()
        .select_only()
        .column(Column::Id)
        .into_tuple()
        .one(db)
        .await?;
    Ok(row.is_some())
}

/// Creates an account.
///
/// # Errors
/// [`StoreError::Conflict`] `email_taken` when the address is in use.
pub async fn create(db: &impl ConnectionTrait, user: NewUser) -> Result<User, StoreError> {
    let row = ActiveModel {
        id: Set(UserId::generate().0),
        email: Set(normalized_email(&user.email)),
        name: Set(user.name),
        password_hash: Set(user.password_hash),
        is_instance_administrator: Set(user.is_instance_administrator),
        created_at: Set(Utc::now()),
        deactivated_at: Set(None),
        kind: Set(AccountKind::Person.as_str().to_owned()),
        service_organization_id: Set(None),
    };
    match Entity::insert(row).exec_with_returning(db).await {
        Ok(row) => Ok(row.into()),
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
            Err(StoreError::Conflict {
                code: "email_taken",
                detail: "an account with this e-mail address exists".to_owned(),
            })
        }
        Err(error) => Err(error.into()),
    }
}

impl From<Model> for User {
    fn from(row: Model) -> Self {
        Self {
            id: UserId(row.id),
            email: row.email,
            name: row.name,
            kind: AccountKind::read(&row.kind),
            is_instance_administrator: row.is_instance_administrator,
            created_at: row.created_at,
        }
    }
}
