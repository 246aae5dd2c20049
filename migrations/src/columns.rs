//! Short forms for columns and tables, so that a migration reads like the table it makes.

use sea_orm_migration::prelude::*;

pub(crate) fn uuid(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).uuid().not_null().to_owned()
}

pub(crate) fn uuid_null(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).uuid().null().to_owned()
}

pub(crate) fn text(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).text().not_null().to_owned()
}

pub(crate) fn text_null(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).text().null().to_owned()
}

pub(crate) fn integer(name: &'static str) -> ColumnDef {
    ColumnDef::new(name)
        .big_integer()
        .not_null()
        .default(0)
        .to_owned()
}

pub(crate) fn integer_null(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).big_integer().null().to_owned()
}

pub(crate) fn boolean(name: &'static str) -> ColumnDef {
    ColumnDef::new(name)
        .boolean()
        .not_null()
        .default(false)
        .to_owned()
}

pub(crate) fn bytes(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).blob().not_null().to_owned()
}

pub(crate) fn bytes_null(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).blob().null().to_owned()
}

pub(crate) fn time(name: &'static str) -> ColumnDef {
    ColumnDef::new(name)
        .timestamp_with_time_zone()
        .not_null()
        .to_owned()
}

pub(crate) fn time_null(name: &'static str) -> ColumnDef {
    ColumnDef::new(name)
        .timestamp_with_time_zone()
        .null()
        .to_owned()
}

/// An identifier that the database hands out and never hands out again.
pub(crate) fn serial() -> ColumnDef {
    ColumnDef::new("id")
        .big_integer()
        .not_null()
        .auto_increment()
        .primary_key()
        .to_owned()
}

pub(crate) fn uuid_key() -> ColumnDef {
    ColumnDef::new("id")
        .uuid()
        .not_null()
        .primary_key()
        .to_owned()
}

/// The four columns by which every derived row is scoped.
pub(crate) fn scope() -> [ColumnDef; 4] {
    [
        uuid("organization_id"),
        uuid("project_id"),
        uuid("repository_id"),
        uuid("branch_id"),
    ]
}

pub(crate) fn table(
    name: &'static str,
    columns: impl IntoIterator<Item = ColumnDef>,
) -> TableCreateStatement {
    let mut statement = Table::create();
    statement.table(name);
    for column in columns {
        statement.col(column);
    }
    statement
}

/// `ON DELETE CASCADE`: the parent's deletion takes these rows along.
pub(crate) fn references(
    statement: &mut TableCreateStatement,
    column: &'static str,
    parent: &'static str,
) {
    statement.foreign_key(
        ForeignKey::create()
            .from_col(column)
            .to(parent, "id")
            .on_delete(ForeignKeyAction::Cascade),
    );
}

pub(crate) async fn index(
    manager: &SchemaManager<'_>,
    table: &'static str,
    name: &'static str,
    columns: &[&'static str],
    unique: bool,
) -> Result<(), DbErr> {
    let mut statement = Index::create();
    statement.name(name).table(table);
    for column in columns {
        statement.col(*column);
    }
    if unique {
        statement.unique();
    }
    manager.create_index(statement).await
}

pub(crate) async fn drop_tables(
    manager: &SchemaManager<'_>,
    tables: &[&'static str],
) -> Result<(), DbErr> {
    for table in tables {
        manager
            .drop_table(Table::drop().table(*table).to_owned())
            .await?;
    }
    Ok(())
}
