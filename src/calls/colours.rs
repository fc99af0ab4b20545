//! Whether a tool is to print in colours, and the variables that say so to it.

use super::request::Request;
use crate::model::{Change, Origin};

/// Agents get plain text, and so do people who want it. Else a tool decides as it does without cuff: at a terminal it sees
/// one, and what it redirects stays plain.
pub(crate) fn colours(request: &Request) -> Vec<Change> {
    if request.caller.is_agents() || !request.colours {
        // Some tools heed only the one, and some the other before it.
        return vec![
            Change::new("NO_COLOR", "1", Origin::Fixed),
            Change::new("FORCE_COLOR", "0", Origin::Fixed),
        ];
    }
    Vec::new()
}
