//! What the audit log says: who, from where, did what to which object, and how it ended.
//!
//! Events name things, they do not quote them: no secrets, no questions, no code. `store::audit`
//! writes them down and chains them.

use std::net::IpAddr;

use serde_json::{Map, Value};
use uuid::Uuid;

use super::{OrganizationId, UserId};

/// Longest name of an object or actor in an event, in characters.
const MAX_NAME_CHARS: usize = 200;

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),* }

        impl $name {
            /// Stored and shown form.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// What the stored form stands for.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                [$(Self::$variant),*].into_iter().find(|word| word.as_str() == text)
            }
        }
    )*};
}

words! {
    /// How an action ended.
    AuditOutcome {
        Succeeded = "succeeded",
        /// Refused: not allowed, or not proven to be who one claims to be.
        Denied = "denied",
        /// Allowed, but it did not come about.
        Failed = "failed",
    }
    /// What kind of somebody acted.
    ActorKind {
        Person = "person",
        Service = "service",
        /// The server itself.
        System = "system",
        /// Nobody who is known.
        Anonymous = "anonymous",
    }
    /// With what the actor proved who they are.
    CredentialKind {
        Session = "session",
        Token = "token",
        None = "none",
    }
}

/// Who acts, from where, in which request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditOrigin {
    pub kind: ActorKind,
    pub user_id: Option<UserId>,
    /// How the actor was called at that time.
    pub name: Option<String>,
    pub credential: CredentialKind,
    /// The sign-in or the API token.
    pub credential_id: Option<Uuid>,
    pub address: Option<IpAddr>,
    pub request_id: Option<String>,
}

impl AuditOrigin {
    /// The server itself.
    #[must_use]
    pub const fn system() -> Self {
        Self::unknown(ActorKind::System, None)
    }

    /// Somebody who has not proven who they are.
    #[must_use]
    pub const fn anonymous(address: Option<IpAddr>) -> Self {
        Self::unknown(ActorKind::Anonymous, address)
    }

    const fn unknown(kind: ActorKind, address: Option<IpAddr>) -> Self {
        Self {
            kind,
            user_id: None,
            name: None,
            credential: CredentialKind::None,
            credential_id: None,
            address,
            request_id: None,
        }
    }
}

/// One thing that happened. Built by naming the action and then what it was about:
/// `AuditEvent::new("project.create").within(organization).object("project", id).named(name)`.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEvent {
    /// `None` concerns the whole instance.
    pub organization_id: Option<OrganizationId>,
    /// `object.verb`, for example `repository.create`.
    pub action: &'static str,
    pub object_kind: &'static str,
    pub object_id: Option<String>,
    /// How the object was called at that time.
    pub object_name: Option<String>,
    pub outcome: AuditOutcome,
    /// Small facts: numbers, names, settings. Never secrets or questions.
    pub details: Map<String, Value>,
}

impl AuditEvent {
    /// A success that concerns the whole instance, until it is told otherwise.
    #[must_use]
    pub fn new(action: &'static str) -> Self {
        Self {
            organization_id: None,
            action,
            object_kind: "instance",
            object_id: None,
            object_name: None,
            outcome: AuditOutcome::Succeeded,
            details: Map::new(),
        }
    }

    /// The organization whose log it belongs to.
    #[must_use]
    pub const fn within(mut self, organization_id: OrganizationId) -> Self {
        self.organization_id = Some(organization_id);
        self
    }

    /// What it was done to.
    #[must_use]
    pub fn object(mut self, kind: &'static str, id: impl ToString) -> Self {
        self.object_kind = kind;
        self.object_id = Some(shortened(&id.to_string()));
        self
    }

    /// The object's name at that time.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.object_name = Some(shortened(name));
        self
    }

    #[must_use]
    pub const fn outcome(mut self, outcome: AuditOutcome) -> Self {
        self.outcome = outcome;
        self
    }

    /// One more small fact.
    #[must_use]
    pub fn detail(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }
}

/// On one line and short, whatever people call their things.
pub(crate) fn shortened(name: &str) -> String {
    name.chars()
        .map(|char| if char.is_control() { ' ' } else { char })
        .take(MAX_NAME_CHARS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{AuditEvent, AuditOutcome};

    #[test]
    fn names_stay_on_one_line_and_short() {
        let name = format!("a\n\u{0}b{}", "x".repeat(500));
        let event = AuditEvent::new("project.create").named(&name);
        let kept = event.object_name.unwrap_or_default();
        assert!(
            kept.starts_with("a  bx") && kept.chars().count() == 200,
            "{kept}"
        );
    }

    #[test]
    fn stored_words_are_read_back() {
        for outcome in [
            AuditOutcome::Succeeded,
            AuditOutcome::Denied,
            AuditOutcome::Failed,
        ] {
            assert_eq!(AuditOutcome::parse(outcome.as_str()), Some(outcome));
        }
        assert_eq!(AuditOutcome::parse("Succeeded"), None);
    }
}
