//! The parameters that every tool that runs has, whatever its plugin.

use crate::model::{Default, ENV, Field, Kind, LONGEST_TIMEOUT, Role, Tool};

/// Seconds; overrides the instance's `default_timeout`.
pub(super) const TIMEOUT: Field = Field {
    name: "timeout",
    kind: Kind::Integer(1, LONGEST_TIMEOUT),
    default: Default::Absent,
    about: "Execution timeout in seconds (overrides the default)",
};

/// Seconds; the face that starts runs reads it.
pub(super) const WAIT: Field = Field {
    name: "wait",
    kind: Kind::Integer(0, LONGEST_TIMEOUT),
    default: Default::Absent,
    about: "How many seconds to wait for its end; a run that has not ended by then goes on in the background (0: at once)",
};

/// Says what would run and runs nothing.
pub(super) const DRY_RUN: Field = Field {
    name: "dry_run",
    kind: Kind::Flag,
    default: Default::Flag(false),
    about: "Print the command without executing it",
};

/// The same for a tool that has a rehearsal of its own.
const REHEARSAL: Field = Field {
    about: "Print the command, and what the program itself says it would do; that may still run parts of it",
    ..DRY_RUN
};

/// All parameters of a tool: its plugin's, then the common ones.
pub fn parameters(tool: &Tool) -> Vec<&'static Field> {
    let common: &[&Field] = match tool.role {
        Role::Run { rehearsal: None, .. } => &[&TIMEOUT, &WAIT, &ENV, &DRY_RUN],
        Role::Run { rehearsal: Some(_), .. } => &[&TIMEOUT, &WAIT, &ENV, &REHEARSAL],
        Role::List(_) => &[],
    };
    tool.parameters.iter().chain(common.iter().copied()).collect()
}
