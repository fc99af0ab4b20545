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
        id: "shellcheck",
        programs: &[],
        triggers: &[" [SC1", " [SC2", " [SC3"],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+):(?<column>\d+): (?<severity>error|warning|note): (?<message>.+) \[(?<code>SC\d+)\]$"],
        severities: &[("note", Info)],
        ..LINE
    },
    Row {
        id: "shellcheck",
        programs: &[],
        triggers: &[": openBinaryFile: does not exist "],
        lines: &[r"^(?<file>\S.*?): .*(?<message>openBinaryFile: does not exist .+)$"],
        ..LINE
    },
    Row {
        id: "actionlint",
        programs: &["actionlint"],
        triggers: &[".yml:", ".yaml:"],
        lines: &[r"^(?<file>{name}\.ya?ml):(?<line>\d+):(?<column>\d+): (?<message>.+) \[(?<code>[a-z-]+)\]$"],
        ..LINE
    },
    Row {
        id: "hadolint",
        programs: &["hadolint"],
        triggers: &[" DL1", " DL3", " DL4", " SC1", " SC2"],
        lines: &[r"^(?<file>[^\s:][^:]*):(?<line>\d+) (?<code>(?:DL|SC)\d{4}) (?<severity>error|warning|info|style): (?<message>.+)$"],
        severities: &[("style", Info)],
        ..LINE
    },
    Row {
        id: "hadolint",
        programs: &[],
        triggers: &[": DL1", ": DL3", ": DL4", ": SC1", ": SC2"],
        lines: &[r"^hadolint:(?<file>[^\s:][^:]*):(?<line>\d+): (?<code>(?:DL|SC)\d{4}) (?<severity>error|warning|info|style|note): (?<message>.+)$"],
        severities: &[("style", Info), ("note", Info)],
        ..LINE
    },
    Row {
        id: "hadolint",
        programs: &[],
        triggers: &["ockerfile"],
        lines: &[r"^(?<file>(?:{name}/)?[^\s:/]*[Dd]ockerfile[^\s:]*):(?<line>\d+):(?<column>\d+) (?<message>[a-z].*?) *$"],
        ..LINE
    },
    Row {
        id: "rubocop",
        programs: &["rubocop", "standardrb"],
        triggers: &[": C: ", ": W: ", ": E: ", ": F: ", ": R: "],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+):(?<column>\d+): (?<severity>[CWEFRI]): (?:\[Correctable\] )?(?<code>[A-Z]\w+(?:/\w+)+): (?<message>.+)$"],
        severities: &[("C", Warning), ("R", Warning), ("W", Warning), ("E", Error), ("F", Error), ("I", Info)],
        ..LINE
    },
    Row {
        id: "rubocop",
        programs: &[],
        triggers: &[" Bundler/", " Gemspec/", " Layout/", " Lint/", " Metrics/", " Migration/", " Naming/", " Performance/", " Rails/", " RSpec/", " Security/", " Style/"],
        lines: &[r"^== (?<file>\S.*) ==$", r"^(?<severity>[CWEFRI]): +(?<line>\d+): +(?<column>\d+): (?:\[Correctable\] )?(?<code>[A-Z]\w+(?:/\w+)+): (?<message>.+)$"],
        order: Order::HeadedRepeating(3),
        severities: &[("C", Warning), ("R", Warning), ("W", Warning), ("E", Error), ("F", Error), ("I", Info)],
        ..LINE
    },
    Row {
        id: "ruby",
        programs: &["ruby", "rake", "bundle"],
        triggers: &[".rb:"],
        lines: &[r"^(?<file>[^\s:][^:]*?\.rb):(?<line>\d+):in ['`].+?': (?<message>.+ \((?<code>[A-Z]\w+(?:::\w+)*)\))$"],
        ..LINE
    },
    Row {
        id: "ruby",
        programs: &[],
        triggers: &["<internal:"],
        lines: &[r"^<internal:\S+>:\d+:in ['`].+?': (?<message>.+ \((?<code>[A-Z]\w+(?:::\w+)*)\))$", r"^\tfrom (?<file>[^<\s](?:{name})?):(?<line>\d+):in .*$"],
        order: Order::Within(3),
        ..LINE
    },
    Row {
        id: "ruby",
        programs: &[],
        triggers: &["ruby: No such file or directory -- "],
        lines: &[r"^ruby: (?<message>No such file or directory -- (?<file>\S.*)) \(LoadError\)$"],
        ..LINE
    },
    Row {
        id: "rake",
        programs: &["rake"],
        triggers: &["rake aborted!"],
        lines: &[r"^rake aborted!$", r"^(?<message>Don't know how to build task .+?)(?: \(See the list .*)?$"],
        ..LINE
    },
    Row {
        id: "rake",
        programs: &[],
        triggers: &["rake aborted!"],
        lines: &[r"^rake aborted!$", r"^(?<message>\S.*)$", r"^(?<file>\S*(?:[Rr]akefile|\.rake|\.rb)):(?<line>\d+):in .*$"],
        order: Order::Within(2),
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "rake",
        programs: &[],
        triggers: &["rake aborted!"],
        lines: &[r"^rake aborted!$", r"^(?<message>No Rakefile found .+)$"],
        ..LINE
    },
    Row {
        id: "ruby_syntax",
        programs: &["ruby"],
        triggers: &[": syntax error", ": unterminated "],
        lines: &[r"^(?:ruby: )?(?<file>[^\s:][^:]*?\.rb):(?<line>\d+): (?<message>(?:syntax errors?|unterminated \w+ meets).*?)(?: \(SyntaxError\))?$"],
        ..LINE
    },
    Row {
        id: "ruby_syntax",
        programs: &[],
        triggers: &[".rb:"],
        lines: &[r"^(?<file>[^\s:][^:]*?\.rb):(?<line>\d+): (?<severity>warning): (?<message>\S.*)$"],
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
        id: "php",
        programs: &[],
        triggers: &["PHP Fatal error:  Uncaught "],
        lines: &[r"^PHP Fatal error:  (?<message>Uncaught .+) in (?<file>\S.*):(?<line>\d+)$"],
        ..LINE
    },
    Row {
        id: "php",
        programs: &[],
        triggers: &["PHP Fatal error:  Uncaught "],
        lines: &[r"^PHP Fatal error:  (?<message>Uncaught .*[^\d\s])$", r"^  thrown in (?<file>\S.*) on line (?<line>\d+)$"],
        order: Order::Within(60),
        ..LINE
    },
    Row {
        id: "php",
        programs: &[],
        triggers: &["Could not open input file: "],
        lines: &[r"^(?<message>Could not open input file: .+)$"],
        ..LINE
    },
    Row {
        id: "php_displayed",
        programs: &["php"],
        triggers: &["Parse error: ", "Fatal error: "],
        lines: &[r"^(?:Parse|Fatal) error: (?<message>.+) in (?<file>{name}\.php) on line (?<line>\d+)$"],
        ..LINE
    },
    Row {
        id: "php_displayed",
        programs: &[],
        triggers: &["Fatal error: Uncaught "],
        lines: &[r"^Fatal error: (?<message>Uncaught .+) in (?<file>\S.*\.php):(?<line>\d+)$"],
        ..LINE
    },
    Row {
        id: "php_displayed",
        programs: &[],
        triggers: &["Fatal error: Uncaught "],
        lines: &[r"^Fatal error: (?<message>Uncaught .*[^\d\s])$", r"^  thrown in (?<file>\S.*\.php) on line (?<line>\d+)$"],
        order: Order::Within(60),
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
        order: Order::Repeating(40),
        ..LINE
    },
    Row {
        id: "phpcs",
        programs: &[],
        triggers: &[": error - ", ": warning - "],
        lines: &[r"^(?<file>\S.*?\.\w+):(?<line>\d+):(?<column>\d+): (?<severity>error|warning) - (?<message>\S.*)$"],
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
        // Perl's own warnings, which end no program.
        lines: &[concat!(
            r#"^(?<message>(?:Use of (?:uninitialized value|freed value)|Argument "[^"]*" isn't numeric|Useless use of|Odd number of elements"#,
            r#"|Name "[^"]+" used only once|Subroutine \S+ redefined|"(?:my|our|state)" variable \S+ (?:masks|redeclared)|Scalar value \S+ better written"#,
            r#"|Deep recursion on|Wide character in|Unquoted string|Statement unlikely to be reached|substr outside of string"#,
            r#"|Found = in conditional|Possible (?:attempt|unintended|precedence)|readline\(\) on|print\(\) on|Applying pattern match).*?)"#,
            r#" at (?<file>{name}) line (?<line>\d+)(?:\.|, <\w+> (?:line|chunk) \d+\.)$"#,
        )],
        severity: Warning,
        ..LINE
    },
    Row {
        id: "perl",
        programs: &[],
        triggers: &[".pl line ", ".pm line ", ".t line ", "-e line "],
        // The last line of a compilation only says that it failed, and lines of tests begin with a hash.
        lines: &[r#"^(?<message>(?:[^\sB#]|B[^E]).*) at (?<file>{name}\.(?:pl|pm|t)) line (?<line>\d+)(?:\.|, near ".*|, at EOF|, <\w+> line \d+\.)$"#],
        ..LINE
    },
    Row {
        id: "perl",
        programs: &[],
        triggers: &["Missing right "],
        lines: &[r"^(?<message>Missing right (?:curly or square )?bracket) at (?<file>{name}) line (?<line>\d+), at end of line$"],
        ..LINE
    },
    Row {
        id: "perl",
        programs: &[],
        triggers: &["BEGIN failed--compilation aborted at "],
        lines: &[r"^(?<message>BEGIN failed--compilation aborted) at (?<file>{name}) line (?<line>\d+)\.$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "perl",
        programs: &[],
        triggers: &["Dubious, test returned "],
        lines: &[r"^(?<file>{name}\.t) \.+ *$", r"^(?<message>Dubious, test returned \d+ \(wstat .+\))$"],
        order: Order::Headed,
        is_consequence: true,
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
        id: "terraform",
        programs: &[],
        triggers: &["Error: ", "Warning: "],
        lines: &[
            r"^(?<severity>Error|Warning): (?<message>.*[^)])$",
            r"^  on (?<file>\S.*) line (?<line>\d+)(?:, in .*)?:$",
        ],
        order: Order::Within(1),
        ..LINE
    },
    Row {
        id: "terraform",
        programs: &[],
        triggers: &["│ Error: "],
        lines: &[r"^│ Error: (?<message>.+)$"],
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
        lines: &[r"^[mn]?awk: (?<file>\S+?|{name}\.\w+):(?: line )?(?<line>\d+): (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "awk",
        programs: &[],
        triggers: &["awk: "],
        lines: &[r"^g?awk: (?<file>[^\s:]+|{name}\.\w+):(?<line>\d+): +\^ (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "awk",
        programs: &[],
        triggers: &["awk: cmd. line:"],
        lines: &[r"^g?awk: cmd\. line:\d+: +\^ (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "awk",
        programs: &[],
        triggers: &["awk: "],
        lines: &[r"^gawk: (?:cmd\. line|(?<file>{name})):(?<line>\d+): (?<message>(?:\(FILENAME=.*\) )?fatal: .+)$"],
        ..LINE
    },
    Row {
        id: "awk",
        programs: &[],
        triggers: &["awk: fatal: ", "awk: error: ", "awk: cannot open "],
        lines: &[r"^(?:[gn]?awk: (?:fatal|error): |mawk: )(?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "awk",
        programs: &[],
        triggers: &["mawk: line "],
        lines: &[r"^mawk: line (?<line>\d+): (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "awk",
        programs: &[],
        triggers: &["gawk: "],
        lines: &[r"^gawk: (?:cmd\. line|(?<file>{name})):(?<line>\d+): (?<severity>error|warning): (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "sqlite",
        programs: &["sqlite3"],
        triggers: &["Error: in prepare, ", "Parse error", "Runtime error"],
        lines: &[r"^(?:Error: in prepare, |(?:Parse|Runtime) error:? )(?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "sqlite",
        programs: &[],
        triggers: &["Error: unable to open database ", "Error: stepping, ", "Error: near line "],
        lines: &[r"^Error: (?<message>(?:unable to open database |stepping, |near line \d+: ).+)$"],
        ..LINE
    },
    Row {
        id: "jq",
        programs: &["jq"],
        triggers: &["jq: error (at "],
        lines: &[r"^jq: error \(at (?<file>[^<>()]+):(?<line>\d+)\)(?: \(not a string\))?: (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "jq",
        programs: &[],
        triggers: &["parse error: ", "jq: error"],
        lines: &[r"^(?:jq: )?(?<message>parse error: .+ at line \d+, column \d+|error(?: \(at .+?\))?: .+)$"],
        ..LINE
    },
    Row {
        id: "jq",
        programs: &[],
        triggers: &["jq: Unknown "],
        lines: &[r"^jq: (?<message>Unknown (?:option|argument).+)$"],
        ..LINE
    },
    Row {
        id: "psql",
        programs: &["psql"],
        triggers: &["psql:"],
        lines: &[r"^psql:(?:(?<file>{name}):(?<line>\d+):)? (?<severity>ERROR|FATAL|error|WARNING): +(?<message>\S.*)$"],
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
    // Other mistakes of syntax, with the source below them.
    Row {
        id: "ruby_syntax",
        programs: &[],
        triggers: &[".rb:"],
        lines: &[r"^(?<file>[^\s:][^:]*?\.rb):(?<line>\d+): (?<message>\S.*)$", r"^ *\S.*$", r"^ *\^?~+\^?~*$"],
        ..LINE
    },
    Row {
        id: "rake",
        programs: &[],
        triggers: &["SyntaxError: /", "SyntaxError: ./"],
        lines: &[r"^SyntaxError: (?<file>{name}):(?<line>\d+): (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "perl",
        programs: &[],
        triggers: &["# Looks like you planned "],
        lines: &[r"^# (?<message>Looks like you planned \d+ tests? but ran .+?)\.?$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "terraform",
        programs: &[],
        triggers: &["Error: "],
        lines: &[r"^Error: (?<message>\S.*)$", "^$", r"^[A-Z][^:]*\S$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "terraform",
        programs: &[],
        triggers: &["Terraform has no command named "],
        lines: &[r#"^(?<message>Terraform has no command named ".+")\.$"#],
        ..LINE
    },
}
