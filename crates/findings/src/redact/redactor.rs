//! Redaction of one stream.

use std::borrow::Cow;
use std::sync::Arc;

use super::known::Known;
use super::scanner::Pass;
use crate::model::Plain;

/// Replaces secrets in one stream. It holds back bytes that may be the beginning of a secret until more is
/// known.
///
/// It searches all bytes first, so that none remains within a control sequence. Then it searches the text
/// alone, so that none remains with colours between its parts.
#[derive(Debug)]
pub struct Redactor {
    known: Option<Arc<Known>>,
    all: Pass,
    text: Pass,
}

impl Redactor {
    pub(super) fn new(known: Option<Arc<Known>>) -> Self {
        let values = known.as_ref().map_or(0, |known| known.wanted.len());
        Self { known, all: Pass::new(None, values), text: Pass::new(Some(Plain::default()), values) }
    }

    /// Takes the next bytes. Returns those that may be shown now.
    pub fn push<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let Some(known) = &self.known else { return Cow::Borrowed(bytes) };
        match self.all.push(known, bytes) {
            Cow::Borrowed(bytes) => self.text.push(known, bytes),
            Cow::Owned(bytes) => Cow::Owned(self.text.push(known, &bytes).into_owned()),
        }
    }

    /// Ends the stream. Returns the held back bytes.
    pub fn finish(&mut self) -> Vec<u8> {
        let Some(known) = &self.known else { return Vec::new() };
        let held = self.all.finish(known);
        let mut rest = self.text.push(known, &held).into_owned();
        rest.extend(self.text.finish(known));
        rest
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::redact::{Secrets, scanner};

    fn secrets() -> Secrets {
        Secrets::new([
            ("TOKEN", "s3cr3t-token"),
            ("LONGER", "s3cr3t-token-and-more"),
            ("SHORT", "short"),
            ("KEY", "-----BEGIN-----\nabcdefgh\nxy\n"),
            ("SAME", "s3cr3t-token"),
            ("REPEATED", "abababababac"),
            ("QUOTED", "quo\"te\\d-one"),
        ])
    }

    fn streamed(text: &[u8], size: usize) -> String {
        let mut redactor = secrets().redactor();
        let mut out: Vec<u8> =
            text.chunks(size).flat_map(|chunk| redactor.push(chunk).into_owned()).collect();
        out.extend(redactor.finish());
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn secrets_are_replaced_wherever_chunks_end() {
        for (text, expected) in [
            ("nothing here", "nothing here"),
            ("a s3cr3t-token b", "a [redacted:TOKEN] b"),
            ("s3cr3t-token-and-more!", "[redacted:LONGER]!"),
            ("s3cr3t-token-and-mor", "[redacted:TOKEN]-and-mor"),
            ("s3cr3t-token", "[redacted:TOKEN]"),
            (r#"quo"te\d-one {"a":"quo\"te\\d-one"}"#, r#"[redacted:QUOTED] {"a":"[redacted:QUOTED]"}"#),
            ("s3cr3t-s3cr3t-tokens3cr3t-token", "s3cr3t-[redacted:TOKEN][redacted:TOKEN]"),
            ("short s3cr3t-toke", "short s3cr3t-toke"),
            ("-----BEGIN-----\nabcdefgh\nxy", "[redacted:KEY]\n[redacted:KEY]\nxy"),
            ("abababababababac", "abab[redacted:REPEATED]"),
            ("\u{fc}s3cr3t-token\u{fc}", "\u{fc}[redacted:TOKEN]\u{fc}"),
        ] {
            for size in 1..=text.len() {
                assert_eq!(streamed(text.as_bytes(), size), expected, "{text} in chunks of {size}");
            }
            assert_eq!(secrets().redact(text), expected);
        }
    }

    #[test]
    fn a_secret_with_colours_between_its_parts_is_redacted() {
        for (text, expected) in [
            ("a s3cr3t\u{1b}[31m-token\u{1b}[0m b", "a [redacted:TOKEN]\u{1b}[0m b"),
            ("\u{1b}[1ms\u{1b}[31m3\u{1b}]8;;x\u{7}cr3t-toke\u{1b}[Kn!", "\u{1b}[1m[redacted:TOKEN]!"),
            ("s3cr3t\u{8}-token", "[redacted:TOKEN]"),
            ("\u{1b}]s3cr3t-token\u{7}x", "\u{1b}][redacted:TOKEN]\u{7}x"),
            ("s3cr3t\u{1b}]s3cr3t-token\u{7}-token", "[redacted:TOKEN]"),
            ("s3cr3t\u{1b}[31m-toke", "s3cr3t\u{1b}[31m-toke"),
            ("ab\u{1b}[1mababababac", "[redacted:REPEATED]"),
        ] {
            for size in 1..=text.len() {
                assert_eq!(streamed(text.as_bytes(), size), expected, "{text:?} in chunks of {size}");
            }
            assert_eq!(secrets().redact(text), expected);
        }
        let endless = format!("s3cr3t\u{1b}]{}", "x".repeat(3 * scanner::MOST_HELD));
        assert_eq!(streamed(endless.as_bytes(), 1000), endless);
    }

    /// The second one begins where a third may have begun before the first had ended.
    #[test]
    fn a_secret_behind_one_that_ends_the_beginning_of_another_is_replaced_too() {
        let secrets = Secrets::new([("SHORT", "abababab"), ("LONG", "babababababababa")]);
        for (text, expected) in [
            ("abababababababab", "[redacted:SHORT][redacted:SHORT]"),
            ("ababababababababa", "[redacted:SHORT][redacted:SHORT]a"),
            ("babababababababab", "[redacted:LONG]b"),
        ] {
            for size in 1..=text.len() {
                let mut redactor = secrets.redactor();
                let chunks = text.as_bytes().chunks(size);
                let mut out: Vec<u8> = chunks.flat_map(|chunk| redactor.push(chunk).into_owned()).collect();
                out.extend(redactor.finish());
                assert_eq!(String::from_utf8_lossy(&out), expected, "{text} in chunks of {size}");
            }
        }
    }

    /// Each byte once looked at every byte that was held, as often as there are values.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test measures its own time")]
    fn a_long_secret_and_a_stream_that_repeats_its_beginning_cost_a_step_a_byte() {
        let value = [b"ab".repeat(2040).as_slice(), b"end"].concat();
        let mut redactor = Secrets::new([("LONG", &value)]).redactor();
        let begun = Instant::now();
        let stream = b"ab".repeat(5_000);
        let shown: usize = stream.iter().map(|byte| redactor.push(&[*byte]).len()).sum();
        // Each of the two looks holds back as much as may be a beginning.
        assert!(shown >= stream.len() - 2 * 4080, "{shown}");
        let rest = redactor.push(b"end.");
        assert!(rest.ends_with(b"ab[redacted:LONG].") || rest == &b"[redacted:LONG]."[..]);
        assert_eq!(shown + rest.len(), stream.len() - 4080 + "[redacted:LONG].".len());
        let took = begun.elapsed();
        assert!(took.as_secs() < 10, "{took:?}");
    }

    #[test]
    fn little_is_held_back_and_debug_says_nothing() {
        let mut redactor = secrets().redactor();
        assert_eq!(&*redactor.push(b"plain text s3cr3t"), b"plain text ");
        assert_eq!(&*redactor.push(b" is not one"), b"s3cr3t is not one");
        assert!(!format!("{:?}", secrets()).contains("s3cr3t"));
        let none = Secrets::new([("A", "short")]);
        assert!(matches!(none.redactor().push(b"short"), Cow::Borrowed(b"short")));
    }
}
