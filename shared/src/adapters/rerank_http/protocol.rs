//! The three request and reply shapes.

use serde::{Deserialize, Serialize};

use crate::adapters::model_endpoint::ModelEndpoint;
use crate::config::{RerankHttpSettings, RerankProtocol};
use crate::ports::PortError;

#[derive(Serialize)]
struct CohereRequest<'text> {
    model: &'text str,
    query: &'text str,
    documents: &'text [&'text str],
    top_n: usize,
}

#[derive(Serialize)]
struct JinaRequest<'text> {
    #[serde(flatten)]
    cohere: CohereRequest<'text>,
    return_documents: bool,
}

#[derive(Deserialize)]
struct ResultsReply {
    results: Vec<RelevanceResult>,
}

#[derive(Deserialize)]
struct RelevanceResult {
    index: usize,
    relevance_score: f32,
}

#[derive(Serialize)]
struct TeiRequest<'text> {
    query: &'text str,
    texts: &'text [&'text str],
    truncate: bool,
}

#[derive(Deserialize)]
struct TeiResult {
    index: usize,
    score: f32,
}

/// One request. The answer is index and score of each result as the endpoint gave them.
pub(super) async fn request(
    endpoint: &ModelEndpoint,
    settings: &RerankHttpSettings,
    query: &str,
    documents: &[&str],
) -> Result<Vec<(usize, f32)>, PortError> {
    let cohere = CohereRequest {
        model: &settings.model,
        query,
        documents,
        top_n: documents.len(),
    };
    let reply: ResultsReply = match settings.protocol {
        RerankProtocol::Cohere => endpoint.post(&cohere).await?,
        RerankProtocol::Jina => {
            let request = JinaRequest {
                cohere,
                return_documents: false,
            };
            endpoint.post(&request).await?
        }
        RerankProtocol::Tei => {
            let request = TeiRequest {
                query,
                texts: documents,
                truncate: true,
            };
            let reply: Vec<TeiResult> = endpoint.post(&request).await?;
            return Ok(reply
                .into_iter()
                .map(|result| (result.index, result.score))
                .collect());
        }
    };
    let results = reply.results.into_iter();
    Ok(results
        .map(|result| (result.index, result.relevance_score))
        .collect())
}
