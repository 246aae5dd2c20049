//! Projects and organizations that are removed, and jobs whose row lies.

use quarry_shared::domain::UserId;
use quarry_shared::{
    domain::{JobKind, JobState, OrganizationId, ProjectId, QueueName, RepositoryId},
    indexing::{DeletionRequest, IndexingError},
    jobs::{self, NewJob},
    store::{
        StoreError,
        entities::{job, membership},
        jobs as job_rows, organizations, projects,
        users::{self, NewUser},
    },
};
use sea_orm::{ConnectionTrait, EntityTrait, Statement};
use uuid::Uuid;

use super::{
    indexing_world::{World, function, settings},
    store_database::TestDatabase,
};

async fn filled(database: TestDatabase) -> World {
    let world = World::start_on(database, settings(), &[]).await;
    let text = function("kept");
    world.source.commit_files(&[("src/kept.py", text.as_str())]);
    assert_eq!(world.index().await.state, "succeeded");
    world
}

async fn request(world: &World, with_contents: bool) -> DeletionRequest {
    let reader = world.database.database.reader();
    let owner = membership::Entity::find()
        .one(reader)
        .await
        .unwrap()
        .unwrap();
    DeletionRequest {
        requested_by: UserId(owner.user_id),
        with_contents,
    }
}

async fn count(world: &World, table: &str) -> i64 {
    let reader = world.database.database.reader();
    let sql = format!("SELECT COUNT(*) AS n FROM {table}");
    let statement = Statement::from_string(reader.get_database_backend(), sql);
    let row = reader.query_one_raw(statement).await.unwrap().unwrap();
    row.try_get("", "n").unwrap()
}

async fn owe(world: &World, job: NewJob) -> job::Model {
    let writer = world.database.database.writer();
    let owed = jobs::enqueue(writer, &[job]).await.unwrap();
    jobs::hand_over(world.queue.as_ref(), &owed).await;
    let id = owed[0].job_id;
    world.run_jobs().await;
    job_rows::find(writer, id).await.unwrap()
}

fn new_job(kind: JobKind, organization: OrganizationId, repository: RepositoryId) -> NewJob {
    NewJob {
        kind,
        queue: QueueName::Bulk,
        organization_id: organization,
        repository_id: repository,
        index_run_id: None,
        batch: None,
        project_id: None,
        requested_by: None,
        steps_total: None,
        max_attempts: 3,
        run_after: chrono::Utc::now(),
    }
}

/// Another organization of the same database, with a project.
async fn neighbour(world: &World) -> (OrganizationId, ProjectId) {
    let writer = world.database.database.writer();
    let new = NewUser {
        email: "mallory@example.invalid".to_owned(),
        name: "M".to_owned(),
        password_hash: String::new(),
        is_instance_administrator: false,
    };
    let user = users::create(writer, new).await.unwrap();
    let organization = organizations::create(writer, user.id, "M")
        .await
        .unwrap()
        .id;
    let project = projects::create_in(writer, organization, "M")
        .await
        .unwrap();
    (organization, project.id)
}

#[tokio::test]
async fn a_job_whose_organization_is_not_its_repositorys_changes_nothing() {
    for database in [TestDatabase::sqlite().await, TestDatabase::postgres().await] {
        let world = filled(database).await;
        let (foreign, foreign_project) = neighbour(&world).await;
        let before = world.seen().await;
        let run = world.runs().await[0].id;
        for organization in [foreign, OrganizationId::generate()] {
            for kind in JobKind::ALL {
                let mut job = new_job(*kind, organization, world.repository);
                match kind {
                    JobKind::DeleteProject => {
                        job.repository_id = RepositoryId(Uuid::nil());
                        job.project_id = world.scope.projects().first().copied();
                    }
                    JobKind::DeleteOrganization => {
                        job.repository_id = RepositoryId(Uuid::nil());
                    }
                    JobKind::DeleteRepository => {}
                    _ => job.index_run_id = Some(quarry_shared::domain::IndexRunId(run)),
                }
                let ended = owe(&world, job).await;
                assert_eq!(ended.state, JobState::Dead.as_str(), "{kind:?}");
                assert_eq!(ended.attempts, 1, "no retry mends it: {kind:?}");
                assert_eq!(world.seen().await, before, "{kind:?}");
                assert_eq!(world.run(run).await.state, "succeeded");
            }
        }
        // A project of the right organization that nobody asked to delete stays, too.
        for (organization, project) in [
            (world.organization, world.scope.projects().first().copied()),
            (world.organization, Some(foreign_project)),
        ] {
            let nobody = RepositoryId(Uuid::nil());
            let job = NewJob {
                project_id: project,
                ..new_job(JobKind::DeleteProject, organization, nobody)
            };
            assert_eq!(owe(&world, job).await.state, "dead");
        }
        let job = new_job(
            JobKind::DeleteOrganization,
            world.organization,
            RepositoryId(Uuid::nil()),
        );
        assert_eq!(owe(&world, job).await.state, "dead");
        assert_eq!(count(&world, "projects").await, 2);
        assert_eq!(world.seen().await, before);
    }
}

#[tokio::test]
async fn a_run_of_another_repository_is_no_excuse() {
    let world = filled(TestDatabase::sqlite().await).await;
    let before = world.seen().await;
    let writer = world.database.database.writer();
    let sql = "UPDATE index_runs SET organization_id = project_id";
    writer.execute_unprepared(sql).await.unwrap();
    let run = world.runs().await[0].id;
    let job = NewJob {
        index_run_id: Some(quarry_shared::domain::IndexRunId(run)),
        ..new_job(JobKind::Plan, world.organization, world.repository)
    };
    assert_eq!(owe(&world, job).await.state, "dead");
    assert_eq!(world.seen().await, before);
}

#[tokio::test]
async fn an_organization_is_removed_from_sql_and_both_engines_on_both_databases() {
    for database in [TestDatabase::sqlite().await, TestDatabase::postgres().await] {
        let world = filled(database).await;
        neighbour(&world).await;
        // A run that is under way ends with it.
        world.request().await;
        let database = &world.database.database;
        let refused = {
            let transaction = database.begin().await.unwrap();
            let request = request(&world, false).await;
            let indexing = &world.indexing;
            let organization = world.organization;
            indexing
                .organization_deletion_within(&transaction, organization, request)
                .await
        };
        assert!(
            matches!(&refused, Err(IndexingError::Conflict { code, .. }) if *code == "organization_not_empty")
        );
        let transaction = database.begin().await.unwrap();
        let requested = world
            .indexing
            .organization_deletion_within(
                &transaction,
                world.organization,
                request(&world, true).await,
            )
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let deletion = world.indexing.announce(requested).await;
        world.run_jobs().await;
        let ended = job_rows::find(database.writer(), deletion).await.unwrap();
        assert_eq!(ended.state, "succeeded", "{ended:?}");
        assert_eq!((ended.steps_done, ended.steps_total), (Some(1), Some(1)));
        for table in [
            "repositories",
            "branches",
            "snapshots",
            "index_runs",
            "files",
            "chunks",
            "symbols",
            "blobs",
            "embeddings",
        ] {
            assert_eq!(count(&world, table).await, 0, "{table}");
        }
        // The neighbour keeps its own.
        for table in ["organizations", "projects", "memberships"] {
            assert_eq!(count(&world, table).await, 1, "{table}");
        }
        let open: Vec<_> = world.jobs().await;
        assert!(open.iter().all(|job| job.finished_at.is_some()), "{open:?}");
    }
}

#[tokio::test]
async fn a_foreign_project_is_missing_and_a_deleted_one_is_not_deleted_twice() {
    let world = filled(TestDatabase::sqlite().await).await;
    let (foreign, _) = neighbour(&world).await;
    let project = *world.scope.projects().first().unwrap();
    let sure = request(&world, true).await;
    let database = &world.database.database;
    for (organization, is_there) in [
        (foreign, false),
        (world.organization, true),
        (world.organization, false),
    ] {
        let transaction = database.begin().await.unwrap();
        let asked = world
            .indexing
            .project_deletion_within(&transaction, organization, project, sure)
            .await;
        match asked {
            Ok(requested) => {
                transaction.commit().await.unwrap();
                world.indexing.announce(requested).await;
                assert!(is_there);
            }
            Err(error) => {
                assert!(matches!(
                    error,
                    IndexingError::Store(StoreError::NotFound("project"))
                ));
                assert!(!is_there);
            }
        }
    }
    world.run_jobs().await;
    assert_eq!(count(&world, "chunks").await, 0);
    assert_eq!(count(&world, "organizations").await, 2);
}
