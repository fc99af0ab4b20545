//! Tools of documents, and the annotations that tools print for the services that run them.

use super::{LINE, Row, formats};
use crate::model::Severity::Info;

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
        triggers: &[": WARNING: ", ": ERROR: "],
        lines: &[r"^(?<file>\S.*?\.(?:rst|md|py|txt|ipynb)(?::docstring of \S+)?):(?<line>\d+): (?<severity>WARNING|ERROR): (?<message>.+?)(?: \[(?<code>[\w.]+)\])?$"],
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
        id: "github",
        programs: &[],
        triggers: &["::error ", "::warning ", "::notice "],
        lines: &[r"^::(?<severity>error|warning|notice) (?:[^:]*?,)?file=(?<file>[^,:]+)(?:,line=(?<line>\d+))?(?:,endLine=\d+)?(?:,col=(?<column>\d+))?[^:]*::(?<message>.*)$"],
        severities: &[("notice", Info)],
        decode: unescaped,
        ..LINE
    },
    Row {
        id: "azure",
        programs: &[],
        triggers: &["##vso[task.logissue "],
        decode: unescaped,
        lines: &[r"^##vso\[task\.logissue type=(?<severity>error|warning);sourcepath=(?<file>[^;\]]+);linenumber=(?<line>\d+);(?:columnnumber=(?<column>\d+);)?(?:code=(?<code>[^;\]]*);)?\](?<message>.*)$"],
        ..LINE
    },
}
