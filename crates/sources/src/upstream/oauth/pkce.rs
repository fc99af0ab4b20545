//! Proof keys for code exchange (RFC 7636), with S256 alone, and other random texts.

use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest;

use super::secret::Secret;
use crate::sys::random;

/// How many random bytes a text stands for.
const BYTES: usize = 32;

/// A text of 43 letters that nobody can foresee: a verifier, or a `state`.
///
/// # Errors
/// When the operating system has no random bytes.
pub(super) fn random_text() -> io::Result<Secret> {
    let bytes: [u8; BYTES] = random::secret()?;
    Ok(Secret::new(URL_SAFE_NO_PAD.encode(bytes)))
}

/// The challenge of a verifier.
pub(super) fn challenge(verifier: &Secret) -> String {
    URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, verifier.reveal().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_is_that_of_the_rfc() {
        let verifier = Secret::new("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        assert_eq!(challenge(&verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        let (one, other) = (random_text().unwrap(), random_text().unwrap());
        assert!(one != other && one.reveal().len() == 43);
    }
}
