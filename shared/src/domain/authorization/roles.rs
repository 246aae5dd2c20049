//! Words that rows and requests use for who somebody is. Ordered: a later role may do more.

use serde::{Deserialize, Serialize};

use crate::domain::chunk::named_enum;

named_enum! {
    /// A person's role in an organization.
    OrganizationRole {
        Member = "member",
        Administrator = "administrator",
        Owner = "owner",
    }
}

impl OrganizationRole {
    /// Whether the role makes somebody a maintainer of every project of the organization.
    #[must_use]
    pub const fn maintains_every_project(self) -> bool {
        matches!(self, Self::Administrator | Self::Owner)
    }

    /// Whether somebody with this role may give, change and take away `other`: only owners make
    /// owners, and only owners unmake them.
    #[must_use]
    pub fn may_assign(self, other: Self) -> bool {
        self.maintains_every_project() && other <= self
    }
}

named_enum! {
    /// A person's role in a project. Somebody without one cannot tell that the project exists.
    ProjectRole {
        Reader = "reader",
        Maintainer = "maintainer",
    }
}

named_enum! {
    /// Who reads a project without being named.
    Visibility {
        /// Nobody: only its members, the teams it is shared with, and administrators.
        Private = "private",
        /// Every member of the organization.
        Organization = "organization",
    }
}

named_enum! {
    /// What an API token may be used for.
    TokenScope {
        Search = "search",
        Answer = "answer",
        Index = "index",
        Administer = "administer",
    }
}
