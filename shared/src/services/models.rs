//! Which embedder and which reranker run.

use std::sync::Arc;

use super::{ServicesError, blocking};
use crate::{
    adapters::{
        onnx::{OnnxEmbedder, OnnxReranker},
        openai::OpenAiEmbedder,
        rerank_http::HttpReranker,
        static_embedder::StaticEmbedder,
    },
    config::{EmbedderChoice, RerankerChoice, Settings},
    ports::{Embedder, Reranker},
};

/// The embedder that the settings name; an endpoint is asked once, so that a wrong address, key or
/// dimension is an error at start and not at the first file.
pub(super) async fn embedder(
    settings: &Arc<Settings>,
) -> Result<Option<Arc<dyn Embedder>>, ServicesError> {
    let chosen = settings.clone();
    match settings.embedding.provider {
        EmbedderChoice::None => Ok(None),
        EmbedderChoice::Static => {
            let model = blocking(move || match &chosen.embedding.static_directory {
                Some(directory) => StaticEmbedder::from_model2vec_directory(directory),
                None => StaticEmbedder::bundled(),
            });
            Ok(Some(Arc::new(model.await??)))
        }
        EmbedderChoice::Onnx => {
            let model =
                blocking(move || OnnxEmbedder::load(&chosen.embedding_onnx, &chosen.onnx_runtime));
            Ok(Some(Arc::new(model.await??)))
        }
        EmbedderChoice::Http => {
            let model = OpenAiEmbedder::new(&settings.embedding_http)?;
            model.probe().await?;
            Ok(Some(Arc::new(model)))
        }
    }
}

/// The reranker that the settings name; none by default.
pub(super) async fn reranker(
    settings: &Arc<Settings>,
) -> Result<Option<Arc<dyn Reranker>>, ServicesError> {
    let chosen = settings.clone();
    match settings.rerank.provider {
        RerankerChoice::None => Ok(None),
        RerankerChoice::Onnx => {
            let model =
                blocking(move || OnnxReranker::load(&chosen.rerank_onnx, &chosen.onnx_runtime));
            Ok(Some(Arc::new(model.await??)))
        }
        RerankerChoice::Http => Ok(Some(Arc::new(HttpReranker::new(&settings.rerank_http)?))),
    }
}
