//! Why a static model cannot be used.

use std::path::PathBuf;

use thiserror::Error;

use crate::domain::{ErrorKind, Kinded};

/// A model file that is absent, damaged, or does not fit its neighbours.
#[derive(Debug, Error)]
pub enum StaticModelError {
    #[error("cannot read the model file `{}`", .path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("the model file `{}` is larger than {limit} bytes", .path.display())]
    TooLarge { path: PathBuf, limit: u64 },
    #[error("`{file}` is not a safetensors file")]
    NotSafetensors {
        file: String,
        #[source]
        source: safetensors::SafeTensorError,
    },
    #[error("`{file}` has no tensor `{tensor}`")]
    TensorMissing { file: String, tensor: &'static str },
    #[error("tensor `{tensor}` in `{file}` {fault}")]
    TensorUnusable {
        file: String,
        tensor: &'static str,
        fault: String,
    },
    #[error("`{file}` is not the JSON that was expected")]
    NotJson {
        file: String,
        #[source]
        source: serde_json::Error,
    },
    #[error("`{file}` is not a usable tokenizer: {fault}")]
    TokenizerUnusable { file: String, fault: String },
    #[error("the tokenizer names token {token} but the table has {rows} rows")]
    VocabularyMismatch { token: u64, rows: usize },
}

impl Kinded for StaticModelError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidInput
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "model_unreadable",
            Self::TooLarge { .. } => "model_too_large",
            Self::NotSafetensors { .. }
            | Self::TensorMissing { .. }
            | Self::TensorUnusable { .. }
            | Self::NotJson { .. }
            | Self::TokenizerUnusable { .. }
            | Self::VocabularyMismatch { .. } => "model_unusable",
        }
    }
}
