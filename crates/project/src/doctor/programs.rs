//! The programs that tools need: whether they are there.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;

use crate::doctor::check::Check;
use crate::model::{Command, ErrorCode, Problem, Role};
use crate::project::Project;
use crate::registry::Registry;
use crate::sys::programs;

/// The search path of programs that a desktop starts: no shell has read its profile.
const DESKTOP_PATH: &str = if cfg!(target_os = "macos") {
    "/usr/bin:/bin:/usr/sbin:/sbin"
} else {
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
};

/// The programs that an instance needs and that are not there, each once.
pub(crate) fn missing_programs(project: &Project, registry: &Registry, instance: &str) -> Vec<Problem> {
    let mut looked_at: BTreeSet<(&str, &OsStr)> = BTreeSet::new();
    let mut missing = Vec::new();
    for command in commands(registry, Some(instance)) {
        let (program, path) =
            (&*command.program.text, programs::search_path(command, &project.context.environment));
        let is_new = looked_at.insert((program, path));
        if is_new && programs::find(program, path, &project.settings.root.join(&command.directory)).is_none()
        {
            let problem = Problem::error(ErrorCode::ProgramNotFound, format!("{program} is not there"));
            missing.push(match &command.if_missing {
                Some(advice) => problem.help(advice.clone()),
                None => problem,
            });
        }
    }
    missing
}

/// Checks each program once: whether it is there, and whether a program that a desktop starts would find it.
pub(crate) fn program_checks(project: &Project, registry: &Registry) -> Vec<Check> {
    let mut needed: BTreeMap<(&str, &OsStr), (&Command, usize, BTreeSet<&str>)> = BTreeMap::new();
    for found in registry.tools() {
        let Role::Run { command, .. } = &found.tool.role else { continue };
        let path = programs::search_path(command, &project.context.environment);
        let entry = needed.entry((&command.program.text, path));
        let (_, count, instances) = entry.or_insert((command, 0, BTreeSet::new()));
        *count += 1;
        instances.insert(&found.name.instance);
    }
    let mut checks = Vec::new();
    for ((program, path), (command, count, instances)) in needed {
        let folder = project.settings.root.join(&command.directory);
        let tools = if count == 1 { "1 tool needs".to_owned() } else { format!("{count} tools need") };
        let Some(found) = programs::find(program, path, &folder) else {
            let remedy = command.if_missing.clone();
            let remedy =
                remedy.unwrap_or_else(|| Cow::from(format!("install {program}, or put it on the PATH")));
            let tools = match instances.len() {
                1 => tools,
                many => format!("{count} tools of {many} instances need"),
            };
            checks.push(Check::fail(format!("{tools} {program}, which is not there"), remedy));
            continue;
        };
        let is_set = command.environment.iter().any(|change| change.name == "PATH");
        checks.push(Check::pass(format!("{tools} {program}: {}", found.display())));
        if !is_set
            && !program.contains('/')
            && programs::find(program, DESKTOP_PATH.as_ref(), &folder).is_none()
        {
            let what = format!("a client that a desktop starts would not find {program}");
            let here = found.parent().unwrap_or(&folder).display();
            let remedy = format!(
                "start the client from a terminal, or set `environment: {{PATH: \"{here}:…\"}}` for its instance"
            );
            checks.push(Check::warn(what, remedy));
        }
    }
    checks
}

/// The commands of one instance or of all.
pub(crate) fn commands<'r>(
    registry: &'r Registry,
    instance: Option<&'r str>,
) -> impl Iterator<Item = &'r Command> {
    let of_it = move |name: &str| instance.is_none_or(|instance| name == instance);
    let tools = registry.tools().iter().filter(move |found| of_it(&found.name.instance));
    tools.filter_map(|found| match &found.tool.role {
        Role::Run { command, .. } => Some(&**command),
        Role::List(_) | Role::Relay(_) => None,
    })
}
