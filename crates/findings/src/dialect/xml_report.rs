//! Reports as XML: Checkstyle's, which many linters write, and that of `JUnit`, of linters and runners of tests.

use super::frame::{self, Frame};
use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, LogRange, Severity, severity};

/// Checkstyle's.
pub(super) const CHECKSTYLE: Format = Format {
    id: "checkstyle_xml",
    triggers: &["<checkstyle"],
    programs: &[],
    reader: || Box::new(XmlReport::of(CHECKSTYLE.id, "checkstyle")),
};
/// That of `JUnit`.
pub(super) const JUNIT: Format = Format {
    id: "junit",
    triggers: &["<testsuite"],
    programs: &[],
    reader: || Box::new(XmlReport::of(JUNIT.id, "testsuite")),
};

/// The longest tag, in bytes.
const LONGEST_TAG: usize = 16 * 1024;
/// As much of the text of a failure as is kept, in bytes.
const LONGEST_TEXT: usize = 4 * 1024;
/// The most lines of a failing test's reason.
const REASON: usize = 3;

/// Reads one report after another.
#[derive(Debug)]
struct XmlReport {
    id: &'static str,
    /// The element around the report.
    root: &'static str,
    /// How many of these are open.
    depth: usize,
    /// The beginning of a tag that goes on.
    tag: String,
    /// Text without tags goes on.
    is_quoted: bool,
    /// The file, or the suite of tests.
    around: Attributes,
    test: Attributes,
    failure: Option<XmlFailure>,
}

/// A failure while its text comes.
#[derive(Debug)]
struct XmlFailure {
    attributes: Attributes,
    /// Whether its element is `failure`, and not `error`.
    is_failure: bool,
    text: String,
    log: LogRange,
}

/// The attributes of an element.
#[derive(Debug, Default)]
struct Attributes(Vec<(String, String)>);

impl Dialect for XmlReport {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        let mut text = line.text;
        if self.depth == 0 {
            let begins = text.find('<').and_then(|_| text.find(&format!("<{}", self.root)));
            // So no program talks of it.
            let begins =
                begins.filter(|at| text[..*at].trim_start().is_empty() || text.starts_with("<?xml "));
            let Some(at) = begins else { return Next::Trigger };
            text = &text[at..];
        }
        loop {
            let was_open = self.depth > 0;
            text = self.step(text, line.log, found);
            if text.is_empty() || was_open && self.depth == 0 {
                break;
            }
        }
        if let Some(failure) = self.failure.as_mut().filter(|failure| failure.text.len() < LONGEST_TEXT) {
            failure.text.push('\n');
        }
        if self.depth > 0 { Next::Line } else { Next::Trigger }
    }
}

impl XmlReport {
    fn of(id: &'static str, root: &'static str) -> Self {
        Self {
            id,
            root,
            depth: 0,
            tag: String::new(),
            is_quoted: false,
            around: Attributes::default(),
            test: Attributes::default(),
            failure: None,
        }
    }

    /// Reads a tag, or the text before the next one. Returns the rest.
    fn step<'a>(&mut self, text: &'a str, log: LogRange, found: &mut PendingFindings) -> &'a str {
        if self.is_quoted {
            let (told, rest) = text.split_once("]]>").map_or((text, None), |(told, rest)| (told, Some(rest)));
            self.tell(told, log);
            self.is_quoted = rest.is_none();
            return rest.unwrap_or_default();
        }
        if self.tag.is_empty() {
            let Some(at) = text.find('<') else {
                self.tell(&unescaped(text), log);
                return "";
            };
            self.tell(&unescaped(&text[..at]), log);
            if let Some(rest) = text[at..].strip_prefix("<![CDATA[") {
                self.is_quoted = true;
                return rest;
            }
            self.tag.push('<');
            return if text.len() == at + 1 { " " } else { &text[at + 1..] };
        }
        let is_inside = |tag: &str| tag.matches('"').count() % 2 == 1;
        let mut from = 0;
        while let Some(end) = text[from..].find('>').map(|end| from + end) {
            if is_inside(&format!("{}{}", self.tag, &text[..end])) {
                from = end + 1;
                continue;
            }
            let tag = std::mem::take(&mut self.tag) + &text[..end];
            self.take(&tag[1..], log, found);
            return &text[end + 1..];
        }
        self.tag.push_str(text);
        self.tag.push(' ');
        if self.tag.len() > LONGEST_TAG {
            *self = Self::of(self.id, self.root);
        }
        ""
    }

    /// More text of the failure.
    fn tell(&mut self, text: &str, log: LogRange) {
        if let Some(failure) = &mut self.failure {
            failure.log = failure.log.to(log);
            if failure.text.len() < LONGEST_TEXT {
                failure.text.push_str(text);
            }
        }
    }

    /// Reads a whole tag without its brackets.
    fn take(&mut self, tag: &str, log: LogRange, found: &mut PendingFindings) {
        let (tag, is_alone) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        if let Some(name) = name.strip_prefix('/') {
            self.leave(name, found);
            return;
        }
        let is_root = name.strip_suffix('s').unwrap_or(name) == self.root;
        self.depth += usize::from(is_root && !is_alone);
        match name {
            "file" | "testsuite" => self.around = Attributes::of(rest),
            "testcase" => self.test = Attributes::of(rest),
            "error" if self.root == "checkstyle" => {
                let error = Attributes::of(rest);
                found.diagnostics.extend(self.checked(&error, log));
            }
            "failure" | "error" if self.root == "testsuite" => {
                let (is_failure, text) = (name == "failure", String::new());
                self.failure = Some(XmlFailure { attributes: Attributes::of(rest), is_failure, text, log });
                if is_alone {
                    self.leave(name, found);
                }
            }
            _ => {}
        }
    }

    /// An element is over.
    fn leave(&mut self, name: &str, found: &mut PendingFindings) {
        if matches!(name, "failure" | "error")
            && let Some(failure) = self.failure.take()
        {
            found.diagnostics.extend(self.failed(&failure));
        }
        if name.strip_suffix('s').unwrap_or(name) == self.root {
            self.depth = self.depth.saturating_sub(1);
        }
    }

    /// `<error line="2" column="7" severity="error" message="…" source="…" />`
    fn checked(&self, error: &Attributes, log: LogRange) -> Option<Diagnostic> {
        let known = error.text("severity").and_then(severity).unwrap_or(Severity::Error);
        let found = Diagnostic::new(known, error.text("message")?, log, self.id);
        let found = found.coded(error.text("source").unwrap_or_default());
        let file = self.around.text("name")?.to_owned();
        Some(found.at(place::counted(
            file,
            error.number("line").unwrap_or_default(),
            error.number("column").unwrap_or_default(),
        )))
    }

    /// `<testcase …><failure message="…">…</failure></testcase>`
    fn failed(&self, failure: &XmlFailure) -> Option<Diagnostic> {
        let message = failure.attributes.text("message").unwrap_or_else(|| failure.text.trim());
        let name = self.test.text("name")?;
        let found = |text: &str| Diagnostic::new(Severity::Error, text, failure.log, self.id);
        let tool = self.around.text("package").filter(|package| package.starts_with("org."));
        let suite = self.around.text("name").unwrap_or_default();
        let numbers = self.test.number("line").map(|line| (line, self.test.number("column")));
        // Some linters name themselves, and others begin the text with the place in their file.
        if let Some((line, column)) = numbered(&failure.text).or(numbers.filter(|_| tool.is_some())) {
            let of_tool = tool.and_then(|tool| name.strip_prefix(tool));
            let rule = of_tool.map_or(name, |rule| rule.trim_start_matches('.'));
            let place = Location::at(suite.to_owned(), Some(line), column);
            // A failure of oxlint's is a warning; others write `col`.
            let is_warning = failure.is_failure && tool.is_none() && failure.text.contains(", column ");
            let severity = if is_warning { Severity::Warning } else { Severity::Error };
            return Some(Diagnostic { severity, ..found(message) }.coded(rule).at(place));
        }
        let mut found = found(name);
        message
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty())
            .take(REASON)
            .for_each(|line| found.extend(line, failure.log));
        let file =
            self.test.text("file").map(|file| Location::at(file.to_owned(), self.test.number("line"), None));
        let class = self.test.text("classname").filter(|class| *class == suite && place::is_script(class));
        let file = file.or_else(|| class.map(Location::file));
        found.place = failure.text.lines().find_map(thrown).or(file);
        Some(found)
    }
}

impl Attributes {
    /// `name="value" other='value'`
    fn of(mut text: &str) -> Self {
        let mut all = Vec::new();
        while let Some((name, rest)) = text.split_once('=') {
            let rest = rest.trim_start();
            let Some(quote) = rest.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else { break };
            let Some((value, behind)) = rest[1..].split_once(quote) else { break };
            all.push((name.trim().to_owned(), unescaped(value)));
            text = behind;
        }
        Self(all)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.text(name)?.parse().ok().filter(|number| *number > 0)
    }
}

/// `line 1, col 8, …`, as linters begin the text of a failure.
fn numbered(text: &str) -> Option<(usize, Option<usize>)> {
    let (line, rest) = place::number(text.trim_start().strip_prefix("line ")?)?;
    let column = rest.strip_prefix(", col").map(|rest| rest.trim_start_matches("umn"));
    let column = column.and_then(|rest| place::number(rest.trim_start()));
    Some((line, column.map(|(column, _)| column)))
}

/// The place in a line of a stack, or in `tests/test_a.py:3: AssertionError`.
fn thrown(text: &str) -> Option<Location> {
    if let Some(Frame::Own(place)) = frame::at(text).or_else(|| frame::marked(text, "")) {
        return Some(place);
    }
    let (place, error) = place::with_colons(text)?;
    (place::ends_in(&place.file, "py") && !error.contains(' ')).then_some(place)
}

/// A text as people read it.
fn unescaped(text: &str) -> String {
    const ENTITIES: [(&str, &str); 9] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&#10;", "\n"),
        ("&#xA;", "\n"),
        ("&#x27;", "'"),
        // At last: what it stands for may look like another.
        ("&amp;", "&"),
    ];
    if !text.contains('&') {
        return text.to_owned();
    }
    ENTITIES.iter().fold(text.to_owned(), |text, (entity, meant)| text.replace(entity, meant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    /// As biome 2 prints it, and eslint in one line.
    #[test]
    fn checkstyle() {
        let log = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<checkstyle version=\"4.3\">\n  <file name=\"bio/a b.ts\">\n\
                   \x20   <error line=\"2\" column=\"7\" severity=\"error\" message=\"Using == may be &quot;unsafe&quot;.\" source=\"lint/noDoubleEquals\" />\n\
                   \x20   <error line=\"3\" severity=\"warning\" message=\"a > b\" />\n  </file>\n</checkstyle>\n<error line=\"2\" message=\"x\"/>\n";
        let expected = [
            "error bio/a b.ts:2:7 lint/noDoubleEquals Using == may be \"unsafe\". [4-4]",
            "warning bio/a b.ts:3 a > b [5-5]",
        ];
        assert_eq!(findings(&CHECKSTYLE, log), expected);
        let line = log.replace('\n', "");
        assert_eq!(
            findings(&CHECKSTYLE, &line),
            expected.map(|line| line.replace("[4-4]", "[1-1]").replace("[5-5]", "[1-1]"))
        );
        assert!(
            findings(&CHECKSTYLE, "it is no <checkstyle> <file name=\"a\"><error message=\"x\"/>\n")
                .is_empty()
        );
    }

    /// As ruff 0.17 and eslint 9 print it.
    #[test]
    fn junit_of_linters() {
        let ruff = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ruff\" tests=\"1\" skipped=\"0\" failures=\"1\" errors=\"0\">\n\
                   \x20   <testsuite name=\"/w/a.py\" tests=\"1\" failures=\"1\" package=\"org.ruff\">\n\
                   \x20       <testcase name=\"org.ruff.F401\" classname=\"/w/a\" line=\"1\" column=\"8\">\n\
                   \x20           <failure message=\"`os` imported but unused\">line 1, col 8, `os` imported but unused</failure>\n\
                   \x20       </testcase>\n    </testsuite>\n</testsuites>\n";
        assert_eq!(findings(&JUNIT, ruff), ["error /w/a.py:1:8 F401 `os` imported but unused [5-5]"]);
        let eslint = "<testsuites><testsuite package=\"org.eslint\" time=\"0\" tests=\"1\" errors=\"1\" name=\"/w/a.js\"><testcase time=\"0\" \
                      name=\"org.eslint.no-undef\" classname=\"/w/a\"><failure message=\"&apos;x&apos; is not defined.\"><![CDATA[line 3, col 5, Error - 'x']]></failure></testcase></testsuite></testsuites>\n";
        assert_eq!(findings(&JUNIT, eslint), ["error /w/a.js:3:5 no-undef 'x' is not defined. [1-1]"]);
        let oxlint = "<testsuites name=\"Oxlint\">\n<testsuite name=\"a b.ts\" tests=\"2\">\n<testcase name=\"eslint(no-debugger)\">\n\
                      <failure message=\"`debugger`\">line 2, column 8, `debugger`</failure>\n</testcase>\n\
                      <testcase name=\"\">\n<error message=\"Unexpected token\">line 4, column 1, Unexpected token</error>\n</testcase>\n</testsuite>\n</testsuites>\n";
        assert_eq!(
            findings(&JUNIT, oxlint),
            [
                "warning a b.ts:2:8 eslint(no-debugger) `debugger` [4-4]",
                "error a b.ts:4:1 Unexpected token [7-7]"
            ]
        );
    }

    /// As pytest 9 and vitest 3 print it.
    #[test]
    fn junit_of_tests() {
        let log = "<testsuites name=\"pytest tests\"><testsuite name=\"pytest\" errors=\"0\" failures=\"1\" tests=\"2\">\
                   <testcase classname=\"test_a\" name=\"test_low\" time=\"0.001\" />\
                   <testcase classname=\"test_a\" name=\"test_high\" time=\"0.001\"><failure message=\"assert 3 == 4\">def test_high():\n\
                   &gt;       assert 3 == 4\nE       assert 3 == 4\n\ntests/test_a.py:2: AssertionError</failure></testcase></testsuite></testsuites>\n";
        assert_eq!(findings(&JUNIT, log), ["error tests/test_a.py:2 test_high\nassert 3 == 4 [1-5]"]);
        let log = "<testsuite name=\"a.test.ts\" tests=\"1\" failures=\"1\">\n<testcase classname=\"a.test.ts\" name=\"adds\">\n\
                   <failure message=\"expected 1 to be 2\" type=\"AssertionError\">\nAssertionError: expected 1 to be 2\n at /w/a.test.ts:2:32\n\
                   </failure>\n</testcase>\n<testcase name=\"broken\"><error/></testcase>\n</testsuite>\nafter <failure/>\n";
        let found = findings(&JUNIT, log);
        assert_eq!(found.len(), 2, "{found:#?}");
        assert!(found[0].contains("adds\nexpected 1 to be 2 [3-6]"), "{found:#?}");
        assert_eq!(found[1], "error broken [8-8]");
        let log = log.replace(" at /w/a.test.ts:2:32", " ❯ Object.div src/a b.ts:2:22");
        assert!(findings(&JUNIT, &log)[0].starts_with("error src/a b.ts:2:22 adds\n"), "{log}");
        let log = log.replace(" ❯ Object.div src/a b.ts:2:22", "");
        assert!(findings(&JUNIT, &log)[0].starts_with("error a.test.ts adds\n"), "{log}");
    }
}
