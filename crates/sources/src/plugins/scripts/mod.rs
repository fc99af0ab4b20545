//! Scripts of the project, chosen by path patterns.

mod absence;
pub(in crate::plugins) mod arguments;
mod config;
mod description;
mod heading;
mod interpreter;
mod library;
mod names;
mod search;
mod shebang;
mod suggest;

use std::borrow::Cow;
use std::path::Path;

use crate::model::{
    Absence, BadCall, Binding, Command, Content, Discovery, EXPOSE_LIST_SCRIPTS, ErrorCode, File, Files,
    Governance, Identity, Location, Matches, PluginInfo, Problem, Reach, Seen, Suggestion, Tool, ToolFact,
    Values, Want, Word, bounded, is_hidden, path, shown,
};
use crate::plugin::Plugin;

use self::interpreter::{ConfiguredInterpreters, ScriptInterpreter, Unknown};
use self::names::{split_extension, tool_name, withholding};

/// Shell, Python and other scripts, each a tool.
#[derive(Debug)]
pub(super) struct Scripts;

impl Plugin for Scripts {
    fn about(&self) -> PluginInfo {
        PluginInfo {
            summary: "Scripts of the project, chosen by path patterns",
            noun: "script",
            source: "script files",
            looked_for: "scripts (scripts/*.sh, scripts/*.py, script/*.sh, script/*.py, bin/*.sh, tools/*.sh, *.sh, and what has a shebang and may be \
                executed in these folders)",
            unknown: "Script not found",
            config: config::FIELDS,
            narrows: config::NARROWS,
            options: config::OPTIONS,
            ..PluginInfo::new("scripts", "SCRIPT")
        }
    }

    fn scout(&self, _seen: &Files) -> Vec<Want> {
        suggest::wants()
    }

    fn suggest(&self, files: &Files) -> Option<Suggestion> {
        suggest::suggest(files)
    }

    fn remark(&self, files: &Files) -> Option<String> {
        suggest::remark(files)
    }

    fn wants(&self, config: &Values, _seen: &Files) -> Vec<Want> {
        vec![Want::Glob(config::glob(config))]
    }

    fn binding(&self, config: &Values, _: &Files, tool: &Tool) -> Binding {
        Binding::same([path::join(config::base(config), &tool.original)])
    }

    fn discover(&self, config: &Values, files: &Files) -> Discovery {
        let Some(matches) = files.globs.get(&config::glob(config)) else { return Discovery::default() };
        let problems = search::problems(config, matches);
        let mut found = Discovery { problems, ..Discovery::default() };
        let (interpreters, problems) = ConfiguredInterpreters::new(config);
        found.problems.extend(problems);
        let source = ScriptsSource { config, matches, interpreters };
        let named = config.texts(&config::PATTERNS);
        let libraries = library::libraries(matches.found.iter());
        for (path, seen) in &matches.found {
            if !libraries.contains(path.as_str()) || named.contains(&path.as_str()) {
                source.add(path, seen, &mut found);
            }
        }
        if found.tools.is_empty() && found.problems.is_empty() {
            let patterns = config.texts(&config::PATTERNS).join("`, `");
            let help = if patterns.is_empty() {
                "`patterns` is empty; write where scripts are, such as `scripts/*.sh`".to_owned()
            } else {
                format!("nothing matches `{patterns}`; change `patterns` in the settings")
            };
            let none = Problem::warning("No scripts found").help(help);
            found.problems.push(Problem { fault: Some(ErrorCode::SourceNotFound), ..none });
        }
        if !found.tools.is_empty() {
            bounded(search::idle(config, matches).collect(), &mut found.problems);
        }
        if !found.tools.is_empty() && config.flag(&EXPOSE_LIST_SCRIPTS) {
            found.tools.insert(0, list_tool(config));
        }
        found.heading = heading::heading(config, &found.tools);
        found
    }

    fn absence(&self, config: &Values, name: &str, seen: &Files) -> Absence {
        absence::absence(config, name, seen)
    }

    fn plan(
        &self,
        config: &Values,
        _tool: &Tool,
        mut command: Command,
        arguments: &Values,
        governance: Governance,
    ) -> Result<Command, BadCall> {
        let words = arguments.texts(&config::ARGS);
        if governance.is_governed() {
            arguments::check(config.text(&config::ARGUMENTS), &command, &words)?;
        }
        command.arguments.extend(words.into_iter().map(Word::call));
        Ok(command)
    }

    fn reach(&self, _: &Tool) -> Reach {
        Reach::Script
    }
}

/// Whether a path is this one from a folder, letter by letter.
fn is_at(whole: &Path, folder: &Path, path: &str) -> bool {
    let [whole, folder] = [whole, folder].map(|path| path.as_os_str().as_encoded_bytes());
    let below = whole.strip_prefix(folder).and_then(|rest| rest.strip_prefix(b"/"));
    below == Some(path.as_bytes())
}

/// Lists the others.
fn list_tool(config: &Values) -> Tool {
    Tool::listing("script_list_scripts", "list_scripts", Location::file(config::base(config)), "scripts")
        .described("List all available scripts")
        .parameters(config::LIST_PARAMETERS)
}

/// The fields of a script in the list tool. One that runs directly has no interpreter.
const SHOWN: &[(&str, ToolFact)] = &[
    ("path", ToolFact::Original),
    ("description", ToolFact::Description),
    ("interpreter", ToolFact::Fact("interpreter")),
];

/// The data to judge scripts by.
struct ScriptsSource<'a> {
    config: &'a Values,
    matches: &'a Matches,
    interpreters: ConfiguredInterpreters<'a>,
}

impl ScriptsSource<'_> {
    /// Adds a script's tool, or the problem that keeps it from being one.
    fn add(&self, path: &str, seen: &Seen, found: &mut Discovery) {
        let file = match self.validate(path, seen) {
            Ok(file) => file,
            Err(problem) => return found.problems.push(withholding(*problem, path)),
        };
        let (_, extension) = split_extension(path);
        match self.interpreters.interpreter(extension, file) {
            Ok(interpreter) => {
                if let Some((message, help)) = interpreter.oddity {
                    found
                        .problems
                        .push(Problem::warning(message).at(self.location(path, Some(1))).help(help));
                }
                found.tools.extend(self.tool(path, file, &interpreter));
            }
            Err(Unknown::Misconfigured) => {}
            Err(Unknown::NotExecutable) => found.problems.push(withholding(
                Problem::error(ErrorCode::ProgramNotFound, format!("No interpreter is known for {path}"))
                    .help(
                        "begin it with a line like `#!/bin/sh`, make it executable with `chmod +x`, or name \
                           one for its extension under `interpreters` in the settings",
                    ),
                path,
            )),
        }
    }

    /// Whether the script may be offered. It must be readable, with a visible name. With links followed, it
    /// must be below the base directory under a path that the patterns allow.
    fn validate<'f>(&self, path: &str, seen: &'f Seen) -> Result<&'f File, Box<Problem>> {
        let file = match seen {
            Seen::File(file) => file,
            Seen::Missing => {
                return Err(Problem::error(
                    ErrorCode::SourceNotFound,
                    format!("Script not found: {}", shown(path)),
                )
                .help("correct `patterns` in the settings, or add the script")
                .into());
            }
            Seen::Unreadable(reason) => {
                return Err(Problem::error(
                    ErrorCode::SourceInvalid,
                    format!("Cannot read {}: {reason}", shown(path)),
                )
                .help("make it readable, or leave it out with `exclude` in the settings")
                .into());
            }
        };
        if path.contains(is_hidden) {
            let message = format!("The name of {} holds characters that cannot be seen", shown(path));
            return Err(Problem::error(ErrorCode::SourceInvalid, message).help("rename it").into());
        }
        let base = self.matches.base.as_deref().unwrap_or(Path::new("/"));
        if is_at(&file.canonical, base, path) {
            return self.executable(path, file);
        }
        let Ok(resolved) = file.canonical.strip_prefix(base) else {
            let message = format!("Script resolves outside base directory: {path}");
            return Err(Problem::error(ErrorCode::Changed, message)
                .help(format!(
                    "it is a link to {}; link to files below it only",
                    shown(&file.canonical.to_string_lossy())
                ))
                .into());
        };
        // The target of a link must be allowed by its own path; then the search has found it there as well.
        if resolved != Path::new(path)
            && !resolved.to_str().is_some_and(|own| self.matches.found.contains_key(own))
        {
            let message = format!("Script not in allowed patterns: {path}");
            return Err(Problem::error(ErrorCode::NotFound, message)
                .help(format!(
                    "it is a link to {}, which `patterns` and `exclude` in the settings must allow as well",
                    shown(&resolved.to_string_lossy())
                ))
                .into());
        }
        self.executable(path, file)
    }

    /// The file, where it may be executed or need not.
    fn executable<'f>(&self, path: &str, file: &'f File) -> Result<&'f File, Box<Problem>> {
        if self.config.flag(&config::REQUIRE_EXECUTABLE) && !file.executable {
            return Err(Problem::error(ErrorCode::NotStarted, format!("Permission denied: {path}"))
                .help(format!(
                    "make it executable with `chmod +x`, or set `{}: false`",
                    config::REQUIRE_EXECUTABLE.name
                ))
                .into());
        }
        Ok(file)
    }

    /// The script's tool; `None` when its path is no text, which validation has seen to.
    fn tool(&self, path: &str, file: &File, interpreter: &ScriptInterpreter) -> Option<Tool> {
        let (_, extension) = split_extension(path);
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let own = if interpreter::is_binary(file) { None } else { description::of(&file.bytes, name) };
        let command = self.command(file, interpreter, extension)?;
        let tool = Tool::running(tool_name(path), path, self.location(path, None), command)
            .described_or(own.map(Cow::from), || format!("Run {path}"))
            .parameters(config::SCRIPT_PARAMETERS)
            .content(self.content(path, file))
            .fact("script", path.to_owned())
            .fact("interpreter", interpreter.line());
        Some(tool.shown_as(SHOWN))
    }

    /// The script's text where the settings have it pinned; `None` also when it is too long for that.
    fn content(&self, path: &str, file: &File) -> Option<Content> {
        let whole = file.size == file.bytes.len() as u64;
        (whole && self.config.pins_texts()).then(|| Content::of([(path, &*file.bytes)]))
    }

    /// The interpreter and its words, then the script by its canonical path.
    fn command(&self, file: &File, interpreter: &ScriptInterpreter, extension: &str) -> Option<Command> {
        let mut words = interpreter.words.iter().cloned().chain([Word::fixed(file.canonical.to_str()?)]);
        let command = self
            .config
            .command(words.next()?)
            .arguments(words)
            .directory(config::working_directory(self.config))
            .script(Identity { path: file.canonical.clone(), device: file.device, inode: file.inode })
            .if_missing(interpreter.advice(extension));
        Some(command)
    }

    /// The script as the user would name it from the project's root.
    fn location(&self, path: &str, line: Option<usize>) -> Location {
        let base = config::base(self.config).trim_start_matches("./").trim_end_matches('/');
        let file = if matches!(base, "" | ".") { path.to_owned() } else { format!("{base}/{path}") };
        Location { line, ..Location::file(file) }
    }
}

#[cfg(test)]
mod tests;
