//! Rerank endpoints: `/rerank` as Cohere, Jina and Text Embeddings Inference shape it.

mod protocol;

use async_trait::async_trait;

use super::model_endpoint::{ModelEndpoint, ReplyError, invalid_setting};
use super::resilience::RetryPolicy;
use crate::config::{RerankHttpSettings, RerankProtocol};
use crate::ports::{PortError, Reranker};

const SYSTEM: &str = "the rerank endpoint";

/// A cross-encoder behind HTTP. Long lists go out in several requests, whose scores share a scale.
#[derive(Debug, Clone)]
pub struct HttpReranker {
    name: String,
    settings: RerankHttpSettings,
    endpoint: ModelEndpoint,
    retry: RetryPolicy,
}

impl HttpReranker {
    /// Checks the settings; sends nothing.
    ///
    /// # Errors
    /// [`PortError::Rejected`] with the code `invalid_settings` names the setting.
    pub fn new(settings: &RerankHttpSettings) -> Result<Self, PortError> {
        let model = settings.model.trim();
        if model.is_empty() && settings.protocol != RerankProtocol::Tei {
            return Err(invalid_setting(SYSTEM, "`model` is empty"));
        }
        let endpoint = ModelEndpoint::new(
            SYSTEM,
            &settings.base_url,
            "rerank",
            settings.api_key.as_ref(),
            settings.timeout(),
        )?;
        let name = if model.is_empty() { "tei" } else { model };
        Ok(Self {
            name: name.to_owned(),
            settings: settings.clone(),
            endpoint,
            retry: RetryPolicy::from_milliseconds(
                settings.attempts,
                settings.first_wait_milliseconds,
                settings.max_wait_milliseconds,
            ),
        })
    }

    async fn scores(&self, query: &str, documents: &[&str]) -> Result<Vec<f32>, PortError> {
        let results = protocol::request(&self.endpoint, &self.settings, query, documents).await?;
        if results.len() != documents.len() {
            let error = ReplyError::WrongCount {
                sent: documents.len(),
                received: results.len(),
            };
            return Err(PortError::broken(SYSTEM, error));
        }
        let mut scores = vec![None; documents.len()];
        for (index, score) in results {
            if !score.is_finite() {
                return Err(PortError::broken(SYSTEM, ReplyError::NotFinite));
            }
            match scores.get_mut(index) {
                Some(place @ None) => *place = Some(score),
                _ => return Err(PortError::broken(SYSTEM, ReplyError::WrongIndex { index })),
            }
        }
        Ok(scores.into_iter().flatten().collect())
    }
}

#[async_trait]
impl Reranker for HttpReranker {
    fn name(&self) -> &str {
        &self.name
    }

    /// Blank documents are not sent and get the lowest score of the others.
    async fn rerank(&self, query: &str, documents: &[String]) -> Result<Vec<f32>, PortError> {
        let mut scores = vec![None; documents.len()];
        let limit = self.settings.max_document_bytes.max(1);
        let sendable: Vec<(usize, &str)> = documents
            .iter()
            .enumerate()
            .filter(|(_, document)| !query.trim().is_empty() && !document.trim().is_empty())
            .map(|(index, document)| (index, &document[..document.floor_char_boundary(limit)]))
            .collect();
        for request in sendable.chunks(self.settings.max_request_documents.max(1)) {
            let texts: Vec<&str> = request.iter().map(|(_, text)| *text).collect();
            let answered = self.retry.run(|| self.scores(query, &texts)).await?;
            for ((index, _), score) in request.iter().zip(answered) {
                if let Some(place) = scores.get_mut(*index) {
                    *place = Some(score);
                }
            }
        }
        let lowest = scores
            .iter()
            .flatten()
            .copied()
            .reduce(f32::min)
            .unwrap_or(0.0);
        Ok(scores
            .into_iter()
            .map(|score| score.unwrap_or(lowest))
            .collect())
    }
}
