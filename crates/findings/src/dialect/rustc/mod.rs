//! Rust's compiler and cargo: `error[E0308]: mismatched types` with ` --> src/a.rs:3:5` below, and `error: failed to …`.

mod cargo;
mod snippet;

use cargo::Says;

use super::{Consequence, Dialect, Format, Line, Next, PendingFindings, place};
use crate::model::{Diagnostic, Location, Severity, Stream};

/// rustc, clippy and cargo of every edition.
pub(super) const FORMAT: Format = Format {
    id: "rustc",
    triggers: &[
        "error[E",
        "error: ",
        "warning: ",
        "   Compiling ",
        "    Checking ",
        "    Updating ",
        "     Locking ",
        " Downloading ",
        "  Downloaded ",
        " Documenting ",
        "    Blocking ",
        "    Building ",
        "    Finished ",
        "     Running ",
        "   Doc-tests ",
    ],
    programs: &["cargo", "rustc", "rustdoc", "clippy-driver", "cross"],
    reader: || Box::<Rustc>::default(),
};

/// The most lines that one message is followed for.
const LONGEST: usize = 2000;
/// Within how many lines of its head a message says where.
const PLACED_WITHIN: usize = 3;

#[derive(Debug, Default)]
struct Rustc {
    open: Option<RustcMessage>,
    /// Cargo compiles: errors here are its own or the compiler's.
    building: bool,
}

/// A message that is put together.
#[derive(Debug)]
struct RustcMessage {
    found: Diagnostic,
    says: Says,
    /// How many lines it has.
    lines: usize,
    /// A place or a cause followed: no other program writes so.
    sure: bool,
    body: Body,
}

/// The lines that may follow in a message.
#[derive(Debug)]
enum Body {
    /// A place and a snippet, or lines of text.
    Text(snippet::Notes),
    /// After a blank line: only causes.
    Blank,
    /// Causes, and the output of a build script.
    Causes(cargo::CargoCauses),
}

impl Dialect for Rustc {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() && !self.goes_on(line) {
            self.close(found);
            if let Some((severity, code, text)) = head(line.text) {
                self.begin(line, severity, code, text, found);
            } else if let Some(short) = short(line) {
                found.diagnostics.push(short);
            } else if let Some(building) = cargo::status(line.text) {
                self.building = building;
            }
        }
        if self.open.is_some() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
    }
}

impl Rustc {
    fn begin(
        &mut self,
        line: &Line<'_>,
        severity: Severity,
        code: &str,
        text: &str,
        found: &mut PendingFindings,
    ) {
        let says = if code.is_empty() { cargo::says(severity, text) } else { Says::Coded };
        let mut next = Diagnostic::new(severity, text, line.log, FORMAT.id).coded(code);
        match says {
            Says::Summary => return,
            Says::Compiled => {
                // A C compiler's message to a build script: the place is in its words.
                if let Some((place, severity, text)) = cargo::of_compiler(text) {
                    next = Diagnostic {
                        severity,
                        ..Diagnostic::new(severity, text, line.log, FORMAT.id).at(place)
                    };
                } else if cargo::is_snippet(text) {
                    return;
                }
                if self.building {
                    found.diagnostics.push(next);
                }
                return;
            }
            _ => {}
        }
        // The compiler writes to standard error. On standard output a program may print anything.
        let coded = !code.is_empty() && line.stream == Stream::Err;
        let sure = self.building || coded || !matches!(says, Says::Unknown | Says::Coded);
        self.open = Some(RustcMessage {
            found: next,
            says,
            lines: 1,
            sure,
            body: Body::Text(snippet::Notes::default()),
        });
    }

    /// Whether a line belongs to the message before it.
    fn goes_on(&mut self, line: &Line<'_>) -> bool {
        let Some(open) = &mut self.open else { return false };
        open.lines += 1;
        if open.lines > LONGEST || cargo::status(line.text).is_some() {
            return false;
        }
        let goes_on = match &mut open.body {
            Body::Text(_) if line.text.is_empty() => {
                // The snippet is over; cargo's causes come behind a blank line.
                let placed = open.found.place.is_some();
                open.body = Body::Blank;
                return !placed;
            }
            Body::Text(notes) => {
                if open.found.place.is_none()
                    && open.lines <= PLACED_WITHIN
                    && let Some(place) = snippet::place(line.text)
                {
                    open.found.place = Some(place);
                    open.sure = true;
                    true
                } else {
                    let note = notes.read(line.text);
                    if let Some(text) = note.text {
                        open.found.extend(&text, line.log);
                    }
                    note.belongs || (open.found.place.is_none() && cargo::more(line.text))
                }
            }
            Body::Blank => line.text.is_empty(),
            Body::Causes(causes) => {
                let belongs = causes.read(line, &mut open.found);
                open.sure |= causes.sure;
                if causes.killed {
                    open.says = Says::Own;
                }
                belongs
            }
        };
        if line.text == "Caused by:" && open.found.place.is_none() {
            if !matches!(open.body, Body::Causes(_)) {
                open.body = Body::Causes(cargo::CargoCauses::default());
            }
        } else if !goes_on {
            return false;
        }
        if !line.text.is_empty() {
            open.found.log = open.found.log.to(line.log);
        }
        true
    }

    fn close(&mut self, found: &mut PendingFindings) {
        match self.open.take() {
            Some(RustcMessage { found: failure, says: Says::Failed, .. }) => {
                found.consequences.push(Consequence { failure, since: 0, is_heading: false });
            }
            Some(message) if message.sure => found.diagnostics.push(message.found),
            _ => {}
        }
    }
}

/// The line that begins a message: `error[E0308]: …`, `warning: …`.
fn head(text: &str) -> Option<(Severity, &str, &str)> {
    let (severity, rest) = if let Some(rest) = text.strip_prefix("error") {
        (Severity::Error, rest)
    } else {
        (Severity::Warning, text.strip_prefix("warning")?)
    };
    let (code, rest) = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => ("", rest),
    };
    let message = rest.strip_prefix(": ")?;
    let fits = code.is_empty()
        || code
            .strip_prefix('E')
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
    (fits && !message.trim().is_empty()).then_some((severity, code, message))
}

/// A message of one line, as `--message-format short` has it: `src/a.rs:3:5: error[E0308]: …`.
fn short(line: &Line<'_>) -> Option<Diagnostic> {
    let (place, rest) = place::with_colons(line.text)?;
    let Location { column: Some(_), .. } = place else { return None };
    if line.text.starts_with(char::is_whitespace) || !place::ends_in(&place.file, "rs") {
        return None;
    }
    let (severity, code, text) = head(rest)?;
    Some(Diagnostic::new(severity, text, line.log, FORMAT.id).coded(code).at(place))
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
    fn the_compiler() {
        let log = "error[E0308]: mismatched types\n  --> src/lib.rs:10:18\n   |\n10 |     let x: u32 = \"a\";\n   |            ---   ^^^ expected `u32`, found `&str`\n   |            |\n   |            expected due to this\n   |\n   = note: expected type `A`\n              found type `B`\n   = note: `#[warn(x)]` on by default\nhelp: try this\n   |\n10 |     let x: u32 = 1;\n   |                  ~\n\nerror: expected one of `!` or `::`, found `x`\n --> C:\\a b\\src\\lib.rs:1:4\n  |\nwarning: unused variable: `x`\n --> src/lib.rs:2:9\n  |\n2 |     let x = 1;\n  |         ^ help: prefix it: `_x`\n\nSome errors have detailed explanations: E0308, E0425.\nerror: could not compile `tide` (lib) due to 2 previous errors; 1 warning emitted\n";
        let expected = [
            "error src/lib.rs:10:18 E0308 mismatched types\nexpected `u32`, found `&str`\nnote: expected type `A`\nfound type `B`\nhelp: try this [1-15]",
            "error C:\\a b\\src\\lib.rs:1:4 expected one of `!` or `::`, found `x` [17-19]",
            "warning src/lib.rs:2:9 unused variable: `x`\nhelp: prefix it: `_x` [20-24]",
        ];
        assert_eq!(findings(log), expected);
        assert_eq!(findings(&log.replace('\n', "\r\n")), expected);
        assert_eq!(trial::findings(&FORMAT, log), expected, "on standard output");
    }

    #[test]
    fn in_short() {
        assert_eq!(
            findings(
                "src/lib.rs:11:13: error[E0425]: cannot find value\nsrc/lib.rs:2:1: warning: unused\nsrc/a.c:1:1: error: x"
            ),
            ["error src/lib.rs:11:13 E0425 cannot find value [1-1]", "warning src/lib.rs:2:1 unused [2-2]"]
        );
    }

    #[test]
    fn cargo_itself() {
        for (log, expected) in [
            (
                "error: failed to parse manifest at `/x/Cargo.toml`\n\nCaused by:\n  no targets specified\n\nmore",
                vec!["error failed to parse manifest at `/x/Cargo.toml`\nno targets specified [1-4]"],
            ),
            (
                "error: no matching package named `nope` found\nlocation searched: crates.io index\nrequired by package `tide v0.1.0`\n",
                vec!["error no matching package named `nope` found [1-3]"],
            ),
            (
                "error: could not find `Cargo.toml` in `/x` or any parent directory\nnpm error code 101",
                vec!["error could not find `Cargo.toml` in `/x` or any parent directory [1-1]"],
            ),
            (
                "error: could not compile `a` (lib)\n\nCaused by:\n  process didn't exit successfully: `rustc` (signal: 9, SIGKILL: kill)\n",
                vec![
                    "error could not compile `a` (lib)\nprocess didn't exit successfully: `rustc` (signal: 9, SIGKILL: kill) [1-4]",
                ],
            ),
            (
                "error: could not compile `a` (lib) due to 1 previous error",
                vec!["error could not compile `a` (lib) due to 1 previous error [1-1]"],
            ),
            (
                "error: process didn't exit successfully: `a` (signal: 11, SIGSEGV: invalid memory reference)",
                vec![
                    "error process didn't exit successfully: `a` (signal: 11, SIGSEGV: invalid memory reference) [1-1]",
                ],
            ),
            (
                "warning: unused manifest key: package.x\n   Compiling a v0.1.0 (/x)\nerror: of the compiler\n\n    Finished `dev` profile\n     Running `a`\nerror: of the program",
                vec!["warning unused manifest key: package.x [1-1]", "error of the compiler [3-3]"],
            ),
            (
                "   Compiling b v0.1.0\nwarning: b@0.1.0: In file included from x.c:1:\nwarning: b@0.1.0: x.c:3:5: error: expected ';'\nwarning: b@0.1.0:     3 |   int x = 1\nwarning: b@0.1.0: the moon is old\n",
                vec!["error x.c:3:5 expected ';' [3-3]", "warning b@0.1.0: the moon is old [5-5]"],
            ),
            (
                "error: linking with `cc` failed: exit status: 1\n  |\n  = note:  \"cc\" \"-m64\"\n  = note: /usr/bin/ld: cannot find -lx: No such file\n          collect2: error: ld returned 1 exit status\n          \n\nx",
                vec![
                    "error linking with `cc` failed: exit status: 1\nnote: /usr/bin/ld: cannot find -lx: No such file\ncollect2: error: ld returned 1 exit status [1-6]",
                ],
            ),
        ] {
            assert_eq!(findings(log), expected, "{log}");
        }
    }

    #[test]
    fn other_output_is_no_finding() {
        for log in [
            "error: pathspec 'x' did not match any file(s) known to git",
            "warning: adding embedded git repository: x",
            "error: Command failed with exit code 1.",
            "error: aborting due to 2 previous errors",
            "warning: `tide` (lib) generated 3 warnings (run `cargo fix --lib -p tide` to apply 1 suggestion)",
            "warning: 2 warnings emitted",
            "warning: build failed, waiting for other jobs to finish...",
            "error: 4 targets failed:\n    `--lib`",
            "error[lint]: other\n --> a.rs:1:1",
            "error[E]: other\n --> a.rs:1:1",
            "error: ",
            "error: of a program\n\nCaused by:\n    0: no tide\n",
            "error: not really\n\n --> a.rs:1:1",
            "error: Validation\n  -->  schema.prisma:3\n",
            "  error[E0308]: quoted\n --> a.rs:1:1",
        ] {
            assert!(findings(log).is_empty(), "{log}: {:?}", findings(log));
        }
        assert!(
            trial::findings(&FORMAT, "error[E0308]: mismatched types\nhello\n").is_empty(),
            "what a program says"
        );
    }
}
