//! Why an ONNX model cannot be used.

use std::path::PathBuf;

use thiserror::Error;

use crate::domain::{ErrorKind, Kinded};

/// A fault that is found when a model is loaded.
#[derive(Debug, Error)]
pub enum OnnxError {
    #[error(
        "the ONNX Runtime library `{}` is missing; `deploy/fetch-models runtime` brings one",
        .path.display()
    )]
    LibraryMissing { path: PathBuf },
    #[error("the ONNX Runtime library `{}` cannot be loaded", .path.display())]
    LibraryUnusable {
        path: PathBuf,
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error(
        "the ONNX Runtime library `{}` is loaded already; a process cannot load `{}` beside it",
        .loaded.display(), .asked.display()
    )]
    AnotherLibrary { loaded: PathBuf, asked: PathBuf },
    #[error("cannot read the model file `{}`", .path.display())]
    FileUnreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("`{}` is not a model that ONNX Runtime can run", .path.display())]
    ModelUnusable {
        path: PathBuf,
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("the model `{}` {fault}", .path.display())]
    ModelUnfit { path: PathBuf, fault: String },
    #[error("`{}` is not a usable tokenizer: {fault}", .path.display())]
    TokenizerUnusable { path: PathBuf, fault: String },
    #[error("CUDA cannot be used: {reason}")]
    CudaUnavailable { reason: String },
    #[error("the setting `{setting}` {fault}")]
    InvalidSetting {
        setting: &'static str,
        fault: &'static str,
    },
}

impl Kinded for OnnxError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidInput
    }

    fn code(&self) -> &'static str {
        match self {
            Self::LibraryMissing { .. } => "onnx_library_missing",
            Self::LibraryUnusable { .. } | Self::AnotherLibrary { .. } => "onnx_library_unusable",
            Self::FileUnreadable { .. } => "model_unreadable",
            Self::ModelUnusable { .. } | Self::ModelUnfit { .. } => "model_unusable",
            Self::TokenizerUnusable { .. } => "tokenizer_unusable",
            Self::CudaUnavailable { .. } => "cuda_unavailable",
            Self::InvalidSetting { .. } => "invalid_settings",
        }
    }
}
