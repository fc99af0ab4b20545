//! Which scripts are offered: patterns, lifecycle scripts, safe names.

use super::config::{EXCLUDE_LIFECYCLE_SCRIPTS, EXCLUDE_SCRIPTS, SCRIPTS};
use crate::model::{Absence, Field, Location, Patterns, Problem, Values, bounded, is_hidden, shown};
use crate::plugins::managers::PackageScript;
use crate::plugins::tasks::TaskPatterns;

/// The keys that select scripts, and leave some out.
const SELECTING: [&Field; 2] = [&SCRIPTS, &EXCLUDE_SCRIPTS];

/// The scripts that npm runs by itself around installing and publishing.
const LIFECYCLE: &[&str] = &[
    "preinstall",
    "install",
    "postinstall",
    "preuninstall",
    "uninstall",
    "postuninstall",
    "prepublish",
    "prepare",
    "prepublishOnly",
    "prepack",
    "postpack",
];

/// The scripts to offer. A script left out against the user's wish is a problem.
pub(super) fn select<'s>(
    scripts: &'s [PackageScript],
    config: &Values,
    file: &str,
    problems: &mut Vec<Problem>,
) -> Vec<&'s PackageScript> {
    let patterns = TaskPatterns::new(config, SELECTING, "script", problems);
    if patterns.is_broken {
        return Vec::new();
    }
    let names: Vec<&str> = scripts.iter().map(|script| script.name.as_str()).collect();
    for (key, so) in SELECTING.into_iter().zip(["offers nothing", "leaves nothing out"]) {
        bounded(Patterns::idle_names(key, &config.texts(key), &names, "script", so), problems);
    }
    let lifecycle = config.flag(&EXCLUDE_LIFECYCLE_SCRIPTS);
    let mut unsafe_names = Vec::new();
    let kept: Vec<_> = scripts
        .iter()
        .filter(|script| {
            patterns.offers(&script.name) && !(lifecycle && LIFECYCLE.contains(&script.name.as_str()))
        })
        .filter(|script| match objection(&script.name) {
            None => true,
            Some(why) => {
                // A rule between other scripts runs nothing.
                if script.name.is_empty() || !is_empty(&script.command) {
                    unsafe_names.push(not_offered(script, why, config, file));
                }
                false
            }
        })
        .collect();
    bounded(unsafe_names, problems);
    kept
}

/// The note that a script is not offered for its name.
fn not_offered(script: &PackageScript, why: &str, config: &Values, file: &str) -> Problem {
    let name = script.name.as_str();
    let help = match name {
        "" => "give the script a name",
        name if is_for_people(name) => {
            "people run it by its exact name; rename it to offer it to agents, or name it in exclude_scripts"
        }
        _ => "rename the script, or name it in exclude_scripts",
    };
    let note = Problem::note(format!("script \"{}\" is not offered: {why}", shown(name)));
    let note = note.wanted(config.texts(&SCRIPTS).contains(&name));
    note.at(Location::line(file, script.line)).withholding(name).help(help)
}

/// Why a script is not offered that a person runs by its name all the same; `None`: it is offered, or nobody runs it.
pub(super) fn by_name_alone(script: &PackageScript, config: &Values, file: &str) -> Option<Problem> {
    let why = objection(&script.name).filter(|_| is_for_people(&script.name))?;
    Some(not_offered(script, why, config, file))
}

/// Whether every manager takes an unsafe name for a script and for nothing else: `-x` is an option, and `/x/` a pattern of
/// pnpm.
fn is_for_people(name: &str) -> bool {
    !name.is_empty() && !name.starts_with(['-', '/']) && !name.contains(is_hidden)
}

/// Whether a command line does nothing in a shell.
fn is_empty(command: &str) -> bool {
    let command = command.trim();
    command.is_empty() || command.starts_with('#')
}

/// Why a script of package.json is left out, where the settings say so.
pub(super) fn left_out(script: &PackageScript, config: &Values, file: &str) -> Absence {
    let name = script.name.as_str();
    let patterns = TaskPatterns::new(config, SELECTING, "script", &mut Vec::new());
    let of_npm = || {
        let help = "npm runs it by itself; `exclude_lifecycle_scripts: false` offers it as well";
        let is_out = config.flag(&EXCLUDE_LIFECYCLE_SCRIPTS) && LIFECYCLE.contains(&name);
        is_out.then(|| patterns.absent(&format!("is excluded: {name}")).help(help))
    };
    let problem = patterns.left_out(name).or_else(of_npm);
    problem.map_or(Absence::Unknown, |problem| {
        Absence::Because(Box::new(problem.at(Location::line(file, script.line))))
    })
}

/// Why a name is not safe to hand to a package manager: it must be `[A-Za-z_][A-Za-z0-9_:.-]*`.
fn objection(name: &str) -> Option<&'static str> {
    let starts = |first: char| first.is_ascii_alphabetic() || first == '_';
    let goes_on = |next: char| next.is_ascii_alphanumeric() || "_:.-".contains(next);
    match name.chars().next() {
        None => Some("its name is empty"),
        // Every manager runs it; but a program that keeps scripts in a JavaScript object loses it.
        Some(_) if name == "__proto__" => Some("JavaScript programs take its name for something else"),
        Some(first) if !starts(first) => Some("its name must start with a letter or _"),
        Some(_) if !name.chars().all(goes_on) => Some("its name may hold only letters, digits, _ : . and -"),
        Some(_) => None,
    }
}
