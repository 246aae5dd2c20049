//! Third stage, many at a time: take changed files apart, embed, write SQL and both engines.
//!
//! SQL first, engines second, "done" last. So an engine never holds what SQL does not know, and a
//! batch that is repeated after a crash writes the same rows and documents once more.

use std::collections::{HashMap, HashSet};

use super::{
    IndexingError,
    content::{self, ChunkContent, FileContent},
    embed::{self, Vectors},
    stage::{Outcome, Stage},
};
use crate::{
    domain::{BranchId, ChunkId, JobKind, RunStage, SnapshotId},
    jobs as owing, languages,
    ports::VectorPoint,
    store::{
        StoreError, batches, blobs,
        branches::{self, BranchScope},
        chunks, embeddings,
        entities::file,
        files, index_runs,
        index_runs::BatchCounts,
        symbols,
    },
};

pub(super) async fn run(stage: &Stage) -> Result<Outcome, IndexingError> {
    let reader = stage.indexing.database().reader();
    let run = stage.run().await?;
    let (Some(branch), Some(snapshot), Some(number)) =
        (run.branch_id, run.snapshot_id, stage.job.batch)
    else {
        return Err(IndexingError::Fenced);
    };
    let (branch, born) = (BranchId(branch), SnapshotId(snapshot));
    let scope = BranchScope::from(&branches::get(reader, branch).await?);
    let files = files::list_of_batch(reader, branch, born, number).await?;
    let bytes = batches::get(reader, stage.run_id()?, number).await?.bytes;

    let contents = take_apart(stage, files, scope).await?;
    let all: Vec<&ChunkContent> = contents.iter().flat_map(|file| &file.chunks).collect();
    let vectors = match stage.embedder() {
        Some(embedder) => embed::vectors(stage, embedder.as_ref(), &all).await?,
        None => Vectors::default(),
    };
    let counts = BatchCounts {
        files: i64::try_from(contents.len()).unwrap_or(i64::MAX),
        bytes,
        chunks: i64::try_from(all.len()).unwrap_or(i64::MAX),
        embedded: vectors.embedded,
        cache_hits: vectors.cache_hits,
    };
    remove_stale(stage, &contents).await?;
    write_rows(stage, &scope, born, &contents, &vectors).await?;
    write_engines(stage, &scope, born, contents, &vectors).await?;
    finish(stage, number, counts, vectors.seconds).await
}

async fn take_apart(
    stage: &Stage,
    files: Vec<file::Model>,
    scope: BranchScope,
) -> Result<Vec<FileContent>, IndexingError> {
    let ids: Vec<i64> = files.iter().filter_map(|file| file.blob_id).collect();
    let reader = stage.indexing.database().reader();
    let texts = blobs::load_texts(reader, stage.organization(), &ids).await?;
    let contents = tokio::task::spawn_blocking(move || {
        let text = |file: &file::Model| file.blob_id.and_then(|id| texts.get(&id));
        files
            .iter()
            .map(|file| {
                let text = text(file).ok_or(StoreError::NotFound("blob"))?;
                Ok(content::process(file, &scope, text, languages::parse))
            })
            .collect::<Result<Vec<_>, StoreError>>()
    });
    Ok(contents.await??)
}

/// An earlier attempt may have cut a file differently (it ran into the time limit): what it left in
/// the engines must not outlive its rows.
async fn remove_stale(stage: &Stage, contents: &[FileContent]) -> Result<(), IndexingError> {
    if stage.job.attempts == 1 {
        return Ok(());
    }
    let files: Vec<i64> = contents.iter().map(|content| content.file.id).collect();
    let chunks = contents.iter().flat_map(|content| &content.chunks);
    let current: HashSet<ChunkId> = chunks.map(|chunk| chunk.row.id).collect();
    let reader = stage.indexing.database().reader();
    let stale: Vec<ChunkId> = chunks::keys_of_files(reader, &files)
        .await?
        .into_iter()
        .map(|key| ChunkId(key.id))
        .filter(|id| !current.contains(id))
        .collect();
    stage.indexing.delete_documents(&stale).await
}

async fn write_rows(
    stage: &Stage,
    scope: &BranchScope,
    born: SnapshotId,
    contents: &[FileContent],
    vectors: &Vectors,
) -> Result<(), IndexingError> {
    let transaction = stage.begin_shared().await?;
    let ids: HashMap<_, _> = match stage.embedder() {
        Some(embedder) => {
            // Sorted, so that batches that share texts lock rows in one order.
            let mut texts: Vec<_> = vectors.by_text.clone().into_iter().collect();
            texts.sort_unstable_by_key(|(hash, _)| *hash);
            let model = embedder.model().key.as_str();
            embeddings::ensure(&transaction, scope.organization_id, model, &texts).await?
        }
        None => HashMap::new(),
    };
    let files: Vec<i64> = contents.iter().map(|content| content.file.id).collect();
    files::delete_derived(&transaction, &files).await?;
    let (mut rows, mut definitions, mut imports) = (Vec::new(), Vec::new(), Vec::new());
    for content in contents {
        rows.extend(content.chunks.iter().map(|chunk| {
            let mut row = chunk.row.clone();
            row.embedding_id = ids.get(&chunk.hash).copied();
            row
        }));
        definitions.extend(content.symbols.iter().cloned());
        imports.extend(content.imports.iter().cloned());
    }
    chunks::insert(&transaction, scope, born, rows).await?;
    symbols::insert(&transaction, scope, born, definitions).await?;
    symbols::insert_imports(&transaction, scope, born, imports).await?;
    let processed: Vec<_> = contents
        .iter()
        .map(|content| with_refusals(content, vectors))
        .collect();
    files::set_processed(&transaction, &processed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Chunks without a vector are named in the ledger, so that fewer points than chunks are explained.
fn with_refusals(content: &FileContent, vectors: &Vectors) -> files::ProcessedFile {
    let mut file = content.file.clone();
    let chunks = content.chunks.iter();
    let refused = chunks
        .filter(|chunk| vectors.refused.contains(&chunk.hash))
        .count();
    if refused > 0 {
        let note = format!("{refused} chunks without a vector: the embedder refused them");
        file.detail = Some(match file.detail.take() {
            Some(detail) => format!("{detail}; {note}"),
            None => note,
        });
    }
    file
}

async fn write_engines(
    stage: &Stage,
    scope: &BranchScope,
    born: SnapshotId,
    contents: Vec<FileContent>,
    vectors: &Vectors,
) -> Result<(), IndexingError> {
    let mut points = Vec::new();
    let mut documents = Vec::new();
    for chunk in contents.into_iter().flat_map(|content| content.chunks) {
        let key = chunk.key(scope, born, SnapshotId::NEVER);
        if let Some(vector) = vectors.by_text.get(&chunk.hash) {
            points.push(VectorPoint {
                key: key.clone(),
                vector: embeddings::decode(vector)?,
            });
        }
        documents.push(chunk.document(key));
    }
    stage.indexing.upsert_documents(documents, points).await
}

async fn finish(
    stage: &Stage,
    number: i64,
    counts: BatchCounts,
    embed_seconds: f64,
) -> Result<Outcome, IndexingError> {
    let run = stage.run_id()?;
    let transaction = stage.begin().await?;
    let mut owed = Vec::new();
    if batches::finish(&transaction, run, number).await? {
        let (done, total) = index_runs::add_batch(&transaction, run, counts).await?;
        index_runs::add_seconds(&transaction, run, |stages| stages.embed += embed_seconds).await?;
        if done == total {
            index_runs::set_stage(&transaction, run, RunStage::Publish).await?;
            let publish = stage.follower(JobKind::Publish, stage.queue(), None);
            owed = owing::enqueue(&transaction, &[publish]).await?;
        }
    }
    stage.succeed(&transaction).await?;
    transaction.commit().await?;
    stage.indexing.changed(run);
    Ok(Outcome::Finished(owed))
}
