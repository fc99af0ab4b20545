//! Clients that follow redirects within one origin, and their way from a host's name to its addresses.

use std::net::{IpAddr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Url};

use super::failure;
use crate::sys::host_names;

/// The client, which follows at most so many redirects of a request, all within its origin.
///
/// # Errors
/// When there is no TLS.
pub(in crate::upstream) fn build(builder: ClientBuilder, redirects: usize) -> Result<Client, String> {
    // An earlier client may have installed the same provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let policy = Policy::custom(move |attempt| {
        let origins = attempt.previous().first().map(Url::origin);
        if origins != Some(attempt.url().origin()) || attempt.previous().len() > redirects {
            return attempt.error("another origin");
        }
        attempt.follow()
    });
    builder.redirect(policy).build().map_err(|error| failure::without_client(&error))
}

/// Finds the addresses of names as this machine does, and takes those that it may.
#[derive(Debug)]
pub(in crate::upstream) struct Resolver<F> {
    /// The addresses that it may take.
    pub(in crate::upstream) may: F,
    /// The reason where there is none of them.
    pub(in crate::upstream) refusal: &'static str,
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
