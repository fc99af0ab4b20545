//! Files, sockets and signals, refused by name (Landlock). It judges what a system call would reach, for all
//! calls alike.

use std::io;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _,
    RulesetStatus, Scope,
};

/// The newest version whose refusals are known here; an older kernel refuses what it knows of them.
const NEWEST: ABI = ABI::V9;

/// Refuses all files, all sockets and all signals to others. Whether this kernel does.
///
/// # Errors
/// When a kernel that can does not.
pub(super) fn refuse() -> io::Result<bool> {
    let refused = || {
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(NEWEST))?
            .handle_access(AccessNet::from_all(NEWEST))?
            .scope(Scope::from_all(NEWEST))?
            // Nothing is granted.
            .create()?
            .restrict_self()
    };
    let status = refused().map_err(|error| io::Error::other(error.to_string()))?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
}
