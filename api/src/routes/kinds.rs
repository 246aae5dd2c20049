//! Closed sets of words as the document shows them. Rows hold the same words as text.

use serde::Serialize;
use utoipa::ToSchema;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        // Never built: they stand in the document for words that come from rows and rooms.
        #[allow(dead_code, clippy::enum_variant_names)]
        pub enum $name { $($variant),* }
    )*};
}

kinds! {
    /// A person's role in an organization.
    OrganizationRole { Member, Administrator, Owner }
    /// A person's or team's role in a project.
    ProjectRole { Reader, Maintainer }
    /// Who reads a project without being named.
    Visibility { Private, Organization }
    SourceKind { Git, Local }
    RepositoryState { Pending, Indexing, Ready, Failed, Empty, Deleting }
    RunState { Queued, Running, Succeeded, Failed, Cancelled }
    RunStage { Sync, Plan, Batch, Publish, Done }
    RunTrigger { Added, Manual, Schedule, Webhook }
    FileState { Indexed, Skipped }
    EntryKind { Directory, File }
    TokenScope { Search, Answer, Index, Administer }
    ActorKind { Person, Service, System, Anonymous }
    CredentialKind { Session, Token, None }
    AuditOutcome { Succeeded, Denied, Failed }
    WebhookProvider { Github, Gitlab, Gitea, Bitbucket, Ci }
    WebhookOutcome { Accepted, Ignored }
    /// What does not hold in a log.
    AuditFaultKind { Missing, Changed, Disconnected, Surplus, Rewritten }
    JobState { Queued, Running, Succeeded, Dead, Cancelled }
    Intent { Name, Path, Prose, Report }
    Verdict { Ok, LowConfidence, NoMatch }
    Channel { Lexical, Dense, Symbol, Path, Exact }
    ChannelState { Ok, Failed, Disabled }
    /// Why a search ended before it had seen everything.
    StopReason { ResultLimit, TimeLimit, FileLimit }
}
