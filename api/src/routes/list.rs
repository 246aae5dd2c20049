//! Lists that come in pages.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use garde::Validate;
use quarry_shared::store::{Page, Paged};
use serde::{Deserialize, Serialize};
use std::{fmt::Display, str::FromStr};
use utoipa::{IntoParams, ToSchema};

use crate::problem::ApiError;

const DEFAULT_LIMIT: u64 = 50;
const MAX_LIMIT: u64 = 200;
/// A cursor may hold a name of 200 characters or a path of 4,096 bytes, each byte escaped.
pub const MAX_CURSOR_BYTES: usize = 24_576;

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct List<T> {
    pub items: Vec<T>,
    /// Brings the next page; absent on the last one.
    #[schema(required = true)]
    pub next_cursor: Option<String>,
}

/// Which page.
#[derive(Debug, Default, Deserialize, IntoParams, Validate)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ListQuery {
    /// `next_cursor` of the page before.
    #[garde(length(bytes, max = MAX_CURSOR_BYTES))]
    pub cursor: Option<String>,
    /// Most items on the page.
    #[param(minimum = 1, maximum = 200)]
    #[garde(range(min = 1, max = MAX_LIMIT))]
    pub limit: Option<u64>,
}

impl ListQuery {
    /// The page as the store takes it.
    ///
    /// # Errors
    /// `InvalidInput` for a cursor that was not handed out.
    pub fn page<Id: FromStr>(&self) -> Result<Page<Id>, ApiError> {
        page(self.cursor.as_deref(), self.limit)
    }
}

/// The page that a cursor and a limit ask for.
///
/// # Errors
/// `InvalidInput` for a cursor that was not handed out.
pub fn page<Id: FromStr>(cursor: Option<&str>, limit: Option<u64>) -> Result<Page<Id>, ApiError> {
    let after = cursor.map(read_cursor).transpose()?;
    let limit = limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
    Ok(Page { after, limit })
}

impl<T> List<T> {
    /// A page of the store, each item as the client sees it.
    pub fn from_page<Row: Into<T>, Id: Display>(page: Paged<Row, Id>) -> Self {
        Self {
            items: page.items.into_iter().map(Into::into).collect(),
            next_cursor: page.next.map(|id| write_cursor(&id)),
        }
    }

    /// A list that has one page only.
    pub fn whole(items: Vec<T>) -> Self {
        Self {
            items,
            next_cursor: None,
        }
    }
}

/// Opaque, so that clients do not make cursors up.
pub fn write_cursor(id: &impl Display) -> String {
    URL_SAFE_NO_PAD.encode(id.to_string())
}

fn read_cursor<Id: FromStr>(cursor: &str) -> Result<Id, ApiError> {
    URL_SAFE_NO_PAD
        .decode(cursor)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| ApiError::invalid("cursor", "is not a cursor of this list"))
}

impl<T> List<T> {
    /// A page from `limit + 1` fetched rows: the extra one only tells that there is more.
    pub fn from_rows<Row: Into<T>, Id: Display>(
        rows: Vec<Row>,
        limit: u64,
        id: impl Fn(&Row) -> Id,
    ) -> Self {
        Self::from_page(Paged::from_rows(rows, limit, |row| id(row).to_string()))
    }
}
