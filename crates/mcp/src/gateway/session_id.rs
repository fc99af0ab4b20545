//! The id of a session: a stranger's text, and the name of its files made from it.

use crate::sys;

/// The longest id that names files as it is, in bytes.
const LONGEST: usize = 64;
/// How names begin that were made from other ids.
const HASHED: &str = "h-";

/// The id of a session, as the agent names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionId(String);

impl SessionId {
    /// The id of this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// An id that no other session has.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    pub fn random() -> std::io::Result<Self> {
        let bytes = sys::random::secret::<8>()?;
        Ok(Self(format!("{:016x}", u64::from_le_bytes(bytes))))
    }

    /// The id itself. It may hold anything.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// How the names of its files begin: the id itself where that is a plain word, such as a UUID, else a hash of it.
    pub fn stem(&self) -> String {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let text = &self.0;
        let plain = !text.is_empty() && text.len() <= LONGEST && text.bytes().all(is_plain);
        if plain && !text.starts_with('-') && !text.starts_with(HASHED) {
            text.clone()
        } else {
            format!("{HASHED}{}", &blake3::hash(text.as_bytes()).to_hex()[..32])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_never_is_a_path() {
        let stem = |text: &str| SessionId::new(text).stem();
        assert_eq!(stem("0195f0a2-7d1c-7e2e-9d8a-0c7f6a1b2c3d"), "0195f0a2-7d1c-7e2e-9d8a-0c7f6a1b2c3d");
        let odd = ["", "..", "../../etc/passwd", "/abs", "a/b", "A", "a.b", "a\0b", "-rf", "ä", "h-a", " "];
        for text in odd {
            let stem = stem(text);
            assert!(stem.starts_with(HASHED) && stem.len() == 34, "{text:?}: {stem}");
            assert!(stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{stem}");
        }
        assert_ne!(stem("A"), stem("a"), "folders that ignore case keep them apart");
        assert!(stem(&"a".repeat(65)).starts_with(HASHED));
    }

    #[test]
    fn no_id_has_the_name_of_another() {
        let hashed = SessionId::new("A").stem();
        assert_ne!(SessionId::new(hashed.clone()).stem(), hashed);
    }
}
