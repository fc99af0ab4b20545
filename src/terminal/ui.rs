//! All messages of the terminal face: results on standard output, everything else on standard error. The
//! output of tools does not go through it.

use std::cell::Cell;
use std::fmt::Display;
use std::io::{self, IsTerminal, Stderr, Stdout, Write};
use std::time::Duration;

use console::{Style, Term, measure_text_width};
use indicatif::ProgressBar;
use miette::GraphicalTheme;
use serde_json::Value;

use super::diagnostic::Complaint;
use super::wrap::{all_wrapped, hanging};
use crate::model::{Problem, Severity, visible_json, visible_lines};

/// A person's preferences for messages.
#[derive(Debug, Clone, Copy, Default)]
pub struct MessageManner {
    /// Nothing but results and errors.
    pub quiet: bool,
    /// More detail about actions.
    pub verbose: bool,
    /// No colours.
    pub no_color: bool,
}

/// How to print.
#[derive(Debug)]
pub struct Ui {
    out: Stdout,
    err: Stderr,
    manner: MessageManner,
    within_line: Cell<bool>,
}

impl Ui {
    /// For errors before the options are known.
    pub fn plain() -> Self {
        Self {
            out: io::stdout(),
            err: io::stderr(),
            manner: MessageManner::default(),
            within_line: Cell::new(false),
        }
    }

    /// Sets up colours: off with `--no-color`, `NO_COLOR`, or where no terminal is.
    pub fn new(manner: MessageManner) -> Self {
        if manner.no_color {
            console::set_colors_enabled(false);
            console::set_colors_enabled_stderr(false);
        }
        Self { manner, ..Self::plain() }
    }

    /// Whether nothing but results and errors is wanted.
    pub fn quiet(&self) -> bool {
        self.manner.quiet
    }

    /// Whether more detail about actions is wanted.
    pub fn verbose(&self) -> bool {
        self.manner.verbose
    }

    /// Whether colours are turned off.
    pub fn is_plain(&self) -> bool {
        self.manner.no_color
    }

    /// Whether a person looks at standard output.
    pub fn watched(&self) -> bool {
        self.out.is_terminal()
    }

    /// Whether colours are welcome on standard output.
    pub fn colours(&self) -> bool {
        self.watched() && console::colors_enabled()
    }

    /// Whether a person sees both streams, so that notes follow the output.
    pub fn watched_whole(&self) -> bool {
        self.watched() && self.err.is_terminal()
    }

    /// A sign of life on standard error until it is cleared; nothing where no person looks.
    pub fn waiting(&self) -> ProgressBar {
        if self.manner.quiet || !self.err.is_terminal() {
            return ProgressBar::hidden();
        }
        let spinner = ProgressBar::new_spinner();
        spinner.enable_steady_tick(Duration::from_millis(100));
        spinner
    }

    /// Notes that a tool did not finish its last line. The next message begins a line of its own if a person
    /// sees both.
    pub fn end_line(&self) {
        self.within_line.set(self.out.is_terminal() && self.err.is_terminal());
    }

    /// Notes that the person's input may be on the line. The next message begins a line of its own.
    pub fn begin_line(&self) {
        self.within_line.set(self.err.is_terminal());
    }

    /// A terminal has shown `^C`: the shell's prompt begins a line of its own.
    pub fn interrupted(&self) {
        if self.err.is_terminal() {
            self.tell("");
        }
    }

    /// Whether there is a person to ask.
    pub fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && self.err.is_terminal()
    }

    /// Whether standard input is a terminal.
    pub fn hears_a_person() -> bool {
        io::stdin().is_terminal()
    }

    /// Whether a person can choose from a list on standard error: the terminal can move the cursor.
    pub fn can_choose(&self) -> bool {
        self.can_ask() && !console::is_dumb()
    }

    /// The width of the terminal on standard error.
    pub fn error_width() -> usize {
        usize::from(Term::stderr().size().1)
    }

    /// The height of the terminal on standard error.
    pub fn error_height() -> usize {
        usize::from(Term::stderr().size().0)
    }

    /// The width of the terminal on standard output, where there is one.
    pub fn width(&self) -> Option<usize> {
        self.watched().then(|| usize::from(Term::stdout().size().1))
    }

    /// Whether a text has more lines than the window of a person who looks at standard output.
    pub fn exceeds_window(&self, text: &str) -> bool {
        let (rows, columns) = Term::stdout().size();
        let lines = |line: &str| measure_text_width(line).div_ceil(usize::from(columns).max(1)).max(1);
        // The shell's prompt takes a line, too.
        self.watched()
            && !console::is_dumb()
            && text.lines().map(lines).sum::<usize>() + 1 > usize::from(rows)
    }

    /// A part of the result. Like all output here it may quote foreign text, so hidden characters and
    /// terminal controls are escaped. Only this file adds colours.
    pub fn result(&self, text: impl Display) -> io::Result<()> {
        self.print(&visible_lines(&text.to_string()))
    }

    /// A result with a label or nothing at the beginning of each line, and its text from this column on.
    pub fn labels(&self, lines: &[String], below: usize) -> io::Result<()> {
        let width = self.width().unwrap_or(usize::MAX);
        let lines: Vec<String> =
            lines.iter().map(|line| hanging(&visible_lines(line), width, below)).collect();
        self.print(&lines.join("\n"))
    }

    /// A part of the result that was coloured already. Foreign text in it was escaped word by word.
    pub fn styled(&self, text: impl Display) -> io::Result<()> {
        let mut out = self.out.lock();
        writeln!(out, "{text}")?;
        out.flush()
    }

    /// The result as JSON.
    pub fn json(&self, value: &Value) -> io::Result<()> {
        self.print(&visible_json(&format!("{value:#}")))
    }

    fn print(&self, text: &str) -> io::Result<()> {
        let mut out = self.out.lock();
        writeln!(out, "{text}")?;
        out.flush()
    }

    /// Something about the result; silent with `--quiet`.
    pub fn note(&self, text: impl Display) {
        if !self.manner.quiet {
            self.say(text);
        }
    }

    /// Something about the result that was coloured already, as [`styled`](Self::styled).
    pub fn styled_note(&self, text: impl Display) {
        if !self.manner.quiet {
            self.tell(&text.to_string());
        }
    }

    /// The command line that does the same, so that it can be typed the next time.
    pub fn command(&self, line: impl Display) {
        let bold = Style::new().for_stderr().bold();
        self.styled_note(format!("$ {}", bold.apply_to(visible_lines(&line.to_string()))));
    }

    /// Something that matters even with `--quiet`.
    pub fn say(&self, text: impl Display) {
        self.tell(&self.fitting(&visible_lines(&text.to_string())));
    }

    /// The same, where it is to stand back behind what a tool printed.
    pub fn dim(&self, text: impl Display) {
        let dim = Style::new().for_stderr().dim();
        let text = self.fitting(&visible_lines(&text.to_string()));
        self.tell(&text.lines().map(|line| dim.apply_to(line).to_string()).collect::<Vec<_>>().join("\n"));
    }

    /// The same for text to copy: no line of it is broken.
    pub fn to_copy(&self, text: impl Display) {
        self.tell(&visible_lines(&text.to_string()));
    }

    /// A text for standard error, broken between words where a person sees it.
    fn fitting(&self, text: &str) -> String {
        if self.err.is_terminal() { all_wrapped(text, Self::error_width()) } else { text.to_owned() }
    }

    fn tell(&self, text: &str) {
        let break_before = if self.within_line.take() { "\n" } else { "" };
        // In one piece, since others may write to the terminal meanwhile. If standard error is closed, it is lost.
        let _ = self.err.lock().write_all(format!("{break_before}{text}\n").as_bytes());
    }

    fn labelled(&self, label: &str, style: &Style, text: &str) {
        self.tell(&self.fitting(&format!("{} {}", style.apply_to(label), visible_lines(text))));
    }

    /// An error and the next step.
    pub fn error(&self, message: impl Display, code: Option<&str>, help: Option<&str>) {
        let red = Style::new().for_stderr().red().bold();
        let code = code.map_or_else(String::new, |code| format!(" [{code}]"));
        self.labelled("error:", &red, &format!("{message}{code}"));
        if let Some(help) = help {
            self.help(help);
        }
    }

    /// The next step for the user.
    pub fn help(&self, help: &str) {
        let cyan = Style::new().for_stderr().cyan();
        self.labelled("help:", &cyan, help);
    }

    /// A problem of a file, with the lines that it is about.
    pub fn complaint(&self, complaint: &Complaint) {
        let Complaint { code, problem, .. } = complaint;
        if self.manner.quiet && problem.severity == Severity::Warning {
            return;
        }
        self.problem(None, code.as_deref(), &Problem { help: None, ..problem.clone() });
        self.frame(complaint);
        if let Some(help) = &problem.help {
            self.help(help);
        }
    }

    /// The lines that a problem is about.
    fn frame(&self, complaint: &Complaint) {
        let width = usize::from(Term::stderr().size_checked().map_or(100, |(_, columns)| columns));
        let plain = complaint.frame(GraphicalTheme::none(), width);
        if plain.is_empty() {
            return;
        }
        if visible_lines(&plain) != plain {
            // The file's own escapes would be indistinguishable from a theme's.
            return self.to_copy(plain);
        }
        // Lines are drawn for terminals that can do more than print.
        let draws = self.err.is_terminal() && !console::is_dumb();
        let theme = match (console::colors_enabled_stderr(), draws) {
            (true, _) => GraphicalTheme::unicode(),
            (false, true) => GraphicalTheme::unicode_nocolor(),
            (false, false) => GraphicalTheme::none(),
        };
        self.tell(&complaint.frame(theme, width));
    }

    /// A problem with the project's own files.
    pub fn problem(&self, instance: Option<&str>, code: Option<&str>, problem: &Problem) {
        let from = instance.map_or_else(String::new, |instance| format!("{instance}: "));
        let code = code.map_or_else(String::new, |code| format!(" [{code}]"));
        match problem.severity {
            Severity::Error => {
                let red = Style::new().for_stderr().red().bold();
                self.labelled("error:", &red, &format!("{from}{problem}{code}"));
            }
            Severity::Warning | Severity::Info if self.manner.quiet => return,
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
