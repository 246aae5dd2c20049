//! Optional second opinion: reorders the best candidates, or is skipped with a warning.

use std::{collections::HashMap, time::Duration};

use super::{
    Retrieval, RetrievalError, candidate::Candidate, constants::RERANKED, outcome::Warning,
};
use crate::{
    domain::{BlobId, Kinded, OrganizationId},
    store::candidates,
};

impl Retrieval {
    /// Reorders the head of the list by the reranker's scores. Without one, after its time limit, or
    /// on its failure the order stays.
    pub(crate) async fn rerank(
        &self,
        text: &str,
        organization: OrganizationId,
        mut ranked: Vec<Candidate>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<Candidate>, RetrievalError> {
        let Some(reranker) = &self.parts.reranker else {
            return Ok(ranked);
        };
        let tail = ranked.split_off(ranked.len().min(RERANKED));
        let blobs: Vec<BlobId> = ranked.iter().map(|c| BlobId(c.facts.blob_id)).collect();
        let db = self.parts.database.reader();
        let texts: HashMap<BlobId, String> = candidates::texts(db, organization, &blobs)
            .await?
            .into_iter()
            .collect();
        let documents: Vec<String> = ranked
            .iter()
            .map(|candidate| {
                let facts = &candidate.facts;
                let text = texts.get(&BlobId(facts.blob_id)).map_or("", String::as_str);
                let body = text.get(facts.bytes.0..facts.bytes.1).unwrap_or_default();
                format!("{}\n{body}", facts.path)
            })
            .collect();
        let limit = Duration::from_millis(self.parts.settings.rerank_milliseconds);
        let skipped = match tokio::time::timeout(limit, reranker.rerank(text, &documents)).await {
            Ok(Ok(scores)) if scores.len() == ranked.len() => {
                reorder(&mut ranked, &scores);
                None
            }
            Ok(Ok(_)) => Some("an incomplete answer"),
            Ok(Err(error)) => {
                tracing::warn!(code = error.code(), "the reranker failed");
                Some("a failure")
            }
            Err(_) => Some("its time limit"),
        };
        if let Some(reason) = skipped {
            warnings.push(Warning {
                code: "rerank_skipped",
                message: format!("the reranker was skipped after {reason}"),
            });
        }
        ranked.extend(tail);
        Ok(ranked)
    }
}

fn reorder(ranked: &mut Vec<Candidate>, scores: &[f32]) {
    let mut scored: Vec<(f32, Candidate)> = scores.iter().copied().zip(ranked.drain(..)).collect();
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    for (score, mut candidate) in scored {
        candidate.add("rerank", f32::MIN_POSITIVE, || {
            format!("reranker score {score:.3}")
        });
        ranked.push(candidate);
    }
}
