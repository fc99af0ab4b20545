//! Errors in the arguments of a call.

/// Why a plugin cannot plan a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadCall {
    /// Whether the argument is a slip or a danger, or names settings that are wrong.
    pub kind: BadCallKind,
    /// The error, naming the argument.
    pub message: String,
    /// The next step for the caller.
    pub help: Option<String>,
}

/// Whether an argument is a slip or a danger, or names settings that are wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadCallKind {
    /// It cannot be understood: unclosed quotes, an unknown name.
    Invalid,
    /// It is understood and not allowed.
    Refused,
    /// The settings that it names are wrong.
    Unusable,
}

impl BadCall {
    /// An argument that cannot be understood.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self { kind: BadCallKind::Invalid, message: message.into(), help: None }
    }

    /// An argument that is not allowed.
    pub fn refused(message: impl Into<String>) -> Self {
        Self { kind: BadCallKind::Refused, message: message.into(), help: None }
    }

    /// An argument that names settings that are wrong.
    pub fn unusable(message: impl Into<String>) -> Self {
        Self { kind: BadCallKind::Unusable, message: message.into(), help: None }
    }

    /// The same, with the next step.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
