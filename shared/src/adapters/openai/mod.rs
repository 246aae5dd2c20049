//! Embedding endpoints: OpenAI-compatible `/embeddings`, and `/embed` of Text Embeddings Inference.
//!
//! The request types are those of `async-openai`. The transport is our own (`model_endpoint`): that
//! client hides `Retry-After`, waits as long as a server tells it to, and logs replies.
//! `protocol` is the two shapes, `plan` cuts a batch into requests.

mod plan;
mod protocol;

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use super::model_endpoint::{ModelEndpoint, ReplyError, invalid_setting};
use super::model_key::slug;
use super::resilience::RetryPolicy;
use crate::config::{EmbeddingProtocol, OpenAiSettings};
use crate::ports::{Embedder, EmbeddingInput, EmbeddingModel, EmbeddingOutcome, PortError};
use plan::{Piece, RequestLimits};

const SYSTEM: &str = "the embedding endpoint";
/// A text that every embedding model takes: when it is refused, the request is wrong, not the text.
const PROBE: &str = "probe";

/// An embedder behind HTTP.
///
/// A call sends several requests, each retried by itself. A refused request is cut in halves down
/// to the refused text, which is shortened a few times and then given up alone. Header and body are
/// joined by a newline.
#[derive(Debug, Clone)]
pub struct OpenAiEmbedder {
    model: EmbeddingModel,
    settings: OpenAiSettings,
    endpoint: ModelEndpoint,
    retry: RetryPolicy,
    limits: RequestLimits,
}

/// What an endpoint makes of a request that reached it.
enum Reply {
    /// One vector per text, in order.
    Vectors(Vec<Vec<f32>>),
    /// Refused because of what is in it.
    Refused(PortError),
}

impl OpenAiEmbedder {
    /// Checks the settings; sends nothing.
    ///
    /// # Errors
    /// [`PortError::Rejected`] with the code `invalid_settings` names the setting.
    pub fn new(settings: &OpenAiSettings) -> Result<Self, PortError> {
        if settings.model.trim().is_empty() {
            return Err(invalid_setting(SYSTEM, "`model` is empty"));
        }
        if !(1..=65_536).contains(&settings.dimension) {
            let detail = "`dimension` must be between 1 and 65536";
            return Err(invalid_setting(SYSTEM, detail));
        }
        let limits = RequestLimits {
            inputs: settings.max_request_inputs.max(1),
            bytes: settings.max_request_bytes.max(1),
        };
        let endpoint = ModelEndpoint::new(
            SYSTEM,
            &settings.base_url,
            protocol::path(settings.protocol),
            settings.api_key.as_ref(),
            settings.timeout(),
        )?;
        Ok(Self {
            model: EmbeddingModel {
                key: model_key(settings),
                dimension: settings.dimension,
            },
            settings: settings.clone(),
            endpoint,
            retry: RetryPolicy::from_milliseconds(
                settings.attempts,
                settings.first_wait_milliseconds,
                settings.max_wait_milliseconds,
            ),
            limits,
        })
    }

    /// Embeds one short text, to see at start whether endpoint, key, model and dimension are right.
    ///
    /// # Errors
    /// The first failure; nothing is retried.
    pub async fn probe(&self) -> Result<(), PortError> {
        match self.send_once(&[PROBE]).await? {
            Reply::Vectors(_) => Ok(()),
            Reply::Refused(error) => Err(error),
        }
    }

    /// Sends a group of pieces, cutting it up as long as the endpoint refuses.
    async fn embed_group<'text>(
        &self,
        group: Vec<Piece<'text>>,
        probed: &OnceCell<()>,
    ) -> Result<Vec<(usize, EmbeddingOutcome)>, PortError> {
        let mut outcomes = Vec::with_capacity(group.len());
        let mut pending = vec![group];
        while let Some(group) = pending.pop() {
            let texts: Vec<&str> = group.iter().map(|piece| piece.text).collect();
            match self.send(&texts).await? {
                Reply::Vectors(vectors) => {
                    let indexes = group.iter().map(|piece| piece.index);
                    outcomes.extend(indexes.zip(vectors.into_iter().map(unit_length)));
                }
                Reply::Refused(error) => {
                    if matches!(error, PortError::Rejected { .. }) {
                        probed
                            .get_or_try_init(|| self.probe_after_refusal())
                            .await?;
                    }
                    match plan::cut(group) {
                        Ok(smaller) => pending.extend(smaller),
                        Err(index) => outcomes.push((index, Err(error.to_string()))),
                    }
                }
            }
        }
        Ok(outcomes)
    }

    /// Tells a refused text from a refused request: without this, a wrong setting would condemn
    /// every text of a repository, one by one.
    async fn probe_after_refusal(&self) -> Result<(), PortError> {
        match self.send(&[PROBE]).await? {
            Reply::Vectors(_) => Ok(()),
            Reply::Refused(error) => Err(error),
        }
    }

    async fn send(&self, texts: &[&str]) -> Result<Reply, PortError> {
        self.retry.run(|| self.send_once(texts)).await
    }

    async fn send_once(&self, texts: &[&str]) -> Result<Reply, PortError> {
        let answer = protocol::request(&self.endpoint, &self.settings, texts).await;
        let results = match answer {
            Ok(results) => results,
            Err(error @ (PortError::Rejected { .. } | PortError::TooLarge { .. })) => {
                return Ok(Reply::Refused(error));
            }
            Err(error) => return Err(error),
        };
        if results.len() != texts.len() {
            let error = ReplyError::WrongCount {
                sent: texts.len(),
                received: results.len(),
            };
            return Err(PortError::broken(SYSTEM, error));
        }
        let mut vectors = vec![Vec::new(); texts.len()];
        for (index, vector) in results {
            self.check_vector(&vector)?;
            match vectors.get_mut(index) {
                Some(place) if place.is_empty() => *place = vector,
                _ => return Err(PortError::broken(SYSTEM, ReplyError::WrongIndex { index })),
            }
        }
        Ok(Reply::Vectors(vectors))
    }

    fn check_vector(&self, vector: &[f32]) -> Result<(), PortError> {
        if vector.len() != self.model.dimension {
            return Err(PortError::Rejected {
                system: SYSTEM,
                code: "embedding_dimension_mismatch",
                detail: format!(
                    "model `{}` answers vectors of {} components, {} are configured",
                    self.settings.model,
                    vector.len(),
                    self.model.dimension
                ),
            });
        }
        if vector.iter().any(|component| !component.is_finite()) {
            return Err(PortError::broken(SYSTEM, ReplyError::NotFinite));
        }
        Ok(())
    }
}

#[async_trait]
impl Embedder for OpenAiEmbedder {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed_documents(
        &self,
        inputs: &[EmbeddingInput],
    ) -> Result<Vec<EmbeddingOutcome>, PortError> {
        let texts: Vec<Option<String>> = inputs
            .iter()
            .map(|input| self.document_text(input))
            .collect();
        let pieces = texts.iter().enumerate().filter_map(|(index, text)| {
            let text = text.as_deref()?;
            Some(Piece::new(index, text))
        });
        let groups = plan::group(pieces, self.limits);
        let probed = OnceCell::new();
        let mut requests = Vec::with_capacity(groups.len());
        for group in groups {
            requests.push(self.embed_group(group, &probed));
        }
        let answered: Vec<Vec<(usize, EmbeddingOutcome)>> = stream::iter(requests)
            .buffer_unordered(self.settings.concurrency.max(1))
            .try_collect()
            .await?;
        let blank = || Err("the text is blank".to_owned());
        let mut outcomes: Vec<EmbeddingOutcome> = inputs.iter().map(|_| blank()).collect();
        for (index, outcome) in answered.into_iter().flatten() {
            if let Some(place) = outcomes.get_mut(index) {
                *place = outcome;
            }
        }
        Ok(outcomes)
    }

    async fn embed_query(&self, text: &str) -> Result<Vec<f32>, PortError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(vec![0.0; self.model.dimension]);
        }
        let text = format!("{}{}", self.settings.query_prefix, self.limited(text));
        match self.send(&[&text]).await? {
            Reply::Vectors(mut vectors) => {
                let vector = vectors.pop().unwrap_or_default();
                Ok(unit_length(vector).unwrap_or_else(|_| vec![0.0; self.model.dimension]))
            }
            Reply::Refused(error) => Err(error),
        }
    }
}

impl OpenAiEmbedder {
    /// The text to send, or `None` when it is blank.
    fn document_text(&self, input: &EmbeddingInput) -> Option<String> {
        let text = input.joined();
        let text = self.limited(&text);
        let blank = text.trim().is_empty();
        (!blank).then(|| format!("{}{text}", self.settings.document_prefix))
    }

    fn limited<'text>(&self, text: &'text str) -> &'text str {
        &text[..text.floor_char_boundary(self.settings.max_input_bytes.max(4))]
    }
}

/// Everything that changes the vectors; not the address, which may move.
fn model_key(settings: &OpenAiSettings) -> String {
    let mut digest = Sha256::new();
    for part in [
        &settings.model,
        &settings.document_prefix,
        &settings.query_prefix,
        &settings.max_input_bytes.to_string(),
    ] {
        digest.update(part.len().to_le_bytes());
        digest.update(part);
    }
    let digest: String = digest
        .finalize()
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let protocol = match settings.protocol {
        EmbeddingProtocol::Openai => "openai",
        EmbeddingProtocol::Tei => "tei",
    };
    let name = slug(&settings.model, 60);
    format!("{protocol}-{name}-{}-{digest}", settings.dimension)
}

fn unit_length(mut vector: Vec<f32>) -> EmbeddingOutcome {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if !length.is_finite() || length <= f32::MIN_POSITIVE {
        return Err("the endpoint answered a vector without direction".to_owned());
    }
    vector.iter_mut().for_each(|x| *x /= length);
    Ok(vector)
}
