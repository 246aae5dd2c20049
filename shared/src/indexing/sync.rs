//! First stage: which commit is the branch at, and is there anything to do?

use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::{
    IndexingError,
    stage::{Outcome, Stage},
};
use crate::{
    domain::{
        BranchId, IndexRunId, JobKind, QueueName, RepositoryId, RepositoryState, RunStage,
        RunState, RunTrigger, SnapshotId,
    },
    jobs as owing,
    ports::{FetchRequest, GitCredential, RemoteBranches},
    store::{
        branches, credentials,
        entities::{index_run, repository, snapshot},
        index_runs, repositories, snapshots,
    },
};

/// Branches that a repository without a usable HEAD is read from, in this order; then the first one.
const LIKELY_DEFAULTS: [&str; 2] = ["main", "master"];

pub(super) async fn run(stage: &Stage) -> Result<Outcome, IndexingError> {
    let started = Instant::now();
    if !take_repository(stage).await? {
        return Ok(Outcome::Wait(WAIT_FOR_REPOSITORY));
    }
    let run = stage.run().await?;
    let repository = stage.repository().await?;
    let request = fetch_request(stage, &repository)?;
    let offered = stage.indexing.parts().git.list_branches(&request).await?;
    if offered.branches.is_empty() {
        return finish_empty(stage, &run, &repository).await;
    }
    let choice = choose(&run, &repository, &offered)?;
    let id = RepositoryId(repository.id);
    let git = &stage.indexing.parts().git;
    let targets = find_work(stage, &repository, &choice.names, &offered).await?;
    let Some(name) = targets.first() else {
        return finish_unchanged(stage, &repository, &choice, started).await;
    };
    // Further branches get runs of their own; only this one's commits are needed now.
    let fetched = git.fetch(id, &request, std::slice::from_ref(name)).await?;
    let commit = commit_of(&fetched, name)?;
    stage_plan(stage, &repository, &choice, &targets, commit, started).await
}

/// A run that ends wakes the next one; this is how often it looks anyway.
pub(super) const WAIT_FOR_REPOSITORY: Duration = Duration::from_secs(2);

/// Makes this run the one that may change the repository's index. `false` while another run is.
pub(super) async fn take_repository(stage: &Stage) -> Result<bool, IndexingError> {
    let run = stage.run_id()?;
    let transaction = stage.begin_unowned().await?;
    let id = stage.repository_id();
    let repository = repositories::get_locked(&transaction, stage.organization(), id).await?;
    if repository.state == RepositoryState::Deleting.as_str() {
        return Err(IndexingError::Fenced);
    }
    let owner = repository.lease_owner.as_deref();
    if let Some(owner) = owner.and_then(|owner| owner.parse::<IndexRunId>().ok())
        && owner != run
        && let Ok(other) = index_runs::get(&transaction, owner).await
        && other.state == RunState::Running.as_str()
    {
        return Ok(false);
    }
    if !index_runs::start(&transaction, run, stage.job.attempts).await? {
        return Err(IndexingError::Fenced);
    }
    repositories::set_owner(&transaction, id, run).await?;
    let state = RepositoryState::Indexing;
    repositories::set_state(&transaction, id, state, None).await?;
    transaction.commit().await?;
    stage.indexing.changed(run);
    Ok(true)
}

fn fetch_request(
    stage: &Stage,
    repository: &repository::Model,
) -> Result<FetchRequest, IndexingError> {
    let keyring = &stage.indexing.parts().keyring;
    let credential = repository
        .credential
        .as_deref()
        .map(|sealed| credentials::open(keyring, stage.organization(), sealed))
        .transpose()?
        .map(|credential| GitCredential {
            username: credential.username,
            password: credential.password,
        });
    Ok(FetchRequest {
        source: repositories::source(repository)?,
        credential,
        depth: repository.depth.and_then(|depth| u32::try_from(depth).ok()),
    })
}

/// Which branches this run is about.
struct Choice {
    names: Vec<String>,
    default: Option<String>,
    warning: Option<String>,
}

fn choose(
    run: &index_run::Model,
    repository: &repository::Model,
    offered: &RemoteBranches,
) -> Result<Choice, IndexingError> {
    let mut warning = None;
    let default = match (&offered.default, &offered.dangling_head) {
        (Some(default), _) => Some(default.clone()),
        (None, dangling) => {
            let likely = LIKELY_DEFAULTS
                .iter()
                .find_map(|name| offered.branches.iter().find(|branch| branch.name == *name))
                .or_else(|| offered.branches.first())
                .map(|branch| branch.name.clone());
            if let (Some(dangling), Some(used)) = (dangling, &likely) {
                warning = Some(format!(
                    "HEAD names `{dangling}`, which does not exist; `{used}` is used instead"
                ));
            }
            likely
        }
    };
    let tracked = repositories::tracked_branches(repository)?;
    let names = match (&run.branch, tracked.is_empty()) {
        (Some(branch), _) => vec![branch.clone()],
        (None, false) => tracked,
        (None, true) => default.clone().into_iter().collect(),
    };
    if let [only] = names.as_slice()
        && !offered.branches.iter().any(|branch| branch.name == *only)
    {
        return Err(IndexingError::BranchNotFound(only.clone()));
    }
    Ok(Choice {
        names,
        default,
        warning,
    })
}

fn commit_of<'a>(offered: &'a RemoteBranches, name: &str) -> Result<&'a str, IndexingError> {
    offered
        .branches
        .iter()
        .find(|branch| branch.name == name)
        .map(|branch| branch.commit.as_str())
        .ok_or_else(|| IndexingError::BranchNotFound(name.to_owned()))
}

/// The branches whose commit is not published in the current format. One that the remote lacks is
/// among them: its run will say so.
async fn find_work(
    stage: &Stage,
    repository: &repository::Model,
    names: &[String],
    offered: &RemoteBranches,
) -> Result<Vec<String>, IndexingError> {
    let mut work = Vec::new();
    for name in names {
        let database = stage.indexing.database().reader();
        let published = published(database, repository, name).await?;
        let is_current = published.is_some_and(|snapshot| {
            commit_of(offered, name).is_ok_and(|commit| commit == snapshot.commit)
                && snapshot.format == stage.indexing.format()
        });
        if !is_current {
            work.push(name.clone());
        }
    }
    // The run itself takes a branch that exists.
    work.sort_by_key(|name| commit_of(offered, name).is_err());
    Ok(work)
}

async fn published(
    database: &impl ConnectionTrait,
    repository: &repository::Model,
    name: &str,
) -> Result<Option<snapshot::Model>, IndexingError> {
    let branches = branches::list_of_repository(database, RepositoryId(repository.id)).await?;
    let Some(id) = branches
        .iter()
        .find(|branch| branch.name == name)
        .and_then(|branch| branch.published_snapshot_id)
    else {
        return Ok(None);
    };
    Ok(Some(snapshots::get(database, SnapshotId(id)).await?))
}

/// No commits yet: nothing to show, and nothing wrong. What was published before stays.
async fn finish_empty(
    stage: &Stage,
    run: &index_run::Model,
    repository: &repository::Model,
) -> Result<Outcome, IndexingError> {
    if let Some(branch) = &run.branch {
        return Err(IndexingError::BranchNotFound(branch.clone()));
    }
    let transaction = stage.begin_last().await?;
    let id = RepositoryId(repository.id);
    let has_published = branches::list_of_repository(&transaction, id)
        .await?
        .iter()
        .any(|branch| branch.published_snapshot_id.is_some());
    let (state, warning) = if has_published {
        (
            RepositoryState::Ready,
            "the repository has no commits any more; the last index is kept",
        )
    } else {
        (RepositoryState::Empty, "the repository is empty")
    };
    let default = repository.default_branch.as_deref();
    repositories::set_remote(&transaction, id, default, Some(warning)).await?;
    repositories::set_state(&transaction, id, state, None).await?;
    finish_run(stage, transaction).await
}

async fn finish_unchanged(
    stage: &Stage,
    repository: &repository::Model,
    choice: &Choice,
    started: Instant,
) -> Result<Outcome, IndexingError> {
    let run = stage.run_id()?;
    let id = RepositoryId(repository.id);
    let transaction = stage.begin_last().await?;
    record_remote(&transaction, id, choice).await?;
    if let Some(name) = choice.names.first()
        && let Some(snapshot) = published(&transaction, repository, name).await?
    {
        let branch = BranchId(snapshot.branch_id);
        index_runs::set_target(&transaction, run, branch, name, &snapshot.commit).await?;
        index_runs::set_snapshot(&transaction, run, SnapshotId(snapshot.id)).await?;
    }
    let seconds = started.elapsed().as_secs_f64();
    index_runs::add_seconds(&transaction, run, |stages| stages.sync += seconds).await?;
    repositories::set_state(&transaction, id, RepositoryState::Ready, None).await?;
    finish_run(stage, transaction).await
}

async fn finish_run(
    stage: &Stage,
    transaction: DatabaseTransaction,
) -> Result<Outcome, IndexingError> {
    let run = stage.run_id()?;
    index_runs::finish(&transaction, run, RunState::Succeeded, None).await?;
    let row = index_runs::get(&transaction, run).await?;
    stage.succeed(&transaction).await?;
    let owed = stage
        .indexing
        .release_repository(&transaction, &row)
        .await?;
    transaction.commit().await?;
    Ok(Outcome::Finished(owed))
}

async fn record_remote(
    transaction: &DatabaseTransaction,
    repository: RepositoryId,
    choice: &Choice,
) -> Result<(), IndexingError> {
    let (default, warning) = (choice.default.as_deref(), choice.warning.as_deref());
    repositories::set_remote(transaction, repository, default, warning).await?;
    if let Some(default) = default {
        branches::set_default(transaction, repository, default).await?;
    }
    Ok(())
}

async fn stage_plan(
    stage: &Stage,
    repository: &repository::Model,
    choice: &Choice,
    targets: &[String],
    commit: &str,
    started: Instant,
) -> Result<Outcome, IndexingError> {
    let run = stage.run_id()?;
    let transaction = stage.begin_last().await?;
    let row = index_runs::get(&transaction, run).await?;
    let trigger = RunTrigger::parse(&row.trigger).unwrap_or(RunTrigger::Schedule);
    let [name, further @ ..] = targets else {
        return Err(IndexingError::Fenced);
    };
    let branch = branches::ensure(&transaction, repository, name).await?;
    record_remote(&transaction, RepositoryId(repository.id), choice).await?;
    index_runs::set_target(&transaction, run, BranchId(branch.id), name, commit).await?;
    index_runs::set_stage(&transaction, run, RunStage::Plan).await?;
    let seconds = started.elapsed().as_secs_f64();
    index_runs::add_seconds(&transaction, run, |stages| stages.sync += seconds).await?;
    let queue = match branch.published_snapshot_id {
        Some(_) => QueueName::Push,
        None => QueueName::Bulk,
    };
    let plan = stage.follower(JobKind::Plan, queue, None);
    let mut owed = owing::enqueue(&transaction, &[plan]).await?;
    for name in further {
        let (_, others) = stage
            .indexing
            .join_or_queue(&transaction, repository, Some(name.clone()), trigger)
            .await?;
        // They wait for this run in any case, and are woken at its end.
        owed.extend(others.into_iter().map(|mut other| {
            other.delay = WAIT_FOR_REPOSITORY;
            other
        }));
    }
    stage.succeed(&transaction).await?;
    transaction.commit().await?;
    Ok(Outcome::Finished(owed))
}
