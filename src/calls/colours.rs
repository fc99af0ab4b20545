//! Whether a tool is to print in colours, and the variables that say so to it.

use super::request::{Colours, Request};
use crate::model::{Caller, Change, Origin};
use crate::project::Project;

/// Agents get plain text, and so does who wants it; a person at a terminal gets colours unless `NO_COLOR` says otherwise.
pub(crate) fn colours(project: &Project, request: &Request) -> Vec<Change> {
    let set = |name| project.surroundings.environment.get(name).is_some();
    match (request.caller, request.colours) {
        // Some tools heed only the one, and some the other before it.
        (Caller::Agent | Caller::Code, _) | (_, Colours::Unwanted) => {
            vec![Change::new("NO_COLOR", "1", Origin::Fixed), Change::new("FORCE_COLOR", "0", Origin::Fixed)]
        }
        (Caller::Human, Colours::Welcome) if !set("NO_COLOR") && !set("FORCE_COLOR") => {
            vec![Change::new("FORCE_COLOR", "1", Origin::Fixed)]
        }
        _ => Vec::new(),
    }
}
