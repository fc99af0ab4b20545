//! The words that a tool takes from a call behind its own text, by what that text is.

#[cfg(test)]
mod corpus;
mod interpreter;
mod last;
mod manager;
mod place;
mod runners;
mod taken;
#[cfg(test)]
mod tests;

use self::manager::ManagerCommand;
use self::place::PackagePlace;
use self::taken::TakenWords;
use super::PolicyContext;
use super::refusal::Refusal;
use crate::model::{Command, Reach, Registered, path, shown};

/// Programs that only set variables and start the one behind them.
const SET_VARIABLES: [&str; 2] = ["cross-env", "env"];
/// Programs that only start the one behind them, with the words of their own before it.
const START: [&[&str]; 5] =
    [&["bundle", "exec"], &["poetry", "run"], &["uv", "run"], &["pipenv", "run"], &["pdm", "run"]];

/// Refuses the words of a call that a tool does not take.
pub(super) fn judge(
    words: &[&str],
    command: &Command,
    tool: &Registered,
    ground: &dyn PolicyContext,
) -> Result<(), Refusal> {
    let Some(first) = words.first() else { return Ok(()) };
    let (word, why) = match of(command, tool, ground) {
        TakenWords::Any => return Ok(()),
        TakenWords::OfNode => match words.iter().find(|word| word.starts_with("--env-file")) {
            Some(word) => (*word, "node would read variables from that file".to_owned()),
            None => return Ok(()),
        },
        TakenWords::Contained(_) if command.runner.is_none() && ground.is_contained(tool) => return Ok(()),
        TakenWords::Contained(program) => {
            (*first, format!("cuff does not know what {program} does with it, and this run is not contained"))
        }
        TakenWords::Listed(runner) => match runner.refuses(words) {
            Some((word, why)) => (word, why),
            None => return Ok(()),
        },
        TakenWords::None(why) => (*first, why),
    };
    Err(Refusal::new(format!("\"{}\" is not passed on: {why}", shown(word)), help(tool, words)))
}

/// The line of settings by which a person allows these words.
fn help(tool: &Registered, words: &[&str]) -> String {
    let kind = if words.iter().any(|word| super::words::is_flag(word)) { "flags" } else { "values" };
    format!(
        "leave it out; a person can allow it with `tools: {{{:?}: {{words: {kind}}}}}` under `config` of `{}` in settings.yml",
        tool.tool.original, tool.name.instance
    )
}

fn of(command: &Command, tool: &Registered, ground: &dyn PolicyContext) -> TakenWords {
    let place = PackagePlace::of(tool, command, ground);
    match ground.reach(tool) {
        Reach::Declared => TakenWords::Any,
        Reach::Script if place.is_of_project(&tool.tool.source.file) => TakenWords::Any,
        Reach::Script => TakenWords::Contained(tool.tool.source.file.clone()),
        Reach::Appended => match last::command(tool.tool.text.as_deref().unwrap_or_default()) {
            Ok(words) => of_command(&words, &place),
            Err(why) => TakenWords::None(why.to_owned()),
        },
    }
}

/// The words that a command takes behind its own.
fn of_command(words: &[String], place: &PackagePlace<'_>) -> TakenWords {
    let words = behind_starters(words);
    let Some(called) = words.first() else {
        return TakenWords::None("it would choose the program that runs".to_owned());
    };
    if called.contains(['$', '`']) || called.starts_with('-') {
        return TakenWords::None("a variable or an option of another program chooses what runs".to_owned());
    }
    let own = &words[1..];
    let is_installed = called.contains("node_modules/.bin/");
    let program = if is_installed { path::split(called).1 } else { called };
    match manager::of(program, own, place) {
        Some(ManagerCommand::Nothing(takes)) => return takes,
        Some(ManagerCommand::Command(words, place)) => return of_command(&words, &place),
        None => {}
    }
    if place.ground.runs_tools(program) {
        return TakenWords::None(format!("{program} runs other tools of this project"));
    }
    let known = TakenWords::of_runner(program, own).or_else(|| interpreter::of(program, own, place));
    if let Some(takes) = known {
        return takes;
    }
    if program.contains('/') && place.is_script(program) {
        return TakenWords::Any;
    }
    TakenWords::Contained(program.to_owned())
}

/// The words without those of programs that only start the one behind them.
fn behind_starters(words: &[String]) -> &[String] {
    let mut words = words;
    loop {
        let starts = |starter: &&[&str]| {
            words.len() > starter.len() && starter.iter().zip(words).all(|(one, other)| one == other)
        };
        words = match words.first() {
            Some(first) if super::words::assignment(first).is_some() => &words[1..],
            Some(first) if SET_VARIABLES.contains(&first.as_str()) => &words[1..],
            _ => match START.iter().find(|starter| starts(starter)) {
                Some(starter) => &words[starter.len()..],
                None => return words,
            },
        };
    }
}
