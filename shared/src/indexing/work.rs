//! Running a job: claim, watch, run its stage, record how it ended. Dropping the future at any
//! point leaves what a killed process would leave.

use std::{panic::AssertUnwindSafe, time::Duration};

use chrono::{DateTime, Utc};
use futures::FutureExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    Indexing, IndexingError,
    stage::{Outcome, Stage},
};
use crate::{
    domain::{IndexRunId, JobId, JobKind, JobState, Kinded, Problem, RunState},
    jobs::Owed,
    ports::{JobTicket, PortError},
    store::{entities::job, index_runs, jobs, repositories},
};

/// Why a stage was stopped from outside.
enum Interruption {
    /// The process is shutting down.
    Shutdown,
    /// The lease is gone, or the run was ended.
    Lost,
}

impl Indexing {
    /// Runs the job of a ticket, and then what it makes owed as far as it can be done here at once;
    /// the rest goes to the queue. A ticket whose job is done, running elsewhere or not yet due is
    /// dropped. Never panics. On `cancellation` the job goes back to the queue, its attempt
    /// uncounted.
    pub async fn run_job(&self, ticket: JobTicket, worker: &str, cancellation: CancellationToken) {
        let mut next = Some(ticket.job_id);
        while let Some(job) = next.take() {
            if cancellation.is_cancelled() {
                return;
            }
            match self.attempt(job, worker, &cancellation).await {
                Ok(mut owed) => {
                    // Straight on with one of them: a queue would only add its latency.
                    if let Some(at) = owed.iter().position(|owed| owed.delay.is_zero()) {
                        next = Some(owed.swap_remove(at).job_id);
                    }
                    self.hand_over(&owed).await;
                }
                Err(error) => {
                    note_unrecorded(job, &error);
                }
            }
        }
    }

    async fn attempt(
        &self,
        id: JobId,
        worker: &str,
        cancellation: &CancellationToken,
    ) -> Result<Vec<Owed>, IndexingError> {
        let lease = self.settings().lease();
        let Some(job) = jobs::claim(self.database().writer(), id, worker, lease).await? else {
            return self.early_ticket(id).await;
        };
        let stage = Stage {
            indexing: self.clone(),
            job,
        };
        if stage.job.attempts > stage.job.max_attempts {
            let lost = IndexingError::WorkerLost(stage.job.max_attempts);
            return self.bury(&stage, &lost).await;
        }
        let result = tokio::select! {
            result = AssertUnwindSafe(run_stage(&stage)).catch_unwind() => {
                Ok(result.unwrap_or(Err(IndexingError::Panicked)))
            }
            () = self.watch(&stage) => Err(Interruption::Lost),
            () = cancellation.cancelled() => Err(Interruption::Shutdown),
        };
        if let Some(run) = stage.job.index_run_id {
            self.changed(IndexRunId(run));
        }
        match result {
            Ok(Ok(Outcome::Finished(owed))) => Ok(owed),
            Ok(Ok(Outcome::Wait(delay))) => self.put_back(&stage, delay, false, None).await,
            Ok(Err(IndexingError::Fenced)) | Err(Interruption::Lost) => self.give_up(&stage).await,
            Ok(Err(error)) => self.fail(&stage, &error).await,
            Err(Interruption::Shutdown) => {
                // The ticket would be swallowed by the closing worker: the next one sweeps it up.
                self.put_back(&stage, Duration::ZERO, false, None).await?;
                jobs::forget_ticket(self.database().writer(), id).await?;
                Ok(Vec::new())
            }
        }
    }

    /// A ticket that came before its time (a clock, a retry) is sent on its way again. The time may
    /// have come since the claim was refused, so only the state counts.
    async fn early_ticket(&self, id: JobId) -> Result<Vec<Owed>, IndexingError> {
        let Ok(job) = jobs::find(self.database().writer(), id).await else {
            return Ok(Vec::new());
        };
        let is_early = job.state == JobState::Queued.as_str();
        Ok(is_early.then(|| Owed::from_row(&job)).into_iter().collect())
    }

    /// Returns when the job is no longer this worker's; extends the lease until then.
    async fn watch(&self, stage: &Stage) {
        let lease = self.settings().lease();
        let mut extended = Instant::now();
        loop {
            tokio::time::sleep(self.settings().watch()).await;
            match self.is_still_ours(&stage.job).await {
                Ok(true) => {}
                Ok(false) => return,
                // A database that does not answer is no proof; the lease decides.
                Err(_) if extended.elapsed() < lease => continue,
                Err(_) => return,
            }
            if extended.elapsed() >= lease / 3 {
                let token = stage.job.fencing_token;
                let writer = self.database().writer();
                match jobs::extend_lease(writer, stage.job_id(), token, lease).await {
                    // Whether it is lost or just finished, the next look tells.
                    Ok(_) => extended = Instant::now(),
                    Err(error) => tracing::warn!(%error, "a lease was not extended"),
                }
            }
        }
    }

    /// A stage ends its own job, and perhaps its run, a moment before it returns: that is no loss.
    async fn is_still_ours(&self, job: &job::Model) -> Result<bool, IndexingError> {
        let reader = self.database().reader();
        let row = jobs::find(reader, JobId(job.id)).await?;
        if row.fencing_token != job.fencing_token {
            return Ok(false);
        }
        match JobState::parse(&row.state) {
            Some(JobState::Running) => {}
            state => return Ok(state == Some(JobState::Succeeded)),
        }
        match job.index_run_id {
            // A purge job comes after the end of its run.
            Some(run) if job.kind != JobKind::Purge.as_str() => {
                let run = index_runs::get(reader, IndexRunId(run)).await?;
                let ended = [RunState::Failed, RunState::Cancelled];
                Ok(RunState::parse(&run.state).is_none_or(|state| !ended.contains(&state)))
            }
            _ => Ok(true),
        }
    }

    /// The run was ended by somebody, or the job is another worker's; in the latter case the token
    /// makes this a no-op.
    async fn give_up(&self, stage: &Stage) -> Result<Vec<Owed>, IndexingError> {
        let (id, token) = (stage.job_id(), stage.job.fencing_token);
        let writer = self.database().writer();
        jobs::finish(writer, id, token, JobState::Cancelled, None).await?;
        Ok(Vec::new())
    }

    async fn put_back(
        &self,
        stage: &Stage,
        delay: Duration,
        counts: bool,
        problem: Option<&Problem>,
    ) -> Result<Vec<Owed>, IndexingError> {
        let (id, token) = (stage.job_id(), stage.job.fencing_token);
        let run_after: DateTime<Utc> = Utc::now() + delay;
        let writer = self.database().writer();
        if !jobs::put_back(writer, id, token, run_after, counts, problem).await? {
            return Ok(Vec::new());
        }
        let owed = Owed {
            job_id: id,
            queue: stage.queue(),
            delay: delay.max(Duration::from_millis(1)),
        };
        Ok(vec![owed])
    }

    async fn fail(&self, stage: &Stage, error: &IndexingError) -> Result<Vec<Owed>, IndexingError> {
        let attempt = stage.job.attempts;
        note_failure(stage, error);
        if !error.kind().is_transient() || attempt >= stage.job.max_attempts {
            return self.bury(stage, error).await;
        }
        let delay = self.backoff(attempt, retry_after(error));
        self.put_back(stage, delay, true, Some(&Problem::from(error)))
            .await
    }

    /// Doubles with every attempt, give or take a quarter so that jobs that failed together do not
    /// come back together. What a provider asks for is a minimum, up to the cap.
    fn backoff(&self, attempt: i64, asked: Option<Duration>) -> Duration {
        let settings = self.settings();
        let cap = Duration::from_secs(settings.backoff_cap_seconds);
        let doublings = u32::try_from(attempt - 1).unwrap_or(0).min(20);
        let wait = Duration::from_millis(settings.backoff_milliseconds)
            .saturating_mul(1 << doublings)
            .max(asked.unwrap_or_default())
            .min(cap);
        let spread = u32::from(Uuid::new_v4().as_bytes()[0]);
        wait.saturating_mul(384 + spread) / 512
    }

    /// Makes the job a dead letter, and ends its run.
    async fn bury(&self, stage: &Stage, error: &IndexingError) -> Result<Vec<Owed>, IndexingError> {
        let problem = Problem::from(error);
        let (id, token) = (stage.job_id(), stage.job.fencing_token);
        let transaction = match stage.begin_unowned().await {
            Err(IndexingError::Fenced) => return Ok(Vec::new()),
            other => other?,
        };
        let (organization, repository) = (stage.organization(), stage.repository_id());
        let known = repositories::get_locked(&transaction, organization, repository).await;
        jobs::finish(&transaction, id, token, JobState::Dead, Some(&problem)).await?;
        let mut owed = Vec::new();
        if let (Some(run), Ok(_)) = (stage.job.index_run_id, known) {
            let run = index_runs::get(&transaction, IndexRunId(run)).await?;
            let state = RunState::Failed;
            let ended = self
                .end_run(&transaction, &run, state, Some(&problem))
                .await?;
            owed = ended.unwrap_or_default();
        }
        transaction.commit().await?;
        Ok(owed)
    }
}

// Logged outside the async functions: the error as a trait object must not live across an await.

fn note_unrecorded(job: JobId, error: &IndexingError) {
    let error = error as &dyn std::error::Error;
    tracing::error!(job_id = %job, error, "the end of a job was not recorded");
}

fn note_failure(stage: &Stage, error: &IndexingError) {
    let (job_id, kind, attempt) = (stage.job_id(), &stage.job.kind, stage.job.attempts);
    let error = error as &dyn std::error::Error;
    tracing::warn!(%job_id, kind, attempt, error, "a job failed");
}

async fn run_stage(stage: &Stage) -> Result<Outcome, IndexingError> {
    stage.check_place().await?;
    match JobKind::parse(&stage.job.kind) {
        Some(JobKind::Sync) => super::sync::run(stage).await,
        Some(JobKind::Plan) => super::plan::run(stage).await,
        Some(JobKind::Batch) => super::batch::run(stage).await,
        Some(JobKind::Publish) => super::publish::run(stage).await,
        Some(JobKind::Purge) => super::purge::run(stage).await,
        Some(JobKind::DeleteRepository) => super::delete::run(stage).await,
        Some(JobKind::DeleteProject) => super::delete_places::project(stage).await,
        Some(JobKind::DeleteOrganization) => super::delete_places::organization(stage).await,
        None => Err(crate::store::StoreError::Corrupt("job kind").into()),
    }
}

fn retry_after(error: &IndexingError) -> Option<Duration> {
    match error {
        IndexingError::Port(
            PortError::Unavailable { retry_after, .. } | PortError::RateLimited { retry_after, .. },
        ) => *retry_after,
        _ => None,
    }
}
