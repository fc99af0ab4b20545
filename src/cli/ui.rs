//! All that the terminal face itself says: results on standard output, everything about them on standard error. What tools
//! printed passes it by, byte for byte.

use std::cell::Cell;
use std::error::Error;
use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Stderr, Stdout, Write};
use std::time::Duration;

use console::{Style, Term};
use indicatif::ProgressBar;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use serde_json::Value;

use super::arguments::Globals;
use crate::engine::Colours;
use crate::model::{Problem, Severity, visible_json, visible_lines};
use crate::settings::SettingsProblem;
use crate::terminal::{all_wrapped, hanging};

/// How to print.
#[derive(Debug)]
pub(super) struct Ui {
    out: Stdout,
    err: Stderr,
    quiet: bool,
    verbose: bool,
    plain: bool,
    within_line: Cell<bool>,
}

impl Ui {
    /// For what goes wrong before the options are known.
    pub(super) fn plain() -> Self {
        Self {
            out: io::stdout(),
            err: io::stderr(),
            quiet: false,
            verbose: false,
            plain: false,
            within_line: Cell::new(false),
        }
    }

    /// Sets up colours: off with `--no-color`, `NO_COLOR`, or where no terminal is.
    pub(super) fn new(globals: &Globals) -> Self {
        if globals.no_color {
            console::set_colors_enabled(false);
            console::set_colors_enabled_stderr(false);
        }
        let Globals { quiet, verbose, no_color: plain, .. } = *globals;
        Self { quiet, verbose, plain, ..Self::plain() }
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

    /// Whether colours are welcome on standard output.
    pub(super) fn colours(&self) -> bool {
        self.watched() && console::colors_enabled()
    }

    /// What is said to a tool of colours, where what it prints is shown or is part of a JSON document.
    pub(super) fn wish(&self, json: bool) -> Colours {
        match (self.plain, self.colours() && !json) {
            (true, _) => Colours::Unwanted,
            (false, true) => Colours::Welcome,
            (false, false) => Colours::AsTheToolLikes,
        }
    }

    /// Whether a person looks at both, so that what is noted follows what was printed.
    pub(super) fn watched_whole(&self) -> bool {
        self.watched() && self.err.is_terminal()
    }

    /// A sign of life on standard error until it is cleared; nothing where no person looks.
    pub(super) fn waiting(&self) -> ProgressBar {
        if self.quiet || !self.err.is_terminal() {
            return ProgressBar::hidden();
        }
        let spinner = ProgressBar::new_spinner();
        spinner.enable_steady_tick(Duration::from_millis(100));
        spinner
    }

    /// A tool did not finish its last line: what is said next begins a line of its own where a person sees both.
    pub(super) fn end_line(&self) {
        self.within_line.set(self.out.is_terminal() && self.err.is_terminal());
    }

    /// What the person typed may stand on the line: what is said next begins one of its own.
    pub(super) fn begin_line(&self) {
        self.within_line.set(self.err.is_terminal());
    }

    /// A terminal has shown `^C`: the shell's prompt begins a line of its own.
    pub(super) fn interrupted(&self) {
        if self.err.is_terminal() {
            self.tell("");
        }
    }

    /// Whether there is a person to ask.
    pub(super) fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && self.err.is_terminal()
    }

    /// Whether standard input is a terminal.
    pub(super) fn hears_a_person() -> bool {
        io::stdin().is_terminal()
    }

    /// Whether a person can choose from a list on standard error: the cursor goes where it is told.
    pub(super) fn can_choose(&self) -> bool {
        self.can_ask() && !console::is_dumb()
    }

    /// The width of the terminal on standard error.
    pub(super) fn error_width() -> usize {
        usize::from(Term::stderr().size().1)
    }

    /// The height of the terminal on standard error.
    pub(super) fn error_height() -> usize {
        usize::from(Term::stderr().size().0)
    }

    /// The width of the terminal on standard output, where there is one.
    pub(super) fn width(&self) -> Option<usize> {
        self.watched().then(|| usize::from(Term::stdout().size().1))
    }

    /// A part of the result. Like all that is printed here it may quote strangers, so what hides or drives a
    /// terminal is escaped; colours are put on by this file alone.
    pub(super) fn result(&self, text: impl Display) -> io::Result<()> {
        self.print(&visible_lines(&text.to_string()))
    }

    /// A result that has a label or nothing at the beginning of each line, and what it says so many columns in.
    pub(super) fn labels(&self, lines: &[String], below: usize) -> io::Result<()> {
        let width = self.width().unwrap_or(usize::MAX);
        let lines: Vec<String> =
            lines.iter().map(|line| hanging(&visible_lines(line), width, below)).collect();
        self.print(&lines.join("\n"))
    }

    /// A part of the result that was coloured already. What strangers say in it was escaped word by word.
    pub(super) fn styled(&self, text: impl Display) -> io::Result<()> {
        self.print(&text.to_string())
    }

    /// The result as JSON.
    pub(super) fn json(&self, value: &Value) -> io::Result<()> {
        self.print(&visible_json(&format!("{value:#}")))
    }

    fn print(&self, text: &str) -> io::Result<()> {
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

    /// Something about the result that was coloured already, as [`styled`](Self::styled).
    pub(super) fn styled_note(&self, text: impl Display) {
        if !self.quiet {
            self.tell(&text.to_string());
        }
    }

    /// The line that stands for what is done now, so that it can be typed the next time.
    pub(super) fn command(&self, line: impl Display) {
        let bold = Style::new().for_stderr().bold();
        self.styled_note(format!("$ {}", bold.apply_to(visible_lines(&line.to_string()))));
    }

    /// Something that matters even with `--quiet`.
    pub(super) fn say(&self, text: impl Display) {
        self.tell(&self.fitting(&visible_lines(&text.to_string())));
    }

    /// The same of what is copied: no line of it is broken.
    pub(super) fn to_copy(&self, text: impl Display) {
        self.tell(&visible_lines(&text.to_string()));
    }

    /// A text for standard error, broken between words where a person sees it.
    fn fitting(&self, text: &str) -> String {
        if self.err.is_terminal() { all_wrapped(text, Self::error_width()) } else { text.to_owned() }
    }

    fn tell(&self, text: &str) {
        let break_before = if self.within_line.take() { "\n" } else { "" };
        // Where standard error is closed there is nobody left to tell.
        let _ = writeln!(self.err.lock(), "{break_before}{text}");
    }

    fn labelled(&self, label: &str, style: &Style, text: &str) {
        self.tell(&self.fitting(&format!("{} {}", style.apply_to(label), visible_lines(text))));
    }

    /// An error and what to do next.
    pub(super) fn error(&self, message: impl Display, code: Option<&str>, help: Option<&str>) {
        let red = Style::new().for_stderr().red().bold();
        let code = code.map_or_else(String::new, |code| format!(" [{code}]"));
        self.labelled("error:", &red, &format!("{message}{code}"));
        if let Some(help) = help {
            self.help(help);
        }
    }

    /// What to do next.
    pub(super) fn help(&self, help: &str) {
        let cyan = Style::new().for_stderr().cyan();
        self.labelled("help:", &cyan, help);
    }

    /// Something wrong with the settings, with the lines that it is about.
    pub(super) fn complaint(&self, complaint: &SettingsProblem) {
        if self.quiet && complaint.severity == Severity::Warning {
            return;
        }
        self.problem(None, complaint.code.as_deref(), &Problem { help: None, ..complaint.into() });
        self.frame(complaint);
        if let Some(help) = &complaint.help {
            self.help(help);
        }
    }

    /// The lines that a complaint is about.
    fn frame(&self, complaint: &SettingsProblem) {
        let plain = render(complaint, GraphicalTheme::none());
        if plain.is_empty() {
            return;
        }
        if visible_lines(&plain) != plain {
            // The file's own escapes cannot be told from a theme's once they are in one text.
            return self.to_copy(plain);
        }
        // Lines are drawn for terminals that can do more than print.
        let draws = self.err.is_terminal() && !console::is_dumb();
        let theme = match (console::colors_enabled_stderr(), draws) {
            (true, _) => GraphicalTheme::unicode(),
            (false, true) => GraphicalTheme::unicode_nocolor(),
            (false, false) => GraphicalTheme::none(),
        };
        self.tell(&render(complaint, theme));
    }

    /// A problem with the project's own files.
    pub(super) fn problem(&self, instance: Option<&str>, code: Option<&str>, problem: &Problem) {
        let from = instance.map_or_else(String::new, |instance| format!("{instance}: "));
        let code = code.map_or_else(String::new, |code| format!(" [{code}]"));
        match problem.severity {
            Severity::Error => {
                let red = Style::new().for_stderr().red().bold();
                self.labelled("error:", &red, &format!("{from}{problem}{code}"));
            }
            Severity::Warning | Severity::Info if self.quiet => return,
            Severity::Warning | Severity::Info => {
                let yellow = Style::new().for_stderr().yellow().bold();
                self.labelled("warning:", &yellow, &format!("{from}{problem}{code}"));
            }
        }
        if let Some(help) = &problem.help {
            self.help(help);
        }
    }
}

/// A complaint without its words, which stand above it.
#[derive(Debug)]
struct Frame<'a>(&'a SettingsProblem);

impl Display for Frame<'_> {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl Error for Frame<'_> {}

impl Diagnostic for Frame<'_> {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.0.labels()
    }
}

fn render(complaint: &SettingsProblem, theme: GraphicalTheme) -> String {
    let mut text = String::new();
    let width = usize::from(Term::stderr().size_checked().map_or(100, |(_, columns)| columns));
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width);
    if complaint.labels().is_none() || handler.render_report(&mut text, &Frame(complaint)).is_err() {
        return String::new();
    }
    // Its first line is the mark of a message that is not there.
    text.trim().lines().skip(1).collect::<Vec<_>>().join("\n")
}
