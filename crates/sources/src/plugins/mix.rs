//! mix: the everyday commands of an Elixir project, and the aliases of its mix.exs, read as text.

use super::tasks::{MissingDependency, SourceLook, SourceSpec, SourceTask, complete, words};
use crate::model::{Profile, Word};

pub(super) const MIX: SourceSpec = SourceSpec {
    id: "mix",
    codes: "MIX",
    summary: "Elixir: compile, test and format with mix; its aliases",
    files: &["mix.exs"],
    read,
    missing: Some(|look| {
        let what = "nothing that mix.exs depends on is installed".to_owned();
        (!look.has_file("deps")).then_some(MissingDependency { what, task: "deps.get" })
    }),
    programs: &[("mix", "install Elixir: https://elixir-lang.org/install.html")],
    runners: &["mix"],
    ..SourceSpec::BLANK
};

/// Packages that bring a command of their own: the command and its description.
const PACKAGES: &[(&str, &str, &str)] = &[
    ("{:phoenix,", "phx.server", "Start the server"),
    ("{:credo,", "credo", "Find problems with credo"),
    ("{:dialyxir,", "dialyzer", "Check the types with dialyzer"),
];

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(text) = look.text("mix.exs") else { return Vec::new() };
    let mix = look.command(&["mix"]);
    let command = |own: &str| -> Vec<Word> { [mix.clone(), words([own])].concat() };
    let mut tasks = vec![
        SourceTask::usual("compile", command("compile"), "Compile the project")
            .profile(Profile::Build)
            .repeatable()
            .aliases(["build"]),
        SourceTask::usual("test", command("test"), "Run the tests").repeatable(),
        SourceTask::usual("format", command("format"), "Format the code").aliases(["fmt"]),
    ];
    for (package, name, description) in PACKAGES {
        if text.contains(package) {
            let profile = if *name == "phx.server" { Profile::Serve } else { Profile::Build };
            tasks.push(SourceTask::usual(name, command(name), description).profile(profile));
        }
    }
    let place = look.place("mix.exs");
    for (name, value, line) in aliases(text) {
        let known = Some(value).filter(|value| !value.is_empty());
        tasks.push(SourceTask::own(&*name, command(&name)).text(known).at(&place, Some(line)));
    }
    look.has_file("mix.lock");
    for file in look.find(&["lib/mix/tasks/**/*.ex"]) {
        let text = look.text(&file).unwrap_or_default();
        let Some((name, line)) = defined(text) else { continue };
        let described =
            text.lines().find_map(|line| line.trim().strip_prefix("@shortdoc ")?.split('"').nth(1));
        let task =
            SourceTask::own(&*name, command(&name)).described(described).at(look.place(&file), Some(line));
        let why = "it has no `@shortdoc`, and `mix help` leaves it out too; name it under `tasks` in the settings to offer it";
        tasks.push(if described.is_some() { task } else { task.hidden(why) });
    }
    tasks.push(
        SourceTask::usual("deps.get", command("deps.get"), "Download the packages of mix.exs").fetching(),
    );
    let ask = [mix.clone(), words(["help"])].concat();
    complete(look, tasks, ask, |out| {
        let task = |(name, text): (&str, &str)| {
            let task = SourceTask::own(name, command(name)).described(text).at(&place, None);
            let why = "it comes with Elixir; name it under `tasks` in the settings to offer it";
            if is_builtin(name) { task.hidden(why) } else { task }
        };
        out.lines().filter_map(listed).map(task).collect()
    })
}

/// The name of the task that a file defines, and the line: `moon.full_moon` for `defmodule Mix.Tasks.Moon.FullMoon do`.
fn defined(text: &str) -> Option<(String, usize)> {
    let module =
        |line: &str| line.trim().strip_prefix("defmodule Mix.Tasks.")?.strip_suffix(" do").map(str::to_owned);
    let (at, module) = text.lines().enumerate().find_map(|(at, line)| Some((at, module(line)?)))?;
    let mut name = String::new();
    for c in module.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() && !name.ends_with('.') {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    name.chars().all(is_name).then_some((name, at + 1))
}

/// The name and the description in a line of `mix help`: `mix ecto.migrate # Runs the migrations`.
fn listed(line: &str) -> Option<(&str, &str)> {
    let (call, description) = line.strip_prefix("mix ")?.split_once('#')?;
    Some((call.trim(), description.trim())).filter(|(name, _)| !name.is_empty() && !name.contains(' '))
}

/// Whether a task comes with Elixir or Hex: of these `read` offers what is typed daily.
fn is_builtin(name: &str) -> bool {
    const FIRST: &[&str] = &[
        "app",
        "archive",
        "clean",
        "cmd",
        "compile",
        "deps",
        "do",
        "escript",
        "eval",
        "format",
        "help",
        "hex",
        "iex",
        "loadconfig",
        "local",
        "new",
        "profile",
        "release",
        "run",
        "test",
        "xref",
    ];
    name.split('.').next().is_some_and(|first| FIRST.contains(&first))
}

/// The aliases, with the commands that they are for.
fn aliases(text: &str) -> Vec<(String, String, usize)> {
    let mut found = Vec::new();
    let lines = text.lines().enumerate().skip_while(|(_, line)| !line.trim().starts_with("defp aliases"));
    for (at, line) in lines.skip(1).take_while(|(_, line)| line.trim() != "end") {
        let line = line.trim();
        let named = match line.strip_prefix('"') {
            Some(rest) => rest.split_once("\":"),
            None => line.split_once(": "),
        };
        let Some((name, value)) = named else { continue };
        if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "._-".contains(c)) {
            // Every second part stands between quotes.
            let commands = value.split('"').skip(1).step_by(2).map(|own| format!("mix {own}"));
            found.push((name.to_owned(), commands.collect::<Vec<_>>().join("\n"), at + 1));
        }
    }
    found
}
