//! Go's compiler, vet and modules: `a.go:3:5: undefined: x`, and `go: go.mod file not found …`.

mod goroutine;
mod package;
pub(super) mod panic;
pub(super) mod test;

use super::draft::Draft;
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Severity};

/// Go 1.10 and later, and linters that write as it does.
pub(super) const FORMAT: Format = Format {
    id: "go",
    triggers: &[
        ".go:",
        "go: ",
        " is not in GOROOT",
        " is not in std",
        "no required module provides package ",
        "no Go files in ",
        "found packages ",
        ": import cycle not allowed",
        ": directory not found",
        ": function main is undeclared in the main package",
    ],
    programs: &["go", "gopls", "golangci-lint", "staticcheck"],
    reader: || Box::<Go>::default(),
};

#[derive(Debug, Default)]
struct Go {
    draft: Draft,
}

impl Dialect for Go {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() && line.text.starts_with('\t') && self.draft.open().is_some() {
            self.draft.add(line, line.text.trim());
            return Next::Line;
        }
        self.draft.close(found);
        if line.begins()
            && let Some(next) = at_place(line).or_else(|| without_place(line))
        {
            self.draft.begin(next, found);
            return Next::Line;
        }
        Next::Trigger
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.draft.close(found);
    }
}

/// `a.go:3:5: undefined: x`, `vet: a.go:3:5: …`, and in go.mod `go.mod:3: unknown directive`.
pub(super) fn at_place(line: &Line<'_>) -> Option<Diagnostic> {
    let text = line.text.strip_prefix("vet: ").unwrap_or(line.text);
    let (place, message) = place::with_colons(text)?;
    let is_source = place::ends_in(&place.file, "go") && place.column.is_some();
    let fits = is_source && !text.starts_with(char::is_whitespace) && !message.is_empty();
    fits.then(|| error(line, message).at(place))
}

fn error(line: &Line<'_>, message: &str) -> Diagnostic {
    Diagnostic::new(Severity::Error, message, line.log, FORMAT.id)
}

/// Errors of modules and packages as a whole.
fn without_place(line: &Line<'_>) -> Option<Diagnostic> {
    let text = line.text;
    if let Some(said) = text.strip_prefix("go: ") {
        let begins = [
            "cannot find ",
            "cannot load ",
            "could not ",
            "error ",
            "errors parsing go.",
            "go.mod file not found",
            "inconsistent vendoring",
            "invalid ",
            "module ",
            "no such tool",
            "unknown ",
            "updates to go.",
            "open ",
        ];
        let holds = [
            ": missing go.sum entry",
            ": invalid version",
            ": unknown revision",
            "404 Not Found",
            ": dial tcp",
            ": no matching versions",
            ": checksum mismatch",
            ": reading ",
            ": import cycle",
        ];
        let found = said.starts_with("module ") && !said.contains(": ");
        let fits = begins.iter().any(|begin| said.starts_with(begin))
            || holds.iter().any(|inner| said.contains(inner));
        return (fits && !found).then(|| error(line, said));
    }
    let package = |text: &str| text.strip_prefix("package ").is_some_and(|rest| !rest.trim().is_empty());
    let fits = package(text) && (text.contains(" is not in GOROOT (") || text.contains(" is not in std ("))
        || text.starts_with("no required module provides package ")
        || text.starts_with("no Go files in /")
        || text.starts_with("found packages ") && text.contains(".go) and ") && text.contains(") in ")
        || text.starts_with("\timports ") && text.ends_with(": import cycle not allowed")
        || text.starts_with("stat /") && text.ends_with(": directory not found")
        || text == "runtime.main_main·f: function main is undeclared in the main package";
    fits.then(|| error(line, text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn compiler_and_vet() {
        let log = "# example.org/tides\n./a.go:3:8: imported and not used: \"os\"\r\nbad/b.go:2:8: no required module provides package example.com/y; to add it:\n\tgo get example.com/y\nvet: c d.go:6:9: cannot use \"a\"\nC:\\x\\e.go:1:2: syntax error: unexpected }\ntoo many errors\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error ./a.go:3:8 imported and not used: \"os\" [2-2]",
                "error bad/b.go:2:8 no required module provides package example.com/y; to add it:\ngo get example.com/y [3-4]",
                "error c d.go:6:9 cannot use \"a\" [5-5]",
                "error C:\\x\\e.go:1:2 syntax error: unexpected } [6-6]",
            ]
        );
    }

    #[test]
    fn modules() {
        for (log, expected) in [
            (
                "go: go.mod file not found in current directory or any parent directory; see 'go help modules'",
                "error go.mod file not found in current directory or any parent directory; see 'go help modules' [1-1]",
            ),
            (
                "package foo/bar is not in GOROOT (/usr/lib/go-1.19/src/foo/bar)",
                "error package foo/bar is not in GOROOT (/usr/lib/go-1.19/src/foo/bar) [1-1]",
            ),
            (
                "found packages bad (a.go) and x (b.go) in /x/bad",
                "error found packages bad (a.go) and x (b.go) in /x/bad [1-1]",
            ),
            (
                "package a\n\timports b\n\timports a: import cycle not allowed",
                "error imports a: import cycle not allowed [3-3]",
            ),
        ] {
            assert_eq!(findings(&FORMAT, log), [expected], "{log}");
        }
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "go: downloading github.com/x/y v1.2.3",
            "go: creating new go.mod: module example.org/tides",
            "go: finding module for package github.com/x/y",
            "go: added github.com/x/y v1.2.3",
            "2009/01/23 01:23:23 a.go:23: message",
            "a.go:23: message",
            "    a_test.go:3:5: message",
            "\t/x/a.go:3 +0x1d",
            "let's go: invalid idea",
            "a.go:3:5:",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}: {:?}", findings(&FORMAT, log));
        }
    }
}
