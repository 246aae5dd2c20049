//! Which hosts repositories may be fetched from: the rules of `outbound` for Git addresses.

use std::{net::SocketAddr, sync::Arc};

use super::{
    address::{GitScheme, NormalizedUrl},
    failure::SYSTEM,
};
use crate::{
    adapters::outbound::{HostRules, NameLookup, Target},
    config::GitSettings,
    ports::PortError,
};

/// The host rules of the settings, parsed.
#[derive(Debug, Clone)]
pub(super) struct HostPolicy {
    rules: HostRules,
    names: Arc<dyn NameLookup>,
}

impl HostPolicy {
    /// Reads the rules; an entry that cannot be read is an error with the code `invalid_setting`.
    pub(super) fn new(
        settings: &GitSettings,
        names: Arc<dyn NameLookup>,
    ) -> Result<Self, PortError> {
        let rules = HostRules::new(SYSTEM, &settings.allowed_hosts, &settings.plain_http_hosts)?;
        Ok(Self { rules, names })
    }

    /// Passes an address whose host is named, or whose host has public addresses alone and any
    /// public host may be used. Resolves names: blocking.
    pub(super) fn check(&self, url: &NormalizedUrl) -> Result<(), PortError> {
        self.rules.check(&target(url), &*self.names)
    }

    /// Where the host may be reached: what the check was made of, for http and https. An ssh
    /// connection looks the name up by itself, so that nothing is pinned for it. Blocking.
    pub(super) fn pin(&self, url: &NormalizedUrl) -> Result<Vec<SocketAddr>, PortError> {
        if url.scheme == GitScheme::Ssh {
            return self.check(url).map(|()| Vec::new());
        }
        self.rules.resolve(&target(url), &*self.names)
    }
}

fn target(url: &NormalizedUrl) -> Target<'_> {
    Target {
        host: &url.host,
        port: url.port,
        default_port: url.scheme.default_port(),
        is_encrypted: url.scheme != GitScheme::Http,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{
        adapters::{git::normalize_url, outbound::SystemNames},
        domain::Kinded,
    };

    fn check(allowed: &[&str], plain: &[&str], url: &str) -> Result<(), &'static str> {
        let settings = GitSettings {
            allowed_hosts: allowed.iter().map(ToString::to_string).collect(),
            plain_http_hosts: plain.iter().map(ToString::to_string).collect(),
            ..GitSettings::default()
        };
        HostPolicy::new(&settings, Arc::new(SystemNames))
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
            let error = HostPolicy::new(&settings, Arc::new(SystemNames)).unwrap_err();
            assert_eq!(error.code(), "invalid_setting", "{entry}");
        }
    }
}
