//! Programs in Go that panicked: `panic: …` with the calls of each goroutine below.

use super::super::{Dialect, Format, Line, Next, PendingFindings};
use super::goroutine::{Progress, Trace};

/// Every Go.
pub(in super::super) const FORMAT: Format = Format {
    id: "go_panic",
    triggers: &["panic: ", "fatal error: "],
    programs: &["go"],
    reader: || Box::<Panics>::default(),
};

#[derive(Debug, Default)]
struct Panics(Option<Trace>);

impl Dialect for Panics {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if !line.begins() {
            return if self.0.is_some() { Next::Line } else { Next::Trigger };
        }
        match self.0.as_mut().map(|trace| trace.read(line)) {
            Some(Progress::More) => return Next::Line,
            Some(Progress::Done) => {
                found.diagnostics.extend(self.0.take().map(|trace| trace.found));
                return Next::Trigger;
            }
            Some(Progress::Never) | None => self.0 = Trace::begin(line, FORMAT.id),
        }
        if self.0.is_some() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        found.diagnostics.extend(self.0.take().filter(Trace::is_one).map(|trace| trace.found));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    #[test]
    fn programs() {
        let log = "panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nnet/http.HandlerFunc.ServeHTTP(0x1)\n\t/usr/lib/go-1.19/src/net/http/server.go:2109 +0x2f\ngithub.com/x/y.Z(...)\n\t/root/go/pkg/mod/github.com/x/y@v1.0.0/z.go:3\nmain.main()\n\t/x/m.go:2 +0x2e\nexit status 2\n";
        assert_eq!(findings(&FORMAT, log), ["error /x/m.go:2 panic: assignment to entry in nil map [1-9]"]);
        let log = "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n\t/x/m.go:2 +0x2e\n";
        assert_eq!(
            findings(&FORMAT, log),
            ["error /x/m.go:2 fatal error: all goroutines are asleep - deadlock! [1-5]"]
        );
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "panic: not really\n--- PASS: TestX (0.00s)\n",
            "panic: \n",
            "fatal error: nowhere.h: No such file\n",
        ] {
            assert!(findings(&FORMAT, log).is_empty(), "{log}");
        }
    }
}
