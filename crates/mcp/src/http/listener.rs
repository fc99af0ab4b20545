//! An address that is listened on.

use std::io;
use std::net::{SocketAddr, TcpListener};

/// An address that is listened on.
#[derive(Debug)]
pub struct HttpListener {
    listener: TcpListener,
    address: SocketAddr,
}

impl HttpListener {
    /// Listens; port 0 is any that is free.
    ///
    /// # Errors
    /// The operating system's.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Self { address: listener.local_addr()?, listener })
    }

    /// The address, with the port that it got.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The same for the runtime that this is called in.
    ///
    /// # Errors
    /// The operating system's.
    pub(super) fn accepting(self) -> io::Result<tokio::net::TcpListener> {
        tokio::net::TcpListener::from_std(self.listener)
    }
}
