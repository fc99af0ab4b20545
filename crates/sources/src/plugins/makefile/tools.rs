//! The tools of a Makefile that was read.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use super::found::{ADVICE, FoundMakefile};
use super::names::tool_name;
use super::project::MakefileProject;
use super::recipe::{MORE, MOST, MOST_BYTES, PERHAPS, RuleText, ShownRecipe};
use super::selection::Selection;
use super::targets::{KnownRules, MakeTarget};
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
    let of_target = name.clone();
    let starts = Lazy::new({
        let all = Arc::clone(found);
        move || all.recipes.rule_text(&of_target, Some(known), false).needs
    });
    let along = Lazy::new(move || first(&all, &name, known));
    tool.text(text).along(along).starting(starts).content(found.content.clone())
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

/// So many names are followed for one target.
const MOST_NAMES: usize = 100;

/// A step on the way through prerequisites: a name, or the end of one whose prerequisites are done.
#[derive(Debug)]
enum PrerequisiteStep<'a> {
    Begin(String),
    End(RuleText<'a>),
}

/// The rules of the prerequisites of a target, each once and in make's order, as far as its own text leaves
/// room.
fn first(found: &FoundMakefile, name: &str, known: KnownRules) -> Vec<String> {
    let recipes = &found.recipes;
    let all = &found.makefile.targets;
    let places = found
        .places
        .get_or_init(|| all.iter().enumerate().map(|(place, target)| (target.name.clone(), place)).collect());
    let own: ShownRecipe = recipes.text(name, known);
    let text = own.text.as_deref().unwrap_or_default();
    let (mut lines, mut bytes) = (text.lines().count(), text.len());
    let mut seen: HashSet<String> = [name.to_owned()].into();
    let begun = recipes.rule_text(name, Some(known), false);
    let (mut is_whole, mut is_cut) = (begun.is_whole && !begun.needs_more, false);
    let mut waiting: Vec<PrerequisiteStep<'_>> =
        begun.needs.into_iter().rev().map(PrerequisiteStep::Begin).collect();
    let mut first = Vec::new();
    while let Some(step) = waiting.pop() {
        match step {
            PrerequisiteStep::Begin(name) if seen.contains(&name) => {}
            PrerequisiteStep::Begin(_) if seen.len() > MOST_NAMES => {
                is_cut = true;
                break;
            }
            PrerequisiteStep::Begin(name) => {
                let mut rules =
                    recipes.rule_text(&name, places.get(&name).map(|place| all[*place].known()), true);
                seen.insert(name);
                let needs = std::mem::take(&mut rules.needs).into_iter().rev().map(PrerequisiteStep::Begin);
                waiting.push(PrerequisiteStep::End(rules));
                waiting.extend(needs);
            }
            PrerequisiteStep::End(rules) => {
                let text = rules.lines.join("\n");
                (lines, bytes) = (lines + rules.lines.len(), bytes + text.len() + 1);
                is_whole &= rules.is_whole && !rules.needs_more;
                if lines > MOST || bytes > MOST_BYTES {
                    is_cut = true;
                    break;
                }
                first.extend((!text.is_empty()).then_some(text));
            }
        }
    }
    // If the target's own text is cut, it already says so.
    first.extend((is_cut && (!own.is_cut || !first.is_empty())).then(|| MORE.to_owned()));
    first.extend((!is_whole).then(|| PERHAPS.to_owned()));
    first
}
