//! Chunks that hold quoted phrases and expressions of a search.

use std::{collections::HashMap, time::Instant};

use super::{
    lines,
    pattern::{CompiledPattern, ExactPattern, PatternOptions},
    walk::{FileText, FileWalk, Limits},
};
use crate::{
    domain::{ChunkId, FileId, IndexFilter, LineSpan},
    retrieval::{RetrievalError, StopReason},
    store::{
        Database,
        exact_lane::{self, TextNeed},
    },
};

/// Lines with a match that are noted per pattern and file; a file with more matches everywhere.
const LINES_PER_FILE: usize = 10_000;

/// The chunks of the filter on whose lines a match of every pattern begins, in the order of branch,
/// path and line; letter case does not matter. At most `limit`, and fewer than there are when the
/// time limit of an exact search comes first. No pattern, no chunks.
///
/// # Errors
/// [`RetrievalError::EmptyQuery`] and [`RetrievalError::InvalidPattern`] for a pattern that cannot
/// be searched; [`RetrievalError::Store`] when the database fails.
pub(crate) async fn chunks_matching(
    db: &Database,
    filter: &IndexFilter,
    patterns: &[ExactPattern],
    limit: usize,
) -> Result<Vec<ChunkId>, RetrievalError> {
    chunks_within(db, filter, patterns, limit, &Limits::default()).await
}

pub(super) async fn chunks_within(
    db: &Database,
    filter: &IndexFilter,
    patterns: &[ExactPattern],
    limit: usize,
    limits: &Limits,
) -> Result<Vec<ChunkId>, RetrievalError> {
    let options = PatternOptions {
        case_sensitive: false,
        whole_word: false,
        is_sqlite: db.is_sqlite(),
    };
    let patterns = patterns
        .iter()
        .map(|pattern| CompiledPattern::new(pattern, options))
        .collect::<Result<Vec<_>, _>>()?;
    let mut found = Vec::new();
    if patterns.is_empty() || limit == 0 {
        return Ok(found);
    }
    let need = TextNeed::all(patterns.iter().map(|pattern| pattern.need.clone()));
    let mut walk = FileWalk::new(db, filter, need, None, limits);
    while let Some(group) = walk.next_group().await? {
        let order: Vec<FileId> = group.iter().map(|(file, _)| file.id).collect();
        let patterns = patterns.clone();
        let verify = move |deadline| matching_lines(&patterns, group, deadline);
        let Some((lines, timed_out)) = walk.off_thread(verify).await else {
            break;
        };
        found.extend(chunks_on(&mut walk, &order, &lines).await?);
        if timed_out {
            walk.stop_reason = Some(StopReason::TimeLimit);
        }
        if found.len() >= limit || walk.stop_reason.is_some() {
            break;
        }
    }
    if let Some(reason) = walk.stop_reason {
        tracing::debug!(
            ?reason,
            considered = walk.considered,
            "phrases searched in part"
        );
    }
    found.truncate(limit);
    Ok(found)
}

/// For each pattern the lines on which its matches begin, sorted.
type PatternLines = Vec<Vec<u32>>;

/// The files in which every pattern matches somewhere, and whether the deadline came first.
fn matching_lines(
    patterns: &[CompiledPattern],
    group: Vec<FileText>,
    deadline: Instant,
) -> (HashMap<FileId, PatternLines>, bool) {
    let mut files = HashMap::new();
    for (file, text) in group {
        let mut all = Vec::with_capacity(patterns.len());
        for pattern in patterns {
            let (lines, timed_out) = lines::numbers(pattern, &text, LINES_PER_FILE, deadline);
            if timed_out {
                return (files, true);
            }
            if lines.is_empty() {
                break;
            }
            all.push(lines);
        }
        if all.len() == patterns.len() {
            files.insert(file.id, all);
        }
    }
    (files, false)
}

async fn chunks_on(
    walk: &mut FileWalk<'_>,
    order: &[FileId],
    lines: &HashMap<FileId, PatternLines>,
) -> Result<Vec<ChunkId>, RetrievalError> {
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let chunks = exact_lane::chunks_of(walk.db.reader(), walk.filter, lines.keys().copied());
    let Some(chunks) = walk.within_time(chunks).await? else {
        return Ok(Vec::new());
    };
    let mut by_file: HashMap<FileId, Vec<ChunkId>> = HashMap::new();
    for chunk in chunks {
        let holds_all = lines
            .get(&chunk.file_id)
            .is_some_and(|patterns| patterns.iter().all(|lines| any_within(lines, chunk.span)));
        if holds_all {
            by_file.entry(chunk.file_id).or_default().push(chunk.id);
        }
    }
    Ok(order
        .iter()
        .filter_map(|file| by_file.remove(file))
        .flatten()
        .collect())
}

fn any_within(sorted: &[u32], span: LineSpan) -> bool {
    let first = sorted.partition_point(|line| *line < span.start);
    sorted.get(first).is_some_and(|line| *line <= span.end)
}
