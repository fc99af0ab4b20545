//! Values that nobody may see.

use std::borrow::Cow;
use std::sync::Arc;

use super::fragments::{in_json, pieces};
use super::known::Known;
use super::redactor::Redactor;
use crate::model::Plain;

/// Values that nobody may see, and the names to show instead.
#[derive(Debug, Clone, Default)]
pub struct Secrets(Option<Arc<Known>>);

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
        Self(Known::of(values, labels).map(Arc::new))
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
