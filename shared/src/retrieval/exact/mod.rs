//! Literal and regular expression search over file texts: pattern → what the index must hold →
//! candidate files → verified lines.
//!
//! The index only narrows; every match is found in the stored text. Regular expressions take time
//! linear in the text, and a search ends at its limits with the reason why.

mod chunks;
mod lines;
mod pattern;
mod required;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests;
mod walk;

use std::{collections::HashMap, time::Instant};

pub(crate) use chunks::chunks_matching;
pub(crate) use pattern::ExactPattern;
use pattern::{CompiledPattern, PatternOptions};
use walk::{FileText, FileWalk, Limits};

use super::{
    ExactFile, ExactOutcome, ExactQuery, LineMatch, RetrievalError, StopReason,
    path_pattern::PathPattern,
};
use crate::{
    domain::{BranchId, IndexFilter, ReadScope},
    store::{
        Database,
        exact_lane::CandidateFile,
        views::{self, CurrentView, SearchedBranch},
    },
};

const DEFAULT_LIMIT: usize = 200;
const MAX_LIMIT: usize = 1_000;

/// Finds the lines that a pattern matches, in every visible file of the view.
///
/// # Errors
/// [`RetrievalError::EmptyQuery`], [`RetrievalError::InvalidPattern`] and
/// [`RetrievalError::InvalidGlob`] for what cannot be searched; [`RetrievalError::Store`] when a
/// named snapshot or commit is not in the scope, or the database fails.
pub(crate) async fn search_exact(
    db: &Database,
    scope: &ReadScope,
    query: &ExactQuery,
) -> Result<ExactOutcome, RetrievalError> {
    search_within(db, scope, query, &Limits::default()).await
}

async fn search_within(
    db: &Database,
    scope: &ReadScope,
    query: &ExactQuery,
    limits: &Limits,
) -> Result<ExactOutcome, RetrievalError> {
    let started = Instant::now();
    let pattern = compile(db, query)?;
    let path = query.path.as_deref().map(PathPattern::new).transpose()?;
    let current = views::current(db.reader(), scope, &query.view).await?;
    let filter = filter(scope, &current, query);
    let mut walk = FileWalk::new(db, &filter, pattern.need.clone(), path, limits);
    let limit = match query.limit {
        0 => DEFAULT_LIMIT,
        wanted => wanted.min(MAX_LIMIT),
    };
    let found = collect(&mut walk, pattern, limit).await?;
    let stop_reason = walk.stop_reason;
    Ok(outcome(
        found,
        walk.considered,
        stop_reason,
        current,
        started,
    ))
}

fn compile(db: &Database, query: &ExactQuery) -> Result<CompiledPattern, RetrievalError> {
    let pattern = ExactPattern {
        text: query.pattern.clone(),
        regex: query.regex,
    };
    let options = PatternOptions {
        case_sensitive: query.case_sensitive,
        whole_word: query.whole_word,
        is_sqlite: db.is_sqlite(),
    };
    CompiledPattern::new(&pattern, options)
}

fn filter(scope: &ReadScope, current: &CurrentView, query: &ExactQuery) -> IndexFilter {
    let branches = current.branches.iter().map(|branch| branch.branch_id);
    let mut filter = IndexFilter::new(scope, branches.collect(), current.view.clone());
    filter.languages.clone_from(&query.languages);
    filter
}

type FoundFile = (CandidateFile, Vec<LineMatch>);

/// Verifies group after group until the walk ends or there are more matches than wanted.
async fn collect(
    walk: &mut FileWalk<'_>,
    pattern: CompiledPattern,
    limit: usize,
) -> Result<Vec<FoundFile>, RetrievalError> {
    let mut found: Vec<FoundFile> = Vec::new();
    // One more than wanted tells that there are more.
    let mut room = limit + 1;
    while let Some(group) = walk.next_group().await? {
        let pattern = pattern.clone();
        let verify = move |deadline| verify(&pattern, group, room, deadline);
        let Some((files, timed_out)) = walk.off_thread(verify).await else {
            break;
        };
        room -= files.iter().map(|(_, lines)| lines.len()).sum::<usize>();
        found.extend(files);
        if room == 0 {
            walk.stop_reason = Some(StopReason::ResultLimit);
            drop_last(&mut found);
            break;
        }
        if timed_out {
            walk.stop_reason = Some(StopReason::TimeLimit);
            break;
        }
    }
    Ok(found)
}

fn verify(
    pattern: &CompiledPattern,
    group: Vec<FileText>,
    mut room: usize,
    deadline: Instant,
) -> (Vec<FoundFile>, bool) {
    let mut found = Vec::new();
    for (file, text) in group {
        let lines = lines::find(pattern, &text, room, deadline);
        room -= lines.matches.len();
        if !lines.matches.is_empty() {
            found.push((file, lines.matches));
        }
        if lines.timed_out {
            return (found, true);
        }
        if room == 0 {
            break;
        }
    }
    (found, false)
}

fn drop_last(found: &mut Vec<FoundFile>) {
    if let Some((_, lines)) = found.last_mut() {
        lines.pop();
        if lines.is_empty() {
            found.pop();
        }
    }
}

/// Files in the order of the view's branches, then by path.
fn outcome(
    found: Vec<FoundFile>,
    files_considered: usize,
    stop_reason: Option<StopReason>,
    current: CurrentView,
    started: Instant,
) -> ExactOutcome {
    let branches: HashMap<BranchId, (usize, &SearchedBranch)> = current
        .branches
        .iter()
        .enumerate()
        .map(|(place, branch)| (branch.branch_id, (place, branch)))
        .collect();
    let mut placed: Vec<(usize, ExactFile)> = found
        .into_iter()
        .filter_map(|(file, matches)| {
            let (place, branch) = branches.get(&file.branch_id)?;
            Some((*place, exact_file(file, matches, branch)))
        })
        .collect();
    placed.sort_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.path.cmp(&right.path)));
    let files: Vec<ExactFile> = placed.into_iter().map(|(_, file)| file).collect();
    ExactOutcome {
        matches: files.iter().map(|file| file.matches.len()).sum(),
        files,
        files_considered,
        stop_reason,
        searched: current.branches,
        took_milliseconds: started.elapsed().as_secs_f64() * 1_000.0,
    }
}

fn exact_file(file: CandidateFile, matches: Vec<LineMatch>, branch: &SearchedBranch) -> ExactFile {
    ExactFile {
        project_id: branch.project_id,
        repository_id: branch.repository_id,
        repository_name: branch.repository_name.clone(),
        branch: branch.branch.clone(),
        commit: branch.commit.clone(),
        snapshot_id: branch.snapshot_id,
        path: file.path,
        language: file.language,
        matches,
    }
}
