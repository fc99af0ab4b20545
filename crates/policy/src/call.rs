//! A call that the gate decides about.

use crate::model::{Caller, Plan, Registered};

/// A call, as its source planned it.
#[derive(Debug)]
pub struct PolicyCall<'a> {
    /// The tool.
    pub tool: &'a Registered,
    /// The plan of its source.
    pub plan: Plan,
    /// The caller.
    pub caller: Caller,
    /// Whether the call chose the folder of its process.
    pub chose_folder: bool,
    /// Whether a person wants it contained, as an agent's call always is.
    pub is_contained: bool,
}

/// The reason why a person is asked, each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfirmReason {
    /// Its plugin declares that it changes files or installed packages.
    Changes,
    /// `confirm` in the settings of its instance names it.
    Settings,
}
