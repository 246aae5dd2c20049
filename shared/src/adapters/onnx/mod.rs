//! Models in the ONNX format through ONNX Runtime, which is loaded at run time.
//!
//! `runtime` loads the library once for the process, `sessions` holds copies of a model, `texts`
//! turns texts into bounded batches, `embedder` and `reranker` are the two ports.

mod embedder;
mod error;
mod reranker;
mod runtime;
mod sessions;
mod texts;

pub use embedder::OnnxEmbedder;
pub use error::OnnxError;
pub use reranker::OnnxReranker;

const SYSTEM: &str = "onnx runtime";
