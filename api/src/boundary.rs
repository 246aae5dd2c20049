//! The outermost layer of every request: its id, its line in the log, its errors as problems, and
//! the headers that every answer carries.
//!
//! The log never holds query strings, bodies, tokens or addresses: an access line names the route.

use std::{panic::AssertUnwindSafe, time::Instant};

use actix_web::{
    Error, HttpMessage, HttpResponse,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    error::InternalError,
    http::header,
    middleware::Next,
    web::Data,
};
use futures::FutureExt;
use quarry_shared::domain::ErrorKind;
use uuid::Uuid;

use crate::{
    audit,
    authentication::{limits::client_address, principal::bearer},
    headers, hosts,
    problem::ApiError,
    rate_limits::{self, Subject},
    state::AppState,
};

/// Names one request in the log and in problems. Always made here, never taken from outside.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

/// Wraps every service of the server.
///
/// # Errors
/// A complete response in the form of an error, where actix leaves no request to answer with.
pub async fn boundary(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let started = Instant::now();
    let id = Uuid::now_v7().simple().to_string();
    let method = request.method().clone();
    let is_api = is_api(request.path());
    let is_https = request
        .app_data::<Data<AppState>>()
        .is_some_and(|state| state.settings.server.is_https());
    request.extensions_mut().insert(RequestId(id.clone()));

    if let Err(refusal) = hosts::check(&request) {
        let response = request.into_response(refusal.respond(&id));
        return Ok(headers::secure(response, &id, is_https));
    }
    if let Some(refusal) = count_address(&request).await {
        let mut response = request.into_response(refusal.respond(&id));
        rate_limits::announce(&mut response);
        return Ok(headers::secure(response, &id, is_https));
    }
    let outcome = AssertUnwindSafe(next.call(request)).catch_unwind().await;
    let failure = match outcome {
        Ok(Ok(response)) => {
            record_refusal(&response).await;
            let response = describe(response.map_into_boxed_body(), &id, is_api);
            let mut response = headers::secure(response, &id, is_https);
            rate_limits::announce(&mut response);
            tracing::info!(
                request_id = id,
                method = %method,
                route = response.request().match_pattern().unwrap_or_default(),
                status = response.status().as_u16(),
                milliseconds = started.elapsed().as_secs_f64() * 1000.0,
                "answered a request"
            );
            return Ok(response);
        }
        Ok(Err(error)) => match error.as_error::<ApiError>() {
            Some(known) => answer(known, &id),
            None => answer(&ApiError::from_status(error.error_response().status()), &id),
        },
        Err(panic) => {
            let error = ApiError::internal(panic_message(panic.as_ref()));
            answer(&error, &id)
        }
    };
    let failure = headers::secure_bare(failure, &id, is_https);
    Err(InternalError::from_response("the request failed", failure).into())
}

async fn record_refusal(response: &ServiceResponse<impl MessageBody>) {
    let refusal = response
        .response()
        .error()
        .and_then(|error| error.as_error::<ApiError>());
    if let Some(error) = refusal {
        audit::record_refusal(response.request(), error).await;
    }
}

/// Counts a request of the API whose sender has not shown a good access token; a person is counted
/// once they are known.
async fn count_address(request: &ServiceRequest) -> Option<ApiError> {
    let state = request.app_data::<Data<AppState>>()?;
    let is_counted = ["/api/v1/", "/webhooks/ci/"];
    if !is_counted
        .iter()
        .any(|start| request.path().starts_with(start))
    {
        // Git hosts send many good events from one address: only wrong signatures are counted.
        return None;
    }
    let request = request.request();
    if bearer(request).is_some_and(|token| state.tokens.check(token).is_ok()) {
        return None;
    }
    let address = client_address(request, &state.settings.server);
    let cost = rate_limits::cost_of(request.method(), request.path());
    let verdict = state
        .rate_limits
        .take(Subject::Address(address), cost)
        .await?;
    rate_limits::remember(request, Some(verdict));
    verdict.refused.map(rate_limits::refusal)
}

/// Gives every failed answer of the API its document.
fn describe(response: ServiceResponse, id: &str, is_api: bool) -> ServiceResponse {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let known = response
        .response()
        .error()
        .and_then(|error| error.as_error::<ApiError>())
        .map(|error| answer(error, id));
    let replacement = match known {
        Some(answered) => answered,
        None if is_api && !is_problem(&response) => answer(&ApiError::from_status(status), id),
        None => return response,
    };
    response.into_response(replacement)
}

fn is_problem(response: &ServiceResponse) -> bool {
    response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind == "application/problem+json")
}

/// The answer to a failure; what is the server's fault is logged here and nowhere else.
fn answer(error: &ApiError, id: &str) -> HttpResponse {
    match error.kind() {
        ErrorKind::Internal => tracing::error!(request_id = id, error = %error, "a request failed"),
        ErrorKind::Unavailable | ErrorKind::Timeout => {
            tracing::warn!(request_id = id, error = %error, "a request failed");
        }
        _ => {}
    }
    error.respond(id)
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    format!("a handler panicked: {}", text.unwrap_or_default())
}

/// Whether a path belongs to programs (problems) rather than to the dashboard (pages).
#[must_use]
pub fn is_api(path: &str) -> bool {
    path == "/api"
        || path.starts_with("/api/") && path != "/api/docs"
        || path.starts_with("/webhooks/")
        || path == "/healthz"
        || path == "/readyz"
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use actix_web::{App, HttpResponse, body::to_bytes, middleware::from_fn, test, web};

    use super::boundary;
    use crate::problem::ApiError;

    #[actix_web::test]
    async fn a_panic_and_an_internal_error_are_problems_that_tell_nothing() {
        let app = test::init_service(
            App::new()
                .route(
                    "/api/panic",
                    web::get().to(async || -> HttpResponse { panic!("the inside") }),
                )
                .route(
                    "/api/error",
                    web::get().to(async || -> Result<HttpResponse, ApiError> {
                        Err(ApiError::internal("the inside"))
                    }),
                )
                .wrap(from_fn(boundary)),
        )
        .await;
        for path in ["/api/panic", "/api/error"] {
            let request = test::TestRequest::get().uri(path).to_request();
            let response = match test::try_call_service(&app, request).await {
                Ok(response) => response.into_parts().1.map_into_boxed_body(),
                Err(error) => error.error_response(),
            };
            assert_eq!(response.status(), 500, "{path}");
            let header = |name| response.headers().get(name).unwrap().to_str().unwrap();
            assert_eq!(header("x-content-type-options"), "nosniff");
            let id = header("x-request-id").to_owned();
            let body = to_bytes(response.into_body()).await.unwrap();
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(body["code"], "internal", "{path}");
            assert_eq!(body["request_id"], id.as_str(), "{path}");
            assert!(!body.to_string().contains("the inside"), "{body}");
        }
    }
}
