//! Spans of the parser, as ranges of bytes.

use std::ops::Range;

use oxc_span::GetSpan;

/// The bytes of a part of the syntax tree.
pub(super) fn range(part: &impl GetSpan) -> Range<usize> {
    let span = part.span();
    // A source is shorter than 32 bits can count.
    usize::try_from(span.start).unwrap_or_default()..usize::try_from(span.end).unwrap_or_default()
}
