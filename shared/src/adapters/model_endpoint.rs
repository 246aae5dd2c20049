//! JSON over HTTP to a model server: one request, one typed reply or a typed failure.
//!
//! The failures carry no text from requests or replies, since both hold code.

use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::header::{HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Url;

use crate::ports::PortError;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// A full request's vectors as JSON fit several times.
const MAX_REPLY_BYTES: usize = 64 << 20;
const MAX_ERROR_BYTES: usize = 64 << 10;

/// A reply that is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ReplyError {
    #[error("the reply is larger than {MAX_REPLY_BYTES} bytes")]
    TooLarge,
    #[error("the reply is not the expected JSON")]
    NotJson(#[source] serde_json::Error),
    #[error("the reply has {received} results for {sent} texts")]
    WrongCount { sent: usize, received: usize },
    #[error("the reply names result {index} twice or out of range")]
    WrongIndex { index: usize },
    #[error("the reply contains numbers that are not finite")]
    NotFinite,
}

/// A model server.
#[derive(Debug, Clone)]
pub struct ModelEndpoint {
    system: &'static str,
    url: Url,
    authorization: Option<HeaderValue>,
    timeout: Duration,
    client: Client,
}

impl ModelEndpoint {
    /// `base_url` and `path` joined by a slash. Redirects are not followed, so that the key and the
    /// code go nowhere else.
    pub fn new(
        system: &'static str,
        base_url: &str,
        path: &str,
        api_key: Option<&SecretString>,
        timeout: Duration,
    ) -> Result<Self, PortError> {
        let text = format!("{}/{path}", base_url.trim_end_matches('/'));
        let url = Url::parse(&text)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| invalid_setting(system, "`base_url` is not an http or https URL"))?;
        let authorization = api_key
            .filter(|key| !key.expose_secret().trim().is_empty())
            .map(|key| bearer(key.expose_secret().trim()))
            .transpose()
            .map_err(|_| invalid_setting(system, "`api_key` cannot be sent in a header"))?;
        if timeout.is_zero() {
            return Err(invalid_setting(
                system,
                "`timeout_seconds` must be at least 1",
            ));
        }
        let client = Client::builder()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .build()
            .map_err(|source| PortError::broken(system, source))?;
        Ok(Self {
            system,
            url,
            authorization,
            timeout,
            client,
        })
    }

    /// Sends one request. Safe to cancel and to repeat.
    pub async fn post<Request, Reply>(&self, request: &Request) -> Result<Reply, PortError>
    where
        Request: Serialize + Sync,
        Reply: DeserializeOwned,
    {
        let exchange = async {
            let mut builder = self.client.post(self.url.clone()).json(request);
            if let Some(value) = &self.authorization {
                builder = builder.header(reqwest::header::AUTHORIZATION, value);
            }
            let response = builder.send().await.map_err(|error| self.unsent(&error))?;
            if !response.status().is_success() {
                return Err(self.refusal(response).await);
            }
            let body = self.read(response, MAX_REPLY_BYTES).await?;
            let body = body.ok_or_else(|| PortError::broken(self.system, ReplyError::TooLarge))?;
            serde_json::from_slice(&body)
                .map_err(|source| PortError::broken(self.system, ReplyError::NotJson(source)))
        };
        match tokio::time::timeout(self.timeout, exchange).await {
            Ok(result) => result,
            Err(_) => Err(PortError::Timeout {
                system: self.system,
                after: self.timeout,
            }),
        }
    }

    /// The body, or `None` when it is larger than the limit.
    async fn read(
        &self,
        mut response: Response,
        limit: usize,
    ) -> Result<Option<Vec<u8>>, PortError> {
        let mut body = Vec::new();
        while let Some(part) = response
            .chunk()
            .await
            .map_err(|error| self.unsent(&error))?
        {
            if body.len() + part.len() > limit {
                return Ok(None);
            }
            body.extend_from_slice(&part);
        }
        Ok(Some(body))
    }

    fn unsent(&self, error: &reqwest::Error) -> PortError {
        let detail = if error.is_connect() {
            "no connection"
        } else {
            "the connection broke"
        };
        PortError::Unavailable {
            system: self.system,
            detail: detail.to_owned(),
            retry_after: None,
        }
    }

    async fn refusal(&self, response: Response) -> PortError {
        let system = self.system;
        let status = response.status();
        let retry_after = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| retry_after(value.to_str().ok()?, Utc::now()));
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                PortError::AuthenticationFailed { system }
            }
            StatusCode::NOT_FOUND => PortError::NotFound {
                system,
                code: "model_or_path_not_found",
                what: format!("the path `{}` or the model", self.url.path()),
            },
            StatusCode::PAYLOAD_TOO_LARGE => PortError::TooLarge { system },
            StatusCode::TOO_MANY_REQUESTS => PortError::RateLimited {
                system,
                retry_after,
            },
            // TEI answers 424 when its backend fails; 408 and 425 ask for another attempt.
            _ if status.is_server_error() || matches!(status.as_u16(), 408 | 424 | 425) => {
                PortError::Unavailable {
                    system,
                    detail: format!("status {}", status.as_u16()),
                    retry_after,
                }
            }
            _ => {
                let code = self.error_code(response).await;
                let code = code.map_or(String::new(), |code| format!(" ({code})"));
                PortError::Rejected {
                    system,
                    code: "provider_rejected",
                    detail: format!("status {}{code}", status.as_u16()),
                }
            }
        }
    }

    /// The provider's machine-readable code. Its message is left out: it may repeat the input.
    async fn error_code(&self, response: Response) -> Option<String> {
        let body = self.read(response, MAX_ERROR_BYTES).await.ok()??;
        let json: serde_json::Value = serde_json::from_slice(&body).ok()?;
        let error = json.get("error").unwrap_or(&json);
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        ["code", "type", "error_type"]
            .into_iter()
            .filter_map(|field| error.get(field)?.as_str())
            .find(|code| !code.is_empty() && code.len() <= 60 && code.bytes().all(plain))
            .map(str::to_owned)
    }
}

/// A setting that no endpoint can be made from.
pub fn invalid_setting(system: &'static str, detail: &str) -> PortError {
    PortError::Rejected {
        system,
        code: "invalid_settings",
        detail: detail.to_owned(),
    }
}

fn bearer(key: &str) -> Result<HeaderValue, reqwest::header::InvalidHeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {key}"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Seconds (fractions are seen in practice) or an HTTP date, as a wait from now on.
fn retry_after(value: &str, now: DateTime<Utc>) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = DateTime::parse_from_rfc2822(value.trim()).ok()?;
    Some(
        (date.with_timezone(&Utc) - now)
            .to_std()
            .unwrap_or_default(),
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_read_in_all_its_forms() {
        let now = DateTime::parse_from_rfc3339("2026-11-30T12:00:00Z")
            .unwrap()
            .to_utc();
        for (value, expected) in [
            ("2", Some(2_000)),
            (" 0.25 ", Some(250)),
            ("Mon, 30 Nov 2026 12:00:07 GMT", Some(7_000)),
            ("Mon, 30 Nov 2026 11:00:00 GMT", Some(0)),
            ("-1", None),
            ("NaN", None),
            ("1e300", None),
            ("soon", None),
        ] {
            let expected = expected.map(Duration::from_millis);
            assert_eq!(retry_after(value, now), expected, "{value}");
        }
    }
}
