//! Commands that settings.yml declares itself: a program and its words, for which the project needs no other file.

mod config;
mod own_file;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::model::{
    About, After, BadCall, Binding, Change, Command, Content, Discovery, File, Files, Governance, Heading,
    Identity, Location, Origin, PlainCommand, Problem, Reach, Seen, Suggestion, Tool, Values, Want, Word,
    one_line, shown,
};
use crate::plugin::Plugin;
use crate::plugins::scripts::arguments::check_characters;

use own_file::{named_files, own_file};

/// The name of the file that declares the commands, as people call it.
const SETTINGS: &str = "settings.yml";

/// The commands of one instance.
#[derive(Debug)]
pub(super) struct Commands;

impl Plugin for Commands {
    fn about(&self) -> About {
        About {
            summary: "Commands that settings.yml declares itself",
            noun: "command",
            source: "the settings",
            unknown: "Command not found",
            example: "version: \"1\"\nplugins:\n  commands: {config: {commands: {hello: echo hello}}}",
            config: config::FIELDS,
            narrows: config::NARROWS,
            ..About::new("commands", "COMMANDS")
        }
    }

    fn scout(&self, _: &Files) -> Vec<Want> {
        Vec::new()
    }

    fn suggest(&self, _: &Files) -> Option<Suggestion> {
        None
    }

    fn wants(&self, config: &Values, _: &Files) -> Vec<Want> {
        let commands = PlainCommand::all(config, &config::COMMANDS);
        commands.iter().flat_map(named_files).map(Want::File).collect()
    }

    fn binding(&self, config: &Values, files: &Files, tool: &Tool) -> Binding {
        let commands = PlainCommand::all(config, &config::COMMANDS);
        let Some(command) = commands.iter().find(|command| command.name == tool.original) else {
            return Binding::default();
        };
        let mut binding = Binding::same(own_file(command));
        // A command may write the files that its words name: `prettier --write a.js`.
        let is_there = |path: &String| !matches!(files.files.get(path), None | Some(Seen::Missing));
        binding.add(After::Written, named_files(command).into_iter().filter(is_there));
        binding
    }

    fn discover(&self, config: &Values, files: &Files) -> Discovery {
        let commands = PlainCommand::all(config, &config::COMMANDS);
        let mut problems = Vec::new();
        if commands.is_empty() {
            let help = "write some under `commands` in the settings: `test: cargo test`";
            problems.push(Problem::warning("No commands found").help(help));
        }
        let tools = commands.iter().map(|command| tool(command, config, files)).collect();
        Discovery { tools, problems, heading: Heading::of(SETTINGS), ..Discovery::default() }
    }

    fn plan(
        &self,
        config: &Values,
        _: &Tool,
        mut command: Command,
        arguments: &Values,
        governance: Governance,
    ) -> Result<Command, BadCall> {
        let words = arguments.texts(&config::ARGS);
        if governance.is_governed() {
            check_characters(config.text(&config::ARGUMENTS), &words)?;
        }
        command.arguments.extend(words.into_iter().map(Word::call));
        Ok(command)
    }

    fn reach(&self, _: &Tool) -> Reach {
        Reach::Appended
    }
}

fn tool(declared: &PlainCommand, config: &Values, files: &Files) -> Tool {
    let own = own_file(declared);
    let file = own.as_deref().and_then(|path| files.file(path));
    let command = command(declared, config, own.as_deref(), file);
    let line = command.line();
    let description = declared.description.as_deref().and_then(one_line);
    let otherwise = || one_line(&line).map_or_else(|| "Run it".to_owned(), Cow::into_owned);
    let content = config.pins_texts().then(|| {
        let named = named_files(declared);
        let named = named.iter().filter_map(|path| Some((&**path, &*files.file(path)?.bytes)));
        Content::of(std::iter::once((&*declared.name, line.as_bytes())).chain(named))
    });
    Tool::running(&*declared.name, &*declared.name, Location::file(SETTINGS), command)
        .declared()
        .confirming(declared.confirms)
        .described_or(description, otherwise)
        .parameters(config::PARAMETERS)
        .text(line)
        .content(content)
}

fn command(declared: &PlainCommand, config: &Values, own: Option<&str>, file: Option<&File>) -> Command {
    let mut words = declared.words.iter().map(Word::settings);
    let set = declared.environment.iter();
    let command = config
        .command(words.next().unwrap_or_else(|| Word::settings("")))
        .arguments(words)
        .directory(&declared.folder)
        .environment(set.map(|(name, value)| Change::new(name, value, Origin::Settings)))
        .if_missing(own.map(|path| advice(declared, path, file)));
    match file {
        Some(file) => {
            command.script(Identity { path: file.canonical.clone(), device: file.device, inode: file.inode })
        }
        None => command,
    }
}

/// The way to a program of the project's own that does not start.
fn advice(declared: &PlainCommand, path: &str, file: Option<&File>) -> Cow<'static, str> {
    let program = declared.words.first().map_or("", String::as_str);
    if !program.contains('/') {
        return format!("install {}, or put it on the PATH", shown(program)).into();
    }
    let path = shown(path);
    match file {
        Some(file) if !file.executable => format!("make it executable: chmod +x {path}").into(),
        _ => format!("create {path}, or correct `run` of `{}` in settings.yml", declared.name).into(),
    }
}
