//! Where host names are looked up. What is found is judged, and connected to as found.

use std::{
    fmt::Debug,
    net::{SocketAddr, ToSocketAddrs},
};

/// Finds the addresses of host names.
pub trait NameLookup: Debug + Send + Sync {
    /// All addresses of a name, or none. Blocking.
    fn addresses(&self, name: &str, port: u16) -> Vec<SocketAddr>;
}

/// The names as the operating system knows them.
#[derive(Debug, Clone, Copy)]
pub struct SystemNames;

impl NameLookup for SystemNames {
    fn addresses(&self, name: &str, port: u16) -> Vec<SocketAddr> {
        (name, port)
            .to_socket_addrs()
            .map(Iterator::collect)
            .unwrap_or_default()
    }
}
