//! The numbered ways things go wrong, the same numbers for every plugin (`PKGJSON_302`, `SCRIPT_302`).

/// A fault. The numbers are those of the package.json specification, section 10.1, and mean the same in every plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorCode {
    /// The file that tools are read from is not there.
    SourceNotFound,
    /// The file that tools are read from cannot be parsed.
    SourceInvalid,
    /// The program that runs the tool is not installed.
    ProgramNotFound,
    /// The settings of the instance are wrong.
    InvalidConfig,
    /// The configured program (package manager, interpreter) is not one that is allowed.
    InvalidProgram,
    /// A pattern in the settings cannot be understood, or means nothing.
    InvalidPattern,
    /// Nothing of that name is offered.
    NotFound,
    /// It ran and ended with a code other than 0, or by a signal.
    Failed,
    /// It ran longer than it may.
    TimedOut,
    /// An argument is wrong or dangerous.
    BadArgument,
    /// It was cancelled while it ran.
    Cancelled,
    /// The program or script is not the one that was found: the file changed or left its folder.
    Changed,
    /// A person must say yes to it first.
    Unconfirmed,
    /// It was changed since a person approved the settings.
    Unapproved,
    /// A call came before the instance was ready.
    NotReady,
    /// The cached discovery could not be used.
    Cache,
    /// The operating system did not start or supervise the process.
    NotStarted,
}

impl ErrorCode {
    /// Every fault, in the order of its number.
    pub const ALL: &'static [Self] = &[
        Self::SourceNotFound,
        Self::SourceInvalid,
        Self::ProgramNotFound,
        Self::InvalidConfig,
        Self::InvalidProgram,
        Self::InvalidPattern,
        Self::NotFound,
        Self::Failed,
        Self::TimedOut,
        Self::BadArgument,
        Self::Cancelled,
        Self::Changed,
        Self::Unconfirmed,
        Self::Unapproved,
        Self::NotReady,
        Self::Cache,
        Self::NotStarted,
    ];

    /// The number: 1xx sources, 2xx settings, 3xx calls, 4xx cuff itself.
    pub const fn number(self) -> u16 {
        match self {
            Self::SourceNotFound => 101,
            Self::SourceInvalid => 102,
            Self::ProgramNotFound => 103,
            Self::InvalidConfig => 201,
            Self::InvalidProgram => 202,
            Self::InvalidPattern => 203,
            Self::NotFound => 301,
            Self::Failed => 302,
            Self::TimedOut => 303,
            Self::BadArgument => 304,
            Self::Cancelled => 305,
            Self::Changed => 306,
            Self::Unconfirmed => 307,
            Self::Unapproved => 308,
            Self::NotReady => 401,
            Self::Cache => 402,
            Self::NotStarted => 403,
        }
    }

    /// Its meaning, for the table of error codes.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::SourceNotFound => "the file that tools are read from is not there",
            Self::SourceInvalid => "the file that tools are read from cannot be parsed",
            Self::ProgramNotFound => "the program that runs the tool is not installed",
            Self::InvalidConfig => "the settings of the instance are wrong",
            Self::InvalidProgram => "the configured program is not one that is allowed",
            Self::InvalidPattern => "a pattern in the settings cannot be understood, or means nothing",
            Self::NotFound => "nothing of that name is offered",
            Self::Failed => "it ran and ended with a code other than 0, or by a signal",
            Self::TimedOut => "it ran longer than it may and was stopped",
            Self::BadArgument => "an argument or environment variable is wrong or dangerous",
            Self::Cancelled => "it was cancelled and stopped",
            Self::Changed => "what would run is not the file that was found",
            Self::Unconfirmed => "a person must say yes to it first",
            Self::Unapproved => "it was changed since a person approved the settings",
            Self::NotReady => "the call came before the instance was ready",
            Self::Cache => "what was remembered of the sources could not be used",
            Self::NotStarted => "the operating system did not start or supervise the process",
        }
    }

    /// The full code for a plugin's prefix: `PKGJSON_302`.
    pub fn code(self, prefix: &str) -> String {
        format!("{prefix}_{}", self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_unique_and_rising() {
        assert!(ErrorCode::ALL.windows(2).all(|pair| pair[0].number() < pair[1].number()));
    }
}
