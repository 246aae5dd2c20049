//! Accounts of the whole instance, for its administrators.
//!
//! `GET|POST /users`, `GET|PATCH|DELETE /users/{user_id}`, `POST /users/{user_id}/deactivate`,
//! `POST /users/{user_id}/reactivate`.

use actix_web::{
    HttpResponse, delete, get, patch, post,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use garde::Validate;
use quarry_shared::{
    domain::{AuditEvent, UserId},
    store::{
        StoreError,
        accounts::{self, Account, AccountChange},
        users::{self, NewUser},
    },
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::{
    auth::password_length,
    list::{List, ListQuery},
    organizations::is_name,
    paths::UserPath,
};
use crate::{
    audit::Audit,
    authentication::{principal::Principal, strength},
    body::{Body, Params},
    problem::ApiError,
    state::AppState,
};

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(list_users)
        .service(create_user)
        .service(get_user)
        .service(change_user)
        .service(deactivate_user)
        .service(reactivate_user)
        .service(delete_user);
}

/// Somebody's account.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountResponse {
    id: Uuid,
    email: String,
    name: String,
    is_instance_administrator: bool,
    created_at: DateTime<Utc>,
    /// Since when it cannot be used.
    deactivated_at: Option<DateTime<Utc>>,
}

/// An account to create.
#[derive(Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct NewAccount {
    #[schema(max_length = 320)]
    #[garde(length(bytes, min = 3, max = 320), custom(is_email))]
    email: String,
    #[schema(min_length = 1, max_length = 100)]
    #[garde(length(chars, min = 1, max = 100), custom(is_name))]
    name: String,
    #[schema(value_type = String, format = Password)]
    #[garde(custom(password_length))]
    password: SecretString,
}

impl NewAccount {
    /// The account as it is stored, its password found strong and hashed.
    pub(super) async fn prepare(
        self,
        state: &AppState,
        pointer: &str,
    ) -> Result<NewUser, ApiError> {
        let Self {
            email,
            name,
            password,
        } = self;
        let password = password.expose_secret();
        strength::check(password, &email, &name).map_err(|weak| weak.at(pointer))?;
        Ok(NewUser {
            password_hash: state.passwords.hash(password.to_owned()).await?,
            email,
            name: name.trim().to_owned(),
            is_instance_administrator: false,
        })
    }
}

/// What is to change about an account; what is absent stays.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ChangeUserRequest {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    #[garde(length(chars, min = 1, max = 100), inner(custom(is_name)))]
    name: Option<String>,
    /// May manage accounts, jobs and organizations; sees no code by it.
    #[serde(default)]
    #[garde(skip)]
    is_instance_administrator: Option<bool>,
}

/// Something that looks like an address. Whether it is one, only a message would show.
fn is_email(email: &str, (): &()) -> garde::Result {
    let email = email.trim();
    let is_plain = !email.chars().any(|c| c.is_whitespace() || c.is_control());
    let parts = email.rsplit_once('@');
    if is_plain && parts.is_some_and(|(name, host)| !name.is_empty() && !host.is_empty()) {
        return Ok(());
    }
    Err(garde::Error::new("is not an e-mail address"))
}

/// Lists all accounts, deactivated ones too. For instance administrators.
#[utoipa::path(tag = "users", operation_id = "list_users", params(ListQuery),
    responses((status = 200, body = List<AccountResponse>)))]
#[get("/users")]
pub async fn list_users(
    state: Data<AppState>,
    principal: Principal,
    query: Params<ListQuery>,
) -> Result<Json<List<AccountResponse>>, ApiError> {
    principal.require_instance_administrator()?;
    let page = query.0.page()?;
    let found = accounts::list(state.database().reader(), page).await?;
    Ok(Json(List::from_page(found)))
}

/// Creates an account that belongs to no organization yet. For instance administrators.
#[utoipa::path(tag = "users", operation_id = "create_user", request_body = NewAccount,
    responses((status = 201, body = AccountResponse)))]
#[post("/users")]
pub async fn create_user(
    state: Data<AppState>,
    principal: Principal,
    audit: Audit,
    body: Body<NewAccount>,
) -> Result<HttpResponse, ApiError> {
    principal.require_instance_administrator()?;
    let new = body.0.prepare(&state, "/password").await?;
    let transaction = state.database().begin().await?;
    let created = users::create(&transaction, new).await?;
    let account = accounts::get(&transaction, created.id).await?;
    audit
        .record(&transaction, event("user.create", &account))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::Created().json(AccountResponse::from(account)))
}

/// Returns one account. For instance administrators.
#[utoipa::path(tag = "users", operation_id = "get_user", params(UserPath),
    responses((status = 200, body = AccountResponse)))]
#[get("/users/{user_id}")]
pub async fn get_user(
    state: Data<AppState>,
    principal: Principal,
    path: Path<UserPath>,
) -> Result<Json<AccountResponse>, ApiError> {
    principal.require_instance_administrator()?;
    let found = accounts::get(state.database().reader(), UserId(path.user_id)).await?;
    Ok(Json(found.into()))
}

/// Changes an account: its name, and whether it administers the instance. The last administrator
/// stays one. For instance administrators.
#[utoipa::path(tag = "users", operation_id = "change_user", params(UserPath),
    request_body = ChangeUserRequest, responses((status = 200, body = AccountResponse)))]
#[patch("/users/{user_id}")]
pub async fn change_user(
    state: Data<AppState>,
    principal: Principal,
    audit: Audit,
    path: Path<UserPath>,
    body: Body<ChangeUserRequest>,
) -> Result<Json<AccountResponse>, ApiError> {
    principal.require_instance_administrator()?;
    let ChangeUserRequest {
        name,
        is_instance_administrator,
    } = body.0;
    let change = AccountChange {
        name: name.map(|name| name.trim().to_owned()),
        is_instance_administrator,
    };
    let transaction = state.database().begin().await?;
    let changed = accounts::change(&transaction, UserId(path.user_id), change).await?;
    let event = event("user.change", &changed).detail(
        "is_instance_administrator",
        changed.is_instance_administrator,
    );
    audit.record(&transaction, event).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(changed.into()))
}

/// Ends the use of an account: its sign-ins and tokens end now. The last owner of an organization
/// and the last instance administrator stay. For instance administrators.
#[utoipa::path(tag = "users", operation_id = "deactivate_user", params(UserPath),
    responses((status = 200, body = AccountResponse)))]
#[post("/users/{user_id}/deactivate")]
pub async fn deactivate_user(
    state: Data<AppState>,
    principal: Principal,
    audit: Audit,
    path: Path<UserPath>,
) -> Result<Json<AccountResponse>, ApiError> {
    principal.require_instance_administrator()?;
    let transaction = state.database().begin().await?;
    let changed = accounts::deactivate(&transaction, UserId(path.user_id)).await?;
    audit
        .record(&transaction, event("user.deactivate", &changed))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(changed.into()))
}

/// Lets a deactivated account be used again. For instance administrators.
#[utoipa::path(tag = "users", operation_id = "reactivate_user", params(UserPath),
    responses((status = 200, body = AccountResponse)))]
#[post("/users/{user_id}/reactivate")]
pub async fn reactivate_user(
    state: Data<AppState>,
    principal: Principal,
    audit: Audit,
    path: Path<UserPath>,
) -> Result<Json<AccountResponse>, ApiError> {
    principal.require_instance_administrator()?;
    let transaction = state.database().begin().await?;
    let changed = accounts::reactivate(&transaction, UserId(path.user_id)).await?;
    audit
        .record(&transaction, event("user.reactivate", &changed))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(Json(changed.into()))
}

/// Deletes an account with its memberships, sign-ins and tokens. The last owner of an organization
/// and the last instance administrator stay. For instance administrators.
#[utoipa::path(tag = "users", operation_id = "delete_user", params(UserPath),
    responses((status = 204)))]
#[delete("/users/{user_id}")]
pub async fn delete_user(
    state: Data<AppState>,
    principal: Principal,
    audit: Audit,
    path: Path<UserPath>,
) -> Result<HttpResponse, ApiError> {
    principal.require_instance_administrator()?;
    let transaction = state.database().begin().await?;
    let deleted = accounts::delete(&transaction, UserId(path.user_id)).await?;
    audit
        .record(&transaction, event("user.delete", &deleted))
        .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(HttpResponse::NoContent().finish())
}

fn event(action: &'static str, account: &Account) -> AuditEvent {
    AuditEvent::new(action)
        .object("user", account.id)
        .named(&account.email)
}

impl From<Account> for AccountResponse {
    fn from(account: Account) -> Self {
        Self {
            id: account.id.0,
            email: account.email,
            name: account.name,
            is_instance_administrator: account.is_instance_administrator,
            created_at: account.created_at,
            deactivated_at: account.deactivated_at,
        }
    }
}
