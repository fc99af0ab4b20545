//! C and C++ compilers and their linkers: `a.c:3:5: error: …`, `main.c:(.text+0x5): undefined reference to …`.

mod linker;
mod words;

use super::draft::Draft;
use super::{Consequence, Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, LogRange, Severity, Stream};

/// gcc 4 to 15, clang 3 to 20, and the linkers of GNU, LLVM and Apple.
pub(super) const FORMAT: Format = Format {
    id: words::ID,
    triggers: words::TRIGGERS,
    programs: &["gcc", "g++", "cc", "c++", "clang", "clang++", "clang-tidy", "ld", "ld.lld", "emcc"],
    reader: || Box::<Gcc>::default(),
};

/// How many notes a message holds; there may be hundreds of candidates.
const MOST_NOTES: usize = 4;
/// Within how many lines a compiler shows the source that it complains of.
const SHOWN_WITHIN: u8 = 3;
/// How far from its message a note may stand, in lines.
const FARTHEST_NOTE: u64 = 100;

#[derive(Debug, Default)]
struct Gcc {
    draft: Draft,
    notes: usize,
    /// The place that required the template of the next message, and its lines in the log.
    required: Option<(Location, LogRange)>,
    /// LLVM's linker says on the next lines where a symbol is.
    linking: bool,
    /// Compilers complain on standard error. On standard output a message that nothing bears out may be some program's
    /// talk; this many lines are left for that.
    doubt: u8,
}

impl Dialect for Gcc {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if !line.begins() {
            return self.next(false);
        }
        self.bear_out(line);
        if self.linking
            && let Some(referenced) = line.text.strip_prefix(">>> ")
        {
            linker::referenced(referenced, self.draft.open());
            self.draft.add(line, referenced.trim_start());
            return Next::Line;
        }
        if let Some((place, kind, text)) = head(line.text) {
            match kind {
                Severity::Info => self.note(line, &place, text),
                severity => self.begin(line, severity, place, text, found),
            }
            return self.next(false);
        }
        if let Some(place) = required(line.text) {
            self.required = Some((place, line.log));
            return self.next(false);
        }
        if let Some(complaint) = linker::complaint(line) {
            self.draft.begin(complaint, found);
            self.notes = MOST_NOTES;
            return self.next(line.text.contains("lld: error: "));
        }
        self.of_driver(line, found);
        self.next(false)
    }

    fn end(&mut self, found: &mut PendingFindings) {
        if self.doubt == 0 {
            self.draft.close(found);
        }
    }
}

impl Gcc {
    fn next(&mut self, linking: bool) -> Next {
        self.linking = linking;
        if linking || self.doubt > 0 { Next::Line } else { Next::Trigger }
    }

    fn begin(
        &mut self,
        line: &Line<'_>,
        severity: Severity,
        place: Location,
        text: &str,
        found: &mut PendingFindings,
    ) {
        let (message, code) = with_code(text);
        let mut next = Diagnostic::new(severity, message, line.log, words::ID).coded(&code);
        if let Some((required, at)) = self.required.take()
            && line.log.start_line.saturating_sub(at.end_line) < FARTHEST_NOTE
            && required.file != place.file
        {
            next.extend(&format!("required from {required}"), line.log);
        }
        let sure = line.stream == Stream::Err || !words::is_shown(&place);
        self.draft.begin(next.at(place), found);
        self.notes = 0;
        self.doubt = if sure { 0 } else { SHOWN_WITHIN };
    }

    /// Confirms a message on standard output as a compiler's: by the source below it, or by another message.
    fn bear_out(&mut self, line: &Line<'_>) {
        if self.doubt == 0 {
            return;
        }
        self.doubt -= 1;
        if shows_source(line.text) || head(line.text).is_some() {
            self.doubt = 0;
        } else if self.doubt == 0 {
            self.draft = Draft::default();
        }
    }

    /// Adds a note to the message before it. Notes in system headers are left out.
    fn note(&mut self, line: &Line<'_>, place: &Location, text: &str) {
        let Some(open) = self.draft.open() else { return };
        if line.log.start_line.saturating_sub(open.log.end_line) > FARTHEST_NOTE {
            return;
        }
        let of_system = place.file.starts_with("/usr/") || place.file.contains("/include/c++/");
        let repeats = text.starts_with("each undeclared identifier is reported only once");
        if self.notes < MOST_NOTES && !of_system && !repeats {
            self.notes += 1;
            let text_with_place = format!("{place}: {text}");
            self.draft.add(line, &text_with_place);
        } else {
            open.log = open.log.to(line.log);
        }
    }

    /// `gcc: error: …`: an error of the program that calls compiler and linker.
    fn of_driver(&mut self, line: &Line<'_>, found: &mut PendingFindings) {
        let Some((program, rest)) = line.text.split_once(": ") else { return };
        let Some(program) = words::driver(program) else { return };
        let Some((severity @ (Severity::Error | Severity::Warning), text)) = words::kind(rest) else {
            return;
        };
        let (message, code) = with_code(text);
        let next = Diagnostic::new(severity, message, line.log, words::ID).coded(&code);
        // The linker has already printed the cause.
        let linker = program == "collect2" && !rest.starts_with("fatal");
        if severity == Severity::Error && (linker || text.starts_with("linker command failed")) {
            self.draft.close(found);
            found.consequences.push(Consequence { failure: next, since: 0, is_heading: false });
        } else {
            self.draft.begin(next, found);
            self.notes = MOST_NOTES;
        }
    }
}

/// The line that begins a message: the place, the kind, and the text.
fn head(text: &str) -> Option<(Location, Severity, &str)> {
    // So CMake says what it does, which may be what a compiler said when it was tried.
    if text.starts_with(char::is_whitespace) || text.starts_with("-- ") {
        return None;
    }
    let (place, rest) = place::with_colons(text)?;
    let (kind, message) = words::kind(rest)?;
    (words::is_source(&place) && !message.is_empty()).then_some((place, kind, message))
}

/// `    3 | int x;` and the line with the caret.
fn shows_source(text: &str) -> bool {
    let numbered = place::number(text.trim_start()).is_some_and(|(_, rest)| rest.starts_with(" |"));
    let points = text.contains('^') && text.chars().all(|c| matches!(c, ' ' | '\t' | '~' | '^'));
    numbered || points
}

/// `tide.cpp:18:8:   required from here`.
fn required(text: &str) -> Option<Location> {
    let (place, rest) = place::with_colons(text)?;
    (rest.trim_end() == "required from here").then_some(place)
}

/// The message, and the option in brackets that it ends with: `… [-Wunused-variable]`.
fn with_code(text: &str) -> (&str, String) {
    let bracketed = text.strip_suffix(']').and_then(|text| text.rsplit_once(" ["));
    let Some((message, options)) = bracketed.filter(|(_, options)| is_option(options)) else {
        return (text, String::new());
    };
    // Whether a warning is taken for an error is no kind of its own.
    let own = |option: &&str| !matches!(*option, "-Werror" | "-warnings-as-errors");
    let code = options.split(',').find(own).unwrap_or_default();
    (message, code.strip_prefix("-Werror=").map_or_else(|| code.to_owned(), |name| format!("-W{name}")))
}

/// `-Wformat=`, `-Werror,-Wunused`, clang-tidy's `bugprone-branch-clone`, `SC2034`.
fn is_option(text: &str) -> bool {
    let numbered =
        text.starts_with(|c: char| c.is_ascii_uppercase()) && text.ends_with(|c: char| c.is_ascii_digit());
    let plain = |c: char| c.is_ascii_alphanumeric() || "-+=.,_#".contains(c);
    (text.contains('-') || numbered) && text.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial;

    /// The findings of a log on standard error.
    fn findings(log: &str) -> Vec<String> {
        trial::findings_on(Stream::Err, &FORMAT, log)
    }

    #[test]
    fn compilers() {
        for (log, expected) in [
            (
                "In file included from a.c:1:\na.h: In function ‘f’:\na.h:2:29: error: ‘x’ undeclared (first use in this function)\n    2 | return x;\n      |        ^\na.h:2:29: note: each undeclared identifier is reported only once for each function it appears in\n",
                "error a.h:2:29 ‘x’ undeclared (first use in this function) [3-6]",
            ),
            (
                "a b.c:5:1: warning: unused [-Wunused-variable]\r\n",
                "warning a b.c:5:1 -Wunused-variable unused [1-1]",
            ),
            (
                r"C:\x\a.c:5:1: error: unused [-Werror=unused-variable]",
                r"error C:\x\a.c:5:1 -Wunused-variable unused [1-1]",
            ),
            (
                "a.c:5:1: error: unused [-Werror,-Wunused-variable]",
                "error a.c:5:1 -Wunused-variable unused [1-1]",
            ),
            ("a.c:5:1: error: array [3] or [x y]", "error a.c:5:1 array [3] or [x y] [1-1]"),
            (
                "n.c:1:10: fatal error: 'nowhere.h' file not found\n1 error generated.",
                "error n.c:1:10 'nowhere.h' file not found [1-1]",
            ),
            (
                "x.s: Assembler messages:\nx.s:1: Error: no such instruction: `foo'",
                "error x.s:1 no such instruction: `foo' [2-2]",
            ),
            (
                "<stdin>:1:20: error: no\ncc1: all warnings being treated as errors",
                "error <stdin>:1:20 no [1-1]",
            ),
            ("gcc: fatal error: no input files\ncompilation terminated.", "error no input files [1-1]"),
            (
                "/usr/bin/x86_64-linux-gnu-gcc-12: error: unrecognized command-line option ‘--foo’",
                "error unrecognized command-line option ‘--foo’ [1-1]",
            ),
            (
                "clang-14: warning: argument unused during compilation: '-lx' [-Wunused-command-line-argument]",
                "warning -Wunused-command-line-argument argument unused during compilation: '-lx' [1-1]",
            ),
            (
                "a.sh:3:5: warning: x appears unused. [SC2034]",
                "warning a.sh:3:5 SC2034 x appears unused. [1-1]",
            ),
            ("a.c:3:5: Fehler: »x« nicht deklariert", "error a.c:3:5 »x« nicht deklariert [1-1]"),
            ("a.c:3:5: erreur: « x » non déclaré", "error a.c:3:5 « x » non déclaré [1-1]"),
            ("a.c:3:5: 错误：‘x’未声明", "error a.c:3:5 ‘x’未声明 [1-1]"),
            (
                "b.cc:6:35: error: no match\nb.cc:4:8: note: candidate: A\n/usr/include/c++/12/a.h:3:1: note: candidate: B\n",
                "error b.cc:6:35 no match\nb.cc:4:8: candidate: A [1-3]",
            ),
            (
                "b.cc:6:39:   required from here\n/usr/include/c++/12/bits/a.h:19:5: error: no match\n",
                "error /usr/include/c++/12/bits/a.h:19:5 no match\nrequired from b.cc:6:39 [2-2]",
            ),
        ] {
            assert_eq!(findings(log), [expected], "{log}");
        }
    }

    #[test]
    fn linkers() {
        for (log, expected) in [
            (
                "/usr/bin/ld: /tmp/c.o: in function `main':\n/x/l.c:3: undefined reference to `foo'\n/usr/bin/ld: /x/l.c:4: undefined reference to `bar'\ncollect2: error: ld returned 1 exit status",
                vec![
                    "error /x/l.c:3 undefined reference to `foo' [2-2]",
                    "error /x/l.c:4 undefined reference to `bar' [3-3]",
                ],
            ),
            (
                "main.o:main.c:(.text+0xa): undefined reference to `moon'\n(.text+0x17): undefined reference to `main'",
                vec![
                    "error main.c undefined reference to `moon' [1-1]",
                    "error undefined reference to `main' [2-2]",
                ],
            ),
            (
                "/usr/bin/ld: cannot find -lnope: No such file or directory\ncollect2: error: ld returned 1 exit status",
                vec!["error cannot find -lnope: No such file or directory [1-1]"],
            ),
            ("collect2: error: ld returned 1 exit status", vec!["error ld returned 1 exit status [1-1]"]),
            (
                "ld.lld: error: undefined symbol: foo\n>>> referenced by a.c:3\n>>>               a.o:(main)\nclang: error: linker command failed with exit code 1 (use -v to see invocation)",
                vec!["error a.c:3 undefined symbol: foo\nreferenced by a.c:3\na.o:(main) [1-3]"],
            ),
            (
                "Undefined symbols for architecture arm64:\n  \"_foo\", referenced from:\n      _main in a.o\nld: symbol(s) not found for architecture arm64\nclang: error: linker command failed with exit code 1 (use -v to see invocation)",
                vec!["error undefined symbol: _foo [2-2]"],
            ),
            (
                "ld.gold: error: cannot open crt1.o: No such file",
                vec!["error cannot open crt1.o: No such file [1-1]"],
            ),
            (
                "a.o:a.c:function main: error: undefined reference to 'foo'",
                vec!["error a.c undefined reference to 'foo' [1-1]"],
            ),
        ] {
            assert_eq!(findings(log), expected, "{log}");
        }
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "12:30:01: error: not a file",
            "2026-11-21T10:15:30: error: connection lost",
            "http://localhost:3000:1: error: refused",
            "example.com:8080: error: refused",
            "a.py:3:5: error: Name \"x\" is not defined  [name-defined]",
            "src/lib.rs:3:5: error: expected one of",
            "the ld: was here",
            "build: nothing to do",
            "world: hello there",
            "my gcc: error: no",
            "error: not really",
            "note: an undefined reference to nothing",
            "a.c:3:5: note: alone",
            ": error: ",
            "a.c:1:1: error: ",
            "5 warnings and 2 errors generated.",
            "    a.c:3:5: error: quoted",
        ] {
            assert!(findings(log).is_empty(), "{log}: {:?}", findings(log));
        }
    }

    #[test]
    fn a_message_on_standard_output_counts_only_with_its_source() {
        let log = "a.c:1:1: error: not really\nhello\nhello\nhello\na.c:2:2: error: is\n    2 | x\n      | ^\na.c:3:1: error: one\na.c:3:9: error: more\nx\n^\n";
        assert_eq!(
            trial::findings(&FORMAT, log),
            ["error a.c:2:2 is [5-5]", "error a.c:3:1 one [8-8]", "error a.c:3:9 more [9-9]"]
        );
    }
}
