//! The channels: each recalls chunks in its own way, in parallel, and may fail alone.

use std::{collections::HashSet, future::Future, time::Instant};

use super::{
    Retrieval, RetrievalError,
    constants::{PATH_FILES, PATH_RECALL, SYMBOL_RECALL},
    context::NamedFile,
    outcome::{ChannelName, ChannelReport, ChannelStatus, Intent},
    understand::Understanding,
};
use crate::{
    domain::{ChunkId, IndexFilter, Kinded},
    ports::{LexicalQuery, TermFrequency},
    store::{candidates, views::CurrentView},
};

/// What the channels brought.
#[derive(Debug, Default)]
pub(crate) struct Recalled {
    /// Channel and its chunks, best first.
    pub channels: Vec<(ChannelName, Vec<ChunkId>)>,
    pub reports: Vec<ChannelReport>,
    /// Per query term, when the lexical channel answered.
    pub frequencies: Option<Vec<TermFrequency>>,
    /// The question's vector, when there is an embedder that answered.
    pub query_vector: Option<Vec<f32>>,
    pub title_vector: Option<Vec<f32>>,
    /// Failures as they were told, for warnings.
    pub failures: Vec<(ChannelName, RetrievalError)>,
}

struct Dense {
    ids: Vec<ChunkId>,
    vector: Vec<f32>,
    title: Option<Vec<f32>>,
}

impl Retrieval {
    /// Runs all channels.
    pub(crate) async fn recall(
        &self,
        question: &Understanding,
        filter: &IndexFilter,
        current: &CurrentView,
        limit: usize,
    ) -> Recalled {
        let (lexical, dense, symbol, path) = futures::join!(
            timed(self.recall_lexical(question, filter, limit)),
            timed(self.recall_dense(question, filter, limit)),
            timed(self.recall_symbols(question, filter)),
            timed(self.recall_paths(question, filter, current)),
        );
        let mut recalled = Recalled::default();
        let (result, time) = lexical;
        let result = result.map(|(ids, frequencies)| {
            recalled.frequencies = Some(frequencies);
            Some(ids)
        });
        recalled.note(ChannelName::Lexical, result, time);
        let (result, time) = dense;
        let result = result.map(|dense| {
            dense.map(|dense| {
                recalled.query_vector = Some(dense.vector);
                recalled.title_vector = dense.title;
                dense.ids
            })
        });
        recalled.note(ChannelName::Dense, result, time);
        let (result, time) = symbol;
        recalled.note(ChannelName::Symbol, result.map(Some), time);
        let (result, time) = path;
        recalled.note(ChannelName::Path, result.map(Some), time);
        recalled
    }

    async fn recall_lexical(
        &self,
        question: &Understanding,
        filter: &IndexFilter,
        limit: usize,
    ) -> Result<(Vec<ChunkId>, Vec<TermFrequency>), RetrievalError> {
        let query = LexicalQuery {
            terms: question.terms.clone(),
            limit,
        };
        let recall = self
            .parts
            .lexical
            .recall(&query, filter)
            .await
            .map_err(RetrievalError::ChannelFailed)?;
        Ok((
            recall.hits.into_iter().map(|hit| hit.id).collect(),
            recall.frequencies,
        ))
    }

    /// `None` without an embedder.
    async fn recall_dense(
        &self,
        question: &Understanding,
        filter: &IndexFilter,
        limit: usize,
    ) -> Result<Option<Dense>, RetrievalError> {
        let Some(embedder) = &self.parts.embedder else {
            return Ok(None);
        };
        let vector = embedder
            .embed_query(&question.text)
            .await
            .map_err(RetrievalError::ChannelFailed)?;
        let title = match &question.title {
            Some(title) => Some(
                embedder
                    .embed_query(title)
                    .await
                    .map_err(RetrievalError::ChannelFailed)?,
            ),
            None => None,
        };
        let mut ids = Vec::new();
        for vector in [Some(&vector), title.as_ref()].into_iter().flatten() {
            let hits = self
                .parts
                .vector
                .search(embedder.model(), vector, limit, filter)
                .await
                .map_err(RetrievalError::ChannelFailed)?;
            ids.extend(hits.into_iter().map(|hit| hit.id));
        }
        Ok(Some(Dense { ids, vector, title }))
    }

    /// Definitions of the question's names; for a bare name nobody bears, of names that begin so.
    async fn recall_symbols(
        &self,
        question: &Understanding,
        filter: &IndexFilter,
    ) -> Result<Vec<ChunkId>, RetrievalError> {
        let keys: Vec<String> = question
            .names
            .iter()
            .map(|name| name.to_lowercase())
            .collect();
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let db = self.parts.database.reader();
        let limit = SYMBOL_RECALL as u64;
        let mut found = candidates::defining(db, filter, &keys, limit).await?;
        if found.is_empty() && question.intent == Intent::Name {
            found = candidates::defining_prefix(db, filter, &keys[0], limit).await?;
        }
        // As written comes before other letter cases.
        found.sort_by_key(|chunk| !question.names.contains(&chunk.name));
        Ok(distinct(
            found.into_iter().map(|chunk| ChunkId(chunk.chunk_id)),
        ))
    }

    /// Chunks of files whose name the question covers or mentions.
    async fn recall_paths(
        &self,
        question: &Understanding,
        filter: &IndexFilter,
        current: &CurrentView,
    ) -> Result<Vec<ChunkId>, RetrievalError> {
        let words: HashSet<&str> = question
            .terms
            .iter()
            .map(|term| term.token.stem.as_str())
            .collect();
        let mut found: Vec<(usize, i64)> = Vec::new();
        for branch in &current.branches {
            let files = self
                .snapshots
                .files(&self.parts.database, branch, &current.view)
                .await?;
            for file in files.iter() {
                if let Some(strength) = file_strength(file, question, &words) {
                    found.push((strength, file.id));
                }
            }
        }
        found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        found.truncate(PATH_FILES);
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let files: Vec<i64> = found.into_iter().map(|(_, id)| id).collect();
        let db = self.parts.database.reader();
        Ok(candidates::chunks_of_files(db, filter, &files, PATH_RECALL as u64).await?)
    }
}

/// How strongly a question means a file by its name; `None` when it does not.
fn file_strength(
    file: &NamedFile,
    question: &Understanding,
    words: &HashSet<&str>,
) -> Option<usize> {
    let path = file.path.as_str();
    if question
        .paths
        .iter()
        .any(|mention| super::boost::mentions(mention, path))
    {
        return Some(100);
    }
    if question
        .names
        .iter()
        .any(|name| name.eq_ignore_ascii_case(&file.stem_key))
    {
        return Some(50);
    }
    let covered = file
        .stem_words
        .iter()
        .filter(|word| words.contains(word.as_str()))
        .count();
    (covered > 0 && covered == file.stem_words.len()).then_some(covered)
}

impl Recalled {
    fn note(
        &mut self,
        name: ChannelName,
        result: Result<Option<Vec<ChunkId>>, RetrievalError>,
        milliseconds: f64,
    ) {
        let (status, candidates) = match result {
            Ok(Some(ids)) => {
                let ids = distinct(ids);
                let count = ids.len();
                self.channels.push((name, ids));
                (ChannelStatus::Ok, count)
            }
            Ok(None) => (ChannelStatus::Disabled, 0),
            Err(error) => {
                tracing::warn!(
                    channel = name.as_str(),
                    code = error.code(),
                    "a search channel failed"
                );
                self.failures.push((name, error));
                (ChannelStatus::Failed, 0)
            }
        };
        self.reports.push(ChannelReport {
            name,
            status,
            candidates,
            milliseconds,
        });
    }
}

fn distinct(ids: impl IntoIterator<Item = ChunkId>) -> Vec<ChunkId> {
    let mut seen = HashSet::new();
    ids.into_iter().filter(|id| seen.insert(*id)).collect()
}

async fn timed<T>(work: impl Future<Output = T>) -> (T, f64) {
    let start = Instant::now();
    let result = work.await;
    (result, start.elapsed().as_secs_f64() * 1000.0)
}
