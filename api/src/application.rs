//! The actix application: how a request travels from the socket to a handler.

use std::net::TcpListener;

use actix_web::{
    App, HttpResponse, HttpServer,
    dev::Server,
    middleware, route,
    web::{Data, PayloadConfig, ServiceConfig},
};
use quarry_shared::domain::ErrorKind;
use serde_json::json;
use utoipa_actix_web::AppExt;

use crate::{
    assets, boundary, methods::Methods, openapi, problem::ApiError, routes, state::AppState,
};

/// Starts to serve on a bound socket. The returned server runs when it is awaited.
///
/// # Errors
/// When the socket cannot be listened on.
pub fn serve(state: Data<AppState>, listener: TcpListener) -> std::io::Result<Server> {
    let settings = state.settings.clone();
    let openapi_document = Data::new(openapi::json());
    let methods = Data::new(Methods::of(&openapi::document()));
    let max_body_bytes = settings.server.max_body_bytes;
    let threads = match settings.server.threads {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        threads => threads,
    };
    let server = HttpServer::new(move || {
        let (app, _) = App::new()
            .into_utoipa_app()
            .configure(routes::configure)
            .split_for_parts();
        app.app_data(state.clone())
            .app_data(openapi_document.clone())
            .app_data(methods.clone())
            .app_data(PayloadConfig::new(max_body_bytes))
            .configure(operations)
            .configure(assets::configure)
            .wrap(middleware::Compress::default())
            .wrap(middleware::from_fn(boundary::boundary))
    })
    .workers(threads)
    .shutdown_timeout(settings.server.shutdown_seconds)
    .disable_signals()
    .listen(listener)?
    .run();
    Ok(server)
}

fn operations(config: &mut ServiceConfig) {
    config
        .service(healthz)
        .service(readyz)
        .service(openapi_json);
}

/// The process answers.
#[route("/healthz", method = "GET", method = "HEAD")]
async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(json!({"status": "ok"}))
}

/// Database, queue and engines answer.
#[route("/readyz", method = "GET", method = "HEAD")]
async fn readyz(state: Data<AppState>) -> Result<HttpResponse, ApiError> {
    match state.services.health().await {
        Ok(()) => Ok(HttpResponse::Ok().json(json!({"status": "ready"}))),
        Err(error) => {
            tracing::warn!(%error, "a part does not answer");
            Err(ApiError::new(
                ErrorKind::Unavailable,
                "not_ready",
                error.to_string(),
            ))
        }
    }
}

/// The OpenAPI document.
#[route("/api/openapi.json", method = "GET", method = "HEAD")]
async fn openapi_json(document: Data<String>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body(document.as_str().to_owned())
}
