//! Runs of agents that the kernel does not hold: a process of theirs could stop a client of this user and speak in its place.

use super::inside;

/// Whether a process lives in a run of an agent that the kernel does not hold as a whole. Looks at all processes, which takes some
/// milliseconds. On systems without containment a run of any caller counts.
pub fn runs() -> bool {
    inside::is_any_uncontained()
}
