//! Which hosts may be reached: names by the settings, addresses by what they are.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, ToSocketAddrs};

use super::{
    address::{GitScheme, NormalizedUrl},
    failure::{SYSTEM, rejected},
};
use crate::{config::GitSettings, ports::PortError};

/// The host rules of the settings, parsed.
#[derive(Debug, Clone)]
pub(super) struct HostPolicy {
    encrypted: Vec<Rule>,
    plain: Vec<Rule>,
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

impl HostPolicy {
    /// Reads the rules; an entry that cannot be read is an error with the code `invalid_setting`.
    pub(super) fn new(settings: &GitSettings) -> Result<Self, PortError> {
        let parse = |entries: &[String]| {
            entries
                .iter()
                .map(|entry| {
                    Rule::parse(entry).ok_or_else(|| {
                        rejected(
                            "invalid_setting",
                            format!("`{entry}` in the Git settings is not a host"),
                        )
                    })
                })
                .collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            encrypted: parse(&settings.allowed_hosts)?,
            plain: parse(&settings.plain_http_hosts)?,
        })
    }

    /// Passes an address whose host is named, or whose host has public addresses alone and any
    /// public host may be used. Resolves names: blocking.
    pub(super) fn check(&self, url: &NormalizedUrl) -> Result<(), PortError> {
        let rules = match url.scheme {
            GitScheme::Http if self.plain.is_empty() => {
                return Err(rejected(
                    "scheme_not_allowed",
                    "only https and ssh addresses are accepted",
                ));
            }
            GitScheme::Http => &self.plain,
            GitScheme::Https | GitScheme::Ssh => &self.encrypted,
        };
        if rules.iter().any(|rule| rule.names(url)) {
            return Ok(());
        }
        let allows_public = rules.iter().any(|rule| rule.name == NameRule::Public);
        if !allows_public || !resolve(url)?.into_iter().all(is_public) {
            return Err(rejected("host_not_allowed", "the host is not allowed"));
        }
        Ok(())
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
    fn names(&self, url: &NormalizedUrl) -> bool {
        let is_port = match self.port {
            PortRule::OfScheme => url.port == url.scheme.default_port(),
            PortRule::Any => true,
            PortRule::Exactly(port) => url.port == port,
        };
        let is_name = match &self.name {
            NameRule::Public => false,
            NameRule::Exact(name) => *name == url.host,
            NameRule::Suffix(suffix) => url.host.ends_with(suffix.as_str()),
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

fn resolve(url: &NormalizedUrl) -> Result<Vec<IpAddr>, PortError> {
    if let Ok(address) = url.host.parse() {
        return Ok(vec![address]);
    }
    let addresses: Vec<_> = (url.host.as_str(), url.port)
        .to_socket_addrs()
        .map(|found| found.map(|address| address.ip()).collect())
        .unwrap_or_default();
    if addresses.is_empty() {
        return Err(PortError::Unavailable {
            system: SYSTEM,
            detail: "the host name has no address".to_owned(),
            retry_after: None,
        });
    }
    Ok(addresses)
}

/// Whether an address belongs to the public internet.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || first == 0
        || first >= 240
        // Shared address space of carriers, protocol assignments, benchmarks.
        || (first == 100 && second & 0xc0 == 64)
        || (first == 192 && second == 0 && third == 0)
        || (first == 198 && second & 0xfe == 18))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = embedded_v4(address) {
        return is_public_v4(inner);
    }
    let [first, second, ..] = address.segments();
    // Global unicast only, without documentation, Teredo and other protocol assignments.
    first & 0xe000 == 0x2000 && !(first == 0x2001 && (second == 0x0db8 || second < 0x0200))
}

/// The IPv4 address inside a mapped, compatible, translated (NAT64) or 6to4 address.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let segments = address.segments();
    let join = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match segments {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] => Some(join(high, low)),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(join(high, low)),
        [0x2002, high, low, ..] => Some(join(high, low)),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{adapters::git::normalize_url, domain::Kinded};

    fn check(allowed: &[&str], plain: &[&str], url: &str) -> Result<(), &'static str> {
        let settings = GitSettings {
            allowed_hosts: allowed.iter().map(ToString::to_string).collect(),
            plain_http_hosts: plain.iter().map(ToString::to_string).collect(),
            ..GitSettings::default()
        };
        HostPolicy::new(&settings)
            .unwrap()
            .check(&normalize_url(url).unwrap())
            .map_err(|error| error.code())
    }

    #[test]
    fn private_addresses_are_refused_unless_named() {
        for host in [
            "127.0.0.1",
            "localhost",
            "2130706433",
            "0x7f.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "198.18.0.1",
            "[::1]",
            "[::]",
            "[fe80::1]",
            "[fd00::1]",
            "[ff02::1]",
            "[::ffff:127.0.0.1]",
            "[::127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
            "[2001:db8::1]",
            "[2001::1]",
        ] {
            for scheme in ["https", "ssh"] {
                let url = format!("{scheme}://{host}/x");
                assert_eq!(check(&["*"], &[], &url), Err("host_not_allowed"), "{url}");
            }
        }
        assert_eq!(check(&["*"], &[], "https://140.82.121.4/x"), Ok(()));
        assert_eq!(check(&["*"], &[], "https://[2606:4700::1]/x"), Ok(()));
        assert_eq!(check(&["10.1.2.3"], &[], "https://10.1.2.3/x"), Ok(()));
        assert_eq!(check(&["[::1]:8443"], &[], "https://[::1]:8443/x"), Ok(()));
    }

    #[test]
    fn a_named_host_is_allowed_at_its_port_alone() {
        let rules = [
            "git.example.com",
            "forge.example.com:8443",
            "any.example.com:*",
        ];
        for (url, expected) in [
            ("https://git.example.com/x", Ok(())),
            ("ssh://git@git.example.com/x", Ok(())),
            ("https://git.example.com:6333/x", Err("host_not_allowed")),
            ("https://forge.example.com:8443/x", Ok(())),
            ("https://forge.example.com/x", Err("host_not_allowed")),
            ("https://any.example.com:9/x", Ok(())),
            ("https://140.82.121.4/x", Err("host_not_allowed")),
            (
                "https://git.example.com.evil.test/x",
                Err("host_not_allowed"),
            ),
        ] {
            assert_eq!(check(&rules, &[], url), expected, "{url}");
        }
    }

    #[test]
    fn a_wildcard_stands_for_subdomains_alone() {
        let rules = ["*.example.com"];
        assert_eq!(check(&rules, &[], "https://a.b.example.com/x"), Ok(()));
        for url in ["https://example.com/x", "https://evilexample.com/x"] {
            assert_eq!(check(&rules, &[], url), Err("host_not_allowed"), "{url}");
        }
    }

    #[test]
    fn plain_http_needs_a_rule_of_its_own() {
        let url = "http://git.example.com/x";
        assert_eq!(
            check(&["git.example.com"], &[], url),
            Err("scheme_not_allowed")
        );
        assert_eq!(check(&[], &["git.example.com"], url), Ok(()));
        assert_eq!(
            check(&["*"], &["git.example.com"], "http://other.example.com/x"),
            Err("host_not_allowed")
        );
    }

    #[test]
    fn unreadable_rules_are_refused() {
        for entry in ["", "a b", "*.", "x*.com", "host:port", "[::1", "https://x"] {
            let settings = GitSettings {
                allowed_hosts: vec![entry.to_owned()],
                ..GitSettings::default()
            };
            let error = HostPolicy::new(&settings).unwrap_err();
            assert_eq!(error.code(), "invalid_setting", "{entry}");
        }
    }
}
