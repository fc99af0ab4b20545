//! The text within bytes that may drive a terminal: a secret that a tool has coloured in parts is still one.

use std::borrow::Cow;
use std::ops::Range;

use crate::model::Plain;

/// The text of some bytes, and where each byte of it stands.
pub(super) struct View<'b> {
    /// The bytes that a person would read.
    pub(super) text: Cow<'b, [u8]>,
    /// The position of each of its bytes among all bytes; `None` if all bytes are text.
    places: Option<Vec<usize>>,
    /// How many bytes there are.
    length: usize,
}

impl<'b> View<'b> {
    /// The text of bytes that follow others; `None`: every byte is taken for text.
    pub(super) fn of(bytes: &'b [u8], before: Option<Plain>) -> Self {
        let Some(mut before) = before.filter(|before| !before.is_plain(bytes)) else {
            return Self { text: Cow::Borrowed(bytes), places: None, length: bytes.len() };
        };
        let (mut text, mut places, mut at) = (Vec::new(), Vec::new(), 0);
        while at < bytes.len() {
            let (piece, stays) = before.piece(&bytes[at..]);
            if stays {
                text.extend_from_slice(&bytes[at..at + piece]);
                places.extend(at..at + piece);
            }
            at += piece;
        }
        Self { text: Cow::Owned(text), places: Some(places), length: bytes.len() }
    }

    /// Whether there is nothing but text.
    pub(super) fn is_all(&self) -> bool {
        self.places.is_none()
    }

    /// The place of a part of the text, with the control sequences within it and none around it.
    pub(super) fn place(&self, text: &Range<usize>) -> Range<usize> {
        let Some(places) = &self.places else { return text.clone() };
        let start = places.get(text.start).copied().unwrap_or(self.length);
        let end = if text.is_empty() {
            start
        } else {
            places.get(text.end - 1).map_or(self.length, |last| last + 1)
        };
        start..end
    }
}
