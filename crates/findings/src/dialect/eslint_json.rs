//! eslint's findings as JSON: `[{"filePath":"/a.js","messages":[{"ruleId":"no-undef","severity":2,…}],…}]`.
//!
//! Most often all of it is one line of megabytes. The reader holds one message at a time, and every complete
//! one counts. A complete report also contains the number of its files.

use std::mem::take;

use super::json::{Token, Tokens};
use super::{Dialect, Format, Line, LinePart, Next, PendingFindings};
use crate::model::{Diagnostic, LintSummary, Location, LogRange, Severity, severity};

/// All versions; with metadata around the results, too.
pub(super) const FORMAT: Format = Format {
    id: ESLINT.id,
    triggers: &[ESLINT.begins],
    programs: &["eslint", "eslint_d"],
    reader: || Box::new(EslintJson::of(&ESLINT)),
};

/// stylelint's, which has the same shape and other keys.
pub(super) const STYLELINT_FORMAT: Format = Format {
    id: STYLELINT.id,
    triggers: &[STYLELINT.begins],
    programs: &["stylelint"],
    reader: || Box::new(EslintJson::of(&STYLELINT)),
};

/// The keys of a report.
#[derive(Debug)]
struct ReportKeys {
    /// The id of its format.
    id: &'static str,
    /// Each result begins so, with the key of its file.
    begins: &'static str,
    file: &'static str,
    messages: &'static str,
    message: &'static str,
    rule: &'static str,
    /// Severities are words; otherwise numbers.
    has_words: bool,
}

const ESLINT: ReportKeys = ReportKeys {
    id: "eslint_json",
    begins: "\"filePath\":",
    file: "filePath",
    messages: "messages",
    message: "message",
    rule: "ruleId",
    has_words: false,
};
const STYLELINT: ReportKeys = ReportKeys {
    id: "stylelint_json",
    begins: "{\"source\":",
    file: "source",
    messages: "warnings",
    message: "text",
    rule: "rule",
    has_words: true,
};

/// A report of no file. Many programs print that, so it is no trigger: a reader that expects a report sees every
/// line.
const EMPTY: &str = "[]";

#[derive(Debug)]
struct EslintJson {
    keys: &'static ReportKeys,
    tokens: Tokens,
    /// A result was begun, and nothing has been in the way since.
    begun: bool,
    /// How deep in: 0 is between results, 1 in a result, 2 in its messages, 3 in one of them.
    depth: usize,
    /// The last key.
    key: String,
    /// Its value is next.
    at_value: bool,
    file: String,
    in_messages: bool,
    message: Option<EslintMessage>,
    /// The number of messages of the file so far, of any severity.
    messages: u64,
    /// The counts so far.
    lint: LintSummary,
}

/// A message while it is read.
#[derive(Debug)]
struct EslintMessage {
    rule: Option<String>,
    severity: Option<Severity>,
    text: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    log: LogRange,
}

impl Dialect for EslintJson {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if !self.begun && line.part == LinePart::Whole && line.text.trim() == EMPTY {
            found.lints.push(LintSummary::default());
            return Next::Trigger;
        }
        let next = self.follow(line.text, line.log, found);
        if matches!(line.part, LinePart::Whole | LinePart::End) {
            self.follow("\n", line.log, found)
        } else {
            next
        }
    }
}

impl EslintJson {
    fn of(keys: &'static ReportKeys) -> Self {
        Self {
            keys,
            tokens: Tokens::default(),
            begun: false,
            depth: 0,
            key: String::new(),
            at_value: false,
            file: String::new(),
            in_messages: false,
            message: None,
            messages: 0,
            lint: LintSummary::default(),
        }
    }

    fn follow(&mut self, mut text: &str, log: LogRange, found: &mut PendingFindings) -> Next {
        loop {
            if !self.begun {
                let Some((_, behind)) = text.split_once(self.keys.begins) else { return Next::Trigger };
                text = behind;
                let key = self.keys.file.into();
                *self = Self { begun: true, depth: 1, key, at_value: true, ..Self::of(self.keys) };
            }
            match self.tokens.next(&mut text) {
                Some(token) => self.begun = self.take(token, log, found).is_some(),
                None => return Next::Line,
            }
        }
    }

    /// `None` where the results are over, or broken off.
    fn take(&mut self, token: Token, log: LogRange, found: &mut PendingFindings) -> Option<()> {
        match token {
            Token::Open(open) => self.open(open, log)?,
            Token::Close(close) => self.close(close, log, found)?,
            Token::Comma => self.at_value = false,
            Token::Colon => self.at_value = true,
            Token::Text(text) if self.at_value => self.text(text),
            Token::Text(text) => self.key = text,
            Token::Word(word) => self.word(&word),
            Token::Broken => return None,
        }
        let between = self.depth == 0 || (self.depth == 2 && self.in_messages);
        (!between || !self.at_value).then_some(())
    }

    fn open(&mut self, open: char, log: LogRange) -> Option<()> {
        match self.depth {
            0 if open == '{' => self.file.clear(),
            1 if self.at_value => self.in_messages = self.key == self.keys.messages && open == '[',
            2 if self.in_messages && open == '{' => self.message = Some(EslintMessage::new(log)),
            2 if !self.in_messages => {}
            3 if !self.in_messages || self.at_value => {}
            4.. => {}
            _ => return None,
        }
        self.depth += 1;
        self.at_value = false;
        Some(())
    }

    fn close(&mut self, close: char, log: LogRange, found: &mut PendingFindings) -> Option<()> {
        let fits = match self.depth {
            0 => {
                found.lints.extend((close == ']').then(|| take(&mut self.lint)));
                false
            }
            2 if self.in_messages => close == ']',
            1 => close == '}',
            3 if self.in_messages => close == '}',
            _ => true,
        };
        self.depth = self.depth.checked_sub(usize::from(fits)).filter(|_| fits)?;
        self.at_value = false;
        match self.depth {
            0 => self.end_file(),
            1 => self.in_messages = false,
            2 => self.end_message(log, found),
            _ => {}
        }
        Some(())
    }

    fn end_file(&mut self) {
        self.lint.files += 1;
        self.lint.affected += u64::from(take(&mut self.messages) > 0);
    }

    fn end_message(&mut self, log: LogRange, found: &mut PendingFindings) {
        let Some(message) = self.message.take() else { return };
        self.messages += 1;
        let finding = message.finding(self.keys.id, &self.file, log);
        match finding.as_ref().map(|finding| finding.severity) {
            Some(Severity::Error) => self.lint.errors += 1,
            Some(_) => self.lint.warnings += 1,
            None => {}
        }
        found.diagnostics.extend(finding);
    }

    fn text(&mut self, text: String) {
        let (key, keys) = (self.key.as_str(), self.keys);
        match (self.depth, &mut self.message) {
            (1, _) if key == keys.file => self.file = text,
            (1, _) if key == "output" => self.lint.fixes(self.file.clone()),
            (3, Some(message)) if key == keys.message => message.text = Some(text),
            (3, Some(message)) if key == keys.rule => message.rule = Some(text),
            (3, Some(message)) if key == "severity" && keys.has_words => message.severity = severity(&text),
            _ => {}
        }
    }

    fn word(&mut self, word: &str) {
        let (3, Some(message)) = (self.depth, &mut self.message) else { return };
        // An unknown line or column is written as 0.
        let number = word.parse().ok().filter(|number| *number > 0);
        match self.key.as_str() {
            // Early versions of 8 have no rule in their message about an ignored file.
            "ruleId" | "fatal" => _ = message.rule.get_or_insert_default(),
            "line" => message.line = number,
            "column" => message.column = number,
            "severity" if word == "2" => message.severity = Some(Severity::Error),
            "severity" if word == "1" => message.severity = Some(Severity::Warning),
            _ => {}
        }
    }
}

impl EslintMessage {
    fn new(log: LogRange) -> Self {
        Self { rule: None, severity: None, text: None, line: None, column: None, log }
    }

    fn finding(self, id: &str, file: &str, log: LogRange) -> Option<Diagnostic> {
        let (rule, text) = (self.rule?, self.text?);
        // stylelint says it once more at the end of its message.
        let message = text.strip_suffix(&*format!(" ({rule})")).unwrap_or(&text);
        let found = Diagnostic::new(self.severity?, message, self.log.to(log), id).coded(&rule);
        let place = Location::at(file, self.line, self.column);
        Some(if file.is_empty() { found } else { found.at(place) })
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::diagnostics::Reader;
    use crate::dialect::trial::{findings, lines};
    use crate::model::{Chunk, Stream};

    const RESULT: &str = r#"{"filePath":"C:\\a b.js","messages":[{"ruleId":null,"fatal":true,"severity":2,"message":"Parsing error: a\nb","line":1,"column":0},{"ruleId":"x/y","severity":1,"message":"Says \"{[\" ü.","line":3,"column":4,"fix":{"range":[1,2],"text":"}]"},"suggestions":[{"desc":"x","fix":{"text":"message"}}]}],"suppressedMessages":[{"ruleId":"no","severity":2,"message":"hidden","line":1}],"errorCount":1,"source":"[{\"filePath\":\"/no.js\"}]","usedDeprecatedRules":[{"ruleId":"z","replacedBy":[]}]}"#;

    fn both(at: &str) -> [String; 2] {
        [
            format!("error C:\\a b.js:1 Parsing error: a\nb [{at}]"),
            format!("warning C:\\a b.js:3:4 x/y Says \"{{[\" ü. [{at}]"),
        ]
    }

    #[test]
    fn in_one_line() {
        assert_eq!(findings(&FORMAT, &format!("[{RESULT}]\r\n")), both("1-1"));
        let log = format!("> lint\nYes: [{RESULT},{{\"filePath\":\"/b.js\",\"messages\":[]}}] done\nbye\n");
        assert_eq!(findings(&FORMAT, &log), both("2-2"));
        let with_metadata = format!("{{\"results\":[{RESULT}],\"metadata\":{{\"cwd\":\"/\"}}}}");
        assert_eq!(findings(&FORMAT, &with_metadata), both("1-1"));
    }

    #[test]
    fn complete_messages_of_a_cut_report_count() {
        for end in 0..RESULT.len() {
            let Some(cut) = RESULT.get(..end) else { continue };
            let found = findings(&FORMAT, &format!("[{cut}\nKilled\n"));
            assert!(both("1-1").starts_with(&found), "{cut}: {found:?}");
            let again = findings(&FORMAT, &format!("[{cut}\nnpm error\n[{RESULT}]\n"));
            assert!(again.len() >= 2, "{cut}: {again:?}");
        }
    }

    #[test]
    fn complete_reports_say_what_they_are_about() {
        let fixed = r#"{"filePath":"/b.js","messages":[],"output":"[]","source":null}"#;
        let lint = |log: &str| {
            let mut reader = Reader::of(std::slice::from_ref(&FORMAT)).expecting(FORMAT.id);
            reader.push(Chunk::new(Stream::Out, log.as_bytes()));
            reader.finish().lint.map(|lint| {
                let LintSummary { files, affected, errors, warnings, fixed, fixed_total } = lint;
                format!("{files} {affected} {errors} {warnings} {fixed:?} {fixed_total}")
            })
        };
        for (log, expected) in [
            (format!("[{RESULT},{fixed}]"), Some("2 1 1 1 [\"/b.js\"] 1")),
            (format!("noise\n[{RESULT}]\n[{fixed}]\n"), Some("2 1 1 1 [\"/b.js\"] 1")),
            ("[]\n".to_owned(), Some("0 0 0 0 [] 0")),
            ("noise\n []\n".to_owned(), Some("0 0 0 0 [] 0")),
            (format!("[{RESULT},{fixed}\n"), None),
            (format!("[{RESULT},{{\"filePath\":"), None),
            ("[] noise\n".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(lint(&log).as_deref(), expected, "{log}");
        }
    }

    /// A message of the first versions of 8 about an ignored file.
    #[test]
    fn a_message_without_a_rule_is_a_finding() {
        let log = r#"[{"filePath":"/a \"b\".js","messages":[{"fatal":false,"severity":1,"message":"File ignored."}]}]"#;
        assert_eq!(findings(&FORMAT, log), ["warning /a \"b\".js File ignored. [1-1]"]);
    }

    #[test]
    fn over_many_lines() {
        let value: serde_json::Value = serde_json::from_str(&format!("[{RESULT},{RESULT}]")).unwrap();
        let log = serde_json::to_string_pretty(&value).unwrap().replace('\n', "\r\n");
        let [first, second] = both("?").map(|line| line.replace("[?]", ""));
        assert_eq!(findings(&FORMAT, &log), [format!("{first}[5-12]"), format!("{second}[13-34]")]);
    }

    #[test]
    fn over_many_parts() {
        let source = "x".repeat(200_000);
        let mut more = String::new();
        for n in 0..5000 {
            let message = format!("{{\"ruleId\":\"a\",\"severity\":2,\"message\":\"no {n}\"}}");
            let _ = write!(more, ",{{\"filePath\":\"/{n}.js\",\"messages\":[{message}],\"source\":\"s\"}}");
        }
        let log = format!(
            "{{}}\n[{{\"filePath\":\"/a.js\",\"messages\":[],\"source\":\"{source}\"}},{RESULT}{more}]\n"
        );
        let read = |size: usize| {
            let mut reader = Reader::of(std::slice::from_ref(&FORMAT));
            log.as_bytes().chunks(size).for_each(|chunk| reader.push(Chunk::new(Stream::Out, chunk)));
            reader.finish()
        };
        let found = read(usize::MAX);
        assert_eq!((found.errors, found.warnings), (5001, 1));
        assert_eq!(lines(&found)[0], both("2-2")[0]);
        assert_eq!(lines(&found)[999], "error /998.js a no 998 [2-2]");
        assert_eq!(read(1009), found);
    }

    #[test]
    fn other_json_is_none() {
        for log in [
            r#"{"filePath":"/a.js","level":"error","message":"x"}"#,
            r#"[{"filePath":"/a.js","messages":["x",{"severity":2}]}]"#,
            r#"[{"filePath":"/a.js","messages":[{"severity":"error","message":"x","ruleId":"y"}]}]"#,
            r#"[{"filePath":"/a.js","messages":[{"severity":2,"message":"x"}]}]"#,
            r#"{"filePath":"/a.js","messages":[{"severity":2,"message":"x""#,
            "\"filePath\": \"filePath\":\"filePath\":",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
