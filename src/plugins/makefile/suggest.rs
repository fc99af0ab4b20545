//! What `cuff init` suggests for the Makefile it finds.

use serde_json::{Value, json};

use super::project::Project;
use super::selection::Selection;
use super::{config, look, offer, unsettled};
use crate::model::{CACHE_TTL, DEFAULT_TIMEOUT, Field, Files, Problem, Role, Suggestion, Values, path};

/// The Makefile that make would take, when there is one that can be read.
pub(super) fn suggest(files: &Files) -> Option<Suggestion> {
    let config = Values::default();
    // What is wrong with a file that cannot be read is told by `discover`.
    let read = look(&config, files).ok()?;
    let found = offer(&read, &config);
    let targets = found.tools.iter().filter(|tool| matches!(tool.role, Role::Run { .. })).count();
    let plural = if targets == 1 { "" } else { "s" };
    let name = path::split(&read.project.file).1;
    // Under the suggested settings make is asked, and settles what reading alone leaves open.
    let open = unsettled::problems(&read.makefile, &Selection::new(&config), read.remedy);
    let lasting = found.problems.iter().filter(|problem| !open.contains(problem));
    let mut warnings: Vec<String> = lasting.map(warning).collect();
    warnings.extend(unsettled::summary(&read.makefile).map(|open| runs_when_read(&open)));
    Some(Suggestion {
        description: format!("Found {name} with {targets} target{plural}"),
        confidence: if targets == 0 { 0.5 } else { 0.95 },
        config: settings(&read.project),
        items: found.tools.into_iter().map(|tool| tool.name).collect(),
        warnings,
    })
}

fn settings(project: &Project) -> Vec<(&'static Field, Value)> {
    let written: [&'static Field; 8] = [
        &config::TARGETS,
        &config::EXCLUDE_TARGETS,
        &config::EXTRACTOR,
        &config::TRUST_MAKEFILE,
        &CACHE_TTL,
        &config::WORKING_DIRECTORY,
        &DEFAULT_TIMEOUT,
        &config::EXPOSE_LIST_TARGETS,
    ];
    let own = (&config::MAKEFILE_PATH, json!(format!("./{}", project.file)));
    let rest = written.into_iter().filter_map(|key| Some((key, key.default_value()?)));
    std::iter::once(own).chain(rest).collect()
}

/// A word to those who do not know the Makefile: what reading alone leaves open, make finds out by running it.
fn runs_when_read(open: &str) -> String {
    format!(
        "SECURITY: to list all targets cuff will have make read the Makefile, which can run commands in it; set \
         `trust_makefile: false` where you do not trust the repository (the text alone leaves open {open})"
    )
}

/// A problem as one sentence.
fn warning(problem: &Problem) -> String {
    match &problem.help {
        Some(help) => format!("{problem} ({help})"),
        None => problem.to_string(),
    }
}
