//! One index of one repository at one revision, made and searched by the product's own rooms.
//!
//! Each index has a directory of its own (database, word index, Git mirror), so that keeping one
//! between runs is keeping the directory. `index.json` is written last: without it the directory is
//! an unfinished index and is made anew.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use quarry_migrations::{Migrator, MigratorTrait};
use quarry_shared::{
    adapters::{
        embedded_vector::EmbeddedVectorIndex, git::Git2Source, tantivy::TantivyLexicalIndex,
    },
    config::{GitSettings, IndexingSettings, QuotaSettings, RetrievalSettings},
    domain::{
        OrganizationId, Permission, ReadScope, RepositoryId, RepositorySource, RunState,
        RunTrigger, SnapshotId, UserId,
    },
    indexing::{Indexing, IndexingParts},
    ports::{Embedder, GitSource},
    retrieval::{Retrieval, RetrievalParts},
    store::{
        Database, DatabaseSettings,
        entities::index_run,
        grants, index_runs,
        index_runs::StageSeconds,
        keyring::{Keyring, SecretKey},
        organizations, projects,
        repositories::{self, NewRepository},
        snapshots,
        users::{self, NewUser},
    },
};
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{folder_source::FolderSource, tickets::TicketQueue};

const RECORD: &str = "index.json";
/// How long a run may go without a ticket before the lost ones are looked for.
const PATIENCE: Duration = Duration::from_secs(2);

/// What an index is made of.
pub struct InstancePlan<'a> {
    /// The index's own directory.
    pub directory: &'a Path,
    pub name: &'a str,
    /// A bare repository whose default branch is indexed.
    pub repository: &'a Path,
    /// Folders that the repository and its lenders lie under.
    pub local_roots: &'a [PathBuf],
    /// Only this folder of the repository.
    pub folder: Option<&'a str>,
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Jobs that run at once.
    pub jobs: usize,
    /// Whether to index again although there is an index.
    pub fresh: bool,
}

/// How an index came about.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct IndexStatistics {
    pub files_seen: i64,
    pub files_indexed: i64,
    pub files_skipped: i64,
    pub bytes: i64,
    pub chunks: i64,
    /// In the vector engine; `None` without an embedder.
    pub points: Option<i64>,
    /// In the lexical engine.
    pub documents: i64,
    /// From the request to the published snapshot.
    pub seconds: f64,
    /// Waiting for the embedder, summed over jobs that run at once.
    pub embed_seconds: f64,
}

/// An index that answers.
pub struct Instance {
    pub retrieval: Retrieval,
    pub scope: ReadScope,
    pub statistics: IndexStatistics,
    /// Whether the index was there already.
    pub was_cached: bool,
}

/// Whose index it is and what it holds.
#[derive(Serialize, Deserialize)]
struct Record {
    format: String,
    user: Uuid,
    organization: Uuid,
    statistics: IndexStatistics,
}

impl Instance {
    /// Opens the index, or makes it when it is absent, unfinished or of another format.
    ///
    /// # Errors
    /// When the repository cannot be read or the run fails; the directory then stays unfinished.
    pub async fn open(plan: &InstancePlan<'_>) -> anyhow::Result<Self> {
        let cached = if plan.fresh { None } else { read_record(plan) };
        if let Some(record) = cached {
            let rooms = Rooms::open(plan).await?;
            if record.format == rooms.indexing.format() {
                return rooms.instance(record, true).await;
            }
        }
        match fs::remove_dir_all(plan.directory) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        let rooms = Rooms::open(plan).await?;
        let record = rooms.index(plan).await?;
        fs::write(
            plan.directory.join(RECORD),
            serde_json::to_string_pretty(&record)?,
        )?;
        rooms.instance(record, false).await
    }
}

fn read_record(plan: &InstancePlan<'_>) -> Option<Record> {
    let text = fs::read_to_string(plan.directory.join(RECORD)).ok()?;
    serde_json::from_str(&text).ok()
}

/// The rooms over one directory.
struct Rooms {
    database: Database,
    queue: Arc<TicketQueue>,
    indexing: Indexing,
    retrieval: Retrieval,
}

impl Rooms {
    async fn open(plan: &InstancePlan<'_>) -> anyhow::Result<Self> {
        fs::create_dir_all(plan.directory)?;
        let directory = fs::canonicalize(plan.directory)?;
        let database = Database::open(&DatabaseSettings::Sqlite {
            path: directory.join("quarry.sqlite"),
        })
        .await
        .context("opening the database")?;
        Migrator::up(database.writer(), None)
            .await
            .context("migrating the database")?;
        let place = directory.join("lexical");
        let lexical = tokio::task::spawn_blocking(move || TantivyLexicalIndex::open(place))
            .await?
            .context("opening the word index")?;
        let lexical = Arc::new(lexical.index);
        let vector = Arc::new(EmbeddedVectorIndex::new());
        let queue = Arc::new(TicketQueue::new());
        let indexing = Indexing::new(IndexingParts {
            database: database.clone(),
            git: source(plan, directory.join("mirrors"))?,
            queue: queue.clone(),
            lexical: lexical.clone(),
            vector: vector.clone(),
            embedder: plan.embedder.clone(),
            // Local repositories have no credentials to seal.
            keyring: Keyring::new(SecretKey::new([0; 32]), []),
            settings: IndexingSettings::default(),
            quotas: QuotaSettings::default(),
        });
        // Also tells an empty vector index which model it is for.
        indexing
            .load_embedded_vectors()
            .await
            .context("loading the vectors")?;
        let retrieval = Retrieval::new(RetrievalParts {
            database: database.clone(),
            lexical,
            vector,
            embedder: plan.embedder.clone(),
            reranker: None,
            settings: RetrievalSettings::default(),
        });
        Ok(Self {
            database,
            queue,
            indexing,
            retrieval,
        })
    }

    async fn instance(self, record: Record, was_cached: bool) -> anyhow::Result<Instance> {
        let user = UserId(record.user);
        let organization = OrganizationId(record.organization);
        let grants = grants::load(self.database.reader(), user, organization).await?;
        Ok(Instance {
            retrieval: self.retrieval,
            scope: grants.read_scope(Permission::ReadProject),
            statistics: record.statistics,
            was_cached,
        })
    }

    /// Registers the repository and indexes it.
    async fn index(&self, plan: &InstancePlan<'_>) -> anyhow::Result<Record> {
        let (user, organization, repository) = self.register(plan).await?;
        let start = Instant::now();
        let run = self
            .indexing
            .request_index(organization, repository, None, RunTrigger::Added)
            .await?;
        let run = self.finish(run.id, plan.jobs).await?;
        let seconds = start.elapsed().as_secs_f64();
        let snapshot = run.snapshot_id.context("the run has no snapshot")?;
        let snapshot = snapshots::get(self.database.reader(), SnapshotId(snapshot)).await?;
        Ok(Record {
            format: self.indexing.format(),
            user: user.0,
            organization: organization.0,
            statistics: IndexStatistics {
                files_seen: snapshot.files_seen,
                files_indexed: snapshot.files_indexed,
                files_skipped: snapshot.files_skipped,
                bytes: snapshot.bytes,
                chunks: snapshot.chunks,
                points: snapshot.points,
                documents: snapshot.documents,
                seconds,
                embed_seconds: StageSeconds::parse(&run.stage_seconds).embed,
            },
        })
    }

    async fn register(
        &self,
        plan: &InstancePlan<'_>,
    ) -> anyhow::Result<(UserId, OrganizationId, RepositoryId)> {
        let writer = self.database.writer();
        let user = users::create(
            writer,
            NewUser {
                email: "evaluation@localhost".to_owned(),
                name: "Evaluation".to_owned(),
                // No password has this hash: nobody can sign in.
                password_hash: String::new(),
                is_instance_administrator: false,
            },
        )
        .await?;
        let organization = organizations::create(writer, user.id, "Evaluation").await?;
        let project = projects::create_in(writer, organization.id, "Evaluation").await?;
        let scope = grants::load(writer, user.id, organization.id)
            .await?
            .write_scope(Permission::ManageRepository);
        let path = plan.repository.display().to_string();
        let repository = repositories::insert(
            writer,
            &scope,
            NewRepository {
                project_id: project.id,
                name: plan.name.to_owned(),
                location_key: path.clone(),
                source: RepositorySource::Local { path },
                credential: None,
                depth: None,
                tracked_branches: Vec::new(),
            },
        )
        .await?;
        Ok((user.id, organization.id, repository))
    }

    /// Runs jobs until the run has ended.
    async fn finish(&self, run: Uuid, jobs: usize) -> anyhow::Result<index_run::Model> {
        let stop = CancellationToken::new();
        let mut running = JoinSet::new();
        loop {
            let row = index_runs::get(
                self.database.reader(),
                quarry_shared::domain::IndexRunId(run),
            )
            .await?;
            match RunState::parse(&row.state) {
                Some(RunState::Succeeded) if running.is_empty() => return Ok(row),
                Some(state) if state.is_final() && state != RunState::Succeeded => {
                    stop.cancel();
                    bail!(
                        "the run {}: {} ({})",
                        row.state,
                        row.error_message.unwrap_or_default(),
                        row.error_code.unwrap_or_default()
                    );
                }
                _ => {}
            }
            while running.len() < jobs.max(1) {
                let patience = if running.is_empty() {
                    PATIENCE
                } else {
                    Duration::ZERO
                };
                let Some(ticket) = self.queue.next(patience).await else {
                    break;
                };
                let (indexing, stop) = (self.indexing.clone(), stop.clone());
                running.spawn(async move { indexing.run_job(ticket, "evaluation", stop).await });
            }
            if running.is_empty() {
                self.indexing.sweep().await?;
            } else {
                self.wait(&mut running).await?;
            }
        }
    }

    /// Until a job ends, or a running one has made another one owed.
    async fn wait(&self, running: &mut JoinSet<()>) -> anyhow::Result<()> {
        const LOOK: Duration = Duration::from_millis(20);
        if let Ok(Some(ended)) = tokio::time::timeout(LOOK, running.join_next()).await {
            ended.context("a job panicked")?;
        }
        Ok(())
    }
}

fn source(plan: &InstancePlan<'_>, mirrors: PathBuf) -> anyhow::Result<Arc<dyn GitSource>> {
    let settings = GitSettings {
        local_roots: plan.local_roots.to_vec(),
        ..GitSettings::default()
    };
    let git: Arc<dyn GitSource> = Arc::new(Git2Source::new(settings, mirrors)?);
    Ok(match plan.folder {
        Some(folder) => Arc::new(FolderSource::new(git, folder)),
        None => git,
    })
}
