//! Errors as people and programs see them: RFC 9457 problem documents.
//!
//! [`ApiError`] is made from any room's error by `?`. One table turns its kind into the HTTP
//! status. The document is written in `boundary`, where the request's id is known.

use std::{borrow::Cow, fmt, time::Duration};

use actix_web::{
    HttpResponse, HttpResponseBuilder, ResponseError,
    http::{StatusCode, header},
};
use quarry_shared::domain::{ErrorKind, Kinded, OrganizationId, redact};
use serde::Serialize;
use utoipa::ToSchema;

/// A failure, described for a program (`code`) and for a person (`detail`).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemDocument {
    /// Always `about:blank`: `code` says what happened.
    #[serde(rename = "type")]
    #[schema(example = "about:blank")]
    pub kind: &'static str,
    /// The status in words.
    #[schema(example = "Not Found")]
    pub title: &'static str,
    #[schema(example = 404)]
    pub status: u16,
    /// Stable name of the failure.
    #[schema(example = "not_found")]
    pub code: String,
    /// One sentence about this failure.
    pub detail: String,
    /// Names this request in the server's log.
    pub request_id: String,
    /// What is wrong with which part of the request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub errors: Vec<FieldError>,
}

/// One fault of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// JSON pointer into the body, or the name of a query parameter.
    #[schema(example = "/name")]
    pub pointer: String,
    pub detail: String,
}

/// What a handler answers instead of a result.
#[derive(Debug)]
pub struct ApiError {
    kind: ErrorKind,
    status: Option<StatusCode>,
    code: Cow<'static, str>,
    detail: Cow<'static, str>,
    errors: Vec<FieldError>,
    retry_after: Option<Duration>,
    allow: Option<String>,
    organization: Option<OrganizationId>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// When nothing better is known.
const DEFAULT_RETRY_AFTER: Duration = Duration::from_secs(5);

/// The one table from kinds to statuses.
#[must_use]
pub const fn status_of(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::InvalidInput => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::Unauthenticated => StatusCode::UNAUTHORIZED,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Conflict => StatusCode::CONFLICT,
        ErrorKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorKind::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        ErrorKind::Timeout => StatusCode::GATEWAY_TIMEOUT,
        ErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl ApiError {
    /// An error of the door itself.
    #[must_use]
    pub fn new(kind: ErrorKind, code: &'static str, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            status: None,
            code: Cow::Borrowed(code),
            detail: detail.into(),
            errors: Vec::new(),
            retry_after: None,
            allow: None,
            organization: None,
            source: None,
        }
    }

    /// Missing, or not for this person.
    #[must_use]
    pub fn not_found(noun: &str) -> Self {
        Self::new(ErrorKind::NotFound, "not_found", format!("no such {noun}"))
    }

    /// The request names something in a way that cannot be accepted.
    #[must_use]
    pub fn invalid(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::invalid_fields(vec![FieldError {
            pointer: pointer.into(),
            detail: detail.into(),
        }])
    }

    /// Several faults of one request.
    #[must_use]
    pub fn invalid_fields(errors: Vec<FieldError>) -> Self {
        let mut error = Self::new(
            ErrorKind::InvalidInput,
            "invalid_request",
            "the request is not valid",
        );
        error.errors = errors;
        error
    }

    /// The caller is not signed in, or no longer. Never says why.
    #[must_use]
    pub fn unauthenticated() -> Self {
        Self::new(
            ErrorKind::Unauthenticated,
            "unauthenticated",
            "sign in to do this",
        )
    }

    /// Too much at once; a later call may pass.
    #[must_use]
    pub fn too_many(detail: &'static str) -> Self {
        Self::new(ErrorKind::RateLimited, "rate_limited", detail)
    }

    /// The caller may see the thing but not do this to it.
    #[must_use]
    pub fn forbidden() -> Self {
        Self::new(
            ErrorKind::Forbidden,
            "forbidden",
            "your role does not allow this",
        )
    }

    /// A fault of the server; the detail is for the log only.
    #[must_use]
    pub fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let mut error = Self::new(ErrorKind::Internal, "internal", "");
        error.source = Some(source.into());
        error
    }

    /// The problem that stands for a bare status, as actix answers it.
    #[must_use]
    pub fn from_status(status: StatusCode) -> Self {
        let (kind, code, detail) = match status {
            StatusCode::NOT_FOUND => (ErrorKind::NotFound, "not_found", "no such address"),
            StatusCode::PAYLOAD_TOO_LARGE => (
                ErrorKind::TooLarge,
                "body_too_large",
                "the request is larger than the server accepts",
            ),
            status if status.is_server_error() => (ErrorKind::Internal, "internal", ""),
            _ => (
                ErrorKind::InvalidInput,
                "invalid_request",
                "the request cannot be understood",
            ),
        };
        Self::new(kind, code, detail).with_status(status)
    }

    /// Overrides the table.
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = Some(status);
        self
    }

    /// Names the parts of the request that are at fault.
    #[must_use]
    pub fn with_errors(mut self, errors: Vec<FieldError>) -> Self {
        self.errors = errors;
        self
    }

    /// When to try again.
    #[must_use]
    pub fn with_retry_after(mut self, after: Duration) -> Self {
        self.retry_after = Some(after);
        self
    }

    /// Methods that the address does answer, for 405.
    #[must_use]
    pub fn with_allow(mut self, methods: String) -> Self {
        self.allow = Some(methods);
        self
    }

    /// In whose organization the caller was refused, for its audit log. Never shown.
    #[must_use]
    pub const fn in_organization(mut self, organization: OrganizationId) -> Self {
        self.organization = Some(organization);
        self
    }

    /// In whose organization the caller was refused.
    #[must_use]
    pub const fn organization(&self) -> Option<OrganizationId> {
        self.organization
    }

    /// Stable name of the failure.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The failure's class.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The response with its document, once the request is known by an id.
    #[must_use]
    pub fn respond(&self, request_id: &str) -> HttpResponse {
        let status = self.status_code();
        let mut response = HttpResponse::build(status);
        response.content_type("application/problem+json");
        self.insert_headers(status, &mut response);
        let is_internal = self.kind == ErrorKind::Internal;
        let redacted = redact(&self.detail);
        let detail = if is_internal {
            "an internal error occurred; the server's log has the request id"
        } else {
            &redacted
        };
        response.json(ProblemDocument {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            code: self.code.to_string(),
            detail: detail.to_owned(),
            request_id: request_id.to_owned(),
            errors: self.errors.clone(),
        })
    }

    fn insert_headers(&self, status: StatusCode, response: &mut HttpResponseBuilder) {
        if status == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer realm=\"quarry\""));
        }
        if let Some(methods) = &self.allow {
            response.insert_header((header::ALLOW, methods.clone()));
        }
        let waits = matches!(
            status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
        );
        if waits || self.retry_after.is_some() {
            let after = self.retry_after.unwrap_or(DEFAULT_RETRY_AFTER);
            let seconds = after.as_secs_f64().ceil().max(1.0);
            response.insert_header((header::RETRY_AFTER, seconds.to_string()));
        }
    }
}

impl<E: Kinded + Send + Sync + 'static> From<E> for ApiError {
    fn from(error: E) -> Self {
        let mut converted = Self::new(error.kind(), error.code(), error.to_string());
        converted.source = Some(Box::new(error));
        converted
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            None => write!(formatter, "{}: {}", self.code, self.detail),
            Some(source) => {
                write!(formatter, "{}: {source}", self.code)?;
                let mut cause = source.source();
                while let Some(inner) = cause {
                    write!(formatter, ": {inner}")?;
                    cause = inner.source();
                }
                Ok(())
            }
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.status.unwrap_or_else(|| status_of(self.kind))
    }

    fn error_response(&self) -> HttpResponse {
        self.respond("")
    }
}
