//! Which methods an address answers, so that a wrong one gets 405 and not the 404 of actix.

use actix_web::http::{Method, StatusCode};
use quarry_shared::domain::ErrorKind;
use utoipa::openapi::OpenApi;

use crate::problem::ApiError;

/// Addresses outside the document.
const OPERATIONS: &[&str] = &["/healthz", "/readyz", "/api/openapi.json"];

/// The methods of every address of the API.
pub struct Methods {
    addresses: Vec<(Vec<String>, String)>,
}

impl Methods {
    /// From the document, which is collected from the handlers.
    #[must_use]
    pub fn of(document: &OpenApi) -> Self {
        let mut addresses: Vec<_> = document
            .paths
            .paths
            .iter()
            .map(|(path, item)| {
                let methods = [
                    (Method::GET, item.get.is_some()),
                    (Method::POST, item.post.is_some()),
                    (Method::PUT, item.put.is_some()),
                    (Method::PATCH, item.patch.is_some()),
                    (Method::DELETE, item.delete.is_some()),
                ];
                let names = methods.iter().filter(|(_, exists)| *exists);
                let names: Vec<_> = names.map(|(method, _)| method.as_str()).collect();
                (segments(path), names.join(", "))
            })
            .collect();
        addresses.extend(
            OPERATIONS
                .iter()
                .map(|path| (segments(path), "GET, HEAD".to_owned())),
        );
        Self { addresses }
    }

    /// What to answer when no route has taken the request: the address is missing, or it is there
    /// for other methods.
    #[must_use]
    pub fn refusal(&self, path: &str) -> ApiError {
        let path = segments(path);
        let found = self.addresses.iter().find(|(pattern, _)| {
            pattern.len() == path.len()
                && pattern
                    .iter()
                    .zip(&path)
                    .all(|(expected, given)| expected.starts_with('{') || expected == given)
        });
        match found {
            Some((_, methods)) => not_allowed(methods),
            None => ApiError::not_found("address"),
        }
    }
}

/// 405 with the methods that would be answered.
#[must_use]
pub fn not_allowed(methods: &str) -> ApiError {
    ApiError::new(
        ErrorKind::InvalidInput,
        "method_not_allowed",
        "this address does not answer to that method",
    )
    .with_status(StatusCode::METHOD_NOT_ALLOWED)
    .with_allow(methods.to_owned())
}

fn segments(path: &str) -> Vec<String> {
    path.split('/').map(str::to_owned).collect()
}
