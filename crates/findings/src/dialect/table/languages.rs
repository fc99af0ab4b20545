//! Compilers and interpreters of languages, and runners of tasks, of which one or two shapes are known.

use super::{LINE, Order, Row, formats};
use crate::model::Severity::{Error, Warning};

formats! { LANGUAGES:
    Row {
        id: "lua",
        programs: &["lua", "luajit", "luac"],
        triggers: &["lua: ", "lua5.", "luajit: ", "luac: "],
        lines: &[r"^lua(?:c|jit)?[\d.]*: (?:(?<file>{name}\.\w+):(?<line>\d+): )?(?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "task",
        programs: &["task"],
        triggers: &["task: Task \""],
        lines: &[r#"^task: (?<message>Task ".+" does not exist)$"#],
        ..LINE
    },
    Row {
        id: "task",
        programs: &[],
        triggers: &["task: Failed to run task \""],
        lines: &[r#"^task: (?<message>Failed to run task ".+": .+)$"#],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "docker",
        programs: &["docker", "buildx"],
        triggers: &["ockerfile:"],
        lines: &[r"^(?<file>(?:{name}/)?\S*[Dd]ockerfile\S*):(?<line>\d+)$", r"^ERROR: failed to solve: (?<message>[^p].*|p[^r].*)$"],
        order: Order::Within(40),
        ..LINE
    },
    Row {
        id: "docker",
        programs: &[],
        triggers: &["ERROR: failed to solve: "],
        lines: &[r"^ERROR: failed to solve: (?<message>[^p].*|p[^r].*)$"],
        ..LINE
    },
    // The step has mostly printed the reason.
    Row {
        id: "docker",
        programs: &[],
        triggers: &["ERROR: failed to solve: process "],
        lines: &[r"^ERROR: failed to solve: (?<message>process .+)$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "gfortran",
        programs: &["gfortran"],
        triggers: &[".f90:", ".F90:", ".f95:", ".F95:", ".f03:", ".f08:", ".for:"],
        lines: &[r"^(?<file>{name}\.[fF](?:90|95|03|08|or)):(?<line>\d+):(?<column>\d+):$", r"^(?<severity>Error|Warning|Fatal Error): (?<message>.+?)(?: \[(?<code>-W[\w=-]+)\])?$"],
        order: Order::Within(8),
        severities: &[("Fatal Error", Error)],
        ..LINE
    },
    Row {
        id: "ocaml",
        programs: &["ocaml", "ocamlc", "ocamlopt", "ocamlfind", "dune"],
        triggers: &[", characters "],
        lines: &[r#"^File "(?<file>[^"]+)", lines? (?<line>\d+)(?:-\d+)?, characters \d+-\d+:$"#, r"^(?<severity>Error|Warning)(?: \d+| \(warning \d+)?(?: \[(?<code>[\w-]+)\])?\)?: (?<message>.+)$"],
        more: &[r"^ {7,}(?<wrapped>\S.*)$"],
        order: Order::Within(12),
        ..LINE
    },
    Row {
        id: "nim",
        programs: &["nim", "nimble"],
        triggers: &[") Error: ", ") Warning: "],
        lines: &[r"^(?<file>{name}\.nim(?:s|ble)?)\((?<line>\d+), (?<column>\d+)\) (?<severity>Error|Warning): (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "ghc",
        programs: &["ghc", "cabal", "stack"],
        triggers: &[".hs:"],
        lines: &[r"^(?<file>{name}\.l?hs):(?<line>\d+):(?<column>\d+)(?:-\d+)?: (?<severity>error|warning):(?: \[(?<code>[\w-]+)\])*$", r"^ {4,}(?:• )?(?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "sed",
        programs: &["sed"],
        triggers: &["sed: -e ", "sed: can't read ", "sed: file "],
        lines: &[r"^sed: (?<message>(?:-e expression #\d+, char \d+|can't read [^:]+|file .+ line \d+): .+)$"],
        ..LINE
    },
    Row {
        id: "rscript",
        programs: &["Rscript", "R"],
        triggers: &["Error in source("],
        lines: &[r"^Error in source\(.*\) : *(?<file>{name}\.[rR](?:md)?):(?<line>\d+):(?<column>\d+): (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "rscript",
        programs: &[],
        triggers: &["Error in "],
        lines: &[r"^Error in (?<message>\S.* : \S.*)$"],
        ..LINE
    },
    Row {
        id: "rscript",
        programs: &[],
        triggers: &["Error in "],
        lines: &[r"^Error in \S.* : *$", r"^  (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "rscript",
        programs: &[],
        triggers: &["Error: "],
        lines: &[r"^Error: (?<message>\S.+?)(?: in:)?$", r"^Execution halted$"],
        order: Order::Within(4),
        ..LINE
    },
    Row {
        id: "scalac",
        programs: &["scalac", "scala"],
        triggers: &[".scala:"],
        lines: &[r"^(?<file>{name}\.scala):(?<line>\d+)(?::(?<column>\d+))?: (?<severity>error|warning): (?<message>.+)$"],
        more: &[r"^ (?<message>(?:found|required) *: .+)$"],
        ..LINE
    },
    Row {
        id: "latex",
        programs: &["latex", "pdflatex", "xelatex", "lualatex"],
        triggers: &["! LaTeX ", "! Package ", "! Undefined control ", "! Missing ", "! Extra ", "! Misplaced "],
        lines: &[r"^! (?<message>LaTeX Error: .+|Package \S+ Error: .+|Undefined control sequence\.|Missing .+ inserted\.|(?:Extra|Misplaced) .+)$"],
        more: &[r"^<.+> .*$", r"^(?<message>l\.\d+ .+?) *$"],
        ..LINE
    },
    Row {
        id: "latex",
        programs: &[],
        triggers: &[".tex:", ".sty:", ".cls:"],
        lines: &[r"^(?<file>{name}\.(?:tex|sty|cls)):(?<line>\d+): (?<message>LaTeX Error: .+|Package \S+ Error: .+|Undefined control sequence\.|Missing .+ inserted\.|(?:Extra|Misplaced) .+)$"],
        more: &[r"^<.+> .*$", r"^(?<message>l\.\d+ .+?) *$"],
        ..LINE
    },
    Row {
        id: "vala",
        programs: &["valac"],
        triggers: &[".vala:", ".vapi:"],
        lines: &[r"^(?<file>{name}\.(?:vala|vapi)):(?<line>\d+)\.(?<column>\d+)-\d+\.\d+: (?<severity>error|warning): (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "dlang",
        programs: &["dmd", "ldc2", "gdc", "dub"],
        triggers: &["): Error: ", "): Warning: ", "): Deprecation: "],
        lines: &[r"^(?<file>{name}\.d)\((?<line>\d+)(?:,(?<column>\d+))?\): (?<severity>Error|Warning|Deprecation): (?<message>.+)$"],
        severities: &[("Deprecation", Warning)],
        ..LINE
    },
    Row {
        id: "fish",
        programs: &["fish"],
        triggers: &["fish: "],
        lines: &[r"^fish: (?<message>.+)$", r"^(?<file>\S.*) \(line (?<line>\d+)\): *$"],
        ..LINE
    },
    Row {
        id: "fish",
        programs: &[],
        triggers: &[".fish (line "],
        lines: &[r"^(?<file>{name}\.fish) \(line (?<line>\d+)\): (?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "jsonnet",
        programs: &["jsonnet"],
        triggers: &["RUNTIME ERROR: "],
        lines: &[r"^RUNTIME ERROR: (?<message>.+)$", r"^\t(?<file>{name}\.(?:jsonnet|libsonnet)):\(?(?<line>\d+):(?<column>\d+).*$"],
        order: Order::Within(20),
        ..LINE
    },
    Row {
        id: "jsonnet",
        programs: &[],
        triggers: &["STATIC ERROR: "],
        lines: &[r"^STATIC ERROR: (?<file>{name}):(?<line>\d+):(?<column>\d+)(?:-\d+)?: (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "ocaml",
        programs: &[],
        triggers: &["Fatal error: exception "],
        lines: &[r"^Fatal error: exception (?<message>.+)$", r#"^Raised (?:at|by) .*in file "(?<file>[^"]+)".*, line (?<line>\d+), characters (?<column>\d+)-\d+$"#],
        order: Order::Within(2),
        ..LINE
    },
    Row {
        id: "ocaml",
        programs: &[],
        triggers: &["Fatal error: exception ", "Exception: "],
        lines: &[r"^(?:Fatal error: exception|Exception:) (?<message>.+?)\.?$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "ocaml",
        programs: &[],
        triggers: &["Cannot find file "],
        lines: &[r"^(?<message>Cannot find file (?<file>\S+?))\.?$"],
        ..LINE
    },
    // Nim's programs that die, its library for tests, and its command line.
    Row {
        id: "nim",
        programs: &[],
        triggers: &["Error: unhandled exception: ", "Error: cannot open '", "command line(", "Unhandled exception: "],
        lines: &[r"^(?:Error: |command line\(\d+, \d+\) Error: | +)(?<message>unhandled exception: .+?|cannot open '.+'|invalid .+|Unhandled exception: .+?)(?: \[(?<code>\w+)\])?$"],
        ..LINE
    },
    Row {
        id: "nim",
        programs: &[],
        triggers: &["): Check failed: "],
        lines: &[r"^ +(?<file>{name}\.nim)\((?<line>\d+), (?<column>\d+)\): (?<message>Check failed: .+)$"],
        ..LINE
    },
    Row {
        id: "gfortran",
        programs: &[],
        triggers: &["Fortran runtime error: "],
        lines: &[r"^At line (?<line>\d+) of file (?<file>.+?)(?: \(unit = .*\))?$", r"^Fortran runtime error: (?<message>.+)$"],
        order: Order::Headed,
        ..LINE
    },
    Row {
        id: "gfortran",
        programs: &[],
        triggers: &["f951: "],
        lines: &[r"^f951: (?:Fatal )?[Ee]rror: (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "ghc",
        programs: &[],
        triggers: &["<no location info>: error:"],
        lines: &[r"^<no location info>: error:(?: \[[\w-]+\])?(?: (?<message>\S.*))?$"],
        more: &[r"^ {4,}(?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "ghc",
        programs: &[],
        triggers: &["Prelude.", ": Non-exhaustive ", "No cabal.project file "],
        lines: &[r"^(?:[\w.-]+: )?(?<message>Prelude\.[\w.!]+: .+|(?:(?<file>{name}\.hs):\(?(?<line>\d+)[:,]\S+: )?Non-exhaustive (?:patterns|guards) in .+|No cabal\.project file .+ was found)\.?$"],
        ..LINE
    },
    Row {
        id: "rscript",
        programs: &[],
        triggers: &["Fatal error: cannot open file '"],
        lines: &[r"^Fatal error: (?<message>cannot open file '(?<file>.+)': .+)$"],
        ..LINE
    },
    Row {
        id: "dlang",
        programs: &[],
        triggers: &["xception@", "rror@", "): [unittest] ", "Error: cannot find input file "],
        lines: &[r"^(?:(?:(?<code>[\w.]+(?:Exception|Error))@)?(?<file>{name}\.d)\((?<line>\d+)\): (?:\[unittest\] )?|Error: )(?<message>\S.*)$"],
        ..LINE
    },
    Row {
        id: "groovy",
        programs: &["groovy"],
        triggers: &["Caught: "],
        lines: &[r"^Caught: (?<message>\S.*)$", r"^\tat .+\((?<file>[^()]+\.groovy):(?<line>\d+)\)$"],
        order: Order::Within(8),
        ..LINE
    },
    Row {
        id: "groovy",
        programs: &[],
        triggers: &[".groovy: "],
        lines: &[r"^(?<file>{name}\.groovy): (?<line>\d+): (?<message>.+?)(?: @ line \d+, column (?<column>\d+)\.)?$"],
        ..LINE
    },
    Row {
        id: "guile",
        programs: &["guile"],
        triggers: &["In procedure ", ".scm:"],
        lines: &[r"^(?:(?<file>{name}\.scm):(?<line>\d+):(?<column>\d+): )?(?<message>(?:In procedure \S+: .+|unexpected end of input.*|unknown .+|[Uu]nbound variable: .+))$"],
        ..LINE
    },
}
