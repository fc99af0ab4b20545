//! Tools of Python.

use super::{LINE, Order, Row, formats};
use crate::model::Severity::{Error, Warning};

/// Lines of the files that ruff and ty read.
#[rustfmt::skip]
const PLACES: &[&str] = &[
    ".py:0", ".py:1", ".py:2", ".py:3", ".py:4", ".py:5", ".py:6", ".py:7", ".py:8", ".py:9",
    ".pyi:0", ".pyi:1", ".pyi:2", ".pyi:3", ".pyi:4", ".pyi:5", ".pyi:6", ".pyi:7", ".pyi:8", ".pyi:9",
    ".ipynb:", ".toml:0", ".toml:1", ".toml:2", ".toml:3", ".toml:4", ".toml:5", ".toml:6", ".toml:7", ".toml:8", ".toml:9",
];

/// A file that ruff reads.
macro_rules! file {
    () => {
        r#"(?<file>[^\s`":][^`"]*?\.(?:py[iwx]?|ipynb(?::cell.*?)?|toml|md))"#
    };
}

/// The rule of ruff or flake8, and the message: `F401 [*] message`, `invalid-syntax: message`.
macro_rules! rule {
    () => {
        r"(?<code>[A-Z]{1,8}\d{3,4}|(?:[a-z][a-z\d]*-[a-z\d-]*|SyntaxError|unformatted):) +(?:\[\*\] )?(?<message>\S.*)$"
    };
}

formats! { PYTHON:
    Row {
        id: "ty",
        programs: &["ty"],
        triggers: PLACES,
        lines: &[r"^(?<file>\S.*?\.pyi?):(?<line>\d+):(?<column>\d+): (?<severity>error|warning|info)\[(?<code>[a-z-]+)\] (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "ty_full",
        programs: &["ty"],
        triggers: &["error[", "warning[", "info["],
        lines: &[
            r"^(?<severity>error|warning|info)\[(?<code>[a-z][a-z-]+)\]: (?<message>.+)$",
            r"^ +--> (?<file>.+?\.(?:py|pyi|ipynb)):(?<line>\d+):(?<column>\d+)$",
        ],
        ..LINE
    },
    Row {
        id: "mypy",
        programs: &["mypy", "dmypy", "zuban"],
        triggers: &["{\"file\": \""],
        lines: &[r#"^\{"file": "(?<file>[^"]+)", "line": (?<line>\d+), .*?"message": "(?<message>(?:[^"\\]|\\.)*)", .*"code": (?:"(?<code>[\w-]+)"|null), "severity": "(?<severity>\w+)"\}$"#],
        decode: |text| text.replace("\\\"", "\"").replace("\\\\", "\\"),
        ..LINE
    },
    Row {
        id: "vulture",
        programs: &["vulture"],
        triggers: &["% confidence"],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+): (?<message>(?:unused|unreachable|unsatisfiable|redundant) .+?) \(\d+% confidence[^)]*\)$"],
        severity: Warning,
        ..LINE
    },
    Row {
        id: "vulture",
        programs: &[],
        triggers: &[": invalid syntax at \""],
        lines: &[r#"^(?<file>\S.*?\.pyi?):(?<line>\d+): (?<message>invalid syntax at ".*")$"#],
        ..LINE
    },
    Row {
        id: "bandit",
        programs: &["bandit"],
        triggers: &[">> Issue: ["],
        lines: &[
            r"^>> Issue: \[(?<code>B\d+)[^\]]*\] (?<message>.+)$",
            r"^   Severity: (?<severity>\w+) ",
            r"^   Location: (?<file>.+?):(?<line>\d+)(?::(?<column>\d+))?$",
        ],
        order: Order::Within(4),
        severity: Warning,
        severities: &[("High", Error), ("Medium", Warning), ("Low", Warning)],
        ..LINE
    },
    Row {
        id: "bandit",
        programs: &[],
        triggers: &["[bandit]: "],
        lines: &[r"^(?<file>\S.*?\.pyw?):(?<line>\d+): (?<code>B\d{3})\[bandit\]: (?<severity>HIGH|MEDIUM|LOW|UNDEFINED): (?<message>\S.*)$"],
        severity: Warning,
        severities: &[("HIGH", Error), ("MEDIUM", Warning), ("LOW", Warning)],
        ..LINE
    },
    Row {
        id: "black",
        programs: &["black"],
        triggers: &["would reformat "],
        lines: &[r"^(?<message>would reformat) (?<file>\S.*\.(?:py|pyi|ipynb))$"],
        ..LINE
    },
    // The difference that its `--diff` shows.
    Row {
        id: "black",
        programs: &[],
        triggers: &["+++ "],
        lines: &[
            r"^--- (?<file>{name}\.(?:pyi?|ipynb))\t\d{4}-\d\d-\d\d [\d:.]+\+00:00$",
            r"^\+\+\+ {name}\t\d{4}-\d\d-\d\d [\d:.]+\+00:00$",
        ],
        order: Order::Headed,
        defaults: ("", "would reformat"),
        ..LINE
    },
    Row {
        id: "black_error",
        programs: &["black"],
        triggers: &["error: cannot parse: "],
        lines: &[r"^error: (?<message>cannot parse: (?<file>.+?\.(?:py|pyi|ipynb)):(?<line>\d+):(?<column>\d+))$"],
        ..LINE
    },
    Row {
        id: "black_cannot_format",
        programs: &["black"],
        triggers: &["error: cannot format "],
        lines: &[
            r"^error: cannot format (?<file>.+?\.(?:py|pyi|ipynb)): (?<message>[^:]+(?:: (?<line>\d+):(?<column>\d+): .+)?.*)$",
        ],
        ..LINE
    },
    Row {
        id: "isort",
        programs: &["isort"],
        triggers: &["ERROR: /"],
        lines: &[r"^ERROR: (?<file>/.+?) (?<message>Imports are incorrectly sorted and/or formatted\.)$"],
        ..LINE
    },
    Row {
        id: "pydocstyle",
        programs: &["pydocstyle"],
        triggers: &[" at module level:", " in public ", " in private "],
        lines: &[
            r"^(?<file>\S.*?\.py):(?<line>\d+) (?:at module level|in (?:public|private) .+):$",
            r"^ {8}(?<code>D\d+): (?<message>.+)$",
        ],
        ..LINE
    },
    Row {
        id: "sqlfluff",
        programs: &["sqlfluff"],
        triggers: &["== ["],
        lines: &[
            r"^== \[(?<file>.+)\] FAIL$",
            r"^L: +(?<line>\d+) \| P: +(?<column>\d+) \| +(?<code>[A-Z]+\d*) \| (?<message>.+)$",
        ],
        order: Order::Repeating(8),
        ..LINE
    },
    Row {
        id: "sqlfluff",
        programs: &[],
        triggers: &["|  PRS | "],
        lines: &[r"^(?<message>L: +\d+ \| P: +\d+ \|  PRS \| \S.*)$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "codespell",
        programs: &["codespell"],
        triggers: &[" ==> "],
        lines: &[r"^(?<file>[^\s:].*?):(?<line>\d+): (?<message>\S+ ==> \S.*)$"],
        ..LINE
    },
    Row {
        id: "djlint",
        programs: &["djlint"],
        triggers: &["────────"],
        lines: &[
            r"^(?<file>\S.*\.\w+)$",
            r"^─{8,}$",
            r"^(?<code>[A-Z]\d{3}) (?<line>\d+):(?<column>\d+) (?<message>.+)$",
        ],
        order: Order::HeadedRepeating(2),
        ..LINE
    },
    Row {
        id: "djlint",
        programs: &[],
        triggers: &["────────"],
        lines: &[r"^(?<file>\S.*\.\w+)$", r"^─{8,}$", r"^@@ .* @@"],
        order: Order::Headed,
        defaults: ("", "would be reformatted"),
        ..LINE
    },
    Row {
        id: "ansible_lint",
        programs: &["ansible-lint"],
        triggers: &[".yml:", ".yaml:"],
        lines: &[r"^(?<file>{name}\.ya?ml):(?<line>\d+)(?::(?<column>\d+))?: (?<code>[a-z][a-z-]+(?:\[[\w/-]+\])*(?:\[/\])?): (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "ansible_lint",
        programs: &[],
        triggers: &[".yml:", ".yaml:"],
        lines: &[
            r"^(?<code>[a-z][a-z-]+(?:\[[\w-]+\])?): (?<message>.+)$",
            r"^(?<file>{name}\.ya?ml):(?<line>\d+)(?::(?<column>\d+))?(?: .*)?$",
        ],
        order: Order::Headed,
        ..LINE
    },
    Row {
        id: "yamllint",
        programs: &["yamllint"],
        triggers: &[": [error] ", ": [warning] "],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+):(?<column>\d+): \[(?<severity>error|warning)\] (?<message>.+?)(?: \((?<code>[\w-]+)\))?$"],
        ..LINE
    },
    Row {
        id: "pylint",
        programs: &["pylint"],
        triggers: &[
            ": C0", ": C1", ": C2", ": C3", ": R0", ": R1", ": R6", ": W0", ": W1", ": W2", ": W3", ": W4", ": W6", ": W9",
            ": E0", ": E1", ": E2", ": E3", ": E4", ": E6", ": F0", ": I0", ": I1",
        ],
        lines: &[
            r"^(?<file>\S.*?):(?<line>\d+):(?<column>\d+): (?<code>(?<severity>[CRWEFI])\d{4,5}): (?<message>.+) \([a-z0-9-]+\)$",
        ],
        severities: &[("C", Warning), ("R", Warning), ("F", Error)],
        ..LINE
    },
    Row {
        id: "pylint",
        programs: &[],
        triggers: &[": [C0", ": [C1", ": [C2", ": [C3", ": [R0", ": [R1", ": [W0", ": [W1", ": [W2", ": [W3", ": [W4", ": [W6", ": [E0", ": [E1", ": [E2", ": [E3", ": [E4", ": [E6", ": [F0"],
        lines: &[r"^(?<file>\S.*?)[:(](?<line>\d+)\)?: \[(?<code>(?<severity>[CRWEF])\d{4,5})\([a-z0-9-]+\)[^\]]*\] (?<message>\S.*)$"],
        severities: &[("C", Warning), ("R", Warning), ("F", Error)],
        ..LINE
    },
    Row {
        id: "meson",
        programs: &["meson"],
        triggers: &[": ERROR: ", ": WARNING: "],
        lines: &[r"^(?<file>(?:{name}/)?meson(?:\.build|\.options|_options\.txt)):(?<line>\d+):(?:(?<column>\d+):)? (?<severity>ERROR|WARNING): (?<message>.+)$"],
        severities: &[("ERROR", Error), ("WARNING", Warning)],
        ..LINE
    },
    Row {
        id: "pyright",
        programs: &["pyright", "basedpyright"],
        triggers: &[" - error: ", " - warning: ", " - information: "],
        lines: &[
            r#"^(?:  )?(?<file>[^\s`"][^`"]*\.(?:pyi?|ipynb)):(?<line>\d+):(?<column>\d+) - (?<severity>error|warning|information): (?<message>.*?)(?: \((?<code>report\w+)\))? *$"#,
        ],
        // Beside annotations of GitHub's it is not indented.
        more: &[r"^(?:  )?(?<message>[ \u{a0}].*?)(?: \((?<code>report\w+)\))? *$"],
        ..LINE
    },
    Row {
        id: "pyright",
        programs: &[],
        triggers: &["File or directory \""],
        lines: &[r#"^(?<message>File or directory ".*" does not exist)$"#],
        ..LINE
    },
    Row {
        id: "ruff",
        programs: &["ruff", "flake8", "pycodestyle", "pyflakes"],
        triggers: PLACES,
        lines: &[concat!("^", file!(), r":(?<line>\d+):(?<column>\d+): ", rule!())],
        ..LINE
    },
    // As pyflakes writes alone, without a code.
    Row {
        id: "ruff",
        programs: &[],
        triggers: PLACES,
        lines: &[concat!(
            "^",
            file!(),
            r":(?<line>\d+):(?<column>\d+):? (?<message>'[^']+' imported but unused|undefined name '[^']+'|redefinition of unused '.+",
            r"|local variable '[^']+' .+|'.+' may be undefined, or defined from star imports: .+|'from \S+ import \*' used; .+",
            r"|f-string is missing placeholders|import '[^']+' from line \d+ shadowed by loop variable|list comprehension redefines .+",
            r"|dictionary key .+ repeated with different values|invalid syntax|expected '.+'|unexpected indent|unindent does not match .+",
            r"|unterminated .+|'[^']+' was never closed|'return' outside function|'yield' outside function|syntax error in .+)$",
        )],
        ..LINE
    },
    Row {
        id: "ruff",
        programs: &[],
        triggers: &["--> "],
        lines: &[concat!("^", rule!()), concat!("^ *--> ", file!(), r":(?<line>\d+):(?<column>\d+)$")],
        // The sources, changes to them, and help.
        more: &[r"^ *(?:[|+.=^:-]|\d|(?:help|note|info): )|^$"],
        order: Order::Headed,
        ..LINE
    },
    Row {
        id: "ruff",
        programs: &[],
        triggers: &["Would reformat: "],
        lines: &[concat!("^Would reformat: ", file!(), "$")],
        defaults: ("unformatted", "File would be reformatted"),
        ..LINE
    },
    // The difference that its `--diff` shows: of equal names, and without a time.
    Row {
        id: "ruff",
        programs: &[],
        triggers: &["+++ "],
        lines: &[concat!("^--- ", file!(), "$"), r"^\+\+\+ (?:[^\sb]|b[^/]).*\.(?:pyi?|ipynb|md)$", r"^@@ -[\d,]+ \+[\d,]+ @@$"],
        order: Order::Headed,
        defaults: ("unformatted", "File would be reformatted"),
        ..LINE
    },
    Row {
        id: "ruff",
        programs: &[],
        triggers: &["error: Failed to parse "],
        lines: &[concat!("^error: Failed to parse ", file!(), r":(?<line>\d+):(?:(?<column>\d+):)? *(?<message>.+)$")],
        ..LINE
    },
    Row {
        id: "ruff",
        programs: &[],
        triggers: PLACES,
        lines: &[concat!("^", file!(), r":(?<line>\d+): \[(?<code>[A-Z]{1,8}\d{3,4}|[a-z]+(?:-[a-z]+)+)\] (?<message>\S.*)$")],
        ..LINE
    },
    Row {
        id: "ruff",
        programs: &[],
        triggers: &[".py:", ".pyi:", ".ipynb:"],
        lines: &[concat!("^", file!(), ":$"), concat!(r"^ +(?<line>\d+):(?<column>\d+) +", rule!())],
        order: Order::Repeating(0),
        ..LINE
    },
    Row {
        id: "ruff",
        programs: &[],
        triggers: &["--> "],
        lines: &[r"^(?<code>E902) (?<message>\S.*)$", r"^ *--> (?<file>\S.*?)(?::\d+:\d+)?$"],
        order: Order::Headed,
        ..LINE
    },
    Row {
        id: "cfn_lint",
        programs: &["cfn-lint"],
        triggers: &[".yaml:", ".yml:", ".json:", ".template:"],
        lines: &[r"^(?<file>\S.*?\.(?:ya?ml|json|template)):(?<line>\d+):(?<column>\d+):\d+:\d+:(?<code>(?<severity>[EWI])\d{4}):(?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "cfn_lint",
        programs: &[],
        triggers: &[".yaml:", ".yml:", ".json:", ".template:"],
        lines: &[r"^(?<code>(?<severity>[EWI])\d{4}) (?<message>.+)$", r"^(?<file>\S.*\.(?:ya?ml|json|template)):(?<line>\d+):(?<column>\d+)$"],
        order: Order::Headed,
        ..LINE
    },
    Row {
        id: "check_jsonschema",
        programs: &["check-jsonschema"],
        triggers: &["Schema validation errors were encountered."],
        lines: &[r"^Schema validation errors were encountered\.$", r"^  (?<file>\S.*?)::(?<message>\$.*)$"],
        order: Order::Repeating(0),
        ..LINE
    },
    Row {
        id: "check_jsonschema",
        programs: &[],
        triggers: &["  Failed to parse "],
        lines: &[
            r"^  Failed to parse (?<file>\S.*)$",
            r"^    (?<message>\w+: .+: line (?<line>\d+) column (?<column>\d+) .*)$",
        ],
        ..LINE
    },
    Row {
        id: "pyrefly",
        programs: &["pyrefly"],
        triggers: &[" --> "],
        lines: &[
            r"^ *(?<severity>ERROR|WARN) (?<message>.+) \[(?<code>[a-z-]+)\]$",
            r"^ +--> (?<file>\S.*):(?<line>\d+):(?<column>\d+)$",
        ],
        order: Order::Headed,
        severities: &[("WARN", Warning)],
        ..LINE
    },
    Row {
        id: "pyrefly",
        programs: &[],
        triggers: &["ERROR ", " WARN "],
        lines: &[r"^ *(?<severity>ERROR|WARN) (?<file>\S.*?\.pyi?):(?<line>\d+):(?<column>\d+)[\d:-]*: (?<message>\S.*) \[(?<code>[a-z-]+)\]$"],
        severities: &[("WARN", Warning)],
        ..LINE
    },
    Row {
        id: "proselint",
        programs: &["proselint"],
        triggers: &[": misc.", ": weasel_words.", ": typography.", ": redundancy.", ": spelling.", ": cliches."],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+):(?<column>\d+): (?<code>[a-z_]+(?:\.[a-z_]+)+): (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "compileall",
        programs: &[],
        triggers: &["***   File \""],
        lines: &[
            r#"^\*\*\*   File "(?<file>.+)", line (?<line>\d+)$"#,
            r"^(?<message>\w*(?:Error|Warning): .+)$",
        ],
        order: Order::Within(3),
        ..LINE
    },
    Row {
        id: "compileall",
        programs: &[],
        triggers: &["Sorry: "],
        lines: &[r"^Sorry: (?<message>\w*Error: .+) \((?<file>.+), line (?<line>\d+)\)$"],
        ..LINE
    },
    Row {
        id: "doctest",
        programs: &["python", "python3"],
        triggers: &["Failed example:"],
        lines: &[r#"^File "(?<file>.+)", line (?<line>\d+), in (?<code>\S+)$"#, "^Failed example:$", r"^    (?<message>\S.*)$"],
        more: &[r"^(?<message>(?:Expected|Got)(?: nothing|:)|    [^T].*)$", r"^Exception raised:$|^    Traceback |^     ", r"^    (?<message>\S.*)$"],
        order: Order::Headed,
        ..LINE
    },
    // The last line of a program that pip starts.
    Row {
        id: "pip",
        programs: &["pip", "pip3"],
        triggers: &["[end of output]"],
        lines: &[r"^ {4,}(?<message>\S.*)$", r"^ +\[end of output\]$"],
        order: Order::Headed,
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "deptry",
        programs: &["deptry"],
        triggers: &[": DEP0"],
        lines: &[r"^(?<file>\S.*?)(?::(?<line>\d+):(?<column>\d+))?: (?<code>DEP\d{3}) (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "refurb",
        programs: &["refurb"],
        triggers: &[" [FURB"],
        lines: &[r"^(?<file>\S.*?\.pyi?):(?<line>\d+):(?<column>\d+) \[(?<code>FURB\d+)\]: (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "cython",
        programs: &["cython", "cythonize"],
        triggers: &[".pyx:", ".pxd:", ".pxi:"],
        lines: &["^-{20,}$", r"^(?<file>\S.*\.p(?:yx|xd|xi)):(?<line>\d+):(?<column>\d+): (?<message>\S.*)$"],
        order: Order::Headed,
        ..LINE
    },
    Row {
        id: "fortitude",
        programs: &["fortitude"],
        triggers: &["--> "],
        lines: &[concat!("^", rule!()), r"^ *--> (?<file>.+\.[fF](?:90|95|03|08|18|23|or)?):(?<line>\d+):(?<column>\d+)$"],
        order: Order::Headed,
        ..LINE
    },
    Row {
        id: "interrogate",
        programs: &["interrogate"],
        triggers: &[" RESULT: FAILED "],
        lines: &[r"^-+ RESULT: (?<message>FAILED \(minimum: .+\)) -+$"],
        ..LINE
    },
    Row {
        id: "yapf",
        programs: &["yapf"],
        triggers: &["(reformatted)"],
        lines: &[r"^\+\+\+ (?<file>\S.*?)\s+\(reformatted\)$"],
        defaults: ("", "would be reformatted"),
        ..LINE
    },
    Row {
        id: "yapf",
        programs: &[],
        triggers: &["yapf: "],
        lines: &[r"^yapf: (?<file>\S.*?):(?<line>\d+):(?<column>\d+): (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "nox",
        programs: &["nox"],
        triggers: &["nox > Session "],
        lines: &[r"^nox > (?<message>Session .+ (?:failed|aborted)(?:\.|: .+))$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "nox",
        programs: &[],
        triggers: &["nox > Program "],
        lines: &[r"^nox > (?<message>Program \S+ not found)\.$"],
        ..LINE
    },
    Row {
        id: "snakemake",
        programs: &["snakemake"],
        triggers: &[" in file \""],
        lines: &[r#"^(?<code>[A-Z]\w*(?:Error|Exception)) in file "(?<file>[^"]+)", line (?<line>\d+):$"#, r"^(?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "scons",
        programs: &["scons"],
        triggers: &["  File \""],
        lines: &[r"^(?<message>[A-Z]\w*(?:Error|Exception): .*?):$", r#"^  File "(?<file>[^"]+)", line (?<line>\d+):$"#],
        order: Order::Headed,
        ..LINE
    },
    Row {
        id: "scons",
        programs: &[],
        triggers: &["scons: *** "],
        lines: &[r"^scons: \*\*\* (?<message>.+)$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "pydoclint",
        programs: &["pydoclint"],
        triggers: &[": DOC"],
        lines: &[r"^(?<file>\S.*\.pyi?)$", r"^ {4}(?<line>\d+): (?<code>DOC\d{3}): (?<message>.+)$"],
        order: Order::HeadedRepeating(0),
        ..LINE
    },
    Row {
        id: "xenon",
        programs: &["xenon"],
        triggers: &["ERROR:xenon:"],
        lines: &[r#"^ERROR:xenon:(?<message>(?:average complexity is|(?:block|module) ["'](?<file>[^"':]+\.py)(?::(?<line>\d+) [^"']+)?["'] has a rank of).*)$"#],
        ..LINE
    },
    Row {
        id: "robot",
        programs: &[],
        triggers: &["[ ERROR ] Error in file '"],
        lines: &[r"^\[ ERROR \] Error in file '(?<file>[^']+)' on line (?<line>\d+): (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "import_linter",
        programs: &["lint-imports"],
        triggers: &[" is not allowed to import "],
        lines: &[r"^(?<message>[\w.]+ is not allowed to import [\w.]+):$"],
        more: &["^$", r"^[-&]? *(?<message>[\w.]+ -> .+\(l\.\d.*\))$"],
        ..LINE
    },
    Row {
        id: "slotscheck",
        programs: &["slotscheck"],
        triggers: &["ERROR: '"],
        lines: &[r"^ERROR: (?<message>'[\w.]+:[\w.]+' (?:defines|has) .*\bslots\b.*)$"],
        ..LINE
    },
    Row {
        id: "slotscheck",
        programs: &[],
        triggers: &["' is not in PYTHONPATH."],
        lines: &[r"^ERROR: (?<message>File '(?<file>[^']+)' is not in PYTHONPATH\.)$"],
        ..LINE
    },
    Row {
        id: "vermin",
        programs: &["vermin"],
        triggers: &["Target versions not met:"],
        lines: &[r"^(?<message>Target versions not met: .+)$"],
        ..LINE
    },
    Row {
        id: "reuse",
        programs: &["reuse"],
        triggers: &["The following files have no "],
        lines: &[r"^The following files have (?<message>no (?:copyright|licensing|copyright and licensing) information):$", r"^\* (?<file>\S.*)$"],
        order: Order::Repeating(0),
        ..LINE
    },
    Row {
        id: "curlylint",
        programs: &["curlylint"],
        triggers: &["\tparse_error", "\taria_role", "\tdjango_forms_", "\thtml_has_lang", "\timage_alt", "\tindent", "\tmeta_viewport", "\tno_autofocus", "\ttabindex_no_"],
        lines: &[r"^(?<file>\S.*\.\w+)$", r"^(?<line>\d+):(?<column>\d+)\t(?<message>[^\t]+)\t(?<code>[a-z_]+)$"],
        order: Order::HeadedRepeating(0),
        ..LINE
    },
}
