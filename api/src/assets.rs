//! The dashboard's files, embedded in the binary.
//!
//! Hashed files below `/assets/` may be kept for ever; everything that is not a file is the page,
//! since the dashboard has addresses of its own. The page carries a fresh nonce each time.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{Method, header},
    web,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use rust_embed::{Embed, EmbeddedFile};
use uuid::Uuid;

use crate::{
    boundary, headers,
    methods::{self, Methods},
    problem::ApiError,
};

#[derive(Embed)]
#[folder = "dashboard/dist"]
struct Files;

const NONCE_PLACE: &str = "__QUARRY_CSP_NONCE__";

/// Answers every request that no other route took.
///
/// # Errors
/// 404 for an address of the API or a hashed file that is not there, 405 for a wrong method.
pub async fn serve(
    request: HttpRequest,
    methods: web::Data<Methods>,
) -> Result<HttpResponse, ApiError> {
    // An address below /api that no route took is a problem, not a page.
    if boundary::is_api(request.path()) {
        return Err(methods.refusal(request.path()));
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(methods::not_allowed("GET, HEAD"));
    }
    let path = request.path().trim_start_matches('/');
    if path.is_empty() || path == "index.html" {
        return page();
    }
    match Files::get(path) {
        Some(file) => Ok(answer(&request, path, &file)),
        None if path.starts_with("assets/") => Err(ApiError::not_found("file")),
        None => page(),
    }
}

fn answer(request: &HttpRequest, path: &str, file: &EmbeddedFile) -> HttpResponse {
    let tag = header::EntityTag::new_strong(STANDARD.encode(file.metadata.sha256_hash()));
    let known = request
        .headers()
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.contains(tag.tag()));
    let caching = if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let mut response = if known {
        HttpResponse::NotModified()
    } else {
        HttpResponse::Ok()
    };
    response
        .insert_header((header::CACHE_CONTROL, caching))
        .insert_header((header::ETAG, tag));
    if known {
        return response.finish();
    }
    response
        .content_type(mime_guess::from_path(path).first_or_octet_stream())
        .body(file.data.to_vec())
}

fn page() -> Result<HttpResponse, ApiError> {
    let file = Files::get("index.html").ok_or_else(|| ApiError::not_found("page"))?;
    let nonce = STANDARD.encode(Uuid::new_v4().as_bytes());
    let html = String::from_utf8_lossy(&file.data).replace(NONCE_PLACE, &nonce);
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((
            header::CONTENT_SECURITY_POLICY,
            headers::page_policy(&nonce),
        ))
        .content_type("text/html; charset=utf-8")
        .body(html))
}

/// Registers the files last: they take what is left.
pub fn configure(config: &mut web::ServiceConfig) {
    config.default_service(web::to(serve));
}
