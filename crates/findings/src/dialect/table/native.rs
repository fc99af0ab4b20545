//! Tools of compiled languages.

use super::{LINE, Order, Row, formats};
use crate::model::Severity::{Error, Warning};

/// Words of cmake's own messages.
const CMAKE: &[&str] = &["CMake Error", "CMake Warning", "CMake Deprecation Warning"];
/// The rest of the first paragraph, which is the message; later ones explain it.
const CMAKE_BELOW: &[&str] = &[
    r"^  +(?<wrapped>\S.*)$",
    r"^(?:  (?<message>.*\S))?\s*$",
    r"^(?<stack>  .*\S|Call Stack \(most recent call first\):)?\s*$",
];

/// The rest of a message of Go.
const GO_BELOW: &[&str] = &[r"^\t\s*(?<message>\S.*)$"];

/// The reasons of a failure of gradle, each further in than the one that it explains.
const GRADLE_BELOW: &[&str] = &[r"^(?<message>(?:> |  ).*\S)?\s*$"];

formats! { NATIVE:
    Row {
        id: "kotlinc",
        programs: &["kotlinc", "gradle", "gradlew"],
        triggers: &[".kt:", ".kts:"],
        lines: &[r"^(?<severity>[ew]): (?:file://)?(?<file>/?\S.*?\.kts?):(?: \()?(?<line>\d+)(?:, |:)(?<column>\d+)\)?:? (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "kotlinc",
        programs: &[],
        triggers: &[".kt:", ".kts:"],
        lines: &[r#"^(?<file>[^\s`"][^`"]*?\.kts?):(?<line>\d+):(?<column>\d+): (?<severity>error|warning): (?<message>\S.*)$"#],
        ..LINE
    },
    Row {
        id: "kotlinc",
        programs: &[],
        triggers: &["error: source file or directory not found: "],
        lines: &[r"^error: (?<message>source file or directory not found: .+)$"],
        ..LINE
    },
    Row {
        id: "gradle",
        programs: &["gradle", "gradlew"],
        triggers: &["' line: "],
        lines: &[
            r"^\S[\w ]* '(?<file>[^']+)' line: (?<line>\d+)$",
            "^$",
            r"^\* What went wrong:$",
            r"^(?<message>\S.*)$",
        ],
        more: GRADLE_BELOW,
        ..LINE
    },
    // The tool of a task has named the reason, or this is the only one.
    Row {
        id: "gradle",
        programs: &[],
        triggers: &["* What went wrong:"],
        lines: &[r"^\* What went wrong:$", r"^(?<message>\S.*)$"],
        more: GRADLE_BELOW,
        is_consequence: true,
        ..LINE
    },
    // With `-fdiagnostics-format=msvc`.
    Row {
        id: "clang_cl",
        programs: &["clang-cl"],
        triggers: &["): error: ", "): warning: ", "): fatal error: "],
        lines: &[r"^(?<file>{name}\.(?:c|cc|cpp|cxx|m|mm|h|hh|hpp))\((?<line>\d+),(?<column>\d+)\): (?<severity>(?:fatal )?error|warning): (?<message>.+?)(?: \[(?<code>-W[\w=,-]+)\])?$"],
        severities: &[("fatal error", Error)],
        ..LINE
    },
    Row {
        id: "golangci_lint",
        programs: &["golangci-lint"],
        triggers: &[".go:"],
        lines: &[r"^(?<file>{name}\.go):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.+) \((?<code>[a-z]+)\)$"],
        ..LINE
    },
    Row {
        id: "assertion",
        programs: &[],
        triggers: &[": Assertion `"],
        lines: &[r#"^[^:]+: (?<file>[^:`"]*\.[^:`"]*):(?<line>\d+): [^`"]+?: (?<message>Assertion `.*' failed\.)$"#],
        ..LINE
    },
    Row {
        id: "assertion",
        programs: &[],
        triggers: &["Assertion failed: ("],
        lines: &[
            r#"^(?<message>Assertion failed: \(.*?\))(?:, function .*)?, file (?<file>[^`"]+), line (?<line>\d+)\.$"#,
        ],
        ..LINE
    },
    Row {
        id: "go",
        programs: &["go", "gopls", "golangci-lint", "staticcheck"],
        triggers: &[".go:"],
        lines: &[r#"^(?:vet: )?(?<file>[^\s`"][^`"]*?\.go):(?<line>\d+):(?<column>\d+): *(?<message>\S.*)$"#],
        more: GO_BELOW,
        ..LINE
    },
    Row {
        id: "ktlint",
        programs: &["ktlint", "gradle"],
        triggers: &[".kt:", ".kts:"],
        lines: &[r"^(?<file>{name}\.kts?):(?<line>\d+):(?<column>\d+):? (?<message>.+) \((?<code>[a-z-]+(?::[a-z-]+)?)\)$"],
        ..LINE
    },
    Row {
        id: "detekt",
        programs: &["detekt", "gradle"],
        triggers: &[".kt:"],
        lines: &[r"^(?<file>{name}\.kts?):(?<line>\d+):(?<column>\d+): (?<message>.+) \[(?<code>[A-Z]\w+)\]$"],
        ..LINE
    },
    Row {
        id: "checkstyle",
        programs: &["checkstyle", "mvn", "gradle"],
        triggers: &["[ERROR] ", "[WARN] "],
        lines: &[r"^\[(?:ant:checkstyle\] \[)?(?<severity>ERROR|WARN|WARNING)\] (?<file>\S.*?\.java):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.+) \[(?<code>[A-Z]\w+)\]$"],
        ..LINE
    },
    Row {
        id: "rustfmt",
        programs: &["rustfmt", "cargo"],
        triggers: &["Diff in "],
        lines: &[r"^(?<message>Diff in) (?<file>.+?\.rs)(?::| at line )(?<line>\d+):?$"],
        ..LINE
    },
    Row {
        id: "dart_analyze",
        programs: &["dart", "flutter"],
        triggers: &[" • "],
        lines: &[r"^ *(?<severity>error|warning|info) • (?<message>.+) • (?<file>\S.*?):(?<line>\d+):(?<column>\d+) • (?<code>\w+)$"],
        ..LINE
    },
    Row {
        id: "dart_analyze",
        programs: &[],
        triggers: &[".dart:"],
        lines: &[r"^ *(?<severity>error|warning|info) • (?<file>{name}\.dart):(?<line>\d+):(?<column>\d+) • (?<message>.+) • (?<code>\w+)$"],
        ..LINE
    },
    Row {
        id: "dart_analyze_dash",
        programs: &["dart"],
        triggers: &["  error - ", "warning - ", "   info - "],
        lines: &[r"^ *(?<severity>error|warning|info) - (?<file>{name}):(?<line>\d+):(?<column>\d+) - (?<message>.+) - (?<code>\w+)$"],
        ..LINE
    },
    Row {
        id: "dart_compile",
        programs: &["dart", "flutter"],
        triggers: &[": Error: "],
        lines: &[r"^(?<file>{name}\.dart):(?<line>\d+):(?<column>\d+): Error: (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "protobuf",
        programs: &["buf", "protoc"],
        triggers: &[".proto:"],
        lines: &[r"^(?<file>[^\s:][^:]*\.proto):(?<line>\d+):(?<column>\d+): ?(?:(?<severity>warning): )?(?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "protobuf",
        programs: &[],
        triggers: &[".proto("],
        lines: &[r"^(?<file>\S.*\.proto)\((?<line>\d+)\) : (?<severity>error|warning) in column=(?<column>\d+): (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "protobuf",
        programs: &[],
        triggers: &["Could not make proto path relative: "],
        lines: &[r"^(?<message>Could not make proto path relative: .+)$"],
        ..LINE
    },
    Row {
        id: "mix",
        programs: &["mix", "elixirc"],
        triggers: &["    error: ", "    warning: "],
        lines: &[
            r"^    (?<severity>error|warning): (?<message>.+)$",
            r"^ +└─ (?<file>[^\s:][^:]*?\.exs?):(?<line>\d+)(?::(?<column>\d+))?",
        ],
        order: Order::Within(12),
        ..LINE
    },
    Row {
        id: "sbt",
        programs: &["sbt", "scala-cli"],
        triggers: &["[error] ", "[warn] "],
        lines: &[r"^\[(?<severity>error|warn)\] (?:-- .*?)?(?<file>{name}\.scala):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "swiftlint",
        programs: &["swiftlint"],
        triggers: &[".swift:"],
        lines: &[r"^(?<file>\S.*?\.swift):(?<line>\d+)(?::(?<column>\d+))?: (?<severity>error|warning): (?<message>.+) \((?<code>[a-z_]+)\)$"],
        ..LINE
    },
    Row {
        id: "go",
        programs: &[],
        triggers: &["go: errors parsing "],
        lines: &[
            r"^go: errors parsing \S+:$",
            r"^(?<file>{name}\.\w+):(?<line>\d+)(?::(?<column>\d+))?: (?<message>\S.*)$",
        ],
        order: Order::Repeating(0),
        ..LINE
    },
    Row {
        id: "go",
        programs: &[],
        triggers: &["go: "],
        lines: &[concat!(
            r"^go: (?<message>(?:cannot (?:find|load) |could not |error |go\.mod file not found|inconsistent vendoring",
            r"|invalid |no packages loaded from |no such tool|unknown |updates to go\.|open |module .*: ).*|.*(?:: missing go\.sum entry|: invalid version",
            r"|: unknown revision|404 Not Found|: dial tcp|: no matching versions|: checksum mismatch|: reading |: import cycle).*)$",
        )],
        more: GO_BELOW,
        ..LINE
    },
    Row {
        id: "go",
        programs: &[],
        triggers: &[
            " is not in GOROOT",
            " is not in std",
            "no required module provides package ",
            "no Go files in ",
            "found packages ",
            ": import cycle not allowed",
            ": directory not found",
            ": function main is undeclared in the main package",
        ],
        lines: &[concat!(
            r"^\t?(?<message>package \S.* is not in (?:GOROOT|std) \(.*|no required module provides package .*|no Go files in /.*",
            r"|found packages .*\.go\) and .*\) in .*|imports .*: import cycle not allowed|stat /.*: directory not found",
            r"|runtime\.main_main·f: function main is undeclared in the main package)$",
        )],
        more: GO_BELOW,
        ..LINE
    },
    Row {
        id: "go",
        programs: &[],
        triggers: &[".go: no such file or directory"],
        lines: &[r"^(?<message>stat \S+\.go: no such file or directory)$"],
        ..LINE
    },
    Row {
        id: "go",
        programs: &[],
        triggers: &["pattern "],
        lines: &[r"^(?:go: )?(?<message>pattern \S+: (?:lstat|stat|open|directory|main module) .+)$"],
        ..LINE
    },
    Row {
        id: "go",
        programs: &[],
        triggers: &[": unknown command"],
        lines: &[r"^(?<message>go \S+: unknown command)$"],
        ..LINE
    },
    Row {
        id: "cmake",
        programs: &["cmake", "ccmake", "ninja"],
        triggers: CMAKE,
        lines: &[
            r#"^CMake (?<severity>Error|Warning|Deprecation Warning)(?: \(dev\))? (?:at|in) (?<file>[^`"]+?)(?::(?<line>\d+))?(?: \([^()]*\))?:$"#,
            r"^(?:  +(?<message>\S.*))?$",
        ],
        more: CMAKE_BELOW,
        severities: &[("Deprecation Warning", Warning)],
        ..LINE
    },
    Row {
        id: "cmake",
        programs: &[],
        triggers: CMAKE,
        lines: &[r"^CMake (?<severity>Error|Warning|Deprecation Warning)(?: \(dev\))?: (?<message>\S.*)$"],
        more: CMAKE_BELOW,
        severities: &[("Deprecation Warning", Warning)],
        ..LINE
    },
    Row {
        id: "cmake",
        programs: &[],
        triggers: &["ninja: error: "],
        lines: &[r"^ninja: (?<severity>error): (?<file>{name}\.ninja):(?<line>\d+): (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "cmake",
        programs: &[],
        triggers: &["ninja: "],
        lines: &[r"^ninja: (?<severity>error|fatal|warning): (?<message>.+)$"],
        ..LINE
    },
    // The blank behind the last of its files tells it from other words.
    Row {
        id: "cmake",
        programs: &[],
        triggers: &["FAILED: "],
        lines: &[r"^(?<message>FAILED: (?:\[code=\d+\] )?(?:\S+ )+)$"],
        is_consequence: true,
        is_heading: true,
        ..LINE
    },
    Row {
        id: "cmake",
        programs: &[],
        triggers: &["ninja: "],
        lines: &[r"^ninja: (?<message>build stopped: subcommand failed\.)$"],
        is_consequence: true,
        ..LINE
    },
    // Rust's codespan-reporting, as taplo and others print with it.
    Row {
        id: "codespan",
        programs: &["taplo"],
        triggers: &["  ┌─ "],
        lines: &[
            r"^(?<severity>error|warning)(?:\[(?<code>\w+)\])?: (?<message>.+)$",
            r"^ +┌─ (?<file>\S.*):(?<line>\d+):(?<column>\d+)$",
        ],
        order: Order::Headed,
        ..LINE
    },
    Row {
        id: "gettext",
        programs: &["msgfmt", "msgmerge"],
        triggers: &[".po:", ".pot:"],
        lines: &[r"^(?<file>\S.*?\.pot?):(?<line>\d+)(?::(?<column>\d+))?: (?:(?<severity>warning|error): )?(?<message>[^\d.].*)$"],
        ..LINE
    },
    Row {
        id: "elixirc",
        programs: &["elixirc", "elixir"],
        triggers: &["** (CompileError) ", "** (SyntaxError) ", "** (TokenMissingError) "],
        lines: &[r"^\*\* \((?<code>\w+Error)\) (?<file>[^\s:][^:]*\.exs?):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.+)$"],
        ..LINE
    },
    // Errors that end a program, with the nearest place of its own below.
    Row {
        id: "elixirc",
        programs: &[],
        triggers: &["** ("],
        lines: &[
            concat!(
                r"^\*\* \((?<code>exit|throw|(?:Argument|Arithmetic|Runtime|Match|FunctionClause|UndefinedFunction|Key|CaseClause|CondClause|WithClause",
                r"|TryClause|BadMap|BadArity|BadFunction|BadBoolean|Protocol\.Undefined|Erlang|File\.|Code\.Load|Enum\.\w+)Error)\) (?<message>.+)$",
            ),
            r"^ {4}(?<file>[^(\s:][^:]*\.exs?):(?<line>\d+): \S.*$",
        ],
        order: Order::Within(6),
        ..LINE
    },
    // Versions before 1.15, with the place below.
    Row {
        id: "elixirc",
        programs: &[],
        triggers: &[".ex:", ".exs:"],
        lines: &[r"^warning: (?<message>.+)$", r"^  (?<file>{name}\.exs?):(?<line>\d+)(?::(?<column>\d+))?(?:: \S+)?$"],
        order: Order::Headed,
        severity: Warning,
        ..LINE
    },
    Row {
        id: "systemd",
        programs: &["systemd-analyze"],
        triggers: &[".service: ", ".timer: ", ".socket: "],
        lines: &[r"^(?<file>[\w@.-]+\.(?:service|timer|socket)): (?<message>Command .+ is not executable: .+|Unit configuration has fatal error.*|.+ Refusing\.)$"],
        ..LINE
    },
    Row {
        id: "systemd",
        programs: &[],
        triggers: &[".service:", ".timer:", ".socket:"],
        lines: &[r"^(?<file>/{name}\.(?:service|timer|socket)):(?<line>\d+): (?<message>.+)$"],
        severity: Warning,
        ..LINE
    },
    Row {
        id: "cpplint",
        programs: &["cpplint"],
        triggers: &["] [1]", "] [2]", "] [3]", "] [4]", "] [5]"],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+):  (?<message>.+?)  \[(?<code>[a-z+\d]+/[\w+]+)\] \[\d\]$"],
        ..LINE
    },
    Row {
        id: "cpplint",
        programs: &[],
        triggers: &["): error cpplint: ["],
        lines: &[r"^(?<file>\S.*?)\((?<line>\d+)\): error cpplint: \[(?<code>[a-z+\d]+/[\w+]+)\] (?<message>.+) \[\d\]$"],
        ..LINE
    },
    Row {
        id: "cmake_lint",
        programs: &["cmake-lint"],
        triggers: &[": [C0", ": [E0", ": [W0", ": [R0"],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+)(?:,(?<column>\d+))?: \[(?<code>(?<severity>[CEWR])\d{4})\] (?<message>.+)$"],
        severities: &[("C", Warning), ("R", Warning)],
        ..LINE
    },
    Row {
        id: "valgrind",
        programs: &["valgrind"],
        triggers: &["== Invalid ", "== Conditional jump", "== Use of uninit", "== Syscall param", "== Mismatched free", "definitely lost in"],
        lines: &[r"^==\d+== (?<message>(?:Invalid (?:read|write|free)|Conditional jump|Use of uninit|Syscall param|Mismatched free|[\d,]+ (?:\([^()]*\) )?bytes in [\d,]+ blocks are definitely lost).*)$", r"^==\d+== +(?:at|by) 0x[\dA-F]+: .* \((?<file>[^():]+):(?<line>\d+)\)$"],
        order: Order::Within(8),
        ..LINE
    },
    Row {
        id: "ant",
        programs: &["ant"],
        triggers: &["BUILD FAILED"],
        lines: &["^BUILD FAILED$", r"^(?<file>/.+\.xml):(?<line>\d+): (?<message>.+)$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "ant",
        programs: &[],
        triggers: &["BUILD FAILED"],
        lines: &[r"^BUILD FAILED$", r#"^(?<message>Target ".+" does not exist in the project ".*")\. *$"#],
        ..LINE
    },
    Row {
        id: "erlc",
        programs: &["erlc", "rebar3"],
        triggers: &[".erl:", ".hrl:"],
        lines: &[r"^(?<file>\S.*?\.[eh]rl):(?<line>\d+)(?::(?<column>\d+))?: (?:(?<severity>Warning): )?(?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "bison",
        programs: &["bison"],
        triggers: &[": error: ", ": warning: "],
        lines: &[r"^(?<file>\S.*?\.(?:y|yy|ypp|y\+\+)):(?<line>\d+)\.(?<column>\d+)(?:-[\d.]+)?: (?<severity>error|warning): (?<message>.+?)(?: \[(?<code>-W[\w=-]+)\])?$"],
        ..LINE
    },
    // Flex, which stands beside bison.
    Row {
        id: "bison",
        programs: &[],
        triggers: &[": bad character", ": unrecognized rule", ": premature EOF", ": missing quote", ": undefined definition ", ": bad start condition ", ": bad iteration values"],
        lines: &[r"^(?<file>{name}\.l+):(?<line>\d+): (?<message>(?:bad|unrecognized|premature|missing|undefined) .+)$"],
        ..LINE
    },
    Row {
        id: "cobc",
        programs: &["cobc"],
        triggers: &[".cob:", ".cbl:", ".cpy:"],
        lines: &[r"^(?<file>\S.*?\.(?:cob|cbl|cpy)):(?<line>\d+): (?<severity>error|warning): (?<message>.+?)(?: \[(?<code>-W[\w=-]+)\])?$"],
        ..LINE
    },
    Row {
        id: "cppcheck",
        programs: &["cppcheck"],
        triggers: &[": error: ", ": warning: ", ": style: ", ": performance: ", ": portability: "],
        lines: &[r"^(?<file>\S.*?\.(?:[ch]|[ch]\+\+|cc|cpp|cxx|hh|hpp|hxx|ipp)):(?<line>\d+):(?<column>\d+): (?<severity>error|warning|style|performance|portability): (?<message>.+) \[(?<code>[A-Za-z]\w+)\]$"],
        severities: &[("style", Warning), ("performance", Warning), ("portability", Warning)],
        ..LINE
    },
    Row {
        id: "iverilog",
        programs: &["iverilog"],
        triggers: &[": error: ", ": warning: "],
        lines: &[r"^(?<file>\S.*?\.s?vh?):(?<line>\d+): (?<severity>error|warning): (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "iverilog",
        programs: &[],
        triggers: &[": syntax error"],
        lines: &[r"^(?<file>\S.*?\.s?vh?):(?<line>\d+): (?<message>syntax error)$"],
        ..LINE
    },
    Row {
        id: "luacheck",
        programs: &["luacheck"],
        triggers: &[".lua:"],
        lines: &[r"^ {4}(?<file>\S.*?\.lua):(?<line>\d+):(?<column>\d+)(?:-\d+)?: (?:\((?<code>E\d+)\) )?(?<message>(?:expected|missing|unfinished|malformed|unexpected|invalid|cannot) .+)$"],
        ..LINE
    },
    Row {
        id: "luacheck",
        programs: &[],
        triggers: &[".lua:"],
        lines: &[r"^ {4}(?<file>\S.*?\.lua):(?<line>\d+):(?<column>\d+)(?:-\d+)?: (?:\((?<code>W\d+)\) )?(?<message>\S.+)$"],
        severity: Warning,
        ..LINE
    },
    Row {
        id: "luacheck",
        programs: &[],
        triggers: &[".lua:"],
        lines: &[r"^(?<file>\S.*?\.lua):(?<line>\d+):(?<column>\d+)(?:-\d+)?: \((?<code>(?<severity>[WE])\d+)\) (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "luacheck",
        programs: &[],
        triggers: &[".lua:"],
        lines: &[r"^(?<file>\S.*?\.lua):(?<line>\d+):(?<column>\d+)(?:-\d+)?: (?<message>(?:unused|accessing undefined|setting non-standard|mutating non-standard|shadowing|value assigned|line is too long|inconsistent indentation|trailing whitespace|line contains|unreachable code|empty if branch) ?.*)$"],
        severity: Warning,
        ..LINE
    },
    Row {
        id: "luacheck",
        programs: &[],
        triggers: &[".lua:"],
        lines: &[r"^(?<file>\S.*?\.lua):(?<line>\d+):(?<column>\d+)(?:-\d+)?: (?<message>(?:expected|missing|unfinished|malformed|unexpected|invalid|cannot) .+)$"],
        ..LINE
    },
    Row {
        id: "luacheck",
        programs: &[],
        triggers: &[": couldn't read: "],
        lines: &[r"^(?: {4})?(?<file>{name}\.\w+): (?<message>couldn't read: .+)$"],
        ..LINE
    },
    Row {
        id: "go",
        programs: &[],
        triggers: &[": running \""],
        lines: &[r#"^(?<file>{name}\.go):(?<line>\d+): (?<message>running ".+": \S.*)$"#],
        ..LINE
    },
    // The error that `main` returned.
    Row {
        id: "rust_main",
        programs: &[],
        triggers: &["Error: "],
        lines: &[r#"^Error: (?<message>(?:[A-Z]\w+ ?[({].*[)}]|".+"))$"#],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "maven_model",
        programs: &["mvn"],
        triggers: &["[FATAL] "],
        lines: &[r"^\[FATAL\] (?<message>\S+ POM (?<file>/.+?): .+?)(?: @)?(?: +@ line (?<line>\d+), column (?<column>\d+))?$"],
        ..LINE
    },
    Row {
        id: "maven_model",
        programs: &[],
        triggers: &["[ERROR] "],
        lines: &[r"^\[ERROR\] (?<message>(?:Plugin \S+ or one of its dependencies could not be resolved|No plugin found for prefix |Unknown lifecycle phase |The goal you specified requires ).+?)(?: -> \[Help \d+\])?$"],
        is_consequence: true,
        ..LINE
    },
}
