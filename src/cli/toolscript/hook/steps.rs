//! The steps of a hook, for people who look for a mistake.

use std::io::{self, Write as _};

use crate::cli::serve::DEBUG;
use crate::gateway::SessionFiles;
use crate::model::visible;
use crate::project::Context;
use crate::sys::{Clock, local_time};

/// The steps of a hook: on standard error, and in the session's log once that is known.
pub(super) struct Steps {
    hook: &'static str,
    clock: Clock,
    is_debug: bool,
    files: Option<SessionFiles>,
}

impl Steps {
    pub(super) fn new(hook: &'static str, context: &Context) -> Self {
        let is_debug = context.environment.get(DEBUG).is_some();
        Self { hook, clock: context.clock.clone(), is_debug, files: None }
    }

    /// From now on they are in the log of this session as well.
    pub(super) fn of(&mut self, files: &SessionFiles) {
        self.files = Some(files.clone());
    }

    /// A step that is said where somebody asked for it.
    pub(super) fn step(&self, what: &str) {
        if self.is_debug {
            self.log(what);
            say(&format!("toolscript {}: {what}", self.hook));
        }
    }

    /// A result, for the log alone.
    pub(super) fn log(&self, what: &str) {
        if let Some(files) = &self.files {
            let time = local_time(self.clock.milliseconds());
            files.log(&format!("{time} hook {}: {}", self.hook, visible(what).replace('\n', " ")));
        }
    }

    /// A result.
    pub(super) fn done(&self, what: &str) {
        self.log(what);
        say(&format!("toolscript {}: {what}", self.hook));
    }

    /// A failure, and its consequence.
    pub(super) fn failed(&self, what: &str, help: &str) {
        self.log(&format!("error: {what}"));
        say(&format!("error: toolscript {}: {what}\nhelp: {help}", self.hook));
    }
}

fn say(text: &str) {
    let lines: Vec<_> = text.lines().map(visible).collect();
    // Where standard error is closed there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
}
