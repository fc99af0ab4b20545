//! `cuff serve --self-test`: a server of its own, tried by a client of its own.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::arguments::Serve;
use crate::mcp::{self, ServerLine};
use crate::model::{Caller, visible};
use crate::project::{Context, Project};
use crate::sys::line_process::Companion;
use crate::terminal::{Failed, Ui, exit};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Starts `cuff serve` as a client would, tries it, and says what was found.
pub(super) fn self_test(
    ui: &Ui,
    context: &Context,
    explicit: Option<&Path>,
    typed: &Serve,
) -> Result<u8, Failed> {
    let mut arguments: Vec<OsString> = Vec::new();
    if let Some(settings) = explicit {
        arguments.extend(["--config".into(), settings.into()]);
    }
    arguments.push("serve".into());
    arguments.extend(typed.exposure_options().map(OsString::from));
    let process = Companion::start(&context.supervisor, &context.environment, arguments)?;
    let mut lines = Vec::new();
    let mut server = Served(Some(process));
    let right = mcp::self_test(&mut server, &mut |(what, came)| {
        lines.push(match came {
            Ok(seen) => format!("ok      {what}: {}", in_a_line(&seen)),
            Err(why) => format!("FAILED  {what}: {}", in_a_line(&why)),
        });
    });
    let withheld = withheld(context, explicit);
    lines.extend(withheld.iter().map(|why| format!("FAILED  settings: {}", in_a_line(why))));
    ui.result(lines.join("\n"))?;
    Ok(if right && withheld.is_none() { exit::SUCCESS } else { exit::FAILURE })
}

/// The settings that agents do not have, and how they get them; `None` where they have all of them.
fn withheld(context: &Context, explicit: Option<&Path>) -> Option<String> {
    let project = Project::open(context.clone(), explicit, Caller::Agent).ok()?;
    project.settings.withheld_settings()?;
    let what = project.settings.agents_have().map(|have| have.to_string());
    Some(what.unwrap_or_else(|| {
        "agents do not have all of them; `cuff approve settings` shows the difference".to_owned()
    }))
}

/// An answer with its help behind it.
fn in_a_line(text: &str) -> String {
    visible(&text.lines().collect::<Vec<_>>().join("; ")).into_owned()
}

/// The server, until it is hung up on.
struct Served(Option<Companion>);

impl ServerLine for Served {
    fn say(&mut self, line: &str) -> bool {
        self.0.as_mut().is_some_and(|process| process.say(line).is_ok())
    }

    fn hear(&mut self) -> Option<String> {
        self.0.as_ref()?.hear(PATIENCE)
    }

    fn hang_up(&mut self) -> Result<(), String> {
        let mut process = self.0.take().ok_or("it has ended before")?;
        if let Some(late) = process.hang_up(PATIENCE).first() {
            return Err(format!("it said something that nobody asked for: {late}"));
        }
        match process.end() {
            Some(0) => Ok(()),
            Some(code) => Err(format!("exit code {code}")),
            None => Err("it does not end".into()),
        }
    }
}
