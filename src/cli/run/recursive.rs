//! `cuff run --recursive`: one tool in every package of the workspace, those first that others need.

use std::collections::{BTreeMap, BTreeSet};

use super::afterwards::say_error;
use super::execute::list_for;
use super::side_by_side::{self, RowMember};
use crate::calls::{ErrorReason, RunError};
use crate::cli::arguments::RunArguments;
use crate::cli::list;
use crate::model::{ErrorCode, Package, PackageGraph, Seen, Severity, Wildcard, nearest, path, visible};
use crate::project::Project;
use crate::registry::{Registered, Registry, ReportedProblem};
use crate::sys::{read_file, repository};
use crate::terminal::{Failed, Ui};

/// The largest manifest that is read, in bytes.
const LARGEST: u64 = 4 * 1024 * 1024;

/// Runs the tool that was named wherever a package has one; the exit code is that of the first that failed.
pub(super) fn recursive(ui: &Ui, project: &Project, typed: &RunArguments) -> Result<u8, Failed> {
    let name = typed.tool.as_deref().unwrap_or_default();
    let registry = list_for(ui, project, "")?;
    // A package that cannot be read has no tools, and must not be missing in silence.
    let broken = registry.problems().iter().filter(|one| one.problem.severity == Severity::Error);
    for ReportedProblem { instance, plugin, problem } in broken {
        ui.problem(Some(instance), list::code(project, plugin, problem).as_deref(), problem);
    }
    let packages = packages(project, &registry);
    let graph = PackageGraph::of(&packages);
    let chosen = chosen(project, typed, (&packages, &graph))?;
    let folder = |found: &Registered| path::split(&found.tool.source.file).0.to_owned();
    // A folder may be a package of several sources.
    let mut tools: BTreeMap<(String, &str), &Registered> = BTreeMap::new();
    for found in registry.tools().iter().filter(|found| found.is_called(name) || found.has_alias(name)) {
        let folder = folder(found);
        // A root's own would most likely begin this very run once more, or that of its packages.
        if packages.contains_key(&folder) && folder != "." && !registry.has_packages(&found.name.instance) {
            tools.entry((folder, found.plugin)).or_insert(found);
        }
    }
    if tools.is_empty() {
        let (message, help) = if packages.keys().all(|folder| folder == ".") {
            (
                "this project is no workspace that cuff knows packages of".to_owned(),
                "workspaces of npm, pnpm, yarn, bun, cargo, uv, go and deno have packages; leave out -r to run the tool"
                    .to_owned(),
            )
        } else {
            let own = registry.tools().iter().filter(|found| folder(found) != ".");
            let near = nearest(name, own.map(|found| found.tool.original.as_str()));
            let help = near.map(|near| format!("did you mean `{}`?", visible(near)));
            (
                format!("no package of the workspace has `{}`", visible(name)),
                help.unwrap_or_else(|| "`cuff list` shows the packages and what each has".to_owned()),
            )
        };
        let help = Some(help);
        let error = RunError::new(ErrorReason::NoSuchTool, ErrorCode::NotFound.code("CUFF"), message, help);
        return say_error(ui, &error, typed.how.json);
    }
    tools.retain(|(folder, _), _| chosen.contains(folder));
    if tools.is_empty() {
        ui.note(format!("note: no package with `{}` is left to run; nothing was run", visible(name)));
        return Ok(crate::terminal::exit::SUCCESS);
    }
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, (folder, _)) in tools.keys().enumerate() {
        places.entry(folder).or_default().push(at);
    }
    let circles = graph.cycles();
    let mut members = Vec::new();
    let mut cycles = BTreeSet::new();
    for ((folder, _), found) in &tools {
        let arguments =
            side_by_side::arguments(Some(found), &found.shown, &typed.how, &typed.how.call.words)?;
        let mut needs = BTreeSet::new();
        let (mut open, mut seen) = (vec![folder.as_str()], BTreeSet::from([folder.as_str()]));
        while let Some(package) = open.pop() {
            for needed in graph.needs(package).filter(|needed| seen.insert(needed)) {
                // Packages that need each other have no order.
                let is_circle =
                    circles.get(needed).is_some_and(|circle| circles.get(&**folder) == Some(circle));
                match places.get(needed).filter(|_| !is_circle) {
                    Some(places) => needs.extend(places),
                    None => open.push(needed),
                }
                if is_circle {
                    cycles.insert(folder.as_str());
                }
            }
        }
        let label = packages.get(folder).map(|package| package.name.clone()).filter(|name| !name.is_empty());
        let member = RowMember::new(found.name.to_string(), label.unwrap_or_else(|| folder.clone()));
        members.push(RowMember { arguments, needs, ..member });
    }
    if !cycles.is_empty() {
        let cycles: Vec<String> = cycles.into_iter().map(|folder| visible(folder).into_owned()).collect();
        ui.note(format!("note: these packages need each other, and run in no order: {}", cycles.join(", ")));
    }
    let jobs = typed.jobs.map_or_else(processors, usize::from);
    side_by_side::run(ui, project, &registry, (typed, jobs), members)
}

/// The packages that tools are from, by their folders.
fn packages(project: &Project, registry: &Registry) -> BTreeMap<String, Package> {
    let mut packages = BTreeMap::new();
    for found in registry.tools() {
        let file = &found.tool.source.file;
        let folder = path::split(file).0;
        let Some(plugin) = project.context.plugin(found.plugin) else { continue };
        if packages.contains_key(folder) {
            continue;
        }
        if let Seen::File(manifest) = read_file::file(&project.settings.root.join(file), LARGEST)
            && let Some(package) = plugin.package(&manifest.bytes)
        {
            packages.insert(folder.to_owned(), package);
        }
    }
    packages
}

/// The folders of the packages that filters and changes leave.
fn chosen(
    project: &Project,
    typed: &RunArguments,
    (packages, graph): (&BTreeMap<String, Package>, &PackageGraph),
) -> Result<BTreeSet<String>, Failed> {
    let mut patterns = Vec::new();
    for text in &typed.filter {
        let Some(pattern) = Wildcard::of(text) else {
            let failed = Failed::usage(format!("`{}` is no pattern of --filter", visible(text)));
            return Err(failed.help("write a package's name or folder, in which `*` stands for any text"));
        };
        patterns.push(pattern);
    }
    let is_named = |folder: &str, package: &Package| {
        patterns.is_empty()
            || patterns.iter().any(|pattern| {
                let unscoped = package.name.rsplit('/').next().unwrap_or_default();
                [folder, &package.name, unscoped].iter().any(|name| pattern.matches(name))
            })
    };
    let named = packages.iter().filter(|(folder, package)| is_named(folder, package));
    let named: BTreeSet<String> = named.map(|(folder, _)| folder.clone()).collect();
    if named.is_empty() && !typed.filter.is_empty() {
        let failed =
            Failed::usage(format!("no package matches --filter {}", visible(&typed.filter.join(" "))));
        return Err(failed.help("`cuff list` shows the packages, by their names and folders"));
    }
    let Some(since) = &typed.changed else { return Ok(named) };
    let files = repository::changed_since(&project.settings.root, since, &project.context.environment);
    let files = files.map_err(|error| {
        Failed::usage(format!("--changed: {error}")).help(
            "name a commit, a branch or a tag of the repository; without --changed it runs in all packages",
        )
    })?;
    let mut changed: BTreeSet<&str> = BTreeSet::new();
    for file in &files {
        let above = path::upwards(path::split(file).0);
        if let Some(folder) = above.into_iter().find(|folder| packages.contains_key(*folder)) {
            changed.insert(folder);
        }
    }
    let mut all: BTreeSet<String> = changed.iter().map(|folder| (*folder).to_owned()).collect();
    all.extend(graph.all_dependents(changed).into_iter().map(str::to_owned));
    Ok(all.intersection(&named).cloned().collect())
}

/// How many processors this machine has for cuff.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
