//! Findings of sanitizers in running programs: `==7==ERROR: AddressSanitizer: heap-buffer-overflow …` above a
//! stack, and `tide.c:2:54: runtime error: signed integer overflow: …`.

use super::{Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, Severity};

/// Those of gcc and clang.
pub(super) const FORMAT: Format = Format {
    id: "sanitizer",
    triggers: &["Sanitizer: ", ": runtime error: "],
    programs: &[],
    reader: || Box::<Sanitizer>::default(),
};

/// The most lines of one report.
const LONGEST: usize = 1000;

#[derive(Debug, Default)]
struct Sanitizer(Option<SanitizerReport>);

/// A report while it is read.
#[derive(Debug)]
struct SanitizerReport {
    found: Diagnostic,
    lines: usize,
    /// The message already contains the operation.
    has_deed: bool,
}

impl Dialect for Sanitizer {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            if let Some(what) = head(line.text) {
                self.close(found);
                let error = Diagnostic::new(Severity::Error, what, line.log, FORMAT.id);
                self.0 = Some(SanitizerReport { found: error, lines: 0, has_deed: false });
            } else if !self.goes_on(line) {
                self.close(found);
                found.diagnostics.extend(undefined(line));
            }
        }
        if self.0.is_some() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
    }
}

impl Sanitizer {
    fn close(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.0.take().map(|open| open.found));
    }

    /// Whether a line belongs to the report.
    fn goes_on(&mut self, line: &Line<'_>) -> bool {
        let Some(open) = &mut self.0 else { return false };
        let text = line.text.trim_end();
        open.lines += 1;
        if open.lines > LONGEST || is_of_others(text) {
            return false;
        }
        open.found.log = open.found.log.to(line.log);
        if let Some(place) = framed(text) {
            open.found.place.get_or_insert(place);
        } else if !open.has_deed && is_deed(text) {
            open.has_deed = true;
            let what = text.trim().split_once(" at 0x").map_or(text.trim(), |(what, _)| what);
            let what = what.trim_end_matches(':').trim_end_matches(" allocated from");
            open.found.extend(what, line.log);
        }
        !(text.starts_with("==") && text.ends_with("==ABORTING"))
    }
}

/// `==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6020 …`: without the parts that change.
fn head(text: &str) -> Option<String> {
    let said = text.strip_prefix("WARNING: ThreadSanitizer: ").map(|what| ("ThreadSanitizer", what));
    let (who, what) = said.or_else(|| {
        let (number, rest) = text.strip_prefix("==")?.split_once("==ERROR: ")?;
        let (who, what) = rest.split_once(": ")?;
        (place::number(number)?.1.is_empty() && who.ends_with("Sanitizer")).then_some((who, what))
    })?;
    let ends = [" on address ", " on unknown address ", " (pid=", " (address "];
    let end = ends.iter().filter_map(|end| what.find(end)).min().unwrap_or(what.len());
    Some(format!("{who}: {}", what[..end].trim_end()))
}

/// `    #0 0x55b7 in high /a/tide.c:4:5`, in a file of the user's own.
fn framed(text: &str) -> Option<Location> {
    let rest = text.trim_start().strip_prefix('#')?;
    let (_, rest) = place::number(rest)?;
    let rest = rest.trim_start();
    let called = rest.split_once(" in ").map_or(rest, |(_, called)| called);
    let called = called.split(" (").next().unwrap_or(called);
    // The names of functions in C++ have blanks.
    let file = called.rfind(" /").or_else(|| called.rfind(' '))?;
    let place = place::whole(called[file..].trim_start())?;
    let system = ["/usr/", "../sysdeps/", "../csu/", "../nptl/", "./"];
    let foreign =
        system.iter().any(|begin| place.file.starts_with(begin)) || place.file.contains("sanitizer");
    (!foreign).then_some(place)
}

/// `WRITE of size 4 at 0x6020 …`, `Direct leak of 10 byte(s) in 1 object(s) allocated from:`
fn is_deed(text: &str) -> bool {
    let text = text.trim_start();
    ["READ of size ", "WRITE of size ", "Read of size ", "Write of size ", "Direct leak of ", "attempting "]
        .iter()
        .any(|begin| text.starts_with(begin))
}

/// Whether a line is surely no sanitizer's: the parent process reports the end of the program.
fn is_of_others(text: &str) -> bool {
    text.contains(": *** [")
}

/// `FILE:2:54: runtime error: signed integer overflow: …`
fn undefined(line: &Line<'_>) -> Option<Diagnostic> {
    let (place, rest) = place::with_colons(line.text)?;
    let what = rest.strip_prefix("runtime error: ").filter(|_| place.column.is_some())?;
    Some(Diagnostic::new(Severity::Error, what.trim_end(), line.log, FORMAT.id).at(place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn of_addresses() {
        let log = "=================================================================\n\
            ==14420==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000024 at pc 0x55b7 bp 0x7ffe sp 0x7ffe\n\
            WRITE of size 4 at 0x602000000024 thread T0\n\
            \x20   #0 0x7fb7 in __interceptor_strcpy ../../../../src/libsanitizer/asan/asan_interceptors.cpp:425\n\
            \x20   #1 0x55b70a1461e5 in main /srv/my app/as.c:4\n\
            \x20   #2 0x7fb7d7a45249 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58\n\
            \x20   #3 0x55b70a1460b0 in _start (/srv/as+0x10b0)\n\n\
            allocated by thread T0 here:\n    #1 0x55b70a146191 in main /srv/as.c:3\n\n\
            SUMMARY: AddressSanitizer: heap-buffer-overflow /srv/as.c:4 in main\nShadow bytes around the buggy address:\n\
            \x20 ASan internal:           fe\n==14420==ABORTING\nafter\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error /srv/my app/as.c:4 AddressSanitizer: heap-buffer-overflow\nWRITE of size 4 [2-15]"]
        );
        let ended = log.replace("==14420==ABORTING\nafter", "make: *** [Makefile:2: run] Error 1");
        assert!(findings(&FORMAT, &ended)[0].ends_with("[2-14]"));
    }

    #[test]
    fn of_leaks_and_of_what_is_undefined() {
        for (log, expected) in [
            (
                "==14601==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 10 byte(s) in 1 object(s) allocated from:\n\
                 \x20   #0 0x7f45342b89cf in __interceptor_malloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69\n\
                 \x20   #1 0x55c059e1c16a in sea::high(int, char**) leak.cpp:2:5\n\nSUMMARY: AddressSanitizer: 10 byte(s) leaked in 1 allocation(s).\n",
                "error leak.cpp:2:5 LeakSanitizer: detected memory leaks\nDirect leak of 10 byte(s) in 1 object(s) [1-7]",
            ),
            (
                "ub.c:2:54: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'",
                "error ub.c:2:54 signed integer overflow: 2147483647 + 1 cannot be represented in type 'int' [1-1]",
            ),
            (
                "WARNING: ThreadSanitizer: data race (pid=7)\n  Write of size 4 at 0x7b04 by thread T1:\n    #0 high /srv/race.c:5:3 (race+0x1)\n",
                "error /srv/race.c:5:3 ThreadSanitizer: data race\nWrite of size 4 [1-3]",
            ),
        ] {
            assert_eq!(findings(&FORMAT, log), [expected]);
        }
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "AddressSanitizer: enabled",
            "panic: runtime error: index out of range",
            "it says: runtime error: x",
            "==x==ERROR: AddressSanitizer: y",
            "==7==ERROR: Tide: high",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
