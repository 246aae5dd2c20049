//! Events of Git hosts: who sent them (`signature`), what they are about (`payload`), and what
//! follows (`hint`, `receive`).
//!
//! An event is only a hint to look at the remote: which commit a branch is at is read there, so
//! events may come late, twice, or in any order.

pub mod hint;
pub mod payload;
pub mod receive;
pub mod signature;

/// A kind of Git host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    GitHub,
    GitLab,
    /// Forgejo, too.
    Gitea,
    /// Cloud and Data Center.
    Bitbucket,
}

impl Provider {
    pub const ALL: [Self; 4] = [Self::GitHub, Self::GitLab, Self::Gitea, Self::Bitbucket];

    /// As addresses and rows name it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::GitHub => "github",
            Self::GitLab => "gitlab",
            Self::Gitea => "gitea",
            Self::Bitbucket => "bitbucket",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Headers that name the event, the first one that is there counts.
    const fn event_headers(self) -> &'static [&'static str] {
        match self {
            Self::GitHub => &["x-github-event"],
            Self::GitLab => &["x-gitlab-event"],
            Self::Gitea => &["x-gitea-event", "x-forgejo-event", "x-gogs-event"],
            Self::Bitbucket => &["x-event-key"],
        }
    }

    /// Headers that name the delivery and stay the same when it is sent again.
    ///
    /// `X-Gitlab-Event-UUID` is not among them: events that follow from one another share it.
    const fn delivery_headers(self) -> &'static [&'static str] {
        match self {
            Self::GitHub => &["x-github-delivery"],
            Self::GitLab => &["webhook-id", "idempotency-key"],
            Self::Gitea => &["x-gitea-delivery", "x-forgejo-delivery", "x-gogs-delivery"],
            Self::Bitbucket => &["x-request-uuid", "x-request-id"],
        }
    }
}
