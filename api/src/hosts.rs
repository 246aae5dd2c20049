//! Which names this server answers to, and which pages may use its cookies.
//!
//! A page of another site can point its own name at this server's address (DNS rebinding); its
//! requests then carry that name in `Host`. So only known names are answered. IP addresses cannot
//! be rebound and are always known.

use std::net::IpAddr;

use actix_web::{HttpRequest, dev::ServiceRequest, http::StatusCode, http::header, web::Data};
use quarry_shared::{config::ServerSettings, domain::ErrorKind};

use crate::{problem::ApiError, state::AppState};

/// Refuses a request for a name that is not this server's. Probes are always answered.
///
/// # Errors
/// 421 `misdirected_request`.
pub fn check(request: &ServiceRequest) -> Result<(), ApiError> {
    let Some(state) = request.app_data::<Data<AppState>>() else {
        return Ok(());
    };
    if matches!(request.path(), "/healthz" | "/readyz") {
        return Ok(());
    }
    let host = request
        .uri()
        .host()
        .map(str::to_owned)
        .or_else(|| header_text(request.headers().get(header::HOST)));
    let is_known = host.is_some_and(|host| is_known(&host, &state.settings.server));
    if is_known {
        return Ok(());
    }
    let detail = "this server does not answer to that host name; see `server.allowed_hosts`";
    Err(
        ApiError::new(ErrorKind::InvalidInput, "misdirected_request", detail)
            .with_status(StatusCode::MISDIRECTED_REQUEST),
    )
}

/// Refuses a request whose cookie another site's page makes the browser send.
///
/// # Errors
/// 403 `cross_origin`.
pub fn check_origin(request: &HttpRequest, settings: &ServerSettings) -> Result<(), ApiError> {
    let headers = request.headers();
    let site = header_text(headers.get("sec-fetch-site"));
    let is_same_site = site.is_none_or(|site| site == "same-origin" || site == "none");
    let origin = header_text(headers.get(header::ORIGIN));
    let own = header_text(headers.get(header::HOST));
    let is_own = origin.is_none_or(|origin| {
        let same_host = origin
            .split_once("://")
            .is_some_and(|(_, host)| Some(host) == own.as_deref());
        origin == settings.public_origin() || settings.public_url.is_none() && same_host
    });
    if is_same_site && is_own {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorKind::Forbidden,
        "cross_origin",
        "this request must come from Quarry's own pages",
    ))
}

fn is_known(host: &str, settings: &ServerSettings) -> bool {
    let name = without_port(host).to_ascii_lowercase();
    let public = settings.public_url.as_ref().and_then(|url| url.host_str());
    name == "localhost"
        || name
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<IpAddr>()
            .is_ok()
        || public.is_some_and(|public| public.eq_ignore_ascii_case(&name))
        || settings
            .allowed_hosts
            .iter()
            .any(|allowed| allowed.eq_ignore_ascii_case(&name))
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

fn header_text(value: Option<&header::HeaderValue>) -> Option<String> {
    value
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use quarry_shared::config::ServerSettings;

    use super::is_known;

    #[test]
    fn only_addresses_and_configured_names_are_answered() {
        let settings = ServerSettings {
            public_url: "https://quarry.example".parse().ok(),
            allowed_hosts: vec!["inside".to_owned()],
            ..ServerSettings::default()
        };
        for (host, known) in [
            ("127.0.0.1:8080", true),
            ("[::1]:8080", true),
            ("localhost", true),
            ("LOCALHOST:1", true),
            ("quarry.example", true),
            ("quarry.example:443", true),
            ("inside:8080", true),
            ("evil.example", false),
            ("quarry.example.evil", false),
            ("", false),
        ] {
            assert_eq!(is_known(host, &settings), known, "{host}");
        }
    }
}
