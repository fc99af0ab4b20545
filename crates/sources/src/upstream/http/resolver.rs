//! The way of requests from a host's name to its addresses.

use std::net::{IpAddr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::sys::host_names;

/// Finds the addresses of names as this machine does, and takes those that it may.
#[derive(Debug)]
pub(in crate::upstream) struct Resolver<F> {
    may: F,
    refusal: &'static str,
}

impl Resolver<fn(IpAddr) -> bool> {
    /// Takes all addresses.
    pub(super) fn new() -> Self {
        Self { may: |_| true, refusal: "it has no address" }
    }
}

impl<F> Resolver<F> {
    /// Takes these addresses; where there is none of them, that is said.
    pub(in crate::upstream) fn guarded(may: F, refusal: &'static str) -> Self {
        Self { may, refusal }
    }
}

impl<F: Fn(IpAddr) -> bool + Clone + Send + Sync + 'static> Resolve for Resolver<F> {
    fn resolve(&self, name: Name) -> Resolving {
        let (may, refusal) = (self.may.clone(), self.refusal);
        Box::pin(async move {
            let mut found = host_names::addresses(name.as_str()).await?;
            found.retain(|address| may(*address));
            if found.is_empty() {
                return Err(refusal.into());
            }
            // The port is that of the request.
            Ok(Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        })
    }
}
