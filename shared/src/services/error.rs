//! Why a part cannot start.

use std::io;

use thiserror::Error;

use crate::{
    adapters::{onnx::OnnxError, static_embedder::StaticModelError},
    indexing::IndexingError,
    ports::PortError,
    store::StoreError,
};

/// A part that cannot start or does not answer.
#[derive(Debug, Error)]
pub enum ServicesError {
    #[error("the data directory `{path}` is used by another process")]
    DataDirectoryInUse { path: String },
    #[error("the data directory `{path}` cannot be used")]
    DataDirectory {
        path: String,
        #[source]
        source: io::Error,
    },
    #[error("the key file `{path}` cannot be used: {detail}")]
    KeyFile { path: String, detail: String },
    #[error("`secrets.keys` does not hold keys of 32 random bytes in base64")]
    Keys,
    #[error("the keys come from `secrets.keys`, not from a file: add and remove keys there")]
    KeysAreASetting,
    #[error("the database cannot be used")]
    Store(#[from] StoreError),
    #[error("the database has no schema yet: run `quarry-api migrate`")]
    SchemaMissing(#[source] StoreError),
    #[error(transparent)]
    Port(#[from] PortError),
    #[error("the embedding model cannot be loaded")]
    StaticModel(#[from] StaticModelError),
    #[error("the ONNX model cannot be loaded")]
    Onnx(#[from] OnnxError),
    #[error("indexing cannot start")]
    Indexing(#[from] IndexingError),
    #[error("starting was interrupted")]
    Interrupted,
}
