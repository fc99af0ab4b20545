//! The steps of a command, for people who look for a mistake.

use crate::cli::serve::DEBUG;
use crate::project::Context;
use crate::sys::journal::{Journal, Level, LineFormat};

/// The same context, which say each step on standard error where `DEBUG` is set.
pub(super) fn observed(context: &Context) -> Context {
    let mut observed = context.clone();
    if context.environment.get(DEBUG).is_some() {
        observed.journal = Journal::to_standard_error(LineFormat::Text, Level::Debug, context.clock.clone());
    }
    observed
}

/// Says a step with these facts where `DEBUG` is set.
pub(super) fn step(context: &Context, what: &str, facts: &[(&str, String)]) {
    let fields = facts.iter().map(|(name, fact)| ((*name).to_owned(), fact.as_str().into())).collect();
    context.journal.write(Level::Debug, what, &fields);
}
