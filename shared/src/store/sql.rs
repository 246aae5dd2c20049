//! Statements with parameters, and bulk inserts sized for both databases.

use sea_orm::{ConnectionTrait, DatabaseBackend, Statement, Value};

use super::StoreError;

/// Ids per `IN (…)` list: few round trips, and one text for the statement cache.
pub(crate) const IDS_PER_STATEMENT: usize = 500;
/// Rows per insert: long enough to amortise the round trip, short enough to be cached.
const ROWS_PER_INSERT: usize = 100;
/// What SQLite allows in one statement (PostgreSQL: 65,535).
const MAX_VARIABLES: usize = 32_766;

/// A statement whose parameters are written `$1`, `$2`, … on both databases.
pub(crate) fn statement(
    database: &impl ConnectionTrait,
    text: &str,
    values: impl IntoIterator<Item = Value>,
) -> Statement {
    Statement::from_sql_and_values(database.get_database_backend(), text, values)
}

/// Runs a statement and returns the number of rows it changed.
pub(crate) async fn execute(
    database: &impl ConnectionTrait,
    text: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<u64, StoreError> {
    let statement = statement(database, text, values);
    Ok(database.execute_raw(statement).await?.rows_affected())
}

/// `$from, $from+1, …`: `count` parameters.
pub(crate) fn parameters(from: usize, count: usize) -> String {
    let mut text = String::with_capacity(count * 6);
    for at in from..from + count {
        if at > from {
            text.push(',');
        }
        text.push('$');
        text.push_str(&at.to_string());
    }
    text
}

/// Locks the rows that a `SELECT` reads until the transaction ends, so that a change decided from
/// them stays right. SQLite has one writer at a time and needs nothing.
pub(crate) fn locking(database: &impl ConnectionTrait, clause: &'static str) -> &'static str {
    match database.get_database_backend() {
        DatabaseBackend::Sqlite => "",
        _ => clause,
    }
}

/// Runs `text` once per group of ids; `text` holds `{ids}` where the list goes, which starts at
/// parameter `1 + fixed.len()`.
pub(crate) async fn execute_for_ids(
    database: &impl ConnectionTrait,
    text: &str,
    fixed: &[Value],
    ids: impl IntoIterator<Item = Value>,
) -> Result<u64, StoreError> {
    let ids: Vec<Value> = ids.into_iter().collect();
    let mut changed = 0;
    for group in ids.chunks(IDS_PER_STATEMENT) {
        let text = text.replace("{ids}", &parameters(fixed.len() + 1, group.len()));
        let values = fixed.iter().chain(group).cloned();
        changed += execute(database, &text, values).await?;
    }
    Ok(changed)
}

/// Inserts rows in statements of many rows. `values` holds the columns of the rows one after the
/// other; `suffix` is what follows the rows (`ON CONFLICT …`).
pub(crate) async fn insert_rows(
    database: &impl ConnectionTrait,
    table: &str,
    columns: &[&str],
    suffix: &str,
    values: Vec<Value>,
) -> Result<(), StoreError> {
    let width = columns.len();
    let rows_per_insert = ROWS_PER_INSERT.min(MAX_VARIABLES / width);
    let mut values = values.into_iter();
    let mut cached: Option<(usize, String)> = None;
    loop {
        let group: Vec<Value> = values.by_ref().take(rows_per_insert * width).collect();
        if group.is_empty() {
            return Ok(());
        }
        let rows = group.len() / width;
        let text = match cached.take() {
            Some((of, text)) if of == rows => text,
            _ => insert_text(database, table, columns, suffix, rows),
        };
        execute(database, &text, group).await?;
        cached = Some((rows, text));
    }
}

/// Unnumbered parameters on SQLite, which looks named ones up one by one.
fn insert_text(
    database: &impl ConnectionTrait,
    table: &str,
    columns: &[&str],
    suffix: &str,
    rows: usize,
) -> String {
    let numbered = database.get_database_backend() != DatabaseBackend::Sqlite;
    let names = columns
        .iter()
        .map(|column| format!("\"{column}\""))
        .collect::<Vec<_>>()
        .join(",");
    let mut text = format!("INSERT INTO {table} ({names}) VALUES ");
    let mut at = 0;
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ",(" });
        for column in 0..columns.len() {
            if column > 0 {
                text.push(',');
            }
            at += 1;
            if numbered {
                text.push('$');
                text.push_str(&at.to_string());
            } else {
                text.push('?');
            }
        }
        text.push(')');
    }
    text.push(' ');
    text.push_str(suffix);
    text
}
