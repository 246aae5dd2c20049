//! What libgit2 says, in the words of the port. Addresses and credentials never enter a message.

use std::time::Duration;

use git2::{ErrorClass, ErrorCode};

use crate::ports::PortError;

/// The name of this system in errors.
pub(super) const SYSTEM: &str = "git";

/// A refusal that will be repeated for the same request.
pub(super) fn rejected(code: &'static str, detail: impl Into<String>) -> PortError {
    PortError::Rejected {
        system: SYSTEM,
        code,
        detail: detail.into(),
    }
}

/// A repository that does not exist, or that the remote hides.
pub(super) fn source_not_found() -> PortError {
    not_found("source_not_found", "the repository")
}

/// A thing that Git does not have.
pub(super) fn not_found(code: &'static str, what: impl Into<String>) -> PortError {
    PortError::NotFound {
        system: SYSTEM,
        code,
        what: what.into(),
    }
}

/// A fault of this machine or of the mirror.
pub(super) fn local_fault(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> PortError {
    PortError::broken(SYSTEM, error)
}

/// A failure to talk to a remote, or to store what it sent.
pub(super) fn remote_fault(error: &git2::Error, idle_timeout: Duration) -> PortError {
    let message = error.message();
    if let Some(failure) = by_status(message) {
        return failure;
    }
    match (error.code(), error.class()) {
        (ErrorCode::Auth, _) => PortError::AuthenticationFailed { system: SYSTEM },
        (ErrorCode::Timeout, _) => PortError::Timeout {
            system: SYSTEM,
            after: idle_timeout,
        },
        (ErrorCode::Certificate, ErrorClass::Ssh) => rejected(
            "host_key_not_trusted",
            "the ssh host key of the remote is not known",
        ),
        (ErrorCode::Certificate, _) => certificate_not_trusted(),
        (_, ErrorClass::Ssl) if message.contains("certificate") => certificate_not_trusted(),
        _ if message.contains("object format") => unsupported_object_format(),
        _ if message.contains("redirect") => redirect_refused(),
        _ if says_missing(message) => source_not_found(),
        (_, ErrorClass::Ssh) if message.to_ascii_lowercase().contains("authenticat") => {
            PortError::AuthenticationFailed { system: SYSTEM }
        }
        (_, ErrorClass::Net | ErrorClass::Ssl | ErrorClass::Ssh | ErrorClass::Os) => {
            unavailable("the remote cannot be reached")
        }
        (_, ErrorClass::Http) => rejected(
            "not_a_git_server",
            "the answer of the remote is not that of a Git server",
        ),
        _ => local_fault(git2::Error::new(error.code(), error.class(), message)),
    }
}

/// SHA-256 repositories are not supported.
pub(super) fn unsupported_object_format() -> PortError {
    rejected(
        "unsupported_object_format",
        "the repository uses another object format than SHA-1",
    )
}

fn certificate_not_trusted() -> PortError {
    rejected(
        "certificate_not_trusted",
        "the certificate of the remote is not trusted",
    )
}

fn redirect_refused() -> PortError {
    rejected(
        "redirect_not_followed",
        "the remote redirects to another host; use the address it redirects to",
    )
}

fn unavailable(detail: &str) -> PortError {
    PortError::Unavailable {
        system: SYSTEM,
        detail: detail.to_owned(),
        retry_after: None,
    }
}

fn by_status(message: &str) -> Option<PortError> {
    let status: u16 = message
        .strip_prefix("unexpected http status code: ")?
        .trim()
        .parse()
        .ok()?;
    Some(match status {
        401 | 403 | 407 => PortError::AuthenticationFailed { system: SYSTEM },
        404 | 410 => source_not_found(),
        429 => PortError::RateLimited {
            system: SYSTEM,
            retry_after: None,
        },
        300..=399 => redirect_refused(),
        408 | 500..=599 => unavailable(&format!("the remote answered {status}")),
        _ => rejected("not_a_git_server", format!("the remote answered {status}")),
    })
}

/// Servers say over ssh in words that there is no such repository.
fn says_missing(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    [
        "repository not found",
        "does not appear to be a git repository",
        "could not be found",
        "no such repository",
        "does not exist",
    ]
    .iter()
    .any(|words| message.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ErrorKind, Kinded};

    #[test]
    fn failures_are_told_apart_by_what_helps() {
        for (code, class, message, expected, transient) in [
            (
                ErrorCode::Auth,
                ErrorClass::Http,
                "x",
                "authentication_failed",
                false,
            ),
            (
                ErrorCode::GenericError,
                ErrorClass::Http,
                "unexpected http status code: 403",
                "authentication_failed",
                false,
            ),
            (
                ErrorCode::GenericError,
                ErrorClass::Http,
                "unexpected http status code: 404",
                "source_not_found",
                false,
            ),
            (
                ErrorCode::GenericError,
                ErrorClass::Http,
                "unexpected http status code: 429",
                "rate_limited",
                true,
            ),
            (
                ErrorCode::GenericError,
                ErrorClass::Http,
                "unexpected http status code: 502",
                "unavailable",
                true,
            ),
            (
                ErrorCode::GenericError,
                ErrorClass::Net,
                "cannot redirect from 'a' to 'b'",
                "redirect_not_followed",
                false,
            ),
            (
                ErrorCode::GenericError,
                ErrorClass::Net,
                "failed to resolve address",
                "unavailable",
                true,
            ),
            (
                ErrorCode::GenericError,
                ErrorClass::Ssl,
                "the SSL certificate is invalid",
                "certificate_not_trusted",
                false,
            ),
            (
                ErrorCode::Certificate,
                ErrorClass::Ssl,
                "x",
                "certificate_not_trusted",
                false,
            ),
            (
                ErrorCode::Certificate,
                ErrorClass::Ssh,
                "x",
                "host_key_not_trusted",
                false,
            ),
            (
                ErrorCode::GenericError,
                ErrorClass::Invalid,
                "unknown remote object format 'sha256'",
                "unsupported_object_format",
                false,
            ),
            (
                ErrorCode::GenericError,
                ErrorClass::Ssh,
                "ERROR: Repository not found.",
                "source_not_found",
                false,
            ),
            (
                ErrorCode::GenericError,
                ErrorClass::Http,
                "invalid content-type: 'text/html'",
                "not_a_git_server",
                false,
            ),
            (ErrorCode::Timeout, ErrorClass::Net, "x", "timeout", true),
        ] {
            let error = remote_fault(&git2::Error::new(code, class, message), Duration::ZERO);
            assert_eq!(error.code(), expected, "{message}");
            assert_eq!(error.kind().is_transient(), transient, "{message}");
        }
        let odd = git2::Error::new(ErrorCode::Locked, ErrorClass::Reference, "x");
        assert_eq!(
            remote_fault(&odd, Duration::ZERO).kind(),
            ErrorKind::Internal
        );
    }
}
