//! The tools of a source: what it reads, what settings select, and what each becomes.

use std::borrow::Cow;

use super::look::SourceLook;
use super::patterns::TaskPatterns;
use super::spec::{SourceSpec, TaskList};
use super::task::{SourceTask, TaskListing};
use super::workspace::package_name;
use crate::model::{
    Content, Discovery, ErrorCode, Field, Files, Heading, Location, PACKAGES, Patterns, Problem, REFRESH,
    Role, Seen, Tool, Values, Want, bounded, shown,
};

/// A source that was read.
#[derive(Debug)]
pub(super) struct FoundSource<'a> {
    pub(super) look: SourceLook<'a>,
    pub(super) tasks: Vec<SourceTask>,
    /// The programs of tasks that are not installed.
    missing: Vec<String>,
    /// Whether one of the source's files is there.
    pub(super) applies: bool,
}

/// Reads a source as far as its files were seen.
pub(super) fn look<'a>(spec: &'a SourceSpec, config: &'a Values, files: &'a Files) -> FoundSource<'a> {
    let mut look = SourceLook::new((spec.id, spec.command), config, files);
    let there: Vec<String> = spec.files.iter().flat_map(|name| look.there(name)).collect();
    if let Some(first) = there.first().filter(|_| look.is_complete()) {
        look.source = look.place(first);
    } else if !spec.files.is_empty() {
        return FoundSource { look, tasks: Vec::new(), missing: Vec::new(), applies: false };
    }
    let mut tasks: Vec<SourceTask> = Vec::new();
    for task in (spec.read)(&mut look) {
        add(task, &mut tasks, &mut look);
    }
    if look.has_failed {
        tasks.clear();
    }
    let programs = programs(&tasks).into_iter().filter(|program| spec.advice(program).is_some());
    let missing = programs.filter(|program| look.lacks(program)).collect();
    FoundSource { look, tasks, missing, applies: true }
}

/// Adds a task. The project's own wins over a usual one; of two of its own the first is kept, and that is said.
fn add(task: SourceTask, tasks: &mut Vec<SourceTask>, look: &mut SourceLook<'_>) {
    if !SourceTask::is_word(&task.tool.original) {
        let what = format!(
            "{} is no name of a task, since a program takes it for an option or nothing",
            shown(&task.tool.original)
        );
        let place = Location::line(look.file_of(&task), task.tool.source.line);
        return look.problem(Problem::warning(what).at(place).help("rename it; the other tasks are offered"));
    }
    let Some(other) = tasks.iter_mut().find(|other| other.is(&task.tool.original)) else {
        return tasks.push(task);
    };
    match (other.tool.is_declared, task.tool.is_declared) {
        (true, true) => {
            let what = format!("{} is there twice; the first counts", shown(&task.tool.original));
            let file = look.file_of(&task).to_owned();
            look.problem(Problem::warning(what).at(Location::file(file)).help("rename one of them"));
        }
        (false, true) => {
            tasks.retain(|other| !other.is(&task.tool.original));
            tasks.push(task);
        }
        (_, false) => {}
    }
}

/// The programs of tasks, each once.
fn programs(tasks: &[SourceTask]) -> Vec<String> {
    let mut programs: Vec<String> = Vec::new();
    for program in tasks.iter().map(|task| &task.command.program.text) {
        if !programs.contains(program) {
            programs.push(program.clone());
        }
    }
    programs
}

/// The tools, and the problems that keep others from being there.
pub(super) fn offer(spec: &SourceSpec, config: &Values, files: &Files) -> Discovery {
    offer_found(spec, &look(spec, config, files), config, files)
}

/// The same of a source that was read.
pub(super) fn offer_found(
    spec: &SourceSpec,
    found: &FoundSource<'_>,
    config: &Values,
    files: &Files,
) -> Discovery {
    let FoundSource { look, tasks, missing, applies } = found;
    let mut problems = Vec::new();
    bounded(look.problems.clone(), &mut problems);
    if !applies {
        problems.push(absent(spec, look, files));
    }
    if !applies || look.has_failed {
        return Discovery { problems, ..Discovery::default() };
    }
    let selected = select(spec, tasks, config, &mut problems);
    // The packages of a workspace may have some.
    if selected.is_empty() && problems.is_empty() && !config.has(&PACKAGES) {
        let [include, exclude] = spec.selecting.map(|field| field.name);
        let help = format!(
            "see what `{include}` and `{exclude}` in the settings leave out, or take the entry out of the settings"
        );
        let what = format!("No {}s found", spec.card().noun);
        problems.push(Problem::warning(what).at(Location::file(&look.source)).help(help));
    }
    problems.extend(not_installed(spec, missing));
    let list = spec.list.as_ref().filter(|list| config.flag(list.flag)).map(|list| list_tool(list, look));
    let tools = selected.into_iter().map(|task| tool(spec, task, look));
    let tools = list.into_iter().chain(tools).collect();
    let source = if spec.has_heading { look.source.clone() } else { String::new() };
    let heading = Heading { details: look.details.clone(), ..Heading::of(source) };
    let heading = match spec.workspace {
        Some(own) => heading.of_package(package_name(&own, look).as_deref(), look.folder()),
        None => heading,
    };
    Discovery { tools, problems, notes: Vec::new(), heading }
}

/// Lists the others.
fn list_tool(list: &TaskList, look: &SourceLook<'_>) -> Tool {
    let tool = Tool::listing(list.name, list.original, Location::file(&look.source), list.key);
    with_facts(tool.described(list.description).parameters(LIST_PARAMETERS), look)
}

/// The parameters of a list tool.
const LIST_PARAMETERS: &[Field] = &[REFRESH];

fn with_facts(tool: Tool, look: &SourceLook<'_>) -> Tool {
    look.facts.iter().fold(tool, |tool, (name, value)| tool.fact(name, value.clone()))
}

/// The programs that are not installed: a problem for each that has an advice of its own, and one for all others.
fn not_installed(spec: &SourceSpec, missing: &[String]) -> Vec<Problem> {
    let (known, others): (Vec<&String>, Vec<&String>) =
        missing.iter().partition(|program| spec.knows(program));
    let groups =
        known.into_iter().map(|program| vec![program]).chain([others]).filter(|group| !group.is_empty());
    groups
        .map(|group| {
            let are = if group.len() == 1 { "is" } else { "are" };
            let names: Vec<String> = group.iter().map(|program| shown(program)).collect();
            let is_kept = spec.keeps_programs && !spec.knows(group[0]);
            let where_not =
                if is_kept { ", neither in the project nor on the PATH" } else { " or not on the PATH" };
            let what = format!("{} {are} not installed{where_not}", names.join(", "));
            Problem::warning(what)
                .numbered(ErrorCode::ProgramNotFound)
                .help(spec.advice(group[0]).unwrap_or_default())
        })
        .collect()
}

/// The problem of a source none of whose files is there or can be read.
fn absent(spec: &SourceSpec, look: &SourceLook<'_>, files: &Files) -> Problem {
    let unreadable = look.wants.iter().find_map(|want| match want {
        Want::File(file) => match files.files.get(file) {
            Some(Seen::Unreadable(why)) => Some(format!("{} cannot be read: {why}", shown(file))),
            _ => None,
        },
        _ => None,
    });
    let missing = || format!("{} not found in {}", spec.files.join(", "), shown(look.folder()));
    let fault = if unreadable.is_some() { ErrorCode::SourceInvalid } else { ErrorCode::SourceNotFound };
    let what = unreadable.unwrap_or_else(missing);
    Problem::error(fault, what).help("create it, or set working_directory")
}

/// The tasks to offer; patterns of the settings that are wrong or mean nothing are problems.
pub(super) fn select<'t>(
    spec: &SourceSpec,
    tasks: &'t [SourceTask],
    config: &Values,
    problems: &mut Vec<Problem>,
) -> Vec<&'t SourceTask> {
    let (noun, [include, exclude]) = (spec.card().noun, spec.selecting);
    let patterns = TaskPatterns::new(config, spec.selecting, noun, problems);
    if patterns.is_broken {
        return Vec::new();
    }
    let named = config.texts(include);
    let public: Vec<&SourceTask> = tasks
        .iter()
        .filter(|task| match task.listing {
            TaskListing::Public => true,
            TaskListing::ByName(_) => named.contains(&task.tool.original.as_str()),
            TaskListing::Never(_) | TaskListing::Lacking(..) => false,
        })
        .collect();
    let all: Vec<&str> = public.iter().map(|task| task.tool.original.as_str()).collect();
    for (field, effect) in [(include, "offers nothing"), (exclude, "leaves nothing out")] {
        bounded(Patterns::idle_names(field, &config.texts(field), &all, noun, effect), problems);
    }
    public.into_iter().filter(|task| patterns.offers(&task.tool.original)).collect()
}

/// The tool of a task, with what the settings give to all.
pub(super) fn tool(spec: &SourceSpec, task: &SourceTask, look: &SourceLook<'_>) -> Tool {
    let (mut tool, mut command) = (task.tool.clone(), task.command.clone());
    if command.directory.as_os_str().is_empty() {
        command = command.directory(look.folder());
    }
    command.environment.splice(0..0, look.config.environment());
    let advice = command.if_missing.take().or_else(|| spec.advice(&command.program.text).map(Cow::from));
    let command = command
        .environment_policy(look.config.environment_policy())
        .timeout(look.config.default_timeout())
        .if_missing(advice);
    look.file_of(task).clone_into(&mut tool.source.file);
    if look.config.pins_texts() && !task.has_content {
        let line = command.line();
        let read = look.read.iter();
        let read = read.filter_map(|path| Some((path.as_str(), &*look.files.file(path)?.bytes)));
        let own = std::iter::once((&*task.tool.original, line.as_bytes()));
        tool = tool.content(Some(Content::of(own.chain(read))));
    }
    if let Role::Run { command: own, .. } = &mut tool.role {
        **own = command;
    }
    with_facts(tool, look)
}
