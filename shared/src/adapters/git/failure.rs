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

/// A failure of libgit2 to talk to a remote, or to store what it sent.
pub(super) fn remote_fault(error: &git2::Error, idle_timeout: Duration) -> PortError {
    let message = error.message();
    match (error.code(), error.class()) {
        (ErrorCode::Auth, _) => PortError::AuthenticationFailed { system: SYSTEM },
        (ErrorCode::Timeout, _) => timeout(idle_timeout),
        (ErrorCode::Certificate, _) => rejected(
            "host_key_not_trusted",
            "the ssh host key of the remote is not known",
        ),
        _ if message.contains("object format") => unsupported_object_format(),
        _ if says_missing(message) => source_not_found(),
        (_, ErrorClass::Ssh) if message.to_ascii_lowercase().contains("authenticat") => {
            PortError::AuthenticationFailed { system: SYSTEM }
        }
        (_, ErrorClass::Net | ErrorClass::Ssh | ErrorClass::Os) => unreachable_remote(),
        _ => local_fault(git2::Error::new(error.code(), error.class(), message)),
    }
}

/// A request over http that got no answer, or not all of it.
pub(super) fn http_fault(error: &reqwest::Error, idle_timeout: Duration) -> PortError {
    if error.is_timeout() {
        return timeout(idle_timeout);
    }
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        // The verifier's own error lies inside of errors of input and output, which do not give it
        // out, but say what it says.
        if inner.to_string().starts_with("invalid peer certificate") {
            return rejected(
                "certificate_not_trusted",
                "the certificate of the remote is not trusted",
            );
        }
        cause = inner.source();
    }
    unreachable_remote()
}

/// An answer over http that is no success.
pub(super) fn status_fault(status: u16, retry_after: Option<Duration>) -> PortError {
    match status {
        401 | 403 | 407 => PortError::AuthenticationFailed { system: SYSTEM },
        404 | 410 => source_not_found(),
        429 => PortError::RateLimited {
            system: SYSTEM,
            retry_after,
        },
        300..=399 => redirect_refused(),
        408 | 500..=599 => PortError::Unavailable {
            system: SYSTEM,
            detail: format!("the remote answered {status}"),
            retry_after,
        },
        _ => rejected("not_a_git_server", format!("the remote answered {status}")),
    }
}

/// A success over http whose content is something else.
pub(super) fn not_a_git_server() -> PortError {
    rejected(
        "not_a_git_server",
        "the answer of the remote is not that of a Git server",
    )
}

/// A redirect to another scheme, host, port or service.
pub(super) fn redirect_refused() -> PortError {
    rejected(
        "redirect_not_followed",
        "the remote redirects to another host or port; use the address it redirects to",
    )
}

/// Nothing came in time.
pub(super) fn timeout(after: Duration) -> PortError {
    PortError::Timeout {
        system: SYSTEM,
        after,
    }
}

/// SHA-256 repositories are not supported.
pub(super) fn unsupported_object_format() -> PortError {
    rejected(
        "unsupported_object_format",
        "the repository uses another object format than SHA-1",
    )
}

fn unreachable_remote() -> PortError {
    PortError::Unavailable {
        system: SYSTEM,
        detail: "the remote cannot be reached".to_owned(),
        retry_after: None,
    }
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
                ErrorClass::Ssh,
                "x",
                "authentication_failed",
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
            (ErrorCode::Timeout, ErrorClass::Net, "x", "timeout", true),
        ] {
            let error = remote_fault(&git2::Error::new(code, class, message), Duration::ZERO);
            assert_eq!(error.code(), expected, "{message}");
            assert_eq!(error.kind().is_transient(), transient, "{message}");
        }
        for (status, expected, transient) in [
            (204, "not_a_git_server", false),
            (304, "redirect_not_followed", false),
            (403, "authentication_failed", false),
            (404, "source_not_found", false),
            (418, "not_a_git_server", false),
            (429, "rate_limited", true),
            (502, "unavailable", true),
        ] {
            let error = status_fault(status, None);
            assert_eq!(error.code(), expected, "{status}");
            assert_eq!(error.kind().is_transient(), transient, "{status}");
        }
        let odd = git2::Error::new(ErrorCode::Locked, ErrorClass::Reference, "x");
        assert_eq!(
            remote_fault(&odd, Duration::ZERO).kind(),
            ErrorKind::Internal
        );
    }
}
