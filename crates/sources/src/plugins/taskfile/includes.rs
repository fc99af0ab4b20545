//! The files that a Taskfile includes.

use serde_json::Value;

use crate::model::{ErrorCode, Location, Problem, path, shown};
use crate::plugins::tasks::{SourceLook, TaskManifest};

/// The names that task looks for, in its order.
pub(super) const NAMES: &[&str] = &[
    "Taskfile.yml",
    "taskfile.yml",
    "Taskfile.yaml",
    "taskfile.yaml",
    "Taskfile.dist.yml",
    "taskfile.dist.yml",
    "Taskfile.dist.yaml",
    "taskfile.dist.yaml",
];

/// How deep includes are followed.
const DEEPEST: usize = 12;

/// One file of tasks, as it is included.
#[derive(Debug, Clone)]
pub(super) struct Included {
    pub(super) file: String,
    /// The names before those of its tasks: the namespace, then its aliases.
    pub(super) spaces: Vec<String>,
    pub(super) is_internal: bool,
    pub(super) is_optional: bool,
    pub(super) excludes: Vec<String>,
    pub(super) above: Vec<String>,
    /// The variables that its include gives it.
    pub(super) vars: Value,
    pub(super) place: Location,
}

impl Included {
    /// The first name before those of its tasks.
    pub(super) fn space(&self) -> &str {
        self.spaces.first().map_or("", String::as_str)
    }
}

/// Reads a file of tasks, whose own name is kept where its folder was included. One that is not there is a problem, unless its
/// include is optional.
pub(super) fn manifest(look: &mut SourceLook<'_>, included: &mut Included) -> Option<TaskManifest> {
    let name = &included.file;
    let is_file = matches!(name.rsplit_once('.'), Some((_, "yml" | "yaml")));
    let names: Vec<String> =
        if is_file { vec![name.clone()] } else { NAMES.iter().map(|own| path::join(name, own)).collect() };
    let found = names.into_iter().find(|name| look.has_file(name));
    let (what, help) = match &found {
        None if look.is_complete() && !included.is_optional => (
            format!("{} is included and not there", shown(name)),
            "correct the include, or mark it `optional: true`; the other tasks still work",
        ),
        Some(found) if included.above.contains(found) => (
            format!("{} is in a cycle of includes: it includes itself", shown(found)),
            "take one of its includes out: task refuses all tasks until then",
        ),
        Some(found) => {
            included.file.clone_from(found);
            return look.manifest(found);
        }
        None => return None,
    };
    look.problem(Problem::error(ErrorCode::SourceInvalid, what).at(included.place.clone()).help(help));
    None
}

/// The files that a file includes. Those whose path only task knows are told.
pub(super) fn includes(look: &mut SourceLook<'_>, file: &TaskManifest, from: &Included) -> Vec<Included> {
    let mut all = Vec::new();
    for (name, own) in file.entries(&["includes"]) {
        let text = |key: &str| own.get(key).and_then(Value::as_str);
        let is = |key: &str| own.get(key).and_then(Value::as_bool).unwrap_or_default();
        let Some(called) = own.as_str().or_else(|| text("taskfile")) else { continue };
        let of_root = called.strip_prefix("{{.ROOT_DIR}}/");
        let called = of_root.unwrap_or_else(|| called.trim_start_matches("{{.TASKFILE_DIR}}/"));
        let place = Location::line(&file.file, file.line(name));
        let folder = if of_root.is_some() { "." } else { path::split(&from.file).0 };
        let own_file = path::join(folder, called);
        let why = match () {
            () if called.contains("{{") => Some("its path is a template that only task fills in"),
            () if called.contains("://") => Some("it lies on another machine"),
            () if from.above.len() >= DEEPEST => Some("includes are followed twelve files deep"),
            () => None,
        };
        if let Some(why) = why {
            let what = format!("the tasks of the include {} are not offered: {why}", shown(name));
            look.problem(
                Problem::warning(what).at(place).help("the other tasks still work; `task --list` shows all"),
            );
            continue;
        }
        let texts = |key: &str| -> Vec<String> {
            let list = own.get(key).and_then(Value::as_array).into_iter().flatten();
            list.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let names: Vec<String> = std::iter::once(name.to_owned()).chain(texts("aliases")).collect();
        let space = |space: &String| names.iter().map(|name| format!("{space}{name}:")).collect::<Vec<_>>();
        let spaces =
            if is("flatten") { from.spaces.clone() } else { from.spaces.iter().flat_map(space).collect() };
        all.push(Included {
            file: own_file,
            spaces,
            is_internal: from.is_internal || is("internal"),
            is_optional: is("optional"),
            excludes: texts("excludes"),
            vars: own.get("vars").cloned().unwrap_or_default(),
            above: from.above.iter().chain([&from.file]).cloned().collect(),
            place,
        });
    }
    all
}
