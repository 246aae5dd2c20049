//! Reading the files that may match, group by group, within time and size.

use std::{collections::VecDeque, future::Future, time::Duration};

use tokio::time::{Instant, timeout_at};

use crate::{
    domain::IndexFilter,
    retrieval::{RetrievalError, StopReason, path_pattern::PathPattern},
    store::{
        Database, StoreError,
        exact_lane::{self, CandidateFile, TextNeed},
    },
};

/// What one exact search may use.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    pub time: Duration,
    /// Files whose text is read.
    pub files: usize,
    /// Candidates per statement.
    pub page: u64,
    /// Texts in memory at once.
    pub group_files: usize,
    pub group_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // A person waits for it.
            time: Duration::from_secs(2),
            // More than two seconds allow to read.
            files: 50_000,
            page: 4_000,
            group_files: 64,
            group_bytes: 4 * 1024 * 1024,
        }
    }
}

/// A file and its text.
pub(super) type FileText = (CandidateFile, String);

/// The files of a filter that may satisfy a need, in the order of branch and path.
pub(super) struct FileWalk<'a> {
    pub db: &'a Database,
    pub filter: &'a IndexFilter,
    pub need: TextNeed,
    pub path: Option<PathPattern>,
    pub limits: &'a Limits,
    pub deadline: Instant,
    /// Files whose text was read.
    pub considered: usize,
    /// Why the walk ended before the last file.
    pub stop_reason: Option<StopReason>,
    queue: VecDeque<CandidateFile>,
    last: Option<CandidateFile>,
    is_at_end: bool,
}

impl<'a> FileWalk<'a> {
    pub(super) fn new(
        db: &'a Database,
        filter: &'a IndexFilter,
        need: TextNeed,
        path: Option<PathPattern>,
        limits: &'a Limits,
    ) -> Self {
        Self {
            db,
            filter,
            need,
            path,
            limits,
            deadline: Instant::now() + limits.time,
            considered: 0,
            stop_reason: None,
            queue: VecDeque::new(),
            last: None,
            is_at_end: false,
        }
    }

    /// The next files with their texts; `None` at the end or when `stop_reason` is set.
    pub(super) async fn next_group(&mut self) -> Result<Option<Vec<FileText>>, RetrievalError> {
        while self.queue.is_empty() && !self.is_at_end {
            if !self.next_page().await? {
                return Ok(None);
            }
        }
        if self.queue.is_empty() {
            return Ok(None);
        }
        let group = self.take_group();
        if group.is_empty() {
            self.stop_reason = Some(StopReason::FileLimit);
            return Ok(None);
        }
        let blobs = group.iter().map(|file| file.blob_id);
        let organization = self.filter.organization_id();
        let texts = exact_lane::texts(self.db.reader(), organization, blobs);
        let Some(texts) = self.within_time(texts).await? else {
            return Ok(None);
        };
        self.considered += group.len();
        let with_text = |file: CandidateFile| {
            let text = texts.get(&file.blob_id)?.clone();
            Some((file, text))
        };
        Ok(Some(group.into_iter().filter_map(with_text).collect()))
    }

    /// Reads candidates; `false` when the time is over.
    async fn next_page(&mut self) -> Result<bool, RetrievalError> {
        let (need, after) = (self.need.clone(), self.last.clone());
        let (reader, page) = (self.db.reader(), self.limits.page);
        let files = exact_lane::candidates(reader, self.filter, &need, after.as_ref(), page);
        let Some(files) = self.within_time(files).await? else {
            return Ok(false);
        };
        self.is_at_end = (files.len() as u64) < page;
        self.last = files.last().cloned().or(after);
        let path = self.path.as_ref();
        let wanted = |file: &CandidateFile| path.is_none_or(|path| path.matches(&file.path));
        self.queue.extend(files.into_iter().filter(wanted));
        Ok(true)
    }

    fn take_group(&mut self) -> Vec<CandidateFile> {
        let room = self.limits.files.saturating_sub(self.considered);
        let mut group = Vec::new();
        let mut bytes = 0;
        while let Some(file) = self.queue.front() {
            bytes += file.bytes;
            let is_full = group.len() >= self.limits.group_files.min(room)
                || (bytes > self.limits.group_bytes && !group.is_empty());
            if is_full {
                break;
            }
            group.extend(self.queue.pop_front());
        }
        group
    }

    /// The answer, unless the deadline comes first.
    pub(super) async fn within_time<T>(
        &mut self,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<Option<T>, RetrievalError> {
        match timeout_at(self.deadline, work).await {
            Ok(answer) => Ok(Some(answer?)),
            Err(_) => {
                self.stop_reason = Some(StopReason::TimeLimit);
                Ok(None)
            }
        }
    }

    /// Runs `work` on a thread for blocking work. `None` when it did not end in time (it looks at
    /// the deadline itself, this is the last resort) or failed.
    pub(super) async fn off_thread<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(std::time::Instant) -> T + Send + 'static,
    ) -> Option<T> {
        let deadline = self.deadline;
        let task = tokio::task::spawn_blocking(move || work(deadline.into_std()));
        match timeout_at(deadline + GRACE, task).await {
            Ok(Ok(answer)) => Some(answer),
            Ok(Err(error)) => {
                tracing::error!(%error, "matching file texts failed");
                self.stop_reason = Some(StopReason::TimeLimit);
                None
            }
            Err(_) => {
                self.stop_reason = Some(StopReason::TimeLimit);
                None
            }
        }
    }
}

/// For the step between two looks at the deadline.
const GRACE: Duration = Duration::from_millis(250);
