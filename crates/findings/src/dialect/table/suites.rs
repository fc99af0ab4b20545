//! Suites of tests whose failures stand in a few lines each.

use super::{LINE, Order, Row, formats};

formats! { SUITES:
    // GoogleTest: the expectation that failed, and the exception of a test.
    Row {
        id: "googletest",
        programs: &[],
        triggers: &[": Failure"],
        lines: &[r"^(?:unknown file|(?<file>{name}):(?<line>\d+)): (?:Failure|error: .*)$", r"^(?<message>\S.*)$"],
        more: &[r"^(?<message>(?: +\S.*|Expected: .*|Which is: .*|Actual: .*|Value of: .*))$"],
        ..LINE
    },
    // Catch2 and doctest.
    Row {
        id: "catch2",
        programs: &[],
        triggers: &[": FAILED:"],
        lines: &[r"^(?<file>{name}):(?<line>\d+): FAILED:$"],
        more: &[r"^(?<message>\S.*|  .*\S)$"],
        defaults: ("", "failed"),
        ..LINE
    },
    Row {
        id: "doctest_cpp",
        programs: &[],
        triggers: &[": ERROR: ", ": FATAL ERROR: "],
        lines: &[r"^(?<file>{name}\.(?:c|cc|cpp|cxx|h|hpp)):(?<line>\d+): (?:FATAL )?ERROR: (?<message>\S.*)$"],
        more: &[r"^  (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "busted",
        programs: &["busted"],
        triggers: &["Failure -> ", "Error -> "],
        lines: &[r"^(?:Failure|Error) -> (?<file>.+) @ (?<line>\d+)$", r"^(?<message>\S.*)$"],
        more: &[r"^(?<message>[^\s+*-].*)$"],
        ..LINE
    },
    Row {
        id: "eunit",
        programs: &["rebar3", "erl"],
        triggers: &["in function "],
        lines: &[r"^ *(?<message>\w+: \w+(?:: .+?)?)\.\.\.\*failed\*$", r"^in function .+ \((?<file>[^()]+\.erl), line (?<line>\d+)\)$"],
        order: Order::Headed,
        ..LINE
    },
    Row {
        id: "test_unit",
        programs: &["ruby", "rake"],
        triggers: &["Failure: test", "Error: test"],
        lines: &[r"^(?:Failure|Error): (?<message>test\S*\(.+)$", r"^(?<file>{name}\.rb):(?<line>\d+):in .*$"],
        order: Order::Within(2),
        ..LINE
    },
    Row {
        id: "tcltest",
        programs: &[],
        triggers: &["==== "],
        lines: &[r"^==== (?<message>\S+ .+) FAILED$"],
        ..LINE
    },
    // Zig's runner: the place is the first frame of a test, wherever the assertion stands.
    Row {
        id: "zig_test",
        programs: &["zig"],
        triggers: &[".test."],
        lines: &[
            r"^error: (?<message>'\S+\.test\..+' (?:failed|leaked)(?:: expected .+)?)(?:: .*)?$",
            r"^(?<file>{name}\.zig):(?<line>\d+):(?<column>\d+): 0x[0-9a-f]+ in test\..*$",
        ],
        order: Order::Within(20),
        ..LINE
    },
    Row {
        id: "zig_test",
        programs: &["zig"],
        triggers: &[" panic: "],
        lines: &[
            r"^thread \d+ panic: (?<message>.+)$",
            r"^(?<file>{name}\.zig):(?<line>\d+):(?<column>\d+): 0x[0-9a-f]+ in .*$",
        ],
        ..LINE
    },
}
