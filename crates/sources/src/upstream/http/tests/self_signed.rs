//! A server with a self-signed certificate.

use std::io::Read as _;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A certificate for 127.0.0.1 that is valid until 2126.
const CERTIFICATE: &str = "MIIBsTCCAVegAwIBAgIUD6PD3QYkOh9tAMcdFhkITLcdeIkwCgYIKoZIzj0EAwIwJjEkMCIGA1UEAwwbc2VsZi1zaWduZWQgb2YgY3VmZidzIHRlc3RzMCAXDTI2MTEyMzEyMTMzN1oYDzIxMjYxMDMwMTIxMzM3WjAmMSQwIgYDVQQDDBtzZWxmLXNpZ25lZCBvZiBjdWZmJ3MgdGVzdHMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ75+D96wjIk1zVhw5rc7z9fMN2ojRrPku8idAu/AaTK1KjSOmjzZk4cnYe/aLu7KAW6unqv6CSXAJZfYSGMdJvo2EwXzAdBgNVHQ4EFgQUCWfszS41wWJ76/PGBjTtwLR3ulwwHwYDVR0jBBgwFoAUCWfszS41wWJ76/PGBjTtwLR3ulwwDwYDVR0RBAgwBocEfwAAATAMBgNVHRMBAf8EAjAAMAoGCCqGSM49BAMCA0gAMEUCIChd1f+QhfZaCs6woaxZW/rxvw7DhuslNV0MGjvOmXKNAiEAu4/VxLATqY83rIiTWYhe7xLF9HK4vMx2G6eKu+UVC3s=";
/// Its key, which nothing but this test uses.
const KEY: &str = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghLZigujBCTJRh5/p0Cf392eBVUgv0EYOiWOdTjJ3sBChRANCAAQ75+D96wjIk1zVhw5rc7z9fMN2ojRrPku8idAu/AaTK1KjSOmjzZk4cnYe/aLu7KAW6unqv6CSXAJZfYSGMdJv";

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
