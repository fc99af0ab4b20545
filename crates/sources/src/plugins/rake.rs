//! Tasks of a Rakefile and of the files that it loads, read as text: those with a description, and the others for people
//! who know their names.

mod rakefile;
mod ruby;

use super::tasks::config::ASK_TOOL;
use super::tasks::{SourceLook, SourceSpec, SourceTask, complete, words};
use crate::model::{Location, Problem, Profile, path};

use rakefile::{DeclaredTask, Rakefile};

pub(super) const RAKE: SourceSpec = SourceSpec {
    id: "rake",
    codes: "RAKE",
    summary: "Tasks of a Rakefile",
    files: &["Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"],
    read,
    programs: &[
        ("rake", "install rake: gem install rake"),
        ("bundle", "install Bundler: gem install bundler"),
    ],
    runners: &["rake"],
    ..SourceSpec::BLANK
};

/// The most files that are read.
const MOST_FILES: usize = 100;

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let is_bundled = look
        .text("Gemfile")
        .is_some_and(|text| text.contains("rake") || text.contains("rails") || text.contains("gemspec"));
    let bundled: &[&str] = if is_bundled { &["bundle", "exec", "rake"] } else { &["rake"] };
    let rake = look.program(bundled);
    let source = look.source();
    let mut files = vec![source];
    // rake itself reads rakelib/.
    files.extend(look.find(&["rakelib/*.rake"]));
    let why = "it has no `desc`, and `rake -T` leaves it out too; name it under `tasks` in the settings to offer it";
    let mut tasks: Vec<SourceTask> = Vec::new();
    let mut at = 0;
    while let Some(file) = files.get(at).cloned() {
        at += 1;
        let Rakefile { tasks: declared, loads, unsettled } =
            rakefile::read(look.text(&file).unwrap_or_default());
        let loads = loads.iter().map(|path| path::join(path::split(&file).0, path));
        let loads: Vec<String> = loads.filter(|path| !path.starts_with(['.', '/'])).collect();
        if !loads.is_empty() && files.len() < MOST_FILES {
            let found = look.find(&loads);
            let fresh: Vec<String> = found.into_iter().filter(|own| !files.contains(own)).collect();
            files.extend(fresh.into_iter().take(MOST_FILES - files.len()));
        }
        let place = look.place(&file);
        if let Some(first) = unsettled.first().filter(|_| !look.config.flag(&ASK_TOOL)) {
            let what = "only rake knows the names of some tasks that are made here; they are not listed";
            let help = "`rake -T` shows them, and `ask_tool: true` in the settings has cuff ask rake";
            look.problem(Problem::note(what).at(Location::line(&place, *first)).help(help));
        }
        for DeclaredTask { name, description, line, publishes } in declared {
            let task = rake.own(&*name, &[&name]).at(&place, Some(line));
            let is_default = name == "default";
            let usual = is_default.then_some("Run the tasks that rake runs by default");
            let task = task.described(description.as_deref().or(usual));
            let task = if publishes { task.profile(Profile::Install).mutating() } else { task };
            let task = if description.is_some() || is_default { task } else { task.hidden(why) };
            // A second part of a task may describe it.
            match tasks.iter().position(|other| other.is(&name)) {
                None => tasks.push(task),
                Some(at) if description.is_some() && tasks[at].is_hidden() => tasks[at] = task,
                Some(_) => {}
            }
        }
    }
    if is_bundled {
        tasks.push(
            SourceTask::usual("bundle", words(["bundle", "install"]), "Install the gems of the Gemfile")
                .fetching(),
        );
    }
    let ask = rake.words(&["--all", "--tasks"]);
    let place = look.place(&look.source());
    complete(look, tasks, ask, |out| {
        let listed = out.lines().filter_map(listed);
        let task = |(name, description): (&str, Option<&str>)| {
            let task = rake.own(name, &[name]).at(&place, None).described(description);
            if description.is_some() { task } else { task.hidden(why) }
        };
        listed.map(task).collect()
    })
}

/// The name and the description in a line of `rake --all --tasks`: `rake measure[station]  # Measure a station`.
fn listed(line: &str) -> Option<(&str, Option<&str>)> {
    let (call, description) = line.strip_prefix("rake ")?.split_once('#')?;
    let name = call.trim().split('[').next().filter(|name| !name.is_empty())?;
    Some((name, Some(description.trim()).filter(|text| !text.is_empty())))
}
