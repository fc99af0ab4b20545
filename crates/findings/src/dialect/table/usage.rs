//! Errors of usage and settings, which end a program before it looks at anything.

use super::{LINE, Order, Row, formats};

formats! { USAGE:
    // Python's argparse.
    Row {
        id: "usage",
        triggers: &[
            ": error: unrecognized arguments: ",
            ": error: the following arguments are required: ",
            ": error: argument ",
            ": error: ambiguous option: ",
        ],
        lines: &[r"^(?:ERROR: )?[\w./-]+(?: [\w-]+)*: error: (?<message>(?:unrecognized arguments|the following arguments are required|argument \S+|argument \S+/\S+|ambiguous option): .+)$"],
        ..LINE
    },
    // Rust's clap.
    Row {
        id: "usage",
        triggers: &[
            "error: unexpected argument '",
            "error: unrecognized subcommand '",
            "error: invalid value '",
            "error: the following required arguments were not provided:",
            "error: a value is required for '",
            "error: the argument '",
        ],
        lines: &[
            r"^error: (?<message>unexpected argument '.+' found|unrecognized subcommand '.+'|invalid value '.*' for '.+'(?:: .+)?|the following required arguments were not provided:|a value is required for '.+'.*|the argument '.+' cannot be used .+)$",
        ],
        more: &[r"^  (?<message><.+>.*|--\S.*)$"],
        ..LINE
    },
    // Python's click.
    Row {
        id: "usage",
        triggers: &[
            "Error: No such option: ",
            "Error: No such option '",
            "Error: No such command '",
            "Error: Got unexpected extra argument",
            "Error: Missing argument '",
            "Error: Missing option '",
            "Error: Invalid value for '",
        ],
        lines: &[r"^Error: (?<message>(?:No such (?:option:|option '|command ')|Got unexpected extra argument|Missing (?:argument|option) '|Invalid value for ').+)$"],
        ..LINE
    },
    // Cleo and Symfony's console.
    Row {
        id: "usage",
        triggers: &["The option \"--", "The \"--"],
        lines: &[r#"^ *(?<message>The (?:option "--[\w-]+"|"--[\w-]+" option) does not exist)\.?$"#],
        ..LINE
    },
    // Files, tests and settings that are not there, in the words of many tools.
    Row {
        id: "usage",
        triggers: &[
            "Error: Test file \"",
            "Could not find or load main class ",
            "Error: Config file '",
            "Could not find '/",
            "Can't open perl script \"",
            "Cannot open file \"",
            "Error: No tests found.",
            "The config file ",
            "Error: Property Enabled of cop ",
            "NoFilesFoundError: ",
            "User Error: No dialect was specified.",
            "Error: Unable to access jarfile ",
            "find the Next.js package ",
        ],
        lines: &[concat!(
            r#"^(?:Error: |User Error: )?(?<message>Test file ".+" does not exist|Could not find or load main class \S+|Config file '.+' does not exist"#,
            r#"|Could not find '/.+'|Can't open perl script ".+": .+|Cannot open file ".+"|No tests found|The config file .+ doesn't exist!"#,
            r"|Property Enabled of cop .+ is supposed to be .+|NoFilesFoundError: .+|No dialect was specified|Unable to access jarfile .+",
            r"| *(?:We couldn't|Could not) find the Next\.js package .+)(?:\.| You must configure a dialect .*)*$",
        )],
        ..LINE
    },
    // Settings that a program cannot use: those of RuboCop, PHPUnit and pytest.
    Row {
        id: "usage",
        triggers: &[
            "Error: unrecognized cop or department ",
            " found in .rubocop",
            "Error: RuboCop found unknown ",
            "Configuration file not found: ",
            "cannot load such file -- rubocop-",
            "Could not load \"/",
            "Could not read XML from file \"",
            "Test directory \"/",
            "ERROR: Error importing plugin \"",
            "ERROR: Missing required plugins: ",
        ],
        lines: &[concat!(
            r#"^(?:Error: |ERROR: )?(?<message>unrecognized cop or department .+|invalid \w+ '.*' for \S+ found in .+|RuboCop found unknown .+"#,
            r#"|Configuration file not found: .+|cannot load such file -- rubocop-\S+|Could not (?:load|read XML from file) ".+"|Test directory ".+" not found"#,
            r#"|Error importing plugin ".+": .+|Missing required plugins: .+)\.?$"#,
        )],
        ..LINE
    },
    // A file that Composer cannot read.
    Row {
        id: "composer",
        programs: &["composer"],
        triggers: &["does not contain valid JSON"],
        lines: &[r#"^ +"(?<file>.+)" does not contain valid JSON *$"#, r"^ +(?<message>Parse error on line (?<line>\d+)):? *$"],
        more: &[r"^  +(?<message>\S.*?) *$"],
        ..LINE
    },
    // An exception in a console of Symfony, such as Composer's, in a box of blanks.
    Row {
        id: "composer",
        programs: &[],
        triggers: &[".php line "],
        lines: &[r"^In \w+\.php line \d+:$", "^ *$", r"^  (?<message>\S.*?) *$"],
        more: &[r"^  +(?<message>\S.*?) *$"],
        ..LINE
    },
    Row {
        id: "composer",
        programs: &[],
        triggers: &["Your requirements could not be resolved to an installable "],
        lines: &[r"^(?<message>Your requirements could not be resolved to an installable set of packages)\.$"],
        more: &["^$", r"^  Problem \d+$", r"^ +- (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "ruff_settings",
        programs: &["ruff"],
        triggers: &["ruff failed"],
        lines: &[
            r"^ruff failed$",
            r"^ +Cause: Failed to parse (?<file>{name}\.toml)$",
            r"^ +Cause: TOML parse error at line (?<line>\d+), column (?<column>\d+)$",
            r"^(?<message>[a-z][^|]+)$",
        ],
        order: Order::Within(4),
        ..LINE
    },
    Row {
        id: "ruff_settings",
        programs: &[],
        triggers: &["ruff failed"],
        lines: &[r"^ruff failed$", r"^ +Cause: (?<message>Unknown rule selector .+|Rule `\w+` was removed .+)$"],
        ..LINE
    },
    Row {
        id: "yamllint_settings",
        programs: &["yamllint"],
        triggers: &["invalid config: "],
        lines: &[r"^(?<message>invalid config: .+)$"],
        ..LINE
    },
    Row {
        id: "just",
        programs: &["just"],
        triggers: &[" ——▶ "],
        lines: &[r"^error: (?<message>.+)$", r"^ *——▶ (?<file>.+):(?<line>\d+):(?<column>\d+)$"],
        order: Order::Headed,
        ..LINE
    },
    Row {
        id: "just",
        programs: &[],
        triggers: &["ecipe `"],
        lines: &[r"^error: (?<message>[Rr]ecipe `.+` (?:failed|was terminated) (?:on line \d+ |with ).+)$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "just",
        programs: &[],
        triggers: &["ustfile does not contain recipe"],
        lines: &[r"^error: (?<message>[Jj]ustfile does not contain recipes? .+?)\.?$"],
        ..LINE
    },
    Row {
        id: "tox",
        programs: &["tox"],
        triggers: &["ROOT: HandledError| "],
        lines: &[r"^ROOT: HandledError\| (?<message>.+)$"],
        more: &[r"^(?<message>[\w.-]+)$"],
        ..LINE
    },
    // As it ends a command: earlier lines belong to no other one.
    Row {
        id: "tox",
        programs: &[],
        triggers: &[": exit "],
        lines: &[r"^(?<message>\S+: exit \d+) \([\d.]+ seconds\) .+ pid=\d+$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "uv",
        programs: &["uv"],
        triggers: &["error: Failed to parse: "],
        lines: &[
            r"^error: (?<message>Failed to parse: `?(?<file>{name}\.toml)`?)$",
            r"^ +[Cc]ause: TOML parse error at line (?<line>\d+), column (?<column>\d+)$",
        ],
        more: &[r"^ +(?:\d+ )?\|.*$", r"^ {4,}(?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "uv",
        programs: &[],
        triggers: &["No solution found when resolving ", "error: Failed to ", "  × Failed to "],
        lines: &[r"^(?:error: |  × )(?<message>No solution found when resolving .+|Failed to (?:fetch|download|build|prepare|resolve|parse|spawn).+)$"],
        more: &[r"^ +(?:[Cc]ause|Caused by|├─▶|╰─▶):? (?<message>.+)$", r"^ {4,}(?<wrapped>\S.*)$"],
        ..LINE
    },
    Row {
        id: "pre_commit",
        programs: &["pre-commit"],
        triggers: &["An error has occurred: "],
        lines: &[r"^(?:An|An unexpected) error has occurred: (?<message>.+)$"],
        more: &[r"^==> (?<message>.+)$", r"^=====> (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "pre_commit",
        programs: &[],
        triggers: &["- hook id: "],
        lines: &[r"^- hook id: (?<code>\S+)$", r"^- (?<message>files were modified by this hook)$"],
        order: Order::Within(1),
        ..LINE
    },
    Row {
        id: "poetry",
        programs: &["poetry"],
        triggers: &["version solving failed."],
        lines: &[r"^(?:Because|So, because|And because|So,) (?<message>.+), version solving failed\.$"],
        ..LINE
    },
    Row {
        id: "pre_commit",
        programs: &[],
        triggers: &["- hook id: "],
        lines: &[r"^- hook id: (?<code>\S+)$", r"^(?<message>Executable `.+` not found)$"],
        order: Order::Within(4),
        ..LINE
    },
    Row {
        id: "poetry",
        programs: &[],
        triggers: &["The Poetry configuration is invalid:"],
        lines: &[r"^The Poetry configuration is invalid:$", r"^  - (?<message>\S.*)$"],
        order: Order::Repeating(0),
        ..LINE
    },
    Row {
        id: "poetry",
        programs: &[],
        triggers: &["Error: Declared README file ", "Error: pyproject.toml changed ", "Error: Unrecognized classifiers: "],
        lines: &[r"^Error: (?<message>(?:Declared README file |pyproject\.toml changed |Unrecognized classifiers: ).+)$"],
        ..LINE
    },
    Row {
        id: "poetry",
        programs: &[],
        triggers: &["Invalid TOML file "],
        lines: &[r"^Invalid TOML file (?<file>\S.*\.(?:toml|lock)): (?<message>.+) at line (?<line>\d+) col (?<column>\d+)$"],
        ..LINE
    },
    Row {
        id: "poetry",
        programs: &[],
        triggers: &["Poetry could not find a pyproject.toml file in "],
        lines: &[r"^(?<message>Poetry could not find a pyproject\.toml file in .+)$"],
        ..LINE
    },
    Row {
        id: "deno",
        programs: &["deno"],
        triggers: &["error: SyntaxError: ", "error: Module not found \""],
        lines: &[
            r#"^error: (?<message>(?:SyntaxError: |Module not found ").+)$"#,
            r"^    at file://(?<file>/.+):(?<line>\d+):(?<column>\d+)$",
        ],
        order: Order::Within(4),
        ..LINE
    },
    Row {
        id: "deno",
        programs: &["deno"],
        triggers: &["Error checking: "],
        lines: &[
            r"^Error checking: (?<file>/.+)$",
            r"^  (?<message>SyntaxError: .+)$",
            r"^      at file:///.+:(?<line>\d+):(?<column>\d+)$",
        ],
        order: Order::Within(4),
        ..LINE
    },
    Row {
        id: "deno",
        programs: &["deno"],
        triggers: &["Error linting: "],
        lines: &[
            r"^Error linting: (?<file>/.+)$",
            r"^    (?<message>SyntaxError: .+)$",
            r"^        at file:///.+:(?<line>\d+):(?<column>\d+)$",
        ],
        order: Order::Within(8),
        ..LINE
    },
    Row {
        id: "deno",
        programs: &["deno"],
        triggers: &["error: Failed deserializing config file 'file://"],
        lines: &[
            r"^error: Failed deserializing config file 'file://(?<file>[^']+)'\.$",
            r"^    (?<message>\S.*) on line (?<line>\d+) column (?<column>\d+)\.?$",
        ],
        order: Order::Within(2),
        ..LINE
    },
    Row {
        id: "deno",
        programs: &["deno"],
        triggers: &["Task not found: "],
        lines: &[r"^(?<message>Task not found: \S+)$"],
        ..LINE
    },
    Row {
        id: "deno",
        programs: &["deno"],
        triggers: &["from /"],
        lines: &[r"^from (?<file>/.+):$", r"^ *(?<line>\d+) \| [-+]"],
        defaults: ("", "not formatted"),
        ..LINE
    },
    Row {
        id: "mix_task",
        programs: &["mix"],
        triggers: &["** (Mix) The task \""],
        lines: &[r"^\*\* \(Mix\) (?<message>The task .+)$"],
        ..LINE
    },
    Row {
        id: "mix_task",
        programs: &[],
        triggers: &["** (Mix) "],
        lines: &[r"^\*\* \(Mix\) (?<message>\S.*)$"],
        is_consequence: true,
        ..LINE
    },
    // An option or a command that is none, in the words of many tools.
    Row {
        id: "usage",
        triggers: &[
            "nvalid option",
            "nvalid flag",
            "nvalid switch",
            "nvalid command",
            "nknown option",
            "nknown flag",
            "nknown switch",
            "nknown command",
            "nknown argument",
            "nrecognized option",
            "nrecognized switch",
            "nrecognized flag",
            "nrecognised flag",
            "nrecognized argument",
            "nrecognized command",
            "bad option",
            "illegal option",
            "no such option",
            "no such flag",
            "no such command",
            "No such flag",
            "flag provided but not defined: -",
            "unknown shorthand flag: '",
            ": option requires an argument -- '",
        ],
        lines: &[concat!(
            r"^(?:[\w./+-]+: )?(?:(?:ERROR|Error|error|fatal): )?(?<message>(?:(?:[Ii]nvalid|[Uu]nknown|[Uu]nrecogni[sz]ed|bad|illegal|[Nn]o such) (?:command[- ]line )?",
            r#"(?:(?:option|flag|switch|argument)s?:? ['"`‘]?-\S*|(?:sub)?command:? ['"`]\w|command: \w|command or positional: ).*|-\S+: invalid option"#,
            r"|flag provided but not defined: -.+|unknown shorthand flag: '.+|option requires an argument -- '.+'))$",
        )],
        ..LINE
    },
    // Files that are not there, and orders that lack one, in each tool's own words.
    Row {
        id: "usage",
        triggers: &[
            "does not exist!",
            "Could not find config XML file '",
            "Composer could not find a composer.json file ",
            "Paths given to \"mix test\" did not match ",
            "Missing output directives.",
            "Missing input file.",
            "error: argument for `",
            "Error in argument ",
            "contains a build file meson.build",
            "Cannot connect to the Docker daemon ",
            "Could not load \"",
        ],
        lines: &[concat!(
            r#"^(?:ERROR: |error: |Buildfile: |Error in argument \d+, char \d+: )?(?<message>.+ does not exist!|Could not find config XML file '.+'"#,
            r#"|Composer could not find a composer\.json file in .+|Paths given to "mix test" did not match .+|Missing output directives|Missing input file"#,
            r#"|argument for `.+` must be .+|no argument for option .*|.+ contains a build file meson\.build|Cannot connect to the Docker daemon .+|Could not load "[^/].*")\.?$"#,
        )],
        ..LINE
    },
    Row {
        id: "composer",
        programs: &[],
        triggers: &["# Publish errors", "# General errors"],
        lines: &[r"^# (?:Publish|General) errors$", r"^- (?<message>\S.*)$"],
        order: Order::Repeating(0),
        ..LINE
    },
    // A YAML file that Ruby cannot read.
    Row {
        id: "usage",
        triggers: &["): did not find expected ", "): could not find expected ", "): mapping values are not allowed "],
        lines: &[r"^\((?<file>{name})\): (?<message>\S.*) at line (?<line>\d+) column (?<column>\d+)$"],
        ..LINE
    },
}
