//! A server whose certificate nobody has signed but itself.

use std::io::Read as _;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A certificate for 127.0.0.1 that is valid until 2126.
const CERTIFICATE: &str = "MIIBjTCCATOgAwIBAgIUODcO277NBFQKrLl490gztTdtpQAwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzEyMDcyM1oYDzIxMjYxMDMwMTIwNzIzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATRyJjarrZT7EUTezSTkZmoxPz/bfpwEOkinzz69MEmf4QgS/reg0qztmVdbblKS5VqDAwrjOKxx4tose7N8laSo2EwXzAdBgNVHQ4EFgQUHEuo+5K7LY2EvpJUzSJrsIofts8wHwYDVR0jBBgwFoAUHEuo+5K7LY2EvpJUzSJrsIofts8wDwYDVR0RBAgwBocEfwAAATAMBgNVHRMBAf8EAjAAMAoGCCqGSM49BAMCA0gAMEUCIQDeWe5mBXgFvEJM/uAFMibFx6+qA0BG6PODmMUvJaXOBAIgDWeXoqMeI/iLKXTty2YKMkHr99SvgbVhKoQDoqEUz9k=";
/// Its key, which nothing but this test uses.
const KEY: &str = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzUILx6iRhuKGr9wfsnEMMmVA/G6z5WRNbPmdDmfcW5KhRANCAATRyJjarrZT7EUTezSTkZmoxPz/bfpwEOkinzz69MEmf4QgS/reg0qztmVdbblKS5VqDAwrjOKxx4tose7N8laS";

/// Starts the server. Returns its address.
pub(super) fn start() -> String {
    let certificate = CertificateDer::from(STANDARD.decode(CERTIFICATE).unwrap());
    let key = PrivatePkcs8KeyDer::from(STANDARD.decode(KEY).unwrap());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config =
        Arc::new(config.with_no_client_auth().with_single_cert(vec![certificate], key.into()).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/mcp", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            // The client ends the handshake, so there is nothing to read.
            let _ = StreamOwned::new(connection, stream).read(&mut [0; 1]);
        }
    });
    url
}
