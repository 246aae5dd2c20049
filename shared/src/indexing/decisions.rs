//! What becomes of each file that needs a row: the policy's two gates, in groups.

use super::{IndexingError, stage::Stage};
use crate::{
    domain::{FileClass, FileStatus, RepositoryPath, SkipReason},
    policy::{self, PolicyLimits},
    ports::{EntryMode, GitBlob},
    store::{blobs, entities::file},
};

/// A file that needs a row.
pub(super) struct Candidate {
    pub(super) path: RepositoryPath,
    pub(super) oid: String,
    pub(super) bytes: u64,
    pub(super) origin: Origin,
}

pub(super) enum Origin {
    /// An entry of the commit's tree.
    Tree(EntryMode),
    /// A live row that is rebuilt in the current format.
    Row(Box<file::Model>),
}

/// A candidate with the decision about it.
pub(super) struct Decided {
    pub(super) candidate: Candidate,
    pub(super) verdict: Verdict,
}

pub(super) enum Verdict {
    Index {
        text: String,
        lines: i64,
        class: FileClass,
    },
    Skip {
        reason: SkipReason,
        detail: Option<String>,
    },
}

/// Both gates of the policy for a group of files; contents are read for what passes the first.
pub(super) async fn decide(
    stage: &Stage,
    group: Vec<Candidate>,
    limits: &PolicyLimits,
) -> Result<Vec<Decided>, IndexingError> {
    let mut decided = Vec::with_capacity(group.len());
    let mut from_tree = Vec::new();
    let mut from_rows = Vec::new();
    for candidate in group {
        match &candidate.origin {
            Origin::Tree(mode) => {
                let gate = policy::decide_by_path(&candidate.path, *mode, candidate.bytes, limits);
                match gate {
                    Some(skip) => decided.push(skipped(candidate, skip.reason, skip.detail)),
                    None => from_tree.push(candidate),
                }
            }
            Origin::Row(row) if row.status == FileStatus::Skipped.as_str() => {
                let reason = row.reason.as_deref().and_then(SkipReason::parse);
                let detail = row.detail.clone();
                let reason = reason.unwrap_or(SkipReason::LimitReached);
                decided.push(skipped(candidate, reason, detail));
            }
            Origin::Row(_) => from_rows.push(candidate),
        }
    }
    decided.extend(read_tree(stage, from_tree, limits).await?);
    decided.extend(read_rows(stage, from_rows).await?);
    Ok(decided)
}

fn skipped(candidate: Candidate, reason: SkipReason, detail: Option<String>) -> Decided {
    Decided {
        candidate,
        verdict: Verdict::Skip { reason, detail },
    }
}

async fn read_tree(
    stage: &Stage,
    candidates: Vec<Candidate>,
    limits: &PolicyLimits,
) -> Result<Vec<Decided>, IndexingError> {
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let oids: Vec<String> = candidates.iter().map(|file| file.oid.clone()).collect();
    let git = &stage.indexing.parts().git;
    let contents = git
        .read_blobs(stage.repository_id(), &oids, limits.max_read_bytes)
        .await?;
    let limits = limits.clone();
    let decide = move || {
        let pairs = candidates.into_iter().zip(contents);
        pairs
            .map(|(candidate, blob)| decide_content(candidate, blob, &limits))
            .collect()
    };
    Ok(tokio::task::spawn_blocking(decide).await?)
}

fn decide_content(candidate: Candidate, blob: GitBlob, limits: &PolicyLimits) -> Decided {
    let bytes = match blob {
        GitBlob::Content(bytes) => bytes,
        GitBlob::Missing => return skipped(candidate, SkipReason::Unreadable, None),
        GitBlob::TooLarge => {
            let detail = format!("{} bytes", candidate.bytes);
            return skipped(candidate, SkipReason::TooLarge, Some(detail));
        }
    };
    match policy::decide_by_content(&candidate.path, &bytes, limits) {
        Err(skip) => skipped(candidate, skip.reason, skip.detail),
        Ok(decoded) => {
            let class = policy::classify(&candidate.path, &decoded.text);
            Decided {
                candidate,
                verdict: Verdict::Index {
                    text: decoded.text,
                    lines: i64::from(decoded.lines),
                    class,
                },
            }
        }
    }
}

async fn read_rows(
    stage: &Stage,
    candidates: Vec<Candidate>,
) -> Result<Vec<Decided>, IndexingError> {
    let blob_of = |candidate: &Candidate| match &candidate.origin {
        Origin::Row(row) => row.blob_id,
        Origin::Tree(_) => None,
    };
    let ids: Vec<i64> = candidates.iter().filter_map(blob_of).collect();
    let reader = stage.indexing.database().reader();
    let texts = blobs::load_texts(reader, stage.organization(), &ids).await?;
    Ok(candidates
        .into_iter()
        .map(|candidate| {
            let text = blob_of(&candidate).and_then(|id| texts.get(&id));
            let Some(text) = text else {
                return skipped(candidate, SkipReason::Unreadable, None);
            };
            let verdict = Verdict::Index {
                lines: i64::from(policy::line_count(text)),
                class: policy::classify(&candidate.path, text),
                text: text.clone(),
            };
            Decided { candidate, verdict }
        })
        .collect())
}
