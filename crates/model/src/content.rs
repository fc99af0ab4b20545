//! The part of the project's own text that a tool runs, as a digest that shows a change.

use std::sync::Arc;

/// Named texts, by their digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The blake3 hash over the names and the bytes, in hex.
    pub digest: Arc<str>,
    /// All of it for people to read.
    pub text: Arc<str>,
}

impl Content {
    /// The content of these parts, each with the name of its kind: a file, a script.
    pub fn of<'a>(parts: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut hasher = blake3::Hasher::new();
        let mut text = String::new();
        for (name, bytes) in parts {
            for piece in [name.as_bytes(), bytes] {
                hasher.update(&(piece.len() as u64).to_le_bytes());
                hasher.update(piece);
            }
            text.extend(["# ", name, "\n", &String::from_utf8_lossy(bytes)]);
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
        Self { digest: hasher.finalize().to_hex().as_str().into(), text: text.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_contents_have_different_digests() {
        let contents = [
            vec![],
            vec![("a", &b""[..])],
            vec![("a", b"x")],
            vec![("ax", b"")],
            vec![("a", b"x"), ("b", b"")],
            vec![("a", b"x\n# b\n")],
            vec![("a", b"\xff")],
            vec![("a", b"\xfe")],
        ]
        .map(Content::of);
        for (at, content) in contents.iter().enumerate() {
            assert!(contents[..at].iter().all(|other| other.digest != content.digest), "{content:?}");
        }
        assert_eq!(
            &*Content::of([("pretest", &b"a"[..]), ("test", b"b\n")]).text,
            "# pretest\na\n# test\nb\n"
        );
    }
}
