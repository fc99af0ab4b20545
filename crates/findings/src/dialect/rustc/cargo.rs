//! cargo's own output: its progress, its errors and their reasons.

use super::super::panic::Panic;
use super::super::{Line, place};
use crate::model::{Diagnostic, Location, Severity};

/// The kind of a message without a code and a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// Cargo's or the compiler's own, by its words.
    Own,
    /// A failure of something that printed its own error.
    Failed,
    /// How many there were, or that more is to come.
    Summary,
    /// A message of a build script, `tides@0.1.0: …`.
    Compiled,
    /// A message with a code.
    Coded,
    /// Anybody could have written it.
    Unknown,
}

/// The beginnings of errors of cargo and rustc when nothing else shows that they are theirs.
const ERRORS: [&str; 38] = [
    "a bin target must be available for `cargo",
    "`cargo run` could not determine which binary",
    "cannot update the lock file ",
    "could not find `Cargo.toml`",
    "couldn't read `",
    "crate `",
    "current package believes it's in a workspace",
    "cyclic package dependency",
    "error inheriting `",
    "failed to fetch `",
    "failed to get `",
    "failed to load manifest ",
    "failed to load source for dependency",
    "failed to parse lock file",
    "failed to parse manifest ",
    "failed to resolve patches",
    "failed to run custom build command",
    "failed to select a version for",
    "internal compiler error",
    "linker `",
    "linking with `",
    "manifest path `",
    "multiple workspace roots found",
    "no bench target ",
    "no bin target ",
    "no example target ",
    "no matching package",
    "no such command: `",
    "no such subcommand: `",
    "no test target ",
    "none of the selected packages contains",
    "package ID specification `",
    "the compiler unexpectedly panicked",
    "the lock file ",
    "the package `",
    "the package '",
    "toolchain '",
    "virtual manifests must be configured",
];

/// The kind of a message without a code.
pub(super) fn says(severity: Severity, text: &str) -> Says {
    let begins = |begins: &[&str]| begins.iter().any(|begin| text.starts_with(begin));
    if begins(&["could not compile `", "could not document `", "failed to compile `"]) {
        return Says::Failed;
    }
    // A program that fails says why; one that was killed does not.
    if begins(&["process didn't exit successfully: `"]) {
        return if text.contains(" (signal: ") { Says::Own } else { Says::Failed };
    }
    let counts = place::number(text).is_some_and(|(_, rest)| {
        [" target failed:", " targets failed:", " warning emitted", " warnings emitted"]
            .iter()
            .any(|end| rest.starts_with(end))
    });
    let generated = text.starts_with('`') && text.contains(" generated ") && text.contains(" warning");
    let waits =
        begins(&["aborting due to ", "build failed", "test failed, to rerun ", "doctest failed, to rerun "]);
    if counts || generated || waits {
        return Says::Summary;
    }
    if by_script(text).is_some() {
        return Says::Compiled;
    }
    let own = match severity {
        Severity::Error => begins(&ERRORS),
        _ => {
            begins(&["unused manifest key", "virtual workspace defaulting to"])
                || text.contains("Cargo.toml")
                || text.contains("/.cargo/config")
        }
    };
    if own { Says::Own } else { Says::Unknown }
}

/// A build script's warning, behind `NAME@VERSION: `.
fn by_script(text: &str) -> Option<&str> {
    let (package, said) = text.split_once(": ")?;
    let (name, version) = package.split_once('@')?;
    let word = !name.is_empty() && !package.contains([' ', '/', '`']);
    (word && version.starts_with(|c: char| c.is_ascii_digit())).then_some(said)
}

/// A C compiler's message to a build script.
pub(super) fn of_compiler(text: &str) -> Option<(Location, Severity, &str)> {
    let (place, rest) = place::with_colons(by_script(text)?)?;
    let words =
        [("error: ", Severity::Error), ("fatal error: ", Severity::Error), ("warning: ", Severity::Warning)];
    words.into_iter().find_map(|(word, severity)| Some((place.clone(), severity, rest.strip_prefix(word)?)))
}

/// Whether it shows sources or says more of the message before.
pub(super) fn is_snippet(text: &str) -> bool {
    let Some(said) = by_script(text) else { return false };
    let more = [": note: ", ": In function ", ": At top level:"].iter().any(|more| said.contains(more));
    said.starts_with([' ', '|', '^', '~'])
        || said.trim().is_empty()
        || said.starts_with("In file included from")
        || more
}

/// Whether cargo compiles, from its status line.
pub(super) fn status(text: &str) -> Option<bool> {
    let (word, rest) = text.split_at_checked(12)?;
    let compiles = match word.trim_start() {
        "Compiling" | "Checking" | "Updating" | "Locking" | "Downloading" | "Downloaded" | "Documenting"
        | "Blocking" | "Building" => true,
        "Finished" | "Running" | "Doc-tests" => false,
        _ => return None,
    };
    rest.starts_with(' ').then_some(compiles)
}

/// Whether a line continues an error of cargo.
pub(super) fn more(text: &str) -> bool {
    let begins = [
        " ",
        "location searched",
        "required by ",
        "perhaps you meant",
        "versions that meet ",
        "candidate versions ",
        "if you are looking for ",
        "help: ",
        "note: ",
        "hint: ",
        "this may be fixable ",
        "searched ",
    ];
    begins.iter().any(|begin| text.starts_with(begin))
}

/// Reads the lines below `Caused by:`.
#[derive(Debug, Default)]
pub(super) struct CargoCauses {
    /// How many causes the message holds.
    shown: usize,
    /// Something was killed.
    pub(super) killed: bool,
    /// Causes stand as far in as cargo writes them.
    pub(super) sure: bool,
    part: CargoPart,
}

/// How many causes a message holds.
const MOST_CAUSES: usize = 12;

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum CargoPart {
    /// A cause.
    #[default]
    Cause,
    /// The standard output of a build script.
    Out,
    /// Its standard error.
    Err,
    /// It panicked: the next line says why.
    Panic,
}

impl CargoCauses {
    /// Whether the line belongs to the causes.
    pub(super) fn read(&mut self, line: &Line<'_>, finding: &mut Diagnostic) -> bool {
        if line.text == "Caused by:" {
            self.part = CargoPart::Cause;
            return true;
        }
        if line.text.trim().is_empty() {
            return true;
        }
        let Some(text) = line.text.strip_prefix("  ") else { return false };
        self.killed |= self.part == CargoPart::Cause && text.contains(" (signal: ");
        self.sure |= !text.starts_with(' ');
        match (text, self.part) {
            ("--- stdout", _) => self.part = CargoPart::Out,
            ("--- stderr", _) => self.part = CargoPart::Err,
            (_, CargoPart::Out) => {}
            (_, CargoPart::Err) => {
                if let Some(panic) = Panic::of(text) {
                    finding.place = Some(panic.place);
                    self.part = CargoPart::Panic;
                } else if text.starts_with("error") {
                    self.tell(text, line, finding);
                }
            }
            (_, CargoPart::Panic) => {
                self.part = CargoPart::Err;
                self.tell(text, line, finding);
            }
            (_, CargoPart::Cause) => self.tell(text.trim_end(), line, finding),
        }
        true
    }

    fn tell(&mut self, text: &str, line: &Line<'_>, finding: &mut Diagnostic) {
        if self.shown < MOST_CAUSES {
            self.shown += 1;
            finding.extend(text, line.log);
        }
    }
}
