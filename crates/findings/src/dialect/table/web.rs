//! Tools of JavaScript, CSS and HTML.

use super::{LINE, Order, Row, formats};
use crate::model::Severity::{Error, Info, Warning};

/// The name of a file that prettier writes, without blanks and with them.
macro_rules! prettier_file {
    () => {
        prettier_file!(r"\s")
    };
    ($blank:literal) => {
        concat!(
            r"(?:(?:[A-Za-z]:\\)?[^", $blank, r#":"']+\.(?:astro|cjs|css|cts|gql|graphql|handlebars|hbs|html?|js|json[5c]?|jsx|less|markdown|mdx?"#,
            r"|mjs|mts|pcss|postcss|scss|svelte|svg|toml|tsx?|vue|webmanifest|xml|ya?ml)|(?:[^", $blank, r#":"']*/)?\.[^"#, $blank,
            r#":"'/]*rc(?:\.[^"#, $blank, r#":"'/]*)?)"#,
        )
    };
}

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
    // With a message of two lines.
    Row {
        id: "lint_unix",
        programs: &[],
        triggers: &["[Error/", "[Warning/"],
        lines: &[
            r"^(?<file>\S.*?\.\w+):(?<line>\d+):(?<column>\d+): (?<message>.*[^\]])$",
            r"^[A-Z].* \[(?<severity>Error|Warning)/(?<code>\S+)\]$",
        ],
        order: Order::Headed,
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
        id: "stylelint_settings",
        programs: &["stylelint"],
        triggers: &["ConfigurationError: "],
        lines: &[r"^ConfigurationError: (?<message>.+)$", r"^    at .+$"],
        ..LINE
    },
    Row {
        id: "stylelint_settings",
        programs: &[],
        triggers: &["JSONError: JSON Error in "],
        lines: &[r"^JSONError: JSON Error in (?<file>\S.*?): *$", r"^(?<message>[A-Z].* JSON .*)$"],
        order: Order::Within(6),
        ..LINE
    },
    Row {
        id: "stylelint_settings",
        programs: &[],
        triggers: &["Invalid Option: "],
        lines: &[r"^Invalid Option: (?<message>(?:Invalid|Unexpected|Expected) .+ rule .+)$"],
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
        triggers: &[" ts(", " astro(", " astro: "],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+):(?<column>\d+) - (?<severity>error|warning|hint) (?<code>ts\(\d+\)|astro(?:\(\d+\))?): (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "astro",
        programs: &["astro"],
        triggers: &["[ERROR] [vite] "],
        lines: &[r"^(?:[\d:]+ )?\[ERROR\] \[vite\] \S+ Build failed in \S+$", r"^(?<message>\S.*)$"],
        more: &["^  Location:$", r"^    (?<file>/.+):(?<line>\d+):(?<column>\d+)$"],
        ..LINE
    },
    Row {
        id: "astro",
        programs: &[],
        triggers: &["▶ "],
        lines: &[r"^(?:[\d:]+ )?▶ (?<file>{name}\.\w+)$", r"^(?:[\d:]+)? *[├└]─ /(?:\S*?\.html)?(?<message>[^\s(].*)$", "^  Stack trace:$"],
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
        lines: &[r"^(?<file>\S.*?):(?<line>\d+):(?<column>\d+) +- (?<message>(?:Unknown|Forbidden) word .+)$"],
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
        triggers: &[" → ", "  error ", "  warn "],
        lines: &[r"^ +(?<severity>error|warn|info) (?<code>[\w-]+): (?<message>(?<file>\S.*?\.\w+)(?: →.*)?)$"],
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
            r"^(?:(?<code>[@\w/.-]+)  +)?(?:\w+  +)?(?<file>{name}\.\w+)(?::(?<line>\d+):(?<column>\d+))? *$",
        ],
        order: Order::Repeating(0),
        ..LINE
    },
    Row {
        id: "knip",
        programs: &[],
        triggers: &["Unused ", "Unlisted ", "Unresolved "],
        lines: &[r"^(?<message>(?:Unused|Unlisted|Unresolved) [\w ]+) \(\d+\)$", r"^(?<file>{name}\.\w+): (?<code>\S.*)$"],
        order: Order::Repeating(0),
        ..LINE
    },
    Row {
        id: "deno_lint",
        programs: &["deno"],
        triggers: &[": line "],
        lines: &[r"^file://(?<file>/.+?): line (?<line>\d+), col (?<column>\d+) - (?<message>.+) \((?<code>[a-z][\w/-]+)\)$"],
        ..LINE
    },
    Row {
        id: "deno_lint",
        programs: &[],
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
            r"^    at (?<file>{name}):(?<line>\d+):(?<column>\d+)$",
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
    Row {
        id: "sass",
        programs: &["sass"],
        triggers: &["Error: ", "WARNING: ", "Deprecation Warning"],
        lines: &[
            r"^(?<severity>Error|WARNING|Deprecation Warning)(?: \[(?<code>[a-z-]+)\])?: (?<message>\S.*)$",
            r"^ {2,4}(?<file>\S.*\.(?:s[ac]ss|css)) (?<line>\d+):(?<column>\d+)  (?:root stylesheet|\S.*)$",
        ],
        order: Order::Within(12),
        severities: &[("Deprecation Warning", Warning)],
        ..LINE
    },
    Row {
        id: "tsc",
        programs: &["tsc", "tsgo", "vue-tsc", "ts-node", "tspc"],
        triggers: &["error TS", "warning TS", "message TS"],
        // Plain, for people, and without a place.
        lines: &[
            r#"^ *(?:(?<file>[^`"]+?)[(:](?<line>\d+)(?:[,:](?<column>\d+))?[\d,-]*(?:\) *: *| - ))?(?<severity>error|warning|message) (?<code>TS\d+): (?<message>.*)$"#,
        ],
        more: &[r"^(?<message>  .*\S)"],
        severities: &[("message", Info)],
        ..LINE
    },
    Row {
        id: "esbuild",
        programs: &["esbuild", "tsup", "vite"],
        triggers: &[" [ERROR] ", " [WARNING] "],
        lines: &[r"^[✘Xx×▲!] \[(?<severity>ERROR|WARNING)\] (?<message>.*?)(?: \[(?<code>[a-z\d-]+)\])?$"],
        more: &["^$", r#"^    (?<file>[^`"]+?):(?<line>\d+):(?<column>\d+):$"#],
        ..LINE
    },
    Row {
        id: "esbuild",
        programs: &[],
        triggers: &["Build failed with ", "Transform failed with "],
        lines: &[
            r"(?:Build|Transform) failed with \d+ errors?:$",
            r#"^(?:(?<file>[^`"]+?):(?<line>\d+):(?:(?<column>\d+):)? +)?(?:ERROR|error): (?<message>.+)$"#,
        ],
        order: Order::Repeating(0),
        ..LINE
    },
    Row {
        id: "biome",
        programs: &["biome"],
        triggers: &["━━━━"],
        lines: &[
            // The summary of a failed command, such as `check`, repeats earlier findings.
            r#"^(?: *(?<file>[^\s`"][^`"]*?)(?::(?<line>\d+)(?::(?<column>\d+))?)? (?<code>[\w/-]+)|(?:args|io|[\w-]{7,}|\w+/[\w/-]+))(?: +(?:FIXABLE|INTERNAL|FATAL|DEPRECATED))* +━{4,}$"#,
            r"^\s*$",
            r"^  (?<severity>[×✖!⚠iℹ]) (?<message>.+)$",
        ],
        more: &[r"^    +(?<message>\S.*)$"],
        severities: &[("×", Error), ("✖", Error), ("!", Warning), ("⚠", Warning), ("ℹ", Info)],
        ..LINE
    },
    Row {
        id: "parcel",
        programs: &["parcel"],
        triggers: &["@parcel/"],
        lines: &[
            r"^@parcel/[\w-]+: (?<message>.+)$",
            r"^  (?<file>\S.*):(?<line>\d+):(?<column>\d+)$",
        ],
        order: Order::Within(2),
        ..LINE
    },
    Row {
        id: "ajv",
        programs: &["ajv"],
        triggers: &[".json invalid", ".yaml invalid", ".yml invalid"],
        lines: &[r"^(?<file>\S.*) invalid$", r#"^    message: ['"](?<message>.+)['"],?$"#],
        order: Order::Repeating(8),
        ..LINE
    },
    Row {
        id: "ajv",
        programs: &[],
        triggers: &[" is invalid"],
        lines: &[r"^schema (?<file>\S.*) is invalid$", r"^error: (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "ajv",
        programs: &[],
        triggers: &["error:  /"],
        lines: &[r"^error:  (?<file>/{name}\.(?:c?jsx?|json5?|ya?ml)): (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "csslint",
        programs: &["csslint"],
        triggers: &[": error at line ", ": warning at line "],
        lines: &[
            r"^(?<file>\S.*\.css)$",
            r"^\d+: (?<severity>error|warning) at line (?<line>\d+), col (?<column>\d+)$",
            r"^(?<message>\S.*)$",
        ],
        order: Order::Headed,
        ..LINE
    },
    Row {
        id: "dprint",
        programs: &["dprint"],
        triggers: &["No config file found at "],
        lines: &[r"^(?<message>No config file found at (?<file>{name}\.jsonc?)\. .+)$"],
        ..LINE
    },
    Row {
        id: "dprint",
        programs: &[],
        triggers: &["No formatting plugins found. "],
        lines: &[r"^(?<message>No formatting plugins found\. .+)$"],
        ..LINE
    },
    Row {
        id: "prettier",
        programs: &["prettier"],
        triggers: &["[warn] "],
        lines: &[concat!(r"^\[warn\] (?<file>", prettier_file!(), ")$")],
        severity: Warning,
        defaults: ("", "Code style issues found"),
        ..LINE
    },
    // A name with blanks may be a sentence: lines of prettier's own stand around it.
    Row {
        id: "prettier",
        programs: &[],
        triggers: &["[warn] "],
        lines: &[
            concat!(r"^(?:Checking formatting\.\.\.|\[warn\] ", prettier_file!(), ")$"),
            concat!(r"^\[warn\] (?<file>", prettier_file!(""), ")$"),
        ],
        order: Order::HeadedRepeating(0),
        severity: Warning,
        defaults: ("", "Code style issues found"),
        ..LINE
    },
    Row {
        id: "prettier",
        programs: &[],
        triggers: &["[warn] "],
        lines: &[
            concat!(r"^\[warn\] (?<file>", prettier_file!(""), ")$"),
            concat!(r"^\[warn\] (?:Code style issues found.*|", prettier_file!(), ")$"),
        ],
        severity: Warning,
        defaults: ("", "Code style issues found"),
        ..LINE
    },
    // Bare names, below the command that a script announces.
    Row {
        id: "prettier",
        programs: &[],
        triggers: &["prettier -l", "prettier --list-different", " --list-different"],
        lines: &[
            r"^(?:[>$] |.*[>$] )?(?:\S*/|npx |npm exec |pnpm exec |yarn )*prettier (?:.* )?(?:-l|--list-different)(?: .*)?$",
            concat!("^(?<file>", prettier_file!(""), ")$"),
        ],
        order: Order::Repeating(1),
        severity: Warning,
        defaults: ("", "Code style issues found"),
        ..LINE
    },
    Row {
        id: "prettier",
        programs: &[],
        triggers: &["[error] "],
        lines: &[
            r"^\[error\] (?<file>{name}): (?<message>[A-Za-z]*Error: .*) \((?<line>\d+):(?<column>\d+)\)$",
        ],
        ..LINE
    },
    Row {
        id: "prettier",
        programs: &[],
        triggers: &["[error] Invalid configuration for file \""],
        lines: &[
            "^\\[error\\] Invalid configuration for file \".*\":$",
            r#"^\[error\] \w+ Error in "?(?<file>[^"]+?)"?:$"#,
            r"^\[error\] (?<message>\S.*) at line (?<line>\d+), column (?<column>\d+):$",
        ],
        ..LINE
    },
    Row {
        id: "prettier",
        programs: &[],
        triggers: &["[error] "],
        lines: &[
            r"^\[error\] (?<message>(?:No files matching the pattern|No parser could be inferred for|Invalid configuration |Cannot find package '.+' imported from |Invalid \S+ value\. Expected |Couldn't resolve parser |No matching files\. Patterns: ).*)$",
        ],
        ..LINE
    },
    Row {
        id: "standard",
        programs: &["standard", "semistandard", "ts-standard"],
        triggers: &[".js:", ".jsx:", ".mjs:", ".cjs:", ".ts:", ".tsx:"],
        lines: &[r"^  (?<file>{name}\.[cm]?[jt]sx?):(?<line>\d+):(?<column>\d+): (?<message>(?:[A-Z\x27\x22<`]|eval ).*?) \((?<code>[@\w/-]+)\)(?: \((?<severity>warning)\))?$"],
        ..LINE
    },
    Row {
        id: "jshint",
        programs: &["jshint"],
        triggers: &[", col "],
        lines: &[r"^(?<file>\S.*?\.(?:[cm]?jsx?|html?|json)): line (?<line>\d+), col (?<column>\d+), (?<message>\S.*?)(?: \((?<code>[EWI]\d{3})\))?$"],
        ..LINE
    },
    Row {
        id: "jshint",
        programs: &[],
        triggers: &[".js:", ".jsx:", ".mjs:", ".cjs:"],
        lines: &[r"^(?<file>\S.*?\.[cm]?jsx?):(?<line>\d+):(?<column>\d+): (?<message>(?:'[^']+' (?:is|was|has)|Missing|Empty (?:destructuring|block|array|object|class)|Expected (?:a |an |')|Extra comma|Unrecoverable syntax error|Unexpected '|Unclosed|Unmatched|Unnecessary|Use '|Bad |Did you mean|Duplicate|Redefinition of|Reassignment of|Functions declared within|Too many errors|\['[^']+'\] is better|eval can be).*?\.(?: \([^()]*\)\.?)?)(?: \((?<code>[EWI]\d{3})\))?$"],
        ..LINE
    },
    Row {
        id: "coffeelint",
        programs: &["coffeelint"],
        triggers: &["  ✗ ", "  ⚡ "],
        lines: &[r"^  [✗⚡✓] (?<file>\S.*)$", r"^     (?<severity>[✗⚡]) #(?<line>\d+)(?:-\d+)?: (?<message>.+)$"],
        order: Order::Repeating(3),
        severities: &[("✗", Error), ("⚡", Warning)],
        ..LINE
    },
    Row {
        id: "less",
        programs: &["lessc"],
        triggers: &[" on line "],
        lines: &[r"^(?<message>\w+Error: .+?) in (?<file>\S.*?) on line (?<line>\d+), column (?<column>\d+):$"],
        ..LINE
    },
    Row {
        id: "stylus",
        programs: &["stylus"],
        triggers: &[".styl:"],
        lines: &[r"^(?<code>\w*Error): (?<file>\S.*?\.styl):(?<line>\d+):(?<column>\d+)$", r"^(?<message>[^\s\d-].*)$"],
        order: Order::Within(12),
        ..LINE
    },
    Row {
        id: "pug",
        programs: &["pug", "pug-lint"],
        triggers: &[".pug:", ".jade:"],
        lines: &[r"^(?:Error: )?(?<file>\S.*?\.(?:pug|jade)):(?<line>\d+)(?::(?<column>\d+))?$", r"^(?<message>[^\s\d>-].*)$"],
        order: Order::Within(10),
        ..LINE
    },
    Row {
        id: "spectral",
        programs: &["spectral"],
        triggers: &["  error  ", "  warning  ", "  information  ", "  hint  "],
        lines: &[r"^(?<file>\S.*\.(?:ya?ml|json))$", r"^ *(?<line>\d+):(?<column>\d+) +(?<severity>error|warning|information|hint)  +(?<code>[a-z\d][\w-]*)  +(?<message>\S.*?)(?:   *\S+)?$"],
        order: Order::HeadedRepeating(0),
        ..LINE
    },
    Row {
        id: "redocly",
        programs: &["redocly", "openapi"],
        triggers: &[" at #/"],
        lines: &[r"^\[\d+\] (?<file>\S.*?):(?<line>\d+):(?<column>\d+) at #/", "^$", r"^(?<message>\S.*)$", r"^(?<severity>Error|Warning) was generated by the (?<code>[\w/-]+) rule\.$"],
        order: Order::Within(20),
        ..LINE
    },
    Row {
        id: "swc",
        programs: &["swc"],
        triggers: &["  × ", "  x ", "  ⚠ "],
        lines: &[r"^  (?<severity>[×x⚠]) (?<message>\S.*)$", r"^ *[╭,][─-]\[(?<file>[^\[\]]+?):(?<line>\d+):(?<column>\d+)\]$"],
        severities: &[("×", Error), ("x", Error), ("⚠", Warning)],
        ..LINE
    },
    Row {
        id: "jsonlint",
        programs: &["jsonlint"],
        triggers: &["Parse error on line "],
        lines: &[r"^Error: (?<message>Parse error on line \d+:)$"],
        more: &[r"^(?<message>\S.*)$"],
        ..LINE
    },
    // A runner that catches the error says less of it than node itself.
    Row {
        id: "node",
        programs: &["node", "tsx", "ts-node", "nodemon"],
        triggers: &["Error: Cannot find module "],
        lines: &[r"^(?:\w*Error: )(?<message>Cannot find module '.+')$", r"^Require stack:$", r"^- (?<file>\S.*)$"],
        more: &[r"^- .*$", r"^ +at (?:.* \()?node:.*$", r"^ +at (?:.* \()?(?<file>/.+?):(?<line>\d+):(?<column>\d+)\)?$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "node",
        programs: &[],
        triggers: &[".js:", ".mjs:", ".cjs:"],
        lines: &[r"^(?<file>/\S.*\.[cm]?js):(?<line>\d+)$", r"^ *\^+$", r"^(?<message>SyntaxError: \S.*)$"],
        order: Order::Within(2),
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "node",
        programs: &[],
        triggers: &["TypeError [ERR_UNKNOWN_FILE_EXTENSION]: "],
        lines: &[r"^TypeError \[(?<code>\w+)\]: (?<message>Unknown file extension .+ for (?<file>.+))$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "solc",
        programs: &["solc", "solcjs", "forge"],
        triggers: &[".sol:"],
        lines: &[r"^(?<severity>Error|Warning|Info|\w+Error)(?: \((?<code>\d+)\))?: (?<message>.+)$", r"^ *--> (?<file>\S.*?\.sol):(?<line>\d+):(?<column>\d+):?$"],
        order: Order::Headed,
        ..LINE
    },
    Row {
        id: "npm_package_json_lint",
        programs: &["npmPkgJsonLint"],
        triggers: &[" - node: "],
        lines: &[r"^(?<file>\S.*package\.json)$", r"^(?<severity>[✖×⚠‼]) (?<code>[a-z-]+) - node: (?<message>\S.*)$"],
        order: Order::HeadedRepeating(0),
        severities: &[("✖", Error), ("×", Error), ("⚠", Warning), ("‼", Warning)],
        ..LINE
    },
    Row {
        id: "eslint_pretty",
        programs: &["tsd", "xo"],
        triggers: &["  ✖  ", "  ⚠  "],
        lines: &[r"^  (?<file>\S.*?\.\w+)(?::\d+:\d+)?$", r"^  (?<severity>[✖⚠]) +(?<line>\d+):(?<column>\d+) +(?<message>\S.*?)(?:  +(?<code>[@\w/-]+))? *$"],
        more: &[r"^(?<message>[A-Z].*?)  +(?<code>[@\w/-]+) *$"],
        order: Order::HeadedRepeating(0),
        severities: &[("✖", Error), ("⚠", Warning)],
        ..LINE
    },
    Row {
        id: "lint_compact",
        programs: &[],
        triggers: &["ESLint found too many warnings"],
        lines: &[r"^(?<message>ESLint found too many warnings \(maximum: \d+\))\.$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "lint_compact",
        programs: &["eslint"],
        triggers: &["): error ", "): warning "],
        lines: &[r"^(?<file>\S.*?\.\w+)\((?<line>\d+)(?:,(?<column>\d+))?\): (?<severity>error|warning) (?:(?<code>[@\w/-]+) )?: (?<message>\S.*)$"],
        ..LINE
    },
    // As eslint's formatter codeframe writes them, with messages of one line or of two.
    Row {
        id: "lint_compact",
        programs: &[],
        triggers: &["error: ", "warning: "],
        lines: &[r"^(?<severity>error|warning): (?<message>\S.*?)(?: \((?<code>[@\w/-]+)\))? at (?<file>\S.*?\.\w+)(?::(?<line>\d+):(?<column>\d+))?:$", r"^> *(?<line>\d+) \|"],
        order: Order::Within(3),
        ..LINE
    },
    Row {
        id: "lint_compact",
        programs: &[],
        triggers: &["error: ", "warning: "],
        lines: &[
            r"^(?<severity>error|warning): (?<message>\S.*[^:])$",
            r"^\S.*? \((?<code>[@\w/-]+)\) at (?<file>\S.*?\.\w+):(?<line>\d+):(?<column>\d+):$",
        ],
        ..LINE
    },
    Row {
        id: "lockfile_lint",
        programs: &["lockfile-lint"],
        triggers: &["detected invalid "],
        lines: &[r"^(?<message>detected invalid .+ for package: \S+)$"],
        more: &[r"^ {4}(?<message>(?:expected|actual): .+)$"],
        ..LINE
    },
    Row {
        id: "depcheck",
        programs: &["depcheck"],
        triggers: &["Unused dependencies", "Unused devDependencies", "Missing dependencies"],
        lines: &[r"^(?<message>Unused dependencies|Unused devDependencies|Missing dependencies)$", r"^\* (?<code>[@\w./-]+)(?:: (?<file>{name}))?$"],
        order: Order::Repeating(0),
        ..LINE
    },
    Row {
        id: "madge",
        programs: &["madge"],
        triggers: &["✖ Found "],
        lines: &[r"^✖ Found \d+ circular dependenc(?:y|ies)!$", r"^\d+\) (?<message>(?<file>{name}) > .+)$"],
        order: Order::Repeating(1),
        defaults: ("circular", ""),
        ..LINE
    },
    // Places other than those of a test's own function are in tape.
    Row {
        id: "tap_spec",
        programs: &["tap-spec"],
        triggers: &["    ✖ "],
        lines: &[r"^    ✖ (?<message>\S.*)$", "^    -{3,}$"],
        more: &[r"^ {6}(?<message>(?:operator|expected|actual): .+|  .+)$", r"^ {6}at: Test\.<anonymous> \((?<file>.+):(?<line>\d+):(?<column>\d+)\)$"],
        ..LINE
    },
    Row {
        id: "ls_lint",
        programs: &["ls-lint"],
        triggers: &[" failed for `"],
        lines: &[r"^(?<file>\S.*?) (?<message>failed for `[^`]+` rules: .+)$"],
        ..LINE
    },
}
