//! A program that was read, checked and turned into JavaScript.

use std::ops::Range;

use super::call_site::CallSite;
use super::transform::Emitted;

/// A program that can be run, any number of times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PreparedProgram {
    /// The user's own text.
    pub(super) source: String,
    /// JavaScript, as a module whose default export is a function without parameters.
    pub(super) emitted: Emitted,
    /// The calls of tools, as bytes of the source.
    pub(super) calls: Vec<Range<usize>>,
    pub(super) call_sites: Vec<CallSite>,
}

impl PreparedProgram {
    /// The byte of the source that a place in the JavaScript comes from. Lines and columns count from one, columns in
    /// bytes, as the interpreter counts them.
    pub(super) fn origin(&self, line: usize, column: usize) -> Option<usize> {
        self.emitted.origin(&self.source, line, column)
    }

    /// The call at a byte, and its number.
    pub(super) fn call_site(&self, at: usize) -> Option<(usize, &CallSite)> {
        let mut sites = self.call_sites.iter().enumerate();
        sites.clone().find(|(_, site)| site.at == at).or_else(|| {
            let around = sites.by_ref().filter(|(_, site)| site.whole.contains(&at));
            around.max_by_key(|(_, site)| site.whole.start)
        })
    }

    /// The begin of the innermost call of a tool around a byte: the interpreter knows the place of the last argument alone.
    pub(super) fn call_around(&self, offset: usize) -> usize {
        let around = self.calls.iter().filter(|call| call.contains(&offset));
        around.map(|call| call.start).max().unwrap_or(offset)
    }
}
