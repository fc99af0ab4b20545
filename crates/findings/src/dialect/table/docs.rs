//! Tools of documents, and the annotations that tools print for the services that run them.

use super::{LINE, Order, Row, formats};
use crate::model::Severity::{Error, Info, Warning};

/// A title and a message, each of them escaped.
fn titled(mut text: String) -> String {
    if let Some(at) = text.find("::") {
        text.replace_range(at..at + 2, "\n");
    }
    unescaped(text)
}

/// Text without the escapes of GitHub's and Azure's commands.
fn unescaped(text: String) -> String {
    const ESCAPES: [(&str, &str); 8] = [
        ("%0D", ""),
        ("%0A", "\n"),
        ("%3A", ":"),
        ("%2C", ","),
        ("%3B", ";"),
        ("%5D", "]"),
        ("%AZP25", "%"),
        // At last: what it stands for may look like another.
        ("%25", "%"),
    ];
    ESCAPES.iter().fold(text, |text, (escape, meant)| text.replace(escape, meant))
}

formats! { DOCS:
    Row {
        id: "sphinx",
        programs: &["sphinx-build", "sphinx-autobuild"],
        triggers: &[": WARNING: ", ": ERROR: ", ": CRITICAL: "],
        lines: &[r"^(?:checking consistency\.\.\. )?(?<file>\S.*?\.(?:rst|md|py|txt|ipynb)(?::docstring of \S+)?)(?::(?<line>\d+))?: (?<severity>WARNING|ERROR|CRITICAL): (?<message>.+?)(?: \[(?<code>[\w.]+)\])?$"],
        severities: &[("CRITICAL", Error)],
        ..LINE
    },
    Row {
        id: "sphinx",
        programs: &[],
        triggers: &["WARNING: autodoc: "],
        lines: &[r"^WARNING: (?<message>autodoc: .+?)(?: \[(?<code>[\w.]+)\])?$"],
        more: &[
            r"^(?:Traceback \(most recent call last\):|  .*)$",
            r"^(?<message>[A-Z][\w.]*(?:: .*)?)$",
            r"^ \[(?<code>[\w.]+)\]$",
        ],
        severity: Warning,
        ..LINE
    },
    Row {
        id: "sphinx",
        programs: &[],
        triggers: &["sphinx.errors."],
        lines: &[r"^ *sphinx\.errors\.\w+: (?<message>\S.*)$"],
        is_consequence: true,
        ..LINE
    },
    Row {
        id: "mkdocs",
        programs: &["mkdocs"],
        triggers: &["WARNING -  ", "ERROR   -  "],
        lines: &[r"^(?<severity>WARNING|ERROR) +-  (?:\[[^\]]*\] +)?(?<message>Doc file '(?<file>[^']+)' .+|.+)$"],
        ..LINE
    },
    Row {
        id: "mkdocs",
        programs: &[],
        triggers: &["Aborted with "],
        lines: &[r"^(?<message>Aborted with \d+ warnings? in strict mode!)$"],
        ..LINE
    },
    // The title of a failing test is its name.
    Row {
        id: "github",
        programs: &[],
        triggers: &["::error "],
        lines: &[r"^::error file=(?<file>[^,:]+),line=(?<line>\d+)(?:,col(?:umn)?=(?<column>\d+))?,title=(?<message>[^,:]* › [^:]*::.*)$"],
        decode: titled,
        ..LINE
    },
    Row {
        id: "github",
        programs: &[],
        triggers: &["::error ", "::warning ", "::notice "],
        lines: &[r"^::(?<severity>error|warning|notice) (?:[^,:]*,)*?file=(?<file>[^,:]+)(?:,[^,:]*)*?,line=(?<line>\d+)(?:(?:,[^,:]*)*?,col(?:umn)?=(?<column>\d+))?(?:,[^,:]*)*::(?<message>.*)$"],
        severities: &[("notice", Info)],
        decode: unescaped,
        ..LINE
    },
    Row {
        id: "github",
        programs: &[],
        triggers: &["::error ", "::warning ", "::notice "],
        lines: &[r"^::(?<severity>error|warning|notice) (?:[^,:]*,)*?file=(?<file>[^,:]+)(?:,(?:[abd-km-z]\w*|col|endLine)=[^,:]*)*::(?<message>.*)$"],
        severities: &[("notice", Info)],
        decode: unescaped,
        ..LINE
    },
    Row {
        id: "github",
        programs: &[],
        triggers: &["::error::", "::warning::", "::error title=", "::warning title="],
        // The sum of a step that failed names no reason.
        lines: &[r"^::(?<severity>error|warning)(?: title=[^,:]*)?::(?<message>[^Pc].*|P[^r].*|c(?:[^o]|o[^m]|om[^m]).*)$"],
        decode: unescaped,
        ..LINE
    },
    Row {
        id: "azure",
        programs: &[],
        triggers: &["##vso[task.logissue "],
        decode: unescaped,
        lines: &[r"^##vso\[task\.logissue type=(?<severity>error|warning);source(?:path|file)=(?<file>[^;\]]+);linenumber=(?<line>\d+);(?:columnnumber=(?<column>\d+);)?(?:code=(?<code>[^;\]]*);?)?\](?<message>.*)$"],
        ..LINE
    },
    Row {
        id: "azure",
        programs: &[],
        triggers: &["##vso[task.logissue ", "##[error]", "##[warning]"],
        decode: unescaped,
        lines: &[r"^##(?:vso\[task\.logissue type=|\[)(?<severity>error|warning);?(?:code=(?<code>[^;\]]*);?)?\](?<message>[^PB].*|P[^r].*|B[^a].*)$"],
        ..LINE
    },
    Row {
        id: "rstcheck",
        programs: &["rstcheck", "docutils", "rst2html"],
        triggers: &[": (ERROR/", ": (WARNING/", ": (INFO/", ": (SEVERE/"],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+): \((?<severity>ERROR|WARNING|INFO|SEVERE)/\d\) (?<message>.+)$"],
        severities: &[("SEVERE", Error)],
        ..LINE
    },
    Row {
        id: "rst_lint",
        programs: &["rst-lint", "restructuredtext-lint"],
        triggers: &[".rst:"],
        lines: &[r"^(?<severity>INFO|WARNING|ERROR|SEVERE) (?<file>\S.*?\.rst):(?<line>\d+) (?<message>.+)$"],
        severities: &[("SEVERE", Error)],
        ..LINE
    },
    Row {
        id: "doc8",
        programs: &["doc8"],
        triggers: &[": D00"],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+): (?<code>D00\d) (?<message>.+)$"],
        ..LINE
    },
    Row {
        id: "pymarkdown",
        programs: &["pymarkdown", "pymarkdownlnt"],
        triggers: &[": MD0", ": PML"],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+):(?<column>\d+): (?<code>(?:MD|PML)\d{3}): (?<message>.+) \([a-z\d,-]+\)$"],
        ..LINE
    },
    Row {
        id: "mdformat",
        programs: &["mdformat"],
        triggers: &["\" is not formatted."],
        lines: &[r#"^Error: File "(?<file>[^"]+)" is not formatted\.$"#],
        defaults: ("", "is not formatted"),
        ..LINE
    },
    Row {
        id: "remark",
        programs: &["remark", "alex"],
        triggers: &[" remark-lint", " retext-"],
        lines: &[r"^(?<file>\S.*\.\w+)$", r"^ *(?<line>\d+):(?<column>\d+)(?:-\d+:\d+)? +(?<severity>warning|error|info) +(?<message>\S.*?) +(?<code>[\w-]+) +(?:remark-lint|retext-\w+)$"],
        order: Order::HeadedRepeating(0),
        ..LINE
    },
    Row {
        id: "typos",
        programs: &["typos"],
        triggers: &["error: `"],
        lines: &["^error: (?<message>`.+` should be .+)$", r"^ *(?:╭▸|-->) (?<file>\S.*?):(?<line>\d+):(?<column>\d+)$"],
        ..LINE
    },
    Row {
        id: "chktex",
        programs: &["chktex"],
        triggers: &[".tex line "],
        lines: &[r"^(?<severity>Error|Warning|Message) (?<code>\d+) in (?<file>\S.*?\.tex) line (?<line>\d+): (?<message>.+)$"],
        // The line of source, and the marks below it.
        more: &[r"^(?<source>\S.*)$", r"^(?<marks> *\^+)$"],
        severities: &[("Message", Info)],
        ..LINE
    },
    Row {
        id: "mandoc",
        programs: &["mandoc"],
        triggers: &["mandoc: "],
        lines: &[r"^mandoc: (?<file>\S.*?):(?<line>\d+):(?<column>\d+): (?<severity>STYLE|WARNING|ERROR|UNSUPP): (?<message>.+)$"],
        severities: &[("STYLE", Info), ("UNSUPP", Warning)],
        ..LINE
    },
    Row {
        id: "tidy",
        programs: &["tidy"],
        triggers: &[" - Error: ", " - Warning: "],
        lines: &[r"^(?:(?<file>\S.*?):(?<line>\d+):(?<column>\d+): )?(?<message>line \d+ column \d+ - (?<severity>Error|Warning): .+)$"],
        ..LINE
    },
    Row {
        id: "xmllint",
        programs: &["xmllint", "xsltproc", "xmlstarlet"],
        triggers: &["r error : ", "r warning : ", "ty error : ", "ce error : ", "ce warning : "],
        lines: &[r"^(?<file>\S.*?):(?<line>\d+): (?:element [\w:.-]+: )?(?<message>(?:parser|namespace|validity|Schemas (?:parser|validity)|Relax-NG (?:parser|validity)) (?<severity>error|warning) : .+)$"],
        ..LINE
    },
    Row {
        id: "xmllint",
        programs: &[],
        triggers: &["failed to load external entity \""],
        lines: &[r#"^(?:I/O )?(?<severity>warning|error) ?: (?<message>failed to load external entity "(?<file>.+)")$"#],
        ..LINE
    },
    Row {
        id: "xmllint",
        programs: &[],
        triggers: &["Schemas parser error : ", "XPath error : "],
        lines: &[r"^(?<message>(?:Schemas parser|XPath) error : .+)$"],
        ..LINE
    },
    Row {
        id: "write_good",
        programs: &["write-good", "writegood"],
        triggers: &["============="],
        lines: &[r"^In (?<file>\S.*)$", "^=============$", r#"^(?<message>".+" .+) on line (?<line>\d+) at column (?<column>\d+)$"#],
        order: Order::HeadedRepeating(3),
        ..LINE
    },
}
