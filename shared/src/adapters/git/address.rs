//! Git addresses in one form: parsed once, so that what is checked is what is connected to.

use url::{Host, Url};

use super::failure::rejected;
use crate::ports::PortError;

/// Longest address that is looked at.
const MAX_BYTES: usize = 2048;

/// How a remote is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GitScheme {
    Https,
    /// Unencrypted; only for hosts that the settings name.
    Http,
    Ssh,
}

impl GitScheme {
    /// As written before `://`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Https => "https",
            Self::Http => "http",
            Self::Ssh => "ssh",
        }
    }

    /// The port of an address without one.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Https => 443,
            Self::Http => 80,
            Self::Ssh => 22,
        }
    }
}

/// A Git address whose parts are known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NormalizedUrl {
    /// Identity for finding duplicates: scheme, host, port unless usual, path without trailing
    /// slashes and `.git`. Neither user name nor letter case of the host count.
    pub key: String,
    /// The address to fetch from, without password, query or trailing slash.
    pub fetch_url: String,
    pub scheme: GitScheme,
    /// Lower-case name, or the usual spelling of an IP address (IPv6 without brackets).
    pub host: String,
    pub port: u16,
    /// User name of an ssh address.
    pub username: Option<String>,
}

/// Brings an address into one form. Codes of refusals: `invalid_url`, `scheme_not_allowed`,
/// `credentials_in_url`. Whether the host may be reached is not decided here.
pub fn normalize_url(text: &str) -> Result<NormalizedUrl, PortError> {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_BYTES || text.chars().any(is_forbidden) {
        return Err(invalid());
    }
    let (scheme, rest) = split_scheme(text)?;
    let url = Url::parse(&format!("{}://{rest}", scheme.as_str())).map_err(|_| invalid())?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(invalid());
    }
    let username = username(scheme, &url)?;
    let (host, host_in_url) = host(&url)?;
    let port = url.port().unwrap_or(scheme.default_port());
    let path = url.path().trim_end_matches('/');
    if path.is_empty() || path == "/.git" || port == 0 {
        return Err(invalid());
    }
    let place = if port == scheme.default_port() {
        host_in_url
    } else {
        format!("{host_in_url}:{port}")
    };
    let scheme_text = scheme.as_str();
    let user = username
        .as_deref()
        .map_or_else(String::new, |name| format!("{name}@"));
    Ok(NormalizedUrl {
        key: format!(
            "{scheme_text}://{place}{}",
            path.strip_suffix(".git").unwrap_or(path)
        ),
        fetch_url: format!("{scheme_text}://{user}{place}{path}"),
        scheme,
        host,
        port,
        username,
    })
}

fn invalid() -> PortError {
    rejected("invalid_url", "the address is not a Git address")
}

fn is_forbidden(character: char) -> bool {
    character.is_control() || character.is_whitespace() || character == '\\'
}

/// The scheme and everything behind `://`. `git@host:path` is ssh.
fn split_scheme(text: &str) -> Result<(GitScheme, String), PortError> {
    let refused = || {
        rejected(
            "scheme_not_allowed",
            "only https and ssh addresses are accepted",
        )
    };
    if let Some((scheme, rest)) = text.split_once("://") {
        return match scheme.to_ascii_lowercase().as_str() {
            "https" => Ok((GitScheme::Https, rest.to_owned())),
            "http" => Ok((GitScheme::Http, rest.to_owned())),
            "ssh" => Ok((GitScheme::Ssh, rest.to_owned())),
            _ => Err(refused()),
        };
    }
    let (place, path) = text.split_once(':').ok_or_else(refused)?;
    if place.is_empty() || place.contains('/') || place.starts_with('-') || path.starts_with(':') {
        return Err(refused());
    }
    let path = path.trim_start_matches('/');
    Ok((GitScheme::Ssh, format!("{place}/{path}")))
}

fn username(scheme: GitScheme, url: &Url) -> Result<Option<String>, PortError> {
    let name = url.username();
    let is_plain = !name.starts_with('-')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let is_secret = url.password().is_some() || (scheme != GitScheme::Ssh && !name.is_empty());
    if is_secret {
        return Err(rejected(
            "credentials_in_url",
            "user name and password are given apart from the address",
        ));
    }
    if !is_plain {
        return Err(invalid());
    }
    Ok(Some(name.to_owned()).filter(|name| !name.is_empty()))
}

/// The host as a name and as it stands in an address. Numeric spellings of IPv4 addresses
/// (decimal, octal, hexadecimal, short) are resolved to dotted ones for every scheme.
fn host(url: &Url) -> Result<(String, String), PortError> {
    let raw = url.host_str().ok_or_else(invalid)?.trim_end_matches('.');
    if raw.is_empty() || raw.starts_with('-') {
        return Err(invalid());
    }
    match Host::parse(raw).map_err(|_| invalid())? {
        Host::Domain(name) if name.starts_with('-') => Err(invalid()),
        Host::Domain(name) => {
            let name = name.trim_end_matches('.').to_owned();
            Ok((name.clone(), name))
        }
        Host::Ipv4(address) => Ok((address.to_string(), address.to_string())),
        Host::Ipv6(address) => Ok((address.to_string(), format!("[{address}]"))),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::Kinded;

    #[test]
    fn spellings_of_one_repository_have_one_key() {
        for text in [
            "https://git.example.com/group/sub/deep/proj.git",
            "https://git.example.com/group/sub/deep/proj.git/",
            "https://git.example.com/group/sub/deep/proj",
            "https://git.example.com:443/group/sub/deep/proj.git",
            "https://GIT.Example.COM/group/sub/deep/proj.git",
            "  HTTPS://git.example.com./group/sub/deep/proj/  ",
        ] {
            let url = normalize_url(text).unwrap();
            assert_eq!(
                url.key, "https://git.example.com/group/sub/deep/proj",
                "{text}"
            );
        }
    }

    #[test]
    fn different_repositories_have_different_keys() {
        let keys: std::collections::HashSet<_> = [
            "https://git.example.com/a/proj",
            "https://git.example.com/b/proj",
            "https://git.example.com/a/Proj",
            "https://git.example.com:8443/a/proj",
            "https://other.example.com/a/proj",
            "ssh://git@git.example.com/a/proj",
        ]
        .into_iter()
        .map(|text| normalize_url(text).unwrap().key)
        .collect();
        assert_eq!(keys.len(), 6);
    }

    #[test]
    fn ssh_forms_agree_and_keep_the_user() {
        for text in [
            "git@git.example.com:group/proj.git",
            "ssh://git@git.example.com/group/proj.git",
            "ssh://git@git.example.com:22/group/proj.git/",
        ] {
            let url = normalize_url(text).unwrap();
            assert_eq!(url.key, "ssh://git.example.com/group/proj", "{text}");
            assert_eq!(url.fetch_url, "ssh://git@git.example.com/group/proj.git");
            assert_eq!(url.username.as_deref(), Some("git"));
        }
        let odd = normalize_url("ssh://git@git.example.com:443/p").unwrap();
        assert_eq!(odd.port, 443);
    }

    #[test]
    fn numbers_that_are_addresses_are_written_as_addresses() {
        for text in [
            "http://2130706433/x",
            "http://0x7f000001/x",
            "http://0177.0.0.1/x",
            "http://127.1/x",
            "ssh://2130706433/x",
            "ssh://0x7f.1/x",
            "git@2130706433:x",
        ] {
            assert_eq!(normalize_url(text).unwrap().host, "127.0.0.1", "{text}");
        }
        assert_eq!(normalize_url("http://[::1]:6333/x").unwrap().host, "::1");
        assert_eq!(normalize_url("ssh://[::1]/x").unwrap().host, "::1");
    }

    #[test]
    fn tricks_are_refused_with_a_code() {
        for (text, code) in [
            ("", "invalid_url"),
            ("file:///srv/x.git", "scheme_not_allowed"),
            ("/srv/x.git", "scheme_not_allowed"),
            ("../x.git", "scheme_not_allowed"),
            ("ext::sh", "scheme_not_allowed"),
            ("ext::sh -c id", "invalid_url"),
            ("ext://sh", "scheme_not_allowed"),
            ("git://git.example.com/x", "scheme_not_allowed"),
            ("--upload-pack=x", "scheme_not_allowed"),
            ("--upload-pack=x:y", "scheme_not_allowed"),
            ("ssh://-oProxyCommand=x/", "invalid_url"),
            ("ssh://-oProxyCommand=x/y", "invalid_url"),
            ("ssh://-lroot@git.example.com/y", "invalid_url"),
            ("-oProxyCommand=x:y", "scheme_not_allowed"),
            ("https://git.example.com", "invalid_url"),
            ("https://git.example.com/x?y=z", "invalid_url"),
            ("https://git.example.com/x#y", "invalid_url"),
            ("https://user@git.example.com/x", "credentials_in_url"),
            ("https://good.example@10.0.0.1/x", "credentials_in_url"),
            ("ssh://git:secret@git.example.com/x", "credentials_in_url"),
            ("https://good.example\\@10.0.0.1/x", "invalid_url"),
            ("https://git.example.com/a\nb", "invalid_url"),
            ("https://git.example.com:99999/x", "invalid_url"),
        ] {
            assert_eq!(normalize_url(text).unwrap_err().code(), code, "{text}");
        }
    }

    #[test]
    fn refusals_do_not_repeat_the_address() {
        let error = normalize_url("https://user:hunter2@git.example.com/x").unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hunter2"));
    }
}
