//! Tools of JavaScript, CSS and HTML.

use super::{LINE, Order, Row, formats};
use crate::model::Severity::{Error, Info, Warning};

formats! { WEB:
    Row {
        id: "lint_compact",
        programs: &["eslint", "stylelint"],
        triggers: &[", Error - ", ", Warning - ", ", error - ", ", warning - "],
        lines: &[
            r"^(?<file>\S.*?): line (?<line>\d+), col (?<column>\d+), (?<severity>[Ee]rror|[Ww]arning) -(?<message> .*?)(?: \((?<code>\S+)\))?$",
        ],
        ..LINE
    },
    Row {
        id: "lint_unix",
        programs: &["eslint", "oxlint", "htmlhint"],
        triggers: &["[Error", "[Warning", "[error/", "[warning/"],
        lines: &[
            r"^(?<file>\S.*?):(?<line>\d+):(?<column>\d+): (?<message>.+) \[(?<severity>[Ee]rror|[Ww]arning)(?:/(?<code>\S+))?\]$",
        ],
        ..LINE
    },
    Row {
        id: "stylelint_unix",
        programs: &["stylelint"],
        triggers: &[") [error]", ") [warning]"],
        lines: &[
            r"^(?<file>\S.*?):(?<line>\d+):(?<column>\d+): (?<message>.+) \((?<code>\S+)\) \[(?<severity>error|warning)\]$",
        ],
        ..LINE
    },
    Row {
        id: "svelte_check",
        programs: &["svelte-check"],
        triggers: &["Error: ", "Warn: "],
        lines: &[
            r"^(?<file>\S.*\.(?:svelte|ts|js|svelte\.ts)):(?<line>\d+):(?<column>\d+)$",
            r"^(?<severity>Error|Warn): (?<message>.+?)(?: \((?<code>\w+)\))?$",
        ],
        order: Order::Headed,
        severities: &[("Error", Error), ("Warn", Warning)],
        ..LINE
    },
    Row {
        id: "svelte_check_machine",
        programs: &["svelte-check"],
        triggers: &[" ERROR \"", " WARNING \""],
        lines: &[r#"^\d{10,} (?<severity>ERROR|WARNING) "(?<file>[^"]+)" (?<line>\d+):(?<column>\d+) "(?<message>.+)"$"#],
        ..LINE
    },
    Row {
        id: "astro_check",
        programs: &["astro"],
        triggers: &[" ts(", " astro("],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+):(?<column>\d+) - (?<severity>error|warning|hint) (?<code>(?:ts|astro)\(\d+\)): (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "markdownlint",
        programs: &["markdownlint", "markdownlint-cli2"],
        triggers: &[" MD0"],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+)(?::(?<column>\d+))? (?:(?<severity>error|warning) )?(?<code>MD\d{3}/[\w/-]+) (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "cspell",
        programs: &["cspell"],
        triggers: &[" - Unknown word ", " - Forbidden word "],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+):(?<column>\d+) - (?<message>(?:Unknown|Forbidden) word .+)$"],
        ..LINE
    },
    Row {
        id: "oxlint",
        programs: &["oxlint"],
        triggers: &["  × ", "  x ", "  ⚠ ", "  ! "],
        lines: &[
            r"^  (?<severity>[×x⚠!]) (?<code>[a-z@][\w/-]*\([\w/-]+\)): (?<message>.+)$",
            r"^ *[╭,][─-]\[(?<file>.+?):(?<line>\d+):(?<column>\d+)\]",
        ],
        order: Order::Within(6),
        severities: &[("×", Error), ("x", Error), ("⚠", Warning), ("!", Warning)],
        ..LINE
    },
    Row {
        id: "htmlhint",
        programs: &["htmlhint"],
        triggers: &["   /"],
        lines: &[
            r"^   (?<file>/.*\.html?)$",
            r"^ {6}(?:L(?<line>\d+) \|.*|    +\^ (?<message>.+?) \((?<code>[\w-]+)\))$",
        ],
        order: Order::Repeating(1),
        ..LINE
    },
    Row {
        id: "dependency_cruiser",
        programs: &["depcruise", "dependency-cruiser"],
        triggers: &[" → "],
        lines: &[r"^ +(?<severity>error|warn|info) (?<code>[\w-]+): (?<message>(?<file>\S+) →.*)$"],
        ..LINE
    },
    Row {
        id: "commitlint",
        programs: &["commitlint"],
        triggers: &["✖   ", "⚠   "],
        lines: &[r"^(?<severity>✖|⚠)   (?<message>.+?) \[(?<code>[a-z-]+)\]$"],
        severities: &[("✖", Error), ("⚠", Warning)],
        ..LINE
    },
    Row {
        id: "knip",
        programs: &["knip"],
        triggers: &["Unused ", "Unlisted ", "Unresolved "],
        lines: &[
            r"^(?<message>(?:Unused|Unlisted|Unresolved) [\w ]+) \(\d+\)$",
            r"^(?:(?<code>[@\w/.-]+)  +)?(?:\w+  +)?(?<file>\S+?\.\w+)(?::(?<line>\d+):(?<column>\d+))? *$",
        ],
        order: Order::Repeating(0),
        ..LINE
    },
    Row {
        id: "deno_lint",
        programs: &["deno"],
        triggers: &["error["],
        lines: &[
            r"^error\[(?<code>[a-z][\w/-]+)\]: (?<message>.+)$",
            r"^ +--> (?<file>.+?\.(?:[cm]?[jt]sx?)):(?<line>\d+):(?<column>\d+)$",
        ],
        ..LINE
    },
    Row {
        id: "deno_check",
        programs: &["deno"],
        triggers: &[" [ERROR]: "],
        lines: &[
            r"^(?<code>TS\d+) \[ERROR\]: (?<message>.+)$",
            r"^    at (?<file>\S+?):(?<line>\d+):(?<column>\d+)$",
        ],
        order: Order::Within(12),
        ..LINE
    },
    Row {
        id: "publint",
        programs: &["publint"],
        triggers: &["Errors:", "Warnings:", "Suggestions:"],
        lines: &[
            r"^(?<severity>Errors|Warnings|Suggestions):$",
            r"^\d+\. (?<message>(?:pkg\.|The package |\.?/).+)$",
        ],
        order: Order::Repeating(1),
        severities: &[("Errors", Error), ("Warnings", Warning), ("Suggestions", Info)],
        ..LINE
    },
}
