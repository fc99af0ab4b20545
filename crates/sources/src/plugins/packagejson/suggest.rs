//! The suggestion of `cuff init` for a package.json and the packages of its workspace.

use serde_json::{Value, json};

use super::project::PackageProject;
use super::tools::look;
use super::{above, config, manager, selection, workspaces};
use crate::model::{
    CACHE_TTL, DEFAULT_TIMEOUT, EXPOSE_LIST_SCRIPTS, Field, Files, Location, PACKAGES, PackageChoice, Pick,
    Suggestion, Undecided, Values, Workspace, counted, package_choice, path, shown,
};
use crate::plugins::managers::{PackageManager, PackageManifest, PackageScript};
use crate::plugins::tasks::draft;

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
    suggestion.undecided = which_manager(&PackageProject::new(&usual), files).into_iter().collect();
    with_packages(&mut suggestion, &usual, files);
    Some(suggestion)
}

/// Adds the packages of the workspace: the scripts of all are chosen by the same patterns.
fn with_packages(suggestion: &mut Suggestion, usual: &Values, files: &Files) {
    let Workspace { members, notes, .. } = workspaces::of(usual, files);
    suggestion.warnings.extend(notes);
    let every = Values::of([(&PACKAGES, package_choice(&["*".to_owned()], &[]))]);
    let choice = PackageChoice::usual();
    let aside = members.iter().filter(|member| choice.is_set_aside(member)).count();
    let mut warnings = Vec::new();
    for member in members.into_iter().filter(|member| choice.has(member)) {
        let file = path::join(&member.folder, "package.json");
        let Some(found) = files.file(&file) else { continue };
        match PackageManifest::of(found, &file) {
            Ok(manifest) => {
                let scripts = selection::select(&manifest.scripts, usual, &file, &mut Vec::new());
                if scripts.is_empty() {
                    continue;
                }
                if let Some(picking) = &mut suggestion.picking {
                    add_picks(&mut picking.picks, &scripts, &file);
                }
            }
            Err(problem) => {
                warnings.push(problem.sentence());
                continue;
            }
        }
        suggestion.members.push(member);
    }
    let more = warnings.len().saturating_sub(MOST_WARNINGS);
    warnings.truncate(MOST_WARNINGS);
    if more > 0 {
        warnings.push(format!("{more} more of the packages' warnings: `cuff list` tells them all"));
    }
    suggestion.warnings.extend(warnings);
    if aside > 0 {
        suggestion.notes.push(format!(
            "{} below examples, fixtures, playgrounds or templates: name such a folder in `packages` to take it in",
            counted(aside as u64, "package")
        ));
    }
    if !suggestion.members.is_empty() {
        let count = counted(suggestion.members.len() as u64, "package");
        suggestion.description.extend([", and a workspace of ", &count, " with scripts"]);
        suggestion.config.push((&PACKAGES, every.value(&PACKAGES).cloned().unwrap_or_default()));
    }
}

/// The suggestion for a single package, without a config.
fn of(config: &Values, files: &Files) -> Option<Suggestion> {
    // `discover` reports an unreadable file.
    let (manager, discovery) = look(config, files).ok()?;
    let draft = draft(discovery, "package.json", "script", &config::SCRIPTS);
    Some(Suggestion { description: format!("{} ({})", draft.description, manager.program()), ..draft })
}

/// Adds the scripts of a package to those of the root and of other packages.
fn add_picks(picks: &mut Vec<Pick>, scripts: &[&PackageScript], file: &str) {
    for script in scripts {
        let (source, text) = (Location::line(file, script.line), script.command.clone());
        match picks.iter_mut().find(|pick| pick.name == script.name) {
            Some(pick) => pick.packages.push((source, text)),
            None => picks.push(Pick {
                name: script.name.clone(),
                pattern: script.name.clone(),
                text: Some(text),
                packages: Vec::new(),
                source,
                irreversible: None,
                risky: false,
            }),
        }
    }
}

/// The question where the project names more than one manager.
fn which_manager(project: &PackageProject, files: &Files) -> Option<Undecided> {
    let own = project.own(files).ok();
    let usual = project.manager(own.as_deref(), files, &mut Vec::new());
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
