//! Second stage: what changed between the live files and the commit?
//!
//! Files are compared as sets of (path, object id), never by a diff window, so that a force push or a
//! lost run leaves no ghosts. Every file of the commit has a ledger row: carried on when unchanged,
//! otherwise born with the new snapshot.

use std::{
    collections::{HashMap, HashSet},
    time::Instant,
};

use super::{
    IndexingError,
    decisions::{Candidate, Decided, Origin, Verdict, decide},
    discard,
    stage::{Outcome, Stage},
    sync,
};
use crate::{
    domain::{
        BranchId, JobKind, QueueName, RepositoryPath, RunStage, SkipReason, SnapshotId,
        SnapshotState,
    },
    jobs as owing,
    policy::PolicyLimits,
    ports::{EntryMode, TreeEntry},
    store::{
        batches::{self, NewBatch},
        blobs::{self, NewBlob},
        branches::{self, BranchScope},
        entities::{branch, file, index_run},
        files::{self, NewFile, NewFileFate},
        index_runs::{self, PlanCounts},
        snapshots,
    },
};

/// Files whose rows die in one short transaction.
const DYING_FILES: usize = 500;
/// Files that are read and written at once.
const READ_FILES: usize = 500;

pub(super) async fn run(stage: &Stage) -> Result<Outcome, IndexingError> {
    let started = Instant::now();
    // A rebuild begins here; after sync the repository is this run's already.
    if !sync::take_repository(stage).await? {
        return Ok(Outcome::Wait(sync::WAIT_FOR_REPOSITORY));
    }
    let run = stage.run().await?;
    let (Some(branch), Some(commit)) = (run.branch_id, run.commit.clone()) else {
        return Err(IndexingError::Fenced);
    };
    let branch = branches::get(stage.indexing.database().reader(), BranchId(branch)).await?;
    if let Some(wait) = take_back_earlier(stage, &branch).await? {
        return Ok(wait);
    }
    let snapshot = begin_snapshot(stage, &run, &branch, &commit).await?;
    let mut plan = Plan::new(stage, &branch, snapshot);
    let difference = plan.compare(&commit).await?;
    plan.let_die(&difference.dead).await?;
    let changed = difference.changed.len();
    plan.write(difference.changed).await?;
    let queue = match branch.published_snapshot_id {
        Some(_) if changed <= stage.indexing.settings().push_files => QueueName::Push,
        _ => QueueName::Bulk,
    };
    plan.finish(difference.seen, queue, started).await
}

/// Takes back what earlier runs of the branch left half-built, once their workers are gone.
async fn take_back_earlier(
    stage: &Stage,
    branch: &branch::Model,
) -> Result<Option<Outcome>, IndexingError> {
    let states = [SnapshotState::Building, SnapshotState::Failed];
    let reader = stage.indexing.database().reader();
    for earlier in snapshots::list_of_branch(reader, BranchId(branch.id), &states).await? {
        if !discard::discard(stage, &earlier).await? {
            return Ok(Some(Outcome::Wait(discard::WAIT_FOR_WORKERS)));
        }
    }
    Ok(None)
}

async fn begin_snapshot(
    stage: &Stage,
    run: &index_run::Model,
    branch: &branch::Model,
    commit: &str,
) -> Result<SnapshotId, IndexingError> {
    let git = &stage.indexing.parts().git;
    // Only shown to people: a rebuild from stored blobs may have no mirror.
    let committed_at = git.committed_at(stage.repository_id(), commit).await.ok();
    let run = crate::domain::IndexRunId(run.id);
    let format = stage.indexing.format();
    let transaction = stage.begin().await?;
    let snapshot =
        snapshots::insert(&transaction, branch, run, commit, committed_at, &format).await?;
    index_runs::set_snapshot(&transaction, run, snapshot).await?;
    index_runs::set_stage(&transaction, run, RunStage::Plan).await?;
    transaction.commit().await?;
    stage.indexing.changed(run);
    Ok(snapshot)
}

/// How the commit differs from the live files.
struct Difference {
    seen: usize,
    changed: Vec<Candidate>,
    /// Ids of live files that the commit lacks or holds with other content.
    dead: Vec<i64>,
}

struct Plan<'a> {
    stage: &'a Stage,
    branch: &'a branch::Model,
    scope: BranchScope,
    snapshot: SnapshotId,
    batches: Vec<NewBatch>,
    limits: PolicyLimits,
}

impl<'a> Plan<'a> {
    fn new(stage: &'a Stage, branch: &'a branch::Model, snapshot: SnapshotId) -> Self {
        Self {
            stage,
            branch,
            scope: BranchScope::from(branch),
            snapshot,
            batches: Vec::new(),
            limits: PolicyLimits::default(),
        }
    }

    async fn compare(&self, commit: &str) -> Result<Difference, IndexingError> {
        let reader = self.stage.indexing.database().reader();
        let is_format_new = match self.branch.published_snapshot_id {
            Some(published) => {
                let published = snapshots::get(reader, SnapshotId(published)).await?;
                if published.format != self.stage.indexing.format() && published.commit == commit {
                    return self.rebuild_all().await;
                }
                published.format != self.stage.indexing.format()
            }
            None => false,
        };
        let git = &self.stage.indexing.parts().git;
        let entries = git.walk(self.stage.repository_id(), commit).await?;
        let live = files::list_live(reader, self.scope.branch_id).await?;
        let mut live: HashMap<String, files::LiveFile> = live
            .into_iter()
            .map(|file| (file.path.clone(), file))
            .collect();
        let mut dead = Vec::new();
        let mut changed = Vec::new();
        let mut seen_paths = HashSet::with_capacity(entries.len());
        for entry in entries {
            let path = RepositoryPath::from_bytes(&entry.path);
            // Git allows no path twice; a broken tree that has one must not break the ledger.
            if !seen_paths.insert(path.as_str().to_owned()) {
                continue;
            }
            match live.remove(path.as_str()) {
                Some(file) if !is_format_new && is_unchanged(&file, &entry) => continue,
                Some(file) => dead.push(file.id),
                None => {}
            }
            changed.push(Candidate {
                path,
                oid: entry.oid,
                bytes: entry.bytes,
                origin: Origin::Tree(entry.mode),
            });
        }
        dead.extend(live.into_values().map(|file| file.id));
        let seen = seen_paths.len();
        Ok(Difference {
            seen,
            changed,
            dead,
        })
    }

    /// The same commit in a new format: every row again, from what is stored.
    async fn rebuild_all(&self) -> Result<Difference, IndexingError> {
        let reader = self.stage.indexing.database().reader();
        let rows = files::list_live_whole(reader, self.scope.branch_id).await?;
        let changed = |row: file::Model| Candidate {
            path: RepositoryPath::from_text(row.path.clone()),
            oid: row.oid.clone(),
            bytes: u64::try_from(row.bytes).unwrap_or(0),
            origin: Origin::Row(Box::new(row)),
        };
        Ok(Difference {
            seen: rows.len(),
            dead: rows.iter().map(|row| row.id).collect(),
            changed: rows.into_iter().map(changed).collect(),
        })
    }

    async fn let_die(&self, dead: &[i64]) -> Result<(), IndexingError> {
        for group in dead.chunks(DYING_FILES) {
            let transaction = self.stage.begin_shared().await?;
            files::set_died(&transaction, group, self.snapshot).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    /// Reads one group of files while the one before is being written.
    async fn write(&mut self, changed: Vec<Candidate>) -> Result<(), IndexingError> {
        let mut ready: Option<Vec<Decided>> = None;
        let mut groups = self.groups(changed).into_iter();
        loop {
            let group = groups.next();
            let is_last = group.is_none();
            let (stage, limits) = (self.stage, self.limits.clone());
            let read = async move {
                match group {
                    Some(group) => decide(stage, group, &limits).await.map(Some),
                    None => Ok(None),
                }
            };
            let write = async {
                match ready.take() {
                    Some(decided) => self.write_group(decided).await,
                    None => Ok(()),
                }
            };
            let (next, ()) = tokio::try_join!(read, write)?;
            ready = next;
            if is_last {
                return Ok(());
            }
        }
    }

    fn groups(&self, changed: Vec<Candidate>) -> Vec<Vec<Candidate>> {
        let limit = self.stage.indexing.settings().read_bytes;
        let mut groups: Vec<Vec<Candidate>> = Vec::new();
        let mut bytes = 0;
        for candidate in changed {
            // What is larger is not read.
            let size = candidate.bytes.min(self.limits.max_read_bytes);
            match groups.last_mut() {
                Some(group) if bytes + size <= limit && group.len() < READ_FILES => {
                    bytes += size;
                    group.push(candidate);
                }
                _ => {
                    bytes = size;
                    groups.push(vec![candidate]);
                }
            }
        }
        groups
    }

    async fn write_group(&mut self, decided: Vec<Decided>) -> Result<(), IndexingError> {
        let mut texts = Vec::new();
        let mut files = Vec::with_capacity(decided.len());
        for Decided { candidate, verdict } in decided {
            let bytes = i64::try_from(candidate.bytes).unwrap_or(i64::MAX);
            let fate = match verdict {
                Verdict::Skip { reason, detail } => NewFileFate::Skipped { reason, detail },
                Verdict::Index { text, lines, class } => {
                    let batch = self.assign(text.len());
                    texts.push(NewBlob {
                        oid: candidate.oid.clone(),
                        text,
                        lines,
                    });
                    NewFileFate::Pending {
                        blob_id: 0,
                        lines,
                        class,
                        batch,
                    }
                }
            };
            files.push(NewFile {
                path: candidate.path,
                oid: candidate.oid,
                bytes,
                fate,
            });
        }
        let transaction = self.stage.begin_shared().await?;
        let organization = self.scope.organization_id;
        let stored = blobs::ensure(&transaction, organization, texts).await?;
        for file in &mut files {
            if let NewFileFate::Pending { blob_id, .. } = &mut file.fate {
                *blob_id = stored
                    .get(&file.oid)
                    .map(|blob| blob.id)
                    .ok_or(crate::store::StoreError::NotFound("blob"))?;
            }
        }
        files::insert(&transaction, &self.scope, self.snapshot, &files).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The number of the batch that a text of this size goes into.
    fn assign(&mut self, bytes: usize) -> i64 {
        let settings = self.stage.indexing.settings();
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        let max_bytes = i64::try_from(settings.batch_bytes).unwrap_or(i64::MAX);
        let max_files = i64::try_from(settings.batch_files).unwrap_or(i64::MAX);
        let number = i64::try_from(self.batches.len()).unwrap_or(i64::MAX);
        match self.batches.last_mut() {
            Some(batch) if batch.bytes + bytes <= max_bytes && batch.files < max_files => {
                batch.bytes += bytes;
                batch.files += 1;
                batch.number
            }
            _ => {
                self.batches.push(NewBatch {
                    number: number + 1,
                    files: 1,
                    bytes,
                });
                number + 1
            }
        }
    }

    async fn finish(
        self,
        seen: usize,
        queue: QueueName,
        started: Instant,
    ) -> Result<Outcome, IndexingError> {
        let stage = self.stage;
        let run = stage.run_id()?;
        let transaction = stage.begin().await?;
        batches::replace(&transaction, run, self.snapshot, &self.batches).await?;
        let counts = PlanCounts {
            files_seen: i64::try_from(seen).unwrap_or(i64::MAX),
            files_total: self.batches.iter().map(|batch| batch.files).sum(),
            bytes_total: self.batches.iter().map(|batch| batch.bytes).sum(),
            batches_total: i64::try_from(self.batches.len()).unwrap_or(i64::MAX),
        };
        index_runs::set_plan_counts(&transaction, run, counts).await?;
        let next = if self.batches.is_empty() {
            RunStage::Publish
        } else {
            RunStage::Batch
        };
        index_runs::set_stage(&transaction, run, next).await?;
        let seconds = started.elapsed().as_secs_f64();
        index_runs::add_seconds(&transaction, run, |stages| stages.plan += seconds).await?;
        let jobs: Vec<_> = if self.batches.is_empty() {
            vec![stage.follower(JobKind::Publish, queue, None)]
        } else {
            let batch =
                |batch: &NewBatch| stage.follower(JobKind::Batch, queue, Some(batch.number));
            self.batches.iter().map(batch).collect()
        };
        let owed = owing::enqueue(&transaction, &jobs).await?;
        stage.succeed(&transaction).await?;
        transaction.commit().await?;
        stage.indexing.changed(run);
        Ok(Outcome::Finished(owed))
    }
}

/// Whether the live row still says what the entry is. A link and a file may share an object id; what
/// could not be read is read again.
fn is_unchanged(file: &files::LiveFile, entry: &TreeEntry) -> bool {
    let reason = file.reason.as_deref().and_then(SkipReason::parse);
    let is_same_kind = match entry.mode {
        EntryMode::Symlink => reason == Some(SkipReason::Symlink),
        EntryMode::Submodule => reason == Some(SkipReason::Submodule),
        EntryMode::File | EntryMode::Executable => !matches!(
            reason,
            Some(SkipReason::Symlink | SkipReason::Submodule | SkipReason::Unreadable)
        ),
    };
    is_same_kind && file.oid == entry.oid
}
