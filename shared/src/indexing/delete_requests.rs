//! Asking for projects and organizations to be removed: everything of theirs is missing for
//! everybody from the request on; jobs empty SQL and both engines afterwards.

use sea_orm::DatabaseTransaction;
use uuid::Uuid;

use super::{Indexing, IndexingError, requests::Requested};
use crate::{
    domain::{JobId, JobKind, OrganizationId, ProjectId, QueueName, RepositoryId, UserId},
    jobs::{self as owing, NewJob, Owed},
    store::{
        StoreError,
        deletions::{self, Contents},
    },
};

/// Who asks for a deletion, and whether they know what goes along.
#[derive(Debug, Clone, Copy)]
pub struct DeletionRequest {
    pub requested_by: UserId,
    pub with_contents: bool,
}

impl Indexing {
    /// Asks for a project to be removed, as a part of the caller's transaction.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the organization has no such project,
    /// [`IndexingError::Conflict`] `project_not_empty` when repositories would go along unsaid.
    pub async fn project_deletion_within(
        &self,
        transaction: &DatabaseTransaction,
        organization: OrganizationId,
        project: ProjectId,
        request: DeletionRequest,
    ) -> Result<Requested<JobId>, IndexingError> {
        deletions::mark_project(transaction, organization, project).await?;
        let repositories = deletions::kept_repositories(transaction, organization, project).await?;
        if !request.with_contents && !repositories.is_empty() {
            return Err(IndexingError::Conflict {
                code: "project_not_empty",
                detail: format!(
                    "{} would be deleted with the project",
                    counted(repositories.len() as i64, "repository", "repositories")
                ),
            });
        }
        let owed = self
            .owe_project(transaction, organization, project, &repositories, request)
            .await?;
        requested(owed)
    }

    /// Asks for an organization to be removed, as a part of the caller's transaction.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such organization, [`IndexingError::Conflict`]
    /// `organization_not_empty` when repositories or other members would go along unsaid.
    pub async fn organization_deletion_within(
        &self,
        transaction: &DatabaseTransaction,
        organization: OrganizationId,
        request: DeletionRequest,
    ) -> Result<Requested<JobId>, IndexingError> {
        deletions::mark_organization(transaction, organization).await?;
        let person = request.requested_by.0;
        let contents = deletions::contents(transaction, organization, person).await?;
        let is_empty = contents.repositories == 0 && contents.other_members == 0;
        if !request.with_contents && !is_empty {
            return Err(IndexingError::Conflict {
                code: "organization_not_empty",
                detail: described(contents),
            });
        }
        let mut owed = Vec::new();
        let projects = deletions::kept_projects(transaction, organization).await?;
        for project in &projects {
            deletions::mark_project(transaction, organization, *project).await?;
            let repositories =
                deletions::kept_repositories(transaction, organization, *project).await?;
            let more = self
                .owe_project(transaction, organization, *project, &repositories, request)
                .await?;
            owed.extend(more);
        }
        let job = NewJob {
            requested_by: Some(request.requested_by),
            steps_total: Some(projects.len() as i64),
            ..self.deletion_job(JobKind::DeleteOrganization, organization)
        };
        owed.extend(owing::enqueue(transaction, &[job]).await?);
        requested(owed)
    }

    /// The project's own job comes last.
    async fn owe_project(
        &self,
        transaction: &DatabaseTransaction,
        organization: OrganizationId,
        project: ProjectId,
        repositories: &[RepositoryId],
        request: DeletionRequest,
    ) -> Result<Vec<Owed>, IndexingError> {
        let mut owed = Vec::new();
        for repository in repositories {
            let requested = self
                .deletion_within(transaction, organization, *repository)
                .await?;
            owed.extend(requested.owed);
        }
        let job = NewJob {
            project_id: Some(project),
            requested_by: Some(request.requested_by),
            steps_total: Some(repositories.len() as i64),
            ..self.deletion_job(JobKind::DeleteProject, organization)
        };
        owed.extend(owing::enqueue(transaction, &[job]).await?);
        Ok(owed)
    }

    /// A job that is about no single repository.
    fn deletion_job(&self, kind: JobKind, organization: OrganizationId) -> NewJob {
        self.new_job(
            kind,
            QueueName::Bulk,
            organization,
            RepositoryId(Uuid::nil()),
        )
    }
}

fn requested(owed: Vec<Owed>) -> Result<Requested<JobId>, IndexingError> {
    let value = owed.last().map(|owed| owed.job_id);
    Ok(Requested {
        value: value.ok_or(StoreError::Corrupt("job"))?,
        owed,
        changed: None,
    })
}

fn described(contents: Contents) -> String {
    format!(
        "{}, {} and {} would be deleted with the organization",
        counted(contents.projects, "project", "projects"),
        counted(contents.repositories, "repository", "repositories"),
        counted(
            contents.other_members,
            "other membership",
            "other memberships"
        ),
    )
}

fn counted(number: i64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
