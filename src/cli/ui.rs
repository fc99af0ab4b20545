//! All output of the terminal face: results on standard output, everything about them on standard error.

use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Stderr, Stdout, Write};

use console::{Style, Term};
use miette::{GraphicalReportHandler, GraphicalTheme};

use super::arguments::Globals;
use crate::model::{Problem, Severity};
use crate::settings::SettingsProblem;

/// How to print.
#[derive(Debug)]
pub(super) struct Ui {
    out: Stdout,
    err: Stderr,
    quiet: bool,
    verbose: bool,
}

impl Ui {
    /// For what goes wrong before the options are known.
    pub(super) fn plain() -> Self {
        Self { out: io::stdout(), err: io::stderr(), quiet: false, verbose: false }
    }

    /// Sets up colours: off with `--no-color`, `NO_COLOR`, or where no terminal is.
    pub(super) fn new(globals: &Globals) -> Self {
        if globals.no_color {
            console::set_colors_enabled(false);
            console::set_colors_enabled_stderr(false);
        }
        Self { quiet: globals.quiet, verbose: globals.verbose, ..Self::plain() }
    }

    pub(super) fn quiet(&self) -> bool {
        self.quiet
    }

    pub(super) fn verbose(&self) -> bool {
        self.verbose
    }

    /// Whether a person looks at standard output.
    pub(super) fn watched(&self) -> bool {
        self.out.is_terminal()
    }

    /// Whether there is a person to ask.
    pub(super) fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && self.err.is_terminal()
    }

    /// The width of the terminal on standard output, where there is one.
    pub(super) fn width(&self) -> Option<u16> {
        self.watched().then(|| Term::stdout().size().1)
    }

    /// A part of the result.
    pub(super) fn result(&self, text: impl Display) -> io::Result<()> {
        let mut out = self.out.lock();
        writeln!(out, "{text}")?;
        out.flush()
    }

    /// Something about the result; silent with `--quiet`.
    pub(super) fn note(&self, text: impl Display) {
        if !self.quiet {
            self.say(text);
        }
    }

    /// Something that matters even with `--quiet`.
    pub(super) fn say(&self, text: impl Display) {
        // Where standard error is closed there is nobody left to tell.
        let _ = writeln!(self.err.lock(), "{text}");
    }

    /// An error and what to do next.
    pub(super) fn error(&self, message: impl Display, code: Option<&str>, help: Option<&str>) {
        let red = Style::new().for_stderr().red().bold();
        let code = code.map_or_else(String::new, |code| format!(" [{code}]"));
        self.say(format!("{} {message}{code}", red.apply_to("error:")));
        if let Some(help) = help {
            self.help(help);
        }
    }

    /// What to do next.
    pub(super) fn help(&self, help: &str) {
        let cyan = Style::new().for_stderr().cyan();
        self.say(format!("{} {help}", cyan.apply_to("help:")));
    }

    /// Something wrong with the settings, with the lines that it is about.
    pub(super) fn complaint(&self, complaint: &SettingsProblem) {
        if self.quiet && complaint.severity == Severity::Warning {
            return;
        }
        let theme = match (console::colors_enabled_stderr(), self.err.is_terminal()) {
            (true, _) => GraphicalTheme::unicode(),
            (false, true) => GraphicalTheme::unicode_nocolor(),
            (false, false) => GraphicalTheme::none(),
        };
        let mut text = String::new();
        let width = usize::from(Term::stderr().size_checked().map_or(100, |(_, columns)| columns));
        let handler = GraphicalReportHandler::new_themed(theme).with_width(width);
        match handler.render_report(&mut text, complaint) {
            Ok(()) => self.say(text.trim_end()),
            Err(fmt::Error) => self.say(complaint),
        }
    }

    /// A problem with the project's own files.
    pub(super) fn problem(&self, instance: Option<&str>, code: Option<&str>, problem: &Problem) {
        let from = instance.map_or_else(String::new, |instance| format!("{instance}: "));
        let code = code.map_or_else(String::new, |code| format!(" [{code}]"));
        match problem.severity {
            Severity::Error => {
                let red = Style::new().for_stderr().red().bold();
                self.say(format!("{} {from}{problem}{code}", red.apply_to("error:")));
            }
            Severity::Warning if self.quiet => return,
            Severity::Warning => {
                let yellow = Style::new().for_stderr().yellow().bold();
                self.say(format!("{} {from}{problem}{code}", yellow.apply_to("warning:")));
            }
        }
        if let Some(help) = &problem.help {
            self.help(help);
        }
    }
}
