//! Secrets out of a byte stream, wherever the stream is cut into chunks, and whatever colours stand within them.

mod beginning;
mod dotenv;
mod everyday;
mod names;
mod pass;
mod view;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, Input, MatchKind};

use crate::model::Plain;

use beginning::Wanted;
use dotenv::dotenv;
use everyday::Judged;
use pass::Pass;
use view::View;

/// The shortest value that is taken for a secret, in bytes: shorter ones stand in too much that is none.
const SHORTEST: usize = 8;
/// A longer value is looked for in pieces of this size, in bytes, so that little of a stream is held back.
const LONGEST: usize = 4096;

/// Values that nobody may see, and the names to show instead.
#[derive(Debug, Clone, Default)]
pub struct Secrets(Option<Arc<Known>>);

/// No `Debug` of its values: they would end up in a log.
struct Known {
    matcher: AhoCorasick,
    wanted: Vec<Wanted>,
    labels: Vec<Vec<u8>>,
}

impl std::fmt::Debug for Known {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} secrets", self.wanted.len())
    }
}

impl Secrets {
    /// Takes names and values. Values shorter than eight bytes are left out; those of several lines count line by line.
    pub fn new<N: AsRef<str>, V: AsRef<[u8]>>(pairs: impl IntoIterator<Item = (N, V)>) -> Self {
        let mut values: Vec<Vec<u8>> = Vec::new();
        let mut labels = Vec::new();
        for (name, value) in pairs {
            let written = pieces(value.as_ref()).flat_map(|piece| [piece.to_vec(), in_json(piece)]);
            for piece in written {
                if !values.contains(&piece) {
                    values.push(piece);
                    labels.push(format!("[redacted:{}]", name.as_ref()).into_bytes());
                }
            }
        }
        let matcher = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&values);
        // Only patterns beyond any environment's size could fail to build.
        let Some(matcher) = matcher.ok().filter(|_| !values.is_empty()) else { return Self(None) };
        let wanted = values.into_iter().map(Wanted::new).collect();
        Self(Some(Arc::new(Known { matcher, wanted, labels })))
    }

    /// One stream's redaction.
    pub fn redactor(&self) -> Redactor {
        Redactor::new(self.0.clone())
    }

    /// A whole text without its secrets.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let Some(known) = &self.0 else { return Cow::Borrowed(text) };
        let all = known.without(text.as_bytes(), None);
        let bytes = all.as_deref().unwrap_or(text.as_bytes());
        match known.without(bytes, Some(Plain::default())).or(all) {
            // Labels are text, and values that are not text are in no text.
            Some(out) => Cow::Owned(String::from_utf8_lossy(&out).into_owned()),
            None => Cow::Borrowed(text),
        }
    }
}

/// Of variables of the environment, those that hold secrets: by their names, or a password within an address.
pub fn of_environment<'v>(variables: impl Iterator<Item = (&'v str, &'v str)>) -> Vec<(String, String)> {
    let secret = |(name, value): (&str, &str)| {
        let is_secret = names::looks_secret(name) && !everyday::is_path(value);
        let value = if is_secret { value } else { names::password_in_address(value)? };
        Some((name.to_owned(), value.to_owned()))
    };
    variables.filter_map(secret).collect()
}

/// Of the variables of a `.env` file, what is secret: all values but everyday ones such as that of `NODE_ENV`, and of
/// addresses without another secret the password alone.
pub fn of_dotenv(text: &str) -> Vec<(String, String)> {
    dotenv(text).into_iter().flat_map(|(name, value)| secret_of(name, value)).collect()
}

fn secret_of(name: String, value: String) -> Vec<(String, String)> {
    match everyday::judge(&name, &value) {
        Judged::Everyday => Vec::new(),
        Judged::Password(password) => vec![(name, password)],
        Judged::Secret => {
            let password =
                names::password_in_address(&value).map(|password| (name.clone(), password.to_owned()));
            std::iter::once((name, value)).chain(password).collect()
        }
    }
}

/// The same of variables whose values settings have. Paths and what every login sets are no secrets.
pub fn of_settings<'v>(variables: impl Iterator<Item = (&'v str, &'v str)>) -> Vec<(String, String)> {
    const OF_LOGIN: [&str; 10] =
        ["HOME", "HOSTNAME", "LANG", "LOGNAME", "PATH", "PWD", "SHELL", "TERM", "TMPDIR", "USER"];
    let told = variables.filter(|(name, value)| !OF_LOGIN.contains(name) && !everyday::is_path(value));
    told.flat_map(|(name, value)| secret_of(name.to_owned(), value.to_owned())).collect()
}

/// Whether a value is long enough to be looked for, as one or in lines.
pub fn is_looked_for(value: &str) -> bool {
    pieces(value.as_bytes()).next().is_some()
}

/// The parts of a value that are looked for.
fn pieces(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = value.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.flat_map(|line| line.chunks(LONGEST)).filter(|piece| piece.len() >= SHORTEST)
}

/// A value as JSON and many languages write it between quotes.
fn in_json(value: &[u8]) -> Vec<u8> {
    let escaped = |byte: &u8| matches!(byte, b'"' | b'\\').then_some(b'\\').into_iter().chain([*byte]);
    value.iter().flat_map(escaped).collect()
}

/// A secret that was found: where it stands in the text, and which it is.
struct Hit {
    text: Range<usize>,
    value: usize,
}

impl Known {
    /// Finds every secret from a place of the text on that begins before `safe`; how far that reached.
    fn find(&self, text: &[u8], from: usize, safe: usize, hits: &mut Vec<Hit>) -> usize {
        let found = self.matcher.find_iter(Input::new(text).range(from..));
        let before = found.take_while(|found| found.start() < safe);
        let first = hits.len();
        hits.extend(before.map(|found| Hit { text: found.range(), value: found.pattern().as_usize() }));
        hits[first..].last().map_or(from, |last| last.text.end).max(safe)
    }

    /// So many bytes with labels in the place of what was found.
    fn labelled(&self, bytes: &[u8], view: &View<'_>, hits: &[Hit]) -> Vec<u8> {
        let (mut out, mut copied) = (Vec::with_capacity(bytes.len()), 0);
        for hit in hits {
            let place = view.place(&hit.text);
            out.extend_from_slice(&bytes[copied..place.start]);
            out.extend_from_slice(&self.labels[hit.value]);
            copied = place.end;
        }
        out.extend_from_slice(&bytes[copied..]);
        out
    }

    /// Whole bytes without their secrets, behind others or all taken for text; `None` where they have none.
    fn without(&self, bytes: &[u8], before: Option<Plain>) -> Option<Vec<u8>> {
        let (view, mut hits) = (View::of(bytes, before), Vec::new());
        self.find(&view.text, 0, view.text.len(), &mut hits);
        (!hits.is_empty()).then(|| self.labelled(bytes, &view, &hits))
    }
}

/// Replaces secrets in one stream; what may be the beginning of one is held back until more is known.
///
/// They are looked for among all bytes, so that none stands within a control sequence, and then in the text alone, so that
/// none is coloured in parts.
#[derive(Debug)]
pub struct Redactor {
    known: Option<Arc<Known>>,
    all: Pass,
    text: Pass,
}

impl Redactor {
    fn new(known: Option<Arc<Known>>) -> Self {
        let values = known.as_ref().map_or(0, |known| known.wanted.len());
        Self { known, all: Pass::new(None, values), text: Pass::new(Some(Plain::default()), values) }
    }

    /// Takes the next bytes; comes back with those that may be shown now.
    pub fn push<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let Some(known) = &self.known else { return Cow::Borrowed(bytes) };
        match self.all.push(known, bytes) {
            Cow::Borrowed(bytes) => self.text.push(known, bytes),
            Cow::Owned(bytes) => Cow::Owned(self.text.push(known, &bytes).into_owned()),
        }
    }

    /// The stream has ended: what was held back.
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
    use super::*;

    #[test]
    fn values_that_settings_have_are_hidden_but_for_paths_and_what_a_login_sets() {
        let variables = [
            ("API_VALUE", "hush-hush-9000"),
            ("HOME", "/home/somebody"),
            ("TOOLS", "/opt/tools/bin"),
            ("USER", "somebody-else"),
            ("NODE_ENV", "production"),
        ];
        let hidden: Vec<String> =
            of_settings(variables.into_iter()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(hidden, ["API_VALUE"]);
    }

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
    fn what_is_coloured_in_parts_is_a_secret_all_the_same() {
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
        let endless = format!("s3cr3t\u{1b}]{}", "x".repeat(3 * pass::MOST_HELD));
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
    fn a_long_secret_and_a_stream_that_repeats_its_beginning_cost_a_step_a_byte() {
        let value = [b"ab".repeat(2040).as_slice(), b"end"].concat();
        let mut redactor = Secrets::new([("LONG", &value)]).redactor();
        let clock = crate::sys::Clock::of_system();
        let begun = clock.instant();
        let stream = b"ab".repeat(5_000);
        let shown: usize = stream.iter().map(|byte| redactor.push(&[*byte]).len()).sum();
        // Each of the two looks holds back as much as may be a beginning.
        assert!(shown >= stream.len() - 2 * 4080, "{shown}");
        let rest = redactor.push(b"end.");
        assert!(rest.ends_with(b"ab[redacted:LONG].") || rest == &b"[redacted:LONG]."[..]);
        assert_eq!(shown + rest.len(), stream.len() - 4080 + "[redacted:LONG].".len());
        let took = clock.instant() - begun;
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
