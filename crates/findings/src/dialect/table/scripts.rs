//! Tools of shells, Ruby, PHP and Perl, and of infrastructure.

use super::{LINE, Order, Row, formats};
use crate::model::Severity::{Error, Info, Warning};

formats! { SCRIPTS:
    Row {
        id: "shellcheck",
        programs: &["shellcheck"],
        triggers: &["sh line "],
        lines: &[
            r"^In (?<file>.+) line (?<line>\d+):$",
            r"^ *\^-*\^? (?<code>SC\d+)(?: \((?<severity>error|warning|info|style)\))?: (?<message>.+)$",
        ],
        order: Order::Repeating(3),
        severities: &[("style", Info)],
        ..LINE
    },
    Row {
        id: "actionlint",
        programs: &["actionlint"],
        triggers: &[".yml:", ".yaml:"],
        lines: &[r"^(?<file>\S+\.ya?ml):(?<line>\d+):(?<column>\d+): (?<message>.+) \[(?<code>[a-z-]+)\]$"],
        ..LINE
    },
    Row {
        id: "hadolint",
        programs: &["hadolint"],
        triggers: &[" DL1", " DL3", " DL4", " SC1", " SC2"],
        lines: &[r"^(?<file>[^\s:]+):(?<line>\d+) (?<code>(?:DL|SC)\d{4}) (?<severity>error|warning|info|style): (?<message>.+)$"],
        severities: &[("style", Info)],
        ..LINE
    },
    Row {
        id: "rubocop",
        programs: &["rubocop", "standardrb"],
        triggers: &[": C: ", ": W: ", ": E: ", ": F: ", ": R: "],
        lines: &[r"^(?<file>\S+):(?<line>\d+):(?<column>\d+): (?<severity>[CWEFRI]): (?:\[Correctable\] )?(?<code>[A-Z]\w+(?:/\w+)+): (?<message>.+)$"],
        severities: &[("C", Warning), ("R", Warning), ("W", Warning), ("E", Error), ("F", Error), ("I", Info)],
        ..LINE
    },
    Row {
        id: "ruby",
        programs: &["ruby", "rake", "bundle"],
        triggers: &[".rb:"],
        lines: &[r"^(?<file>\S+?\.rb):(?<line>\d+):in ['`].+?': (?<message>.+ \((?<code>[A-Z]\w+(?:::\w+)*)\))$"],
        ..LINE
    },
    Row {
        id: "ruby_syntax",
        programs: &["ruby"],
        triggers: &[": syntax error"],
        lines: &[r"^(?:ruby: )?(?<file>\S+?\.rb):(?<line>\d+): (?<message>syntax errors?.*?)(?: \(SyntaxError\))?$"],
        ..LINE
    },
    Row {
        id: "php",
        programs: &["php", "composer"],
        triggers: &["PHP Parse error:  ", "PHP Fatal error:  ", "PHP Warning:  "],
        lines: &[r"^PHP (?<severity>Parse error|Fatal error|Warning):  (?<message>.+) in (?<file>.+) on line (?<line>\d+)$"],
        ..LINE
    },
    Row {
        id: "php_displayed",
        programs: &["php"],
        triggers: &["Parse error: ", "Fatal error: "],
        lines: &[r"^(?:Parse|Fatal) error: (?<message>.+) in (?<file>\S+\.php) on line (?<line>\d+)$"],
        ..LINE
    },
    Row {
        id: "phpcs",
        programs: &["phpcs"],
        triggers: &["FILE: "],
        lines: &[
            r"^FILE: (?<file>\S.*)$",
            r"^ +(?<line>\d+) \| (?<severity>ERROR|WARNING) +\| (?:\[.\] )?(?<message>.+?)(?: \((?<code>[\w.]+)\))?$",
        ],
        order: Order::Repeating(4),
        ..LINE
    },
    Row {
        id: "phpstan",
        programs: &["phpstan"],
        triggers: &["  Line   "],
        lines: &[r"^  Line   (?<file>\S.*\.php) *$", r"^  (?<line>\d+)    +(?<message>\S.*?) *$"],
        order: Order::Repeating(4),
        ..LINE
    },
    Row {
        id: "perl",
        programs: &["perl", "prove"],
        triggers: &[".pl line ", ".pm line ", ".t line ", "-e line "],
        lines: &[r#"^(?<message>\S.*?) at (?<file>\S+\.(?:pl|pm|t)) line (?<line>\d+)(?:\.|, near ".*|, at EOF|, <\w+> line \d+\.)$"#],
        ..LINE
    },
    Row {
        id: "terraform",
        programs: &["terraform", "tofu", "terragrunt"],
        triggers: &["│ Error: ", "│ Warning: "],
        lines: &[
            r"^│ (?<severity>Error|Warning): (?<message>.+)$",
            r"^│ +on (?<file>\S.*) line (?<line>\d+)(?:, .*|:)$",
        ],
        order: Order::Within(3),
        ..LINE
    },
    Row {
        id: "tflint",
        programs: &["tflint"],
        triggers: &["Error: ", "Warning: ", "Notice: "],
        lines: &[
            r"^(?<severity>Error|Warning|Notice): (?<message>.+) \((?<code>[a-z_]+)\)$",
            r"^  on (?<file>\S.*) line (?<line>\d+):?.*$",
        ],
        order: Order::Within(2),
        severities: &[("Notice", Info)],
        ..LINE
    },
    Row {
        id: "zizmor",
        programs: &["zizmor"],
        triggers: &["error[", "warning[", "info[", "help["],
        lines: &[r"^(?<severity>error|warning|info|help)\[(?<code>[a-z][a-z-]+)\]: (?<message>.+)$", r"^ +--> (?<file>.+?\.ya?ml):(?<line>\d+):(?<column>\d+)$"],
        severities: &[("help", Info)],
        ..LINE
    },
    Row {
        id: "awk",
        programs: &["awk", "mawk", "gawk"],
        triggers: &["awk: "],
        lines: &[r"^[gmn]?awk: (?<file>\S+?):(?: line )?(?<line>\d+): (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "sqlite",
        programs: &["sqlite3"],
        triggers: &["Error: in prepare, ", "Parse error", "Runtime error"],
        lines: &[r"^(?:Error: in prepare, |(?:Parse|Runtime) error(?: near line \d+)?: )(?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "jq",
        programs: &["jq"],
        triggers: &["parse error: ", "jq: error"],
        lines: &[r"^(?:jq: )?(?<message>parse error: .+ at line \d+, column \d+|error(?: \(at .+?\))?: .+)$"],
        ..LINE
    },
    Row {
        id: "psql",
        programs: &["psql"],
        triggers: &["psql:"],
        lines: &[r"^psql:(?:(?<file>\S+?):(?<line>\d+):)? (?<severity>ERROR|FATAL|error|WARNING): +(?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "tcl",
        programs: &["tclsh", "wish"],
        triggers: &["    while executing"],
        lines: &[r#"^(?<message>[^\s"}].*)$"#, "^    while executing$"],
        // The call, then the place.
        more: &[r"^(?:[^ ].*| {0,4}|    [^( ].*|    \([^f].*| {5,}.*)$", r#"^    \(file "(?<file>[^"]+)" line (?<line>\d+)\)$"#],
        order: Order::Headed,
        ..LINE
    },
}
