//! The survey of `cuff init`: every plugin is asked, and each of its suggestions becomes an offer with its
//! own name.

use std::path::Path;

use super::blockers::in_the_way;
use super::offer::Survey;
use crate::model::{Location, PluginInfo, Values};
use crate::policy::{self, Irreversible};
use crate::project::context::Context;
use crate::sources::project::{self as discovery, ProjectPlace, ProjectView};

/// Asks the wanted plugins, in order, for their suggestions in the project at `root`. Calls `begins` before each.
pub fn survey(
    context: &Context,
    root: &Path,
    wanted: impl Fn(&str) -> bool,
    begins: impl Fn(&PluginInfo),
) -> Vec<Survey> {
    let view = ProjectView::since(context.clock.now());
    let place = ProjectPlace { view: Some(&view), ..ProjectPlace::of(root, &context.environment) };
    let plugins = context.plugins.iter().filter(|plugin| wanted(plugin.about().id));
    let surveys = plugins
        .map(|plugin| {
            begins(&plugin.about());
            let seen = discovery::scout(place, *plugin);
            let suggestion = plugin.suggest(&seen);
            let remark = if suggestion.is_some() { None } else { plugin.remark(&seen) };
            let problems = match &suggestion {
                Some(_) => Vec::new(),
                None => in_the_way(discovery::discover(place, *plugin, &Values::default()).problems),
            };
            Survey { about: plugin.about(), suggestion, remark, problems }
        })
        .collect();
    with_reasons(surveys)
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
