//! Removing a repository with everything derived from it, verified by count.

use super::{
    IndexingError, discard, purge,
    stage::{Outcome, Stage, snapshot_filter},
};
use crate::{
    domain::{BranchId, OrganizationId, ProjectId, SnapshotId},
    store::{StoreError, branches, entities::branch, files, jobs, repositories},
};

/// Files that are removed in one short transaction.
const FILES: u64 = 200;

pub(super) async fn run(stage: &Stage) -> Result<Outcome, IndexingError> {
    let database = stage.indexing.database().writer();
    let id = stage.repository_id();
    if jobs::any_running_in_repository(database, id, stage.job_id()).await? {
        return Ok(Outcome::Wait(discard::WAIT_FOR_WORKERS));
    }
    for branch in branches::list_of_repository(database, id).await? {
        delete_branch(stage, &branch).await?;
    }
    stage.indexing.parts().git.remove(id).await?;
    let transaction = stage.begin_unowned().await?;
    match repositories::get_locked(&transaction, stage.organization(), id).await {
        Ok(_) | Err(StoreError::NotFound(_)) => {}
        Err(error) => return Err(error.into()),
    }
    jobs::cancel_queued_of_repository(&transaction, id).await?;
    repositories::delete(&transaction, id).await?;
    stage.succeed(&transaction).await?;
    transaction.commit().await?;
    Ok(Outcome::Finished(Vec::new()))
}

async fn delete_branch(stage: &Stage, branch: &branch::Model) -> Result<(), IndexingError> {
    let id = BranchId(branch.id);
    stage.indexing.delete_branch_documents(id).await?;
    let reader = stage.indexing.database().reader();
    // Every file, the living ones too, died before "never" plus one.
    while let dead = files::list_dead(reader, id, SnapshotId::NEVER, FILES).await?
        && !dead.is_empty()
    {
        purge::remove(stage, &dead).await?;
    }
    let everything = snapshot_filter(
        OrganizationId(branch.organization_id),
        ProjectId(branch.project_id),
        id,
        SnapshotId(SnapshotId::NEVER.0 - 1),
    );
    let (documents, points) = stage.indexing.count_documents(&everything).await?;
    if documents > 0 {
        return Err(left_over("lexical", documents));
    }
    match points {
        Some(points) if points > 0 => Err(left_over("vector", points)),
        _ => Ok(()),
    }
}

const fn left_over(engine: &'static str, found: i64) -> IndexingError {
    IndexingError::CountsDisagree {
        engine,
        expected: 0,
        found,
    }
}
