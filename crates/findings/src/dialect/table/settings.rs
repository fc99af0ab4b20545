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
        more: &["^$", r"^  [x×] (?<message>Failed to parse oxlint config (?<file>{name}\.\w+))\.$", r"^(?:Reason: |  [x×|] )(?<message>\S.*?) *$"],
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
    // In the words of tools of Python.
    Row {
        id: "settings",
        triggers: &[
            "ERROR: No matching distribution found for ",
            "ERROR: Could not open requirements file: ",
            "ERROR: Invalid requirement: ",
            "FileNotFoundError: ",
            "No data to report.",
            "Coverage failure: total of ",
            "nox > Sessions not found: ",
            "No hook with id `",
            ": Error while finding module specification for '",
            "[ ERROR ] ",
            ": Exception running subprocess ",
        ],
        lines: &[concat!(
            r"^(?:ERROR: |nox > |\S*python[\d.]*: |\[ ERROR \] |[\w.-]+: )?(?<message>No matching distribution found for .+|Could not open requirements file: .+",
            r"|Invalid requirement: .+|FileNotFoundError: \S.*\.feature|No data to report|Coverage failure: total of .+|Sessions not found: .+",
            r"|No hook with id `.+` in stage `.+`|Error while finding module specification for '.+' \(.+\)|Parsing '.+' failed: .+",
            r"|Suite '.+' contains no tests.*|Exception running subprocess .+)\.?$",
        )],
        ..LINE
    },
    // In the words of tools of JavaScript.
    Row {
        id: "settings",
        triggers: &[
            "✘ Based on your configuration, ",
            "Error: no test specified",
            "Configuration Error: ",
            "Can't open config file '",
            "Incomplete: No specs found",
            "Error: Unable to use configuration file '",
            "Cannot find project '",
            "Error: Project(s) \"",
            " does not exist or is invalid.",
            "ERROR: Task not found: ",
            "== No rules found, ",
            "Could not find task `",
        ],
        lines: &[concat!(
            r"^(?: *✘ |Error: | *ERROR: |Incomplete: |Configuration Error: | *NX +|== |[ `>╰─▶-]*[x×] )?(?<message>Based on your configuration, .+ did not match the filters",
            r#"|no test specified|Failed to read config file: .+|Can't open config file '.+' for reading.*|No specs found"#,
            r#"|Unable to use configuration file '.+'; .+|Cannot find project '.+'|Project\(s\) ".+" not found\. .+"#,
            r#"|(?<file>{name}\.(?:ya?ml|json)) does not exist or is invalid|Task not found: ".+"|No rules found, textlint hasn.t done anything|Could not find task `.+` in project)[.:]?(?: ==)?$"#,
        )],
        ..LINE
    },
    // As pnpm reads a package.json.
    Row {
        id: "settings",
        triggers: &[" in JSON at position "],
        lines: &[r"^\W*ERROR\W+(?<message>.+ in JSON at position .+ in (?<file>/.+\.json))\s*$", r"^> *(?<line>\d+) \|"],
        order: Order::Within(6),
        ..LINE
    },
    Row {
        id: "settings",
        triggers: &["● Unrecognized CLI Parameter"],
        lines: &["^● (?<message>Unrecognized CLI Parameters?):$"],
        more: &["^$", r"^  (?<message>Following .+|\[.+\]|Unrecognized .+)$"],
        ..LINE
    },
}
