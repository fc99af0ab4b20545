//! The suggestion of `cuff init` for a package.json, and for each package of its workspace.

use serde_json::{Value, json};

use super::manager;
use super::project::Project;
use super::tools::look;
use super::workspaces::{self, Workspace};
use super::{above, config};
use crate::model::{
    CACHE_TTL, DEFAULT_TIMEOUT, EXPOSE_LIST_SCRIPTS, Field, Files, Member, Pick, Picking, Problem, Role,
    Suggestion, Tool, Undecided, Values, gathered, shown,
};
use crate::plugins::managers::PackageManager;

/// The most warnings of a workspace's packages that are shown.
const MOST_WARNINGS: usize = 10;

/// The package.json of the project's root, when there is one that can be read.
pub(super) fn suggest(files: &Files) -> Option<Suggestion> {
    let usual = above::config(files);
    let mut suggestion = of(&usual, files)?;
    let written: [&'static Field; 9] = [
        &config::PACKAGE_JSON_PATH,
        &config::WORKING_DIRECTORY,
        &config::PACKAGE_MANAGER,
        &config::SCRIPTS,
        &config::EXCLUDE_SCRIPTS,
        &config::EXCLUDE_LIFECYCLE_SCRIPTS,
        &CACHE_TTL,
        &DEFAULT_TIMEOUT,
        &EXPOSE_LIST_SCRIPTS,
    ];
    let value = |key: &Field| {
        if usual.has(key) { Some(json!(usual.text(key))) } else { key.default_value() }
    };
    suggestion.config = written.into_iter().filter_map(|key| Some((key, value(key)?))).collect();
    if usual.has(&config::PACKAGE_MANAGER) {
        suggestion.description.push_str(", a package of a workspace");
    }
    suggestion.undecided = which_manager(&Project::new(&usual), files).into_iter().collect();
    let Workspace { folders, notes } = workspaces::read(files);
    suggestion.warnings.extend(notes);
    let mut warnings = Vec::new();
    for folder in folders {
        match member(&folder, files) {
            Ok(found) => {
                // A warning that concerns all packages is shown once, for the root.
                let own = |warning: &&String| warning.starts_with(&format!("{folder}/"));
                warnings
                    .extend(found.iter().flat_map(|found| &found.suggestion.warnings).filter(own).cloned());
                suggestion.notes.extend(found.iter().flat_map(|found| &found.suggestion.notes).cloned());
                suggestion.members.extend(found);
            }
            Err(problem) => warnings.push(problem.sentence()),
        }
    }
    let more = warnings.len().saturating_sub(MOST_WARNINGS);
    warnings.truncate(MOST_WARNINGS);
    if more > 0 {
        warnings.push(format!("{more} more of the packages' warnings: `cuff list` tells them all"));
    }
    suggestion.warnings.extend(warnings);
    suggestion.notes.truncate(MOST_WARNINGS);
    match suggestion.members.len() {
        0 => {}
        1 => suggestion.description.push_str(", and a workspace of 1 package with scripts"),
        count => {
            let more = format!(", and a workspace of {count} packages with scripts");
            suggestion.description.push_str(&more);
        }
    }
    Some(suggestion)
}

/// The suggestion for a single package, without a config.
fn of(config: &Values, files: &Files) -> Option<Suggestion> {
    // `discover` reports an unreadable file.
    let (manager, discovery) = look(config, files).ok()?;
    let is_run = |tool: &&Tool| matches!(tool.role, Role::Run { .. });
    let runs: Vec<&Tool> = discovery.tools.iter().filter(is_run).collect();
    let picks: Vec<Pick> = runs.iter().map(|tool| pick(tool)).collect();
    let plural = if picks.len() == 1 { "" } else { "s" };
    Some(Suggestion {
        description: format!(
            "Found package.json with {} script{plural} ({})",
            picks.len(),
            manager.program()
        ),
        confidence: if picks.is_empty() { 0.5 } else { 0.95 },
        items: discovery.tools.into_iter().map(|tool| tool.name).collect(),
        warnings: discovery
            .problems
            .iter()
            .filter(|problem| !problem.is_note())
            .map(Problem::sentence)
            .collect(),
        notes: gathered(&discovery.problems).into_iter().collect(),
        picking: Some(Picking { field: &config::SCRIPTS, excluding: None, picks }),
        ..Suggestion::default()
    })
}

fn pick(tool: &Tool) -> Pick {
    // A safe name holds nothing that a pattern reads as more than itself.
    Pick::of(tool, tool.original.clone())
}

/// A package of the workspace, when it has scripts.
///
/// # Errors
/// The problems of its package.json.
fn member(folder: &str, files: &Files) -> Result<Option<Member>, Box<Problem>> {
    let written = vec![(&config::WORKING_DIRECTORY, json!(folder)), (&EXPOSE_LIST_SCRIPTS, json!(false))];
    let config = Values::of(written.clone());
    look(&config, files)?;
    let found = of(&config, files).filter(|found| !found.items.is_empty());
    Ok(found.map(|found| Member {
        name: workspaces::name(folder, files),
        folder: folder.to_owned(),
        suggestion: Suggestion { config: written, ..found },
    }))
}

/// The question where the project names more than one manager.
fn which_manager(project: &Project, files: &Files) -> Option<Undecided> {
    let own = project.own(files).ok();
    let usual = project.manager(own.as_ref(), files, &mut Vec::new());
    let mut because = Vec::new();
    let mut named = vec![usual];
    let asked = own.iter().flat_map(|own| &own.managers).filter_map(|(key, value)| {
        let manager = manager::asked_for(key, value, &project.file).ok()?;
        Some((manager, format!("{} asks for {} in `{key}`", shown(&project.file), shown(value))))
    });
    let signs = project.signs(files).into_iter().map(|(manager, file)| (manager, format!("{file} is there")));
    for (manager, sign) in asked.chain(signs) {
        if !named.contains(&manager) {
            named.push(manager);
        }
        because.push(sign);
    }
    let answer = |manager: &PackageManager| (manager.program().to_owned(), json!(manager.program()));
    let auto = (format!("auto: {} today", usual.program()), Value::from("auto"));
    (named.len() > 1).then(|| Undecided {
        field: &config::PACKAGE_MANAGER,
        question: "Which package manager runs the scripts?",
        because,
        answers: std::iter::once(auto).chain(named.iter().map(answer)).collect(),
    })
}
