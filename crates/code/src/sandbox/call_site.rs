//! The places of a program that call something by name: for the error of what turns out to be no function.

use std::ops::Range;

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CallSite {
    /// The whole call, as bytes of the source.
    pub(super) whole: Range<usize>,
    /// Where the interpreter says that it is, where it does not name the last argument: at the property, or at the name.
    pub(super) at: usize,
    /// What is called, as bytes of the source: `issues.map`.
    pub(super) callee: Range<usize>,
    /// The object whose property is called, or the name that is.
    pub(super) object: Range<usize>,
    /// The property; `None` where a name is called.
    pub(super) property: Option<String>,
    /// Whether the value of `object` is kept while the program runs. The language's own objects and tools are known.
    pub(super) is_kept: bool,
}
