//! Integration tests of the shared crate: contract suites of the ports and adapters on real input.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod arrows;
mod audit_log;
mod embedder_contract;
mod git_http;
mod git_repositories;
mod git_server;
mod git_source;
mod git_ssh;
mod grants;
mod indexing_fakes;
mod indexing_jobs;
mod indexing_runs;
mod indexing_world;
mod lexical_contract;
mod model_server;
mod onnx_models;
mod openai_embedder;
mod outbound;
mod rerank_http;
mod resilience;
mod secrets;
mod sqlite_queue;
mod static_embedder;
mod store_database;
mod vector_contract;
