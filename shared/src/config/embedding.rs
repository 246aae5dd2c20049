//! Which embedder and reranker run, and how each is set up. Only the chosen one's section counts.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::server::hidden;

/// Which embedder runs (`[embedding]`).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EmbeddingSettings {
    /// `static` for a table of word vectors in this process, `onnx`, `http`, or `none` for lexical,
    /// symbol and path search only.
    pub provider: EmbedderChoice,
    /// A directory in the model2vec format for `static`. Empty: the code model that is part of the
    /// program.
    pub static_directory: Option<PathBuf>,
}

/// The kinds of embedder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmbedderChoice {
    #[default]
    Static,
    Onnx,
    Http,
    None,
}

/// A sentence-embedding model in the ONNX format (`[embedding_onnx]`).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OnnxSettings {
    /// The `.onnx` file, or a directory with `model.onnx` and `tokenizer.json`.
    pub model: PathBuf,
    /// Empty: `tokenizer.json` beside the model.
    pub tokenizer: Option<PathBuf>,
    /// `mean` over the tokens that are no padding, `cls` for the first token, or
    /// `sentence_embedding` for models that pool by themselves.
    pub pooling: PoolingSetting,
    /// The output to read. Empty: chosen by its shape.
    pub output: Option<String>,
    /// Tokens of a text that count, special tokens included.
    pub max_tokens: usize,
    /// Put before documents, for models that were trained so.
    pub document_prefix: String,
    /// Put before queries.
    pub query_prefix: String,
    /// Texts in one run of the model.
    pub batch_size: usize,
    /// Tokens in one run, padding included.
    pub max_batch_tokens: usize,
}

impl Default for OnnxSettings {
    fn default() -> Self {
        Self {
            model: PathBuf::new(),
            tokenizer: None,
            pooling: PoolingSetting::Mean,
            output: None,
            max_tokens: 256,
            document_prefix: String::new(),
            query_prefix: String::new(),
            batch_size: 16,
            max_batch_tokens: 4_096,
        }
    }
}

/// How token vectors become one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PoolingSetting {
    #[default]
    Mean,
    Cls,
    SentenceEmbedding,
}

/// The native library and where it computes (`[onnx_runtime]`), for all ONNX models.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OnnxRuntimeSettings {
    /// `libonnxruntime.so`, version 1.24 or later; `deploy/fetch-models runtime` brings one.
    pub library: PathBuf,
    /// `cpu` or `cuda`.
    pub device: ExecutionDevice,
    /// Number of the GPU.
    pub cuda_device: i32,
    /// Whether to compute on the CPU when CUDA cannot be used, which is otherwise an error at
    /// start.
    pub allow_cpu_fallback: bool,
    /// Copies of the model that run at the same time.
    pub sessions: usize,
    /// Threads of each copy. 0: the machine's cores divided by `sessions`.
    pub threads: usize,
}

impl Default for OnnxRuntimeSettings {
    fn default() -> Self {
        Self {
            library: PathBuf::new(),
            device: ExecutionDevice::Cpu,
            cuda_device: 0,
            allow_cpu_fallback: false,
            sessions: 1,
            threads: 0,
        }
    }
}

/// Where a model computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionDevice {
    #[default]
    Cpu,
    Cuda,
}

/// An endpoint that embeds (`[embedding_http]`).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpenAiSettings {
    /// `openai` for `/embeddings`, `tei` for `/embed` of Text Embeddings Inference.
    pub protocol: EmbeddingProtocol,
    /// Everything before the last path segment, for example `https://api.openai.com/v1`.
    pub base_url: String,
    /// Sent as a bearer token.
    #[serde(serialize_with = "hidden")]
    pub api_key: Option<SecretString>,
    /// Model name as the endpoint knows it.
    pub model: String,
    /// Components of its vectors. A reply of another size is refused.
    pub dimension: usize,
    /// Whether to ask the endpoint for that dimension (models that can shorten vectors).
    pub request_dimension: bool,
    /// Put before documents.
    pub document_prefix: String,
    /// Put before queries.
    pub query_prefix: String,
    /// Texts in one request.
    pub max_request_inputs: usize,
    /// Bytes of text in one request.
    pub max_request_bytes: usize,
    /// Bytes of one text; the rest is cut. 24,000 are some 8,000 tokens of code.
    pub max_input_bytes: usize,
    /// Requests in flight for one batch.
    pub concurrency: usize,
    /// Time for one request.
    pub timeout_seconds: u64,
    /// Attempts at one request in all, the first included.
    pub attempts: u32,
    /// Wait before the second attempt; it doubles from then on.
    pub first_wait_milliseconds: u64,
    /// No wait is longer, whatever the endpoint asks for.
    pub max_wait_milliseconds: u64,
}

impl Default for OpenAiSettings {
    fn default() -> Self {
        Self {
            protocol: EmbeddingProtocol::Openai,
            base_url: String::new(),
            api_key: None,
            model: String::new(),
            dimension: 0,
            request_dimension: false,
            document_prefix: String::new(),
            query_prefix: String::new(),
            max_request_inputs: 64,
            max_request_bytes: 256 * 1_024,
            max_input_bytes: 24_000,
            concurrency: 4,
            timeout_seconds: 60,
            attempts: 5,
            first_wait_milliseconds: 500,
            max_wait_milliseconds: 30_000,
        }
    }
}

/// The shape of an embedding endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EmbeddingProtocol {
    #[default]
    Openai,
    Tei,
}

/// Which reranker runs (`[rerank]`).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RerankSettings {
    /// `none`, `onnx` or `http`.
    pub provider: RerankerChoice,
}

/// The kinds of reranker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RerankerChoice {
    #[default]
    None,
    Onnx,
    Http,
}

/// A cross-encoder in the ONNX format (`[rerank_onnx]`).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OnnxRerankerSettings {
    /// The `.onnx` file, or a directory with `model.onnx` and `tokenizer.json`.
    pub model: PathBuf,
    /// Empty: `tokenizer.json` beside the model.
    pub tokenizer: Option<PathBuf>,
    /// Tokens of a pair that count.
    pub max_tokens: usize,
    /// Pairs in one run.
    pub batch_size: usize,
    /// Tokens in one run, padding included.
    pub max_batch_tokens: usize,
    /// What turns a single logit into a score: `sigmoid` or `none`.
    pub activation: ActivationSetting,
}

impl Default for OnnxRerankerSettings {
    fn default() -> Self {
        Self {
            model: PathBuf::new(),
            tokenizer: None,
            max_tokens: 256,
            batch_size: 16,
            max_batch_tokens: 4_096,
            activation: ActivationSetting::Sigmoid,
        }
    }
}

/// From logit to score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActivationSetting {
    #[default]
    Sigmoid,
    None,
}

/// An endpoint that reranks (`[rerank_http]`).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RerankHttpSettings {
    /// `cohere`, `jina` or `tei`.
    pub protocol: RerankProtocol,
    /// Everything before `/rerank`, for example `https://api.cohere.com/v2`.
    pub base_url: String,
    /// Sent as a bearer token.
    #[serde(serialize_with = "hidden")]
    pub api_key: Option<SecretString>,
    /// Model name as the endpoint knows it; `tei` serves one model and ignores it.
    pub model: String,
    /// Documents in one request.
    pub max_request_documents: usize,
    /// Bytes of one document; the rest is cut.
    pub max_document_bytes: usize,
    /// Time for one request.
    pub timeout_seconds: u64,
    /// Attempts at one request in all, the first included.
    pub attempts: u32,
    /// Wait before the second attempt; it doubles from then on.
    pub first_wait_milliseconds: u64,
    /// No wait is longer, whatever the endpoint asks for.
    pub max_wait_milliseconds: u64,
}

impl Default for RerankHttpSettings {
    fn default() -> Self {
        Self {
            protocol: RerankProtocol::Cohere,
            base_url: String::new(),
            api_key: None,
            model: String::new(),
            max_request_documents: 64,
            max_document_bytes: 8_000,
            timeout_seconds: 5,
            // A search waits for this: one more attempt, and soon.
            attempts: 2,
            first_wait_milliseconds: 100,
            max_wait_milliseconds: 1_000,
        }
    }
}

impl RerankHttpSettings {
    /// The time limit of one request.
    #[must_use]
    pub const fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds)
    }
}

impl OpenAiSettings {
    /// The time limit of one request.
    #[must_use]
    pub const fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds)
    }
}

/// The shape of a rerank endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RerankProtocol {
    #[default]
    Cohere,
    Jina,
    Tei,
}
