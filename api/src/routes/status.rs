//! What this server is made of.
//!
//! `GET /status`.

use actix_web::{
    get,
    web::{Data, Json},
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use super::search_response::SearchWarning;
use crate::{authentication::principal::Caller, problem::ApiError, state::AppState};

pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(get_status);
}

/// The embedding model.
#[derive(Debug, Serialize, ToSchema)]
pub struct EmbedderStatus {
    /// `static`, `onnx`, `http` or `none`.
    kind: String,
    model: Option<String>,
    dimension: Option<usize>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StatusResponse {
    version: String,
    /// `standalone` or `cluster`.
    mode: String,
    embedder: EmbedderStatus,
    vector_index: String,
    lexical_index: String,
    reranker: Option<String>,
    warnings: Vec<SearchWarning>,
}

/// Returns version, models and engines.
#[utoipa::path(tag = "operations", operation_id = "get_status",
    responses((status = 200, body = StatusResponse)))]
#[get("/status")]
pub async fn get_status(
    state: Data<AppState>,
    _caller: Caller,
) -> Result<Json<StatusResponse>, ApiError> {
    let services = &state.services;
    let model = services.embedder.as_ref().map(|embedder| embedder.model());
    let mut warnings = Vec::new();
    if model.is_none() {
        warnings.push(SearchWarning::new(
            "no_embedder",
            "no embedding model is configured; search goes by words, names and paths only",
        ));
    }
    if let Err(error) = services.health().await {
        warnings.push(SearchWarning::new("not_ready", error.to_string()));
    }
    let kind = serde_json::to_value(state.settings.embedding.provider).ok();
    Ok(Json(StatusResponse {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        mode: "standalone".to_owned(),
        embedder: EmbedderStatus {
            kind: kind
                .and_then(|kind| kind.as_str().map(str::to_owned))
                .unwrap_or_default(),
            model: model.map(|model| model.key.clone()),
            dimension: model.map(|model| model.dimension),
        },
        vector_index: services.vector.name().to_owned(),
        lexical_index: services.lexical.name().to_owned(),
        reranker: services
            .reranker
            .as_ref()
            .map(|reranker| reranker.name().to_owned()),
        warnings,
    }))
}
