//! Removing a project or an organization once nothing of theirs is left, verified by count. What
//! their repositories hold in SQL and both engines is removed, and counted, by `delete`.

use std::time::Duration;

use super::{
    IndexingError,
    stage::{Outcome, Stage},
};
use crate::{
    domain::{OrganizationId, ProjectId},
    store::{StoreError, blobs, deletions, embeddings, jobs},
};

/// Between two looks at what other jobs have removed.
const WAIT: Duration = Duration::from_millis(500);
/// Rows that are removed in one short transaction.
const ROWS: i64 = 500;
/// Tables that hold rows of a project.
const OF_PROJECT: &[&str] = &[
    "repositories",
    "branches",
    "snapshots",
    "index_runs",
    "files",
    "chunks",
    "symbols",
    "symbol_references",
    "imports",
];

pub(super) async fn project(stage: &Stage) -> Result<Outcome, IndexingError> {
    let (organization, project) = (stage.organization(), project_id(stage)?);
    let indexing = &stage.indexing;
    let database = indexing.database().writer();
    deletions::find_marked_project(database, organization, project, false).await?;
    // Added while the request was on its way.
    for late in deletions::kept_repositories(database, organization, project).await? {
        match indexing.request_deletion(organization, late).await {
            Ok(_) | Err(IndexingError::Store(StoreError::NotFound(_))) => {}
            Err(error) => return Err(error),
        }
    }
    let left = deletions::count(database, "repositories", organization, Some(project)).await?;
    note(stage, left).await?;
    if left > 0 {
        return Ok(Outcome::Wait(WAIT));
    }
    let transaction = stage.begin_unowned().await?;
    deletions::find_marked_project(&transaction, organization, project, true).await?;
    nothing_left(&transaction, OF_PROJECT, organization, Some(project)).await?;
    deletions::delete_project(&transaction, project).await?;
    stage.succeed(&transaction).await?;
    transaction.commit().await?;
    Ok(Outcome::Finished(Vec::new()))
}

pub(super) async fn organization(stage: &Stage) -> Result<Outcome, IndexingError> {
    let organization = stage.organization();
    let database = stage.indexing.database().writer();
    deletions::find_marked_organization(database, organization, false).await?;
    let left = deletions::count(database, "projects", organization, None).await?;
    note(stage, left).await?;
    if left > 0 {
        return Ok(Outcome::Wait(WAIT));
    }
    loop {
        let blobs = deletions::some_ids(database, "blobs", organization, ROWS).await?;
        let embeddings = deletions::some_ids(database, "embeddings", organization, ROWS).await?;
        if blobs.is_empty() && embeddings.is_empty() {
            break;
        }
        let transaction = stage.begin_unowned().await?;
        let removed = blobs::delete_unreferenced(&transaction, &blobs).await?
            + embeddings::delete_unreferenced(&transaction, &embeddings).await?;
        transaction.commit().await?;
        if removed == 0 {
            break;
        }
    }
    let transaction = stage.begin_unowned().await?;
    deletions::find_marked_organization(&transaction, organization, true).await?;
    nothing_left(&transaction, OF_PROJECT, organization, None).await?;
    let own = ["projects", "blobs", "embeddings"];
    nothing_left(&transaction, &own, organization, None).await?;
    deletions::delete_organization(&transaction, organization).await?;
    stage.succeed(&transaction).await?;
    transaction.commit().await?;
    Ok(Outcome::Finished(Vec::new()))
}

fn project_id(stage: &Stage) -> Result<ProjectId, IndexingError> {
    let id = stage.job.project_id.map(ProjectId);
    id.ok_or_else(|| StoreError::Corrupt("job").into())
}

/// Writes down how much is done. What came in late makes the total grow, not the progress shrink.
async fn note(stage: &Stage, left: i64) -> Result<(), IndexingError> {
    let database = stage.indexing.database().writer();
    let (id, token) = (stage.job_id(), stage.job.fencing_token);
    jobs::set_steps_left(database, id, token, left).await?;
    Ok(())
}

async fn nothing_left(
    database: &impl sea_orm::ConnectionTrait,
    tables: &[&'static str],
    organization: OrganizationId,
    project: Option<ProjectId>,
) -> Result<(), IndexingError> {
    for table in tables {
        let found = deletions::count(database, table, organization, project).await?;
        if found > 0 {
            return Err(IndexingError::LeftOver { table, found });
        }
    }
    Ok(())
}
