//! The tools of a Makefile that was read.

use std::borrow::Cow;
use std::sync::Arc;

use super::first::first;
use super::found::{ADVICE, FoundMakefile};
use super::names::tool_name;
use super::project::MakefileProject;
use super::selection::Selection;
use super::targets::MakeTarget;
use super::{config, unsettled};
use crate::model::{
    Command, Discovery, Heading, Lazy, Location, Problem, Tool, ToolFact, Values, Word, one_line, shown,
};

/// The fields of a phony target in the list tool.
const PHONY: &[(&str, ToolFact)] =
    &[("target", ToolFact::Original), ("description", ToolFact::Description), ("phony", ToolFact::Is(true))];

/// The same of any other.
const A_FILE: &[(&str, ToolFact)] =
    &[("target", ToolFact::Original), ("description", ToolFact::Description), ("phony", ToolFact::Is(false))];

/// The tools of a Makefile that was read.
pub(super) fn offer(found: &Arc<FoundMakefile>, config: &Values) -> Discovery {
    let FoundMakefile { project, makefile, note, .. } = &**found;
    let mut problems = found.problems.clone();
    problems.extend(makefile.problems.iter().cloned());
    let selection = Selection::new(config);
    unsettled::report(makefile, found.remedy, &mut problems);
    let mut notes = vec![note.clone()];
    let (targets, named) = selection.select(makefile, &project.file, &mut problems, &mut notes);
    if targets.is_empty() && named.is_empty() && problems.is_empty() {
        let help = "give it targets, or see what `targets` and `exclude_targets` in the settings leave out";
        problems.push(Problem::warning("No targets found").at(Location::file(&project.file)).help(help));
    }
    let mut tools = Vec::with_capacity(targets.len() + named.len() + 1);
    if config.flag(&config::EXPOSE_LIST_TARGETS) {
        tools.push(list_tool(project));
    }
    tools.extend(targets.into_iter().chain(&named).map(|target| runnable(found, config, target)));
    Discovery { tools, problems, notes, heading: Heading::of(&project.file) }
}

/// The tool of a target, with the text that it runs.
pub(super) fn runnable(found: &Arc<FoundMakefile>, config: &Values, target: &MakeTarget) -> Tool {
    let tool = tool(target, found, config);
    let (name, known) = (target.running().to_owned(), target.known());
    let text = found.recipes.text(&name, known).text;
    let all = Arc::clone(found);
    let along = Lazy::new(move || first(&all, &name, known));
    tool.text(text).along(along).content(found.content.clone())
}

fn tool(target: &MakeTarget, found: &FoundMakefile, config: &Values) -> Tool {
    let command = command(&target.name, found, config);
    let tool = Tool::running(tool_name(&target.name), &*target.name, target.source.clone(), command);
    let own = target.description.as_deref().and_then(one_line);
    let usual = || format!("Execute 'make {}'", shown(&target.name));
    let tool = match &target.only_if {
        None => tool.described_or(own, usual),
        // Only make knows whether it is there.
        Some(doubt) => {
            tool.described(format!("{} (only if {doubt})", own.map_or_else(usual, Cow::into_owned)))
        }
    };
    let tool = tool.parameters(config::TARGET_PARAMETERS).fact("makefile", found.project.file.clone());
    let tool = tool.shown_as(if target.phony { PHONY } else { A_FILE });
    // Even then make runs commands while it reads the Makefile, and lines that begin with `+`.
    if config::trusts_makefile(config) { tool.rehearsed_by("-n") } else { tool }
}

fn command(target: &str, FoundMakefile { project, keeping, .. }: &FoundMakefile, config: &Values) -> Command {
    let jobs = config::jobs(config).map(|jobs| Word::settings(format!("-j{jobs}")));
    // `make_command` is never without a word.
    let (program, own) = project
        .words
        .split_first()
        .map_or_else(|| (Word::fixed("make"), &[][..]), |(program, own)| (program.clone(), own));
    let mut words = Vec::with_capacity(own.len() + keeping.len() + 2);
    words.extend(own.iter().cloned().chain(jobs).chain(keeping.iter().cloned()));
    words.push(Word::fixed(target));
    config.command(program).arguments(words).directory(&project.folder).if_missing(Cow::from(ADVICE))
}

fn list_tool(project: &MakefileProject) -> Tool {
    Tool::listing("make_list_targets", "list_targets", Location::file(&project.file), "targets")
        .described("List all available make targets")
        .parameters(config::LIST_PARAMETERS)
        .fact("makefile", project.file.clone())
}
