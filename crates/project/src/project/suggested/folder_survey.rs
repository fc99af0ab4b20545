//! The survey of one folder.

use std::path::Path;

use super::offer::Survey;
use crate::model::{ErrorCode, PluginInfo, Problem, Severity, Values};
use crate::project::context::Context;
use crate::sources::project::{self as discovery, ProjectPlace};

/// Asks the wanted plugins, in order, for their suggestions in a folder as a project of its own. Calls `begins` before each.
pub(super) fn survey_folder(
    context: &Context,
    root: &Path,
    wanted: &dyn Fn(&str) -> bool,
    begins: &dyn Fn(&PluginInfo),
) -> Vec<Survey> {
    let view = context.view(root);
    let place = ProjectPlace { view: Some(&view), ..ProjectPlace::of(root, &context.environment) };
    let plugins = context.plugins.iter().filter(|plugin| wanted(plugin.about().id));
    plugins
        .map(|plugin| {
            begins(&plugin.about());
            let seen = discovery::scout(place, *plugin);
            let suggestion = plugin.suggest(&seen);
            let remark = if suggestion.is_some() { None } else { plugin.remark(&seen) };
            let problems = match &suggestion {
                Some(_) => Vec::new(),
                None => in_the_way(discovery::discover(place, *plugin, &Values::default()).problems),
            };
            Survey { about: plugin.about(), folder: ".".to_owned(), suggestion, remark, problems }
        })
        .collect()
}

/// Of the problems of a plugin that does not apply, those that are the reason; an absent source is none.
pub(crate) fn in_the_way(problems: Vec<Problem>) -> Vec<Problem> {
    let wrong = |problem: &Problem| {
        problem.severity == Severity::Error
            && !matches!(problem.fault, Some(ErrorCode::SourceNotFound | ErrorCode::InvalidConfig))
    };
    problems.into_iter().filter(wrong).collect()
}
