//! The values to search for, and their matches in a text.

use std::ops::Range;

use aho_corasick::{AhoCorasick, Input, MatchKind};

use super::partial_match::SearchPattern;
use super::view::View;
use crate::model::Plain;

/// The values that are looked for. No `Debug` of them: they would end up in a log.
pub(super) struct Known {
    matcher: AhoCorasick,
    pub(super) wanted: Vec<SearchPattern>,
    labels: Vec<Vec<u8>>,
}

impl std::fmt::Debug for Known {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} secrets", self.wanted.len())
    }
}

/// A secret that was found: its place in the text, and its number.
pub(super) struct Hit {
    text: Range<usize>,
    value: usize,
}

impl Known {
    /// These values, each with its label; `None` if there are none.
    pub(super) fn of(values: Vec<Vec<u8>>, labels: Vec<Vec<u8>>) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        // Only patterns beyond any environment's size could fail to build.
        let matcher = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&values).ok()?;
        let wanted = values.into_iter().map(SearchPattern::new).collect();
        Some(Self { matcher, wanted, labels })
    }

    /// Finds every secret from a place of the text on that begins before `safe`; how far that reached.
    pub(super) fn find(&self, text: &[u8], from: usize, safe: usize, hits: &mut Vec<Hit>) -> usize {
        let found = self.matcher.find_iter(Input::new(text).range(from..));
        let before = found.take_while(|found| found.start() < safe);
        let first = hits.len();
        hits.extend(before.map(|found| Hit { text: found.range(), value: found.pattern().as_usize() }));
        hits[first..].last().map_or(from, |last| last.text.end).max(safe)
    }

    /// The first bytes of a text, with the matches replaced by labels.
    pub(super) fn labelled(&self, bytes: &[u8], view: &View<'_>, hits: &[Hit]) -> Vec<u8> {
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
    pub(super) fn without(&self, bytes: &[u8], before: Option<Plain>) -> Option<Vec<u8>> {
        let (view, mut hits) = (View::of(bytes, before), Vec::new());
        self.find(&view.text, 0, view.text.len(), &mut hits);
        (!hits.is_empty()).then(|| self.labelled(bytes, &view, &hits))
    }
}
