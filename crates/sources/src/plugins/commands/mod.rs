//! Commands that settings.yml declares itself: a program and its words, for which the project needs no other file.

mod config;
pub(in crate::plugins) mod own_file;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::tasks::{SourceLook, SourceSpec, SourceTask};
use crate::model::{
    Binding, Change, Content, File, Identity, Origin, PlainCommand, PluginInfo, Problem, Seen, StatePart,
    Want, Word, shown,
};

use own_file::{named_files, own_file};

/// The commands of one instance.
pub(super) const DECLARED: SourceSpec = SourceSpec {
    id: "commands",
    read,
    usual_advice: "",
    card: Some(PluginInfo {
        summary: "Commands that settings.yml declares itself",
        noun: "command",
        source: "the settings",
        unknown: "Command not found",
        example: "version: \"1\"\nplugins:\n  commands: {config: {commands: {hello: echo hello}}}",
        config: config::FIELDS,
        narrows: config::NARROWS,
        ..PluginInfo::new("commands", "COMMANDS")
    }),
    binding: Some(|look, tool| {
        let commands = PlainCommand::all(look.config, &config::COMMANDS);
        let Some(command) = commands.iter().find(|command| command.name == tool.original) else {
            return Binding::default();
        };
        let mut binding = Binding::same(own_file(command));
        // A command may write the files that its words name: `prettier --write a.js`.
        let is_there = |path: &String| !matches!(look.files.files.get(path), None | Some(Seen::Missing));
        binding.add(StatePart::Written, named_files(command).into_iter().filter(is_there));
        binding
    }),
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    look.name_source("settings.yml");
    let commands = PlainCommand::all(look.config, &config::COMMANDS);
    if commands.is_empty() {
        let help = "write some under `commands` in the settings: `test: cargo test`";
        look.problem(Problem::warning("No commands found").help(help));
    }
    for file in commands.iter().flat_map(named_files) {
        look.want(Want::File(file));
    }
    commands.iter().map(|command| task(look, command)).collect()
}

fn task(look: &SourceLook<'_>, declared: &PlainCommand) -> SourceTask {
    let own = own_file(declared);
    let file = own.as_deref().and_then(|path| look.files.file(path));
    let set = declared.environment.iter();
    let task = SourceTask::own(&*declared.name, declared.words.iter().map(Word::settings).collect())
        .named(&*declared.name)
        .described(declared.description.as_deref())
        .confirming(declared.confirms)
        .pinned()
        .running(|command| {
            command
                .directory(&declared.folder)
                .environment(set.map(|(name, value)| Change::new(name, value, Origin::Settings)))
                .if_missing(own.as_deref().map(|path| advice(declared, path, file)))
        });
    let line = task.line();
    let content = look.config.pins_texts().then(|| {
        let named = named_files(declared);
        let named = named.iter().filter_map(|path| Some((&**path, &*look.files.file(path)?.bytes)));
        Content::of(std::iter::once((&*declared.name, line.as_bytes())).chain(named))
    });
    let task = task.with(|tool| tool.parameters(config::PARAMETERS).content(content));
    // Questions and `cuff why` show the text of the script.
    match file.filter(|file| !file.is_withheld()) {
        Some(File { canonical, device, inode, .. }) => {
            let script = Identity { path: canonical.clone(), device: *device, inode: *inode };
            task.running(|command| command.script(script))
        }
        None => task,
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
