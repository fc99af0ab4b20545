//! Annotations of CI and reports for programs, which many tools print beside their findings in text.

use std::collections::HashMap;

use crate::model::path::{base, may_be_one};
use crate::model::{Diagnostic, Severity};

/// The formats of annotations and such reports.
const FORMATS: [&str; 8] =
    ["azure", "checkstyle_xml", "github", "jest_json", "junit", "mocha_json", "rdjson", "rspec_json"];
/// The lines of a message that are compared.
const LINES: usize = 8;
/// The shortest line that says something, in bytes.
const SHORTEST: usize = 8;

/// Takes out the annotations of what the findings tell in another format as well: at the same place, in the same words.
pub(super) fn take_repeated(findings: &mut Vec<Diagnostic>) -> Vec<Diagnostic> {
    if !findings.iter().any(is_annotation) {
        return Vec::new();
    }
    // One may name a file from further up than the other.
    let mut told: HashMap<(&str, Option<usize>, Severity), Vec<&Diagnostic>> = HashMap::new();
    for found in findings.iter().filter(|found| !is_annotation(found)) {
        if let Some(place) = &found.place {
            told.entry((base(&place.file), place.line, found.severity)).or_default().push(found);
        }
    }
    let repeats: Vec<bool> = findings
        .iter()
        .map(|found| {
            let Some(place) = found.place.as_ref().filter(|_| is_annotation(found)) else { return false };
            let there = told.get(&(base(&place.file), place.line, found.severity));
            there.into_iter().flatten().any(|other| is_same(found, other))
        })
        .collect();
    let mut repeats = repeats.into_iter();
    findings.extract_if(.., |_| repeats.next().unwrap_or_default()).collect()
}

fn is_annotation(found: &Diagnostic) -> bool {
    FORMATS.contains(&&*found.dialect)
}

/// Whether two findings in one line of a file are about the same, in the same words.
fn is_same(annotation: &Diagnostic, other: &Diagnostic) -> bool {
    let (Some(place), Some(other_place)) = (&annotation.place, &other.place) else { return false };
    let columns = [place.column, other_place.column];
    let is_there = columns.contains(&None) || place.column == other_place.column;
    is_there
        && may_be_one(&place.file, &other_place.file)
        && (says(&annotation.message, &other.message) || says(&other.message, &annotation.message))
}

/// Whether the first message has a line of the second one.
fn says(message: &str, other: &str) -> bool {
    let mut lines = other.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES);
    message.trim() == other.trim() || lines.any(|line| line.len() >= SHORTEST && message.contains(line))
}

#[cfg(test)]
mod tests {
    use crate::dialect::trial::all_findings;

    /// As vitest 3 and basedpyright print them with `GITHUB_ACTIONS`.
    #[test]
    fn an_annotation_of_what_stands_in_text_is_no_other_error() {
        let text = "/p/a.py\n  /p/a.py:3:5 - error: \"x\" is not defined (reportUndefinedVariable)\n";
        let annotation = "::error title=reportUndefinedVariable,file=/p/a.py,line=3,endLine=3,col=5,endColumn=6::\"x\" is not defined\n";
        let expected = ["error /p/a.py:3:5 reportUndefinedVariable \"x\" is not defined [2-2]"];
        assert_eq!(all_findings(&format!("{text}{annotation}")), expected);
        let before = all_findings(&format!("{annotation}{text}"));
        assert_eq!(before, expected.map(|line| line.replace("[2-2]", "[3-3]")));
    }

    #[test]
    fn an_annotation_of_something_else_is_another_error() {
        let text = "  /p/a.py:3:5 - error: \"x\" is not defined (reportUndefinedVariable)\n";
        for other in [
            "::error file=/p/a.py,line=3,col=5::The module is too long\n",
            "::error file=/p/a.py,line=4,col=5::\"x\" is not defined\n",
            "::error file=/p/a.py,line=3,col=9::\"x\" is not defined\n",
            "::error file=/p/b.py,line=3,col=5::\"x\" is not defined\n",
        ] {
            assert_eq!(all_findings(&format!("{text}{other}")).len(), 2, "{other}");
        }
    }
}
