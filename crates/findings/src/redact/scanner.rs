//! One look through a stream for secrets, at all its bytes or at its text alone.

use std::borrow::Cow;

use super::known::Known;
use super::view::View;
use crate::model::Plain;

/// The most that is held back, in bytes: a control sequence that never ends is not waited for.
pub(super) const MOST_HELD: usize = 64 * 1024;

/// The state of a pass over a stream.
#[derive(Debug)]
pub(super) struct Pass {
    held: Vec<u8>,
    /// How much of that is looked at.
    held_text: usize,
    /// The matches that the bytes before the held ones have begun; `None` if every byte is searched.
    before: Option<Plain>,
    /// For each value, the number of its first bytes that end the searched bytes.
    begun: Vec<usize>,
}

impl Pass {
    /// A look for so many values.
    pub(super) fn new(before: Option<Plain>, values: usize) -> Self {
        Self { held: Vec::new(), held_text: 0, before, begun: vec![0; values] }
    }

    /// Takes the next bytes. Returns those that may be shown now.
    pub(super) fn push<'b>(&mut self, known: &Known, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let bytes = if self.held.is_empty() {
            Cow::Borrowed(bytes)
        } else {
            Cow::Owned([&self.held, bytes].concat())
        };
        let view = View::of(&bytes, self.before);
        let text = &*view.text;
        for (begun, wanted) in self.begun.iter_mut().zip(&known.wanted) {
            *begun = wanted.follow(*begun, &text[self.held_text..]);
        }
        let (mut hits, mut reached) = (Vec::new(), 0);
        // A secret may end behind the possible beginning of another, and ends that one. The bytes after it
        // are searched again.
        loop {
            let safe = text.len() - self.begun.iter().copied().max().unwrap_or(0);
            // If all bytes are text, the pass over all bytes has already replaced every whole secret.
            let looked_at = self.before.is_some() && self.held.is_empty() && view.is_all();
            reached = if looked_at { safe } else { known.find(text, reached, safe, &mut hits) };
            if reached == safe {
                break;
            }
            for (begun, wanted) in self.begun.iter_mut().zip(&known.wanted) {
                *begun = wanted.within(*begun, text.len() - reached);
            }
        }
        let mut cut = view.place(&(reached..reached)).start;
        if bytes.len() - cut > MOST_HELD {
            self.begun.fill(0);
            (reached, cut) = (text.len(), bytes.len());
        }
        self.held_text = text.len() - reached;
        self.held = bytes[cut..].to_vec();
        let shown = (!hits.is_empty()).then(|| known.labelled(&bytes[..cut], &view, &hits));
        drop(view);
        self.before = self.before.map(|before| before.behind(&bytes[..cut]));
        match (shown, bytes) {
            (Some(out), _) => Cow::Owned(out),
            (None, Cow::Borrowed(bytes)) => Cow::Borrowed(&bytes[..cut]),
            (None, Cow::Owned(mut bytes)) => {
                bytes.truncate(cut);
                Cow::Owned(bytes)
            }
        }
    }

    /// Ends the stream. Returns the held back bytes, which may contain a secret that is the beginning of a
    /// longer one.
    pub(super) fn finish(&mut self, known: &Known) -> Vec<u8> {
        let held = std::mem::take(&mut self.held);
        self.begun.fill(0);
        self.held_text = 0;
        known.without(&held, self.before).unwrap_or(held)
    }
}
