//! Errors of settings, and of files that a program looks for, each in the program's own words.

use super::{LINE, Order, Row, formats};

formats! { SETTINGS:
    // With a place.
    Row {
        id: "settings",
        triggers: &[".toml: "],
        lines: &[r"^ERROR: (?<file>{name}\.toml): (?<message>.+) \(at line (?<line>\d+), column (?<column>\d+)\)$"],
        ..LINE
    },
    Row {
        id: "settings",
        triggers: &[": error: Error importing plugin "],
        lines: &[r"^(?<file>{name}\.(?:ini|cfg|toml)):(?<line>\d+): error: (?<message>Error importing plugin .+?)(?:  \[(?<code>[\w-]+)\])?$"],
        ..LINE
    },
    Row {
        id: "settings",
        triggers: &["encountered an error parsing the configuration file: "],
        lines: &[
            r"^(?:Error: |ERROR +-  )?(?<message>MkDocs encountered an error parsing the configuration file: .+)$",
            r#"^  in "(?<file>.+)", line (?<line>\d+), column (?<column>\d+)$"#,
        ],
        order: Order::Within(3),
        ..LINE
    },
    Row {
        id: "settings",
        triggers: &["There is a syntax error in your configuration file: "],
        lines: &[r"^(?<message>There is a syntax error in your configuration file: .+?)(?: \((?<file>[^()]+\.py), line (?<line>\d+)\))?$"],
        ..LINE
    },
    // In several lines.
    Row {
        id: "settings",
        triggers: &["ERROR: Error loading ", "Failed to parse oxlint configuration file."],
        lines: &[r"^(?:ERROR: )?(?<message>Error loading .+|Failed to parse oxlint configuration file)\.?$"],
        more: &["^$", r"^(?:Reason: |  [x×] )(?<message>\S.*?) *$"],
        ..LINE
    },
    Row {
        id: "settings",
        triggers: &["Configuration error:"],
        lines: &["^Configuration error:$", r"^(?<message>config directory .+)$"],
        ..LINE
    },
    Row {
        id: "settings",
        triggers: &["There was a critical error during execution of Flake8:"],
        lines: &["^There was a critical error during execution of Flake8:$", "^(?<message>.+)$"],
        more: &["^(?<message>- .+)$"],
        ..LINE
    },
    // In one line.
    Row {
        id: "settings",
        triggers: &[
            "ERROR: not found: ",
            "ERROR: Unable to find package.json",
            "Error: You must use a valid formatter option: ",
            "` is not expected in this context",
            "Cannot read or parse config file '",
            ": error: Unrecognized option found: ",
            "Error: Unknown dialect '",
            "nox > Failed to load Noxfile ",
            " could not be found.",
            " : Could not read config file.",
            "✖   Please add rules to your `commitlint.config.js`",
        ],
        lines: &[concat!(
            r"^(?:(?:ERROR|Error|\w+: error): |nox > |\[main\]\s+ERROR\s+|✖   )?(?<message>not found: /.+|Unable to find package\.json|You must use a valid formatter option: .+",
            r"|`.+` is not expected in this context|Cannot read or parse config file '.+': .+|Unrecognized option found: .+|Unknown dialect '.+'",
            r"|Failed to load Noxfile .+|/.+ could not be found|.+ : Could not read config file|Please add rules to your `commitlint\.config\.js`)\.?$",
        )],
        ..LINE
    },
    Row {
        id: "settings",
        triggers: &["[Errno 2] No such file or directory: '", "Error reading ", "lessc: ENOENT: "],
        lines: &[r"^(?:\[Errno 2\] |lessc: ENOENT: |Error )?(?<message>No such file or directory: '.+'|no such file or directory, open '.+'|reading .+: no such file or directory)\.?$"],
        ..LINE
    },
}
