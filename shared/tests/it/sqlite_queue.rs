//! The job queue in a SQLite file, without workers (those are tested with `quarry-worker`).

use std::{path::Path, time::Duration};

use quarry_shared::{
    adapters::sqlite_queue::SqliteJobQueue,
    config::QueueSettings,
    domain::{JobId, QueueName},
    ports::{JobQueue, JobTicket},
};

async fn open(path: &Path) -> SqliteJobQueue {
    SqliteJobQueue::open(path, QueueSettings::default())
        .await
        .unwrap()
}

fn ticket() -> JobTicket {
    JobTicket {
        job_id: JobId::generate(),
    }
}

#[tokio::test]
async fn tickets_wait_in_their_own_queue_and_outlive_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("queue.sqlite");
    let queue = open(&path).await;
    queue.health().await.unwrap();
    for _ in 0..3 {
        queue
            .enqueue(QueueName::Push, ticket(), Duration::ZERO)
            .await
            .unwrap();
    }
    queue
        .enqueue(QueueName::Bulk, ticket(), Duration::from_secs(3600))
        .await
        .unwrap();
    drop(queue);
    let queue = open(&path).await;
    assert_eq!(queue.depth(QueueName::Push).await.unwrap(), 3);
    assert_eq!(queue.depth(QueueName::Bulk).await.unwrap(), 1);
    assert_eq!(queue.reclaim().await.unwrap(), 0);
    assert_eq!(queue.sweep().await.unwrap(), 0);
    assert_eq!(queue.depth(QueueName::Push).await.unwrap(), 3);
}

#[tokio::test]
async fn many_writers_at_once_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let queue = open(&folder.path().join("queue.sqlite")).await;
    let writers = (0..100).map(|_| queue.enqueue(QueueName::Bulk, ticket(), Duration::ZERO));
    futures::future::try_join_all(writers).await.unwrap();
    assert_eq!(queue.depth(QueueName::Bulk).await.unwrap(), 100);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_put_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("queue.sqlite");
    std::fs::write(&path, "not a database at all, ".repeat(400)).unwrap();
    let queue = open(&path).await;
    queue
        .enqueue(QueueName::Push, ticket(), Duration::ZERO)
        .await
        .unwrap();
    assert_eq!(queue.depth(QueueName::Push).await.unwrap(), 1);
    assert!(folder.path().join("queue.sqlite.damaged").exists());
}

#[tokio::test]
async fn a_folder_that_does_not_exist_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("absent/queue.sqlite");
    let error = SqliteJobQueue::open(&path, QueueSettings::default())
        .await
        .unwrap_err();
    assert!(error.to_string().starts_with("job queue"));
}
