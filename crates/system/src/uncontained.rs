//! Runs of agents that the kernel does not hold: a process of theirs could stop a client of this user and speak in its place.

use super::run_ancestry;

/// Whether a process lives in a run of an agent that the kernel does not hold as a whole. Looks at all processes, which takes some
/// milliseconds. On systems without containment a run of any caller counts.
pub fn runs() -> bool {
    !is_switched_off() && run_ancestry::is_any_uncontained()
}

/// Whether a test does not look: other tests have such runs beside it. Only a debug build knows how.
#[expect(clippy::disallowed_methods, reason = "read in one place, in a debug build alone")]
fn is_switched_off() -> bool {
    cfg!(debug_assertions)
        && std::env::var("CUFF_TEST_LAYERS_OFF").is_ok_and(|layers| layers.contains("doubt"))
}
