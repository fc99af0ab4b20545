//! A failed command: its message, and its exit code.

use std::io;

use super::diagnostic::Complaint;
use super::exit;
use super::ui::Ui;
use crate::model::ErrorCode;
use crate::wire::ToolResult;

/// A failed command.
#[derive(Debug)]
pub struct Failed {
    /// The exit code.
    pub code: u8,
    /// The error; empty if there is nothing to say.
    pub message: String,
    /// The number of the error.
    pub error_code: String,
    /// The next step for the user.
    pub help: Option<String>,
    /// The problems that are the reason. They say it in place of the message.
    pub complaints: Vec<Complaint>,
}

impl Failed {
    /// Wrong usage.
    pub fn usage(message: impl Into<String>) -> Self {
        let error_code = ErrorCode::BadArgument.code("CUFF");
        Self { code: exit::USAGE, message: message.into(), error_code, help: None, complaints: Vec::new() }
    }

    /// The same where policy does not allow it.
    #[must_use]
    pub fn refused(mut self) -> Self {
        self.code = exit::REFUSED;
        self.error_code = ErrorCode::Unconfirmed.code("CUFF");
        self
    }

    /// The same where the words were right and it cannot be done.
    #[must_use]
    pub fn unable(mut self) -> Self {
        self.code = exit::FAILURE;
        self.error_code = ErrorCode::NotFound.code("CUFF");
        self
    }

    /// The same with the next step.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same before a run, where exit codes below 124 belong to the tool.
    #[must_use]
    pub fn before_a_run(mut self) -> Self {
        if matches!(self.code, exit::FAILURE | exit::BAD_SETTINGS) {
            self.code = exit::CANNOT;
        }
        self
    }

    /// Says it, in JSON where a program reads the answer; returns the exit code.
    pub fn print(self, ui: &Ui, json: bool) -> u8 {
        let help = self.help.as_deref();
        if self.message.is_empty() {
            return self.code;
        }
        if json {
            let shape = ToolResult::of_failure(None, &self.error_code, &self.message, help);
            let mut shape = shape.to_json();
            if !self.complaints.is_empty() {
                shape["problems"] = self.complaints.iter().map(Complaint::to_json).collect();
            }
            if ui.result(format!("{shape:#}")).is_ok() {
                return self.code;
            }
        }
        for complaint in &self.complaints {
            ui.complaint(complaint);
        }
        match (self.complaints.as_slice(), help) {
            ([], _) => ui.error(&self.message, Some(&self.error_code), help),
            // The problems already say it.
            (_, Some(help)) => ui.help(help),
            (_, None) => {}
        }
        self.code
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // Silent: output is closed, or the user interrupted.
            io::ErrorKind::BrokenPipe => Self { code: exit::BROKEN_PIPE, ..Self::usage("") },
            io::ErrorKind::Interrupted => Self { code: exit::INTERRUPTED, ..Self::usage("") },
            _ => {
                let error_code = ErrorCode::NotStarted.code("CUFF");
                let failed = Self { code: exit::FAILURE, error_code, ..Self::usage(error.to_string()) };
                failed.help("`cuff doctor` looks for what is in the way")
            }
        }
    }
}
