//! The two request and reply shapes.

use async_openai::types::embeddings::{CreateEmbeddingRequest, EmbeddingInput, EncodingFormat};
use serde::{Deserialize, Serialize};

use crate::adapters::model_endpoint::ModelEndpoint;
use crate::config::{EmbeddingProtocol, OpenAiSettings};
use crate::ports::PortError;

/// The last segment of the address.
pub(super) const fn path(protocol: EmbeddingProtocol) -> &'static str {
    match protocol {
        EmbeddingProtocol::Openai => "embeddings",
        EmbeddingProtocol::Tei => "embed",
    }
}

/// Only what is needed: compatible servers leave out the rest.
#[derive(Deserialize)]
struct OpenAiReply {
    data: Vec<OpenAiVector>,
}

#[derive(Deserialize)]
struct OpenAiVector {
    index: usize,
    embedding: Vec<f32>,
}

#[derive(Serialize)]
struct TeiRequest<'text> {
    inputs: &'text [&'text str],
    normalize: bool,
    truncate: bool,
}

/// One request. The answer is index and vector of each result as the endpoint gave them.
pub(super) async fn request(
    endpoint: &ModelEndpoint,
    settings: &OpenAiSettings,
    texts: &[&str],
) -> Result<Vec<(usize, Vec<f32>)>, PortError> {
    match settings.protocol {
        EmbeddingProtocol::Openai => {
            let dimensions = u32::try_from(settings.dimension).ok();
            let request = CreateEmbeddingRequest {
                model: settings.model.clone(),
                input: EmbeddingInput::StringArray(texts.iter().map(ToString::to_string).collect()),
                encoding_format: Some(EncodingFormat::Float),
                user: None,
                dimensions: dimensions.filter(|_| settings.request_dimension),
            };
            let reply: OpenAiReply = endpoint.post(&request).await?;
            let results = reply.data.into_iter();
            Ok(results
                .map(|result| (result.index, result.embedding))
                .collect())
        }
        EmbeddingProtocol::Tei => {
            let request = TeiRequest {
                inputs: texts,
                normalize: true,
                truncate: true,
            };
            let reply: Vec<Vec<f32>> = endpoint.post(&request).await?;
            Ok(reply.into_iter().enumerate().collect())
        }
    }
}
