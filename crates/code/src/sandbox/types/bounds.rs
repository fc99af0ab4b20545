//! How much of a schema is looked at. The rest is `unknown`.

/// How deep schemas may lie in one another.
pub(super) const DEEPEST: usize = 24;

/// How many schemas of one tool are looked at.
pub(super) const MOST_SCHEMAS: usize = 4000;
