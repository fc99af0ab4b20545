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

/// Every fault in the order of the variants, with its number (1xx sources, 2xx settings, 3xx calls, 4xx cuff itself) and its meaning.
const TABLE: [(ErrorCode, u16, &str); 17] = [
    (ErrorCode::SourceNotFound, 101, "the file that tools are read from is not there"),
    (ErrorCode::SourceInvalid, 102, "the file that tools are read from cannot be parsed"),
    (ErrorCode::ProgramNotFound, 103, "the program that runs the tool is not installed"),
    (ErrorCode::InvalidConfig, 201, "the settings of the instance are wrong"),
    (ErrorCode::InvalidProgram, 202, "the configured program is not one that is allowed"),
    (ErrorCode::InvalidPattern, 203, "a pattern in the settings cannot be understood, or means nothing"),
    (ErrorCode::NotFound, 301, "nothing of that name is offered"),
    (ErrorCode::Failed, 302, "it ran and ended with a code other than 0, or by a signal"),
    (ErrorCode::TimedOut, 303, "it ran longer than it may and was stopped"),
    (ErrorCode::BadArgument, 304, "an argument or environment variable is wrong or dangerous"),
    (ErrorCode::Cancelled, 305, "it was cancelled and stopped"),
    (ErrorCode::Changed, 306, "what would run is not the file that was found"),
    (ErrorCode::Unconfirmed, 307, "a person must say yes to it first"),
    (ErrorCode::Unapproved, 308, "it was changed since a person approved the settings"),
    (ErrorCode::NotReady, 401, "the call came before the instance was ready"),
    (ErrorCode::Cache, 402, "what was remembered of the sources could not be used"),
    (ErrorCode::NotStarted, 403, "the operating system did not start or supervise the process"),
];

impl ErrorCode {
    /// Every fault, in the order of its number.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.into_iter().map(|(fault, ..)| fault)
    }

    /// The number: 1xx sources, 2xx settings, 3xx calls, 4xx cuff itself.
    pub const fn number(self) -> u16 {
        TABLE[self as usize].1
    }

    /// Its meaning, for the table of error codes.
    pub const fn meaning(self) -> &'static str {
        TABLE[self as usize].2
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
        assert!(TABLE.is_sorted_by(|one, next| one.1 < next.1));
        assert!(TABLE.iter().enumerate().all(|(at, (fault, ..))| *fault as usize == at));
    }
}
