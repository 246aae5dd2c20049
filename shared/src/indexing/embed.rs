//! Vectors for chunks: cached ones are reused, missing ones are embedded once.

use std::{
    collections::{HashMap, HashSet},
    time::Instant,
};

use super::{IndexingError, content::ChunkContent, stage::Stage};
use crate::{
    ports::{Embedder, EmbeddingInput, PortError},
    store::embeddings::{self, TextHash},
};

/// The vectors of a batch, in stored form, by text.
#[derive(Default)]
pub(super) struct Vectors {
    pub by_text: HashMap<TextHash, Vec<u8>>,
    /// Texts that were sent to the embedder.
    pub embedded: i64,
    /// Chunks that found their vector in the cache, or beside an equal text.
    pub cache_hits: i64,
    /// Chunks that alone cannot be embedded; they are found by their words.
    pub refused: HashSet<TextHash>,
    pub seconds: f64,
}

/// Gets the vectors of all chunks. After a failure in the middle, what the embedder had answered is
/// kept, so that another attempt asks only for the rest.
pub(super) async fn vectors(
    stage: &Stage,
    embedder: &dyn Embedder,
    chunks: &[&ChunkContent],
) -> Result<Vectors, IndexingError> {
    let model = embedder.model().key.as_str();
    let organization = stage.organization();
    let mut distinct: HashMap<TextHash, &EmbeddingInput> = HashMap::with_capacity(chunks.len());
    let mut order = Vec::new();
    for chunk in chunks {
        if distinct.insert(chunk.hash, &chunk.input).is_none() {
            order.push(chunk.hash);
        }
    }
    let reader = stage.indexing.database().reader();
    let cached = embeddings::find(reader, organization, model, &order).await?;
    order.retain(|hash| !cached.contains_key(hash));
    let mut vectors = Vectors {
        cache_hits: i64::try_from(chunks.len() - order.len()).unwrap_or(0),
        by_text: cached,
        ..Vectors::default()
    };
    let started = Instant::now();
    let mut groups = order
        .chunks(stage.indexing.settings().embed_chunks.max(1))
        .peekable();
    let mut unsaved: Vec<(TextHash, Vec<u8>)> = Vec::new();
    while let Some(group) = groups.next() {
        let inputs: Vec<EmbeddingInput> = group
            .iter()
            .filter_map(|hash| distinct.get(hash).map(|input| (*input).clone()))
            .collect();
        let answered = embedder.embed_documents(&inputs).await;
        let answered = answered.and_then(|outcomes| {
            if outcomes.len() == inputs.len() {
                return Ok(outcomes);
            }
            Err(PortError::broken("embedder", "an answer is missing"))
        });
        let outcomes = match answered {
            Ok(outcomes) => outcomes,
            Err(error) => {
                save(stage, model, &unsaved).await?;
                return Err(error.into());
            }
        };
        for (hash, outcome) in group.iter().zip(outcomes) {
            match outcome {
                Ok(vector) => {
                    vectors.embedded += 1;
                    unsaved.push((*hash, embeddings::encode(&vector)));
                }
                Err(reason) => {
                    tracing::warn!(reason, "a chunk was refused by the embedder");
                    vectors.refused.insert(*hash);
                }
            }
        }
        // The last group is saved together with the chunks.
        if groups.peek().is_some() {
            save(stage, model, &unsaved).await?;
            vectors.by_text.extend(unsaved.drain(..));
        }
    }
    vectors.by_text.extend(unsaved);
    vectors.seconds = started.elapsed().as_secs_f64();
    Ok(vectors)
}

async fn save(
    stage: &Stage,
    model: &str,
    vectors: &[(TextHash, Vec<u8>)],
) -> Result<(), IndexingError> {
    if vectors.is_empty() {
        return Ok(());
    }
    let transaction = stage.begin_shared().await?;
    embeddings::ensure(&transaction, stage.organization(), model, vectors).await?;
    transaction.commit().await?;
    Ok(())
}
