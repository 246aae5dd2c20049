//! The host rules of the settings: which host and port may be reached, and at which addresses.

use std::net::{IpAddr, SocketAddr};

use super::{NameLookup, addresses::is_public};
use crate::ports::PortError;

/// Which hosts one kind of connection may reach.
#[derive(Debug, Clone)]
pub struct HostRules {
    system: &'static str,
    encrypted: Vec<Rule>,
    plain: Vec<Rule>,
}

/// One end of a connection, before its name is resolved.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// Lower-case name or IP address (IPv6 without brackets).
    pub host: &'a str,
    pub port: u16,
    /// The port of the scheme.
    pub default_port: u16,
    pub is_encrypted: bool,
}

/// At which addresses a target may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The operator has named the host: at any.
    Named,
    /// Only while all of its addresses are public.
    Public,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    name: NameRule,
    port: PortRule,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum NameRule {
    /// Any host with public addresses.
    Public,
    Exact(String),
    /// Everything that ends with this, the dot included.
    Suffix(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PortRule {
    OfScheme,
    Any,
    Exactly(u16),
}

impl HostRules {
    /// Reads the rules; `allowed` is for encrypted connections, `plain` for the others.
    ///
    /// # Errors
    /// `invalid_setting` for an entry that cannot be read.
    pub fn new(
        system: &'static str,
        allowed: &[String],
        plain: &[String],
    ) -> Result<Self, PortError> {
        let parse = |entries: &[String]| {
            entries
                .iter()
                .map(|entry| {
                    Rule::parse(entry).ok_or_else(|| PortError::Rejected {
                        system,
                        code: "invalid_setting",
                        detail: format!("`{entry}` in the settings is not a host"),
                    })
                })
                .collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            system,
            encrypted: parse(allowed)?,
            plain: parse(plain)?,
        })
    }

    /// Whether a target may be reached at all, and where. Resolves nothing, but looks at a host that
    /// is an address.
    ///
    /// # Errors
    /// `scheme_not_allowed` and `host_not_allowed`; the text never tells which rule it was.
    pub fn judge(&self, target: &Target<'_>) -> Result<Reach, PortError> {
        let rules = if target.is_encrypted {
            &self.encrypted
        } else {
            &self.plain
        };
        if !target.is_encrypted && rules.is_empty() {
            return Err(self.refusal(
                "scheme_not_allowed",
                "only encrypted connections are allowed",
            ));
        }
        if rules.iter().any(|rule| rule.names(target)) {
            return Ok(Reach::Named);
        }
        let is_private_literal = target
            .host
            .parse::<IpAddr>()
            .is_ok_and(|address| !is_public(address));
        let allows_public = rules.iter().any(|rule| rule.name == NameRule::Public);
        if !allows_public || is_private_literal {
            return Err(self.host_not_allowed());
        }
        Ok(Reach::Public)
    }

    /// Whether a target may be reached, for connections that resolve the name by themselves. Only a
    /// host that nobody has named is resolved. Blocking.
    ///
    /// # Errors
    /// As [`HostRules::judge`]; `Unavailable` when the name has no address.
    pub fn check(&self, target: &Target<'_>, names: &dyn NameLookup) -> Result<(), PortError> {
        match self.judge(target)? {
            Reach::Named => Ok(()),
            Reach::Public => self.admit(Reach::Public, find(target, names)).map(drop),
        }
    }

    /// The addresses at which a target may be reached, for connections to these alone. The name is
    /// looked up once. Blocking.
    ///
    /// # Errors
    /// As [`HostRules::check`].
    pub fn resolve(
        &self,
        target: &Target<'_>,
        names: &dyn NameLookup,
    ) -> Result<Vec<SocketAddr>, PortError> {
        let reach = self.judge(target)?;
        self.admit(reach, find(target, names))
    }

    /// Passes resolved addresses that may be connected to.
    pub(super) fn admit(
        &self,
        reach: Reach,
        found: Vec<SocketAddr>,
    ) -> Result<Vec<SocketAddr>, PortError> {
        if found.is_empty() {
            return Err(PortError::Unavailable {
                system: self.system,
                detail: "the host name has no address".to_owned(),
                retry_after: None,
            });
        }
        // One private address among public ones is how a name is turned against us.
        if reach == Reach::Public && !found.iter().all(|found| is_public(found.ip())) {
            return Err(self.host_not_allowed());
        }
        Ok(found)
    }

    fn host_not_allowed(&self) -> PortError {
        self.refusal("host_not_allowed", "the host is not allowed")
    }

    fn refusal(&self, code: &'static str, detail: &str) -> PortError {
        PortError::Rejected {
            system: self.system,
            code,
            detail: detail.to_owned(),
        }
    }
}

fn find(target: &Target<'_>, names: &dyn NameLookup) -> Vec<SocketAddr> {
    match target.host.parse::<IpAddr>() {
        Ok(address) => vec![SocketAddr::new(address, target.port)],
        Err(_) => names.addresses(target.host, target.port),
    }
}

impl Rule {
    fn parse(entry: &str) -> Option<Self> {
        let entry = entry.trim().to_ascii_lowercase();
        if entry == "*" {
            return Some(Self {
                name: NameRule::Public,
                port: PortRule::Any,
            });
        }
        let (name, port) = split_port(&entry)?;
        let is_name = |name: &str| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b".-_:".contains(&byte))
        };
        let name = match name.strip_prefix('*') {
            Some(suffix) if suffix.len() > 1 && suffix.starts_with('.') && is_name(suffix) => {
                NameRule::Suffix(suffix.to_owned())
            }
            None if is_name(name) => NameRule::Exact(name.trim_end_matches('.').to_owned()),
            _ => return None,
        };
        Some(Self { name, port })
    }

    /// Whether the rule names this very host and port.
    fn names(&self, target: &Target<'_>) -> bool {
        let is_port = match self.port {
            PortRule::OfScheme => target.port == target.default_port,
            PortRule::Any => true,
            PortRule::Exactly(port) => target.port == port,
        };
        let is_name = match &self.name {
            NameRule::Public => false,
            NameRule::Exact(name) => *name == target.host,
            NameRule::Suffix(suffix) => target.host.ends_with(suffix.as_str()),
        };
        is_port && is_name
    }
}

/// Name (without brackets) and port rule of an entry.
fn split_port(entry: &str) -> Option<(&str, PortRule)> {
    let port = |text: &str| match text {
        "*" => Some(PortRule::Any),
        _ => text.parse().ok().map(PortRule::Exactly),
    };
    if let Some(rest) = entry.strip_prefix('[') {
        let (address, rest) = rest.split_once(']')?;
        return match rest.strip_prefix(':') {
            Some(text) => Some((address, port(text)?)),
            None if rest.is_empty() => Some((address, PortRule::OfScheme)),
            None => None,
        };
    }
    match entry.split_once(':') {
        // More than one colon: an IPv6 address without brackets.
        Some((_, rest)) if rest.contains(':') => Some((entry, PortRule::OfScheme)),
        Some((name, text)) => Some((name, port(text)?)),
        None => Some((entry, PortRule::OfScheme)),
    }
}
