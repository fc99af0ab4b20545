//! eslint: problems in JavaScript and TypeScript, and fixes for them.
//!
//! Its report is always asked for as JSON: people and agents are shown a line for each problem that is found in it.

mod arguments;
mod config;
mod effects;
mod findings;
mod flags;
mod project;
#[cfg(test)]
mod tests;
mod verdict;

use std::borrow::Cow;

use crate::model::{
    About, BadCall, Binding, CACHE_TTL, Command, DEFAULT_TIMEOUT, Discovery, Effects, Ended, Fault, Field,
    Files, Governance, Location, Problem, Said, Suggestion, Tool, Values, Verdict, Want, Word, shown,
};
use crate::plugin::Plugin;

use effects::{FIXES, LINTS};
use project::{Program, Project};

/// The fields of each tool in the list tool.
const SHOWN: &[(&str, Said)] = &[("description", Said::Description)];

/// The instruction if eslint is missing.
const ADVICE: &str =
    "install the project's packages; where it is none of them: npm install --save-dev eslint";

/// The eslint of one folder.
#[derive(Debug)]
pub(super) struct Eslint;

impl Plugin for Eslint {
    fn about(&self) -> About {
        About {
            summary: "eslint: problems in JavaScript and TypeScript, and fixes",
            source: "the configuration of eslint",
            looked_for: "the configuration of eslint",
            config: config::FIELDS,
            ..About::new("eslint", "ESLINT")
        }
    }

    fn scout(&self, seen: &Files) -> Vec<Want> {
        self.wants(&Values::default(), seen)
    }

    fn suggest(&self, files: &Files) -> Option<Suggestion> {
        let project = Project::new(&Values::default(), files).ok()?;
        let found = offer(&project, &Values::default(), files);
        let written: [&'static Field; 3] = [&config::WORKING_DIRECTORY, &CACHE_TTL, &DEFAULT_TIMEOUT];
        let source = project.source.as_deref().unwrap_or_default();
        Some(Suggestion {
            description: format!("Found {source}"),
            confidence: if found.problems.is_empty() { 0.95 } else { 0.6 },
            config: written.into_iter().filter_map(|key| Some((key, key.default_value()?))).collect(),
            items: found.tools.into_iter().map(|tool| tool.name).collect(),
            warnings: found.problems.iter().map(warning).collect(),
            asking: vec!["fix".to_owned()],
            ..Suggestion::default()
        })
    }

    fn wants(&self, config: &Values, seen: &Files) -> Vec<Want> {
        Project::wants(config, seen)
    }

    fn binding(&self, config: &Values, _: &Files, tool: &Tool) -> Binding {
        Project::binding(config, tool.effects == FIXES)
    }

    fn discover(&self, config: &Values, files: &Files) -> Discovery {
        match Project::new(config, files) {
            Ok(project) => offer(&project, config, files),
            Err(problem) => Discovery { problems: vec![*problem], ..Discovery::default() },
        }
    }

    fn plan(
        &self,
        config: &Values,
        tool: &Tool,
        command: Command,
        arguments: &Values,
        governance: Governance,
    ) -> Result<Command, BadCall> {
        arguments::add(command, config, tool, arguments, governance)
    }

    fn reading(&self, _: &Tool) -> Option<&'static str> {
        Some(findings::REPORT)
    }

    fn verdict(&self, tool: &Tool, ended: Ended<'_>) -> Option<Verdict> {
        Some(verdict::judge(tool.effects == FIXES, ended))
    }
}

/// The two tools, and the problems of the program.
fn offer(project: &Project, config: &Values, files: &Files) -> Discovery {
    let mut problems = Vec::new();
    if let Some(program) = project.missing(files) {
        let (what, help) = match &project.program {
            Program::OfYarn => {
                let help = "install yarn: it starts the eslint of this project, which has no node_modules";
                ("yarn is not installed or not on the PATH".to_owned(), help)
            }
            _ => (
                format!("{} is not installed, neither in the project nor on the PATH", shown(program)),
                ADVICE,
            ),
        };
        problems.push(Problem::warning(what).numbered(Fault::ProgramNotFound).help(help));
    }
    let tools = vec![
        tool(project, config, "lint", LINTS, "Find problems in JavaScript and TypeScript with eslint"),
        tool(project, config, "fix", FIXES, "Fix what eslint can fix"),
    ];
    Discovery { tools, problems, ..Discovery::default() }
}

fn tool(project: &Project, config: &Values, name: &str, effects: Effects, description: &str) -> Tool {
    let program = match &project.program {
        Program::Local { canonical, .. } => Some(canonical.clone()),
        Program::OfYarn | Program::OnPath | Program::Settings(..) => None,
    };
    let source = Location::file(project.source.as_deref().unwrap_or(&project.folder));
    Tool::running(name, name, source, command(project, config, effects == FIXES))
        .described(description)
        .parameters(if effects == FIXES { config::FIX_PARAMETERS } else { config::LINT_PARAMETERS })
        .effects(effects)
        .shown_as(SHOWN)
        .fact("config", project.source.clone())
        .fact(arguments::PROGRAM, program)
}

fn command(project: &Project, config: &Values, fixes: bool) -> Command {
    let (program, mut words) = project.program.words();
    words.extend(fixes.then(|| Word::fixed("--fix")));
    words.extend(["--format", "json"].map(Word::fixed));
    config
        .command(program)
        .arguments(words)
        .directory(&project.folder)
        .requires_confirmation(fixes)
        .if_missing(Cow::from(ADVICE))
}

/// A problem as one sentence for `cuff init`.
fn warning(problem: &Problem) -> String {
    match &problem.help {
        Some(help) => format!("{problem} ({help})"),
        None => problem.to_string(),
    }
}
