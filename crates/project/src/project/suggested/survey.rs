//! The survey of `cuff init`: every plugin is asked, and each of its suggestions becomes an offer with its
//! own name.

use std::collections::HashSet;
use std::path::Path;

use super::folder_survey::survey_folder;
use super::nested::nested;
use super::offer::Survey;
use crate::model::{Location, PluginInfo};
use crate::policy::{self, Irreversible};
use crate::project::context::Context;

/// Asks the wanted plugins, in order, for their suggestions in the project at `root`, and then for those of folders with sources
/// of their own. Calls `begins` before each plugin.
pub fn survey(
    context: &Context,
    root: &Path,
    wanted: impl Fn(&str) -> bool,
    begins: impl Fn(&PluginInfo),
) -> Vec<Survey> {
    with_reasons(survey_sources(context, root, &wanted, &begins, &HashSet::new()))
}

/// The same without reasons, and without a look into the folders that are `known`.
pub(super) fn survey_sources(
    context: &Context,
    root: &Path,
    wanted: &dyn Fn(&str) -> bool,
    begins: &dyn Fn(&PluginInfo),
    known: &HashSet<&str>,
) -> Vec<Survey> {
    let mut surveys = survey_folder(context, root, wanted, begins);
    let (nested, note) = nested(context, root, wanted, &surveys, known);
    surveys.extend(nested);
    if let Some(suggestion) = surveys.iter_mut().rev().find_map(|survey| survey.suggestion.as_mut()) {
        suggestion.notes.extend(note);
    }
    surveys
}

/// The same, with the reason why `confirm` is suggested for a tool whose source says none.
fn with_reasons(mut surveys: Vec<Survey>) -> Vec<Survey> {
    let suggestions = surveys.iter_mut().filter_map(|survey| survey.suggestion.as_mut());
    for suggestion in suggestions {
        for pick in suggestion.picking.iter_mut().flat_map(|picking| &mut picking.picks) {
            let found = || reason(&pick.name, pick.text.as_deref(), &pick.source);
            let in_packages = || {
                let mut texts = pick.packages.iter();
                texts.find_map(|(source, text)| reason(&pick.name, Some(text), source))
            };
            pick.irreversible = pick.irreversible.take().or_else(found).or_else(in_packages);
        }
    }
    surveys
}

/// Why a tool looks irreversible, with its place: `` `git push` at package.json:7 ``.
pub(crate) fn reason(name: &str, text: Option<&str>, source: &Location) -> Option<String> {
    let Irreversible { because, line } = policy::irreversible(name, text)?;
    let place = match line {
        Some(1..) if source.line.is_some() || !source.file.is_empty() => format!(" at {source}"),
        _ => String::new(),
    };
    Some(format!("{because}{place}"))
}
