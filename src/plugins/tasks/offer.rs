//! The tools of a source: what it reads, what settings select, and what each becomes.

use std::borrow::Cow;

use super::config::{EXCLUDE_TASKS, PARAMETERS, TASKS};
use super::look::Look;
use super::spec::SourceSpec;
use super::task::{Listing, Task};
use crate::model::{
    Command, Content, Discovery, Fault, Files, Heading, Location, Patterns, Problem, Seen, Tool, Values,
    Want, Word, bounded, one_line, shown,
};

/// A source that was read.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub(super) look: Look<'a>,
    pub(super) tasks: Vec<Task>,
    /// Whether one of the source's files is there.
    pub(super) applies: bool,
}

/// Reads a source as far as its files were seen.
pub(super) fn look<'a>(spec: &SourceSpec, config: &'a Values, files: &'a Files) -> Found<'a> {
    let mut look = Look::new(config, files);
    let there: Vec<&str> = spec.files.iter().copied().filter(|name| look.has_file(name)).collect();
    let first = there.first().map(|name| look.place(name));
    let Some(source) = first.filter(|_| look.is_complete()) else {
        return Found { look, tasks: Vec::new(), applies: false };
    };
    look.source = source;
    let mut tasks: Vec<Task> = Vec::new();
    for task in (spec.read)(&mut look) {
        match tasks.iter().find(|other| other.name == task.name) {
            None => tasks.push(task),
            // The project's own wins over a usual one; of two of its own the first is kept, and that is said.
            Some(first) if first.is_of_project && task.is_of_project => {
                let what = format!("{} is there twice; the first counts", shown(&task.name));
                let file = task.place.as_ref().map_or(&look.source, |(file, _)| file).clone();
                look.problem(Problem::warning(what).at(Location::file(file)).help("rename one of them"));
            }
            Some(first) if !first.is_of_project && task.is_of_project => {
                tasks.retain(|other| other.name != task.name);
                tasks.push(task);
            }
            Some(_) => {}
        }
    }
    if inherits_path(config) {
        for program in programs(&tasks) {
            look.has_program(&program);
        }
    }
    Found { look, tasks, applies: true }
}

/// Whether the inherited search path decides which programs run.
fn inherits_path(config: &Values) -> bool {
    config.environment().iter().all(|change| change.name != "PATH")
}

/// The programs that are looked for on the search path.
fn programs(tasks: &[Task]) -> Vec<String> {
    let mut programs: Vec<String> = Vec::new();
    for program in tasks.iter().filter_map(|task| task.words.first()) {
        if !program.text.contains('/') && !programs.contains(&program.text) {
            programs.push(program.text.clone());
        }
    }
    programs
}

/// The tools, and the problems that keep others from being there.
pub(super) fn offer(spec: &SourceSpec, config: &Values, files: &Files) -> Discovery {
    offer_found(spec, &look(spec, config, files), config, files)
}

/// The same of a source that was read.
pub(super) fn offer_found(spec: &SourceSpec, found: &Found<'_>, config: &Values, files: &Files) -> Discovery {
    let Found { look, tasks, applies } = found;
    let mut problems = look.problems.clone();
    if !applies {
        problems.push(absent(spec, look, files));
        return Discovery { problems, ..Discovery::default() };
    }
    let selected = select(tasks, config, &mut problems);
    if selected.is_empty() && problems.is_empty() {
        let what = format!("No tasks found in {}", shown(&look.source));
        let help = "see what `tasks` and `exclude_tasks` in the settings leave out, or take the entry out of the settings";
        problems.push(Problem::warning(what).at(Location::file(&look.source)).help(help));
    }
    problems.extend(not_installed(spec, tasks, files));
    let tools = selected.into_iter().map(|task| tool(spec, task, look, config, files)).collect();
    let heading = Heading { details: look.details.clone(), ..Heading::of(&look.source) };
    Discovery { tools, problems, notes: Vec::new(), heading }
}

/// The programs that are not installed: a problem for each that has an advice of its own, and one for all others.
fn not_installed(spec: &SourceSpec, tasks: &[Task], files: &Files) -> Vec<Problem> {
    let missing = programs(tasks);
    let missing = missing.iter().filter(|program| files.programs.get(*program).is_some_and(Option::is_none));
    let (known, others): (Vec<&String>, Vec<&String>) = missing.partition(|program| spec.knows(program));
    let groups =
        known.into_iter().map(|program| vec![program]).chain([others]).filter(|group| !group.is_empty());
    groups
        .map(|group| {
            let are = if group.len() == 1 { "is" } else { "are" };
            let names: Vec<String> = group.iter().map(|program| shown(program)).collect();
            let what = format!("{} {are} not installed or not on the PATH", names.join(", "));
            Problem::warning(what).numbered(Fault::ProgramNotFound).help(spec.advice(group[0]))
        })
        .collect()
}

/// The problem of a source none of whose files is there or can be read.
fn absent(spec: &SourceSpec, look: &Look<'_>, files: &Files) -> Problem {
    let unreadable = look.wants.iter().find_map(|want| match want {
        Want::File(file) => match files.files.get(file) {
            Some(Seen::Unreadable(why)) => Some(format!("{} cannot be read: {why}", shown(file))),
            _ => None,
        },
        _ => None,
    });
    let missing = || format!("{} not found in {}", spec.files.join(", "), shown(look.folder()));
    let fault = if unreadable.is_some() { Fault::SourceInvalid } else { Fault::SourceNotFound };
    let what = unreadable.unwrap_or_else(missing);
    Problem::error(fault, what).help("create it, or set working_directory")
}

/// The tasks to offer; patterns of the settings that are wrong or mean nothing are problems.
pub(super) fn select<'t>(tasks: &'t [Task], config: &Values, problems: &mut Vec<Problem>) -> Vec<&'t Task> {
    let (wanted, bad) = Patterns::new(config.texts(&TASKS));
    problems.extend(bad.iter().map(|bad| bad.problem(&TASKS, "the other patterns still count")));
    let (excluded, bad) = Patterns::new(config.texts(&EXCLUDE_TASKS));
    if !bad.is_empty() {
        // The bad pattern may exclude any task, so all are held back.
        let effect = "no task is offered until it is corrected";
        problems.extend(bad.iter().map(|bad| bad.problem(&EXCLUDE_TASKS, effect)));
        return Vec::new();
    }
    let named = config.texts(&TASKS);
    let public: Vec<&Task> = tasks
        .iter()
        .filter(|task| match task.listing {
            Listing::Public => true,
            Listing::ByName(_) => named.contains(&task.name.as_str()),
            Listing::Never(_) => false,
        })
        .collect();
    let all: Vec<&str> = public.iter().map(|task| task.name.as_str()).collect();
    for (field, effect) in [(&TASKS, "offers nothing"), (&EXCLUDE_TASKS, "leaves nothing out")] {
        bounded(Patterns::idle_names(field, &config.texts(field), &all, "task", effect), problems);
    }
    let is_offered = |task: &&Task| wanted.matches(&task.name) && !excluded.matches(&task.name);
    public.into_iter().filter(is_offered).collect()
}

pub(super) fn tool(spec: &SourceSpec, task: &Task, look: &Look<'_>, config: &Values, files: &Files) -> Tool {
    let (file, line) = task.place.clone().unwrap_or_else(|| (look.source.clone(), None));
    let command = command(spec, task, look, config);
    let line_of_command = command.line();
    let description = task.description.as_deref().and_then(one_line);
    let otherwise = || one_line(&line_of_command).map_or_else(|| "Run it".to_owned(), Cow::into_owned);
    let read = look.read.iter().filter_map(|path| Some((path.as_str(), &*files.file(path)?.bytes)));
    let content = config
        .pins_texts()
        .then(|| Content::of(std::iter::once((&*task.name, line_of_command.as_bytes())).chain(read)));
    let tool = Tool::running(task.tool_name(), &*task.name, Location::line(file, line), command)
        .described_or(description, otherwise)
        .confirming(task.confirms)
        .aliases(task.aliases.clone())
        .content(content)
        .text(task.text.clone().unwrap_or(line_of_command));
    let tool = if task.takes_words { tool.parameters(PARAMETERS) } else { tool };
    let tool = task.effects.map_or_else(|| tool.clone(), |effects| tool.clone().effects(effects));
    if task.is_of_project { tool.declared() } else { tool }
}

fn command(spec: &SourceSpec, task: &Task, look: &Look<'_>, config: &Values) -> Command {
    let mut words = task.words.iter().cloned();
    let program = words.next().unwrap_or_else(|| Word::fixed(""));
    let advice = spec.advice(&program.text);
    config
        .command(program)
        .arguments(words)
        .directory(look.folder())
        .requires_confirmation(task.mutates)
        .profile(task.profile)
        .if_missing(Cow::from(advice))
}
