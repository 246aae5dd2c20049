//! One organization with one repository, the whole pipeline over it, and what a reader would see.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use quarry_shared::{
    adapters::{embedded_vector::EmbeddedVectorIndex, git::Git2Source},
    config::{GitSettings, IndexingSettings, QuotaSettings},
    domain::{
        IndexFilter, IndexRunId, OrganizationId, Permission, ReadScope, RepositoryId,
        RepositorySource, RunTrigger,
    },
    indexing::{Indexing, IndexingParts},
    ports::{Embedder, LexicalIndex, VectorIndex},
    store::{
        entities::{chunk, file, index_run, job, repository, snapshot},
        grants, index_runs,
        keyring::{Keyring, SecretKey},
        ledger, organizations, projects,
        repositories::{self, NewRepository},
        snapshots,
        users::{self, NewUser},
        views::{self, ViewRequest},
    },
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::{
    git_repositories::Repository,
    indexing_fakes::{FakeEmbedder, LimitedLexicalIndex, MemoryQueue},
    store_database::TestDatabase,
};

pub struct World {
    pub database: TestDatabase,
    pub source: Repository,
    pub queue: Arc<MemoryQueue>,
    pub lexical: Arc<LimitedLexicalIndex>,
    pub vector: Arc<EmbeddedVectorIndex>,
    pub embedder: Arc<FakeEmbedder>,
    pub indexing: Indexing,
    pub organization: OrganizationId,
    pub repository: RepositoryId,
    pub scope: ReadScope,
    parts: IndexingParts,
    workers: AtomicU32,
    _folder: TempDir,
}

/// What a reader of the default branch sees, and what the engines hold for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub commit: String,
    pub files: BTreeSet<(String, String)>,
    /// Path, symbol, lines: no ids, so that two indexes of one commit are equal.
    pub chunks: BTreeSet<(String, Option<String>, i64, i64)>,
    pub counts: [i64; 6],
    pub field_lengths: Option<String>,
}

/// Small batches, short waits.
pub fn settings() -> IndexingSettings {
    IndexingSettings {
        batch_files: 2,
        max_attempts: 3,
        backoff_milliseconds: 1,
        watch_milliseconds: 20,
        grace_seconds: 3_600,
        ..IndexingSettings::default()
    }
}

impl World {
    pub async fn start() -> Self {
        Self::start_on(TestDatabase::sqlite().await, settings(), &[]).await
    }

    pub async fn start_on(
        database: TestDatabase,
        settings: IndexingSettings,
        tracked: &[&str],
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let source = Repository::create(&root.join("source.git"), "main");
        let git = GitSettings {
            local_roots: vec![root.clone()],
            ..GitSettings::default()
        };
        let queue = Arc::new(MemoryQueue::default());
        let lexical = Arc::new(LimitedLexicalIndex::new());
        let vector = Arc::new(EmbeddedVectorIndex::new());
        let embedder = Arc::new(FakeEmbedder::new("fake-1"));
        vector.ensure_model(embedder.model()).await.unwrap();
        let parts = IndexingParts {
            database: database.database.clone(),
            git: Arc::new(Git2Source::new(git, root.join("mirrors")).unwrap()),
            queue: queue.clone(),
            lexical: lexical.clone(),
            vector: vector.clone(),
            embedder: Some(embedder.clone()),
            keyring: Keyring::new(SecretKey::new([7; 32]), []),
            settings,
            quotas: QuotaSettings::default(),
        };
        let writer = database.database.writer();
        let user = users::create(
            writer,
            NewUser {
                email: "a@example.invalid".to_owned(),
                name: "A".to_owned(),
                password_hash: String::new(),
                is_instance_administrator: false,
            },
        )
        .await
        .unwrap();
        let organization = organizations::create(writer, user.id, "A").await.unwrap();
        let project = projects::create_in(writer, organization.id, "P")
            .await
            .unwrap();
        let grants = grants::load(writer, user.id, organization.id)
            .await
            .unwrap();
        let new = NewRepository {
            project_id: project.id,
            name: "source".to_owned(),
            source: RepositorySource::Local {
                path: source.path.display().to_string(),
            },
            location_key: source.path.display().to_string(),
            credential: None,
            depth: None,
            tracked_branches: tracked.iter().map(|name| (*name).to_owned()).collect(),
        };
        let manage = grants.write_scope(Permission::ManageRepository);
        let repository = repositories::insert(writer, &manage, new).await.unwrap();
        Self {
            indexing: Indexing::new(parts.clone()),
            scope: grants.read_scope(Permission::ReadProject),
            organization: organization.id,
            repository,
            database,
            source,
            queue,
            lexical,
            vector,
            embedder,
            parts,
            workers: AtomicU32::new(1),
            _folder: folder,
        }
    }

    /// The pipeline as another process would have it, perhaps with other settings or another model.
    pub fn other_process(&self, change: impl FnOnce(&mut IndexingParts)) -> Indexing {
        let mut parts = self.parts.clone();
        change(&mut parts);
        Indexing::new(parts)
    }

    pub async fn request(&self) -> index_run::Model {
        self.request_branch(None).await
    }

    pub async fn request_branch(&self, branch: Option<&str>) -> index_run::Model {
        let branch = branch.map(str::to_owned);
        self.indexing
            .request_index(
                self.organization,
                self.repository,
                branch,
                RunTrigger::Manual,
            )
            .await
            .unwrap()
    }

    /// Runs every job that is due within a minute, as one worker would.
    pub async fn run_jobs(&self) {
        while self.run_one_job().await {}
    }

    pub async fn run_one_job(&self) -> bool {
        let Some((wait, ticket)) = self.queue.take(Duration::from_secs(60)) else {
            return false;
        };
        tokio::time::sleep(wait).await;
        let number = self.workers.fetch_add(1, Ordering::Relaxed);
        let worker = format!("worker-{number}");
        self.indexing
            .run_job(ticket, &worker, CancellationToken::new())
            .await;
        true
    }

    /// A request with everything that follows from it.
    pub async fn index(&self) -> index_run::Model {
        let run = self.request().await;
        self.run_jobs().await;
        self.run(run.id).await
    }

    pub async fn run(&self, id: uuid::Uuid) -> index_run::Model {
        let reader = self.database.database.reader();
        index_runs::get(reader, IndexRunId(id)).await.unwrap()
    }

    pub async fn runs(&self) -> Vec<index_run::Model> {
        let query = index_run::Entity::find().order_by_asc(index_run::Column::Id);
        query.all(self.database.database.reader()).await.unwrap()
    }

    pub async fn jobs(&self) -> Vec<job::Model> {
        let query = job::Entity::find().order_by_asc(job::Column::Id);
        query.all(self.database.database.reader()).await.unwrap()
    }

    pub async fn repository(&self) -> repository::Model {
        let reader = self.database.database.reader();
        repositories::get(reader, self.organization, self.repository)
            .await
            .unwrap()
    }

    pub async fn seen(&self) -> Seen {
        self.seen_at(&ViewRequest::default()).await
    }

    /// Reads as retrieval does: through the view, from SQL and both engines.
    pub async fn seen_at(&self, request: &ViewRequest) -> Seen {
        let reader = self.database.database.reader();
        let current = views::current(reader, &self.scope, request).await.unwrap();
        let branch = current.branches.first().expect("something is published");
        let snapshot: snapshot::Model = snapshots::find(reader, &self.scope, branch.snapshot_id)
            .await
            .unwrap();
        let shown = |born: i64, died: i64| {
            use quarry_shared::domain::SnapshotId;
            current.view.shows(SnapshotId(born), SnapshotId(died))
        };
        let files = file::Entity::find()
            .filter(file::Column::BranchId.eq(branch.branch_id.0))
            .all(reader)
            .await
            .unwrap();
        let chunks = chunk::Entity::find()
            .filter(chunk::Column::BranchId.eq(branch.branch_id.0))
            .all(reader)
            .await
            .unwrap();
        let chunks: Vec<_> = chunks
            .into_iter()
            .filter(|chunk| shown(chunk.born, chunk.died))
            .collect();
        let filter = IndexFilter::new(&self.scope, vec![branch.branch_id], current.view.clone());
        let documents = self.lexical.count(&filter).await.unwrap();
        let model = self.embedder.model();
        let points = self.vector.count(model, &filter).await.unwrap();
        let summary = ledger::summary(reader, &snapshot).await.unwrap();
        assert_eq!(
            summary.files_seen,
            summary.files_indexed + summary.files_skipped
        );
        assert_eq!(summary.files_seen, snapshot.files_seen);
        assert_eq!(chunks.len() as i64, snapshot.chunks, "chunks as published");
        Seen {
            commit: snapshot.commit,
            files: files
                .into_iter()
                .filter(|file| shown(file.born, file.died))
                .map(|file| (file.path, file.reason.unwrap_or(file.status)))
                .collect(),
            counts: [
                snapshot.files_seen,
                snapshot.files_indexed,
                snapshot.files_skipped,
                chunks.len() as i64,
                points as i64,
                documents as i64,
            ],
            chunks: chunks
                .into_iter()
                .map(|chunk| (chunk.path, chunk.symbol, chunk.start_line, chunk.end_line))
                .collect(),
            field_lengths: snapshot.field_lengths,
        }
    }

    /// What a clean index of the same source shows.
    pub async fn clean(&self) -> Seen {
        self.clean_world().await.seen().await
    }

    pub async fn clean_sum(&self) -> Vec<f64> {
        self.clean_world().await.vector_sum().await
    }

    /// The sum of the visible vectors, as the newest snapshot stores it.
    pub async fn vector_sum(&self) -> Vec<f64> {
        let reader = self.database.database.reader();
        let newest = snapshot::Entity::find().order_by_desc(snapshot::Column::Id);
        let newest = newest.one(reader).await.unwrap().unwrap();
        let bytes = newest.vector_sum.unwrap();
        assert_eq!(bytes.len(), 64);
        bytes
            .chunks(8)
            .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()))
            .collect()
    }

    async fn clean_world(&self) -> Self {
        let clean = Self::start().await;
        let status = std::process::Command::new("cp")
            .args(["-rT"])
            .args([&self.source.path, &clean.source.path])
            .status()
            .unwrap();
        assert!(status.success());
        let run = clean.index().await;
        assert_eq!(run.state, "succeeded", "{:?}", clean.jobs().await);
        clean
    }
}

/// A Python file with one function.
pub fn function(name: &str) -> String {
    format!("def {name}():\n    \"\"\"Say {name}.\"\"\"\n    return '{name}'\n")
}
