//! Tools of compiled languages.

use super::{LINE, Order, Row, formats};

formats! { NATIVE:
    Row {
        id: "kotlinc",
        programs: &["kotlinc", "gradle", "gradlew"],
        triggers: &[".kt:", ".kts:"],
        lines: &[r"^(?<severity>[ew]): (?:file://)?(?<file>/?\S.*?\.kts?):(?: \()?(?<line>\d+)(?:, |:)(?<column>\d+)\)?:? (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "golangci_lint",
        programs: &["golangci-lint"],
        triggers: &[".go:"],
        lines: &[r"^(?<file>\S+\.go):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.+) \((?<code>[a-z]+)\)$"],
        ..LINE
    },
    Row {
        id: "ktlint",
        programs: &["ktlint", "gradle"],
        triggers: &[".kt:", ".kts:"],
        lines: &[r"^(?<file>\S+\.kts?):(?<line>\d+):(?<column>\d+):? (?<message>.+) \((?<code>[a-z-]+(?::[a-z-]+)?)\)$"],
        ..LINE
    },
    Row {
        id: "detekt",
        programs: &["detekt", "gradle"],
        triggers: &[".kt:"],
        lines: &[r"^(?<file>\S+\.kts?):(?<line>\d+):(?<column>\d+): (?<message>.+) \[(?<code>[A-Z]\w+)\]$"],
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
        id: "dart_analyze_dash",
        programs: &["dart"],
        triggers: &["  error - ", "warning - ", "   info - "],
        lines: &[r"^ *(?<severity>error|warning|info) - (?<file>\S+):(?<line>\d+):(?<column>\d+) - (?<message>.+) - (?<code>\w+)$"],
        ..LINE
    },
    Row {
        id: "dart_compile",
        programs: &["dart", "flutter"],
        triggers: &[": Error: "],
        lines: &[r"^(?<file>\S+\.dart):(?<line>\d+):(?<column>\d+): Error: (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "protobuf",
        programs: &["buf", "protoc"],
        triggers: &[".proto:"],
        lines: &[r"^(?<file>\S+\.proto):(?<line>\d+):(?<column>\d+): ?(?:(?<severity>warning): )?(?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "mix",
        programs: &["mix", "elixirc"],
        triggers: &["    error: ", "    warning: "],
        lines: &[
            r"^    (?<severity>error|warning): (?<message>.+)$",
            r"^ +└─ (?<file>\S+?\.exs?):(?<line>\d+)(?::(?<column>\d+))?",
        ],
        order: Order::Within(12),
        ..LINE
    },
    Row {
        id: "sbt",
        programs: &["sbt", "scala-cli"],
        triggers: &["[error] ", "[warn] "],
        lines: &[r"^\[(?<severity>error|warn)\] (?:-- .*?)?(?<file>/?\S+\.scala):(?<line>\d+)(?::(?<column>\d+))?: (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "swiftlint",
        programs: &["swiftlint"],
        triggers: &[".swift:"],
        lines: &[r"^(?<file>\S.*?\.swift):(?<line>\d+)(?::(?<column>\d+))?: (?<severity>error|warning): (?<message>.+) \((?<code>[a-z_]+)\)$"],
        ..LINE
    },
}
