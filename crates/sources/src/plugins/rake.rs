//! Tasks of a Rakefile, read as text: those with a description, and the others for people who know their names.

use super::tasks::{SourceLook, SourceSpec, SourceTask, complete, words};

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

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let is_bundled = look
        .text("Gemfile")
        .is_some_and(|text| text.contains("rake") || text.contains("rails") || text.contains("gemspec"));
    let bundled: &[&str] = if is_bundled { &["bundle", "exec", "rake"] } else { &["rake"] };
    let rake = look.command(bundled);
    let source = look.source();
    let text = look.text(&source).unwrap_or_default();
    // rake itself reads rakelib/; the others are where projects keep files that their Rakefile loads.
    let loads = text.contains(".rake") || text.contains("load_tasks");
    let folders = ["rakelib/*.rake", "tasks/*.rake", "lib/tasks/*.rake", "lib/tasks/*/*.rake"];
    let mut files = vec![source];
    files.extend(look.find(if loads { &folders } else { &folders[..1] }));
    let why = "it has no `desc`, and `rake -T` leaves it out too; name it under `tasks` in the settings to offer it";
    let mut tasks: Vec<SourceTask> = Vec::new();
    for file in files {
        for (name, description, line) in declared(look.text(&file).unwrap_or_default()) {
            let task = SourceTask::own(&*name, [rake.clone(), words([name.as_str()])].concat());
            let task = task.at(look.place(&file), Some(line)).described(description.as_deref());
            let task = if description.is_some() { task } else { task.hidden(why) };
            // A second part of a task may describe it.
            match tasks.iter().position(|other| other.is(&name)) {
                None => tasks.push(task),
                Some(at) if description.is_some() => tasks[at] = task,
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
    let ask = [rake.clone(), words(["--all", "--tasks"])].concat();
    let place = look.place(&look.source());
    complete(look, tasks, ask, |out| {
        let listed = out.lines().filter_map(listed);
        let task = |(name, description): (&str, Option<&str>)| {
            let task = SourceTask::own(name, [rake.clone(), words([name])].concat())
                .at(&place, None)
                .described(description);
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

/// The tasks of a text, with their namespaces before them.
fn declared(text: &str) -> Vec<(String, Option<String>, usize)> {
    let (mut found, mut spaces, mut description) = (Vec::new(), Vec::<(usize, String)>::new(), None);
    for (at, line) in text.lines().enumerate() {
        let code = line.trim();
        let depth = line.len() - line.trim_start().len();
        // A namespace ends with the `end` below its own margin.
        if code == "end" {
            spaces.retain(|(margin, _)| *margin < depth);
        } else if let Some(rest) = code.strip_prefix("namespace ") {
            spaces.extend(symbol(rest.trim()).map(|name| (depth, name)));
        } else if let Some(rest) = code.strip_prefix("desc ") {
            description =
                rest.trim().get(1..).and_then(|rest| rest.split(['"', '\'']).next()).map(str::to_owned);
        } else if let Some(rest) = code.strip_prefix("task ").or_else(|| code.strip_prefix("task(")) {
            if let Some(name) = symbol(rest.trim()) {
                let spaces = spaces.iter().map(|(_, name)| name.as_str());
                let full = spaces.chain([name.as_str()]).collect::<Vec<_>>().join(":");
                found.push((full, description.take(), at + 1));
            }
        } else if code.contains(".new") {
            // The library of this task declares it, under a name of its own.
            let kind = ["Rake::TestTask", "RSpec::Core::RakeTask", "RuboCop::RakeTask"];
            let usual = ["test", "spec", "rubocop"];
            if let Some((_, usual)) = kind.iter().zip(usual).find(|(kind, _)| code.starts_with(**kind)) {
                let own =
                    code.split_once(".new").and_then(|(_, rest)| symbol(rest.trim_start_matches(['(', ' '])));
                let described = description.take().unwrap_or_else(|| format!("Run {usual}"));
                found.push((own.unwrap_or_else(|| usual.to_owned()), Some(described), at + 1));
            }
        }
    }
    found
}

/// The literal name that a text begins with: `:name`, `name:`, `"name"`.
fn symbol(text: &str) -> Option<String> {
    let is_part = |c: char| c.is_alphanumeric() || "_-?!:.".contains(c);
    let behind = text.trim_start_matches(':');
    if let Some(quote @ ('"' | '\'')) = behind.chars().next() {
        // A name with `#{…}` in it is known to rake alone.
        let name = behind[1..].split(quote).next()?;
        return (!name.is_empty() && name.chars().all(is_part)).then(|| name.to_owned());
    }
    let inner = behind;
    let end = inner.find(|c: char| !c.is_alphanumeric() && !"_-?!".contains(c)).unwrap_or(inner.len());
    let is_literal = inner.len() < text.len() || inner[end..].starts_with(':');
    (end > 0 && is_literal).then(|| inner[..end].to_owned())
}
