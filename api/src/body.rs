//! Request bodies and query strings that have been checked, with every fault named.

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::{StatusCode, header},
    web::{Bytes, Query},
};
use futures::future::{LocalBoxFuture, Ready, ready};
use garde::Validate;
use quarry_shared::domain::ErrorKind;
use serde::de::DeserializeOwned;

use crate::problem::{ApiError, FieldError};

/// A JSON body that has the right shape and passes its own rules.
#[derive(Debug)]
pub struct Body<T>(pub T);

/// A query string that has the right shape and passes its own rules.
#[derive(Debug)]
pub struct Params<T>(pub T);

impl<T: DeserializeOwned + Validate<Context = ()> + 'static> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let is_json = is_json(request);
        let bytes = Bytes::from_request(request, payload);
        Box::pin(async move {
            if !is_json {
                return Err(ApiError::new(
                    ErrorKind::InvalidInput,
                    "unsupported_media_type",
                    "the body must be `application/json`",
                )
                .with_status(StatusCode::UNSUPPORTED_MEDIA_TYPE));
            }
            let bytes = bytes
                .await
                .map_err(|error| ApiError::from_status(error.error_response().status()))?;
            let value = parse(&bytes)?;
            check(&value)?;
            Ok(Self(value))
        })
    }
}

impl<T: DeserializeOwned + Validate<Context = ()>> FromRequest for Params<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let parsed = Query::<T>::from_query(request.query_string())
            .map_err(|error| ApiError::invalid("", error.to_string()))
            .and_then(|Query(value)| check(&value).map(|()| Self(value)));
        ready(parsed)
    }
}

fn is_json(request: &HttpRequest) -> bool {
    request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let mut source = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut source).map_err(|error| {
        let pointer = pointer(&error.path().to_string());
        let inner = error.into_inner();
        match inner.classify() {
            serde_json::error::Category::Data => {
                ApiError::invalid(pointer, without_text(&inner.to_string()))
            }
            _ => malformed(&inner),
        }
    })?;
    source.end().map_err(|error| malformed(&error))?;
    Ok(value)
}

/// What serde says without the text that it quotes: a secret in the wrong place is not sent back.
fn without_text(message: &str) -> String {
    match (message.find(" \""), message.rfind("\", expected")) {
        (Some(start), Some(end)) if start < end => {
            format!("{}{}", &message[..start], &message[end + 1..])
        }
        _ => message.to_owned(),
    }
}

fn malformed(error: &serde_json::Error) -> ApiError {
    let detail = format!("the body is not JSON: {error}");
    ApiError::new(ErrorKind::InvalidInput, "malformed_json", detail)
        .with_status(StatusCode::BAD_REQUEST)
}

fn check<T: Validate<Context = ()>>(value: &T) -> Result<(), ApiError> {
    value.validate().map_err(|report| {
        let errors = report.iter().map(|(path, error)| FieldError {
            pointer: pointer(&path.to_string()),
            detail: error.to_string(),
        });
        ApiError::invalid_fields(errors.collect())
    })
}

/// `a.b[0]` as a JSON pointer.
fn pointer(path: &str) -> String {
    if path.is_empty() || path == "." {
        return String::new();
    }
    let path = path.replace('[', ".").replace(']', "");
    format!("/{}", path.replace('.', "/"))
}
