//! Blobs, files (the ledger), chunks, symbols, references, imports and embeddings.

use sea_orm_migration::prelude::*;

use crate::columns::{
    bytes, drop_tables, index, integer, integer_null, references, scope, serial, table, text,
    text_null, uuid, uuid_key, uuid_null,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        create_blobs(manager).await?;
        create_files(manager).await?;
        create_chunks(manager).await?;
        create_symbols(manager).await?;
        create_edges(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables = [
            "imports",
            "symbol_references",
            "symbols",
            "chunks",
            "files",
            "embeddings",
            "blobs",
        ];
        drop_tables(manager, &tables).await
    }
}

async fn create_blobs(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut blobs = table(
        "blobs",
        [
            serial(),
            uuid("organization_id"),
            // Git's object id in hex.
            text("oid"),
            // Decoded text, with secrets masked.
            text("text"),
            integer("bytes"),
            integer("lines"),
        ],
    );
    references(&mut blobs, "organization_id", "organizations");
    manager.create_table(blobs).await?;
    index(
        manager,
        "blobs",
        "blobs_oid",
        &["organization_id", "oid"],
        true,
    )
    .await?;

    let mut embeddings = table(
        "embeddings",
        [
            serial(),
            uuid("organization_id"),
            text("model"),
            // SHA-256 over header and body.
            bytes("text_hash"),
            // Unit length, f16, little endian.
            bytes("vector"),
        ],
    );
    references(&mut embeddings, "organization_id", "organizations");
    manager.create_table(embeddings).await?;
    let key = ["organization_id", "model", "text_hash"];
    index(manager, "embeddings", "embeddings_text", &key, true).await
}

async fn create_files(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut columns = vec![serial()];
    columns.extend(scope());
    columns.extend([
        text("path"),
        text("oid"),
        integer_null("blob_id"),
        text("status"),
        text_null("reason"),
        text_null("detail"),
        text_null("language"),
        text("class"),
        integer("bytes"),
        integer_null("lines"),
        integer("chunks"),
        // Number of the batch that processes this file; absent when nothing is to be done.
        integer_null("batch"),
        integer("born"),
        integer("died"),
    ]);
    let mut files = table("files", columns);
    references(&mut files, "branch_id", "branches");
    manager.create_table(files).await?;
    index(
        manager,
        "files",
        "files_path",
        &["branch_id", "path", "born"],
        true,
    )
    .await?;
    index(
        manager,
        "files",
        "files_died",
        &["branch_id", "died"],
        false,
    )
    .await?;
    index(
        manager,
        "files",
        "files_born",
        &["branch_id", "born", "batch"],
        false,
    )
    .await?;
    index(manager, "files", "files_blob", &["blob_id"], false).await
}

async fn create_chunks(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut columns = vec![uuid_key()];
    columns.extend(scope());
    columns.extend([
        integer("file_id"),
        integer("blob_id"),
        // Stable across re-indexing of unchanged code.
        uuid("public_id"),
        text("path"),
        text_null("language"),
        text("kind"),
        text("class"),
        text_null("symbol"),
        text_null("symbol_kind"),
        // Names of the symbols that the chunk defines, one per line.
        text("defines"),
        integer("start_line"),
        integer("end_line"),
        integer("start_byte"),
        integer("end_byte"),
        integer_null("embedding_id"),
        // Term frequencies per field, see `analysis::TermVector`.
        bytes("terms"),
        integer("born"),
        integer("died"),
    ]);
    let mut chunks = table("chunks", columns);
    references(&mut chunks, "branch_id", "branches");
    manager.create_table(chunks).await?;
    index(
        manager,
        "chunks",
        "chunks_born",
        &["branch_id", "born"],
        false,
    )
    .await?;
    index(
        manager,
        "chunks",
        "chunks_died",
        &["branch_id", "died"],
        false,
    )
    .await?;
    index(manager, "chunks", "chunks_file", &["file_id"], false).await?;
    index(
        manager,
        "chunks",
        "chunks_public",
        &["organization_id", "public_id"],
        false,
    )
    .await?;
    index(
        manager,
        "chunks",
        "chunks_embedding",
        &["embedding_id"],
        false,
    )
    .await
}

async fn create_symbols(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut columns = vec![serial()];
    columns.extend(scope());
    columns.extend([
        integer("file_id"),
        // The chunk whose lines hold the definition.
        uuid_null("chunk_id"),
        text("path"),
        text_null("language"),
        text("class"),
        text("name"),
        // The name in lower case, for look-ups.
        text("name_key"),
        text("qualified_name"),
        text("kind"),
        text("signature"),
        integer("start_line"),
        integer("end_line"),
        integer("born"),
        integer("died"),
    ]);
    let mut symbols = table("symbols", columns);
    references(&mut symbols, "branch_id", "branches");
    manager.create_table(symbols).await?;
    index(
        manager,
        "symbols",
        "symbols_name",
        &["organization_id", "name_key"],
        false,
    )
    .await?;
    index(manager, "symbols", "symbols_file", &["file_id"], false).await?;
    index(
        manager,
        "symbols",
        "symbols_born",
        &["branch_id", "born"],
        false,
    )
    .await?;
    index(
        manager,
        "symbols",
        "symbols_died",
        &["branch_id", "died"],
        false,
    )
    .await
}

async fn create_edges(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for (name, own, file_index, died_index) in [
        (
            "symbol_references",
            vec![text("name"), text("kind"), integer("line")],
            "symbol_references_file",
            "symbol_references_died",
        ),
        (
            "imports",
            vec![text("source"), integer("line")],
            "imports_file",
            "imports_died",
        ),
    ] {
        let mut columns = vec![serial()];
        columns.extend(scope());
        columns.push(integer("file_id"));
        columns.extend(own);
        columns.extend([integer("born"), integer("died")]);
        let mut statement = table(name, columns);
        references(&mut statement, "branch_id", "branches");
        manager.create_table(statement).await?;
        index(manager, name, file_index, &["file_id"], false).await?;
        index(manager, name, died_index, &["branch_id", "died"], false).await?;
    }
    Ok(())
}
