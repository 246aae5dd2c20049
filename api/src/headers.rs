//! Headers that every answer carries.

use actix_web::{
    HttpResponse,
    dev::ServiceResponse,
    http::header::{self, HeaderMap, HeaderName, HeaderValue},
};

/// For everything that is not a page of the dashboard.
const BARE_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

const FIXED: &[(&str, &str)] = &[
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-frame-options", "DENY"),
    (
        "permissions-policy",
        "camera=(), geolocation=(), microphone=()",
    ),
];

/// Adds the headers to an answer. What a handler has set stays.
#[must_use]
pub fn secure(mut response: ServiceResponse, request_id: &str, is_https: bool) -> ServiceResponse {
    insert(response.headers_mut(), request_id, is_https);
    response
}

/// The same for an answer that has lost its request.
#[must_use]
pub fn secure_bare(mut response: HttpResponse, request_id: &str, is_https: bool) -> HttpResponse {
    insert(response.headers_mut(), request_id, is_https);
    response
}

/// The policy of a page whose scripts and styles carry the nonce.
#[must_use]
pub fn page_policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}

fn insert(headers: &mut HeaderMap, request_id: &str, is_https: bool) {
    for (name, value) in FIXED {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    if is_https {
        headers.insert(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static("max-age=31536000"),
        );
    }
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        headers.insert(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(BARE_POLICY),
        );
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if let Ok(value) = HeaderValue::from_str(request_id) {
        headers.insert(HeaderName::from_static("x-request-id"), value);
    }
}
