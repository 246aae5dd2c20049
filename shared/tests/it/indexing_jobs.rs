//! Jobs that crash, stall, fail, wait, repeat and are cancelled.

use std::{
    future::Future,
    pin::pin,
    sync::{Arc, atomic::Ordering},
    task::Poll,
    time::Duration,
};

use quarry_shared::{
    domain::{IndexRunId, JobId, JobState, QueueName},
    ports::JobTicket,
    store::{entities::snapshot, jobs},
};
use sea_orm::{ConnectionTrait, EntityTrait, Statement};
use tokio_util::sync::CancellationToken;

use super::{
    indexing_fakes::Gate,
    indexing_world::{World, function, settings},
    store_database::TestDatabase,
};

fn commit(world: &World, round: usize) -> String {
    let texts: Vec<(String, String)> = (0..5)
        .map(|at| (format!("src/f{at}.py"), function(&format!("f{at}_{round}"))))
        .collect();
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    world.source.commit_files(&files)
}

/// Moves a queued job's time to now.
pub async fn make_due(world: &World, job: uuid::Uuid) {
    let writer = world.database.database.writer();
    let statement = Statement::from_sql_and_values(
        writer.get_database_backend(),
        "UPDATE jobs SET run_after = created_at WHERE id = $1",
        [job.into()],
    );
    writer.execute_raw(statement).await.unwrap();
}

/// Lets the lease of every running job run out.
async fn expire_leases(world: &World) {
    let writer = world.database.database.writer();
    let sql = "UPDATE jobs SET lease_expires_at = created_at WHERE state = 'running'";
    writer.execute_unprepared(sql).await.unwrap();
}

/// Polls a future at most so often, then drops it, as a killed process would.
async fn killed_after(polls: usize, future: impl Future<Output = ()>) -> bool {
    let mut future = pin!(future);
    let mut left = polls;
    std::future::poll_fn(move |context| {
        if left == 0 {
            return Poll::Ready(false);
        }
        left -= 1;
        future.as_mut().poll(context).map(|()| true)
    })
    .await
}

/// Kills workers later and later until the run gets through, looking at the old snapshot each time.
async fn survives_kills(world: World) {
    commit(&world, 0);
    world.index().await;
    let old = world.seen().await;
    commit(&world, 1);
    let run = world.request().await;
    let mut kills = 0;
    for polls in 1.. {
        assert!(polls < 3_000, "the run never ends");
        let state = world.run(run.id).await.state;
        if state == "succeeded" {
            break;
        }
        assert!(state == "queued" || state == "running", "{state}");
        assert_eq!(world.seen().await, old, "after {kills} kills");
        while let Some((_, ticket)) = world.queue.take(Duration::from_secs(1)) {
            let worker = format!("killed-{polls}");
            let job = world
                .indexing
                .run_job(ticket, &worker, CancellationToken::new());
            if !killed_after(polls, job).await {
                kills += 1;
                break;
            }
        }
        world.queue.clear();
        expire_leases(&world).await;
        world.indexing.recover().await.unwrap();
    }
    assert!(kills > 20, "{kills}");
    world.run_jobs().await;
    assert_eq!(world.seen().await, world.clean().await);
    assert_eq!(world.indexing.reconcile().await.unwrap(), 0);
}

fn patient() -> quarry_shared::config::IndexingSettings {
    quarry_shared::config::IndexingSettings {
        max_attempts: 100_000,
        ..settings()
    }
}

#[tokio::test]
async fn a_run_survives_its_worker_being_killed_at_every_step() {
    let database = TestDatabase::sqlite().await;
    survives_kills(World::start_on(database, patient(), &[]).await).await;
}

#[tokio::test]
async fn a_run_survives_its_worker_being_killed_at_every_step_on_postgres() {
    let database = TestDatabase::postgres().await;
    survives_kills(World::start_on(database, patient(), &[]).await).await;
}

#[tokio::test]
async fn a_job_that_kills_its_worker_each_time_becomes_a_dead_letter() {
    let world = World::start().await;
    commit(&world, 0);
    let run = world.request().await;
    for _ in 0..4 {
        let (_, ticket) = world.queue.take(Duration::from_secs(1)).unwrap();
        let mut job = Box::pin(
            world
                .indexing
                .run_job(ticket, "w", CancellationToken::new()),
        );
        // As far as the claim.
        loop {
            let state = &world.jobs().await[0].state;
            if state == "running" || state == "dead" {
                break;
            }
            assert!(futures::poll!(job.as_mut()).is_pending());
        }
        drop(job);
        world.queue.clear();
        expire_leases(&world).await;
        world.indexing.sweep().await.unwrap();
    }
    world.run_jobs().await;
    let job = &world.jobs().await[0];
    assert_eq!(job.state, "dead");
    assert_eq!(job.error_code.as_deref(), Some("worker_lost"));
    assert_eq!(world.run(run.id).await.state, "failed");
}

/// Runs jobs until one is stopped inside the embedder; returns its ticket, running.
async fn stopped_in_the_embedder(
    world: &World,
) -> (Arc<Gate>, JobTicket, tokio::task::JoinHandle<()>) {
    let gate = Arc::new(Gate::default());
    *world.embedder.gate.lock().unwrap() = Some(gate.clone());
    let (_, ticket) = world.queue.take(Duration::from_secs(1)).unwrap();
    let indexing = world.indexing.clone();
    let running = tokio::spawn(async move {
        indexing
            .run_job(ticket, "paused", CancellationToken::new())
            .await;
    });
    gate.reached.notified().await;
    *world.embedder.gate.lock().unwrap() = None;
    let jobs = world.jobs().await;
    let job = jobs.iter().find(|job| job.state == "running").unwrap();
    let ticket = JobTicket {
        job_id: JobId(job.id),
    };
    (gate, ticket, running)
}

#[tokio::test]
async fn a_paused_worker_may_not_write_after_another_has_its_job() {
    let database = TestDatabase::sqlite().await;
    // So slow a watch that only the fence can stop the worker.
    let mut settings = settings();
    settings.watch_milliseconds = 600_000;
    let world = World::start_on(database, settings, &[]).await;
    commit(&world, 0);
    let run = world.request().await;
    let (gate, ticket, paused) = stopped_in_the_embedder(&world).await;
    expire_leases(&world).await;
    let other = world.other_process(|_| {});
    other
        .run_job(ticket, "second", CancellationToken::new())
        .await;
    let after_takeover = world.run(run.id).await;
    assert!(after_takeover.batches_done >= 1);
    gate.open.notify_one();
    paused.await.unwrap();
    let after_return = world.run(run.id).await;
    assert_eq!(after_return.batches_done, after_takeover.batches_done);
    assert_eq!(after_return.chunks_done, after_takeover.chunks_done);
    world.run_jobs().await;
    assert_eq!(world.run(run.id).await.state, "succeeded");
    assert_eq!(world.seen().await, world.clean().await);
}

#[tokio::test]
async fn ten_requests_make_one_running_and_one_waiting_run() {
    let world = World::start().await;
    commit(&world, 0);
    let first = world.request().await;
    let (gate, _, running) = stopped_in_the_embedder(&world).await;
    let last = commit(&world, 1);
    let requests = futures::future::join_all((0..10).map(|_| world.request())).await;
    assert!(requests.iter().all(|run| run.id == requests[0].id));
    assert_ne!(requests[0].id, first.id);
    let states: Vec<_> = world
        .runs()
        .await
        .into_iter()
        .map(|run| run.state)
        .collect();
    assert_eq!(states, ["running", "queued"]);
    // The waiting one may be asked to start at any time.
    for job in world.jobs().await.iter().filter(|job| job.kind == "sync") {
        let ticket = JobTicket {
            job_id: JobId(job.id),
        };
        world
            .indexing
            .run_job(ticket, "eager", CancellationToken::new())
            .await;
    }
    assert_eq!(world.run(requests[0].id).await.state, "queued");
    gate.open.notify_one();
    running.await.unwrap();
    world.run_jobs().await;
    let runs = world.runs().await;
    assert_eq!(runs.len(), 2);
    assert!(runs.iter().all(|run| run.state == "succeeded"));
    let seen = world.seen().await;
    assert_eq!(seen.commit, last);
    assert_eq!(seen, world.clean().await);
    let waited = world.jobs().await;
    assert!(
        waited.iter().all(|job| job.attempts <= 1),
        "waiting is no attempt"
    );
}

#[tokio::test]
async fn a_short_outage_of_the_embedder_is_waited_for() {
    let world = World::start().await;
    commit(&world, 0);
    world.embedder.rate_limited.store(2, Ordering::Relaxed);
    let run = world.index().await;
    assert_eq!(run.state, "succeeded");
    assert_eq!(
        world.embedder.take_texts() as i64,
        world.seen().await.counts[3]
    );
}

#[tokio::test]
async fn a_long_outage_of_the_embedder_is_a_dead_letter_and_publishes_nothing() {
    let world = World::start().await;
    commit(&world, 0);
    world.index().await;
    let old = world.seen().await;
    commit(&world, 1);
    world.embedder.rate_limited.store(-1, Ordering::Relaxed);
    let run = world.index().await;
    assert_eq!(
        (run.state.as_str(), run.stage.as_str()),
        ("failed", "batch")
    );
    assert_eq!(run.error_code.as_deref(), Some("rate_limited"));
    let reader = world.database.database.reader();
    let dead = jobs::list(reader, Some(JobState::Dead), None, 10)
        .await
        .unwrap();
    assert_eq!(dead.len(), 1);
    assert_eq!(dead[0].attempts, 3);
    assert_eq!(world.seen().await, old);
    assert_eq!(world.repository().await.state, "failed");
    let snapshot = run.snapshot_id.unwrap();
    let snapshot = snapshot::Entity::find_by_id(snapshot)
        .one(reader)
        .await
        .unwrap();
    assert_eq!(snapshot.unwrap().state, "purged", "its rows are gone");

    world.embedder.rate_limited.store(0, Ordering::Relaxed);
    world.indexing.retry_job(JobId(dead[0].id)).await.unwrap();
    world.run_jobs().await;
    assert_eq!(world.repository().await.state, "ready");
    assert_eq!(world.seen().await, world.clean().await);
}

#[tokio::test]
async fn what_was_embedded_before_a_failure_is_not_embedded_again() {
    let database = TestDatabase::sqlite().await;
    let mut settings = settings();
    settings.batch_files = 10;
    settings.embed_chunks = 1;
    let world = World::start_on(database, settings, &[]).await;
    commit(&world, 0);
    world.request().await;
    let (gate, ..) = stopped_in_the_embedder(&world).await;
    gate.open.notify_one();
    // One text was answered; the provider fails at some later one.
    world.embedder.rate_limited.store(1, Ordering::Relaxed);
    world.run_jobs().await;
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    while world.repository().await.state != "ready" {
        assert!(std::time::Instant::now() < deadline);
        world.run_jobs().await;
        tokio::task::yield_now().await;
    }
    assert_eq!(
        world.embedder.take_texts() as i64,
        world.seen().await.counts[3]
    );
}

#[tokio::test]
async fn an_engine_that_refuses_is_healed_later_and_publishes_nothing_before() {
    let world = World::start().await;
    commit(&world, 0);
    world.index().await;
    let old = world.seen().await;
    commit(&world, 1);
    world.lexical.room.store(3, Ordering::Relaxed);
    let run = world.index().await;
    assert_eq!(run.state, "failed");
    assert_eq!(run.error_code.as_deref(), Some("unavailable"));
    assert_eq!(world.seen().await, old);
    world.lexical.room.store(i64::MAX, Ordering::Relaxed);
    world.index().await;
    assert_eq!(world.seen().await, world.clean().await);
}

#[tokio::test]
async fn documents_that_an_engine_lost_are_written_again_before_publishing() {
    let world = World::start().await;
    commit(&world, 0);
    world.lexical.loses.store(1, Ordering::Relaxed);
    assert_eq!(world.index().await.state, "succeeded");
    assert_eq!(world.seen().await, world.clean().await);
}

#[tokio::test]
async fn a_cancelled_run_stops_and_leaves_nothing() {
    let world = World::start().await;
    commit(&world, 0);
    world.index().await;
    let old = world.seen().await;
    commit(&world, 1);
    let run = world.request().await;
    let (_gate, _, running) = stopped_in_the_embedder(&world).await;
    let id = IndexRunId(run.id);
    world.indexing.cancel(world.organization, id).await.unwrap();
    assert!(world.indexing.cancel(world.organization, id).await.is_err());
    // The worker notices by itself: the gate stays shut.
    running.await.unwrap();
    world.run_jobs().await;
    let run = world.run(run.id).await;
    assert_eq!(run.state, "cancelled");
    assert_eq!(world.seen().await, old);
    assert_eq!(world.repository().await.state, "ready");
    assert!(world.jobs().await.iter().all(|job| job.state != "running"));
    world.index().await;
    assert_eq!(world.seen().await, world.clean().await);
}

#[tokio::test]
async fn a_waiting_run_is_cancelled_at_once_and_a_foreign_one_is_missing() {
    let world = World::start().await;
    commit(&world, 0);
    let run = world.request().await;
    let id = IndexRunId(run.id);
    let foreign = quarry_shared::domain::OrganizationId::generate();
    let error = world.indexing.cancel(foreign, id).await.unwrap_err();
    assert_eq!(error.to_string(), "no such index run");
    world.indexing.cancel(world.organization, id).await.unwrap();
    world.run_jobs().await;
    assert_eq!(world.run(run.id).await.state, "cancelled");
    assert!(
        world
            .jobs()
            .await
            .iter()
            .all(|job| job.state == "cancelled")
    );
    let again = world.indexing.retry(world.organization, id).await.unwrap();
    world.run_jobs().await;
    assert_eq!(world.run(again.id).await.state, "succeeded");
}

#[tokio::test]
async fn lost_tickets_are_handed_out_again() {
    let world = World::start().await;
    commit(&world, 0);
    world.queue.forgets.store(true, Ordering::Relaxed);
    let run = world.request().await;
    assert!(!world.run_one_job().await);
    world.queue.forgets.store(false, Ordering::Relaxed);
    assert_eq!(
        world.indexing.sweep().await.unwrap(),
        0,
        "it may be on its way"
    );
    let impatient = world.other_process(|parts| parts.settings.lost_ticket_seconds = 0);
    assert_eq!(impatient.sweep().await.unwrap(), 1);
    world.run_jobs().await;
    assert_eq!(world.run(run.id).await.state, "succeeded");
}

#[tokio::test]
async fn a_shutdown_gives_the_job_back_uncounted() {
    let world = World::start().await;
    commit(&world, 0);
    let run = world.request().await;
    let gate = Arc::new(Gate::default());
    *world.embedder.gate.lock().unwrap() = Some(gate.clone());
    let (_, ticket) = world.queue.take(Duration::from_secs(1)).unwrap();
    let stop = CancellationToken::new();
    let work = world.indexing.run_job(ticket, "w", stop.clone());
    let stopping = async {
        gate.reached.notified().await;
        stop.cancel();
    };
    tokio::join!(work, stopping);
    *world.embedder.gate.lock().unwrap() = None;
    let jobs = world.jobs().await;
    assert!(jobs.iter().all(|job| job.state != "running"));
    let batch = jobs
        .iter()
        .find(|job| job.kind == "batch" && job.started_at.is_some());
    let batch = batch.unwrap();
    assert_eq!((batch.state.as_str(), batch.attempts), ("queued", 0));
    assert!(world.indexing.sweep().await.unwrap() >= 1, "found at once");
    world.run_jobs().await;
    assert_eq!(world.run(run.id).await.state, "succeeded");
}

#[tokio::test]
async fn a_push_does_not_wait_behind_imports() {
    let world = World::start().await;
    commit(&world, 0);
    let queues = async || {
        let mut all = Vec::new();
        world.request().await;
        loop {
            all.extend(world.queue.queues());
            if !world.run_one_job().await {
                break;
            }
        }
        all
    };
    let first = queues().await;
    assert!(first.contains(&QueueName::Bulk));
    commit(&world, 1);
    let push = queues().await;
    // The purge of what was replaced may wait.
    let purges = world
        .jobs()
        .await
        .into_iter()
        .filter(|job| job.kind == "purge");
    let bulk = push
        .iter()
        .filter(|queue| **queue == QueueName::Bulk)
        .count();
    assert!(push.contains(&QueueName::Push));
    assert!(bulk <= purges.count() * push.len());
    let jobs = world.jobs().await;
    let second = jobs.iter().rev().filter(|job| job.kind == "batch").take(3);
    assert!(second.into_iter().all(|job| job.queue == "push"));
}
