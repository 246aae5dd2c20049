//! The one composition root: settings in, rooms out. Shared by the server, the worker and the
//! evaluation. The order of the steps is the order in which they may fail.

mod data_directory;
mod error;
pub mod keys;
mod models;
mod signals;

use std::sync::Arc;

use crate::{
    adapters::{
        embedded_vector::EmbeddedVectorIndex, git::Git2Source, outbound::OutboundClient,
        sqlite_queue::SqliteJobQueue, tantivy::TantivyLexicalIndex,
    },
    config::Settings,
    indexing::{Indexing, IndexingParts},
    ports::{Embedder, GitSource, JobQueue, LexicalIndex, Reranker, VectorIndex},
    retrieval::{Retrieval, RetrievalParts},
    store::{Database, DatabaseSettings, keyring::Keyring},
};

pub use data_directory::DataDirectory;
pub use error::ServicesError;
pub use signals::shutdown_on_signal;

/// Everything that runs, ready to use. Cheap to clone.
#[derive(Clone)]
pub struct Services {
    pub settings: Arc<Settings>,
    pub database: Database,
    pub git: Git2Source,
    /// For every address that a person may set.
    pub outbound: OutboundClient,
    pub queue: Arc<SqliteJobQueue>,
    pub lexical: Arc<dyn LexicalIndex>,
    pub vector: Arc<dyn VectorIndex>,
    pub embedder: Option<Arc<dyn Embedder>>,
    pub reranker: Option<Arc<dyn Reranker>>,
    /// Seals and opens secrets at rest.
    pub keyring: Keyring,
    pub indexing: Indexing,
    pub retrieval: Retrieval,
    /// The lexical directory was new or damaged: it must be filled from SQL.
    lexical_needs_rebuild: bool,
}

/// Opens the database that the settings name. Its schema is the caller's business.
///
/// # Errors
/// When the server or file cannot be opened.
pub async fn open_database(settings: &Settings) -> Result<Database, ServicesError> {
    let database = match &settings.database.url {
        Some(url) => DatabaseSettings::Postgres {
            url: url.clone(),
            max_connections: settings.database.max_connections,
        },
        None => DatabaseSettings::Sqlite {
            path: settings.data_path("quarry.sqlite3"),
        },
    };
    Ok(Database::open(&database).await?)
}

/// Says what to do when nobody has made the schema yet.
///
/// # Errors
/// [`ServicesError::SchemaMissing`].
pub async fn require_schema(database: &Database) -> Result<(), ServicesError> {
    match crate::store::users::any_exists(database.reader()).await {
        Ok(_) => Ok(()),
        Err(error) => Err(ServicesError::SchemaMissing(error)),
    }
}

impl Services {
    /// Opens engines, models and the queue. The data directory must be locked by the caller
    /// ([`DataDirectory`]) and the schema in place.
    ///
    /// # Errors
    /// [`ServicesError`] names the part that cannot start; nothing is replaced by something weaker.
    pub async fn open(settings: Arc<Settings>, database: Database) -> Result<Self, ServicesError> {
        let directory = settings.data_path("tantivy");
        let opened = blocking(move || TantivyLexicalIndex::open(directory)).await??;
        let lexical: Arc<dyn LexicalIndex> = Arc::new(opened.index);
        let vector: Arc<dyn VectorIndex> = Arc::new(EmbeddedVectorIndex::new());
        let embedder = models::embedder(&settings).await?;
        let reranker = models::reranker(&settings).await?;
        if let Some(embedder) = &embedder {
            vector.ensure_model(embedder.model()).await?;
        }
        let git = Git2Source::new(settings.git.clone(), settings.data_path("mirrors"))?;
        let outbound = OutboundClient::new(settings.outbound.clone())?;
        let queue_file = settings.data_path("queue.sqlite3");
        let queue = Arc::new(SqliteJobQueue::open(&queue_file, settings.queue.clone()).await?);
        let keyring = keys::load_keyring(&settings)?;
        let indexing = Indexing::new(IndexingParts {
            database: database.clone(),
            git: Arc::new(git.clone()) as Arc<dyn GitSource>,
            queue: queue.clone() as Arc<dyn JobQueue>,
            lexical: lexical.clone(),
            vector: vector.clone(),
            embedder: embedder.clone(),
            keyring: keyring.clone(),
            settings: settings.indexing.clone(),
            quotas: settings.quotas.clone(),
        });
        let retrieval = Retrieval::new(RetrievalParts {
            database: database.clone(),
            lexical: lexical.clone(),
            vector: vector.clone(),
            embedder: embedder.clone(),
            reranker: reranker.clone(),
            settings: settings.retrieval.clone(),
        });
        Ok(Self {
            settings,
            database,
            git,
            outbound,
            queue,
            lexical,
            vector,
            embedder,
            reranker,
            keyring,
            indexing,
            retrieval,
            lexical_needs_rebuild: opened.needs_rebuild,
        })
    }

    /// Brings derived data up to what SQL says: the lexical index when its directory was lost, the
    /// vectors that live in memory, and the work that a former process left behind.
    ///
    /// # Errors
    /// When SQL or an engine fails.
    pub async fn prepare(&self) -> Result<(), ServicesError> {
        if self.lexical_needs_rebuild {
            let documents = self.indexing.rebuild_lexical().await?;
            tracing::info!(documents, "filled the lexical index from the database");
        }
        let points = self.indexing.load_embedded_vectors().await?;
        tracing::info!(points, "loaded the vectors");
        let repaired = self.indexing.reconcile().await?;
        tracing::info!(repaired, "compared the engines with the database");
        let rebuilds = self.indexing.rebuild_outdated().await?;
        tracing::info!(rebuilds, "started to rebuild what is in an older format");
        let jobs = self.indexing.recover().await?;
        tracing::info!(jobs, "handed out the work that was left behind");
        Ok(())
    }

    /// Whether every part answers.
    ///
    /// # Errors
    /// The first part that does not.
    pub async fn health(&self) -> Result<(), ServicesError> {
        use sea_orm::ConnectionTrait;
        let db = self.database.reader();
        db.execute_unprepared("SELECT 1")
            .await
            .map_err(crate::store::StoreError::from)?;
        self.queue.health().await?;
        self.lexical.health().await?;
        self.vector.health().await?;
        Ok(())
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ServicesError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| ServicesError::Interrupted)
}
