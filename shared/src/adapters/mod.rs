//! One folder per outside system, each behind a trait of `ports`.

pub mod embedded_vector;
pub mod git;
mod model_endpoint;
mod model_key;
pub mod onnx;
pub mod openai;
pub mod outbound;
pub mod rerank_http;
pub mod resilience;
mod row_filter;
pub mod sqlite_queue;
pub mod static_embedder;
pub mod tantivy;
mod tokenizer_file;
