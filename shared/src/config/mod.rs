//! Settings: one struct per subsystem, read from a TOML file and then from the environment.
//!
//! Every struct is plain serde with `#[serde(default, deny_unknown_fields)]` and a documented
//! [`Default`], so that an empty file is legal. The variable of `[section] field` is
//! `QUARRY_SECTION_FIELD`. All problems are reported at once ([`SettingsError`]).
//! `docs/configuration.md` is made from these structs by [`documentation`].

mod audit;
mod documentation;
mod embedding;
mod git;
mod indexing;
mod layers;
mod limits;
mod outbound;
mod queue;
mod quotas;
mod retrieval;
mod secrets;
mod server;
mod tokens;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use audit::AuditSettings;
pub use documentation::documentation;
pub use embedding::{
    ActivationSetting, EmbedderChoice, EmbeddingProtocol, EmbeddingSettings, ExecutionDevice,
    OnnxRerankerSettings, OnnxRuntimeSettings, OnnxSettings, OpenAiSettings, PoolingSetting,
    RerankHttpSettings, RerankProtocol, RerankSettings, RerankerChoice,
};
pub use git::GitSettings;
pub use indexing::IndexingSettings;
pub use layers::SettingsError;
pub use limits::LimitSettings;
pub use outbound::OutboundSettings;
pub use queue::{QueueSettings, WorkerSettings};
pub use quotas::QuotaSettings;
pub use retrieval::RetrievalSettings;
pub use secrets::SecretSettings;
pub use server::{
    AdminSettings, AuthenticationSettings, DataSettings, DatabaseConfiguration, LogFormat,
    LogSettings, ServerSettings,
};

pub use tokens::TokenSettings;

use layers::Layers;

/// Everything that an operator can choose.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The HTTP server.
    pub server: ServerSettings,
    /// Files of this server.
    pub data: DataSettings,
    /// The SQL database.
    pub database: DatabaseConfiguration,
    /// The administrator that is created at the first start.
    pub admin: AdminSettings,
    /// Where repositories may come from, and how much of them.
    pub git: GitSettings,
    /// How much one person, one organization and one address may ask for.
    pub limits: LimitSettings,
    /// How much one organization may hold.
    pub quotas: QuotaSettings,
    /// Requests to other addresses that people set.
    pub outbound: OutboundSettings,
    /// The job queue in a SQLite file.
    pub queue: QueueSettings,
    /// The workers.
    pub worker: WorkerSettings,
    /// Searches.
    pub retrieval: RetrievalSettings,
    /// How work is cut, repeated and kept.
    pub indexing: IndexingSettings,
    /// Sign-in.
    pub authentication: AuthenticationSettings,
    /// Keys for secrets at rest.
    pub secrets: SecretSettings,
    /// API tokens.
    pub tokens: TokenSettings,
    /// The audit log.
    pub audit: AuditSettings,
    /// The log on standard error.
    pub log: LogSettings,
    /// Which embedder runs.
    pub embedding: EmbeddingSettings,
    /// A sentence-embedding model in the ONNX format.
    pub embedding_onnx: OnnxSettings,
    /// An endpoint that embeds.
    pub embedding_http: OpenAiSettings,
    /// Which reranker runs.
    pub rerank: RerankSettings,
    /// A cross-encoder in the ONNX format.
    pub rerank_onnx: OnnxRerankerSettings,
    /// An endpoint that reranks.
    pub rerank_http: RerankHttpSettings,
    /// The native library for ONNX models and where it computes.
    pub onnx_runtime: OnnxRuntimeSettings,
}

impl Settings {
    /// Reads `file` (when given it must exist), then the variables that start with `QUARRY_`.
    ///
    /// # Errors
    /// [`SettingsError`] with every problem found, not only the first.
    pub fn load(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, SettingsError> {
        let mut layers = Layers::read(&Self::default(), file, environment);
        let settings = Self {
            server: layers.section("server"),
            data: layers.section("data"),
            database: layers.section("database"),
            admin: layers.section("admin"),
            git: layers.section("git"),
            limits: layers.section("limits"),
            quotas: layers.section("quotas"),
            outbound: layers.section("outbound"),
            queue: layers.section("queue"),
            worker: layers.section("worker"),
            retrieval: layers.section("retrieval"),
            indexing: layers.section("indexing"),
            authentication: layers.section("authentication"),
            secrets: layers.section("secrets"),
            tokens: layers.section("tokens"),
            audit: layers.section("audit"),
            log: layers.section("log"),
            embedding: layers.section("embedding"),
            embedding_onnx: layers.section("embedding_onnx"),
            embedding_http: layers.section("embedding_http"),
            rerank: layers.section("rerank"),
            rerank_onnx: layers.section("rerank_onnx"),
            rerank_http: layers.section("rerank_http"),
            onnx_runtime: layers.section("onnx_runtime"),
        };
        settings.check(&mut layers);
        layers.finish()?;
        Ok(settings)
    }

    /// A path below the data directory.
    #[must_use]
    pub fn data_path(&self, name: &str) -> PathBuf {
        self.data.directory.join(name)
    }

    /// Conditions that one field's type cannot express.
    fn check(&self, layers: &mut Layers) {
        self.server.check(layers);
        self.authentication.check(layers);
        self.audit.check(layers);
        self.tokens.check(layers);
        self.worker.check(&self.queue, layers);
    }
}

#[cfg(test)]
mod tests;
