//! Commands of a shell that a tool could run instead.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use crate::model::{Registered, Role, ToolName, Wildcard, around, foremost};
use crate::policy::{ShellCommand, commands};
use crate::project::Project;
use crate::registry::Registry;

/// Programs that run the file that is their first argument.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "zsh", "ksh"];

/// Managers of packages. Each runs the scripts of a package.json, whichever of them the project has.
pub(super) const MANAGERS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];
/// Their words before the name of a script, before a program of a package, and for the script `test`.
const RUN: [&str; 4] = ["run", "run-script", "rum", "urn"];
const EXECUTE: [&str; 3] = ["exec", "x", "dlx"];
const TEST: [&str; 2] = ["t", "tst"];

/// Options with a folder behind them that the command works in.
const FOLDERS: [&str; 5] = ["-C", "--prefix", "--cwd", "--dir", "--directory"];
/// Options with the file behind them that has the names.
const FILES: [&str; 4] = ["-f", "--file", "--makefile", "--justfile"];
/// Options with the package behind them whose script it is, and the word for the same.
const PACKAGES: [&str; 4] = ["-w", "--workspace", "-F", "--filter"];
const OF_PACKAGE: &str = "workspace";
/// Options for the scripts of all packages.
const ALL_PACKAGES: [&str; 6] =
    ["-r", "--recursive", "-ws", "--workspaces", "-iwr", "--include-workspace-root"];
/// The manager for which these mean the root of the workspace, and a name without its scope is one.
const PNPM: &str = "pnpm";
const OF_ROOT: [&str; 2] = ["-w", "--workspace-root"];
/// The manager that takes such options behind the name as well.
const NPM: &str = "npm";
/// The command that changes the folder.
pub(super) const CD: &str = "cd";
/// Others that do, whose way back nobody follows.
const OTHER_CHANGES: [&str; 3] = ["pushd", "popd", "chdir"];
/// Another option that a word follows.
const VALUE: &str = "--loglevel";
/// A program with its word before the name of a task.
const DENO: (&str, &str) = ("deno", "task");
/// Programs that run several tasks by their names.
const SEVERAL: [&str; 4] = ["make", "gmake", "task", "rake"];
/// The programs that look for their file in one folder alone; others look above it too.
const OF_ONE_FOLDER: [&str; 2] = ["make", "gmake"];

/// Parameters that take the words behind a command.
const WORDS: [&str; 2] = ["extra_args", "args"];

/// A command of a shell that a tool could run instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunsAsTool {
    /// The command, as it stands in the text.
    pub command: String,
    /// The tool, as agents call it.
    pub tool: ToolName,
    /// The package that the call names, where packages share the tool.
    pub package: Option<String>,
    /// The words behind it that the call passes on.
    pub words: Vec<String>,
    /// The tool's parameter that takes them, where it has one.
    pub parameter: Option<&'static str>,
}

/// The tools of a registry by what a shell's command may name: a registry of thousands of tools is asked about thousands of commands.
#[derive(Debug)]
pub struct ToolsByCommand<'r> {
    registry: &'r Registry,
    tools: &'r [Registered],
    instances: HashMap<&'r str, Vec<usize>>,
    /// The folders of packages that have scripts of a manager.
    packages: HashSet<PathBuf>,
    names: HashMap<&'r str, Vec<usize>>,
    files: HashMap<PathBuf, Vec<usize>>,
    /// By the program of a text that is one command; with its arguments.
    texts: HashMap<String, Vec<(usize, Vec<String>)>>,
}

impl<'r> ToolsByCommand<'r> {
    /// All tools of a registry.
    pub fn of(registry: &'r Registry) -> Self {
        let tools = registry.tools();
        let mut by = Self {
            registry,
            tools,
            instances: HashMap::new(),
            packages: HashSet::new(),
            names: HashMap::new(),
            files: HashMap::new(),
            texts: HashMap::new(),
        };
        for (at, tool) in tools.iter().enumerate() {
            by.instances.entry(&tool.name.instance).or_default().push(at);
            let is_script = tool.program().is_some_and(|program| MANAGERS.contains(&program));
            if is_script && registry.is_package(&tool.name.instance) {
                by.packages.insert(plain(tool.folder()));
            }
            for name in std::iter::once(&tool.tool.original).chain(&tool.tool.aliases) {
                by.names.entry(name).or_default().push(at);
            }
            if let Some(file) = tool.file() {
                by.files.entry(plain(file)).or_default().push(at);
            }
            let text = tool.tool.text.as_deref().map(commands).unwrap_or_default();
            let [only] = text.as_slice() else { continue };
            // A manager's own text would be looked for among its own commands.
            if !only.program().is_empty() && !MANAGERS.contains(&only.program()) {
                let entry = by.texts.entry(only.program().to_owned()).or_default();
                entry.push((at, only.arguments().to_vec()));
            }
        }
        by
    }

    /// The tools of an instance that are called so, by their names in the source; `*` stands for any text.
    pub(super) fn in_instance(&self, instance: &str, name: &str) -> Vec<&'r Registered> {
        let all = |places: Option<&Vec<usize>>| {
            places.into_iter().flatten().map(|at| &self.tools[*at]).collect::<Vec<&Registered>>()
        };
        let Some(pattern) = Some(name).filter(|name| name.contains('*')).and_then(Wildcard::of) else {
            let mut named = all(self.names.get(name));
            named.retain(|found| found.name.instance == instance);
            return named;
        };
        let mut matching = all(self.instances.get(instance));
        matching.retain(|found| pattern.matches(&found.tool.original));
        matching
    }

    /// The tools that a command of a shell in a folder of the project starts by their names or by the file that one is.
    pub(super) fn started(&self, command: &ShellCommand, within: &Path) -> Vec<&'r Registered> {
        let Some(typed) = TypedCommand::of(command, within) else { return Vec::new() };
        let named = typed.named();
        let most = if SEVERAL.contains(&command.program()) { named.len() } else { 1 };
        let is_several = typed.is_of_several_packages();
        let mut started: Vec<&Registered> = Vec::new();
        for name in named.iter().take(most) {
            let tools: Vec<_> = self.named(command, &typed, name).iter().map(|at| &self.tools[*at]).collect();
            if is_several {
                started.extend(tools);
            } else {
                started.extend(typed.nearest(tools));
            }
        }
        if started.is_empty() {
            let files = files_of(command, within).into_iter().filter_map(|(file, _)| self.files.get(&file));
            let files = files.flatten().map(|at| &self.tools[*at]);
            started.extend(files.filter(|found| matches!(found.tool.role, Role::Run { .. })).take(1));
        }
        started
    }

    /// The commands of a shell's text that tools of the project could run instead, each once. `here` is the folder that the
    /// shell is in.
    pub fn run_by(&self, project: &Project, text: &str, here: &Path) -> Vec<RunsAsTool> {
        let mut found: Vec<RunsAsTool> = Vec::new();
        let within = here.strip_prefix(&project.settings.root).unwrap_or(Path::new(""));
        let mut folder = Some(within.to_owned());
        for command in commands(text) {
            if command.program() == CD {
                folder = folder.and_then(|folder| changed_to(&folder, &command));
                continue;
            }
            if OTHER_CHANGES.contains(&command.program()) {
                folder = None;
            }
            let Some(within) = &folder else { continue };
            let Some((tool, words)) = self.closest(&command, within) else { continue };
            let fields = tool.tool.input.fields();
            let parameter = WORDS.into_iter().find(|name| fields.iter().any(|field| field.name == *name));
            let (name, package) = self.registry.for_agent(tool);
            let package = package.map(str::to_owned);
            let runs = RunsAsTool { command: command.words.join(" "), tool: name, package, words, parameter };
            if !found.contains(&runs) {
                found.push(runs);
            }
        }
        found
    }

    /// The tool that runs a command of a shell that is in a folder of the project, and the words behind the command.
    pub(super) fn closest(
        &self,
        command: &ShellCommand,
        within: &Path,
    ) -> Option<(&'r Registered, Vec<String>)> {
        let typed = TypedCommand::of(command, within)?;
        if typed.is_of_several_packages() {
            // No one tool runs in several packages.
            return None;
        }
        let matching = self.matching(command, &typed, within);
        // The text of one script may begin with that of another: the longer one leaves fewer words.
        let fewest = matching.values().map(|words| words.len()).min();
        let closest = matching.iter().filter(|(_, words)| Some(words.len()) == fewest);
        let tool = typed.nearest(closest.map(|(at, _)| &self.tools[*at]).collect())?;
        let found = matching.into_iter().find(|(at, _)| self.tools[*at].name == tool.name);
        found.map(|(at, words)| (&self.tools[at], words.to_vec()))
    }

    /// The places of the tools that a command runs by this name.
    fn named(&self, command: &ShellCommand, typed: &TypedCommand, name: &str) -> Vec<usize> {
        let also = TEST.contains(&name).then_some("test");
        let named = [Some(name), also].into_iter().flatten().filter_map(|name| self.names.get(name));
        // A manager looks for its file up to the nearest package, and no farther.
        let is_manager = MANAGERS.contains(&command.program());
        let mut above = typed.folder.ancestors().filter(|_| is_manager && typed.packages.is_empty());
        let nearest = above.find(|folder| self.packages.contains(*folder));
        let is_meant = |at: &&usize| {
            let found = &self.tools[**at];
            let own = self.registry.package(&found.name.instance);
            // Only pnpm takes a name without its scope.
            let is_short = |name: &str| {
                let of_scope = |full: &String| full.starts_with('@') && full.split('/').nth(1) == Some(name);
                command.program() != PNPM && own.iter().any(of_scope)
            };
            let is_one = |package: &String| {
                let pattern = Wildcard::of(package);
                pattern.is_some_and(|pattern| own.iter().any(|name| pattern.matches(name) && !is_short(name)))
            };
            let is_of_package = match nearest {
                Some(folder) => plain(found.folder()) == *folder,
                None => typed.packages.is_empty() || typed.packages.iter().any(is_one),
            };
            is_of_package && is_named(found, command, typed, name)
        };
        named.flatten().filter(is_meant).copied().collect()
    }

    /// The tools that run a command, by their places, with the words behind it: the same name by the same program, the file that
    /// the command is, or the command by the project's own text. The first way counts.
    fn matching<'w>(
        &self,
        command: &'w ShellCommand,
        typed: &'w TypedCommand,
        within: &Path,
    ) -> BTreeMap<usize, &'w [String]> {
        let mut matching = BTreeMap::new();
        if let Some((first, rest)) = typed.named().split_first() {
            matching.extend(self.named(command, typed, first).into_iter().map(|at| (at, behind(rest))));
        }
        let runs_something = |at: &usize| matches!(self.tools[*at].tool.role, Role::Run { .. });
        for (file, words) in files_of(command, within) {
            for at in self.files.get(&file).into_iter().flatten().filter(|at| runs_something(at)) {
                matching.entry(*at).or_insert(behind(words));
            }
        }
        let (program, words) = if MANAGERS.contains(&command.program()) {
            typed.named().split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest))
        } else {
            (command.program(), command.arguments())
        };
        for (at, fixed) in self.texts.get(program).into_iter().flatten().filter(|(at, _)| runs_something(at))
        {
            if let Some(words) = words.strip_prefix(fixed.as_slice()) {
                matching.entry(*at).or_insert(behind(words));
            }
        }
        matching
    }
}

/// A command, with what its options say taken out.
struct TypedCommand {
    /// The folder that it works in, from the project's root.
    folder: PathBuf,
    /// Whether its file is in that very folder, and not above.
    is_exact: bool,
    /// The packages whose script it names, `*` for any text.
    packages: Vec<String>,
    /// The file that `-f` names.
    file: Option<String>,
    /// The arguments that are left: names, and what follows them.
    names: Vec<String>,
}

impl TypedCommand {
    /// Reads the arguments; `None` where they lead out of the project.
    fn of(command: &ShellCommand, within: &Path) -> Option<Self> {
        let mut typed = Self {
            folder: plain(within),
            is_exact: OF_ONE_FOLDER.contains(&command.program()),
            packages: Vec::new(),
            file: None,
            names: Vec::new(),
        };
        let mut words = command.arguments().iter();
        while let Some(word) = words.next() {
            let is_npm = command.program() == NPM && !typed.names.iter().any(|name| name == "--");
            // Behind the name all words are those of what is named, but for npm's own.
            if typed.has_name() && !(is_npm && word.starts_with('-') && word != "--") {
                typed.names.push(word.clone());
                continue;
            }
            let (option, joined) = match word.split_once('=') {
                Some((option, value)) if option.starts_with('-') => (option, Some(value.to_owned())),
                _ => (word.as_str(), None),
            };
            let mut value = || joined.clone().or_else(|| words.next().cloned());
            if command.program() == PNPM && OF_ROOT.contains(&option) {
                (typed.folder, typed.is_exact) = (PathBuf::new(), true);
            } else if FOLDERS.contains(&option) {
                let folder = plain(&typed.folder.join(value()?));
                if folder.is_absolute() || folder.starts_with("..") {
                    return None;
                }
                (typed.folder, typed.is_exact) = (folder, true);
            } else if FILES.contains(&option) {
                typed.file = value();
            } else if PACKAGES.contains(&option) {
                let plain =
                    |package: String| package.trim_start_matches("./").trim_end_matches('/').to_owned();
                typed.packages.extend(value().map(plain));
            } else if ALL_PACKAGES.contains(&option) && MANAGERS.contains(&command.program()) {
                typed.packages.push("*".to_owned());
            } else if option == VALUE {
                value();
            } else if (command.program(), word.as_str()) == DENO {
                // The name comes next.
            } else if word == OF_PACKAGE && MANAGERS.contains(&command.program()) {
                typed.packages.extend(value());
            } else if !word.starts_with('-') && (typed.has_name() || !is_number(word) && !is_variable(word)) {
                typed.names.push(word.clone());
            }
        }
        Some(typed)
    }

    /// Whether it runs in more packages than one, perhaps.
    fn is_of_several_packages(&self) -> bool {
        self.packages.len() > 1 || self.packages.iter().any(|package| package.contains('*'))
    }

    fn has_name(&self) -> bool {
        self.names.last().is_some_and(|last| {
            let last = last.as_str();
            !RUN.contains(&last) && !EXECUTE.contains(&last)
        })
    }

    /// Of the tools that it may run, the one that it does.
    fn nearest<'r>(&self, tools: Vec<&'r Registered>) -> Option<&'r Registered> {
        foremost(around(tools, Some(&self.folder))).first().copied()
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

/// Whether a tool runs a command by the command's own program and this name, from the file or folder that the command says.
fn is_named(found: &Registered, command: &ShellCommand, typed: &TypedCommand, name: &str) -> bool {
    let Role::Run { command: runs, .. } = &found.tool.role else { return false };
    let program = runs.program.text.rsplit('/').next().unwrap_or_default();
    let is_manager = |name: &str| MANAGERS.contains(&name);
    let is_script = is_manager(program) && runs.arguments.iter().any(|word| word.text == RUN[0]);
    let is_same = program == command.program() || is_script && is_manager(command.program());
    let folder = plain(found.folder());
    let is_its_file = match &typed.file {
        Some(file) => plain(&typed.folder.join(file)) == plain(Path::new(&found.tool.source.file)),
        None if !typed.packages.is_empty() => true,
        None if typed.is_exact => typed.folder == folder,
        None => typed.folder.starts_with(folder),
    };
    let name = if is_script && TEST.contains(&name) { "test" } else { name };
    let is_called = name == found.tool.original || found.tool.aliases.iter().any(|alias| alias == name);
    is_same && is_its_file && is_called
}

/// The folder that `cd` leads to from another one of the project; `None` where only a shell knows it, or outside.
pub(super) fn changed_to(folder: &Path, command: &ShellCommand) -> Option<PathBuf> {
    let [to] = command.arguments() else { return None };
    let changed = plain(&folder.join(to));
    let is_plain = !to.starts_with(['~', '-']) && !to.contains(['$', '`']);
    (is_plain && !changed.is_absolute() && !changed.starts_with("..")).then_some(changed)
}

/// The files that a command may run, from the project's root, and the words behind each: the program itself, and the file that a shell
/// is given. Its own interpreter has its name for it.
fn files_of<'w>(command: &'w ShellCommand, within: &Path) -> Vec<(PathBuf, &'w [String])> {
    let file = |word: &String| plain(&within.join(word));
    let arguments = command.arguments();
    let program = command.words.first().filter(|program| program.contains('/'));
    let given = arguments.iter().position(|word| !word.starts_with('-'));
    let given = given.filter(|_| SHELLS.contains(&command.program()));
    let program = program.map(|program| (file(program), arguments));
    program.into_iter().chain(given.map(|at| (file(&arguments[at]), &arguments[at + 1..]))).collect()
}

/// The words that a call passes on, without the mark that they begin.
fn behind(words: &[String]) -> &[String] {
    words.strip_prefix(&["--".to_owned()]).unwrap_or(words)
}

/// Whether it is the number of an option before it: `-j 4`.
fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether it is the value of a variable before the name: `make V=1 all`.
fn is_variable(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
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
