//! `MSBuild` and its tools: `a.cs(3,5): error CS0103: message [a.csproj]`,
//! `MSBUILD : error MSB1009: message`.
//!
//! The words `error` and `warning` and the codes are the same in every language; the rest is translated.

use std::collections::HashSet;

use super::draft::Draft;
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::path::base;
use crate::model::{Diagnostic, Location, Severity};

/// `dotnet build` and all its kin, `MSBuild` 15 to 18; its terminal logger as well.
pub(super) const FORMAT: Format = Format {
    id: "msbuild",
    triggers: &[
        ": error ",
        ": warning ",
        ": fatal error ",
        "error MSB",
        "error NETSDK",
        "error NU1",
        "error CS",
        "error FS",
        "error BC",
        "warning MSB",
        "warning NETSDK",
        "warning NU1",
        "warning CS",
        "warning FS",
        "warning BC",
    ],
    programs: &["dotnet", "msbuild", "xbuild"],
    reader: || Box::<Msbuild>::default(),
};

/// The code of “could not copy”, while it is tried again.
const RETRY: &str = "MSB3026";
/// The most retried copies that are kept apart.
const MOST_RETRIED: usize = 200;
/// The most lines of one message.
const LONGEST: usize = 60;
/// Tools that say their own name where others name a file.
const TOOLS: [&str; 14] = [
    "MSBUILD", "CSC", "VBC", "FSC", "EXEC", "LINK", "LIB", "CL", "RC", "ILC", "ILLINK", "MIDL", "NUGET",
    "CVTRES",
];
/// Beginnings of the codes of errors that name nothing.
const OWN: [&str; 6] = ["MSB", "NETSDK", "NU", "CS", "FS", "BC"];

#[derive(Debug, Default)]
struct Msbuild {
    draft: Draft,
    /// How far in the finding's own line is.
    indent: usize,
    lines: usize,
    /// Copies that are tried again, each by its place and message without numbers.
    retried: HashSet<String>,
}

impl Dialect for Msbuild {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let text = line.text.trim_end();
        let indent = text.len() - text.trim_start().len();
        match head(line, text) {
            // Each line of a message of several has all that stands before the first.
            Some((next, further)) => {
                if further && self.lines < LONGEST && self.is_same(&next) {
                    self.lines += 1;
                    self.draft.add(line, &next.message);
                } else if self.is_retry(&next) {
                    self.draft.close(found);
                } else if !next.message.trim().is_empty() || text.ends_with(':') {
                    self.draft.begin(next, found);
                    (self.indent, self.lines) = (indent, 0);
                }
            }
            None if self.goes_on(line, text, indent) => {
                self.lines += 1;
                if let Some(open) = self.draft.open()
                    && open.message.is_empty()
                {
                    text.trim_start().clone_into(&mut open.message);
                    open.log = open.log.to(line.log);
                } else {
                    self.draft.add(line, text.trim_start());
                }
            }
            None => self.draft.close(found),
        }
        if self.draft.open().is_some() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.draft.close(found);
    }
}

impl Msbuild {
    /// Whether a finding repeats an earlier one about a retried copy. Only the numbers differ.
    fn is_retry(&mut self, next: &Diagnostic) -> bool {
        if next.code.as_deref() != Some(RETRY) {
            return false;
        }
        let place = next.place.as_ref().map_or_else(String::new, ToString::to_string);
        let message: String = next.message.chars().filter(|c| !c.is_ascii_digit()).collect();
        let known = format!("{place} {message}");
        self.retried.contains(&known) || self.retried.len() < MOST_RETRIED && !self.retried.insert(known)
    }

    /// Whether a finding is of the same place and kind as the one before.
    fn is_same(&mut self, next: &Diagnostic) -> bool {
        self.draft.open().is_some_and(|open| (&open.place, &open.code) == (&next.place, &next.code))
    }

    /// Whether a line continues the message before. The terminal logger writes a message of several lines
    /// below its head, further in. A switch that `MSBuild` rejects has a line of its own.
    fn goes_on(&mut self, line: &Line<'_>, text: &str, indent: usize) -> bool {
        let (own, lines) = (self.indent, self.lines);
        let Some(open) = self.draft.open().filter(|_| line.begins() && lines < LONGEST) else { return false };
        let below = own > 0 && indent > own && (lines > 0 || open.message.is_empty());
        below || lines == 0 && text.starts_with("Switch: ")
    }
}

/// The finding of a line, and whether its message is further in than messages are.
fn head(line: &Line<'_>, text: &str) -> Option<(Diagnostic, bool)> {
    if !line.begins() {
        return None;
    }
    let (text, project) = without_project(without_node(text.trim_start()));
    // Only the text before the word is a place.
    let placed = place::in_parentheses(text).filter(|(place, _)| {
        !place.file.contains('"') && !place.file.contains(": ") && !place.file.starts_with("error ")
    });
    let (place, rest) = match placed {
        Some((place, rest)) => (Some(place), rest),
        None => origin(text, project)?,
    };
    let rest = rest.strip_prefix("fatal ").unwrap_or(rest);
    let (severity, rest) = [("error", Severity::Error), ("warning", Severity::Warning)]
        .into_iter()
        .find_map(|(word, severity)| Some((severity, rest.strip_prefix(word)?)))?;
    let (code, message) = match rest.strip_prefix(' ')?.split_once(':') {
        Some((code, message)) => (code.trim_end(), message),
        None => return None,
    };
    // The compiler of TypeScript has the same shape and a dialect of its own; so have tests.
    if code == "TESTERROR" || (code.starts_with("TS") && project.is_none()) {
        return None;
    }
    // A code of its own making, or none, is believed where a project is named.
    let is_word = code.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_known = is_code(code) || (project.is_some() && is_word);
    if !is_known {
        return None;
    }
    let message = message.strip_prefix(' ').unwrap_or(message);
    let further = message.starts_with(' ');
    let message = if further { message } else { message.trim() };
    let found = Diagnostic::new(severity, message, line.log, FORMAT.id).coded(code);
    let place = place.or_else(|| project.map(Location::file));
    Some((Diagnostic { place, ..found }, further))
}

/// A line without `2:7>`, which says which node wrote it.
fn without_node(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(0);
    let is_node = text.starts_with(|c: char| c.is_ascii_digit());
    text[end..].strip_prefix('>').filter(|_| is_node).map_or(text, str::trim_start)
}

/// A line without `[/x/a.csproj::TargetFramework=net8.0]` at its end, and that project.
fn without_project(text: &str) -> (&str, Option<&str>) {
    let found = text.strip_suffix(']').and_then(|text| text.rsplit_once('['));
    let Some((before, project)) = found else { return (text, None) };
    let project = project.split_once("::").map_or(project, |(project, _)| project);
    let ends = ["proj", ".sln", ".slnx", ".metaproj", ".targets", ".props", ".build", ".slnf"];
    if ends.iter().any(|end| project.ends_with(end)) {
        (before.trim_end(), Some(project))
    } else {
        (text, None)
    }
}

/// The origin and the text from the word on: `/x/a.csproj : error …`, `MSBUILD : error …`,
/// `error MSB1003: …`.
fn origin<'a>(text: &'a str, project: Option<&str>) -> Option<(Option<Location>, &'a str)> {
    let words = ["error ", "warning ", "fatal error "];
    if let Some(word) = words.iter().find(|word| text.starts_with(**word)) {
        let known = is_own(text[word.len()..].split(':').next().unwrap_or_default());
        return (known || project.is_some()).then_some((None, text));
    }
    let (origin, rest) = text
        .match_indices(": ")
        .map(|(at, between)| (text[..at].trim_end(), &text[at + between.len()..]))
        .find(|(_, rest)| words.iter().any(|word| rest.starts_with(word)))?;
    if TOOLS.contains(&origin.to_ascii_uppercase().trim_end_matches(".EXE")) {
        return Some((None, rest));
    }
    let name = base(origin);
    let extension = name.rsplit_once('.').map_or("", |(stem, end)| if stem.is_empty() { "" } else { end });
    let ends =
        extension.len() >= 2 && extension.len() <= 12 && extension.chars().all(|c| c.is_ascii_alphanumeric());
    let is_file = ends && !origin.contains(": ") && extension.contains(|c: char| c.is_ascii_alphabetic());
    let place = place::file(origin).filter(|_| is_file).map(Location::file);
    // Any tool may speak where a project is named behind it.
    (place.is_some() || (project.is_some() && !origin.contains(' '))).then_some((place, rest))
}

/// `CS0103`, `NUnit1032`, `TESTRUNABORT`.
fn is_code(code: &str) -> bool {
    let letters = code.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = code.len() - letters;
    let numbered = (1..=16).contains(&letters)
        && (2..=6).contains(&digits)
        && code.bytes().skip(letters).all(|byte| byte.is_ascii_digit());
    numbered || code == "TESTRUNABORT"
}

/// Whether a code is one of the tools that come with `MSBuild`.
fn is_own(code: &str) -> bool {
    let digits = code.trim_start_matches(|c: char| c.is_ascii_uppercase());
    is_code(code) && OWN.contains(&&code[..code.len() - digits.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn canonical() {
        let log = "  Determining projects to restore...\r\n\
                   C:\\a b\\Program.cs(17,20): warning CS0168: The variable 'x' is declared [C:\\a b\\App.csproj]\r\n\
                   /a/Program.cs(3,5,3,9): error CS0103: Der Name 'y': unbekannt [/a/App.csproj::TargetFramework=net8.0]\r\n\
                   /a/Strings.resx(2) : error BC30188: Declaration expected.\r\n\
                   /a/App.csproj : error NU1101: Unable to find package X. No packages exist [/a/App.sln]\r\n\
                   CSC : error CS5001: Program does not contain a static 'Main' method [/a/App.csproj]\r\n\
                   CSC : error CS8785: Generator failed in f(3): x [/a/App.csproj]\r\n\
                   MSBUILD : error MSB1009: Project file does not exist.\r\n\
                   Switch: nowhere.csproj\r\n\
                   error MSB1011: Specify which project\r\n\
                   /a/x.targets(84,5): error : The tool failed [/a/App.csproj]\r\n\
                   LINK : fatal error LNK1104: cannot open file 'x.lib' [/a/n.vcxproj]\r\n\
                   \x20   1 Warning(s)\r\n\
                   \x20   6 Error(s)\r\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                r"warning C:\a b\Program.cs:17:20 CS0168 The variable 'x' is declared [2-2]",
                "error /a/Program.cs:3:5 CS0103 Der Name 'y': unbekannt [3-3]",
                "error /a/Strings.resx:2 BC30188 Declaration expected. [4-4]",
                "error /a/App.csproj NU1101 Unable to find package X. No packages exist [5-5]",
                "error /a/App.csproj CS5001 Program does not contain a static 'Main' method [6-6]",
                "error /a/App.csproj CS8785 Generator failed in f(3): x [7-7]",
                "error MSB1009 Project file does not exist.\nSwitch: nowhere.csproj [8-9]",
                "error MSB1011 Specify which project [10-10]",
                "error /a/x.targets:84:5 The tool failed [11-11]",
                "error /a/n.vcxproj LNK1104 cannot open file 'x.lib' [12-12]",
            ]
        );
    }

    #[test]
    fn several_nodes_and_the_list_at_the_end() {
        let log = "     1>/a/P.cs(1,2): error CS1002: ; expected [/a/A.csproj]\n\
                   \x20  2:7>/b/Q.cs(1,2): warning CS8602: Possibly null [/b/B.csproj]\n\
                   \n\
                   Build FAILED.\n\
                   \n\
                   /b/Q.cs(1,2): warning CS8602: Possibly null [/b/B.csproj]\n\
                   /a/P.cs(1,2): error CS1002: ; expected [/a/A.csproj]\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error /a/P.cs:1:2 CS1002 ; expected [1-1]", "warning /b/Q.cs:1:2 CS8602 Possibly null [2-2]"]
        );
    }

    #[test]
    fn several_lines() {
        let log = "/s/x.targets(326,5): error MSB4018: The task failed. [/a/A.csproj]\n\
                   /s/x.targets(326,5): error MSB4018:    at Microsoft.Build.X() [/a/A.csproj]\n\
                   \x20 A net8.0 failed with 2 error(s) (0.9s)\n\
                   \x20   /a/x.targets(3,5): error MSB3073:\n\
                   \x20     The command \"x\"\n\
                   \x20     exited with code 1.\n\
                   \x20   /a/P.cs(36,17): error CS0029: Cannot implicitly convert type 'string' to 'int'\n\
                   \n\
                   Build failed with 2 error(s) in 3.7s\n";
        assert_eq!(
            findings(&FORMAT, log),
            [
                "error /s/x.targets:326:5 MSB4018 The task failed.\n   at Microsoft.Build.X() [1-2]",
                "error /a/x.targets:3:5 MSB3073 The command \"x\"\nexited with code 1. [4-6]",
                "error /a/P.cs:36:17 CS0029 Cannot implicitly convert type 'string' to 'int' [7-7]",
            ]
        );
    }

    #[test]
    fn a_copy_that_is_tried_again_is_one_finding() {
        let retry = |file: &str, number: usize| {
            format!(
                "/sdk/x.targets(5150,5): warning MSB3026: Could not copy \"obj/{file}\" to \"bin/{file}\". Beginning retry \
                 {number} in 1000ms. The file is locked by: \"app ({})\" [/a/A.csproj]\n",
                5000 + number
            )
        };
        let mut log: String =
            (1..=10).map(|number| retry("a.dll", number) + &retry("b.dll", number)).collect();
        log += "/sdk/x.targets(5150,5): error MSB3027: Could not copy \"obj/a.dll\" to \"bin/a.dll\". Exceeded retry \
                count of 10. Failed. [/a/A.csproj]\n";
        let found = findings(&FORMAT, &log);
        assert_eq!(found.len(), 3, "{found:#?}");
        assert!(found[0].contains("MSB3026") && found[0].contains("retry 1 ") && found[0].contains("a.dll"));
        assert!(found[1].contains("MSB3026") && found[1].contains("b.dll") && found[2].contains("MSB3027"));
    }

    #[test]
    fn nothing_of_it() {
        let log = "2024-01-01 12:00:00: error CODE12: a log\n\
                   app: error 12: x\n\
                   src/a.ts(3,5): error TS2322: x\n\
                   a.c:3:5: error: expected ';'\n\
                   the word : error in a sentence: x\n\
                   npm error code E404\n\
                   f(1): error handling: none\n\
                   /w/T.cs(18): error TESTERROR: a test\n\
                   error CSS: of another kind\n\
                   0 Error(s)\n";
        assert_eq!(findings(&FORMAT, log), [] as [&str; 0]);
    }
}
