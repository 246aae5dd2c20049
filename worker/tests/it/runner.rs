//! Workers on real SQLite files: every ticket arrives, also after a worker died.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

use futures::FutureExt;
use quarry_shared::{
    adapters::sqlite_queue::SqliteJobQueue,
    config::{QueueSettings, WorkerSettings},
    domain::{JobId, QueueName},
    ports::{JobQueue, JobTicket},
};
use quarry_worker::runner::run_workers;
use tempfile::TempDir;
use tokio::{sync::Semaphore, task::JoinHandle};
use tokio_util::sync::CancellationToken;

/// How long a test waits for what must happen.
const PATIENCE: Duration = Duration::from_secs(20);

/// A queue in a temporary folder and what was delivered.
struct World {
    folder: TempDir,
    queue: Arc<SqliteJobQueue>,
    log: Arc<Log>,
}

/// Deliveries, and a gate that handlers pass.
struct Log {
    begun: Mutex<HashMap<JobId, Vec<SystemTime>>>,
    ended: Mutex<HashMap<JobId, usize>>,
    cancelled: AtomicUsize,
    gate: Semaphore,
}

impl World {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let queue = open(&folder).await;
        let log = Log {
            begun: Mutex::default(),
            ended: Mutex::default(),
            cancelled: AtomicUsize::new(0),
            gate: Semaphore::new(1_000_000),
        };
        Self {
            folder,
            queue,
            log: Arc::new(log),
        }
    }

    /// Makes handlers wait from now on.
    fn close_gate(&self) {
        self.log.gate.forget_permits(1_000_000);
    }

    fn start(&self, settings: WorkerSettings) -> (JoinHandle<()>, CancellationToken) {
        let shutdown = CancellationToken::new();
        let (queue, log, token) = (self.queue.clone(), self.log.clone(), shutdown.clone());
        let running = tokio::spawn(async move {
            let handler = move |ticket, token| handle(log.clone(), ticket, token).boxed();
            run_workers(queue, handler, &settings, token).await;
        });
        (running, shutdown)
    }

    async fn enqueue(&self, name: QueueName, delay: Duration) -> JobId {
        let job_id = JobId::generate();
        self.queue
            .enqueue(name, JobTicket { job_id }, delay)
            .await
            .unwrap();
        job_id
    }

    fn begun(&self, job: JobId) -> usize {
        self.log.begun.lock().unwrap().get(&job).map_or(0, Vec::len)
    }

    fn ended(&self, job: JobId) -> usize {
        self.log
            .ended
            .lock()
            .unwrap()
            .get(&job)
            .copied()
            .unwrap_or(0)
    }
}

async fn open(folder: &TempDir) -> Arc<SqliteJobQueue> {
    let settings = QueueSettings {
        poll_interval_milliseconds: 50,
        heartbeat_seconds: 1,
        missed_heartbeats: 3,
    };
    let path = folder.path().join("queue.sqlite");
    Arc::new(SqliteJobQueue::open(&path, settings).await.unwrap())
}

async fn handle(log: Arc<Log>, ticket: JobTicket, token: CancellationToken) {
    let job = ticket.job_id;
    log.begun
        .lock()
        .unwrap()
        .entry(job)
        .or_default()
        .push(SystemTime::now());
    tokio::select! {
        permit = log.gate.acquire() => drop(permit.unwrap()),
        () = token.cancelled() => {
            log.cancelled.fetch_add(1, Ordering::SeqCst);
            return;
        }
    }
    *log.ended.lock().unwrap().entry(job).or_default() += 1;
}

fn settings() -> WorkerSettings {
    WorkerSettings {
        bulk_concurrency: 2,
        shutdown_timeout_seconds: 2,
        ..WorkerSettings::default()
    }
}

async fn eventually(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn throughout(period: Duration, what: &str, condition: impl Fn() -> bool) {
    let end = Instant::now() + period;
    while Instant::now() < end {
        assert!(condition(), "{what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn every_ticket_is_delivered_once_and_forgotten() {
    let world = World::new().await;
    let (running, shutdown) = world.start(settings());
    let mut jobs = Vec::new();
    for number in 0..60 {
        let name = [QueueName::Push, QueueName::Bulk][number % 2];
        jobs.push(world.enqueue(name, Duration::ZERO).await);
    }
    eventually("all tickets end", || {
        jobs.iter().all(|job| world.ended(*job) > 0)
    })
    .await;
    shutdown.cancel();
    running.await.unwrap();
    assert!(jobs.iter().all(|job| world.begun(*job) == 1));
    for name in [QueueName::Push, QueueName::Bulk] {
        assert_eq!(world.queue.depth(name).await.unwrap(), 0);
    }
    // Nothing is left to be delivered again.
    assert_eq!(world.queue.reclaim().await.unwrap(), 0);
    world.queue.sweep().await.unwrap();
    assert_eq!(world.queue.sweep().await.unwrap(), 0);
}

#[tokio::test]
async fn a_ticket_begins_long_before_the_next_look() {
    let world = World::new().await;
    let slow = QueueSettings {
        poll_interval_milliseconds: 60_000,
        ..QueueSettings::default()
    };
    let path = world.folder.path().join("slow.sqlite");
    let world = World {
        queue: Arc::new(SqliteJobQueue::open(&path, slow).await.unwrap()),
        ..world
    };
    let (_running, _shutdown) = world.start(settings());
    for _ in 0..20 {
        let job = world.enqueue(QueueName::Push, Duration::ZERO).await;
        eventually("the ticket wakes a worker", || world.ended(job) == 1).await;
    }
}

#[tokio::test]
async fn the_tickets_of_a_dead_worker_go_to_another_after_the_orphan_time() {
    let world = World::new().await;
    let other = World {
        queue: open(&world.folder).await,
        ..World::new().await
    };
    let (first, _first_token) = world.start(settings());
    let (second, _second_token) = other.start(settings());
    let deadline = Instant::now() + PATIENCE;
    while [&world, &other]
        .iter()
        .any(|world| world.log.begun.lock().unwrap().is_empty())
    {
        assert!(Instant::now() < deadline, "both workers take tickets");
        world.enqueue(QueueName::Push, Duration::ZERO).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    world.close_gate();
    other.close_gate();
    let job = world.enqueue(QueueName::Push, Duration::ZERO).await;
    let begun = || (world.begun(job), other.begun(job));
    eventually("a worker begins", || begun() != (0, 0)).await;
    let died = Instant::now();
    match begun() {
        (1, 0) => first.abort(),
        (0, 1) => second.abort(),
        twice => panic!("delivered twice: {twice:?}"),
    }
    eventually("the other worker begins", || begun() == (1, 1)).await;
    // Three missed signs of life of a second each, in whole seconds, the last at most one old.
    assert!(
        died.elapsed() >= Duration::from_secs(1),
        "{:?}",
        died.elapsed()
    );
}

#[tokio::test]
async fn the_tickets_of_a_dead_process_are_delivered_at_the_next_start() {
    let world = World::new().await;
    world.close_gate();
    let (first, _token) = world.start(settings());
    let job = world.enqueue(QueueName::Bulk, Duration::ZERO).await;
    eventually("the ticket begins", || world.begun(job) == 1).await;
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    let (_second, _token) = world.start(settings());
    eventually("the ticket begins again", || world.begun(job) == 2).await;
}

#[tokio::test]
async fn a_full_queue_does_not_hold_up_the_other() {
    let world = World::new().await;
    world.close_gate();
    let (_running, _shutdown) = world.start(settings());
    let mut bulk = Vec::new();
    for _ in 0..5 {
        bulk.push(world.enqueue(QueueName::Bulk, Duration::ZERO).await);
    }
    let begun = || bulk.iter().filter(|job| world.begun(**job) > 0).count();
    eventually("as many imports begin as may", || begun() == 2).await;
    let push = world.enqueue(QueueName::Push, Duration::ZERO).await;
    eventually("the push begins", || world.begun(push) == 1).await;
    assert_eq!(begun(), 2);
    // Longer than the orphan time: a busy worker stays alive, and nothing is delivered twice.
    throughout(Duration::from_secs(5), "no ticket begins twice", || {
        world.begun(push) == 1 && bulk.iter().all(|job| world.begun(*job) <= 1)
    })
    .await;
    world.log.gate.add_permits(100);
    eventually("all imports end", || {
        bulk.iter().all(|job| world.ended(*job) == 1)
    })
    .await;
}

#[tokio::test]
async fn a_delayed_ticket_arrives_on_time_and_not_before() {
    let world = World::new().await;
    let (_running, _shutdown) = world.start(settings());
    let before = SystemTime::now();
    let delay = Duration::from_millis(1_500);
    let job = world.enqueue(QueueName::Push, delay).await;
    eventually("the ticket ends", || world.ended(job) == 1).await;
    let begun = world.log.begun.lock().unwrap()[&job][0];
    let waited = begun.duration_since(before).unwrap();
    assert!(waited >= delay, "{waited:?}");
    assert!(waited < delay + Duration::from_secs(4), "{waited:?}");
}

#[tokio::test]
async fn a_stop_tells_handlers_takes_nothing_new_and_waits() {
    let world = World::new().await;
    world.close_gate();
    let (running, shutdown) = world.start(settings());
    let job = world.enqueue(QueueName::Push, Duration::ZERO).await;
    eventually("the ticket begins", || world.begun(job) == 1).await;
    shutdown.cancel();
    running.await.unwrap();
    assert_eq!(world.log.cancelled.load(Ordering::SeqCst), 1);
    let late = world.enqueue(QueueName::Push, Duration::ZERO).await;
    assert_eq!(world.begun(late), 0);
    assert_eq!(world.queue.depth(QueueName::Push).await.unwrap(), 1);
}

#[tokio::test]
async fn a_handler_that_does_not_stop_is_dropped_after_the_timeout() {
    let world = World::new().await;
    let (queue, begun) = (world.queue.clone(), Arc::new(AtomicUsize::new(0)));
    let (shutdown, counter) = (CancellationToken::new(), begun.clone());
    let token = shutdown.clone();
    let running = tokio::spawn(async move {
        let handler = move |_, _| {
            counter.fetch_add(1, Ordering::SeqCst);
            std::future::pending().boxed()
        };
        let settings = WorkerSettings {
            shutdown_timeout_seconds: 1,
            ..settings()
        };
        run_workers(queue, handler, &settings, token).await;
    });
    world.enqueue(QueueName::Push, Duration::ZERO).await;
    eventually("the ticket begins", || begun.load(Ordering::SeqCst) == 1).await;
    let stopped = Instant::now();
    shutdown.cancel();
    running.await.unwrap();
    assert!(stopped.elapsed() >= Duration::from_secs(1));
    assert!(stopped.elapsed() < PATIENCE);
}

#[tokio::test]
async fn a_panic_ends_its_own_ticket_alone() {
    let world = World::new().await;
    let (queue, log) = (world.queue.clone(), world.log.clone());
    let bad = JobId::generate();
    let _running = tokio::spawn(async move {
        let handler = move |ticket: JobTicket, token| {
            assert_ne!(ticket.job_id, bad, "a handler that panics at once");
            handle(log.clone(), ticket, token).boxed()
        };
        run_workers(queue, handler, &settings(), CancellationToken::new()).await;
    });
    let ticket = JobTicket { job_id: bad };
    world
        .queue
        .enqueue(QueueName::Push, ticket, Duration::ZERO)
        .await
        .unwrap();
    let good = world.enqueue(QueueName::Push, Duration::ZERO).await;
    eventually("the next ticket ends", || world.ended(good) == 1).await;
}
