//! What becomes of a settings file that is there, and what is said of it afterwards.

use crate::engine::{Choice, Offer, Predecessor, Replace};

/// What becomes of a file that is there.
#[derive(Debug)]
pub(super) enum Plan {
    /// There is none.
    New,
    /// Another takes its place.
    Anew,
    /// It gets what it lacks.
    Added(Predecessor),
}

impl Plan {
    /// What may be written over.
    pub(super) fn replace(&self) -> Replace<'_> {
        match self {
            Self::New => Replace::Nothing,
            Self::Anew => Replace::Anything,
            Self::Added(there) => Replace::This(there),
        }
    }
}

/// What was done, in one line.
pub(super) fn written(plan: &Plan, output: &str, offers: &[Offer], choice: &Choice) -> String {
    let chosen = |offer: &&Offer| choice.has(offer);
    if let Plan::Added(_) = plan {
        let names: Vec<&str> = offers.iter().filter(chosen).map(|offer| offer.name.as_str()).collect();
        return format!("Added {} to {output}", names.join(", "));
    }
    let packages = offers.iter().filter(chosen).filter(|offer| offer.folder.is_some()).count();
    let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let plugins = count(choice.instances.len() - packages, "plugin");
    match packages {
        0 => format!("Generated {output} with {plugins}"),
        some => format!("Generated {output} with {plugins} and {}", count(some, "package")),
    }
}
