//! eslint: problems in JavaScript and TypeScript, and fixes for them.
//!
//! Its report is always asked for as JSON: people and agents are shown a line for each problem that is found in it.

mod arguments;
mod config;
mod findings;
mod flags;
mod project;
#[cfg(test)]
mod tests;
mod verdict;

use super::tasks::{SourceLook, SourceSpec, SourceTask, words};
use crate::model::{
    CACHE_TTL, DEFAULT_TIMEOUT, Effects, Field, PluginInfo, Reach, Suggestion, ToolFact, Word,
};

use config::{FIXES, LINTS};

/// The fields of each tool in the list tool.
const SHOWN: &[(&str, ToolFact)] = &[("description", ToolFact::Description)];

/// The eslint of one folder.
pub(super) const ESLINT: SourceSpec = SourceSpec {
    id: "eslint",
    read,
    programs: &[("yarn", "install yarn: it starts the eslint of this project, which has no node_modules")],
    usual_advice: "install the project's packages; where it is none of them: npm install --save-dev eslint",
    keeps_programs: true,
    card: Some(PluginInfo {
        summary: "eslint: problems in JavaScript and TypeScript, and fixes",
        source: "the configuration of eslint",
        looked_for: "the configuration of eslint",
        config: config::FIELDS,
        ..PluginInfo::new("eslint", "ESLINT")
    }),
    written: &[&config::WORKING_DIRECTORY, &CACHE_TTL, &DEFAULT_TIMEOUT],
    has_heading: false,
    words: arguments::add,
    reach: Reach::Declared,
    binding: Some(|look, tool| project::binding(look, tool.effects == FIXES)),
    suggest: |look, draft| {
        let confidence = if draft.warnings.is_empty() { 0.95 } else { 0.6 };
        Some(Suggestion { description: format!("Found {}", look.source_file()), confidence, ..draft })
    },
    report: Some((findings::REPORT, |tool, ended| verdict::judge(tool.effects == FIXES, ended))),
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(own) = project::find(look) else { return Vec::new() };
    let lints = "Find problems in JavaScript and TypeScript with eslint";
    vec![
        task(&own, ("lint", lints), &[], LINTS, config::LINT_PARAMETERS),
        task(&own, ("fix", "Fix what eslint can fix"), &["--fix"], FIXES, config::FIX_PARAMETERS).mutating(),
    ]
}

fn task(
    eslint: &[Word],
    (name, description): (&str, &str),
    more: &[&str],
    effects: Effects,
    parameters: &'static [Field],
) -> SourceTask {
    let own = more.iter().copied().chain(["--format", "json"]);
    SourceTask::usual(name, [eslint.to_vec(), words(own)].concat(), description)
        .with(|tool| tool.parameters(parameters).effects(effects).shown_as(SHOWN).text(None))
}
