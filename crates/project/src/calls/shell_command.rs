//! Commands of a shell that a tool could run instead.

use std::path::{Component, Path, PathBuf};

use crate::model::{Command, Registered, Role, ToolName, foremost, innermost};
use crate::policy::{ShellCommand, commands};
use crate::project::Project;
use crate::registry::Registry;

/// Programs that run the file that is their first argument.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "zsh", "ksh"];

/// Managers of packages. Each runs the scripts of a package.json, whichever of them the project has.
const MANAGERS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];
/// Their words before the name of a script, before a program of a package, and for the script `test`.
const RUN: [&str; 4] = ["run", "run-script", "rum", "urn"];
const EXECUTE: [&str; 3] = ["exec", "x", "dlx"];
const TEST: [&str; 2] = ["t", "tst"];

/// Options with a folder behind them that the command works in.
const FOLDERS: [&str; 5] = ["-C", "--prefix", "--cwd", "--dir", "--directory"];
/// Options with the file behind them that has the names.
const FILES: [&str; 4] = ["-f", "--file", "--makefile", "--justfile"];
/// Other options that a word follows.
const VALUES: [&str; 5] = ["-w", "--workspace", "-F", "--filter", "--loglevel"];

/// Parameters that take the words behind a command.
const WORDS: [&str; 2] = ["extra_args", "args"];

/// A command of a shell that a tool could run instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunsAsTool {
    /// The command, as it stands in the text.
    pub command: String,
    /// The tool.
    pub tool: ToolName,
    /// The words behind it that the call passes on.
    pub words: Vec<String>,
    /// The tool's parameter that takes them, where it has one.
    pub parameter: Option<&'static str>,
}

/// The commands of a shell's text that tools of the project could run instead, each once. `here` is the folder that the
/// shell is in.
pub fn runs_as_tools(project: &Project, registry: &Registry, text: &str, here: &Path) -> Vec<RunsAsTool> {
    let mut found: Vec<RunsAsTool> = Vec::new();
    let within = here.strip_prefix(project.root()).unwrap_or(Path::new(""));
    for command in commands(text) {
        let Some(typed) = TypedCommand::of(&command, within) else { continue };
        let matching: Vec<(&Registered, Vec<String>)> = registry
            .tools()
            .iter()
            .filter_map(|tool| Some((tool, words_behind(tool, &command, &typed, within)?)))
            .collect();
        // The text of one script may begin with that of another: the longer one leaves fewer words.
        let fewest = matching.iter().map(|(_, words)| words.len()).min();
        let closest = matching.iter().filter(|(_, words)| Some(words.len()) == fewest);
        let tools = foremost(closest.map(|(tool, _)| *tool).collect());
        let tool = innermost(&tools, Some(&typed.folder)).or_else(|| tools.first().copied());
        let chosen = tool.and_then(|tool| matching.into_iter().find(|(one, _)| one.name == tool.name));
        if let Some((tool, words)) = chosen {
            let fields = tool.tool.input.fields();
            let parameter = WORDS.into_iter().find(|name| fields.iter().any(|field| field.name == *name));
            let command = command.words.join(" ");
            let runs = RunsAsTool { command, tool: tool.name.clone(), words, parameter };
            if !found.contains(&runs) {
                found.push(runs);
            }
        }
    }
    found
}

/// A command, with what its options say taken out.
struct TypedCommand {
    /// The folder that it works in, from the project's root.
    folder: PathBuf,
    /// The file that `-f` names.
    file: Option<String>,
    /// The arguments that are left: names, and what follows them.
    names: Vec<String>,
}

impl TypedCommand {
    /// Reads the arguments; `None` where they lead out of the project.
    fn of(command: &ShellCommand, within: &Path) -> Option<Self> {
        let mut typed = Self { folder: within.to_owned(), file: None, names: Vec::new() };
        let mut words = command.arguments().iter();
        while let Some(word) = words.next() {
            // Behind the name all words are those of what is named.
            if typed.has_name() {
                typed.names.push(word.clone());
                continue;
            }
            let (option, joined) = match word.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (option, Some(value.to_owned())),
                _ => (word.as_str(), None),
            };
            let mut value = || joined.clone().or_else(|| words.next().cloned());
            if FOLDERS.contains(&option) {
                let folder = plain(&typed.folder.join(value()?));
                if folder.is_absolute() || folder.starts_with("..") {
                    return None;
                }
                typed.folder = folder;
            } else if FILES.contains(&option) {
                typed.file = value();
            } else if VALUES.contains(&option) {
                value();
            } else if !word.starts_with('-') && !is_number(word) {
                typed.names.push(word.clone());
            }
        }
        Some(typed)
    }

    fn has_name(&self) -> bool {
        self.names.last().is_some_and(|last| {
            let last = last.as_str();
            !RUN.contains(&last) && !EXECUTE.contains(&last)
        })
    }

    /// The names behind the words that only say that something is run.
    fn named(&self) -> &[String] {
        let first = self
            .names
            .iter()
            .position(|name| !RUN.contains(&name.as_str()) && !EXECUTE.contains(&name.as_str()));
        first.map_or(&[], |first| &self.names[first..])
    }
}

/// The words behind a command that a tool runs, which may be none; `None` where the tool runs something else. It runs the
/// same name by the same program, the file that the command is, or the command by the project's own text.
fn words_behind(
    found: &Registered,
    command: &ShellCommand,
    typed: &TypedCommand,
    within: &Path,
) -> Option<Vec<String>> {
    let Role::Run { command: runs, .. } = &found.tool.role else { return None };
    of_name(found, runs, command, typed)
        .or_else(|| of_file(found, command, within))
        .or_else(|| of_text(found, command, typed))
        .map(|words| words.strip_prefix(&["--".to_owned()]).unwrap_or(words).to_vec())
}

fn of_name<'w>(
    found: &Registered,
    runs: &Command,
    command: &ShellCommand,
    typed: &'w TypedCommand,
) -> Option<&'w [String]> {
    let program = runs.program.text.rsplit('/').next().unwrap_or_default();
    let is_manager = |name: &str| MANAGERS.contains(&name);
    let is_script = is_manager(program) && runs.arguments.iter().any(|word| word.text == RUN[0]);
    let is_same = program == command.program() || is_script && is_manager(command.program());
    let is_its_file = typed
        .file
        .as_ref()
        .is_none_or(|file| plain(&typed.folder.join(file)) == plain(Path::new(&found.tool.source.file)));
    let (first, rest) = typed.named().split_first()?;
    let name = if is_script && TEST.contains(&first.as_str()) { "test" } else { first };
    (is_same && is_its_file && name == found.tool.original).then_some(rest)
}

fn of_file<'w>(found: &Registered, command: &'w ShellCommand, within: &Path) -> Option<&'w [String]> {
    let file = plain(found.file()?);
    let is_it = |word: &String| plain(&within.join(word)) == file;
    let program = command.words.first().filter(|program| program.contains('/'));
    if program.is_some_and(is_it) {
        return Some(command.arguments());
    }
    // Given to a shell. Its own interpreter has its name for it.
    let at = command.arguments().iter().position(|word| !word.starts_with('-'))?;
    let is_given = SHELLS.contains(&command.program()) && is_it(&command.arguments()[at]);
    is_given.then(|| &command.arguments()[at + 1..])
}

/// The command of a script's own text, which a package's program runs: `npx vitest run`, `yarn vitest run`.
fn of_text<'w>(
    found: &Registered,
    command: &'w ShellCommand,
    typed: &'w TypedCommand,
) -> Option<&'w [String]> {
    let text = commands(found.tool.text.as_deref()?);
    let [only] = text.as_slice() else { return None };
    let (program, fixed) = (only.program(), only.arguments());
    let (given, words) = if MANAGERS.contains(&command.program()) {
        let (first, rest) = typed.named().split_first()?;
        (first.as_str(), rest)
    } else {
        (command.program(), command.arguments())
    };
    // A manager's own text would be looked for among its own commands.
    let is_same = program == given && !program.is_empty() && !MANAGERS.contains(&program);
    words.strip_prefix(fixed).filter(|_| is_same)
}

/// Whether it is the number of an option before it: `-j 4`.
fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// A path without steps that lead nowhere; steps out of where it begins stay.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}
