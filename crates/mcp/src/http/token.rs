//! The token of a client.

use blake3::Hash;

/// The shortest token: a shorter one can be guessed.
const SHORTEST: usize = 16;

/// A token that clients must send. It keeps only a hash: comparing hashes takes the same time for all texts.
#[derive(Debug, Clone)]
pub struct BearerToken(Hash);

/// It cannot be a token. It is not quoted.
#[derive(Debug, thiserror::Error)]
#[error("it is no token: {SHORTEST} or more letters, digits and signs of ASCII, without blanks")]
pub struct BadToken;

impl BearerToken {
    /// A token that a client can send.
    ///
    /// # Errors
    /// When it is too short or cannot be part of a header.
    pub fn new(text: &str) -> Result<Self, BadToken> {
        let sound = text.len() >= SHORTEST && text.bytes().all(|byte| byte.is_ascii_graphic());
        if sound { Ok(Self(blake3::hash(text.as_bytes()))) } else { Err(BadToken) }
    }

    /// Whether this text is the token.
    pub(super) fn is(&self, text: &str) -> bool {
        self.0 == blake3::hash(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_long_and_stands_in_a_header() {
        assert!(BearerToken::new("0123456789abcdef").is_ok());
        for bad in ["", "short", "0123456789 abcdef", "0123456789abcdef\u{e9}", "0123456789abcdef\n"] {
            assert!(BearerToken::new(bad).is_err(), "{bad:?}");
        }
    }
}
