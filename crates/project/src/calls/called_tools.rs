//! The tools that a tool starts by its own definition and text.

use std::path::Path;

use crate::calls::shell_command::{CD, MANAGERS, ToolsByCommand, changed_to};
use crate::model::{Registered, path};
use crate::policy::{ShellCommand, commands};

/// Programs that run scripts of the same package.json by their names.
const ROW_RUNNERS: [&str; 4] = ["run-s", "run-p", "npm-run-all", "npm-run-all2"];
/// The program that runs commands side by side, and scripts by words such as `npm:lint:*`.
const SIDE_BY_SIDE: &str = "concurrently";

/// The tools that a tool starts, each once: those that its source names, and those that commands of its text run by their
/// names or files, in the order of the text. A command that does the same as another tool is no start of it.
pub fn called_tools<'r>(by_command: &ToolsByCommand<'r>, starter: &Registered) -> Vec<&'r Registered> {
    let mut called: Vec<&Registered> = Vec::new();
    let mut add = |found: &'r Registered| {
        if found.name != starter.name && !called.iter().any(|known| known.name == found.name) {
            called.push(found);
        }
    };
    let instance = &starter.name.instance;
    let starts = starter.tool.starts.iter();
    starts.flat_map(|name| by_command.in_instance(instance, name)).for_each(&mut add);
    let own_folder = Path::new(path::split(&starter.tool.source.file).0);
    let (mut folder, mut line) = (Some(own_folder.to_owned()), 0);
    let text = starter.tool.text.as_deref().unwrap_or_default();
    for command in commands(text) {
        // A recipe has a shell for each line.
        if command.line != line {
            (folder, line) = (Some(own_folder.to_owned()), command.line);
        }
        if command.program() == CD {
            folder = folder.and_then(|folder| changed_to(&folder, &command));
            continue;
        }
        let Some(folder) = &folder else { continue };
        let scripts = scripts(&command, text);
        scripts.into_iter().flat_map(|name| by_command.in_instance(instance, name)).for_each(&mut add);
        by_command.started(&command, folder).into_iter().for_each(&mut add);
    }
    called
}

/// The names of scripts of the same package.json that a command of this text runs without the word `run`.
fn scripts<'c>(command: &'c ShellCommand, text: &str) -> Vec<&'c str> {
    let words = command.arguments().iter().filter_map(|word| word.split_whitespace().next());
    let of_manager = |word: &'_ str| {
        let (manager, _) = word.split_once(':')?;
        MANAGERS.contains(&manager).then_some(manager.len() + 1)
    };
    match (command.program(), command.arguments()) {
        ("node", [run, name, ..]) if run == "--run" => vec![name],
        (SIDE_BY_SIDE, _) => words.filter_map(|word| Some(&word[of_manager(word)?..])).collect(),
        (program, _) if ROW_RUNNERS.contains(&program) => {
            words.filter(|word| !word.starts_with('-')).collect()
        }
        // The manager is left out of a command whose name could be that of a program as well: `yarn lint`.
        (program, _) if MANAGERS.iter().any(|manager| text.contains(&format!("{manager} {program}"))) => {
            vec![program]
        }
        _ => Vec::new(),
    }
}
