//! The list of tasks that a project's own tool prints. Asking it runs code of the project, so settings must say so.

use std::borrow::Cow;
use std::time::Duration;

use super::config::ASK_TOOL;
use super::look::SourceLook;
use super::task::SourceTask;
use crate::model::{Command, ErrorCode, Location, Probe, Probed, Problem, Want, Word, one_line, shown};

/// The time that a tool has for its list. An answer within it is kept until a file changes that was read with it.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The tasks that were read from text, and those that the tool has beside them. `parse` makes tasks of what it prints.
pub(in crate::plugins) fn complete(
    look: &mut SourceLook<'_>,
    mut tasks: Vec<SourceTask>,
    command: Vec<Word>,
    parse: impl FnOnce(&str) -> Vec<SourceTask>,
) -> Vec<SourceTask> {
    for task in answer(look, command).map(|out| parse(&out)).unwrap_or_default() {
        match tasks.iter_mut().find(|other| other.is(&task.tool.original)) {
            None => tasks.push(task),
            // The tool knows of a description that the text does not have.
            Some(other) if other.is_hidden() => {
                let place = other.tool.source.clone();
                *other = task;
                other.tool.source = place;
            }
            Some(_) => {}
        }
    }
    tasks
}

/// The tool's answer, where settings have it asked and it gave one. Else the text of the files is all there is.
fn answer(look: &mut SourceLook<'_>, command: Vec<Word>) -> Option<String> {
    if !look.config.flag(&ASK_TOOL) {
        return None;
    }
    let mut words = command.into_iter();
    let program = words.next()?;
    if look.lacks(&program.text) {
        // That it is missing is said for its tasks already.
        return None;
    }
    let command = Command::new(program.clone())
        .arguments(words)
        .directory(look.folder())
        .environment(look.config.environment())
        .environment_policy(look.config.environment_policy())
        .timeout(TIMEOUT);
    let line = command.line();
    let probe = Probe { command };
    look.want(Want::Probe(probe.clone()));
    let (fault, why) = match look.files.probes.get(&probe)? {
        Probed::Nothing { fault: ErrorCode::NotReady, .. } => return None,
        Probed::Ended { code: 0, out, .. } => return Some(String::from_utf8_lossy(out).into_owned()),
        Probed::Ended { code, err, .. } => {
            // rake puts its reason below such a line.
            let mut below = err.lines().skip_while(|line| *line != "rake aborted!").skip(1);
            let said = below.find_map(one_line).or_else(|| err.lines().find_map(one_line));
            (ErrorCode::SourceInvalid, said.map_or_else(|| format!("exit code {code}"), Cow::into_owned))
        }
        Probed::Nothing { fault, why } => (*fault, why.clone()),
    };
    let why = one_line(&why).unwrap_or_else(|| "it did not answer".into());
    let what =
        format!("{} did not list its tasks, so its files were read as text: {why}", shown(&program.text));
    let problem = Problem::warning(what).numbered(fault).at(Location::file(look.source_file()));
    look.problem(problem.help(format!("try `{line}`, or take `ask_tool` out of the settings")));
    None
}
