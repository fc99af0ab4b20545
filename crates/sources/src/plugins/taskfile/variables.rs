//! The variables and words of a call that reach a task: in its text, in the tasks that it calls, and in the variables of files.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::commands::{commands, required};
use super::includes::Included;
use crate::plugins::tasks::TaskManifest;

/// The variables that task itself sets, and those that belong to the machine.
const SET: &[&str] = &[
    "ALIAS",
    "CHECKSUM",
    "CLI_ASSUME_YES",
    "CLI_FORCE",
    "CLI_OFFLINE",
    "CLI_SILENT",
    "CLI_VERBOSE",
    "EXIT_CODE",
    "HOME",
    "ITEM",
    "KEY",
    "MATCH",
    "PATH",
    "PWD",
    "ROOT_DIR",
    "ROOT_TASKFILE",
    "SHELL",
    "TASK",
    "TASKFILE",
    "TASKFILE_DIR",
    "TASK_DIR",
    "TASK_EXE",
    "TASK_VERSION",
    "TIMESTAMP",
    "USER",
    "USER_WORKING_DIR",
];

/// The tasks of all files, by their whole names.
pub(super) struct TaskfileTasks<'a> {
    root: Option<&'a TaskManifest>,
    /// The variables that reach the environment of all tasks.
    environment: HashSet<String>,
    tasks: HashMap<String, (&'a TaskManifest, &'a Included, &'a Value)>,
}

/// The words that other programs stand behind, beside assignments and options.
const LAUNCHERS: &[&str] = &[
    "!", "bash", "command", "do", "else", "env", "eval", "exec", "if", "nice", "nohup", "npx", "sh", "sudo",
    "then", "time", "while", "xargs",
];

/// Everything of a call that reaches a task.
#[derive(Debug, Default)]
pub(super) struct ReachingCall {
    /// The variables that are set nowhere, or by default, and that choose no program.
    pub(super) variables: Vec<String>,
    /// Whether the words behind `--` do.
    pub(super) takes_words: bool,
    /// Whether another variable does, that people alone may set.
    pub(super) replaces: bool,
    /// The variables that choose a program.
    programs: HashSet<String>,
    names: HashSet<(String, bool)>,
    tasks: HashSet<String>,
}

impl<'a> TaskfileTasks<'a> {
    pub(super) fn of(files: &'a [(TaskManifest, Included)]) -> Self {
        let mut tasks = HashMap::new();
        for (file, included) in files {
            let space = included.space();
            for (name, own) in file.entries(&["tasks"]) {
                tasks.entry(format!("{space}{name}")).or_insert((file, included, own));
            }
        }
        let environment = files.iter().flat_map(|(file, _)| ["env", "dotenv"].map(|key| file.get(&[key])));
        let environment = environment.flatten().flat_map(used).collect();
        Self { root: files.first().map(|(file, _)| file), environment, tasks }
    }

    /// Everything of a call that reaches this task.
    pub(super) fn reaching(&self, name: &str) -> ReachingCall {
        let mut reached = ReachingCall::default();
        self.follow(name, &Value::Null, &mut reached);
        let ReachingCall { variables, programs, replaces, .. } = &mut reached;
        let count = variables.len();
        variables.retain(|name| !programs.contains(name) && !self.environment.contains(name));
        *replaces |= variables.len() < count;
        reached
    }

    /// Follows a task, whose caller gives it these variables.
    fn follow(&self, name: &str, given: &Value, reached: &mut ReachingCall) {
        let default = format!("{name}:default");
        let Some((file, included, own)) = self.tasks.get(name).or_else(|| self.tasks.get(&default)) else {
            return;
        };
        if !reached.tasks.insert(name.to_owned()) {
            return;
        }
        let required = required(own).into_iter().map(|own| (own.name, false));
        let chosen = chosen(own).into_iter().map(|name| (name, true));
        for (name, chooses) in required.chain(chosen).chain(used(own).into_iter().map(|name| (name, false))) {
            let set = own.get("vars").and_then(|vars| vars.get(&name));
            let is_set = set.is_some_and(|value| !used(value).contains(&name));
            if !is_set && given.get(&name).is_none() {
                self.add((&name, chooses), file, included, reached);
            }
        }
        let space = included.space();
        for key in ["deps", "cmds", "cmd"] {
            let list = own.get(key).and_then(Value::as_array).into_iter().flatten();
            for call in list.chain(own.get(key)) {
                let called = if key == "deps" { call.as_str() } else { None };
                let Some(called) = called.or_else(|| call.get("task")?.as_str()) else { continue };
                let called =
                    called.strip_prefix(':').map_or_else(|| format!("{space}{called}"), str::to_owned);
                self.follow(&called, call.get("vars").unwrap_or(&Value::Null), reached);
            }
        }
    }

    /// Adds a variable, which chooses a program or not, and those that its value is made of.
    fn add(
        &self,
        (name, chooses): (&str, bool),
        file: &TaskManifest,
        included: &Included,
        reached: &mut ReachingCall,
    ) {
        reached.takes_words |= matches!(name, "CLI_ARGS" | "CLI_ARGS_LIST");
        if SET.contains(&name)
            || name.starts_with("CLI_ARGS")
            || !reached.names.insert((name.to_owned(), chooses))
        {
            return;
        }
        if chooses {
            reached.programs.insert(name.to_owned());
        }
        let of_root = self.root.and_then(|root| root.get(&["vars", name]));
        let value = file.get(&["vars", name]).or_else(|| included.vars.get(name)).or(of_root);
        let parts = value.map(used).unwrap_or_default();
        let is_open = value.is_none() || parts.iter().any(|part| part == name);
        if is_open && !reached.variables.iter().any(|other| other == name) {
            reached.variables.push(name.to_owned());
        }
        reached.replaces |= value.is_some() && value == of_root && included.above.is_empty();
        for part in value.and_then(|value| value.get("sh")?.as_str()).map(programs).unwrap_or_default() {
            self.add((&part, true), file, included, reached);
        }
        for part in parts {
            self.add((&part, chooses), file, included, reached);
        }
    }
}

/// The variables that a value uses: `BAR` of `{{.BAR | default "x"}}`, of `ref: .BAR` and of `for: {var: BAR}`.
fn used(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => text
            .split("{{")
            .skip(1)
            .flat_map(|inside| names(inside.split("}}").next().unwrap_or_default()))
            .collect(),
        Value::Array(list) => list.iter().flat_map(used).collect(),
        Value::Object(entries) => {
            let of = |(key, own): (&String, &Value)| match (key.as_str(), own.as_str()) {
                ("ref", Some(text)) => names(text),
                ("for", None) => {
                    own.get("var").and_then(Value::as_str).map(str::to_owned).into_iter().collect()
                }
                _ => used(own),
            };
            entries.iter().flat_map(of).collect()
        }
        _ => Vec::new(),
    }
}

/// The variables of a task that choose a program or a task, or that change where and whether it runs.
fn chosen(own: &Value) -> Vec<String> {
    const KEYS: [&str; 6] = ["dir", "dotenv", "env", "if", "preconditions", "status"];
    let of_keys = KEYS.into_iter().filter_map(|key| own.get(key)).flat_map(used);
    let vars = own.get("vars").and_then(Value::as_object).into_iter().flatten();
    let shells = vars.filter_map(|(_, value)| value.get("sh")?.as_str());
    let lines = commands(own).into_iter().filter_map(|one| {
        one.as_str().or_else(|| ["cmd", "defer"].into_iter().find_map(|key| one.get(key)?.as_str()))
    });
    let deps = own.get("deps").and_then(Value::as_array).into_iter().flatten();
    let calls = commands(own).into_iter().filter_map(|one| one.get("task"));
    let called = calls.chain(deps.map(|dep| dep.get("task").unwrap_or(dep))).flat_map(used);
    of_keys.chain(shells.chain(lines).flat_map(programs)).chain(called).collect()
}

/// The variables of a line that stand where it names a program.
fn programs(line: &str) -> Vec<String> {
    const TEMPLATE: char = '\u{1}';
    let (mut found, mut before, mut rest) = (Vec::new(), String::new(), line);
    while let Some((text, (inside, behind))) =
        rest.split_once("{{").and_then(|(text, rest)| Some((text, rest.split_once("}}")?)))
    {
        before.push_str(text);
        let command = before.rsplit([';', '|', '&', '(', '`', '\n', '"', '\'']).next().unwrap_or_default();
        let whole = command.rsplit_once(char::is_whitespace).map_or("", |(whole, _)| whole);
        let is_front =
            |word: &str| LAUNCHERS.contains(&word) || word.starts_with('-') || word.contains(['=', TEMPLATE]);
        if whole.split_whitespace().all(is_front) {
            found.extend(names(inside));
        }
        before.push(TEMPLATE);
        rest = behind;
    }
    found
}

/// The variables of an expression: each begins with a dot that nothing stands before.
fn names(expression: &str) -> Vec<String> {
    let is_own =
        |at: usize| !expression[..at].ends_with(|c: char| c.is_alphanumeric() || "_.)]\"'`".contains(c));
    let dots = expression.match_indices('.').filter(|(at, _)| is_own(*at));
    let name = |(at, _): (usize, &str)| {
        let rest = &expression[at + 1..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        rest[..end].to_owned()
    };
    let is_name = |name: &String| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    dots.map(name).filter(is_name).collect()
}
