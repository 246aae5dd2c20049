//! Definitions by name. Reads only.

use sea_orm::{
    ConnectionTrait, DatabaseBackend, FromQueryResult,
    sea_query::{
        CaseStatement, Condition, Expr, ExprTrait, LikeExpr, Order, Query,
        extension::postgres::PgExpr,
    },
};
use uuid::Uuid;

use super::{
    StoreError,
    exact_lane::{escape_like, line, narrowed},
};
use crate::domain::{BranchId, FileClass, IndexFilter, LineSpan, SymbolKind};

/// Which definitions are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SymbolLookup {
    /// Any of these names.
    pub names: Vec<NameParts>,
    /// Whether the names are only beginnings.
    pub prefix: bool,
    pub kind: Option<SymbolKind>,
}

/// A name and what stands before it in its qualified form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameParts {
    pub name: String,
    /// Each occurs in the qualified name, whatever its letter case.
    pub qualifiers: Vec<String>,
}

/// A visible definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SymbolRow {
    pub branch_id: BranchId,
    pub path: String,
    pub language: Option<String>,
    pub class: FileClass,
    pub name: String,
    pub qualified_name: String,
    pub kind: SymbolKind,
    pub signature: String,
    pub span: LineSpan,
}

#[derive(FromQueryResult)]
struct Row {
    branch_id: Uuid,
    path: String,
    language: Option<String>,
    class: String,
    name: String,
    qualified_name: String,
    kind: String,
    signature: String,
    start_line: i64,
    end_line: i64,
}

const COLUMNS: [&str; 10] = [
    "branch_id",
    "path",
    "language",
    "class",
    "name",
    "qualified_name",
    "kind",
    "signature",
    "start_line",
    "end_line",
];

/// Visible definitions: names in the same letter case and source files first, then by name, path
/// and line, at most `limit`.
///
/// # Errors
/// [`StoreError`] of the database, or [`StoreError::Corrupt`] for a kind that nothing writes.
pub(crate) async fn find(
    db: &impl ConnectionTrait,
    filter: &IndexFilter,
    lookup: &SymbolLookup,
    limit: u64,
) -> Result<Vec<SymbolRow>, StoreError> {
    if filter.branches.is_empty() || filter.projects().is_empty() || lookup.names.is_empty() {
        return Ok(Vec::new());
    }
    let backend = db.get_database_backend();
    let names = lookup
        .names
        .iter()
        .map(|name| matching(name, lookup.prefix, backend));
    let mut statement = Query::select()
        .columns(COLUMNS.map(|column| ("y", column)))
        .from_as("symbols", "y")
        .cond_where(narrowed("y", filter))
        .cond_where(names.fold(Condition::any(), Condition::add))
        .to_owned();
    if let Some(kind) = lookup.kind {
        statement.and_where(Expr::col(("y", "kind")).eq(kind.as_str()));
    }
    let same_case = lookup.names.iter().map(|name| name.name.clone());
    let is_same_case = Condition::all().add(Expr::col(("y", "name")).is_in(same_case));
    let is_source = Condition::all().add(Expr::col(("y", "class")).eq(FileClass::Source.as_str()));
    statement
        .order_by_expr(first(is_same_case), Order::Asc)
        .order_by_expr(first(is_source), Order::Asc);
    for column in ["name_key", "branch_id", "path", "start_line", "id"] {
        statement.order_by(("y", column), Order::Asc);
    }
    let mut found = Vec::new();
    for row in db.query_all(statement.limit(limit)).await? {
        found.push(symbol(Row::from_query_result(&row, "")?)?);
    }
    Ok(found)
}

fn first(condition: Condition) -> Expr {
    CaseStatement::new().case(condition, 0).finally(1).into()
}

fn matching(parts: &NameParts, prefix: bool, backend: DatabaseBackend) -> Condition {
    let key = parts.name.to_lowercase();
    let column = Expr::col(("y", "name_key"));
    let mut condition = Condition::all();
    condition = match (prefix, backend) {
        (false, _) => condition.add(column.eq(key)),
        // Texts compare by bytes there, so this is a range of the index.
        (true, DatabaseBackend::Sqlite) => condition
            .add(column.clone().gte(key.as_str()))
            .add(column.lt(format!("{key}{}", char::MAX))),
        (true, _) => {
            let pattern = format!("{}%", escape_like(&key));
            condition.add(column.like(LikeExpr::new(pattern)))
        }
    };
    for qualifier in &parts.qualifiers {
        // SQLite's LIKE folds ASCII alone; other qualifiers are left to the caller.
        if qualifier.is_ascii() {
            let pattern = LikeExpr::new(format!("%{}%", escape_like(qualifier)));
            let column = Expr::col(("y", "qualified_name"));
            condition = condition.add(match backend {
                DatabaseBackend::Sqlite => column.like(pattern.escape('\\')),
                // Backslash is the escape character there without being named.
                _ => column.ilike(pattern),
            });
        }
    }
    condition
}

fn symbol(row: Row) -> Result<SymbolRow, StoreError> {
    Ok(SymbolRow {
        branch_id: BranchId(row.branch_id),
        path: row.path,
        language: row.language,
        class: FileClass::parse(&row.class).ok_or(StoreError::Corrupt("file class"))?,
        name: row.name,
        qualified_name: row.qualified_name,
        kind: SymbolKind::parse(&row.kind).ok_or(StoreError::Corrupt("symbol kind"))?,
        signature: row.signature,
        span: LineSpan {
            start: line(row.start_line)?,
            end: line(row.end_line)?,
        },
    })
}
