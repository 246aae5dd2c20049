//! Which branches a search reads, at which snapshots, as one consistent [`View`].

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ConnectionTrait, FromQueryResult,
    sea_query::{Condition, Expr, ExprTrait, JoinType, Order, Query, SelectStatement},
};
use serde::Serialize;
use uuid::Uuid;

use super::StoreError;
use crate::domain::{
    BranchId, OrganizationId, ProjectId, ReadScope, RepositoryId, RepositoryState, SnapshotId,
    SnapshotState, View,
};

/// What part of a scope is wanted. Everything empty means the default branch of every repository in
/// the scope, as published now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ViewRequest {
    /// Only these projects; ids outside the scope are as good as missing ones.
    pub project_ids: Vec<ProjectId>,
    /// Only these repositories.
    pub repository_ids: Vec<RepositoryId>,
    /// The branch of this name instead of the default one.
    pub branch: Option<String>,
    /// This retained snapshot instead of the newest one.
    pub snapshot: Option<SnapshotId>,
    /// The retained snapshots of this commit: a full id, or at least seven hex digits of it.
    pub commit: Option<String>,
}

/// A branch as it is read by one search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SearchedBranch {
    pub organization_id: OrganizationId,
    pub project_id: ProjectId,
    pub repository_id: RepositoryId,
    pub repository_name: String,
    pub branch_id: BranchId,
    pub branch: String,
    pub snapshot_id: SnapshotId,
    pub commit: String,
    pub published_at: Option<DateTime<Utc>>,
    pub files_indexed: u64,
    pub files_skipped: u64,
}

/// The branches of a search and the view that shows exactly their snapshots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentView {
    /// Ordered by repository name, then branch name.
    pub branches: Vec<SearchedBranch>,
    pub view: View,
}

/// Resolves a request inside a scope. One statement, so that a publication in between cannot show
/// half of itself.
///
/// # Errors
/// [`StoreError::NotFound`] when a snapshot or commit was named that this scope does not hold (or no
/// longer does). A missing branch, repository or project is no error: nothing is searched.
pub async fn current(
    db: &impl ConnectionTrait,
    scope: &ReadScope,
    request: &ViewRequest,
) -> Result<CurrentView, StoreError> {
    let scope = if request.project_ids.is_empty() {
        scope.clone()
    } else {
        scope.narrowed(&request.project_ids)
    };
    let mut rows = Vec::new();
    if !scope.projects().is_empty() {
        for row in db.query_all(&statement(&scope, request)?).await? {
            rows.push(Row::from_query_result(&row, "")?);
        }
    }
    if rows.is_empty() {
        if request.snapshot.is_some() {
            return Err(StoreError::NotFound("snapshot"));
        }
        if request.commit.is_some() {
            return Err(StoreError::NotFound("commit"));
        }
    }
    Ok(assemble(rows))
}

#[derive(Debug, FromQueryResult)]
struct Row {
    organization_id: Uuid,
    project_id: Uuid,
    repository_id: Uuid,
    repository_name: String,
    branch_id: Uuid,
    branch: String,
    snapshot_id: i64,
    commit: String,
    published_at: Option<DateTime<Utc>>,
    files_indexed: i64,
    files_skipped: i64,
    /// A snapshot of the branch that must not shine through; one row per such snapshot.
    hidden: Option<i64>,
}

fn statement(scope: &ReadScope, request: &ViewRequest) -> Result<SelectStatement, StoreError> {
    let shown = SnapshotState::Published.as_str();
    let mut snapshot = Condition::all()
        .add(Expr::col(("s", "branch_id")).equals(("b", "id")))
        .add(Expr::col(("s", "state")).eq(shown));
    let mut wanted = Condition::all()
        // What is being removed is gone for readers at once.
        .add(Expr::col(("r", "state")).ne(RepositoryState::Deleting.as_str()))
        .add(Expr::col(("b", "organization_id")).eq(scope.organization_id().0))
        .add(Expr::col(("b", "project_id")).is_in(scope.projects().iter().map(|id| id.0)));
    if !request.repository_ids.is_empty() {
        let ids = request.repository_ids.iter().map(|id| id.0);
        wanted = wanted.add(Expr::col(("b", "repository_id")).is_in(ids));
    }
    let pinned = request.snapshot.is_some() || request.commit.is_some();
    match &request.branch {
        Some(name) => wanted = wanted.add(Expr::col(("b", "name")).eq(name.as_str())),
        None if !pinned => wanted = wanted.add(Expr::col(("b", "is_default")).eq(true)),
        None => {}
    }
    if let Some(id) = request.snapshot {
        snapshot = snapshot.add(Expr::col(("s", "id")).eq(id.0));
    }
    if let Some(commit) = &request.commit {
        let column = Expr::col(("s", "commit"));
        let commit = commit.to_ascii_lowercase();
        let is_hex = commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex || commit.len() < SHORTEST_COMMIT {
            return Err(StoreError::NotFound("commit"));
        }
        snapshot = snapshot.add(column.like(format!("{commit}%")));
    }
    if !pinned {
        snapshot = snapshot.add(Expr::col(("s", "id")).equals(("b", "published_snapshot_id")));
    }
    let hidden = Condition::all()
        .add(Expr::col(("h", "branch_id")).equals(("b", "id")))
        .add(
            Condition::any()
                .add(Expr::col(("h", "state")).is_in([
                    SnapshotState::Building.as_str(),
                    SnapshotState::Failed.as_str(),
                ]))
                .add(Expr::col(("h", "id")).gt(Expr::col(("s", "id")))),
        );
    Ok(Query::select()
        .column(("b", "organization_id"))
        .column(("b", "project_id"))
        .column(("b", "repository_id"))
        .expr_as(Expr::col(("r", "name")), "repository_name")
        .expr_as(Expr::col(("b", "id")), "branch_id")
        .expr_as(Expr::col(("b", "name")), "branch")
        .expr_as(Expr::col(("s", "id")), "snapshot_id")
        .column(("s", "commit"))
        .column(("s", "published_at"))
        .column(("s", "files_indexed"))
        .column(("s", "files_skipped"))
        .expr_as(Expr::col(("h", "id")), "hidden")
        .from_as("branches", "b")
        .join_as(
            JoinType::InnerJoin,
            "repositories",
            "r",
            Expr::col(("r", "id")).equals(("b", "repository_id")),
        )
        .join_as(JoinType::InnerJoin, "snapshots", "s", snapshot)
        .join_as(JoinType::LeftJoin, "snapshots", "h", hidden)
        .cond_where(wanted)
        .order_by(("r", "name"), Order::Asc)
        .order_by(("r", "id"), Order::Asc)
        .order_by(("b", "is_default"), Order::Desc)
        .order_by(("b", "name"), Order::Asc)
        .order_by(("s", "id"), Order::Desc)
        .to_owned())
}

/// Git's own shortest abbreviation; fewer digits name too many commits.
const SHORTEST_COMMIT: usize = 7;

/// One branch per name and repository. A commit may stand in several snapshots and branches: the
/// newest snapshot of the first branch of each repository is taken, since all hold the same files.
fn assemble(rows: Vec<Row>) -> CurrentView {
    let mut taken: HashMap<Uuid, (Uuid, i64)> = HashMap::new();
    let mut branches: Vec<SearchedBranch> = Vec::new();
    let mut unpublished: Vec<SnapshotId> = Vec::new();
    for row in rows {
        let key = (row.branch_id, row.snapshot_id);
        let first = *taken.entry(row.repository_id).or_insert(key);
        if first != key {
            continue;
        }
        unpublished.extend(row.hidden.map(SnapshotId));
        let is_new = branches.last().map(|last| last.branch_id.0) != Some(row.branch_id);
        if is_new {
            branches.push(SearchedBranch {
                organization_id: OrganizationId(row.organization_id),
                project_id: ProjectId(row.project_id),
                repository_id: RepositoryId(row.repository_id),
                repository_name: row.repository_name,
                branch_id: BranchId(row.branch_id),
                branch: row.branch,
                snapshot_id: SnapshotId(row.snapshot_id),
                commit: row.commit,
                published_at: row.published_at,
                files_indexed: row.files_indexed.unsigned_abs(),
                files_skipped: row.files_skipped.unsigned_abs(),
            });
        }
    }
    let horizon = branches
        .iter()
        .map(|branch| branch.snapshot_id)
        .max()
        .unwrap_or(SnapshotId(0));
    unpublished.retain(|id| *id <= horizon);
    unpublished.sort_unstable();
    unpublished.dedup();
    CurrentView {
        branches,
        view: View {
            horizon,
            unpublished,
        },
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use quarry_migrations::{Migrator, MigratorTrait};
    use sea_orm::{ConnectionTrait, DatabaseConnection};

    use super::*;
    use crate::{
        domain::{Grants, OrganizationRole, Permission, ProjectGrant, ProjectRole, UserId},
        store::{Database, DatabaseSettings},
    };

    struct World {
        _folder: tempfile::TempDir,
        db: DatabaseConnection,
        organization: OrganizationId,
        project: ProjectId,
    }

    impl World {
        async fn start() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("quarry.db");
            let database = Database::open(&DatabaseSettings::Sqlite { path })
                .await
                .unwrap();
            let db = database.writer().clone();
            Migrator::up(&db, None).await.unwrap();
            let world = Self {
                _folder: folder,
                db,
                organization: OrganizationId::generate(),
                project: ProjectId::generate(),
            };
            let organization = world.organization.0;
            world
                .run(
                    "INSERT INTO organizations (id, name, slug, created_at) VALUES ($1, 'a', 'a', '2026-01-01')",
                    [organization.into()],
                )
                .await;
            world
                .run(
                    "INSERT INTO projects (id, organization_id, name, slug, created_at) \
                     VALUES ($1, $2, 'p', 'p', '2026-01-01')",
                    [world.project.0.into(), organization.into()],
                )
                .await;
            world
        }

        async fn run<const N: usize>(&self, sql: &str, values: [sea_orm::Value; N]) {
            let backend = self.db.get_database_backend();
            let statement = sea_orm::Statement::from_sql_and_values(backend, sql, values);
            self.db.execute_raw(statement).await.unwrap();
        }

        async fn repository(&self, name: &str) -> RepositoryId {
            let id = RepositoryId::generate();
            let sql = "INSERT INTO repositories (id, organization_id, project_id, name, \
                       source_kind, location, location_key, tracked_branches, state, created_at) \
                       VALUES ($1, $2, $3, $4, 'local', $4, $4, '[]', 'ready', '2026-01-01')";
            let values = [
                id.0.into(),
                self.organization.0.into(),
                self.project.0.into(),
                name.into(),
            ];
            self.run(sql, values).await;
            id
        }

        async fn branch(
            &self,
            repository: RepositoryId,
            name: &str,
            published: Option<i64>,
        ) -> BranchId {
            let id = BranchId::generate();
            let sql = "INSERT INTO branches VALUES ($1, $2, $3, $4, $5, $6, $7, '2026-01-01')";
            let values = [
                id.0.into(),
                self.organization.0.into(),
                self.project.0.into(),
                repository.0.into(),
                name.into(),
                (name == "main").into(),
                published.into(),
            ];
            self.run(sql, values).await;
            id
        }

        async fn snapshot(&self, id: i64, repository: RepositoryId, branch: BranchId, state: &str) {
            let sql = "INSERT INTO snapshots (id, organization_id, project_id, repository_id, \
                       branch_id, \"commit\", state, format, created_at) \
                       VALUES ($1, $2, $3, $4, $5, $6, $7, 'f', '2026-01-01')";
            let values = [
                id.into(),
                self.organization.0.into(),
                self.project.0.into(),
                repository.0.into(),
                branch.0.into(),
                format!("{id:040x}").into(),
                state.into(),
            ];
            self.run(sql, values).await;
        }

        fn scope(&self, project: ProjectId) -> ReadScope {
            let role = OrganizationRole::Member;
            let grant = ProjectGrant {
                project_id: project,
                role: ProjectRole::Reader,
            };
            Grants::from_rows(UserId::generate(), self.organization, role, vec![grant])
                .read_scope(Permission::ReadProject)
        }
    }

    fn snapshots(ids: &[i64]) -> Vec<SnapshotId> {
        ids.iter().copied().map(SnapshotId).collect()
    }

    #[tokio::test]
    async fn builds_and_failures_stay_hidden_whatever_the_horizon() {
        let world = World::start().await;
        let (one, two) = (world.repository("one").await, world.repository("two").await);
        let first = world.branch(one, "main", Some(2)).await;
        let second = world.branch(two, "main", Some(5)).await;
        world.branch(two, "unborn", None).await;
        for (id, repository, branch, state) in [
            (1, one, first, "published"),
            (2, one, first, "published"),
            (3, one, first, "failed"),
            (4, one, first, "building"),
            (5, two, second, "published"),
            (6, two, second, "building"),
        ] {
            world.snapshot(id, repository, branch, state).await;
        }
        let scope = world.scope(world.project);

        let now = current(&world.db, &scope, &ViewRequest::default())
            .await
            .unwrap();
        let names: Vec<_> = now
            .branches
            .iter()
            .map(|b| b.repository_name.as_str())
            .collect();
        assert_eq!(names, ["one", "two"]);
        assert_eq!(now.view.horizon, SnapshotId(5));
        assert_eq!(now.view.unpublished, snapshots(&[3, 4]));

        let old = ViewRequest {
            snapshot: Some(SnapshotId(1)),
            ..ViewRequest::default()
        };
        let old = current(&world.db, &scope, &old).await.unwrap();
        assert_eq!(
            old.view,
            View {
                horizon: SnapshotId(1),
                unpublished: Vec::new()
            }
        );
        assert_eq!(old.branches[0].branch_id, first);

        let commit = Some(format!("{:040x}", 2));
        let request = ViewRequest {
            commit,
            ..ViewRequest::default()
        };
        let at_commit = current(&world.db, &scope, &request).await.unwrap();
        assert_eq!(at_commit.branches.len(), 1);
        assert_eq!(at_commit.view.horizon, SnapshotId(2));
    }

    #[tokio::test]
    async fn what_the_scope_does_not_hold_cannot_be_told_from_what_is_missing() {
        let world = World::start().await;
        let repository = world.repository("one").await;
        let branch = world.branch(repository, "main", Some(1)).await;
        world.snapshot(1, repository, branch, "published").await;
        world.snapshot(2, repository, branch, "building").await;
        let foreign = world.scope(ProjectId::generate());

        let nothing = current(&world.db, &foreign, &ViewRequest::default())
            .await
            .unwrap();
        assert!(nothing.branches.is_empty());
        let missing = |request: ViewRequest| {
            let (db, foreign) = (&world.db, &foreign);
            async move {
                current(db, foreign, &request)
                    .await
                    .unwrap_err()
                    .to_string()
            }
        };
        for snapshot in [1, 2, 77] {
            let request = ViewRequest {
                snapshot: Some(SnapshotId(snapshot)),
                ..Default::default()
            };
            assert_eq!(missing(request).await, "no such snapshot");
        }
        for commit in [
            "%",
            "",
            "zz",
            "0000000",
            "000000000000000000000000000000000000000%",
        ] {
            let request = ViewRequest {
                commit: Some(commit.to_owned()),
                ..Default::default()
            };
            assert_eq!(missing(request).await, "no such commit");
        }
        let request = ViewRequest {
            repository_ids: vec![RepositoryId::generate()],
            branch: Some("' OR 1=1 --".to_owned()),
            ..Default::default()
        };
        let scope = world.scope(world.project);
        assert!(
            current(&world.db, &scope, &request)
                .await
                .unwrap()
                .branches
                .is_empty()
        );
    }
}
